/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What libetw's files share: errors, the device, the private logger. */
#ifndef LIBETW_H
#define LIBETW_H

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include "include/evntrace.h"
#include "etw_abi.h"
#include "etw_provider.h"

/* The result of a call is also the thread's last error: return through this */
ULONG etw_result(ULONG error);
/* Win32 code of a negative or positive errno */
ULONG etw_error(int err);
/* The same of what the provider node answers */
ULONG etw_provider_error(int err);

/*
 * A thread that is cancelled while it holds a lock, or what only it can free, leaves that behind,
 * and the next call hangs. Therefore calls that hold such things run with cancellation disabled;
 * where the program's callbacks run, and where a call waits for events, a cleanup handler frees
 * them instead. Return: what etw_cancel_restore() is to be given
 */
static inline int etw_cancel_disable(void)
{
	int before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	return before;
}

static inline void etw_cancel_restore(int before)
{
	pthread_setcancelstate(before, NULL);
}

/**
 * struct etw_node - a device node that is opened when first asked for
 * @fd: its descriptor, or -1
 * @epoch: how often it was lost, also by fork(): the program has closed the descriptor
 */
struct etw_node {
	int fd;
	uint32_t epoch;
};

/* nodes.c's; here, because every event reads it */
extern struct etw_node etw_provider_node __attribute__((visibility("hidden")));
int etw_provider_open(void);
/* The process's open nodes; a negative errno when there is none to be had */
static inline int etw_provider_fd(void)
{
	int fd = __atomic_load_n(&etw_provider_node.fd, __ATOMIC_ACQUIRE);

	return __builtin_expect(fd >= 0, 1) ? fd : etw_provider_open();
}

int etw_control_fd(void);
static inline uint32_t etw_provider_epoch(void)
{
	return __atomic_load_n(&etw_provider_node.epoch, __ATOMIC_ACQUIRE);
}

/* Whether an errno of an ioctl means that */
bool etw_provider_lost(int fd, int err);
/* Return: what the ioctl does, or a negative errno; errno itself is left alone */
int etw_provider_ioctl(unsigned long request, void *argument);
int etw_control_ioctl(unsigned long request, void *argument);
/* etw-writer: StartTrace() has passed this control node on, with its rights */
void etw_control_is(int fd);

/* Bytes of the caller's into memory of ours, or the other way; at most ETW_PIECES at a time */
struct etw_piece {
	void *to;
	const void *from;
	size_t size;
};

#define ETW_PIECES	3

/*
 * The caller's memory, where the kernel does not look at it for us: it copies,
 * so a bad address is -EFAULT here, too. Two system calls, however many pieces.
 * Context: any thread, any signal handler.
 */
int etw_copy(const struct etw_piece *pieces, unsigned int count);
int etw_copy_in(void *to, const void *from, size_t size);
int etw_copy_out(void *to, const void *from, size_t size);
/* A string of @unit bytes a character, its terminator included; -E2BIG over @room */
int etw_copy_string(void *to, const void *from, size_t room, size_t unit);

/* The handle that a control callback gets: TRACE_ENABLE_CONTEXT */
static inline TRACEHANDLE etw_enable_handle(uint16_t logger, uint8_t level, uint32_t flags)
{
	return logger | (TRACEHANDLE)level << 16 | (TRACEHANDLE)flags << 32;
}

/* classes.c: classes of events that TraceEventInstance() knows by handle */
/* Both under the lock of the registrations */
HANDLE etw_class_add(const GUID *guid);
void etw_class_remove(HANDLE handle);
/* Context: any thread, any signal handler. Return: 0 or -EINVAL */
int etw_class_guid(HANDLE handle, struct etw_guid *guid);
/* The same. Return: from 1; 0: no such class */
uint32_t etw_class_next_instance(HANDLE handle);

struct provider_settings;
/* enable_private.c: a private session enables or disables a provider, or asks for its state */
ULONG etw_enable_private(TRACEHANDLE session, const GUID *guid,
			 const struct provider_settings *settings);
/* After the end of a private session: its providers have no session any more */
void etw_leave_private(TRACEHANDLE session);

/*
 * Handles with ETW_HANDLE_PRIVATE, and sessions with
 * EVENT_TRACE_PRIVATE_LOGGER_MODE: private_*.c. All return Win32 codes.
 */
ULONG private_trace_event(TRACEHANDLE handle, EVENT_TRACE_HEADER *event);
ULONG private_trace_message(TRACEHANDLE handle, ULONG flags, const void *guid, USHORT number,
			    const struct etw_message_argument *arguments, uint32_t nr_arguments);
struct etw_event_names;
/* An event that the session wants; @event as for the module, without @index; @names may be NULL */
ULONG private_write_event(TRACEHANDLE handle, const struct etw_write_event *event,
			  const struct etw_event_names *names);
/* Names as UTF-8; the properties' fixed part is filled in as StartTrace does */
ULONG private_start(TRACEHANDLE *handle, const char *name, const char *file,
		    EVENT_TRACE_PROPERTIES *properties);
/*
 * By handle, or by name with handle 0; name and file: at least 1024 bytes each, out, or
 * NULL; UPDATE looks whether the file is another one. What a session enabled it leaves when it is stopped, so under no lock of ours.
 */
ULONG private_control(TRACEHANDLE handle, const char *wanted, EVENT_TRACE_PROPERTIES *properties,
		      char *name, char *file, ULONG code);

#endif /* LIBETW_H */
