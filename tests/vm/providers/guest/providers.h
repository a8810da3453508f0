/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A program that registers providers: its page, and what others do to it. */
#ifndef ETW_TEST_PROVIDERS_H
#define ETW_TEST_PROVIDERS_H

#include <poll.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "etw_provider.h"
#include "tests/lib/guest/provider_session.h"
#include "tests/lib/guest/result.h"

#define PROVIDER	"/dev/etw/provider"
#define GUID(n)		((struct etw_guid){ .data1 = (n) })

static int control;

static inline int open_provider(void)
{
	int fd = open(PROVIDER, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		die(PROVIDER);
	return fd;
}

static inline const volatile struct etw_provider_page *map_page(int fd)
{
	void *page = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED)
		die("mmap()");
	return page;
}

/* Returns the index, or -1 and errno */
static inline int enroll(int fd, __u32 n)
{
	struct etw_provider_register r = { .size = sizeof(r), .guid = GUID(n) };

	return ioctl(fd, ETW_PROVIDER_REGISTER, &r) ? -1 : (int)r.index;
}

static inline int leave(int fd, __u32 index)
{
	struct etw_provider_unregister u = { .size = sizeof(u), .index = index };

	return ioctl(fd, ETW_PROVIDER_UNREGISTER, &u) ? errno : 0;
}

/* As a program has to read it: whole, or once more */
static inline struct etw_provider_state read_state(const volatile struct etw_provider_page *page,
						   int index)
{
	struct etw_provider_state state;

	while (!read_entry(&page->state[index], &state))
		;
	return state;
}

/* @session: 0: no listener */
static inline int is_state(const volatile struct etw_provider_page *page, int index, int session,
			   __u32 level, __u32 flags)
{
	struct etw_provider_state state = read_state(page, index);

	return state.registered == 1 && state.enabled == !!session &&
	       state.logger_id == session && state.level == level && state.flags == flags;
}

static inline int new_session(const char *name)
{
	struct wanted wanted = {
		.name = name, .buffer_kb = 4, .buffers = 8, .uid = -1,
		.mode = EVENT_TRACE_BUFFERING_MODE,
	};
	int id = session_start(control, &wanted);

	if (id < 0)
		die("START");
	return id;
}

/* Entries of PROVIDERS; returns how many there are. */
static inline int list_providers(struct etw_provider_info *info, __u32 room)
{
	struct etw_providers providers = {
		.size = sizeof(providers), .count = room, .providers = (unsigned long)info,
		.entry_size = sizeof(*info),
	};

	return ioctl(control, ETW_IOC_PROVIDERS, &providers) ? -1 : (int)providers.count;
}

static inline int changed(int fd, int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLPRI };

	return poll(&p, 1, ms) == 1 && p.revents == POLLPRI;
}

#endif /* ETW_TEST_PROVIDERS_H */
