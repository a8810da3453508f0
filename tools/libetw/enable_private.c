// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Providers that the process's own session enabled, whether they are registered yet or not. Declared
 * in registration.h and libetw.h.
 */
#include <string.h>
#include "registration.h"

/* As many as a program has providers that come late, and more */
#define MAX_ENABLED	256

/**
 * struct enabled - a provider that is enabled
 * @guid: control GUID
 * @session: handle that callbacks get; 0: this entry is free
 */
static struct enabled {
	GUID guid;
	TRACEHANDLE session;
} table[MAX_ENABLED];

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

void private_enabled_forget(void)
{
	memset(table, 0, sizeof(table));
}

static bool remember(const GUID *guid, TRACEHANDLE session)
{
	struct enabled *entry = find(guid);

	if (!entry)
		for (entry = table; entry < table + MAX_ENABLED && entry->session; entry++)
			;
	if (entry == table + MAX_ENABLED)
		return false;
	entry->guid = *guid;
	entry->session = session;
	return true;
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

/* Calls the callbacks of the registered providers */
static void notify_providers(const GUID *guid, TRACEHANDLE session)
{
	struct registration *registration;

	for (registration = registrations; registration < registrations + MAX_REGISTRATIONS;
	     registration++) {
		if (!is_used(registration) || memcmp(&registration->guid, guid, sizeof(*guid)))
			continue;
		registration->private_session = session;
		notify_refresh(registration);
	}
}

/* Under the lock */
static ULONG change(const GUID *guid, bool enable, TRACEHANDLE handle)
{
	if (enable && !remember(guid, handle))
		return ERROR_NO_SYSTEM_RESOURCES;
	if (!enable && !forget(guid, handle))
		return ERROR_WMI_INSTANCE_NOT_FOUND;
	notify_providers(guid, enable ? handle : 0);
	return ERROR_SUCCESS;
}

/**
 * etw_enable_private() - the process's own session enables a provider, or not
 * @session: its handle
 * @guid: control GUID
 * @enable: it does
 * @level: for the callback
 * @flags: likewise
 *
 * Return: ERROR_WMI_INSTANCE_NOT_FOUND, as of the module's sessions, when nothing was
 * enabled that should be disabled; ERROR_NO_SYSTEM_RESOURCES: too many are.
 */
ULONG etw_enable_private(TRACEHANDLE session, const GUID *guid, bool enable, uint8_t level,
			 uint32_t flags)
{
	TRACEHANDLE handle = etw_enable_handle(session, level, flags) | ETW_HANDLE_PRIVATE;
	ULONG error;

	registrations_lock();
	pthread_cleanup_push(registrations_unlock, NULL);
	error = change(guid, enable, handle);
	pthread_cleanup_pop(1);
	return error;
}

/* A callback may enable something in its place */
static void leave(struct enabled *entry)
{
	const GUID guid = entry->guid;

	entry->session = 0;
	notify_providers(&guid, 0);
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
