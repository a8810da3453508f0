// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* RegisterTraceGuids() and UnregisterTraceGuids(). */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "event_provider.h"
#include "registration.h"

#define MAX_CLASSES	4096u

struct registration registrations[MAX_REGISTRATIONS];
static pthread_mutex_t lock;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void init_lock(void)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
}

/* Also of one that is unused since a handler forked: for the child it stays so */
static void end_use(struct registration *registration)
{
	registration->generation = (registration->generation | 1) + 1;
}

/*
 * A child of fork() has none of its parent's registrations, and their handles are invalid in
 * it. Their classes stay, because the child may log what it was about to. What they take is not
 * freed, since this may be in a handler over free().
 */
static void forget_all(void)
{
	struct registration *registration;

	for (registration = registrations; registration < registrations + MAX_REGISTRATIONS;
	     registration++) {
		if (!is_used(registration))
			continue;
		registration->parents = registration->generation;
		end_use(registration);
		registration->nr_classes = 0;
		registration->classes = NULL;
	}
}

/* The thread that held the lock may be none of the child's. */
static void in_child(void)
{
	init_lock();
	forget_all();
	private_enabled_forget();
	notify_forget();
	event_providers_forget();
}

static void prepare(void)
{
	init_lock();
	pthread_atfork(NULL, NULL, in_child);
}

void registrations_lock(void)
{
	pthread_once(&once, prepare);
	pthread_mutex_lock(&lock);
}

void registrations_unlock(void *unused)
{
	(void)unused;
	pthread_mutex_unlock(&lock);
}

static TRACEHANDLE handle_of(const struct registration *registration)
{
	return (registration - registrations + 1) | (TRACEHANDLE)registration->generation << 32;
}

static struct registration *find(TRACEHANDLE handle)
{
	uint32_t index = (uint32_t)handle - 1;

	if (index >= MAX_REGISTRATIONS || !is_used(&registrations[index]) ||
	    handle_of(&registrations[index]) != handle)
		return NULL;
	return &registrations[index];
}

/* Of one that find() doesn't find */
static bool is_inherited(TRACEHANDLE handle)
{
	uint32_t index = (uint32_t)handle - 1, generation = handle >> 32;

	return index < MAX_REGISTRATIONS && generation & 1 &&
	       generation <= registrations[index].parents;
}

static struct registration *find_free(void)
{
	struct registration *registration = registrations;

	while (registration < registrations + MAX_REGISTRATIONS && is_used(registration))
		registration++;
	return registration < registrations + MAX_REGISTRATIONS ? registration : NULL;
}

static void drop(HANDLE *classes, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		etw_class_remove(classes[i]);
	free(classes);
}

static void drop_classes(struct registration *registration)
{
	drop(registration->classes, registration->nr_classes);
	registration->classes = NULL;
	registration->nr_classes = 0;
}

/* One entry of the caller's: its GUID in, the handle of the class out */
static ULONG add_class(HANDLE *class, TRACE_GUID_REGISTRATION *entry)
{
	TRACE_GUID_REGISTRATION given;
	GUID guid;
	int err = etw_copy_in(&given, entry, sizeof(given));

	if (!err && !given.Guid)
		return ERROR_INVALID_PARAMETER;
	if (!err)
		err = etw_copy_in(&guid, given.Guid, sizeof(guid));
	if (err)
		return etw_error(err);
	*class = etw_class_add(&guid);
	if (!*class)
		return ERROR_NO_SYSTEM_RESOURCES;
	return etw_error(etw_copy_out(&entry->RegHandle, class, sizeof(*class)));
}

/*
 * The registration has none of them before all are there: a child that is forked meanwhile,
 * by another thread or a handler, takes the place for a free one.
 */
