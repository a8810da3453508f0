/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* perf.data: header, attributes, features. */
#ifndef ETW_IMPORT_PERF_FILE_H
#define ETW_IMPORT_PERF_FILE_H

#include <linux/perf_event.h>
#include "trace_formats.h"

/* Records that perf itself writes, behind those of the kernel */
enum perf_user_record {
	PERF_USER_ATTR = 64,
	PERF_USER_EVENT_TYPE,
	PERF_USER_TRACING_DATA,
	PERF_USER_BUILD_ID,
	PERF_USER_FINISHED_ROUND,
	PERF_USER_ID_INDEX,
	PERF_USER_AUXTRACE_INFO,
	PERF_USER_AUXTRACE,
	PERF_USER_AUXTRACE_ERROR,
	PERF_USER_THREAD_MAP,
	PERF_USER_CPU_MAP,
	PERF_USER_STAT_CONFIG,
	PERF_USER_STAT,
	PERF_USER_STAT_ROUND,
	PERF_USER_EVENT_UPDATE,
	PERF_USER_TIME_CONV,
	PERF_USER_FEATURE,
	PERF_USER_COMPRESSED,
	PERF_USER_FINISHED_INIT,
	PERF_USER_COMPRESSED2,
};

/* Bits of the header's features */
enum perf_feature {
	PERF_FEATURE_TRACING_DATA = 1,
	PERF_FEATURE_BUILD_ID = 2,
	PERF_FEATURE_HOSTNAME = 3,
	PERF_FEATURE_OSRELEASE = 4,
	PERF_FEATURE_ARCH = 6,
	PERF_FEATURE_NRCPUS = 7,
	PERF_FEATURE_TOTAL_MEM = 10,
	PERF_FEATURE_CMDLINE = 11,
	PERF_FEATURE_EVENT_DESC = 12,
	PERF_FEATURE_DIR_FORMAT = 24,
	PERF_FEATURE_COMPRESSED = 27,
	PERF_FEATURE_CLOCK_DATA = 29,
};

#define PERF_BUILD_ID	20
/* Room for a text of the header; a host name of Linux has 64 bytes at most */
#define PERF_TEXT	65

/**
 * struct perf_kind - one event that perf recorded
 * @attr: perf_event_attr, with zeros behind what the file has
 * @name: as perf prints it; "" if the file does not contain it
 */
struct perf_kind {
	struct perf_event_attr attr;
	char name[128];
};

/**
 * struct perf_build_id - of a file
 * @id: @size bytes
 * @size: 0: unknown
 */
struct perf_build_id {
	uint8_t id[PERF_BUILD_ID];
	uint8_t size;
};

/**
 * struct perf_file - perf.data in memory
 * @name: for messages
 * @bytes: its contents
 * @size: bytes of them
 * @piped: written to a pipe: records contain what the header of a file contains
 * @data: offset of the records
 * @data_end: their end
 * @unclosed: perf did not finish the file
 * @several: other files have further records
 * @filtered: perf's options may have left out events of a processor
 * @kinds: events by index
 * @count: number of them
 * @ids: index in @kind_of by id
 * @kind_of: index in @kinds
 * @ids_known: number of elements in @kind_of
 * @formats: tracepoints
 * @files: index in @build_ids by hash of the file name
 * @build_ids: of files
 * @build_ids_known: number of them
 * @processors: the machine has; 0: unknown
 * @online: number of them that were in use; 0: unknown
 * @memory_kb: of the machine; 0: unknown
 * @machine: its architecture, as uname -m prints it; empty: unknown
 * @host: its name; empty: unknown
 * @has_clock: the following three are known
 * @clock: CLOCK_*
 * @wall: CLOCK_REALTIME, ns
 * @clock_time: @clock at the same moment, ns
 */
struct perf_file {
	const char *name;
	const uint8_t *bytes;
	uint64_t size;
	bool piped;
	uint64_t data;
	uint64_t data_end;
	bool unclosed;
	bool several;
	bool filtered;
	struct perf_kind *kinds;
	size_t count;
	struct map ids;
	uint32_t *kind_of;
	size_t ids_known;
	struct trace_formats formats;
	struct map files;
	struct perf_build_id *build_ids;
	size_t build_ids_known;
	uint32_t processors;
	uint32_t online;
	uint64_t memory_kb;
	char machine[PERF_TEXT];
	char host[PERF_TEXT];
	bool has_clock;
	uint32_t clock;
	uint64_t wall;
	uint64_t clock_time;
};

/* All of these print what is wrong. Return: 0 or -1 */
int perf_file_open(struct perf_file *file, const char *name, const uint8_t *bytes,
		   uint64_t size);
/* An attribute of @size bytes and the ids behind it, at @at of the file */
int perf_file_add_kind(struct perf_file *file, const uint8_t *attr, uint32_t size,
		       struct piece ids, uint64_t at);
/* perf_features.c: what a section of the header, or a record of a piped file, contains */
int perf_file_feature(struct perf_file *file, unsigned int feature, struct piece *piece,
		      uint64_t at);
/* perf_features.c: a record of type PERF_USER_BUILD_ID. Return: 0, or -1: no memory */
int perf_file_build_id(struct perf_file *file, const uint8_t *record, uint32_t size);
/* perf_features.c: the build-id of the file @id, of PERF_BUILD_ID bytes at most */
int perf_file_set_id(struct perf_file *file, const char *name, const uint8_t *id, uint8_t size);
/* perf_features.c: reads the sections behind the records */
int perf_file_features(struct perf_file *file, const uint8_t *bits);
/* NULL: unknown */
const struct perf_build_id *perf_file_id_of(const struct perf_file *file, const char *name);
void perf_file_close(struct perf_file *file);

#endif /* ETW_IMPORT_PERF_FILE_H */
