// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A program's registrations and their state page; declared in provider.h and enable.h. */
#include <linux/mm.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "compat.h"
#include "accounts.h"
#include "enable.h"
#include "provider.h"

#define PAGE_VERSION	1

/**
 * struct etw_registrations - registrations of an open /dev/etw/provider
 * @page: mapped by the program; only the kernel can write to it
 * @seen: the value of @page->changes that the program has acknowledged
 * @wait: for changes
 * @wake: wakes @wait. A program may have millions of waiters, so neither ENABLE nor the end of
 *	a session does it, and not once for each registration
 * @changed: the page has changed since @wake was queued
 * @user: account of the file's user
 * @registration: by index; NULL: a free entry
 *
 * All under etw_providers_lock, except for ACK (@seen), poll() (@seen and the page), @wait
 * and @wake.
 */
struct etw_registrations {
	struct etw_provider_page *page;
	u32 seen;
	wait_queue_head_t wait;
	struct work_struct wake;
	bool changed;
	struct etw_user *user;
	struct etw_registration *registration[ETW_MAX_REGISTRATIONS];
};

static void wake(struct etw_registrations *owner)
{
	wake_up_interruptible_poll(&owner->wait, EPOLLPRI);
}

static void wake_work(struct work_struct *work)
{
	wake(container_of(work, struct etw_registrations, wake));
}

static struct etw_registrations *make_registrations(struct etw_user *user)
{
	struct etw_registrations *new = kzalloc(sizeof(*new), GFP_KERNEL_ACCOUNT);

	if (!new)
		return NULL;
	/* a whole page, because the program can read all of it */
	new->page = (void *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	if (!new->page) {
		kfree(new);
		return NULL;
	}
	new->page->version = PAGE_VERSION;
	init_waitqueue_head(&new->wait);
	INIT_WORK(&new->wake, wake_work);
	new->user = user;
	return new;
}

static void free_registrations(struct etw_registrations *registrations)
{
	if (!registrations)
		return;
	free_page((unsigned long)registrations->page);
	kfree(registrations);
}

/* Allocated on first use: most open files register nothing. If threads race, the first wins. */
static struct etw_registrations *registrations_of(struct etw_provider_file *file)
{
	struct etw_registrations *now, *new;

