// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Entries of kernel functions by ftrace, which takes fewer instructions than a kprobe. */
#include <linux/errno.h>
#include "function_entry.h"

/*
 * ftrace has the arguments and the stack pointer of each call in its struct ftrace_regs. A kprobe
 * gets them from ftrace, too, but also all other registers, by a handler that all kprobes share.
 * The handler of a kretprobe needs no more, if the kernel finds the return address by the stack
 * pointer, as rethooks do.
 */
#if defined(CONFIG_X86_64) && defined(CONFIG_KPROBES_ON_FTRACE) && \
	defined(CONFIG_DYNAMIC_FTRACE_WITH_ARGS) && defined(CONFIG_KRETPROBE_ON_RETHOOK)
#include <linux/ftrace.h>
#include <linux/hash.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/rculist.h>
#include <linux/workqueue.h>
#include "compat.h"

#define BUCKET_BITS	7

/* Hooked functions by address. Handlers read it with preemption off, which RCU waits for. */
static struct hlist_head buckets[1 << BUCKET_BITS];

static DEFINE_MUTEX(hook_lock);	/* all below, and the filter of entry_ops */
static u32 nr_hooked;
static bool registered;			/* entry_ops is */
static bool unregistering;		/* entry_ops, without the lock */

/* How long entry_ops stays registered after the last function, for the next session */
#define UNREGISTER_AFTER	(5 * HZ)

static void unregister(struct work_struct *work);
static DECLARE_DELAYED_WORK(unregister_work, unregister);

static __always_inline struct hlist_head *bucket_of(unsigned long ip)
{
	return &buckets[hash_long(ip, BUCKET_BITS)];
}

/* The kprobe that ftrace stands in for. Calls may still come when the probe is hooked no more. */
static __always_inline struct kprobe *kprobe_of(struct etw_function_probe *probe)
{
	return probe->entry ? &probe->kprobe : &probe->kretprobe.kp;
}

/*
 * The kernel's handler at a return forgets the kprobe that is under way, and the kernel crashes if
 * that is a breakpoint's. Handlers of breakpoints count as NMIs. So the return of a call from one
 * of them is not hooked.
 */
static __always_inline bool may_hook(const struct etw_function_probe *probe)
{
	return probe->entry || likely(!in_nmi());
}

/*
 * A call that began before a hook was removed may come later, and finds nothing. No handler
 * calls a function that is hooked. Other contexts may interrupt a handler and call one: as the
 * handlers allow that, no such call is dropped.
 */
static void notrace entered(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			    struct ftrace_regs *regs)
{
	struct etw_function_probe *probe;

	preempt_disable_notrace();
	hlist_for_each_entry_rcu_notrace(probe, bucket_of(ip), node) {
		struct kprobe *kprobe = kprobe_of(probe);

		if ((unsigned long)kprobe->addr != ip)
			continue;
		if (may_hook(probe))
			kprobe->pre_handler(kprobe, etw_ftrace_arguments(regs));
		else
			WRITE_ONCE(kprobe->nmissed, kprobe->nmissed + 1);
		break;
	}
	preempt_enable_notrace();
}

/* PERMANENT: ftrace can't be switched off meanwhile. If it is off already, kprobes are used. */
static struct ftrace_ops entry_ops = {
	.func = entered,
	.flags = FTRACE_OPS_FL_PERMANENT,
};

/*
 * unregister_ftrace_function() waits until each task has been scheduled, which may take longer
 * than a STOP may. So a worker does it, and without hook_lock, so that no START waits either.
 */
static void unregister(struct work_struct *work)
{
	bool wanted;

	mutex_lock(&hook_lock);
	wanted = registered && !nr_hooked;
	unregistering = wanted;
	mutex_unlock(&hook_lock);
	if (!wanted)
		return;
	unregister_ftrace_function(&entry_ops);
	ftrace_set_filter(&entry_ops, NULL, 0, 1);
	mutex_lock(&hook_lock);
	registered = false;
	unregistering = false;
	mutex_unlock(&hook_lock);
}

