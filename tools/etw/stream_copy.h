/* SPDX-License-Identifier: GPL-2.0 */
/* A stream that has an end, into one closed file. */
#ifndef ETW_STREAM_COPY_H
#define ETW_STREAM_COPY_H

#include "../libetl/writer.h"

/**
 * struct saving - a copy under way
 * @writer: the file
 * @quiet: no progress, no summary
 * @buffer: one of the stream
 * @size: bytes of it
 * @buffers: read
 * @events: in them
 * @header: what the stream said of itself
 */
struct saving {
	struct writer writer;
	bool quiet;
	uint8_t *buffer;
	uint32_t size;
	uint64_t buffers;
	uint64_t events;
	struct closing header;
};

/* All print what went wrong. "-" is standard output. Return: 0 or -1 */
int saving_open(struct saving *saving, const char *path);
void saving_abandon(struct saving *saving);
/* Reads to the end and closes the file. Return: exit code */
int saving_run(struct saving *saving, int stream);

#endif /* ETW_STREAM_COPY_H */
