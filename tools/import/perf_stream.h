/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The records of perf.data, by time. */
#ifndef ETW_IMPORT_PERF_STREAM_H
#define ETW_IMPORT_PERF_STREAM_H

#include "perf_sample.h"

struct perf_pending;
struct perf_unpack;

/**
 * struct perf_part - a further file of records, without a header
 * @name: for messages
 * @bytes: its contents
 * @size: bytes of them
 */
struct perf_part {
	const char *name;
	const uint8_t *bytes;
	uint64_t size;
};

/**
 * struct perf_stream - records that are read
 * @file: from where
 * @record: gets each record, by time; records without a time at once. Return: 0 or -1
 * @progress: called between records with the offset in the file; may be NULL
 * @context: for both
 * @parts: further files; then all records are sorted at once, and memory holds their places
 * @part_count: number of them
 * @mapped: the file is mapped: memory need not hold what is read
 * @dropped: pages before this offset are dropped
 * @pending: records that wait for older ones
 * @count: number of them
 * @after_lost: the last one is a PERF_RECORD_LOST
 * @room: of @pending
 * @limit: records up to this time go at the next end of a round
 * @newest: latest time
 * @sent: latest time of a record that @record got
 * @late: records that came behind a newer one
 * @unreadable: damaged records: their values do not fit into them
 * @unpacked: bytes of decompressed records in memory
 * @unpack: perf_unpack.c: what decompression needs
 */
struct perf_stream {
	struct perf_file *file;
	int (*record)(void *context, const struct perf_record *record);
	void (*progress)(void *context, uint64_t at);
	void *context;
	const struct perf_part *parts;
	size_t part_count;
	bool mapped;
	uint64_t dropped;
	struct perf_pending *pending;
	size_t count;
	bool after_lost;
	size_t room;
	uint64_t limit;
	uint64_t newest;
	uint64_t sent;
	uint64_t late;
	uint64_t unreadable;
	uint64_t unpacked;
	struct perf_unpack *unpack;
};

/**
 * struct perf_chunk - decompressed records
 * @users: records in it that wait, and the reader while it reads
 * @size: bytes
 * @bytes: records
 */
struct perf_chunk {
	size_t users;
	size_t size;
	uint8_t bytes[];
};

/* Reads all of the file. A damaged part is reported. Return: 0; -1 after a message */
int perf_stream_read(struct perf_stream *stream);

/*
 * perf_unpack.c: the records of a PERF_USER_COMPRESSED or PERF_USER_COMPRESSED2, behind a part
 * of one from before. Return: NULL after a message
 */
struct perf_chunk *perf_unpack(struct perf_stream *stream, const struct perf_record *record);
/* The last bytes of the chunk are a part of a record. Return: 0, or -1 after a message */
int perf_unpack_keep(struct perf_stream *stream, const uint8_t *bytes, size_t size);
void perf_unpack_end(struct perf_stream *stream);

#endif /* ETW_IMPORT_PERF_STREAM_H */
