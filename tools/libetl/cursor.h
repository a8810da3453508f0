/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Takes a payload apart, field by field. */
#ifndef ETW_CURSOR_H
#define ETW_CURSOR_H

#include "fields.h"

/**
 * struct cursor - what is left of a payload
 * @at: the next field
 * @left: bytes
 * @fields: where they are put
 * @pointer: bytes of a pointer
 * @sid: a SID follows even where its pointer is 0
 *
 * Reading past the end gives zeros and says so in @fields->truncated.
 */
struct cursor {
	const uint8_t *at;
	uint32_t left;
	struct fields *fields;
	uint8_t pointer;
	bool sid;
};

uint64_t take(struct cursor *cursor, uint32_t bytes);
void skip(struct cursor *cursor, uint32_t bytes);
/* What follows is not for people to read */
void skip_rest(struct cursor *cursor);
/* The string that begins here, up to its terminator or the end */
void take_utf16(struct cursor *cursor, const char *name);
void take_bytes(struct cursor *cursor, const char *name);
/* A number as ULEB128. One with more than 64 bits keeps its lower ones. */
uint64_t take_leb(struct cursor *cursor);
/* UTF-8 behind its length in 16 bits */
void take_counted(struct cursor *cursor, const char *name);
/* A string in an array of fixed size */
void take_array(struct cursor *cursor, const char *name, uint32_t units);
void take_guid(struct cursor *cursor, const char *name);
/* A SID, behind an image of TOKEN_USER or instead of one that is 0 */
void take_token_sid(struct cursor *cursor, const char *name);
/* A SID alone */
void take_sid(struct cursor *cursor, const char *name);
void take_address4(struct cursor *cursor, const char *name);
void take_address6(struct cursor *cursor, const char *name);
/* All that is left, as numbers of @bytes each */
void take_list(struct cursor *cursor, const char *name, uint32_t bytes);

/* In a function that has a cursor: the next field */
#define U(name, bytes)	fields_unsigned(cursor->fields, name, take(cursor, bytes))
#define X(name, bytes)	fields_hex(cursor->fields, name, take(cursor, bytes))

#endif /* ETW_CURSOR_H */
