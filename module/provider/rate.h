/* SPDX-License-Identifier: GPL-2.0 */
/* The arithmetic of rate limits. Pure; tested by itself. */
#ifndef ETW_RATE_H
#define ETW_RATE_H

#include <linux/types.h>

/* An event counts as one for each of so many bytes */
#define ETW_RATE_BYTES		256U
/* What may be written at once: as much as in so long, ns */
#define ETW_RATE_BURST		1000000000ULL

/**
 * etw_rate_next() - whether an event keeps to a rate
 * @due: when all that was written so far is paid for, ns
 * @now: now, ns
 * @rate: ns that an event costs; not 0
 * @size: bytes of the event
 *
 * The generic cell rate algorithm: what is written moves @due away from now, by
 * the burst at most. Who has paid for all may write one event of any size, so
 * that no size is shut out by a low rate.
 *
 * Return: the next @due, or 0: not now.
 */
static inline __u64 etw_rate_next(__u64 due, __u64 now, __u64 rate, __u32 size)
{
	__u64 cost = rate * ((size + ETW_RATE_BYTES - 1) / ETW_RATE_BYTES);

	if (due <= now)
		return now + cost;
	return due + cost <= now + ETW_RATE_BURST ? due + cost : 0;
}

#endif /* ETW_RATE_H */
