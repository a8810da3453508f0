/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* Samples, and the configuration of counters; included by etw_hooks.h. */
#ifndef _UAPI_ETW_EVENTS_PROFILE_H
#define _UAPI_ETW_EVENTS_PROFILE_H

#include <linux/types.h>
#include "etw_format.h"

#define PERFINFO_LOG_TYPE_SAMPLED_PROFILE	0x0F2E
#define PERFINFO_LOG_TYPE_PMC_INTERRUPT		0x0F2F
#define PERFINFO_LOG_TYPE_PMC_CONFIG		0x0F30
#define PERFINFO_LOG_TYPE_SET_INTERVAL		0x0F48
#define PERFINFO_LOG_TYPE_COLLECTION_START	0x0F49
#define PERFINFO_LOG_TYPE_COLLECTION_END	0x0F4A

#define PERF_PROFILE			0x20000002U
#define PERF_PMC_PROFILE		0x20000400U

#define EVENT_TRACE_FLAG_PROFILE	0x01000000U

/**
 * struct perfinfo_sampled_profile - PERFINFO_SAMPLED_PROFILE_INFORMATION, payload
 *	of 0x0F2E version 2
 * @instruction_pointer: in the kernel only if the session shows addresses
 * @thread_id: the running thread; 0: idle
 * @count: 1
 * @flags: bit 0: in a softirq; bit 1: in an interrupt; bits 3 to 7: priority
 * @rank: 0
 */
struct perfinfo_sampled_profile {
	__u64 instruction_pointer;
	__u32 thread_id;
	__u16 count;
	__u8 flags;
	__u8 rank;
};

ETW_ASSERT_SIZE(struct perfinfo_sampled_profile, 0x10);
#define PERFINFO_SAMPLED_PROFILE_VERSION	2
#define PERFINFO_SAMPLE_DPC		0x01
#define PERFINFO_SAMPLE_ISR		0x02
#define PERFINFO_SAMPLE_PRIORITY_SHIFT	3

/**
 * struct perfinfo_pmc_sample - payload of 0x0F2F version 2
 * @instruction_pointer: see struct perfinfo_sampled_profile
 * @thread_id: the running thread
 * @profile_source: source of the counter that overflowed
 * @reserved: 0
 */
struct perfinfo_pmc_sample {
	__u64 instruction_pointer;
	__u32 thread_id;
	__u16 profile_source;
	__u16 reserved;
};

ETW_ASSERT_SIZE(struct perfinfo_pmc_sample, 0x10);
#define PERFINFO_PMC_SAMPLE_VERSION	2

/**
 * struct perfinfo_profile_interval - payload of 0x0F48 version 2, of 0x0F49, 0x0F4A version 3
 * @source: KPROFILE_SOURCE; 0: the timer
 * @new_interval: 100 ns for the timer, else events
 * @old_interval: in the unit of @new_interval
 *
 * In version 3 the source's name follows, UTF-16 with its terminator.
 */
struct perfinfo_profile_interval {
	__u32 source;
	__u32 new_interval;
	__u32 old_interval;
};

ETW_ASSERT_SIZE(struct perfinfo_profile_interval, 0x0C);
#define PERFINFO_SET_INTERVAL_VERSION		2
#define PERFINFO_PROFILE_INTERVAL_VERSION	3

/* Payload of 0x0F30: a dword with the count, then that many UTF-16 names */
#define PERFINFO_PMC_CONFIG_VERSION	2

#endif /* _UAPI_ETW_EVENTS_PROFILE_H */
