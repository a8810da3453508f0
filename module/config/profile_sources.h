/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* KPROFILE_SOURCE: perf's events and Windows' names: pure, shared with tools and tests. */
#ifndef ETW_PROFILE_SOURCES_H
#define ETW_PROFILE_SOURCES_H

#include "etw_extension.h"

/* Most units of a name, with its NUL */
#define ETW_PROFILE_SOURCE_UNITS	24

/**
 * struct etw_profile_event - the perf event that a source stands for
 * @type: of struct perf_event_attr
 * @config: of struct perf_event_attr
 */
struct etw_profile_event {
	__u32 type;
	__u64 config;
};

int etw_profile_source_event(__u32 source, struct etw_profile_event *event);
int etw_profile_source_known(__u32 source);
const char *etw_profile_source_name(__u32 source);
__u32 etw_profile_source_units(__u32 source, __u16 *to);

#endif /* ETW_PROFILE_SOURCES_H */
