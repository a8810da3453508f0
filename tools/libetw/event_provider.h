/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Registrations of EventRegister(), as events and the notification of callbacks use them. */
#ifndef LIBETW_EVENT_PROVIDER_H
#define LIBETW_EVENT_PROVIDER_H

#include "include/evntprov.h"
#include "libetw.h"
#include "record/event_names.h"
#include "record/event_record.h"

/**
 * struct provider_traits - a copy of a provider's traits
 * @size: bytes
 * @bytes: as given
 */
struct provider_traits {
	uint32_t size;
	uint8_t bytes[];
};

/**
 * struct private_wish - what the process's own session wants of a provider
 * @session: its handle; 0: there is none
 * @mask: its events
 * @names: of these, the ones that its filter by name keeps; or NULL. Never freed
 */
struct private_wish {
	TRACEHANDLE session;
	struct etw_event_mask mask;
	const struct etw_event_names *names;
};

/**
 * struct event_provider - a registration of EventRegister()
 * @generation: odd while in use
 * @users: events that are being written; while there are any, the slot is not used again
 * @attachment: the kernel's registration: epoch of the node << 32 | index + 1; without an
 *	index: the kernel has none
 * @guid: provider
 * @callback: enable callback, or NULL
 * @context: for @callback
 * @traits: NULL: none are set
 * @types: data descriptors have types
 * @own: NULL, or one of @wishes: the process's own session has enabled it
 * @wishes: the current one is not changed; another takes its place
 * @seen: what @callback knows; under the lock of the registrations
 *
 * Events read all but @seen without a lock.
 */
struct event_provider {
	uint32_t generation;
	uint32_t users;
	bool types;
	uint64_t attachment;
	GUID guid;
	PENABLECALLBACK callback;
	void *context;
	struct provider_traits *traits;
	const struct private_wish *own;
	struct private_wish wishes[2];
	struct etw_event_state seen;
};

/* event_provider.c's; here, because every event reads them */
extern struct event_provider event_providers[] __attribute__((visibility("hidden")));
/*
 * What the kernel shows of the registrations; set before the first attachment that has an index,
 * and always to the same address
 */
extern const struct etw_event_page *event_pages __attribute__((visibility("hidden")));

#define EVENT_WANTED	1	/* by sessions of the module */
#define EVENT_WANTED_OWN	2	/* by the process's own session */

/* Whether the slot of a handle still has the handle's registration */
static inline bool event_provider_is(const struct event_provider *provider, REGHANDLE handle)
{
	return __atomic_load_n(&provider->generation, __ATOMIC_SEQ_CST) == handle >> 32;
}

/* Context of all below: any thread, any signal handler. Return: NULL: no such registration */
static inline struct event_provider *event_provider_find(REGHANDLE handle)
{
	uint32_t index = (uint32_t)handle - 1;

	if (index >= ETW_MAX_REGISTRATIONS || !(handle >> 32 & 1) ||
	    !event_provider_is(&event_providers[index], handle))
		return NULL;
	return &event_providers[index];
}

