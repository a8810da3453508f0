/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Writes the records of several traces as the buffers of one. */
#ifndef ETW_BUFFER_WRITER_H
#define ETW_BUFFER_WRITER_H

#include "trace.h"

/* As Windows marks such files */
#define EVENT_TRACE_RELOG_MODE		0x00010000u
/* In our files: sessions stand one after another, see writer_append.h */
#define EVENT_TRACE_FILE_MODE_APPEND	0x00000004u

/* Bytes of buffers that are being filled: 512 KiB at least of the largest one of 2048 */
#ifndef MERGING_HELD
#define MERGING_HELD		(1ull << 30)
#endif

/**
 * struct merging_cpu - the buffer of a processor that is being filled
 * @bytes: NULL before its first record; no more than its records need
 * @room: for records and header in @bytes
 * @end: of what is in it; 0: it is to be begun
 * @flags: what was lost, of the buffers that its records come from
 * @lost: flags of the source's buffer that the next record comes from, besides its own
 */
struct merging_cpu {
	uint8_t *bytes;
	uint32_t room;
	uint32_t end;
	uint16_t flags;
	uint16_t lost;
};

/**
 * struct merging - a file that is being written
 * @name: of the file
 * @fd: of the file
 * @size: of its buffers
 * @logger: session number of the first file
 * @at: where the next buffer goes
 * @buffers: written so far
 * @read: buffers of the sources that records were taken from
 * @last: time of the last record, as the merge knows it
 * @last_flags: of the last buffer
 * @session: what marks the loss records that come next; NULL: they stay as they are
 * @cpu: ETL_PROCESSORS of them
 * @held: bytes that these have, MERGING_HELD at most
 * @fill: what stands behind a buffer's records, @size bytes
 */
struct merging {
	const char *name;
	int fd;
	uint32_t size;
	uint16_t logger;
	uint64_t at;
	uint64_t buffers;
	uint64_t read;
	uint64_t last;
	uint16_t last_flags;
	const struct etw_guid *session;
	struct merging_cpu *cpu;
	uint64_t held;
	uint8_t *fill;
};

/* Bytes that the largest buffer of them has */
uint32_t merging_size(const struct trace *traces, int count);
/* All return 0, or -1 after a message. The place of the header is left free. */
int merging_open(struct merging *merging, const char *name, uint32_t size, uint16_t logger);
/* What comes from here on, of one of the files, is in another of its buffers. */
int merging_begin_buffer(struct merging *merging, const struct etl_buffer *buffer);
int merging_add(struct merging *merging, const struct etl_buffer *buffer,
		const struct etl_record *record);
/* The buffers that are left, and then the header buffer */
int merging_finish(struct merging *merging, const struct trace *traces, int count);
/* Closes the file; with @failed nothing of it stays. */
int merging_close(struct merging *merging, bool failed);

#endif /* ETW_BUFFER_WRITER_H */
