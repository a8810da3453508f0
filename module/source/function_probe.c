// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Entries and returns of kernel functions: kprobes, registered while a session wants a source. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/container_of.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/printk.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include "compat.h"
#include "function_entry.h"
#include "function_probe.h"

#ifdef CONFIG_KPROBES

/* For @registered and @missed: STATISTICS counts while other tasks register and unregister. */
static DEFINE_SPINLOCK(missed_lock);

/* Enable a kprobe that was registered as disabled, but only if ftrace can't call its handler. */
static int enable(struct etw_function_probe *probe, struct kprobe *kprobe)
{
	return etw_function_entry_hook(probe, kprobe) ? enable_kprobe(kprobe) : 0;
}

/* Clear what the last registration left: otherwise the kprobe can't be registered again. */
static int register_entry(struct etw_function_probe *probe)
{
	int err;

	memset(&probe->kprobe, 0, sizeof(probe->kprobe));
	probe->kprobe.symbol_name = probe->symbol;
	probe->kprobe.pre_handler = probe->entry;
	probe->kprobe.flags = KPROBE_FLAG_DISABLED;
	err = register_kprobe(&probe->kprobe);
	if (err)
		return err;
	err = enable(probe, &probe->kprobe);
	if (err)
		unregister_kprobe(&probe->kprobe);
	return err;
}

/*
 * The kernel takes a place for the call before .entry_handler can refuse the call. If all
 * places are in use, the kernel counts the call as missed, whatever the call is. Places of
 * all CPUs are in one list up to 6.6. So the question comes first.
 */
static int enter_wanted(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct etw_function_probe *probe =
		container_of(kprobe, struct etw_function_probe, kretprobe.kp);
	kprobe_pre_handler_t follow = READ_ONCE(probe->follow);

	/* NULL: this CPU does not see it yet, and no session listens yet */
	return follow && probe->wants(regs) ? follow(kprobe, regs) : 0;
}

static void ask_first(struct etw_function_probe *probe)
{
	probe->follow = probe->kretprobe.kp.pre_handler;
	/* the kernel reads it without an acquire, so enter_wanted() checks what it sees */
	smp_store_release(&probe->kretprobe.kp.pre_handler, enter_wanted);
}

/* The kprobe is disabled until its handler asks first. */
static int register_return(struct etw_function_probe *probe)
{
	struct kprobe *kprobe = &probe->kretprobe.kp;
	int err;

	memset(kprobe, 0, sizeof(*kprobe));
	kprobe->symbol_name = probe->symbol;
	kprobe->flags = KPROBE_FLAG_DISABLED;
	probe->kretprobe.nmissed = 0;
	err = register_kretprobe(&probe->kretprobe);
	if (err)
		return err;
	if (probe->wants)
		ask_first(probe);
	err = enable(probe, kprobe);
	if (err)
		unregister_kretprobe(&probe->kretprobe);
	return err;
}

static int register_one(struct etw_function_probe *probe)
{
	int err = 0;

	if (probe->entry)
		err = register_entry(probe);
	if (err || !probe->returns)
		return err;
	err = register_return(probe);
	if (err && probe->entry) {
		etw_function_entries_unhook(probe, 1);
		unregister_kprobe(&probe->kprobe);
	}
	return err;
}

static u64 missed_now(const struct etw_function_probe *probe)
{
	u64 missed = 0;

	if (!probe->registered)
		return 0;
	if (probe->entry)
		missed += READ_ONCE(probe->kprobe.nmissed);
	if (probe->returns)
		missed += READ_ONCE(probe->kretprobe.nmissed) +
			  READ_ONCE(probe->kretprobe.kp.nmissed);
	return missed;
}

static void unregister_some(struct etw_function_probe *probes, u32 nr)
{
	struct kretprobe *returns[ETW_FUNCTIONS_TOGETHER];
	struct kprobe *entries[ETW_FUNCTIONS_TOGETHER];
	u32 i, nr_returns = 0, nr_entries = 0;

	for (i = 0; i < nr; i++) {
		if (probes[i].registered && probes[i].returns)
			returns[nr_returns++] = &probes[i].kretprobe;
		if (probes[i].registered && probes[i].entry)
			entries[nr_entries++] = &probes[i].kprobe;
	}
	etw_function_entries_unhook(probes, nr);
	unregister_kretprobes(returns, nr_returns);
	unregister_kprobes(entries, nr_entries);
	spin_lock(&missed_lock);
	for (i = 0; i < nr; i++) {
		probes[i].missed += missed_now(&probes[i]);
		probes[i].registered = false;
	}
	spin_unlock(&missed_lock);
}

static void unregister_all(struct etw_function_probe *probes, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i += ETW_FUNCTIONS_TOGETHER)
		unregister_some(&probes[i], min(nr - i, ETW_FUNCTIONS_TOGETHER));
}

/*
 * Which of several names a function has depends on the kernel's version and compiler.
 * Return: the first name if the kernel has none of them, else NULL
 */
static const char *missing_one_of(const struct etw_function_probe *probes, u32 nr)
{
	const char *first = NULL;

	while (nr--) {
		if (!probes[nr].one_of)
			continue;
		if (probes[nr].registered)
			return NULL;
		first = probes[nr].symbol;
	}
	return first;
}

