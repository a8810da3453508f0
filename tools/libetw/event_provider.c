// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* EventRegister() and EventUnregister(). */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include "event_page.h"
#include "event_provider.h"
#include "registration.h"

/* No epoch of the node has this number before 4 billion others. */
#define DETACHED	(0xFFFFFFFFULL << 32)

struct event_provider event_providers[MAX_REGISTRATIONS];
#define PROVIDERS_END	(event_providers + MAX_REGISTRATIONS)
#define for_each_provider(provider)	\
	for (provider = event_providers; provider < PROVIDERS_END; provider++)

/*
 * The kernel's pages are mapped within this area. So their address never changes, and no event
 * reads memory that is not there, also while another thread maps the pages of another node.
 */
static uint8_t area[EVENT_AREA_SIZE] __attribute__((aligned(EVENT_PAGE_LEAST)));
/* In the area */
const struct etw_event_page *event_pages;
static uint32_t mapped_epoch = 0xFFFFFFFF;

static REGHANDLE handle_of(const struct event_provider *provider)
{
	return (provider - event_providers + 1) | (REGHANDLE)provider->generation << 32;
}

/* Two threads may do so at once: both map the same pages. */
static bool map_pages(int fd, uint32_t epoch)
{
	void *place;

	if (__atomic_load_n(&mapped_epoch, __ATOMIC_ACQUIRE) == epoch)
		return true;
	place = event_page_map(area, fd);
	if (place == MAP_FAILED)
		return false;
	__atomic_store_n(&event_pages, place, __ATOMIC_RELEASE);
	__atomic_store_n(&mapped_epoch, epoch, __ATOMIC_RELEASE);
	return true;
}

