// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A 32-bit program that writes events: no libc, system calls by int 0x80. */
#include <stddef.h>
#include <asm/unistd_32.h>
#include "uapi/etw_provider.h"
#include "compat32.h"

/*
 * compat32 LOGGER-ID PART: header, message (sizes and offsets), messages, pointer,
 * events, keywords.
 * The exit status says what went wrong.
 */

#define O_RDWR	2

static const __u8 guid[16] = COMPAT_GUID;

static long call3(long number, long a, long b, long c)
{
	long result;

	__asm__ volatile("int $0x80" : "=a" (result)
			 : "0" (number), "b" (a), "c" (b), "d" (c) : "memory");
	return result;
}

static void leave(int status)
{
	for (;;)
		call3(__NR_exit, status, 0, 0);
}

/* gcc may want both */
void *memcpy(void *to, const void *from, size_t size)
{
	char *t = to;
	const char *f = from;

	while (size--)
		*t++ = *f++;
	return to;
}

void *memset(void *to, int value, size_t size)
{
	volatile char *t = to;

	while (size--)
		*t++ = value;
	return to;
}

static __u64 address(const void *p)
{
	return (unsigned long)p;
}

static int ioctl(int fd, unsigned long command, const void *arg)
{
	return call3(__NR_ioctl, fd, command, (long)arg);
}

static int check_header(void)
{
	return sizeof(struct event_trace_header) == 0x30 &&
	       offsetof(struct event_trace_header, thread_id) == 0x08 &&
	       offsetof(struct event_trace_header, time_stamp) == 0x10 &&
	       offsetof(struct event_trace_header, guid) == 0x18 &&
	       offsetof(struct event_trace_header, flags) == 0x2C &&
	       sizeof(struct mof_field) == 0x10 ? 0 : 10;
}

static int check_message(void)
{
	return sizeof(struct message_trace_header) == 8 &&
	       offsetof(struct message_trace_header, message_number) == 4 &&
	       offsetof(struct message_trace_header, option_flags) == 6 ? 0 : 11;
}

static int write_messages(int fd, __u64 handle)
{
	static const char data[] = COMPAT_DATA;
	struct etw_message_argument argument = { .data = address(data) };
	struct etw_trace_message m = {
		.size = sizeof(m), .session_handle = handle, .message_guid = address(guid),
		.arguments = address(&argument), .nr_arguments = 1,
	};

	for (m.message_flags = 0; m.message_flags < 64; m.message_flags++) {
		m.message_number = COMPAT_NUMBER + m.message_flags;
		argument.length = m.message_flags % sizeof(data);
		if (ioctl(fd, ETW_PROVIDER_TRACE_MESSAGE, &m))
			return 20;
	}
	return 0;
}

static int write_pointer(int fd, __u64 handle)
{
	static const __u32 values[2] = { COMPAT_POINTER, COMPAT_VALUE };
	struct etw_message_argument argument = { address(values), sizeof(values) };
	struct etw_trace_message m = {
		.size = sizeof(m), .session_handle = handle, .message_guid = address(guid),
		.message_flags = TRACE_MESSAGE_GUID, .arguments = address(&argument),
		.nr_arguments = 1, .message_number = COMPAT_POINTER_NUMBER,
	};

	return ioctl(fd, ETW_PROVIDER_TRACE_MESSAGE, &m) ? 21 : 0;
}

static struct {
	struct event_trace_header header;
	__u8 data[0x40];
} event;

/* All of it anew: the last call left a handle there */
static void prepare(int number, __u32 flags, const void *data, __u32 size)
{
	memset(&event, 0, sizeof(event));
	event.header.size = sizeof(event.header) + size;
	event.header.type = number;
	event.header.level = 0x20;
	event.header.version = 3;
	memcpy(&event.header.guid, guid, sizeof(guid));
	event.header.flags = flags;
	memcpy(event.data, data, size);
}

