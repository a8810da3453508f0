/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Providers that this process registered, and the notification of their callbacks. */
#ifndef LIBETW_REGISTRATION_H
#define LIBETW_REGISTRATION_H

#include "libetw.h"

struct private_wish;

#define MAX_REGISTRATIONS	ETW_MAX_REGISTRATIONS
#define NO_INDEX		0xFFFFFFFFu

/**
 * struct registration - what one RegisterTraceGuids() made
 * @generation: odd while in use
 * @parents: the last one that a parent of fork() used
 * @index: entry in the kernel's page, shared by registrations of one GUID; or
 *	NO_INDEX: the kernel doesn't know it
 * @guid: control GUID
 * @callback: control callback
 * @context: for it
 * @private_session: handle of a private session that enabled it; 0: none
 * @enabled_by: handle that the callback was last enabled with; 0: it is disabled
 * @nr_classes: entries of @classes
 * @classes: handles of its classes of events
 */
struct registration {
	uint32_t generation;
	uint32_t parents;
	uint32_t index;
	GUID guid;
	WMIDPREQUEST callback;
	void *context;
	TRACEHANDLE private_session;
	TRACEHANDLE enabled_by;
	uint32_t nr_classes;
	HANDLE *classes;
};

static inline bool is_used(const struct registration *registration)
{
	return registration->generation & 1;
}

/* Level and flags aside */
static inline bool is_same_session(TRACEHANDLE a, TRACEHANDLE b)
{
	return !((a ^ b) & (ETW_HANDLE_PRIVATE | 0xFFFF));
}

/*
 * One recursive lock for all of it. Callbacks run under it: a registration can't
 * go while its callback runs, and a callback may register and unregister. The lock is held with
 * cancellation disabled. A callback may end its thread by pthread_exit(), so registrations_unlock()
 * is a cleanup handler wherever callbacks run; its argument has no meaning.
 */
extern struct registration registrations[MAX_REGISTRATIONS];
void registrations_lock(void);
void registrations_unlock(void *unused);

/*
 * enable_private.c, under the lock. Handle of the private session that enabled the GUID, before it
 * was registered; 0: none
 */
TRACEHANDLE private_enabled(const GUID *guid);
/* The same for EventRegister(): the session and its events, or NULL */
const struct private_wish *private_wish(const GUID *guid);
/* A child of fork() has none of its parent's sessions */
void private_enabled_forget(void);

/* notify.c, under the lock. Return: entry in the page, or NO_INDEX */
uint32_t notify_register(const GUID *guid);
void notify_unregister(uint32_t index);
/* Registrations of EventRegister(): callbacks are called from now on */
void notify_watch(void);
/* Calls the callback if the enabling session changed since its last call */
void notify_refresh(struct registration *registration);
/* A child of fork(): the node and its thread are its parent's */
void notify_forget(void);

#endif /* LIBETW_REGISTRATION_H */
