/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* ENABLE and PROVIDERS: which events of a provider a session records, and what it adds to them. */
#ifndef _UAPI_ETW_ENABLE_H
#define _UAPI_ETW_ENABLE_H

#include <linux/types.h>
#include "etw_format.h"

/**
 * struct etw_event_filter - one filter of ENABLE, as EVENT_FILTER_DESCRIPTOR
 * @data: address
 * @size: bytes of the data, up to ETW_MAX_FILTER_SIZE; ETW_MAX_NAMES_SIZE for filters by name
 * @type: ETW_FILTER_*
 */
struct etw_event_filter {
	__u64 data;
	__u32 size;
	__u32 type;
};

ETW_ASSERT_SIZE(struct etw_event_filter, 16);
#define ETW_MAX_EVENT_FILTERS	13	/* each type once */
#define ETW_MAX_FILTER_SIZE	1024
#define ETW_MAX_NAMES_SIZE	4096
#define ETW_MAX_NAMES_BYTES	4076	/* without what precedes the names */
/* __u32[]: ids of processes that write the events, in the initial namespace */
#define ETW_FILTER_PID		0x80000004U
#define ETW_MAX_FILTER_PIDS	8
/*
 * Names, separated by ';', without a terminator: executable of the process that first
 * registered a provider through the open file, without its folders; only the first 111 bytes
 * of a name count
 */
#define ETW_FILTER_EXECUTABLE	0x80000008U
/* struct etw_filter_event_ids: the events that are recorded, or those that are not */
#define ETW_FILTER_EVENT_ID	0x80000200U
/* struct etw_filter_event_names: the events that are recorded, or those that are not, by name */
#define ETW_FILTER_EVENT_NAME	0x80000400U
/* struct etw_filter_event_ids: the events that have a stack, or those that have none */
#define ETW_FILTER_STACK	0x80001000U
/* struct etw_filter_event_names: likewise, by name */
#define ETW_FILTER_STACK_NAME	0x80002000U
/* struct etw_filter_level: likewise, by level and keywords */
#define ETW_FILTER_STACK_LEVEL	0x80004000U
#define ETW_MAX_FILTER_EVENTS	64

/**
 * struct etw_filter_event_ids - data of ETW_FILTER_EVENT_ID and ETW_FILTER_STACK
 * @in: 1: the events with these ids; 0: all others
 * @reserved: 0
 * @count: number of ids, up to ETW_MAX_FILTER_EVENTS
 * @ids: of the descriptor; the data end behind the last one
 */
struct etw_filter_event_ids {
	__u8 in;
	__u8 reserved;
	__u16 count;
	__u16 ids[ETW_MAX_FILTER_EVENTS];
};

ETW_ASSERT_OFFSET(struct etw_filter_event_ids, ids, 4);

/**
 * struct etw_filter_event_names - data of ETW_FILTER_EVENT_NAME and ETW_FILTER_STACK_NAME
 * @match_any: as in struct etw_enable
 * @match_all: as in struct etw_enable
 * @level: as in struct etw_enable
 * @in: 1: the events that meet these conditions and have one of the names; 0: all others
 * @count: number of names, 1 or more
 * @names: UTF-8, each with a terminator, none empty; the data end behind the last one
 *
 * An event has a name if its pieces of ETW_DATA_SCHEMA are TraceLogging metadata.
 */
struct etw_filter_event_names {
	__u64 match_any;
	__u64 match_all;
	__u8 level;
	__u8 in;
	__u16 count;
	__u8 names[ETW_MAX_NAMES_BYTES];
};

ETW_ASSERT_SIZE(struct etw_filter_event_names, ETW_MAX_NAMES_SIZE);
ETW_ASSERT_OFFSET(struct etw_filter_event_names, names, 20);

/**
 * struct etw_filter_level - data of ETW_FILTER_STACK_LEVEL
 * @match_any: as in struct etw_enable
 * @match_all: as in struct etw_enable
 * @level: as in struct etw_enable
 * @in: 1: the events that meet these conditions; 0: all others
 * @reserved: 0
 */
struct etw_filter_level {
	__u64 match_any;
	__u64 match_all;
	__u8 level;
	__u8 in;
	__u8 reserved[6];
};

ETW_ASSERT_SIZE(struct etw_filter_level, 24);

