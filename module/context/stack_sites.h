/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What is known of the kernel's return addresses, for walks without the unwinder. */
#ifndef ETW_STACK_SITES_H
#define ETW_STACK_SITES_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/sched.h>
#include <linux/types.h>

/**
 * enum etw_site_kind - where the next return address is
 * @ETW_SITE_NONE: not known
 * @ETW_SITE_STEP: a constant distance above this one
 * @ETW_SITE_LAST: directly below the registers with which the thread entered the kernel,
 *	at a distance that varies: of the function with the random stack offset
 * @ETW_SITE_SWITCH: at a constant distance above the stack pointer that the top word of
 *	this stack contains: of the call that changed to the interrupt stack
 * @ETW_SITE_REGS: in the registers of an interrupt, directly above this one
 * @ETW_SITE_ALIGNED: a distance away that may differ by one word, because the function aligns
 *	its stack to 16 bytes
 * @ETW_SITE_VARIES: only the unwinder finds it
 */
enum etw_site_kind {
	ETW_SITE_NONE,
	ETW_SITE_STEP,
	ETW_SITE_LAST,
	ETW_SITE_SWITCH,
	ETW_SITE_REGS,
	ETW_SITE_ALIGNED,
	ETW_SITE_VARIES,
};

/* A kind and distance is used after so many walks of the unwinder have confirmed it. */
#define ETW_SITE_CONFIRMED	3

/*
 * A site is one word, so readers and writers need no lock:
 * bits 0 to 31 the address, 32 to 47 the distance in words, 48 to 50 the kind. Bits 51 and
 * 52 are the number of confirmations. Bit 53 is set if the address belongs to the tracer.
 */
#define ETW_SITE_DISTANCE	GENMASK_ULL(47, 32)
#define ETW_SITE_KIND		GENMASK_ULL(50, 48)
#define ETW_SITE_SEEN		GENMASK_ULL(52, 51)
#define ETW_SITE_TRACER		BIT_ULL(53)

/* Kind and confirmations of a usable site, to be compared at once */
#define ETW_SITE_USE		(ETW_SITE_KIND | ETW_SITE_SEEN)
#define ETW_SITE_USABLE(kind)	((u64)(kind) << 48 | (u64)ETW_SITE_CONFIRMED << 51)

/* log2 of the number of sites; hackbench has some 200 */
#define ETW_SITE_BITS		13
/* Sites of one hash value, side by side */
#define ETW_SITE_BUCKET		4U

extern u64 etw_sites[1 << ETW_SITE_BITS];
/* Changes when a usable site is changed or forgotten: places found before may be wrong */
extern atomic_t etw_sites_era;

/* Pairs with the releases in stack_sites.c: the sites are at least as new as their era */
static __always_inline u32 etw_sites_era_now(void)
{
	return atomic_read_acquire(&etw_sites_era);
}

static inline u32 etw_site_distance(u64 site)
{
	return (u32)(site >> 32) & 0xFFFF;
}

/*
 * All code of the kernel and its modules lies within 2 GB, which a signed half word can
 * distinguish: on x86_64 at the end of the address space, on arm64 around the kernel.
 */
static inline s64 etw_site_key(unsigned long address)
{
#ifdef CONFIG_X86_64
	return address;
#else
	return address - (unsigned long)schedule;
#endif
}

static inline s32 etw_site_key_in(u64 site)
{
	return (s32)site;
}

static inline u64 *etw_site_bucket(unsigned long address)
{
	return &etw_sites[hash_long(address, ETW_SITE_BITS) & ~(ETW_SITE_BUCKET - 1)];
}

/**
 * etw_site_find() - what is known of a return address
 * @address: any word of a stack
 *
 * Context: any. Return: the site; 0 if nothing is known.
 */
static __always_inline u64 etw_site_find(unsigned long address)
{
	const u64 *bucket = etw_site_bucket(address);
	s64 key = etw_site_key(address);
	u32 i;

	for (i = 0; i < ETW_SITE_BUCKET; i++) {
		u64 site = READ_ONCE(bucket[i]);

		if (likely(etw_site_key_in(site) == key))
			return site;
	}
	return 0;
}

u64 etw_site_confirm(u64 site, enum etw_site_kind kind, u64 distance);
void etw_site_learn(unsigned long address, enum etw_site_kind kind, u64 distance, char *name);
bool etw_site_is_tracers(unsigned long address, char *name);
bool etw_site_is_last(unsigned long address, char *name);
int etw_sites_get(void);
void etw_sites_put(void);

#endif /* ETW_STACK_SITES_H */
