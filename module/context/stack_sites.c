// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The table of return addresses: filled by walks of the unwinder, emptied when modules go. */
#include <linux/bitfield.h>
#include <linux/compiler.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include "stack_sites.h"
#include "stack_skip.h"

/*
 * A return address has the same frame each time it is on a stack: the unwinder's tables give
 * an instruction one frame size. The exceptions are functions that align their stack or allocate
 * from it. Walks of the unwinder reveal their sites, see learn_frame() in stack_walk_x86.c.
 */

u64 etw_sites[1 << ETW_SITE_BITS] __aligned(ETW_SITE_BUCKET * sizeof(u64));
atomic_t etw_sites_era;

/**
 * etw_site_confirm() - add one walk of the unwinder to what is known
 * @site: a site
 * @kind: what the walk found
 * @distance: the distance that the walk found, in words
 *
 * Pure. Return: the site, changed; a site that differs from what was found varies for ever.
 */
u64 etw_site_confirm(u64 site, enum etw_site_kind kind, u64 distance)
{
	u64 found = FIELD_PREP(ETW_SITE_KIND, kind) | FIELD_PREP(ETW_SITE_DISTANCE, distance);
	u64 known = site & (ETW_SITE_KIND | ETW_SITE_DISTANCE);

	if (distance > FIELD_MAX(ETW_SITE_DISTANCE) ||
	    (FIELD_GET(ETW_SITE_KIND, site) != ETW_SITE_NONE && known != found)) {
		site &= ~(ETW_SITE_USE | ETW_SITE_DISTANCE);
		return site | ETW_SITE_USABLE(ETW_SITE_VARIES);
	}
	if (FIELD_GET(ETW_SITE_SEEN, site) < ETW_SITE_CONFIRMED)
		site += FIELD_PREP(ETW_SITE_SEEN, 1);
	return site | found;
}

/*
 * Code that is written and freed while the kernel runs, without this table being emptied.
 * Trampolines of ftrace and kprobes have no name. kallsyms names BPF code, but returns no
 * module "bpf" for an address. So functions of the kernel that begin with bpf_ stay with the
 * unwinder, too.
 */
static bool is_passing(const char *name)
{
	return strstarts(name, "0x") || strstarts(name, "bpf_");
}

/*
 * A new site, of which only the tracer's part is known. Code that changes return addresses,
 * and what it calls, stays with the unwinder.
 */
static u64 new_site(unsigned long address, char *name)
{
	u64 site = (u32)etw_site_key(address);

	/* a return address may be just behind the function's end */
	sprint_symbol_no_offset(name, address - 1);
	if (is_passing(name) || etw_site_key_in(site) != etw_site_key(address))
		return 0;
	if (within_module_core(address, THIS_MODULE) || etw_stack_names_tracepoint(name))
		return site | ETW_SITE_TRACER;
	if (etw_stack_names_machinery(name))
		return site | ETW_SITE_TRACER | ETW_SITE_USABLE(ETW_SITE_VARIES);
	return site;
}

/* The place of a site in its bucket: its own, else the first free one, else one by its address */
static u64 *place_of(unsigned long address)
{
	u64 *bucket = etw_site_bucket(address), *free = NULL;
	u32 i;

	for (i = 0; i < ETW_SITE_BUCKET; i++) {
		u64 site = READ_ONCE(bucket[i]);

		if (site && etw_site_key_in(site) == etw_site_key(address))
			return &bucket[i];
		if (!site && !free)
			free = &bucket[i];
	}
	return free ?: &bucket[address / 4 % ETW_SITE_BUCKET];
}

/* Stacks were walked by a usable site, of this address or of the one that loses its place. */
static void put_site(u64 *place, u64 old, u64 site)
{
	if (cmpxchg(place, old, site) == old && FIELD_GET(ETW_SITE_SEEN, old) == ETW_SITE_CONFIRMED)
		atomic_inc_return_release(&etw_sites_era);
}

/**
 * etw_site_learn() - a walk of the unwinder found where the next return address is
 * @address: a return address
 * @kind: where the next one is
 * @distance: for kinds that have one: words
 * @name: memory for KSYM_SYMBOL_LEN bytes
 *
 * Contexts that learn at the same time may overwrite each other's confirmation, or site.
 *
 * Context: any; preemption off.
 */
void etw_site_learn(unsigned long address, enum etw_site_kind kind, u64 distance, char *name)
{
	u64 *place = place_of(address);
	u64 old = READ_ONCE(*place), site = old;

	if (etw_site_key_in(site) != etw_site_key(address) || !site)
		site = new_site(address, name);
	if (!site)
		return;
	site = etw_site_confirm(site, kind, distance);
	if (site != old)
		put_site(place, old, site);
}

/**
 * etw_site_is_tracers() - whether a return address belongs to the tracer
 * @address: a return address, or an interrupted instruction
 * @name: memory for KSYM_SYMBOL_LEN bytes
 *
 * Context: any; preemption off.
 */
bool etw_site_is_tracers(unsigned long address, char *name)
{
	u64 site = etw_site_find(address), *place;

	if (!site) {
		site = new_site(address, name);
		/* code without a name is a trampoline of ftrace or kprobes */
		if (!site)
			return etw_stack_names_machinery(name);
		place = place_of(address);
		put_site(place, READ_ONCE(*place), site);
	}
	return site & ETW_SITE_TRACER;
}

/**
 * etw_site_is_last() - whether a return address is in the function with the random offset
 * @address: a return address
 * @name: memory for KSYM_SYMBOL_LEN bytes
 *
 * This function is called by the entry of system calls only.
 */
bool etw_site_is_last(unsigned long address, char *name)
{
	sprint_symbol_no_offset(name, address - 1);
	return !strcmp(name, "do_syscall_64");
}

static void forget_all(void)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(etw_sites); i++)
		WRITE_ONCE(etw_sites[i], 0);
	atomic_inc_return_release(&etw_sites_era);
}

/*
 * Other code may take the place of a module, or of its functions for initialisation. No stack
 * has their addresses any more, but a walk that learns may still be about to write one. The
 * memory is freed after this notifier, which is the last, because others call the module.
 */
static int module_changes(struct notifier_block *block, unsigned long state, void *module)
{
	if (state == MODULE_STATE_LIVE || state == MODULE_STATE_GOING) {
		synchronize_rcu();	/* walks run with preemption off */
		forget_all();
	}
	return NOTIFY_DONE;
}

static struct notifier_block modules = { .notifier_call = module_changes, .priority = INT_MIN };

/**
 * etw_sites_get() - begin to learn
 *
 * Context: process; sleeps; one user at a time. Return: 0; -errno of the notifier.
 */
int etw_sites_get(void)
{
	int err = register_module_notifier(&modules);

	if (!err)
		forget_all();
	return err;
}

/**
 * etw_sites_put() - undo etw_sites_get(); no walk runs any more
 */
void etw_sites_put(void)
{
	unregister_module_notifier(&modules);
}