/**
 * struct etw_enable - argument of ENABLE: enable a provider for a session
 * @size: sizeof(struct etw_enable)
 * @logger_id: which session; running
 * @guid: control GUID; it need not be registered yet
 * @enabled: 1: enable; 0: disable; ETW_ENABLE_CAPTURE_STATE: ask providers for their state
 * @level: 0 to 255; of events with keywords: record events up to this level; 0: all levels
 * @enable_flags: the provider defines their meaning
 * @reserved: 0
 * @match_any: record events that have any of these keywords; 0: all keywords
 * @match_all: of these events, only those that have all of these keywords
 * @properties: ETW_ENABLE_*
 * @nr_filters: number of filters, up to ETW_MAX_EVENT_FILTERS; 0 unless @enabled is 1
 * @filters: address of struct etw_event_filter
 *
 * Providers that register with RegisterTraceGuids() see @level and @enable_flags. For
 * WRITE_EVENT the kernel compares @level and the keywords, and applies the filters: an event
 * is recorded if it meets all of them. An event without keywords has all of them, except with
 * ETW_ENABLE_IGNORE_KEYWORD_0. The first version of the structure ends before @match_any, the
 * second one before @filters, with @nr_filters 0.
 *
 * Errors: EINVAL, E2BIG, EFAULT, ENOENT (no such session; to disable or to ask for the state:
 * not enabled by it), EALREADY (stopped), ENOSPC (ETW_MAX_ENABLED by this session, or
 * ETW_MAX_LISTENERS of this GUID), ENOMEM, EOPNOTSUPP (unknown type of a filter).
 */
struct etw_enable {
	__u32 size;
	__u32 logger_id;
	struct etw_guid guid;
	__u32 enabled;
	__u32 level;
	__u32 enable_flags;
	__u32 reserved;
	__u64 match_any;
	__u64 match_all;
	__u32 properties;
	__u32 nr_filters;
	__u64 filters;
};

ETW_ASSERT_SIZE(struct etw_enable, 72);
ETW_ASSERT_OFFSET(struct etw_enable, match_any, 40);
ETW_ASSERT_OFFSET(struct etw_enable, filters, 64);
#define ETW_MAX_ENABLED		64	/* by one session */
#define ETW_MAX_LISTENERS	8	/* sessions that have one GUID enabled */
#define ETW_ENABLE_CAPTURE_STATE	2U
/* Add the user of the writing process: item ETW_EXTENDED_SID */
#define ETW_ENABLE_SID			0x1U
/* Add the user stack of the writing thread: item ETW_EXTENDED_STACK64 or _STACK32 */
#define ETW_ENABLE_STACK		0x4U
/* Record no events without keywords */
#define ETW_ENABLE_IGNORE_KEYWORD_0	0x10U
/* Add the key of the writing process: item ETW_EXTENDED_PROCESS_KEY */
#define ETW_ENABLE_PROCESS_KEY		0x80U
/* Add the container of the writing process, if it is in one: item ETW_EXTENDED_CONTAINER_ID */
#define ETW_ENABLE_CONTAINER_ID		0x800U
#define ETW_ENABLE_ITEMS	(ETW_ENABLE_SID | ETW_ENABLE_STACK | ETW_ENABLE_PROCESS_KEY | \
				 ETW_ENABLE_CONTAINER_ID)
#define ETW_ENABLE_PROPERTIES	(ETW_ENABLE_IGNORE_KEYWORD_0 | ETW_ENABLE_ITEMS)

/**
 * struct etw_provider_info - one entry of the result of PROVIDERS
 * @guid: control GUID
 * @registrations: number of registrations now
 * @logger_id: a session that has it enabled; 0: no session has
 * @level: as ENABLE gave it
 * @enable_flags: as ENABLE gave it
 * @match_any: as ENABLE gave it
 * @match_all: as ENABLE gave it
 * @properties: as ENABLE gave them
 * @filters: types of its filters, ETW_FILTER_*, joined by OR; 0: none
 *
 * The first version ends before @match_any.
 */
struct etw_provider_info {
	struct etw_guid guid;
	__u32 registrations;
	__u32 logger_id;
	__u32 level;
	__u32 enable_flags;
	__u64 match_any;
	__u64 match_all;
	__u32 properties;
	__u32 filters;
};

/**
 * struct etw_providers - argument of PROVIDERS: registered and enabled providers
 * @size: sizeof(struct etw_providers)
 * @count: in: entries at @providers; out: existing entries; a GUID has one entry
 *	for each session that enabled it, or one entry if no session did
 * @providers: address of struct etw_provider_info
 * @entry_size: bytes of an entry: sizeof(struct etw_provider_info), or 32, its first version
 * @reserved: 0
 *
 * The first version ends before @entry_size; it has entries of 32 bytes.
 *
 * Errors: EINVAL, E2BIG (also entries that are larger than the module's), EFAULT, ENOMEM.
 */
struct etw_providers {
	__u32 size;
	__u32 count;
	__u64 providers;
	__u32 entry_size;
	__u32 reserved;
};

ETW_ASSERT_SIZE(struct etw_provider_info, 56);
ETW_ASSERT_OFFSET(struct etw_provider_info, match_any, 32);
ETW_ASSERT_SIZE(struct etw_providers, 24);

#endif /* _UAPI_ETW_ENABLE_H */
