/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* TRACE_ENABLE_FLAG_EXTENSION: the extension that EnableFlags can point at, and its items. */
#ifndef _UAPI_ETW_EXTENSION_H
#define _UAPI_ETW_EXTENSION_H

#include <linux/types.h>
#include "etw_format.h"

/**
 * struct trace_enable_flag_extension - overlays EnableFlags (format.rst 6.6)
 * @offset: bytes from the start of the containing structure to an array of
 *	dwords; any alignment
 * @length: dwords of the array of group masks (the form of 5.1); or
 *	ETW_EXT_ITEMS: the array is a struct trace_enable_flag_ext_header
 *	and items (6.0 and later)
 * @flag: ETW_EXT_FLAG
 */
struct trace_enable_flag_extension {
	__u16 offset;
	__u8 length;
	__u8 flag;
};

ETW_ASSERT_SIZE(struct trace_enable_flag_extension, 4);
#define ETW_EXT_ITEMS		0xFF
/* The high byte of EVENT_TRACE_FLAG_EXTENSION; no use of other bits is known */
#define ETW_EXT_FLAG		0x80

/**
 * struct trace_enable_flag_ext_header - first dword of the array of items
 * @length: dwords of the array, this one included
 * @items: number of items
 */
struct trace_enable_flag_ext_header {
	__u16 length;
	__u16 items;
};

ETW_ASSERT_SIZE(struct trace_enable_flag_ext_header, 4);

/**
 * struct trace_enable_flag_ext_item - first dword of each item
 * @offset: dwords from this item to the next, or to the end of the array: the
 *	item's length, this dword included
 * @type: ETW_EXT_*; each at most once
 */
struct trace_enable_flag_ext_item {
	__u16 offset;
	__u16 type;
};

ETW_ASSERT_SIZE(struct trace_enable_flag_ext_item, 4);

/* Windows' types */
#define ETW_EXT_ENABLE_FLAGS		0x0001	/* 1 to 8 dwords: struct perfinfo_groupmask */
#define ETW_EXT_PIDS			0x0002	/* process ids; 4: all kernel threads */
#define ETW_EXT_STACKWALK_FILTER	0x0003	/* hook ids */
#define ETW_EXT_POOLTAG_FILTER		0x0004	/* pool tags */
#define ETW_EXT_STACK_CACHING		0x0005	/* struct etw_stack_caching_config */

/*
 * Our own items, for settings that Windows has elsewhere or lacks (format.rst
 * 6.10). Only this project has the last seven.
 */
#define ETW_EXT_VND_PMC_COUNTERS	0x8001	/* struct etw_ext_counter, n times */
#define ETW_EXT_VND_PMC_HOOKS		0x8002	/* hook ids that carry the counters */
#define ETW_EXT_VND_PEBS_EVENT		0x8003	/* one hook id; 0: off */
#define ETW_EXT_VND_SAMPLE_INTERVAL	0x8004	/* struct etw_ext_interval, n times */
#define ETW_EXT_VND_SAMPLE_SOURCES	0x8005	/* profile sources to sample by overflow */
#define ETW_EXT_VND_BUFFER_SETTINGS	0x8006	/* struct etw_ext_buffers */
#define ETW_EXT_VND_CLOCK		0x8007	/* one dword: ETW_CLOCK_* */
#define ETW_EXT_VND_COUNTER_NAMES	0x8008	/* count, then UTF-16 strings with NUL */
#define ETW_EXT_VND_FILTER_OPTIONS	0x8009	/* one dword: ETW_FILTER_* */
#define ETW_EXT_VND_HOOK_FILTER		0x800A	/* hook ids: only these are recorded */
#define ETW_EXT_VND_CONSUMER		0x800B	/* struct etw_ext_consumer */
#define ETW_EXT_VND_PROVIDER_UIDS	0x800C	/* users with programs that may write */
#define ETW_EXT_VND_PROVIDER_GIDS	0x800D	/* groups with programs that may write */
#define ETW_EXT_VND_COUNTER_ATTRS	0x800E	/* struct etw_ext_counter_attr, n times */

