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

/* Context of all below: any thread, any signal handler. Return: NULL: no such registration */
struct event_provider *event_provider_find(REGHANDLE handle);
/*
 * Keeps the slot, because another thread may end the registration and begin one of another
 * provider; otherwise the event would use freed traits, or register the GUID for the new one.
 */
struct event_provider *event_provider_get(REGHANDLE handle);
void event_provider_put(struct event_provider *provider, REGHANDLE handle);
#define EVENT_WANTED	1	/* by sessions of the module */
#define EVENT_WANTED_OWN	2	/* by the process's own session */
/*
 * Which sessions want such an event; registers the provider first, where this process has not
 * yet. Return: EVENT_WANTED*; 0: none; -1: no such registration
 */
int event_provider_wanted(REGHANDLE handle, uint8_t level, uint64_t keyword);
/* Registers it if need be. Return: @attachment; the caller has event_provider_get() */
uint64_t event_provider_attachment(struct event_provider *provider);

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
