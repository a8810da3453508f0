/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A stream that has an end, into one closed file. */
#ifndef ETW_STREAM_COPY_H
#define ETW_STREAM_COPY_H

#include "writer.h"

/**
 * struct stream_copy - a copy under way
 * @writer: the file
 * @buffer: one of the stream
 * @size: bytes of it
 * @buffers: read
 * @events: in them
 * @header: what the stream said of itself
 * @only_what_fits: read a buffer only if the file has room for it: the rest stays in the stream
 * @count_left: is called when that ends the copy; adds what stays to writer.unwritten
 * @progress: is called after each buffer, and at the end with @last; may be NULL
 * @summary: is called when all went well; may be NULL
 */
struct stream_copy {
	struct writer writer;
	uint8_t *buffer;
	uint32_t size;
	uint64_t buffers;
	uint64_t events;
	struct final_header header;
	bool only_what_fits;
	void (*count_left)(struct stream_copy *copy);
	void (*progress)(const struct stream_copy *copy, bool last);
	void (*summary)(const struct stream_copy *copy);
};

/* All say what went wrong. "-" is standard output. Return: 0 or -1 */
int stream_copy_open(struct stream_copy *copy, const char *path);
void stream_copy_abandon(struct stream_copy *copy);
/* Reads to the end and closes the file. Return: 0 or -1 */
int stream_copy_run(struct stream_copy *copy, int stream);

#endif /* ETW_STREAM_COPY_H */
