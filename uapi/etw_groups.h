/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* Group masks, which enable kernel events; each event's own bits are in events/. */
#ifndef _UAPI_ETW_GROUPS_H
#define _UAPI_ETW_GROUPS_H

#include <linux/types.h>
#include "etw_format.h"

/*
 * A group mask value names an element (top three bits) and bits in it (low
 * 29). EnableFlags are element 0; some of them are aliases of bits in other
 * elements (kernel-events.rst 1.5).
 */
#define ETW_MASKS			8
#define PERF_MASK_INDEX(value)		((__u32)(value) >> 29)
#define PERF_MASK_BITS(value)		((__u32)(value) & 0x1FFFFFFF)

/* Flags that belong to no event */
#define EVENT_TRACE_FLAG_DRIVER		0x00800000U
/* the one bit of element 0 that Windows leaves unused: for test sources, in any session */
#define EVENT_TRACE_FLAG_TEST		0x08000000U
#define EVENT_TRACE_FLAG_NO_SYSCONFIG	0x10000000U
#define EVENT_TRACE_FLAG_ENABLE_RESERVE	0x20000000U
#define EVENT_TRACE_FLAG_FORWARD_WMI	0x40000000U
#define EVENT_TRACE_FLAG_EXTENSION	0x80000000U

/**
 * struct perfinfo_groupmask - PERFINFO_GROUPMASK
 * @masks: each holds the low 29 bits of the PERF_ values with its index
 */
struct perfinfo_groupmask {
	__u32 masks[ETW_MASKS];
};

ETW_ASSERT_SIZE(struct perfinfo_groupmask, 0x20);

#endif /* _UAPI_ETW_GROUPS_H */
