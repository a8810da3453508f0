/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Records of etw_torture: what the module writes and torture_check expects. */
#ifndef ETW_TORTURE_H
#define ETW_TORTURE_H

#include <linux/types.h>

#define TORTURE_MAGIC		0x74727445U
#define TORTURE_HOOK		0x0C01		/* plus the context */
#define TORTURE_VERSION		1
#define TORTURE_TABLE		16384U
#define TORTURE_MAX_LENGTH	8192U

enum torture_context {
	TORTURE_TASK,
	TORTURE_SOFTIRQ,
	TORTURE_HARDIRQ,
	TORTURE_NMI,
	TORTURE_CONTEXTS,
};

/**
 * struct torture_head - start of a payload
 * @magic: TORTURE_MAGIC
 * @cpu: where it was written
 * @context: enum torture_context
 * @depth: writers that this one came over
 * @sequence: per CPU and context, the same in all sessions
 * @length: bytes of pattern that follow
 * @check: torture_check() of the above
 *
 * The pattern is the part of the table that begins at torture_offset().
 */
struct torture_head {
	__u32 magic;
	__u16 cpu;
	__u8 context;
	__u8 depth;
	__u64 sequence;
	__u32 length;
	__u32 check;
};

static inline __u32 torture_mix(__u64 x)
{
	x ^= x >> 31;
	x *= 0x9E3779B97F4A7C15ULL;
	x ^= x >> 29;
	x *= 0xBF58476D1CE4E5B9ULL;
	return x >> 32;
}

static inline __u64 torture_key(const struct torture_head *head)
{
	return head->sequence << 20 | (__u64)head->context << 16 | head->cpu;
}

static inline __u32 torture_check(const struct torture_head *head)
{
	return torture_mix(torture_key(head) ^ (__u64)head->length << 40 ^
			   (__u64)head->depth << 60);
}

static inline __u32 torture_offset(const struct torture_head *head)
{
	return torture_mix(torture_key(head)) % (TORTURE_TABLE - TORTURE_MAX_LENGTH);
}

static inline __u8 torture_byte(__u32 i)
{
	return torture_mix(i + 1);
}

#endif /* ETW_TORTURE_H */