static ULONG add_classes(struct registration *registration, TRACE_GUID_REGISTRATION *entries,
			 ULONG count)
{
	ULONG error = ERROR_SUCCESS;
	HANDLE *classes;
	ULONG i;

	registration->classes = NULL;
	registration->nr_classes = 0;

	if (!count)
		return ERROR_SUCCESS;
	if (!entries || count > MAX_CLASSES)
		return ERROR_INVALID_PARAMETER;
	classes = calloc(count, sizeof(*classes));
	if (!classes)
		return ERROR_NOT_ENOUGH_MEMORY;
	for (i = 0; !error && i < count; i++)
		error = add_class(&classes[i], &entries[i]);
	if (error) {
		drop(classes, i);
		return error;
	}
	registration->classes = classes;
	registration->nr_classes = count;
	return ERROR_SUCCESS;
}

/* Under the lock. If a session enabled the GUID already, the callback runs before this returns. */
static ULONG add(struct registration *registration, TRACEHANDLE *handle)
{
	TRACEHANDLE made;
	int err;

	registration->generation++;
	made = handle_of(registration);
	err = etw_copy_out(handle, &made, sizeof(made));
	if (err) {
		end_use(registration);
		return etw_error(err);
	}
	registration->enabled_by = 0;
	registration->private_session = private_enabled(&registration->guid);
	registration->index = NO_INDEX;
	registration->index = notify_register(&registration->guid);
	notify_refresh(registration);
	return ERROR_SUCCESS;
}

static ULONG register_guids(WMIDPREQUEST callback, void *context, LPCGUID guid, ULONG count,
			    TRACE_GUID_REGISTRATION *entries, TRACEHANDLE *handle)
{
	struct registration *registration = find_free();
	ULONG error;

	if (!registration)
		return ERROR_NO_SYSTEM_RESOURCES;
	error = etw_error(etw_copy_in(&registration->guid, guid, sizeof(*guid)));
	if (!error)
		error = add_classes(registration, entries, count);
	if (error)
		return error;
	registration->callback = callback;
	registration->context = context;
	error = add(registration, handle);
	if (error)
		drop_classes(registration);
	return error;
}

ULONG RegisterTraceGuidsA(WMIDPREQUEST callback, PVOID context, LPCGUID guid, ULONG count,
			  PTRACE_GUID_REGISTRATION entries, LPCSTR path, LPCSTR resource,
			  PTRACEHANDLE handle)
{
	ULONG error;
	int cancel;

	/* of no use to Windows either, since its XP */
	(void)path;
	(void)resource;
	if (!callback || !guid || !handle)
		return etw_result(ERROR_INVALID_PARAMETER);
	cancel = etw_cancel_disable();
	registrations_lock();
	pthread_cleanup_push(registrations_unlock, NULL);
	error = register_guids(callback, context, guid, count, entries, handle);
	pthread_cleanup_pop(1);
	etw_cancel_restore(cancel);
	return etw_result(error);
}

ULONG RegisterTraceGuidsW(WMIDPREQUEST callback, PVOID context, LPCGUID guid, ULONG count,
			  PTRACE_GUID_REGISTRATION entries, LPCWSTR path, LPCWSTR resource,
			  PTRACEHANDLE handle)
{
	(void)path;
	(void)resource;
	return RegisterTraceGuidsA(callback, context, guid, count, entries, NULL, NULL, handle);
}

/* Whether another registration has the same entry of the page */
static bool is_shared(const struct registration *registration)
{
	uint32_t i;

	for (i = 0; i < MAX_REGISTRATIONS; i++)
		if (is_used(&registrations[i]) && &registrations[i] != registration &&
		    registrations[i].index == registration->index)
			return true;
	return false;
}

/* On return its callback does not run and will not, but for the caller's own. */
ULONG UnregisterTraceGuids(TRACEHANDLE handle)
{
	struct registration *registration;
	ULONG error = ERROR_SUCCESS;
	int cancel = etw_cancel_disable();

	registrations_lock();
	registration = find(handle);
	if (registration) {
		if (registration->index != NO_INDEX && !is_shared(registration))
			notify_unregister(registration->index);
		drop_classes(registration);
		end_use(registration);
	} else {
		error = is_inherited(handle) ? ERROR_INVALID_HANDLE : ERROR_INVALID_PARAMETER;
	}
	registrations_unlock(NULL);
	etw_cancel_restore(cancel);
	return etw_result(error);
}
