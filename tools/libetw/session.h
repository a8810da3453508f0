/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Sessions as EVENT_TRACE_PROPERTIES, and as the module describes them. */
#ifndef LIBETW_SESSION_H
#define LIBETW_SESSION_H

#include <signal.h>
#include "libetl/descriptor.h"
#include "libetw.h"

/* UTF-8 of the longest names; private_control() asks for 1024 at least */
#define SESSION_NAME_TEXT	1024
#define FILE_NAME_TEXT		(3 * ETW_MAX_LOG_FILE_NAME + 1)

/* Bytes of a block: the module returns no larger one, and programs have no Linux events */
#define BLOCK_BYTES		0x10000

/* Dwords of an extension: no larger one fits into a block */
#define EXTENSION_DWORDS	(BLOCK_BYTES / 4)
/* What we may put behind them */
#define MORE_DWORDS		4

/**
 * struct properties - a caller's EVENT_TRACE_PROPERTIES, in our memory
 * @at: where they are
 * @wide: its names are UTF-16, not UTF-8
 * @fixed: the fixed part
 * @name: LoggerName
 * @file: LogFileName
 * @nr_dwords: entries of @dwords; 0: EnableFlags are flags
 * @dwords: what EnableFlags point at
 */
struct properties {
	EVENT_TRACE_PROPERTIES *at;
	bool wide;
	EVENT_TRACE_PROPERTIES fixed;
	char name[SESSION_NAME_TEXT];
	char file[FILE_NAME_TEXT];
	uint32_t nr_dwords;
	uint32_t dwords[EXTENSION_DWORDS + MORE_DWORDS];
};

/*
 * properties.c. All return Win32 codes. properties_new() is ERROR_BAD_LENGTH for
 * a block that is too small; names are read when @names says so.
 */
ULONG properties_new(EVENT_TRACE_PROPERTIES *at, bool wide, bool names,
		     struct properties **properties);
/* The fixed part and what there is room for of the names, else ERROR_MORE_DATA */
ULONG properties_put(struct properties *properties);
/*
 * START, before there is something to undo: ERROR_BAD_LENGTH without room for LoggerName. The
 * file name is the caller's own; its absolute path is returned if there is room.
 */
ULONG properties_check(const struct properties *properties);
/* A name that is a parameter; NULL is "" */
ULONG name_in(const void *from, bool wide, char to[SESSION_NAME_TEXT]);

/**
 * struct block - a WMI_LOGGER_INFORMATION and what follows it
 * @size: bytes used
 * @info: fixed part
 * @bytes: all of it
 */
struct block {
	uint32_t size;
	union {
		struct wmi_logger_information info;
		uint8_t bytes[BLOCK_BYTES];
	};
};

/* block.c. For START; ERROR_INVALID_PARAMETER when it can't be said; adds to the dwords */
ULONG block_of(struct properties *properties, struct block *block);
/* For UPDATE: sets the events of the properties in the result of QUERY */
ULONG block_set_events(struct block *block, const struct properties *properties);
/* For UPDATE: another name; ERROR_INVALID_PARAMETER if the name is too long */
ULONG block_set_file(struct block *block, const char *file);
/* What the module says of a session, names included */
void block_to_properties(const struct block *block, struct properties *properties);
void block_text(const struct block *block, const struct etw_unicode_string *string, char *to,
		uint32_t room);
/* extension.c. Dwords to the item of that type, in @dwords that begin with a header; or 0 */
uint32_t extension_find(const uint32_t *dwords, uint32_t count, uint32_t type);
/* Appends an item. Return: dwords then, or 0: it would be too many */
uint32_t extension_add(uint32_t *dwords, uint32_t count, uint32_t type, const uint32_t *item,
		       uint32_t item_dwords);
/* The block's own one: a copy of it. Return: dwords; 0: there is none, of this form */
uint32_t extension_of(const struct block *block, uint32_t *dwords);
/* An extension that says the same as these flags. Return: dwords */
uint32_t extension_of_flags(uint32_t flags, uint32_t *dwords);
/* That of the block, or of its flags. Return: dwords; 0: it has another form */
uint32_t extension_of_block(const struct block *block, uint32_t *dwords);
/* Return: dwords without the item of that type */
uint32_t extension_remove(uint32_t *dwords, uint32_t count, uint32_t type);
/* Behind all that is there */
ULONG extension_put(struct block *block, const uint32_t *dwords, uint32_t count, uint32_t length);

/*
 * private_items.c. ERROR_INVALID_PARAMETER, or what the module's parser finds, for an extension
 * that the private logger can't heed; of another one the flags in it become EnableFlags
 */
ULONG private_items(struct properties *properties);

bool is_kernel_session(const EVENT_TRACE_PROPERTIES *fixed);
bool block_has_kernel_events(const struct block *block);

