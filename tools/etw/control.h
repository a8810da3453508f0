/* SPDX-License-Identifier: GPL-2.0 */
/* The ioctls of /dev/etw/control, with errors in words. */
#ifndef ETW_CONTROL_H
#define ETW_CONTROL_H

#include <stdbool.h>
#include <stdint.h>
#include "etw_abi.h"

#define ETW_CONTROL_NODE	"/dev/etw/control"
#define ETW_SESSION_NODE	"/dev/etw/session%u"

/* UTF-8 of the longest names */
#define LOGGER_NAME_TEXT	(3 * ETW_MAX_LOGGER_NAME + 1)
#define LOG_FILE_NAME_TEXT	(3 * ETW_MAX_LOG_FILE_NAME + 1)

/**
 * struct start_request - what START is asked for
 * @name: LoggerName
 * @file: LogFileName, may be NULL
 * @buffer_kb: 0 for the default
 * @buffers: MaximumBuffers; 0 for the default
 * @mode: EVENT_TRACE_*
 * @flush_seconds: 0: none
 * @enable_flags: EVENT_TRACE_FLAG_*
 * @clock: ETW_CLOCK_*
 * @tied: the session ends with the descriptor
 */
struct start_request {
	const char *name;
	const char *file;
	uint32_t buffer_kb;
	uint32_t buffers;
	uint32_t mode;
	uint32_t flush_seconds;
	uint32_t enable_flags;
	uint32_t clock;
	bool tied;
};

/**
 * struct session_information - what QUERY tells
 * @info: fixed part
 * @name: LoggerName
 * @file: LogFileName
 */
struct session_information {
	struct wmi_logger_information info;
	char name[LOGGER_NAME_TEXT];
	char file[LOG_FILE_NAME_TEXT];
};

/* All of these print what went wrong. Return: a descriptor or 0, or -errno */
int control_open(void);
int control_start(int fd, const struct start_request *request, uint32_t *id);
int control_stop(int fd, uint32_t id, bool discard);
int control_flush(int fd, uint32_t id);
int control_query(int fd, uint32_t id, struct session_information *session);
int control_statistics(int fd, uint32_t id, uint32_t cpu, struct etw_statistics *statistics);
int control_list(int fd, uint64_t *loggers);
/* The same without messages */
int control_try_query(int fd, uint32_t id, struct session_information *session);
int control_try_statistics(int fd, uint32_t id, uint32_t cpu, struct etw_statistics *statistics);
int control_try_log_record(int fd, uint32_t id, uint16_t hook_id, uint16_t version,
			   const void *payload, uint32_t size);

/* A session by number or name; a name that looks like a number wins */
int control_find(int fd, const char *text, uint32_t *id);

uint64_t statistics_lost(const struct etw_statistics *statistics);

/* events.c */
/* Names joined by '+'. Return: false after telling which is unknown */
bool events_parse(const char *text, uint32_t *flags);
void events_list(void);
void events_text(uint32_t flags, char *to, uint32_t room);
bool clock_parse(const char *text, uint32_t *clock);

/* sysconfig.c: disks and partitions into the stream; failures are warnings */
void sysconfig_log(int fd, uint32_t id);

#endif /* ETW_CONTROL_H */