	/* pairs with the cmpxchg() below, as the other acquires do */
	now = smp_load_acquire(&file->registrations);
	if (now)
		return now;
	new = make_registrations(file->caller.user);
	if (!new)
		return NULL;
	now = cmpxchg(&file->registrations, NULL, new);
	if (!now)
		return new;
	free_registrations(new);
	return now;
}

/* The program reads without a lock: it compares @sequence before and after. */
static void set_state(struct etw_registrations *owner, u32 index,
		      const struct etw_provider_state *value)
{
	struct etw_provider_state *state = &owner->page->state[index];
	u32 sequence = state->sequence;

	WRITE_ONCE(state->sequence, sequence + 1);
	smp_wmb();	/* odd before anything changes */
	WRITE_ONCE(state->enabled, value->enabled);
	WRITE_ONCE(state->level, value->level);
	WRITE_ONCE(state->logger_id, value->logger_id);
	WRITE_ONCE(state->flags, value->flags);
	WRITE_ONCE(state->registered, value->registered);
	smp_wmb();	/* even after everything has changed */
	WRITE_ONCE(state->sequence, sequence + 2);
	smp_wmb();	/* a program that sees the new count sees the change */
	WRITE_ONCE(owner->page->changes, owner->page->changes + 1);
}

static void publish(struct etw_registration *registration, const struct etw_enabled *enabled)
{
	struct etw_provider_state state = { .registered = 1 };

	lockdep_assert_held(&etw_providers_lock);
	if (enabled) {
		state.enabled = 1;
		state.level = enabled->level;
		state.logger_id = enabled->logger_id;
		state.flags = enabled->flags;
	}
	set_state(registration->owner, registration->index, &state);
}

/**
 * etw_registration_publish() - publish to a program which session listens
 * @registration: the program's
 * @enabled: the session that listens, or NULL
 *
 * etw_registration_wake() must follow.
 *
 * Context: under etw_providers_lock.
 */
void etw_registration_publish(struct etw_registration *registration,
			      const struct etw_enabled *enabled)
{
	publish(registration, enabled);
	registration->owner->changed = true;
}

/**
 * etw_registration_wake() - wake a program, once for all of its registrations
 * @registration: the program's
 *
 * Context: under etw_providers_lock.
 */
void etw_registration_wake(struct etw_registration *registration)
{
	struct etw_registrations *owner = registration->owner;

	lockdep_assert_held(&etw_providers_lock);
	if (owner->changed)
		queue_work(etw_unbound_wq, &owner->wake);
	owner->changed = false;
}

static int add(struct etw_registrations *owner, struct etw_registration *new,
	       const struct etw_guid *guid, struct etw_control_guid **spare, u32 *at)
{
	u32 index = 0;
	int err;

	while (index < ETW_MAX_REGISTRATIONS && owner->registration[index])
		index++;
	if (index == ETW_MAX_REGISTRATIONS)
		return -ENOSPC;
	err = etw_user_register(owner->user);
	if (err)
		return err;
	new->guid = etw_control_guid_get(guid, spare);
	if (!new->guid) {
		etw_user_unregister(owner->user);
		return -ENOMEM;
	}
	new->owner = owner;
	new->index = index;
	*at = index;
	owner->registration[index] = new;
	list_add_tail(&new->node, &new->guid->programs);
	new->guid->registrations++;
	publish(new, etw_listener_of(new->guid));
	return 0;
}

static void remove(struct etw_registration *registration)
{
	static const struct etw_provider_state free;

	registration->owner->registration[registration->index] = NULL;
	set_state(registration->owner, registration->index, &free);
	list_del(&registration->node);
	etw_user_unregister(registration->owner->user);
	registration->guid->registrations--;
	etw_control_guid_put(registration->guid);
	kfree(registration);
}

static int remove_index(struct etw_registrations *owner, u32 index)
{
	int err = -EINVAL;

	if (mutex_lock_killable(&etw_providers_lock))
		return -EINTR;
	if (owner->registration[index]) {
		remove(owner->registration[index]);
		err = 0;
	}
	mutex_unlock(&etw_providers_lock);
	if (!err)
		wake(owner);
	return err;
}

/* If the index can't be returned, the program can't use it, so remove the registration. */
static int put_index(struct etw_registrations *owner, void __user *arg,
		     const struct etw_provider_register *given)
{
	if (!copy_to_user(arg, given, sizeof(*given)))
		return 0;
	remove_index(owner, given->index);
	return -EFAULT;
}

/**
 * etw_provider_register() - REGISTER
 * @file: of the caller
 * @arg: struct etw_provider_register
 *
 * Context: process; sleeps.
 * Return: 0; -EFAULT; -EINVAL; -ENOSPC: all entries are used; -EDQUOT: the user has too many
 * registrations; -EINTR: the caller was killed; -ENOMEM.
 */
int etw_provider_register(struct etw_provider_file *file, void __user *arg)
{
	struct etw_provider_register given;
	struct etw_registrations *owner;
	struct etw_control_guid *spare;
	struct etw_registration *new;
	int err = -EINTR;

	if (copy_from_user(&given, arg, sizeof(given)))
		return -EFAULT;
	if (given.size != sizeof(given))
		return -EINVAL;
	owner = registrations_of(file);
	new = kzalloc(sizeof(*new), GFP_KERNEL_ACCOUNT);
	if (!owner || !new) {
		kfree(new);
		return -ENOMEM;
	}
	spare = etw_control_guid_new();
	if (!mutex_lock_killable(&etw_providers_lock)) {
		err = add(owner, new, &given.guid, &spare, &given.index);
		mutex_unlock(&etw_providers_lock);
	}
	kfree(spare);
	if (err) {
		kfree(new);
		return err;
	}
	wake(owner);
	/* without the lock, because the copy may block; another thread may have freed @new */
	return put_index(owner, arg, &given);
}

/**
 * etw_provider_unregister() - UNREGISTER
 * @file: of the caller
 * @arg: struct etw_provider_unregister
 *
 * Context: process; sleeps.
 * Return: 0; -EFAULT; -EINVAL, also if the index is not registered; -EINTR: the caller was
 * killed.
 */
int etw_provider_unregister(struct etw_provider_file *file, void __user *arg)
{
	struct etw_provider_unregister given;
	struct etw_registrations *owner;

	/* pairs with registrations_of() */
	owner = smp_load_acquire(&file->registrations);
	if (copy_from_user(&given, arg, sizeof(given)))
		return -EFAULT;
	if (given.size != sizeof(given) || given.index >= ETW_MAX_REGISTRATIONS || !owner)
		return -EINVAL;
	return remove_index(owner, given.index);
}

/**
 * etw_provider_ack() - ACK: the program has read the page
 * @file: of the caller
 * @changes: the page's count of changes at that time
 *
 * Return: 0; -EINVAL if @changes has more than 32 bits.
 */
int etw_provider_ack(struct etw_provider_file *file, unsigned long changes)
{
	struct etw_registrations *owner;

	/* pairs with registrations_of() */
	owner = smp_load_acquire(&file->registrations);
	if (changes != (u32)changes)
		return -EINVAL;
	if (owner)
		WRITE_ONCE(owner->seen, changes);
	return 0;
}

/**
 * etw_provider_mmap() - map the page
 * @file: of the caller
 * @vma: one page, shared, read-only, from offset 0
 *
 * The mapping keeps the file open, and the file keeps the page.
 *
 * Return: 0; -EINVAL; -EPERM for a writable or executable mapping; -ENOMEM.
 */
int etw_provider_mmap(struct etw_provider_file *file, struct vm_area_struct *vma)
{
	struct etw_registrations *owner;

	if (vma->vm_pgoff || vma->vm_end - vma->vm_start != PAGE_SIZE ||
	    !(vma->vm_flags & VM_MAYSHARE))
		return -EINVAL;
	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EPERM;
	owner = registrations_of(file);
	if (!owner)
		return -ENOMEM;
	/* and forbid it to mprotect() later */
	etw_vm_flags_clear(vma, VM_MAYWRITE | VM_MAYEXEC);
	return vm_insert_page(vma, vma->vm_start, virt_to_page(owner->page));
}

/**
 * etw_provider_poll() - poll(): whether the page changed
 * @file: of the caller
 * @node: its open file
 * @table: of the caller
 */
__poll_t etw_provider_poll(struct etw_provider_file *file, struct file *node,
			   struct poll_table_struct *table)
{
	struct etw_registrations *owner = registrations_of(file);

	if (!owner)
		return EPOLLERR;
	poll_wait(node, &owner->wait, table);
	/* write() never waits */
	return EPOLLOUT | EPOLLWRNORM |
	       (READ_ONCE(owner->page->changes) != READ_ONCE(owner->seen) ? EPOLLPRI : 0);
}

/**
 * etw_registrations_release() - a file is closed: remove its registrations
 * @file: the file
 */
void etw_registrations_release(struct etw_provider_file *file)
{
	struct etw_registrations *owner = file->registrations;
	u32 i;

	if (!owner)
		return;
	mutex_lock(&etw_providers_lock);
	for (i = 0; i < ETW_MAX_REGISTRATIONS; i++)
		if (owner->registration[i])
			remove(owner->registration[i]);
	mutex_unlock(&etw_providers_lock);
	cancel_work_sync(&owner->wake);
	free_registrations(owner);
	file->registrations = NULL;
}