#define ETW_EXT_VND_PROVIDER_OPTIONS	0x800F	/* struct etw_ext_provider_options */
#define ETW_EXT_VND_LINUX_EVENTS	0x8010	/* struct etw_ext_linux_event, n times */

/* Of struct etw_ext_provider_options: events that a session accepts only with these flags */
#define ETW_PROVIDER_KERNEL_SESSION	0x1U	/* programs' events beside kernel events */
#define ETW_PROVIDER_TIMESTAMPS		0x2U	/* WNODE_FLAG_USE_TIMESTAMP */
#define ETW_PROVIDER_WNODES		0x4U	/* WNODE_FLAG_LOG_WNODE, rules of 5.0 */
#define ETW_PROVIDER_OPTIONS		0x7U

/* Of struct etw_ext_counter_attr */
#define ETW_COUNTER_EXCLUDE_USER	0x01U
#define ETW_COUNTER_EXCLUDE_KERNEL	0x02U
#define ETW_COUNTER_EXCLUDE_HV		0x04U
#define ETW_COUNTER_EXCLUDE_IDLE	0x08U
/* Only to be sampled: records do not contain this counter */
#define ETW_COUNTER_SAMPLE_ONLY		0x10U
/* When it samples: by PEBS, with one interrupt per record */
#define ETW_COUNTER_PRECISE		0x20U
#define ETW_COUNTER_FLAGS		0x3FU

/* With PIDS: also existing and future descendants */
#define ETW_FILTER_CHILDREN		0x1U
/* Exclude events that belong only to the process that started the session */
#define ETW_FILTER_EXCLUDE_SELF		0x2U

/* Limits, in entries */
#define ETW_MAX_PIDS			64
#define ETW_MAX_STACKWALK_FILTER	256
#define ETW_MAX_POOLTAG_FILTER		4
#define ETW_MAX_PMC_COUNTERS		7	/* limit of a record's header */
#define ETW_MAX_PMC_HOOKS		256
#define ETW_MAX_SAMPLE_INTERVALS	5
#define ETW_MAX_SAMPLE_SOURCES		4
#define ETW_MAX_HOOK_FILTER		256
#define ETW_MAX_PROVIDERS		16	/* of each kind */
#define ETW_MAX_COUNTER_NAMES		512	/* UTF-16 units of all, NULs included */
#define ETW_MAX_HOOK_GROUP		0x1E	/* high byte of a hook id */
#define ETW_MAX_STACK_CACHE		0x4000000	/* bytes */
#define ETW_MAX_STACK_BUCKETS		0x10000

/* KPROFILE_SOURCE: Windows' numbers of processor events (format.rst 6.9) */
#define ETW_PROFILE_SOURCE_TIME			0
#define ETW_PROFILE_SOURCE_TOTAL_ISSUES		2	/* instructions */
#define ETW_PROFILE_SOURCE_LOAD_INSTRUCTIONS	4
#define ETW_PROFILE_SOURCE_BRANCH_INSTRUCTIONS	6
#define ETW_PROFILE_SOURCE_DCACHE_MISSES	8
#define ETW_PROFILE_SOURCE_ICACHE_MISSES	9
#define ETW_PROFILE_SOURCE_CACHE_MISSES		10
#define ETW_PROFILE_SOURCE_BRANCH_MISPREDICTIONS 11
#define ETW_PROFILE_SOURCE_STORE_INSTRUCTIONS	12
#define ETW_PROFILE_SOURCE_TOTAL_CYCLES		19
#define ETW_PROFILE_SOURCE_DCACHE_ACCESSES	21
/* The first that is not Windows', and the last that a record can contain */
#define ETW_PROFILE_SOURCE_OWN			0x1000
#define ETW_PROFILE_SOURCE_MAX			0xFFFF

/* Intervals: of the timer in 100 ns, of all others in events */
#define ETW_MIN_TIMER_INTERVAL		200U		/* 20 us */
#define ETW_MAX_TIMER_INTERVAL		10000000U	/* 1 s */
#define ETW_DEFAULT_TIMER_INTERVAL	10000U		/* 1 ms, as Windows */
#define ETW_MIN_SOURCE_INTERVAL		100U
#define ETW_MAX_SOURCE_INTERVAL		0x7FFFFFFFU
#define ETW_DEFAULT_SOURCE_INTERVAL	65536U

