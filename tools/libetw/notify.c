// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The thread that watches the provider node's page and calls control callbacks. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "event_provider.h"
#include "registration.h"

static const struct etw_provider_page *page;
/* The node that the page and the registrations belong to: another one after a fork */
static int node = -1;
static bool runs;
/* Of the node; a thread of another generation has nothing to do any more */
static uint32_t generation, epoch;

/* The kernel makes the sequence odd while it changes an entry. */
static TRACEHANDLE kernel_handle(uint32_t index)
{
	const struct etw_provider_state *state = &page->state[index];
	struct etw_provider_state now;
	uint32_t before, after;

	do {
		before = __atomic_load_n(&state->sequence, __ATOMIC_ACQUIRE);
		now.enabled = __atomic_load_n(&state->enabled, __ATOMIC_RELAXED);
		now.level = __atomic_load_n(&state->level, __ATOMIC_RELAXED);
		now.logger_id = __atomic_load_n(&state->logger_id, __ATOMIC_RELAXED);
		now.flags = __atomic_load_n(&state->flags, __ATOMIC_RELAXED);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		after = __atomic_load_n(&state->sequence, __ATOMIC_RELAXED);
	} while (before != after || (before & 1));
	return now.enabled ? etw_enable_handle(now.logger_id, now.level, now.flags) : 0;
}

static void call(const struct registration *registration, WMIDPREQUESTCODE code,
		 TRACEHANDLE handle)
{
	WNODE_HEADER header = {
		.BufferSize = sizeof(header), .HistoricalContext = handle,
		.Guid = registration->guid, .Flags = WNODE_FLAG_TRACED_GUID,
	};
	ULONG size = sizeof(header);

	registration->callback(code, registration->context, &size, &header);
}

static TRACEHANDLE wanted_handle(const struct registration *registration)
{
	if (registration->private_session)
		return registration->private_session;
	return registration->index == NO_INDEX ? 0 : kernel_handle(registration->index);
}

/* Another session: the one before it is left first. The callback may unregister. */
void notify_refresh(struct registration *registration)
{
	uint32_t generation = registration->generation;
	TRACEHANDLE before = registration->enabled_by;
	TRACEHANDLE handle = wanted_handle(registration);

	if (handle == before)
		return;
	registration->enabled_by = handle;
	if (before && !is_same_session(before, handle))
		call(registration, WMI_DISABLE_EVENTS, before);
	if (handle && registration->generation == generation && registration->enabled_by == handle)
		call(registration, WMI_ENABLE_EVENTS, handle);
}

static void refresh_all(void)
{
	uint32_t i;

	for (i = 0; i < MAX_REGISTRATIONS; i++)
		if (is_used(&registrations[i]))
			notify_refresh(&registrations[i]);
	event_providers_refresh();
}

static void start_over(void);

/* Under the lock. Return: whether this thread is to go on */
static bool look(uint32_t mine)
{
	uint32_t changes;

	if (mine != generation)
		return false;
	/* first: what changes from here on wakes us once more */
	changes = __atomic_load_n(&page->changes, __ATOMIC_ACQUIRE);
	if (epoch != etw_provider_epoch() ||
	    (ioctl(node, ETW_PROVIDER_ACK, (unsigned long)changes) &&
	     etw_provider_lost(node, errno)))
		start_over();
	refresh_all();
	return mine == generation;
}

/* Callbacks run under the lock, and one that ends the thread leaves it free. Return: as look() */
static bool look_locked(uint32_t mine)
{
	bool on;

	registrations_lock();
	pthread_cleanup_push(registrations_unlock, NULL);
	on = look(mine);
	pthread_cleanup_pop(1);
	return on;
}

static void watch_node(uint32_t mine)
{
	struct pollfd fd = { .events = POLLPRI };

	registrations_lock();
	fd.fd = node;
	registrations_unlock(NULL);
	/* first without poll(): a callback may have ended the thread before this one in its round */
	while (look_locked(mine) && !(fd.revents & (POLLNVAL | POLLERR | POLLHUP)))
		if (poll(&fd, 1, -1) < 0 && errno != EINTR)
			break;
}

static bool start_thread(void);

