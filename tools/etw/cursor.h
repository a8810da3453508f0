/* SPDX-License-Identifier: GPL-2.0 */
/* Takes a payload apart, field by field. */
#ifndef ETW_CURSOR_H
#define ETW_CURSOR_H

#include "fields.h"

/* What is left of a payload; reading past its end gives zeros and says so. */
struct cursor {
	const uint8_t *at;
	uint32_t left;
	struct fields *fields;
};

uint64_t take(struct cursor *cursor, uint32_t bytes);
void skip(struct cursor *cursor, uint32_t bytes);
/* The string that begins here, up to its terminator or the end */
void take_utf16(struct cursor *cursor, const char *name);
/* A string in an array of fixed size */
void take_array(struct cursor *cursor, const char *name, uint32_t units);

/* In a function that has a cursor: the next field */
#define U(name, bytes)	fields_unsigned(cursor->fields, name, take(cursor, bytes))
#define X(name, bytes)	fields_hex(cursor->fields, name, take(cursor, bytes))
#define S8(name)	fields_signed(cursor->fields, name, (int8_t)take(cursor, 1))

/* decode_config.c */
void decode_cpu(struct cursor *cursor);
void decode_physical_disk(struct cursor *cursor);
void decode_logical_disk(struct cursor *cursor);
void decode_processor(struct cursor *cursor);

#endif /* ETW_CURSOR_H */