/**
 * struct etw_stack_caching_config - ETW_STACK_CACHING_CONFIG
 * @cache_size: bytes
 * @bucket_count: hash buckets
 */
struct etw_stack_caching_config {
	__u32 cache_size;
	__u32 bucket_count;
};

/**
 * struct etw_ext_counter - a hardware or other counter
 * @profile_source: KPROFILE_SOURCE in records, unique. Windows defines
 *	ETW_PROFILE_SOURCE_*; from ETW_PROFILE_SOURCE_OWN on only this
 *	structure defines the meaning
 * @pmu_type: type of the perf event
 * @config_low: its config, low half
 * @config_high: its config, high half
 */
struct etw_ext_counter {
	__u32 profile_source;
	__u32 pmu_type;
	__u32 config_low;
	__u32 config_high;
};

/**
 * struct etw_ext_counter_attr - further attributes of a counter
 * @flags: ETW_COUNTER_*
 * @reserved: 0
 * @config1_low: config1 of the perf event, low half
 * @config1_high: its high half
 * @config2_low: config2 of the perf event, low half
 * @config2_high: its high half
 *
 * One for each counter, in the same order.
 */
struct etw_ext_counter_attr {
	__u32 flags;
	__u32 reserved;
	__u32 config1_low;
	__u32 config1_high;
	__u32 config2_low;
	__u32 config2_high;
};

/**
 * struct etw_ext_interval - sampling interval of a profile source
 * @profile_source: KPROFILE_SOURCE, unique; ETW_PROFILE_SOURCE_TIME: the timer;
 *	sources that do not sample are allowed
 * @interval: of the timer in 100 ns, ETW_MIN_TIMER_INTERVAL to
 *	ETW_MAX_TIMER_INTERVAL; of others in events, ETW_MIN_SOURCE_INTERVAL to
 *	ETW_MAX_SOURCE_INTERVAL
 *
 * 1 to ETW_MAX_SAMPLE_INTERVALS of them. The default is
 * ETW_DEFAULT_TIMER_INTERVAL or ETW_DEFAULT_SOURCE_INTERVAL.
 */
struct etw_ext_interval {
	__u32 profile_source;
	__u32 interval;
};

/**
 * struct etw_ext_buffers - buffer settings; 0 keeps the block's value
 * @buffer_size: KB
 * @minimum_buffers: of all CPUs together
 * @maximum_buffers: of all CPUs together
 * @flush_timer: ms
 * @flush_threshold: 0: not supported
 */
struct etw_ext_buffers {
	__u32 buffer_size;
	__u32 minimum_buffers;
	__u32 maximum_buffers;
	__u32 flush_timer;
	__u32 flush_threshold;
};

/**
 * struct etw_ext_consumer - owner and permissions of the session's node, its stream
 * @uid: owner
 * @gid: group
 * @mode: permissions, a subset of 0444
 */
struct etw_ext_consumer {
	__u32 uid;
	__u32 gid;
	__u32 mode;
};

/**
 * struct etw_ext_provider_options - rights and rate limit of programs in a session
 * @flags: ETW_PROVIDER_*
 * @rate_limit: events per second and user; a larger event counts as one per 256
 *	bytes. 0: ETW_DEFAULT_RATE_LIMIT if the session has kernel events or if
 *	users other than its owner may write, else none. ETW_NO_RATE_LIMIT: none
 */
struct etw_ext_provider_options {
	__u32 flags;
	__u32 rate_limit;
};

#define ETW_DEFAULT_RATE_LIMIT		10000U
#define ETW_MAX_RATE_LIMIT		100000000U
#define ETW_NO_RATE_LIMIT		0xFFFFFFFFU

ETW_ASSERT_SIZE(struct etw_ext_counter, 16);
ETW_ASSERT_SIZE(struct etw_ext_provider_options, 8);
ETW_ASSERT_SIZE(struct etw_ext_counter_attr, 24);
ETW_ASSERT_SIZE(struct etw_ext_buffers, 20);
ETW_ASSERT_SIZE(struct etw_ext_consumer, 12);

#endif /* _UAPI_ETW_EXTENSION_H */
