/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The settings of a START block, checked: pure, shared with tools and tests. */
#ifndef ETW_CONFIG_H
#define ETW_CONFIG_H

#include "items.h"

#define ETW_MIN_BUFFER_KB	4
#define ETW_MAX_BUFFER_KB	16384
#define ETW_DEFAULT_BUFFER_KB	64
#define ETW_DEFAULT_BUFFERS	16	/* per CPU */
#define ETW_MIN_BUFFERS		2	/* per CPU: one open, one at the reader */
#define ETW_MAX_BUFFERS		65536	/* of all CPUs together, so also of one */
#define ETW_MAX_FLUSH_MS	86400000U

/**
 * struct etw_settings - a complete, valid configuration
 * @buffer_size: bytes
 * @minimum_buffers: as given, of all CPUs; 0: as many as the maximum
 * @maximum_buffers: as given, of all CPUs; if only a minimum was given, the minimum;
 *	0: the default
 * @mode: EVENT_TRACE_*
 * @maximum_file_size: MB
 * @flush_ms: period, 0: none
 * @clock_type: ETW_CLOCK_*
 * @enable_flags: as given; element 0 of the masks with an extension
 * @kernel: a kernel session
 * @masks: what is enabled, aliases resolved
 * @guid: session GUID
 * @logger_name: UTF-16, NUL-terminated, not empty
 * @log_file_name: UTF-16, NUL-terminated
 * @items: items of the extension, if there is one
 */
struct etw_settings {
	__u32 buffer_size;
	__u32 minimum_buffers;
	__u32 maximum_buffers;
	__u32 mode;
	__u32 maximum_file_size;
	__u32 flush_ms;
	__u32 clock_type;
	__u32 enable_flags;
	int kernel;
	struct perfinfo_groupmask masks;
	struct etw_guid guid;
	__u16 logger_name[ETW_MAX_LOGGER_NAME + 1];
	__u16 log_file_name[ETW_MAX_LOG_FILE_NAME + 1];
	struct etw_items items;
};

int etw_config_parse(const void *block, __u32 size, struct etw_settings *settings,
		     struct etw_config_error *error);
int etw_config_check_sources(const struct etw_settings *settings, const struct etw_items *kept,
			     struct etw_config_error *error);
int etw_config_check_update(const struct etw_settings *now, const struct etw_settings *next,
			    struct etw_config_error *error);
int etw_config_takes_away(const struct etw_settings *now, const struct etw_settings *next);
int etw_config_check_processors(__u32 cpus);
__u32 etw_config_buffers_per_cpu(__u32 maximum_buffers, __u32 cpus);
int etw_config_masks(__u32 enable_flags, struct perfinfo_groupmask *masks);

#endif /* ETW_CONFIG_H */