/*
 * Each change of the filter patches the kernel's code, so one removes all functions. An empty
 * filter would mean every function, so the last ones stay in it. Calls of functions that stay,
 * also for want of memory, find nothing.
 */
static void drop_filter(unsigned long *ips, u32 nr)
{
	if (!nr_hooked)
		mod_delayed_work(etw_unbound_wq, &unregister_work, UNREGISTER_AFTER);
	else
		ftrace_set_filter_ips(&entry_ops, ips, nr, 1, 0);
}

/* The first function replaces those that stayed in the filter. */
static int add_filter(unsigned long ip)
{
	int err;

	if (unregistering)
		return -EBUSY;
	err = ftrace_set_filter_ip(&entry_ops, ip, 0, !nr_hooked);
	if (err || registered)
		return err;
	err = register_ftrace_function(&entry_ops);
	registered = !err;
	return err;
}

static bool is_hooked(unsigned long ip)
{
	struct etw_function_probe *probe;

	hlist_for_each_entry(probe, bucket_of(ip), node)
		if ((unsigned long)kprobe_of(probe)->addr == ip)
			return true;
	return false;
}

/**
 * etw_function_entry_hook() - call the handler of a probe's kprobe at each entry of its function
 * @probe: not hooked
 * @kprobe: its kprobe, or that of its kretprobe; registered, and disabled. Of a probe with both,
 *	only the first can be hooked
 *
 * Context: process; sleeps. Return: 0; an errno if only the kprobe can do it.
 */
int etw_function_entry_hook(struct etw_function_probe *probe, struct kprobe *kprobe)
{
	unsigned long ip = (unsigned long)kprobe->addr;
	int err = -EBUSY;

	/* the function begins with a call of ftrace, and the kprobe is there */
	if (!(kprobe->flags & KPROBE_FLAG_FTRACE))
		return -EOPNOTSUPP;
	mutex_lock(&hook_lock);
	if (kprobe == kprobe_of(probe) && !is_hooked(ip)) {
		hlist_add_head_rcu(&probe->node, bucket_of(ip));
		err = add_filter(ip);
		if (err)
			hlist_del_rcu(&probe->node);
		else
			nr_hooked++;
		probe->hooked = !err;
	}
	mutex_unlock(&hook_lock);
	return err;
}

/**
 * etw_function_entries_unhook() - undo etw_function_entry_hook()
 * @probes: probes, hooked or not
 * @nr: number of probes, at most ETW_FUNCTIONS_TOGETHER
 *
 * Handlers may run until an RCU grace period has passed: unregister_kprobes(), which has to
 * follow, waits for one. Context: process; sleeps.
 */
void etw_function_entries_unhook(struct etw_function_probe *probes, u32 nr)
{
	unsigned long ips[ETW_FUNCTIONS_TOGETHER];
	u32 i, nr_ips = 0;

	mutex_lock(&hook_lock);
	for (i = 0; i < nr; i++) {
		if (!probes[i].hooked)
			continue;
		hlist_del_rcu(&probes[i].node);
		probes[i].hooked = false;
		ips[nr_ips++] = (unsigned long)kprobe_of(&probes[i])->addr;
	}
	nr_hooked -= nr_ips;
	if (nr_ips)
		drop_filter(ips, nr_ips);
	mutex_unlock(&hook_lock);
}

/**
 * etw_function_entries_exit() - let ftrace forget this module, which has no hooks any more
 *
 * Context: process; sleeps.
 */
void etw_function_entries_exit(void)
{
	flush_delayed_work(&unregister_work);
}

#else

int etw_function_entry_hook(struct etw_function_probe *probe, struct kprobe *kprobe)
{
	return -EOPNOTSUPP;
}

void etw_function_entries_unhook(struct etw_function_probe *probes, u32 nr)
{
}

void etw_function_entries_exit(void)
{
}

#endif
