/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A real-time stream: bytes of a session in, records of all processors in the order of time out. */
#ifndef ETW_LIVE_STREAM_H
#define ETW_LIVE_STREAM_H

#include "libetl/losses.h"
#include "libetl/reader.h"

struct live_cpu;

/**
 * struct live_stream - a stream; all 0 at first
 * @log: header event, valid if @has_log
 * @has_log: the first buffer has come
 * @piece: the buffer that comes, whole or in part
 * @fill: bytes of it
 * @size: bytes of it when it is whole
 * @room: bytes that @piece has room for
 * @cpu: ETL_PROCESSORS of them; NULL for a processor without a buffer
 * @heap: processors that have a record, the oldest on top
 * @live: number of them
 * @waiting: bytes in buffers that wait
 * @limit: records up to this time may be delivered, valid if @has_limit
 * @has_limit: a flush of all processors was read
 * @ended: nothing more comes: all records may be delivered
 * @started: the record on top was delivered
 * @time: place in the order of time of the record that was delivered last
 * @gap: something was lost before the record that was delivered last
 * @damaged: bytes that could not be read
 * @losses: what loss records report
 */
struct live_stream {
	struct etl_logfile log;
	bool has_log;
	uint8_t *piece;
	uint32_t fill;
	uint32_t size;
	uint32_t room;
	struct live_cpu **cpu;
	void **heap;
	size_t live;
	uint64_t waiting;
	uint64_t limit;
	bool has_limit;
	bool ended;
	bool started;
	uint64_t time;
	bool gap;
	uint64_t damaged;
	struct losses losses;
};

/* The most that waits for a flush; then the order between processors is given up */
#define LIVE_MOST_WAITING	(64u << 20)

/* Return: 0, or -1 after a message */
int live_stream_begin(struct live_stream *stream);
/*
 * What was read, cut anywhere. live_stream_next() may only follow when nothing more is there
 * to be read, or when live_stream_is_full(). Return: 0, or -1 after a message
 */
int live_stream_put(struct live_stream *stream, const uint8_t *bytes, size_t count);
bool live_stream_is_full(const struct live_stream *stream);
/*
 * The next record from before the last flush, or any if the stream is full or has ended; valid
 * until the next call. Return: false: there is none
 */
bool live_stream_next(struct live_stream *stream, const struct etl_record **record,
		      const struct etl_buffer **buffer);
void live_stream_free(struct live_stream *stream);

#endif /* ETW_LIVE_STREAM_H */