/* A callback called pthread_exit(). Without another thread, no callback would be called again. */
static void replace_thread(void *argument)
{
	registrations_lock();
	if ((uintptr_t)argument == generation)
		runs = start_thread();
	registrations_unlock(NULL);
}

static void *watch(void *argument)
{
	pthread_cleanup_push(replace_thread, argument);
	watch_node((uintptr_t)argument);
	pthread_cleanup_pop(0);
	return NULL;
}

/* Its signals are other threads' business. */
static bool start_thread(void)
{
	sigset_t all, before;
	pthread_t thread;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&thread, NULL, watch, (void *)(uintptr_t)generation);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!err)
		pthread_detach(thread);
	return !err;
}

/* Return: whether there is a page, and a thread that watches it */
static bool prepare(void)
{
	const void *mapped;

	if (node < 0) {
		epoch = etw_provider_epoch();
		node = etw_provider_fd();
	}
	if (node < 0)
		return false;
	if (!page) {
		mapped = mmap(NULL, sizeof(*page), PROT_READ, MAP_SHARED, node, 0);
		if (mapped == MAP_FAILED)
			return false;
		page = mapped;
	}
	if (!runs)
		runs = start_thread();
	return runs;
}

static uint32_t find_index(const GUID *guid)
{
	uint32_t i;

	for (i = 0; i < MAX_REGISTRATIONS; i++)
		if (is_used(&registrations[i]) && registrations[i].index != NO_INDEX &&
		    IsEqualGUID(&registrations[i].guid, guid))
			return registrations[i].index;
	return NO_INDEX;
}

/* Return: entry in the page, or NO_INDEX */
static uint32_t add(const GUID *guid)
{
	struct etw_provider_register argument = { .size = sizeof(argument) };

	memcpy(&argument.guid, guid, sizeof(*guid));
	if (ioctl(node, ETW_PROVIDER_REGISTER, &argument))
		return NO_INDEX;
	return argument.index < ETW_MAX_REGISTRATIONS ? argument.index : NO_INDEX;
}

static void drop_page(void)
{
	if (page)
		munmap((void *)page, sizeof(*page));
	page = NULL;
	node = -1;
	runs = false;
	generation++;
}

/* Return: false when the descriptor was lost on the way */
static bool register_all(void)
{
	uint32_t i, index;

	for (i = 0; i < MAX_REGISTRATIONS; i++)
		registrations[i].index = NO_INDEX;
	if (!prepare())
		return node < 0 || !etw_provider_lost(node, errno);
	for (i = 0; i < MAX_REGISTRATIONS; i++) {
		if (!is_used(&registrations[i]))
			continue;
		index = find_index(&registrations[i].guid);
		if (index == NO_INDEX)
			index = add(&registrations[i].guid);
		if (index == NO_INDEX && etw_provider_lost(node, errno))
			return false;
		registrations[i].index = index;
	}
	return true;
}

/*
 * The program closed our descriptor: registers everything again at another one. A program that
 * is still closing all descriptors may close that one, too: then it is tried again.
 */
static void start_over(void)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	int tries;

	for (tries = 0; tries < 100; tries++) {
		drop_page();
		if (register_all())
			return;
		nanosleep(&moment, NULL);
	}
}

/* Without the module, a program runs on, and no session can enable it. */
uint32_t notify_register(const GUID *guid)
{
	uint32_t index;
	int saved = errno;

	if (page && epoch != etw_provider_epoch())
		start_over();
	index = find_index(guid);
	if (index == NO_INDEX && prepare()) {
		index = add(guid);
		if (index == NO_INDEX && etw_provider_lost(node, errno)) {
			start_over();
			index = find_index(guid);
		}
	}
	errno = saved;
	return index;
}

void notify_watch(void)
{
	int saved = errno;

	if (page && epoch != etw_provider_epoch())
		start_over();
	prepare();
	errno = saved;
}

void notify_unregister(uint32_t index)
{
	struct etw_provider_unregister argument = { .size = sizeof(argument), .index = index };
	int saved = errno;

	if (node >= 0)
		ioctl(node, ETW_PROVIDER_UNREGISTER, &argument);
	errno = saved;
}

void notify_forget(void)
{
	drop_page();
}
