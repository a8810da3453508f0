// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Rate limits: one account per user and session, shared by all open files. */
#include <linux/atomic.h>
#include <linux/hashtable.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>
#include "etw_abi.h"
#include "etw_provider.h"
#include "ring/clock.h"
#include "accounts.h"
#include "rate.h"

/**
 * struct etw_user - account of a user that has, or recently had, the provider node open
 * @node: in the table of users
 * @uid: the user
 * @files: number of open files; under users_lock
 * @registrations: of all files; at most ETW_MAX_USER_REGISTRATIONS; under etw_providers_lock
 * @due: per logger: see etw_rate_next()
 *
 * It stays until everything is paid for, so a user can't escape the limit by closing
 * all files and opening another one.
 */
struct etw_user {
	struct hlist_node node;
	kuid_t uid;
	u32 files;
	u32 registrations;
	atomic64_t due[ETW_MAX_LOGGERS];
};

static DEFINE_MUTEX(users_lock);	/* the table and its users; innermost */
static DEFINE_HASHTABLE(users, 8);

static bool is_done(const struct etw_user *user, u64 now)
{
	u32 i;

	if (user->files)
		return false;
	for (i = 0; i < ETW_MAX_LOGGERS; i++)
		if (atomic64_read(&user->due[i]) > now)
			return false;
	return true;
}

/* Finds the user, and frees accounts in the same hash bucket that are not needed any more. */
static struct etw_user *find(kuid_t uid)
{
	u64 now = etw_clock_fast_ns();
	struct etw_user *user, *found = NULL;
	struct hlist_node *next;

	hash_for_each_possible_safe(users, user, next, node, __kuid_val(uid)) {
		if (uid_eq(user->uid, uid)) {
			found = user;
		} else if (is_done(user, now)) {
			hash_del(&user->node);
			kfree(user);
		}
	}
	return found;
}

/*
 * A user that creates a user namespace controls many uids in it, all members of the same
 * groups, so these share the creator's account. In a namespace that root created,
 * every user has a separate account.
 */
static kuid_t payer_of(const struct cred *cred)
{
	const struct user_namespace *ns;
	kuid_t uid = cred->euid;

	for (ns = cred->user_ns; ns != &init_user_ns; ns = ns->parent)
		if (!uid_eq(ns->owner, GLOBAL_ROOT_UID))
			uid = ns->owner;
	return uid;
}

/**
 * etw_user_get() - get a user's account, which all files of the user share
 * @cred: credentials of the task that opens a file
 *
 * Context: process; sleeps. Return: an account for etw_user_put(); NULL if memory is short.
 */
struct etw_user *etw_user_get(const struct cred *cred)
{
	/* not under the lock: START takes it, and this user's memory group may be full */
	struct etw_user *user, *new = kzalloc(sizeof(*new), GFP_KERNEL_ACCOUNT);
	kuid_t uid = payer_of(cred);

	mutex_lock(&users_lock);
	user = find(uid);
	if (!user && new) {
		user = new;
		new = NULL;
		user->uid = uid;
		hash_add(users, &user->node, __kuid_val(uid));
	}
	if (user)
		user->files++;
	mutex_unlock(&users_lock);
	kfree(new);
	return user;
}

/**
 * etw_user_put() - a file is closed
 * @user: of etw_user_get()
 */
void etw_user_put(struct etw_user *user)
{
	mutex_lock(&users_lock);
	user->files--;
	if (is_done(user, etw_clock_fast_ns())) {
		hash_del(&user->node);
		kfree(user);
	}
	mutex_unlock(&users_lock);
}

/**
 * etw_user_register() - count a registration, if the user may have another one
 * @user: the program's account
 *
 * ENABLE, and the end of a session, write to all registrations of a GUID under one lock.
 *
 * Context: process, under etw_providers_lock.
 * Return: 0, or -EDQUOT: the user has ETW_MAX_USER_REGISTRATIONS.
 */
int etw_user_register(struct etw_user *user)
{
	if (user->registrations == ETW_MAX_USER_REGISTRATIONS)
		return -EDQUOT;
	user->registrations++;
	return 0;
}

/**
 * etw_user_unregister() - undo etw_user_register()
 * @user: the program's account
 *
 * Context: process, under etw_providers_lock.
 */
void etw_user_unregister(struct etw_user *user)
{
	user->registrations--;
}

/**
 * etw_user_take() - charge an event to a user's account
 * @user: the writer's account
 * @logger: logger id
 * @rate: see etw_rate_next()
 * @burst: see etw_rate_next()
 * @size: bytes of the record
 *
 * Context: any. Return: false if the event exceeds the limit.
 */
bool etw_user_take(struct etw_user *user, u32 logger, u64 rate, u64 burst, u32 size)
{
	atomic64_t *due = &user->due[logger - 1];
	u64 now = etw_clock_fast_ns();
	s64 old = atomic64_read(due);
	u64 next;

	do {
		next = etw_rate_next(old, now, rate, burst, size);
		if (!next)
			return false;
	} while (!atomic64_try_cmpxchg_relaxed(due, &old, next));
	return true;
}

/**
 * etw_users_forget() - reset all accounts of a logger id, because a new session gets it
 * @logger: logger id
 *
 * Context: process; no program can write to that logger.
 */
void etw_users_forget(u32 logger)
{
	struct etw_user *user;
	u32 i;

	mutex_lock(&users_lock);
	hash_for_each(users, i, user, node)
		atomic64_set(&user->due[logger - 1], 0);
	mutex_unlock(&users_lock);
}

/**
 * etw_users_exit() - free all accounts; no file is open, and none will be
 */
void etw_users_exit(void)
{
	struct hlist_node *next;
	struct etw_user *user;
	u32 i;

	hash_for_each_safe(users, i, next, user, node) {
		hash_del(&user->node);
		kfree(user);
	}
}
