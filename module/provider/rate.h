/* SPDX-License-Identifier: GPL-2.0 */
/* The arithmetic of rate limits. Pure; tested by itself. */
#ifndef ETW_RATE_H
#define ETW_RATE_H

#include <linux/types.h>

/* An event counts as one for each of so many bytes */
#define ETW_RATE_BYTES		256U
/* What may be written at once: as much as in so long, ns */
#define ETW_RATE_BURST		1000000000ULL
/* and, where old events go for new ones, no more than such a part of what a CPU keeps */
#define ETW_RATE_PART		8

/**
 * etw_rate_burst() - what a user may write at once
 * @rate: ns that an event costs
 * @kept: bytes that a CPU keeps of a session that overwrites; 0: it does not
 *
 * Return: ns
 */
static inline __u64 etw_rate_burst(__u64 rate, __u64 kept)
{
	__u64 part = kept / ETW_RATE_PART / ETW_RATE_BYTES * rate;

	return kept && part < ETW_RATE_BURST ? part : ETW_RATE_BURST;
}

/**
 * etw_rate_next() - whether an event keeps to a rate
 * @due: when all that was written so far is paid for, ns
 * @now: now, ns
 * @rate: ns that an event costs; not 0
 * @burst: of etw_rate_burst()
 * @size: bytes of the event
 *
 * The generic cell rate algorithm: what is written moves @due away from now, by
 * the burst at most. Who has paid for all may write one event of any size, so
 * that no size is shut out by a low rate.
 *
 * Return: the next @due, or 0: not now.
 */
static inline __u64 etw_rate_next(__u64 due, __u64 now, __u64 rate, __u64 burst, __u32 size)
{
	__u64 cost = rate * ((size + ETW_RATE_BYTES - 1) / ETW_RATE_BYTES);

	if (due <= now)
		return now + cost;
	return due + cost <= now + burst ? due + cost : 0;
}

#endif /* ETW_RATE_H */
