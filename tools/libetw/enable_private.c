// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Providers that the process's own session enabled, whether they are registered yet or not. Declared
 * in registration.h and libetw.h.
 */
#include <stdlib.h>
#include <string.h>
#include "event_provider.h"
#include "registration.h"
#include "session.h"

/* As many as a program has providers that come late, and more */
#define MAX_ENABLED	256

/**
 * struct enabled - a provider that is enabled
 * @guid: control GUID
 * @session: handle that callbacks get; 0: this entry is free
 * @wish: the same for providers of EventRegister()
 */
static struct enabled {
	GUID guid;
	TRACEHANDLE session;
	struct private_wish wish;
} table[MAX_ENABLED];

/**
 * struct kept_names - a filter by name, kept because an event may be using it at any time
 * @next: in the list
 * @names: the filter
 * @size: bytes of @data
 * @data: as ENABLE takes it
 */
struct kept_names {
	struct kept_names *next;
	struct etw_event_names names;
	uint32_t size;
	uint8_t data[] __attribute__((aligned(8)));
};

/* A filter that is given again is found here, so the memory is bounded by what programs invent. */
static struct kept_names *all_kept;

/* @filter: checked. Return: NULL: memory is short */
static const struct etw_event_names *keep_names(const struct etw_event_filter *filter)
{
	const void *data = (const void *)(uintptr_t)filter->data;
	struct kept_names *kept;

	for (kept = all_kept; kept; kept = kept->next)
		if (kept->size == filter->size && !memcmp(kept->data, data, filter->size))
			return &kept->names;
	kept = malloc(sizeof(*kept) + filter->size);
	if (!kept)
		return NULL;
	memcpy(kept->data, data, filter->size);
	kept->size = filter->size;
	etw_event_names_take(&kept->names, kept->data, kept->size);
	kept->next = all_kept;
	all_kept = kept;
	return &kept->names;
}

static struct enabled *find(const GUID *guid)
{
	struct enabled *entry;

	for (entry = table; entry < table + MAX_ENABLED; entry++)
		if (entry->session && !memcmp(&entry->guid, guid, sizeof(*guid)))
			return entry;
	return NULL;
}

TRACEHANDLE private_enabled(const GUID *guid)
{
	const struct enabled *entry = find(guid);

	return entry ? entry->session : 0;
}

const struct private_wish *private_wish(const GUID *guid)
{
	const struct enabled *entry = find(guid);

	return entry ? &entry->wish : NULL;
}

void private_enabled_forget(void)
{
	memset(table, 0, sizeof(table));
}

static struct etw_event_mask mask_of(const struct provider_settings *settings)
{
	const struct etw_enable enable = {
		.level = settings->level, .match_any = settings->any, .match_all = settings->all,
		.properties = settings->properties,
	};

	return etw_event_mask_of(&enable);
}

/* Return: a Win32 code */
static ULONG remember(const GUID *guid, TRACEHANDLE session,
		      const struct provider_settings *settings)
{
	const struct etw_event_names *names = NULL;
	struct enabled *entry = find(guid);

	if (settings->nr_filters) {
		names = keep_names(settings->filter);
		if (!names)
			return ERROR_NOT_ENOUGH_MEMORY;
	}
	if (!entry)
		for (entry = table; entry < table + MAX_ENABLED && entry->session; entry++)
			;
	if (entry == table + MAX_ENABLED)
		return ERROR_NO_SYSTEM_RESOURCES;
	entry->guid = *guid;
	entry->session = session;
	entry->wish.session = session;
	entry->wish.mask = mask_of(settings);
	entry->wish.names = names;
	return ERROR_SUCCESS;
}

/* Return: whether it was */
static bool forget(const GUID *guid, TRACEHANDLE session)
{
	struct enabled *entry = find(guid);

	if (!entry || !is_same_session(entry->session, session))
		return false;
	entry->session = 0;
	return true;
}

/*
 * Calls the callbacks of the registered providers. A callback may enable or disable the GUID
 * itself, so the table is read for each provider; otherwise the next one would get a state that is
 * over.
 */
static void notify_providers(const GUID *guid)
{
	struct registration *registration;

	for (registration = registrations; registration < registrations + MAX_REGISTRATIONS;
	     registration++) {
		if (!is_used(registration) || memcmp(&registration->guid, guid, sizeof(*guid)))
			continue;
		registration->private_session = private_enabled(guid);
		notify_refresh(registration);
	}
	event_providers_enable(guid);
}

/* Under the lock */
static ULONG change(const GUID *guid, TRACEHANDLE handle, const struct provider_settings *settings)
{
	const struct enabled *entry = find(guid);
	ULONG error;

	if (settings->code == EVENT_CONTROL_CODE_ENABLE_PROVIDER) {
		error = remember(guid, handle, settings);
		if (!error)
			notify_providers(guid);
		return error;
	}
	if (settings->code == EVENT_CONTROL_CODE_CAPTURE_STATE) {
		if (!entry || !is_same_session(entry->session, handle))
			return ERROR_WMI_INSTANCE_NOT_FOUND;
		event_providers_capture(guid);
		return ERROR_SUCCESS;
	}
	if (!forget(guid, handle))
		return ERROR_WMI_INSTANCE_NOT_FOUND;
	notify_providers(guid);
	return ERROR_SUCCESS;
}

/**
 * etw_enable_private() - the process's own session enables a provider, or not
 * @session: its handle
 * @guid: control GUID
 * @settings: with at most one filter, by name
 *
 * Return: ERROR_WMI_INSTANCE_NOT_FOUND, as of the module's sessions, when nothing was
 * enabled that should be disabled, or asked for its state; ERROR_NO_SYSTEM_RESOURCES: too many are;
 * ERROR_NOT_ENOUGH_MEMORY.
 */
ULONG etw_enable_private(TRACEHANDLE session, const GUID *guid,
			 const struct provider_settings *settings)
{
	TRACEHANDLE handle = etw_enable_handle(session, settings->level, settings->any) |
			     ETW_HANDLE_PRIVATE;
	ULONG error;

	registrations_lock();
	pthread_cleanup_push(registrations_unlock, NULL);
	error = change(guid, handle, settings);
	pthread_cleanup_pop(1);
	return error;
}

/* A callback may enable something in its place */
static void leave(struct enabled *entry)
{
	const GUID guid = entry->guid;

	entry->session = 0;
	notify_providers(&guid);
}

/**
 * etw_leave_private() - a session of the process's own has ended
 * @session: its handle
 *
 * By now there may be another one, which keeps what it enabled.
 */
void etw_leave_private(TRACEHANDLE session)
{
	struct enabled *entry;

	registrations_lock();
	pthread_cleanup_push(registrations_unlock, NULL);
	for (entry = table; entry < table + MAX_ENABLED; entry++)
		if (entry->session && is_same_session(entry->session, session | ETW_HANDLE_PRIVATE))
			leave(entry);
	pthread_cleanup_pop(1);
}
