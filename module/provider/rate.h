/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The arithmetic of rate limits. Pure, with a unit test. */
#ifndef ETW_RATE_H
#define ETW_RATE_H

#include <linux/types.h>

/* An event costs one unit for each started 256 bytes */
#define ETW_RATE_BYTES		256U
/* Burst: what the rate allows in this time, ns */
#define ETW_RATE_BURST		1000000000ULL
/* In a session that overwrites, a burst is at most this part (1/8) of what a CPU keeps */
#define ETW_RATE_PART		8

/**
 * etw_rate_burst() - how much a user may write at once
 * @rate: ns that one unit costs
 * @kept: bytes that a CPU keeps, if the session overwrites; else 0
 *
 * Return: ns
 */
static inline __u64 etw_rate_burst(__u64 rate, __u64 kept)
{
	__u64 part = kept / ETW_RATE_PART / ETW_RATE_BYTES * rate;

	return kept && part < ETW_RATE_BURST ? part : ETW_RATE_BURST;
}

/**
 * etw_rate_next() - whether an event is within the rate limit
 * @due: when everything written so far is paid for, ns
 * @now: now, ns
 * @rate: ns that one unit costs; not 0
 * @burst: of etw_rate_burst()
 * @size: bytes of the event
 *
 * The generic cell rate algorithm: each event moves @due further, to at most @burst
 * after @now. But if @due has passed, the user may write one event of any size;
 * otherwise a low rate would exclude large events.
 *
 * Return: the next @due, or 0 if the event exceeds the limit.
 */
static inline __u64 etw_rate_next(__u64 due, __u64 now, __u64 rate, __u64 burst, __u32 size)
{
	__u64 cost = rate * ((size + ETW_RATE_BYTES - 1) / ETW_RATE_BYTES);

	if (due <= now)
		return now + cost;
	return due + cost <= now + burst ? due + cost : 0;
}

#endif /* ETW_RATE_H */