/* Not below 0: in a child of fork() in a handler over an event, the count began again. */
static inline void event_provider_drop_user(struct event_provider *provider)
{
	uint32_t users = __atomic_load_n(&provider->users, __ATOMIC_RELAXED);

	while (users && !__atomic_compare_exchange_n(&provider->users, &users, users - 1, false,
						     __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		;
}

/*
 * Keeps the slot of a registration that event_provider_find() found, because another thread may end
 * the registration and begin one of another provider; otherwise the event would use freed traits,
 * or register the GUID for the new one.
 *
 * find_free() reads the users of a slot with a generation that is over; this function reads the
 * generation of a slot that has a user. In the one order of all four, at least one of both sees
 * the other.
 *
 * Return: false: the registration has ended, and the slot is not kept
 */
static inline bool event_provider_keep(struct event_provider *provider, REGHANDLE handle)
{
	__atomic_add_fetch(&provider->users, 1, __ATOMIC_SEQ_CST);
	if (__builtin_expect(event_provider_is(provider, handle), 1))
		return true;
	event_provider_drop_user(provider);
	return false;
}

/* Also of what an event has registered after the end of the registration */
void event_provider_end_attachment(struct event_provider *provider);

/* The registration may have ended before an event registered it in the kernel. */
static inline void event_provider_put(struct event_provider *provider, REGHANDLE handle)
{
	if (__builtin_expect(!event_provider_is(provider, handle), 0))
		event_provider_end_attachment(provider);
	event_provider_drop_user(provider);
}

/* Registers it. Return: as event_provider_attachment() */
uint64_t event_provider_attach(struct event_provider *provider);

/* Registers it if need be. Return: @attachment; the caller has event_provider_keep() */
static inline uint64_t event_provider_attachment(struct event_provider *provider)
{
	uint64_t attachment = __atomic_load_n(&provider->attachment, __ATOMIC_ACQUIRE);

	if (__builtin_expect(attachment >> 32 == etw_provider_epoch(), 1))
		return attachment;
	return event_provider_attach(provider);
}

/*
 * The fields change one by one. An event that was wanted before and after a change passes, and
 * the kernel decides for each session.
 */
static inline bool event_state_has(const struct etw_event_state *state, uint8_t level,
				   uint64_t keyword)
{
	if (level > __atomic_load_n(&state->level, __ATOMIC_RELAXED))
		return false;
	if (!keyword)
		return __atomic_load_n(&state->keyword_0, __ATOMIC_RELAXED);
	return (keyword & __atomic_load_n(&state->match_any, __ATOMIC_RELAXED)) &&
	       !(__atomic_load_n(&state->match_all, __ATOMIC_RELAXED) & ~keyword);
}

static inline int event_provider_wanted_at(const struct event_provider *provider,
					   uint64_t attachment, uint8_t level, uint64_t keyword)
{
	const struct private_wish *own = __atomic_load_n(&provider->own, __ATOMIC_ACQUIRE);
	const struct etw_event_page *page = __atomic_load_n(&event_pages, __ATOMIC_RELAXED);
	int by = 0;

	if ((uint32_t)attachment &&
	    event_state_has(&page->state[(uint32_t)attachment - 1], level, keyword))
		by = EVENT_WANTED;
	if (__builtin_expect(own != NULL, 0) && etw_event_mask_has(&own->mask, level, keyword))
		by |= EVENT_WANTED_OWN;
	return by;
}

/*
 * Registers the provider first. @attachment: out: as of event_provider_choose(). Return: as
 * event_provider_wanted()
 */
int event_provider_attach_wanted(REGHANDLE handle, uint8_t level, uint64_t keyword,
				 uint64_t *attachment);

/*
 * As event_provider_wanted(). @provider: out: NULL: no such registration. @attachment: out: the
 * registration in the kernel that decided; only if it is wanted
 */
static inline __attribute__((always_inline)) int
event_provider_choose(REGHANDLE handle, uint8_t level, uint64_t keyword,
		      struct event_provider **provider, uint64_t *attachment)
{
	uint64_t now;
	int by;

	*provider = event_provider_find(handle);
	if (!*provider)
		return -1;
	*attachment = __atomic_load_n(&(*provider)->attachment, __ATOMIC_ACQUIRE);
	if (__builtin_expect(*attachment >> 32 == etw_provider_epoch(), 1))
		return event_provider_wanted_at(*provider, *attachment, level, keyword);
	by = event_provider_attach_wanted(handle, level, keyword, &now);
	*attachment = now;
	return by;
}

/*
 * Which sessions want such an event; registers the provider first, where this process has not
 * yet. An event that no session wants changes no memory: only one that registers becomes a user.
 *
 * Return: EVENT_WANTED*; 0: none; -1: no such registration
 */
static inline __attribute__((always_inline)) int event_provider_wanted(REGHANDLE handle,
								       uint8_t level,
								       uint64_t keyword)
{
	struct event_provider *provider;
	uint64_t attachment;

	return event_provider_choose(handle, level, keyword, &provider, &attachment);
}

/* event_call.c: WRITE_EVENT. Return: 0 or an errno; errno itself is left alone */
int event_call(int fd, struct etw_write_event *event);

/* The kernel does not know the index any more: the next event registers it again. */
void event_provider_detach(struct event_provider *provider, uint64_t attachment);

/* notify.c's thread, under the lock: the node is another one, or its page has changed */
void event_providers_refresh(void);
/* Under the lock: what the process's own session wants of a provider has changed */
void event_providers_enable(const GUID *guid);
/* Under the lock: calls the callbacks */
void event_providers_capture(const GUID *guid);
/* A child of fork(): what is mapped shows its parent's registrations */
void event_providers_forget(void);

#endif /* LIBETW_EVENT_PROVIDER_H */
