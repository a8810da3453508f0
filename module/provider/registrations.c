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
#include "record/event_input.h"
#include "source/process_values.h"
#include "accounts.h"
#include "enable.h"
#include "provider.h"
#include "registrations.h"

#define PAGE_VERSION	1

static struct etw_registration *registration_at(struct etw_registrations *owner, u32 index)
{
	return rcu_dereference_protected(owner->registration[index],
					 lockdep_is_held(&etw_providers_lock));
}

/* An entry is on one page, since its size divides that of a page. */
static struct etw_event_state *event_state(struct etw_registrations *owner, u32 index)
{
	u32 at = offsetof(struct etw_event_page, state[index]);

	return owner->events[at / PAGE_SIZE] + at % PAGE_SIZE;
}

static void wake(struct etw_registrations *owner)
{
	wake_up_interruptible_poll(&owner->wait, EPOLLPRI);
}

static void wake_work(struct work_struct *work)
{
	wake(container_of(work, struct etw_registrations, wake));
}

static void free_registrations(struct etw_registrations *registrations)
{
	u32 i;

	if (!registrations)
		return;
	free_page((unsigned long)registrations->page);
	for (i = 0; i < EVENT_PAGES; i++)
		free_page((unsigned long)registrations->events[i]);
	kfree(registrations);
}

/* Whole pages, because the program can read all of them */
static int make_pages(struct etw_registrations *new)
{
	u32 i;

	new->page = (void *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	if (!new->page)
		return -ENOMEM;
	new->page->version = PAGE_VERSION;
	for (i = 0; i < EVENT_PAGES; i++) {
		new->events[i] = (void *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
		if (!new->events[i])
			return -ENOMEM;
	}
	((struct etw_event_page *)new->events[0])->version = PAGE_VERSION;
	return 0;
}

static struct etw_registrations *make_registrations(struct etw_user *user)
{
	struct etw_registrations *new = kzalloc(sizeof(*new), GFP_KERNEL_ACCOUNT);

	if (!new)
		return NULL;
	if (make_pages(new)) {
		free_registrations(new);
		return NULL;
	}
	init_waitqueue_head(&new->wait);
	INIT_WORK(&new->wake, wake_work);
	new->user = user;
	/* once, so that no event costs a reference to the file */
	if (current->mm)
		etw_executable_name(current->mm, new->executable);
	return new;
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

/* As set_state(). An entry that stays as it was is no change. */
static bool set_events(struct etw_registrations *owner, u32 index,
		       const struct etw_event_state *value)
{
	struct etw_event_state *state = event_state(owner, index);
	u32 sequence = state->sequence;

	if (state->match_any == value->match_any && state->match_all == value->match_all &&
	    state->captures == value->captures && state->level == value->level &&
	    state->sessions == value->sessions && state->keyword_0 == value->keyword_0)
		return false;
	WRITE_ONCE(state->sequence, sequence + 1);
	smp_wmb();	/* odd before anything changes */
	WRITE_ONCE(state->match_any, value->match_any);
	WRITE_ONCE(state->match_all, value->match_all);
	WRITE_ONCE(state->captures, value->captures);
	WRITE_ONCE(state->level, value->level);
	WRITE_ONCE(state->sessions, value->sessions);
	WRITE_ONCE(state->keyword_0, value->keyword_0);
	smp_wmb();	/* even after everything has changed */
	WRITE_ONCE(state->sequence, sequence + 2);
	smp_wmb();	/* a program that sees the new count sees the change */
	WRITE_ONCE(owner->page->changes, owner->page->changes + 1);
	return true;
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
 * etw_registration_publish_events() - publish to a program what all sessions want
 * @registration: the program's
 *
 * etw_registration_wake() must follow.
 *
 * Context: under etw_providers_lock.
 */
void etw_registration_publish_events(struct etw_registration *registration)
{
	lockdep_assert_held(&etw_providers_lock);
	if (set_events(registration->owner, registration->index, &registration->guid->events))
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

	while (index < ETW_MAX_REGISTRATIONS && registration_at(owner, index))
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
	new->reserved = etw_guid_is_reserved(guid);
	*at = index;
	/* pairs with rcu_dereference_sched() of WRITE_EVENT */
	rcu_assign_pointer(owner->registration[index], new);
	list_add_tail(&new->node, &new->guid->programs);
	new->guid->registrations++;
	set_events(owner, index, &new->guid->events);
	publish(new, etw_listener_of(new->guid));
	return 0;
}

static void remove(struct etw_registration *registration)
{
	static const struct etw_provider_state free;
	static const struct etw_event_state no_events;

	RCU_INIT_POINTER(registration->owner->registration[registration->index], NULL);
	set_state(registration->owner, registration->index, &free);
	set_events(registration->owner, registration->index, &no_events);
	list_del(&registration->node);
	etw_user_unregister(registration->owner->user);
	registration->guid->registrations--;
	etw_control_guid_put(registration->guid);
	kfree_rcu(registration, rcu);
}

static int remove_index(struct etw_registrations *owner, u32 index)
{
	int err = -EINVAL;

	if (mutex_lock_killable(&etw_providers_lock))
		return -EINTR;
	if (registration_at(owner, index)) {
		remove(registration_at(owner, index));
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

static int map_events(struct etw_registrations *owner, struct vm_area_struct *vma)
{
	unsigned long at = vma->vm_start;
	int err = 0;
	u32 i;

	for (i = 0; !err && i < EVENT_PAGES; i++, at += PAGE_SIZE)
		err = vm_insert_page(vma, at, virt_to_page(owner->events[i]));
	return err;
}

/**
 * etw_provider_mmap() - map the page, or those of WRITE_EVENT
 * @file: of the caller
 * @vma: shared, read-only; one page from offset 0, or struct etw_event_page behind it
 *
 * The mapping keeps the file open, and the file keeps the page.
 *
 * Return: 0; -EINVAL; -EPERM for a writable or executable mapping; -ENOMEM.
 */
int etw_provider_mmap(struct etw_provider_file *file, struct vm_area_struct *vma)
{
	struct etw_registrations *owner;

	if (vma->vm_pgoff > 1 || !(vma->vm_flags & VM_MAYSHARE) ||
	    vma->vm_end - vma->vm_start != (vma->vm_pgoff ? EVENT_PAGES * PAGE_SIZE : PAGE_SIZE))
		return -EINVAL;
	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EPERM;
	owner = registrations_of(file);
	if (!owner)
		return -ENOMEM;
	/* and forbid it to mprotect() later */
	etw_vm_flags_clear(vma, VM_MAYWRITE | VM_MAYEXEC);
	if (vma->vm_pgoff)
		return map_events(owner, vma);
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
		if (registration_at(owner, i))
			remove(registration_at(owner, i));
	mutex_unlock(&etw_providers_lock);
	cancel_work_sync(&owner->wake);
	free_registrations(owner);
	file->registrations = NULL;
}
