/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The ioctls of /dev/etw/control, with errors in words. */
#ifndef ETW_CONTROL_CALLS_H
#define ETW_CONTROL_CALLS_H

#include <stdbool.h>
#include <stdint.h>
#include "etw_abi.h"
#include "request.h"

#define ETW_CONTROL_NODE	"/dev/etw/control"
#define ETW_SESSION_NODE	"/dev/etw/session%u"

/* UTF-8 of the longest names */
#define LOGGER_NAME_TEXT	(3 * ETW_MAX_LOGGER_NAME + 1)
#define LOG_FILE_NAME_TEXT	(3 * ETW_MAX_LOG_FILE_NAME + 1)

/**
 * struct session_information - the result of QUERY
 * @info: fixed part
 * @name: LoggerName
 * @file: LogFileName
 * @masks: events, no aliases
 * @items: the extension, or nothing
 * @block: all of it, as it came
 */
struct session_information {
	struct wmi_logger_information info;
	char name[LOGGER_NAME_TEXT];
	char file[LOG_FILE_NAME_TEXT];
	struct perfinfo_groupmask masks;
	struct etw_items items;
	struct block block;
};

/* All of these print what went wrong. Return: a descriptor or 0, or -errno */
int control_open(void);
int control_start(int fd, const struct start_request *request, uint32_t *id);
int control_update(int fd, uint32_t id, const struct block *block);
int control_stop(int fd, uint32_t id, bool discard);
int control_flush(int fd, uint32_t id);
int control_snapshot(int fd, uint32_t id);
int control_enable(int fd, const struct etw_enable *enable);
int control_query(int fd, uint32_t id, struct session_information *session);
int control_statistics(int fd, uint32_t id, uint32_t cpu, struct etw_statistics *statistics);
int control_list(int fd, uint64_t *loggers);
/* The same without messages */
int control_try_query(int fd, uint32_t id, struct session_information *session);
int control_try_statistics(int fd, uint32_t id, uint32_t cpu, struct etw_statistics *statistics);
int control_try_counting(int fd, uint32_t id, uint32_t cpu, struct etw_counting *counting);
int control_try_rundown(int fd, uint32_t id);
/* The caller frees @info. @first: out: the module is older and knows level and flags only */
int control_try_providers(int fd, struct etw_provider_info **info, uint32_t *count, bool *first);
int control_try_log_record(int fd, uint32_t id, uint16_t hook_id, uint16_t version,
			   const void *payload, uint32_t size);

/* A session by number or name, for @verb; a name that looks like a number wins */
int control_find(int fd, const char *verb, const char *text, uint32_t *id);

/* It has kernel events */
bool session_is_kernel(const struct session_information *session);
uint64_t statistics_lost(const struct etw_statistics *statistics);

/* control_errors.c: print. Return: -@err */
int explain_block_error(const struct etw_control *control,
			const struct block *block, int err);
int explain_error(uint32_t id, int err);

/* filter_check.c: warns of processes in the filter that do not exist */
void filter_check(const char *verb, const struct etw_items *items);

/* sysconfig.c: disks and partitions into the stream; failures are warnings */
void sysconfig_log(int fd, uint32_t id);

#endif /* ETW_CONTROL_CALLS_H */
