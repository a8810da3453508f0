/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Writes messages in the wire format of Protocol Buffers. */
#ifndef ETW_PROTOBUF_H
#define ETW_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROTOBUF_DEPTH	8

/**
 * struct protobuf - a message that is being written
 * @bytes: of it; malloc()ed
 * @used: bytes so far
 * @room: bytes that @bytes has room for
 * @open: where the lengths of the messages stand that are not closed
 * @depth: of them
 * @no_memory: something is missing: there was no memory, or a message is too long
 *
 * The length of a message stands before it and takes 4 bytes, because it is not known before the
 * message is complete. A message is shorter than PROTOBUF_MOST bytes.
 */
struct protobuf {
	uint8_t *bytes;
	size_t used;
	size_t room;
	size_t open[PROTOBUF_DEPTH];
	unsigned int depth;
	bool no_memory;
};

#define PROTOBUF_MOST	(1u << 28)

/* @field: its number */
void protobuf_number(struct protobuf *to, unsigned int field, uint64_t value);
void protobuf_signed(struct protobuf *to, unsigned int field, int64_t value);
void protobuf_real(struct protobuf *to, unsigned int field, double value);
void protobuf_bytes(struct protobuf *to, unsigned int field, const void *bytes, size_t size);
void protobuf_string(struct protobuf *to, unsigned int field, const char *text);
/* A message in the message, up to its end */
void protobuf_begin(struct protobuf *to, unsigned int field);
void protobuf_end(struct protobuf *to);
void protobuf_free(struct protobuf *protobuf);

#endif /* ETW_PROTOBUF_H */