/* profile_settings.c: the sampled profile of kernel sessions that this process starts */
/* Whether the module has the source, the timer included */
bool profile_is_source(uint32_t source);
void profile_limits(uint32_t source, uint32_t *least, uint32_t *most, uint32_t *usual);
/* The value that was set, or the default. @source: profile_is_source() */
uint32_t profile_interval(uint32_t source);
/* Both return Win32 codes */
ULONG profile_set_interval(uint32_t source, uint32_t interval);
ULONG profile_set_sources(const uint32_t *sources, uint32_t count);
/* Whether profile_add() has something to add */
bool profile_is_set(void);
/* Adds the items that are missing. Return: dwords then; 0: they would be too many */
uint32_t profile_add(uint32_t *dwords, uint32_t count);

/* goal.c: what the session's reader has to read, until it has what is in buffers now */
struct goal;
/* Return: NULL without memory, or without the session */
struct goal *goal_set(uint32_t id);
/* Whether all was read, or nothing more will be */
bool goal_is_reached(struct goal *goal);
/* That were read, when the goal was last looked at */
uint64_t goal_buffers(const struct goal *goal);
uint64_t goal_bytes(const struct goal *goal);
int kernel_flush(uint32_t id);

/*
 * flush_trace.c. On return what was flushed is in the session's file, if it has one; in that of
 * another process, as soon as that process has written what it read
 */
ULONG flush_into_file(uint32_t id, const struct block *block);

/**
 * struct provider_settings - how a session enables a provider, or not
 * @code: EVENT_CONTROL_CODE_*
 * @level: for the callback, and for events with keywords
 * @any: MatchAnyKeyword; its lower half are the flags of RegisterTraceGuids()
 * @all: MatchAllKeyword
 * @properties: ETW_ENABLE_*; of a private session only IGNORE_KEYWORD_0
 * @filter: filters of events with keywords, or NULL; of a private session at most one, by name
 * @nr_filters: entries of @filter
 */
struct provider_settings {
	ULONG code;
	uint8_t level;
	uint64_t any;
	uint64_t all;
	uint32_t properties;
	const struct etw_event_filter *filter;
	uint32_t nr_filters;
};

/* enable.c. Both return Win32 codes */
ULONG enable_provider(TRACEHANDLE handle, const GUID *control_guid,
		      const struct provider_settings *settings);
/* All entries of ETW_IOC_PROVIDERS, to be freed; those of a GUID are neighbours */
ULONG list_providers(struct etw_provider_info **infos, uint32_t *count);

/* kernel.c: the module's sessions. Negative errnos */
int kernel_query(uint32_t id, struct block *block);
int kernel_stop(uint32_t id, bool discard);
int kernel_list(uint64_t *loggers);
/* control_trace.c: a block of QUERY with changes. Return: a Win32 code */
ULONG kernel_update(uint32_t id, struct block *block);
/* Return: logger id, or -ENOENT */
int kernel_find(const char *name);
/* Its node, which may take a moment to be there. Return: a descriptor */
int kernel_open_stream(uint32_t id);

/**
 * struct logfile - the start of a session with a file, which the process etw-writer writes
 * @socket: to the writer
 * @what: @socket is
 * @signals: that were blocked before
 */
struct logfile {
	int socket;
	struct descriptor what;
	sigset_t signals;
};

/*
 * logfile.c. With ERROR_SUCCESS of logfile_open(), logfile_run() or logfile_abandon() must
 * follow in the same thread. All of these but logfile_abandon() return Win32 codes.
 */
ULONG logfile_open(const struct properties *properties, struct logfile *file);
/* The file is as it was */
void logfile_abandon(struct logfile *file);
/* Ends @file in any case; on return the writer reads the session. With an error nothing reads it */
ULONG logfile_run(struct logfile *file, uint32_t id);
/* A stream that has an end, into one closed file */
ULONG logfile_save(int stream, const char *path);
ULONG logfile_error(int err);
/* Others are to find the file, and this process may change its folder */
ULONG logfile_make_absolute(char file[FILE_NAME_TEXT]);

/*
 * writer_client.c: the writer of a session that any process started. A descriptor, or -1: the
 * session has no etw-writer, or that writer does not accept this process.
 */
int writer_connect(uint32_t id, const struct block *block);
/* Until the events that were logged before are in the old file, and the new file has begun */
ULONG writer_change_file(int writer, const char *path);
/* To be called before the session is stopped. Return: false: the writer has ended */
bool writer_request(int writer, uint64_t bytes);
/* Whether the writer has sent something, for which nothing was asked: the file takes no more */
bool writer_has_failed(int writer);
/* Until that many bytes of the session's stream are in the file, or the file has failed */
ULONG writer_wait_written(int writer, uint64_t bytes);
/*
 * The stream of a session in real time with a file, for one more consumer. @block: NULL without
 * the right to query. Return: a descriptor, or -errno; -ECONNREFUSED: the session has no such
 * writer; -EBUSY: the writer does not run.
 */
int writer_open_stream(uint32_t id, const struct block *block);
/* Adds to the result of QUERY what only the writer knows: RealTimeBuffersLost */
void writer_add_counts(uint32_t id, struct block *block);
/* After writer_request(WRITER_END): until the file is complete. @block: the final numbers */
ULONG writer_wait_end(int writer, struct block *block);

#endif /* LIBETW_SESSION_H */