/* Zeros in place of the pages: no event is enabled. It closes the node that they belong to. */
void event_providers_forget(void)
{
	struct event_provider *provider;

	/* of threads that the child does not have */
	for_each_provider(provider) {
		provider->users = 0;
		provider->own = NULL;
	}
	if (mapped_epoch == 0xFFFFFFFF)
		return;
	mmap((void *)event_pages, event_page_bytes(sysconf(_SC_PAGESIZE)), PROT_READ | PROT_WRITE,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	mapped_epoch = 0xFFFFFFFF;
}

static void unregister(int fd, uint32_t index)
{
	struct etw_provider_unregister argument = { .size = sizeof(argument), .index = index };

	ioctl(fd, ETW_PROVIDER_UNREGISTER, &argument);
}

/* Return: index + 1, or a negative errno; if the node was lost, its epoch is over */
static int64_t register_at(const struct event_provider *provider, int fd, uint32_t epoch)
{
	struct etw_provider_register argument = { .size = sizeof(argument) };
	int err;

	if (fd < 0)
		return fd;
	memcpy(&argument.guid, &provider->guid, sizeof(argument.guid));
	if (map_pages(fd, epoch) && !ioctl(fd, ETW_PROVIDER_REGISTER, &argument))
		return argument.index + 1LL;
	err = errno;
	etw_provider_lost(fd, err);
	return -err;
}

/* As register_at(), at a node that is still the current one; its epoch is in @epoch. */
static int64_t register_now(const struct event_provider *provider, int *fd, uint32_t *epoch)
{
	int64_t index;
	int tries;

	for (tries = 0; tries < 3; tries++) {
		*epoch = etw_provider_epoch();
		*fd = etw_provider_fd();
		index = register_at(provider, *fd, *epoch);
		if (etw_provider_epoch() == *epoch)
			return index;
		if (index > 0)
			unregister(*fd, index - 1);
	}
	return -EBADF;
}

/*
 * Without a lock, because this may run in a signal handler: of two that register at once, the
 * first one wins. If the kernel refuses, it is tried again only with another node.
 * Return: 0 or a negative errno
 */
static int attach(struct event_provider *provider)
{
	uint64_t before = __atomic_load_n(&provider->attachment, __ATOMIC_ACQUIRE), now;
	int saved = errno, fd;
	uint32_t epoch;
	int64_t index = register_now(provider, &fd, &epoch);

	now = (uint64_t)epoch << 32 | (index > 0 ? index : 0);
	if (!__atomic_compare_exchange_n(&provider->attachment, &before, now, false,
					 __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE) && index > 0)
		unregister(fd, index - 1);
	errno = saved;
	return index < 0 ? index : 0;
}

void event_provider_end_attachment(struct event_provider *provider)
{
	uint64_t attachment = __atomic_exchange_n(&provider->attachment, DETACHED,
						  __ATOMIC_SEQ_CST);
	int saved = errno;

	if ((uint32_t)attachment && attachment >> 32 == etw_provider_epoch())
		unregister(etw_provider_fd(), (uint32_t)attachment - 1);
	errno = saved;
}

uint64_t event_provider_attach(struct event_provider *provider)
{
	attach(provider);
	return __atomic_load_n(&provider->attachment, __ATOMIC_ACQUIRE);
}

static const struct etw_event_state *state_of(uint64_t attachment)
{
	static const struct etw_event_state none;
	const struct etw_event_page *at = __atomic_load_n(&event_pages, __ATOMIC_RELAXED);

	return (uint32_t)attachment ? &at->state[(uint32_t)attachment - 1] : &none;
}

int event_provider_attach_wanted(REGHANDLE handle, uint8_t level, uint64_t keyword,
				 uint64_t *attachment)
{
	struct event_provider *provider = event_provider_find(handle);
	int by;

	*attachment = 0;
	if (!provider || !event_provider_keep(provider, handle))
		return -1;
	*attachment = event_provider_attachment(provider);
	by = event_provider_wanted_at(provider, *attachment, level, keyword);
	event_provider_put(provider, handle);
	return by;
}

void event_provider_detach(struct event_provider *provider, uint64_t attachment)
{
	__atomic_compare_exchange_n(&provider->attachment, &attachment, DETACHED, false,
				    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/*
 * The kernel makes the sequence odd while it changes an entry. The process's own session is added
 * as the kernel adds its own.
 */
static struct etw_event_state read_state(struct event_provider *provider)
{
	const struct etw_event_state *state = state_of(event_provider_attachment(provider));
	struct etw_event_state now = { };
	uint32_t before, after;

	do {
		before = __atomic_load_n(&state->sequence, __ATOMIC_ACQUIRE);
		now.match_any = __atomic_load_n(&state->match_any, __ATOMIC_RELAXED);
		now.match_all = __atomic_load_n(&state->match_all, __ATOMIC_RELAXED);
		now.captures = __atomic_load_n(&state->captures, __ATOMIC_RELAXED);
		now.level = __atomic_load_n(&state->level, __ATOMIC_RELAXED);
		now.sessions = __atomic_load_n(&state->sessions, __ATOMIC_RELAXED);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		after = __atomic_load_n(&state->sequence, __ATOMIC_RELAXED);
	} while (before != after || (before & 1));
	if (provider->own)
		etw_event_state_add(&now, &provider->own->mask);
	return now;
}

static bool is_same(const struct etw_event_state *a, const struct etw_event_state *b)
{
	return a->match_any == b->match_any && a->match_all == b->match_all &&
	       a->level == b->level && a->sessions == b->sessions;
}

static void call(const struct event_provider *provider, ULONG code,
		 const struct etw_event_state *state)
{
	static const GUID no_source;

	provider->callback(&no_source, code, state->level, state->match_any, state->match_all,
			   NULL, provider->context);
}

/* The callback may unregister. */
static void refresh(struct event_provider *provider)
{
	const struct etw_event_state now = read_state(provider), before = provider->seen;
	uint32_t generation = provider->generation;

	provider->seen = now;
	if (!provider->callback)
		return;
	if (!is_same(&now, &before))
		call(provider, now.sessions ? EVENT_CONTROL_CODE_ENABLE_PROVIDER :
					      EVENT_CONTROL_CODE_DISABLE_PROVIDER, &now);
	/* fewer: the kernel has forgotten the GUID meanwhile, and counts from 0 again */
	if ((int32_t)(now.captures - before.captures) > 0 && now.sessions &&
	    provider->generation == generation)
		call(provider, EVENT_CONTROL_CODE_CAPTURE_STATE, &now);
}

void event_providers_refresh(void)
{
	struct event_provider *provider;

	for_each_provider(provider)
		if (provider->generation & 1)
			refresh(provider);
}

/* An event that is being written may still read the wish before, which the next change replaces. */
static void set_own(struct event_provider *provider, const struct private_wish *wish)
{
	struct private_wish *next = &provider->wishes[provider->own == provider->wishes];

	if (wish)
		*next = *wish;
	__atomic_store_n(&provider->own, wish ? next : NULL, __ATOMIC_RELEASE);
}

static bool is_of(const struct event_provider *provider, const GUID *guid)
{
	return (provider->generation & 1) && IsEqualGUID(&provider->guid, guid);
}

void event_providers_enable(const GUID *guid)
{
	struct event_provider *provider;

	for_each_provider(provider) {
		if (!is_of(provider, guid))
			continue;
		set_own(provider, private_wish(guid));
		refresh(provider);
	}
}

void event_providers_capture(const GUID *guid)
{
	struct event_provider *provider;
	struct etw_event_state now;

	for_each_provider(provider) {
		if (!is_of(provider, guid) || !provider->callback)
			continue;
		now = read_state(provider);
		call(provider, EVENT_CONTROL_CODE_CAPTURE_STATE, &now);
	}
}

static struct event_provider *find_free(void)
{
	struct event_provider *provider = event_providers;

	while (provider < PROVIDERS_END &&
	       ((provider->generation & 1) ||
		__atomic_load_n(&provider->users, __ATOMIC_SEQ_CST)))
		provider++;
	return provider < PROVIDERS_END ? provider : NULL;
}

/* Its traits stay until the slot is used again: an event may be reading them. */
static void end_use(struct event_provider *provider)
{
	__atomic_store_n(&provider->generation, provider->generation + 1, __ATOMIC_SEQ_CST);
	event_provider_end_attachment(provider);
}

/* Without the module, and without the right to use it, the program runs on without events. */
static bool is_refused(int err)
{
	return err == -ENOSPC || err == -EDQUOT || err == -ENOMEM || err == -EMFILE ||
	       err == -ENFILE;
}

/* Under the lock. If a session enabled the GUID already, the callback runs before this returns. */
static ULONG add(struct event_provider *provider, const struct event_provider *given,
		 REGHANDLE *handle)
{
	REGHANDLE made;
	int err;

	event_provider_end_attachment(provider);
	free(provider->traits);
	provider->traits = NULL;
	provider->guid = given->guid;
	provider->callback = given->callback;
	provider->context = given->context;
	provider->types = false;
	provider->seen = (struct etw_event_state){ };
	set_own(provider, private_wish(&provider->guid));
	notify_watch();
	err = attach(provider);
	if (is_refused(err)) {
		event_provider_end_attachment(provider);
		return etw_error(err);
	}
	provider->seen.captures = read_state(provider).captures;
	__atomic_store_n(&provider->generation, provider->generation + 1, __ATOMIC_RELEASE);
	made = handle_of(provider);
	err = etw_copy_out(handle, &made, sizeof(made));
	if (err) {
		end_use(provider);
		return etw_error(err);
	}
	refresh(provider);
	return ERROR_SUCCESS;
}

static ULONG add_to_free(const struct event_provider *given, REGHANDLE *handle)
{
	struct event_provider *provider = find_free();

	return provider ? add(provider, given, handle) : ERROR_NO_SYSTEM_RESOURCES;
}

static ULONG add_locked(const struct event_provider *given, REGHANDLE *handle)
{
	ULONG error;

	registrations_lock();
	pthread_cleanup_push(registrations_unlock, NULL);
	error = add_to_free(given, handle);
	pthread_cleanup_pop(1);
	return error;
}

/**
 * EventRegister() - registers a provider of events with keywords
 * @ProviderId: the provider
 * @EnableCallback: called when sessions enable or disable the provider; NULL: not called
 * @CallbackContext: for the callback
 * @RegHandle: out: for EventWrite() and the like
 *
 * Return: ERROR_INVALID_PARAMETER; ERROR_NOACCESS; ERROR_NO_SYSTEM_RESOURCES: 255 are registered,
 * also by RegisterTraceGuids(); ERROR_NOT_ENOUGH_QUOTA: the user has too many registrations;
 * ERROR_NOT_ENOUGH_MEMORY; ERROR_TOO_MANY_OPEN_FILES.
 */
ULONG EventRegister(LPCGUID ProviderId, PENABLECALLBACK EnableCallback, PVOID CallbackContext,
		    PREGHANDLE RegHandle)
{
	struct event_provider given = { .callback = EnableCallback, .context = CallbackContext };
	ULONG error;
	int cancel;

	if (!ProviderId || !RegHandle)
		return etw_result(ERROR_INVALID_PARAMETER);
	cancel = etw_cancel_disable();
	error = etw_error(etw_copy_in(&given.guid, ProviderId, sizeof(given.guid)));
	if (!error)
		error = add_locked(&given, RegHandle);
	etw_cancel_restore(cancel);
	return etw_result(error);
}

/**
 * EventUnregister() - ends a registration
 * @RegHandle: of EventRegister()
 *
 * On return its callback does not run and will not, except for the caller's own.
 *
 * Return: ERROR_INVALID_HANDLE.
 */
ULONG EventUnregister(REGHANDLE RegHandle)
{
	struct event_provider *provider;
	int cancel = etw_cancel_disable();

	registrations_lock();
	provider = event_provider_find(RegHandle);
	if (provider)
		end_use(provider);
	registrations_unlock(NULL);
	etw_cancel_restore(cancel);
	return etw_result(provider ? ERROR_SUCCESS : ERROR_INVALID_HANDLE);
}