static int write_events(int fd, __u64 handle)
{
	static const char data[] = COMPAT_DATA;
	struct mof_field fields[2] = {
		{ .data_ptr = address(data), .length = 5 },
		{ .data_ptr = address(data + 5), .length = COMPAT_DATA_SIZE - 5 },
	};
	struct etw_trace_event t = {
		.size = sizeof(t), .session_handle = handle, .event = address(&event),
	};

	prepare(COMPAT_PLAIN, 0, data, COMPAT_DATA_SIZE);
	if (ioctl(fd, ETW_PROVIDER_TRACE_EVENT, &t))
		return 30;
	prepare(COMPAT_MOF, WNODE_FLAG_USE_MOF_PTR, fields, sizeof(fields));
	if (ioctl(fd, ETW_PROVIDER_TRACE_EVENT, &t))
		return 31;
	prepare(COMPAT_GUID_PTR, WNODE_FLAG_USE_GUID_PTR, data, COMPAT_DATA_SIZE);
	event.header.guid_ptr = address(guid);
	if (ioctl(fd, ETW_PROVIDER_TRACE_EVENT, &t))
		return 32;
	prepare(COMPAT_INSTANCE, 0, COMPAT_INSTANCE_PART, 0x18);
	memcpy(event.data + 0x18, data, COMPAT_DATA_SIZE);
	event.header.size += COMPAT_DATA_SIZE;
	t.flags = ETW_TRACE_INSTANCE;
	if (ioctl(fd, ETW_PROVIDER_TRACE_EVENT, &t))
		return 33;
	prepare(COMPAT_WRITE, 0, data, COMPAT_DATA_SIZE);
	memcpy(&event.header.thread_id, &handle, sizeof(handle));
	return call3(__NR_write, fd, (long)&event, event.header.size) == event.header.size ? 0 :
	       34;
}

/* To all sessions that enabled its provider */
static int write_keywords(int fd)
{
	static const char data[] = COMPAT_DATA;
	struct etw_provider_register r = { .size = sizeof(r) };
	struct etw_event_data pieces[2] = {
		{ .data = address(data), .size = 5 },
		{ .data = address(data + 5), .size = COMPAT_DATA_SIZE - 5 },
	};
	struct etw_write_event w = {
		.size = sizeof(w), .nr_data = 2, .data = address(pieces),
		.descriptor = { .level = 2, .keyword = 4 },
	};

	memcpy(&r.guid, guid, sizeof(guid));
	memcpy(&w.provider, guid, sizeof(guid));
	if (ioctl(fd, ETW_PROVIDER_REGISTER, &r))
		return 40;
	w.index = r.index;
	return ioctl(fd, ETW_PROVIDER_WRITE_EVENT, &w) ? 41 : 0;
}

static int is(const char *word, const char *other)
{
	while (*word && *word == *other) {
		word++;
		other++;
	}
	return *word == *other;
}

__attribute__((used)) static void begin(long *stack)
{
	const char *const *argv = (const char *const *)(stack + 1);
	const char *digit;
	__u32 id = 0;
	int fd;

	if (stack[0] != 3)
		leave(2);
	for (digit = argv[1]; *digit; digit++)
		id = 10 * id + *digit - '0';
	fd = call3(__NR_open, (long)"/dev/etw/provider", O_RDWR, 0);
	if (fd < 0)
		leave(3);
	if (is(argv[2], "header"))
		leave(check_header());
	if (is(argv[2], "message"))
		leave(check_message());
	if (is(argv[2], "messages"))
		leave(write_messages(fd, id));
	if (is(argv[2], "pointer"))
		leave(write_pointer(fd, id));
	if (is(argv[2], "events"))
		leave(write_events(fd, id));
	if (is(argv[2], "keywords"))
		leave(write_keywords(fd));
	leave(4);
}

__asm__(".globl _start\n_start:\n\tmovl %esp, %eax\n\tpushl %eax\n\tcall begin\n");