static bool may_lack(const struct etw_function_probe *probe)
{
	return probe->optional || probe->elsewhere || probe->one_of;
}

/* Whether two symbols are one function, or its clones made by the compiler: NAME.isra.0 */
static bool same_function(const struct etw_function_probe *a, const struct etw_function_probe *b)
{
	size_t length = strcspn(a->symbol, ".");

	return length == strcspn(b->symbol, ".") && !strncmp(a->symbol, b->symbol, length);
}

/* Log which functions are missing, so that a user learns why their events are missing. */
static void report_missing(struct etw_function_probe *probes, u32 nr)
{
	u32 i, k;

	for (i = 0; i < nr; i++) {
		bool known = !probes[i].optional || probes[i].reported;

		for (k = 0; k < nr; k++)
			known |= probes[k].registered && same_function(&probes[i], &probes[k]);
		if (known)
			continue;
		pr_info("function %s() not found: its events will be missing\n", probes[i].symbol);
		for (k = i; k < nr; k++)
			probes[k].reported |= same_function(&probes[i], &probes[k]);
	}
}

static int register_each(struct etw_function_probe *probes, u32 nr)
{
	u32 i;
	int err;

	for (i = 0; i < nr; i++) {
		err = register_one(&probes[i]);
		if (err && !(may_lack(&probes[i]) && err == -ENOENT)) {
			if (err != -ENOMEM)
				pr_info("%s() cannot be probed: %d\n", probes[i].symbol, err);
			unregister_all(probes, i);
			return err == -EINVAL ? -ENOENT : err;
		}
		spin_lock(&missed_lock);
		probes[i].registered = !err;
		spin_unlock(&missed_lock);
	}
	return 0;
}

static int register_all(struct etw_function_probe *probes, u32 nr)
{
	int err = register_each(probes, nr);
	const char *missing = err ? NULL : missing_one_of(probes, nr);

	if (!err && !missing)
		report_missing(probes, nr);
	if (!missing)
		return err;
	pr_info("function %s() not found under any of its names\n", missing);
	unregister_all(probes, nr);
	return -ENOENT;
}

/**
 * struct change - a registration or its removal, done by a worker
 * @work: work item
 * @probes: functions
 * @nr: number of functions
 * @on: register, else unregister
 * @err: out: result
 */
struct change {
	struct work_struct work;
	struct etw_function_probe *probes;
	u32 nr;
	bool on;
	int err;
};

static void change_work(struct work_struct *work)
{
	struct change *change = container_of(work, struct change, work);

	if (change->on)
		change->err = register_all(change->probes, change->nr);
	else
		unregister_all(change->probes, change->nr);
}

/*
 * Unregistering kprobes needs memory; without it the kernel warns and the function
 * stays patched. Allocations fail in an OOM victim or under fault injection, so a
 * worker does it: its allocations wait.
 */
static int change_all(struct etw_function_probe *probes, u32 nr, bool on)
{
	struct change change = { .probes = probes, .nr = nr, .on = on };

	if (!nr)
		return 0;
	INIT_WORK_ONSTACK(&change.work, change_work);
	queue_work(etw_unbound_wq, &change.work);
	flush_work(&change.work);
	destroy_work_on_stack(&change.work);
	return change.err;
}

/**
 * etw_function_probes_register() - register probes of functions
 * @probes: probes
 * @nr: number of probes
 *
 * Context: process; sleeps.
 * Return: 0; -ENOENT if this kernel lacks a function or can't probe it;
 * others as register_kprobe(). After an error no probe is registered.
 */
int etw_function_probes_register(struct etw_function_probe *probes, u32 nr)
{
	return change_all(probes, nr, true);
}

/**
 * etw_function_probes_unregister() - unregister probes of functions
 * @probes: probes
 * @nr: number of probes
 *
 * On return no handler runs, nor will one. Context: process; sleeps.
 */
void etw_function_probes_unregister(struct etw_function_probe *probes, u32 nr)
{
	change_all(probes, nr, false);
}

/**
 * etw_function_probes_missed() - calls that reached no handler, since load
 * @probes: functions
 * @nr: number of functions
 *
 * A call is missed if it comes from a probe's handler and ftrace does not call the probe. A return
 * is missed if it exceeds .maxactive, or if the call comes from the handler of a breakpoint.
 * Context: process.
 */
u64 etw_function_probes_missed(const struct etw_function_probe *probes, u32 nr)
{
	u64 missed = 0;

	spin_lock(&missed_lock);
	while (nr--)
		missed += probes[nr].missed + missed_now(&probes[nr]);
	spin_unlock(&missed_lock);
	return missed;
}

#else

int etw_function_probes_register(struct etw_function_probe *probes, u32 nr)
{
	return nr ? -ENOENT : 0;
}

void etw_function_probes_unregister(struct etw_function_probe *probes, u32 nr)
{
}

u64 etw_function_probes_missed(const struct etw_function_probe *probes, u32 nr)
{
	return 0;
}

#endif /* CONFIG_KPROBES */
