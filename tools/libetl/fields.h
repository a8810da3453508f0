/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The decoded fields of an event. */
#ifndef ETW_FIELDS_H
#define ETW_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_FIELDS	256
/* A record of 64 KiB in hexadecimal, or of UTF-16, and some more */
#define FIELD_TEXT	0x24000

enum field_kind {
	FIELD_UNSIGNED,
	FIELD_SIGNED,
	FIELD_HEX,
	FIELD_STRING,
	FIELD_LIST,	/* numbers in @string, with blanks between them */
	FIELD_REAL,
	FIELD_TIME,	/* FILETIME in @number */
};

/**
 * struct field - one
 * @name: of it
 * @kind: which of the others it has
 * @string: with a zero behind it
 * @size: FIELD_STRING: bytes; a string with a length field may contain zeros
 */
struct field {
	const char *name;
	enum field_kind kind;
	uint64_t number;
	double real;
	const char *string;
	size_t size;
};

/**
 * struct fields - what a decoder found
 * @count: number of fields
 * @used: bytes of @text
 * @truncated: the payload lacked bytes that a field needed, or more fields than there is room
 * @field: in the order of the payload
 * @text: their strings
 */
struct fields {
	unsigned int count;
	size_t used;
	bool truncated;
	struct field field[MAX_FIELDS];
	char text[FIELD_TEXT];
};

void fields_reset(struct fields *fields);
void fields_unsigned(struct fields *fields, const char *name, uint64_t value);
void fields_signed(struct fields *fields, const char *name, int64_t value);
void fields_hex(struct fields *fields, const char *name, uint64_t value);
void fields_time(struct fields *fields, const char *name, uint64_t filetime);
void fields_string(struct fields *fields, const char *name, const char *value);
void fields_utf16(struct fields *fields, const char *name, const uint8_t *at, size_t bytes);
void fields_utf32(struct fields *fields, const char *name, const uint8_t *at, size_t bytes);
void fields_bytes(struct fields *fields, const char *name, const uint8_t *at, size_t bytes);
void fields_dump(struct fields *fields, const char *name, const uint8_t *at, size_t bytes);
void fields_real(struct fields *fields, const char *name, double value);
/* A list, and then its members */
void fields_list(struct fields *fields, const char *name);
void fields_list_hex(struct fields *fields, uint64_t value);
void fields_list_unsigned(struct fields *fields, uint64_t value);
void fields_list_signed(struct fields *fields, int64_t value);
void fields_list_real(struct fields *fields, double value);
/* A copy of a name out of the trace, valid as long as the fields are */
const char *fields_name(struct fields *fields, const char *prefix, const uint8_t *at,
			size_t bytes);
const struct field *fields_find(const struct fields *fields, const char *name);

#endif /* ETW_FIELDS_H */
