/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Layouts of payloads as tables, and the walk over a payload by one. */
#ifndef ETW_LAYOUT_H
#define ETW_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cursor;

enum form_kind {
	FORM_END,
	FORM_UNSIGNED,
	FORM_SIGNED,
	FORM_HEX,
	FORM_POINTER,	/* hexadecimal, as wide as a pointer */
	FORM_SIZE,	/* decimal, as wide as a pointer */
	FORM_NAMED,	/* a number that @name_of has names for */
	FORM_SKIP,
	FORM_UTF16,
	FORM_BYTES,	/* 8-bit string */
	FORM_ARRAY,	/* UTF-16 in @size units */
	FORM_TOKEN,	/* SID */
	FORM_ADDRESS4,
	FORM_ADDRESS6,
	FORM_PORT,	/* in network byte order */
	FORM_GUID,
	FORM_TAG,	/* 4 characters */
	FORM_TIME,	/* FILETIME */
	FORM_LEB,	/* ULEB128 */
	FORM_LEB_HEX,
	FORM_COUNTED,	/* UTF-8 behind its length in 16 bits */
	FORM_POINTERS,	/* all that follows */
	FORM_NUMBERS,	/* all that follows, @size bytes each */
	FORM_STRINGS,	/* all that follows: UTF-16 */
	FORM_MAY_END,	/* what follows is not in all payloads of this version */
	FORM_CALL,
};

/**
 * struct form - a field
 * @name: the published one
 * @kind: what it is
 * @size: bytes, for the kinds that have no size of their own; FORM_CALL: 0: they vary
 * @name_of: FORM_NAMED
 * @call: FORM_CALL
 */
struct form {
	const char *name;
	enum form_kind kind;
	uint16_t size;
	const char *(*name_of)(unsigned int value);
	void (*call)(struct cursor *cursor);
};

/* Their short hands, for the tables */
#define F_U(name, bytes)	{ name, FORM_UNSIGNED, bytes, NULL, NULL }
#define F_S(name, bytes)	{ name, FORM_SIGNED, bytes, NULL, NULL }
#define F_X(name, bytes)	{ name, FORM_HEX, bytes, NULL, NULL }
#define F_P(name)		{ name, FORM_POINTER, 0, NULL, NULL }
#define F_SIZE(name)		{ name, FORM_SIZE, 0, NULL, NULL }
#define F_NAMED(name, bytes, of) { name, FORM_NAMED, bytes, of, NULL }
#define F_SKIP(bytes)		{ NULL, FORM_SKIP, bytes, NULL, NULL }
#define F_UTF16(name)		{ name, FORM_UTF16, 0, NULL, NULL }
#define F_BYTES(name)		{ name, FORM_BYTES, 0, NULL, NULL }
#define F_ARRAY(name, units)	{ name, FORM_ARRAY, units, NULL, NULL }
#define F_TOKEN(name)		{ name, FORM_TOKEN, 0, NULL, NULL }
#define F_IP4(name)		{ name, FORM_ADDRESS4, 0, NULL, NULL }
#define F_IP6(name)		{ name, FORM_ADDRESS6, 0, NULL, NULL }
#define F_PORT(name)		{ name, FORM_PORT, 2, NULL, NULL }
#define F_GUID(name)		{ name, FORM_GUID, 0, NULL, NULL }
#define F_TAG(name)		{ name, FORM_TAG, 4, NULL, NULL }
#define F_TIME(name)		{ name, FORM_TIME, 8, NULL, NULL }
#define F_LEB(name)		{ name, FORM_LEB, 0, NULL, NULL }
#define F_LEB_HEX(name)		{ name, FORM_LEB_HEX, 0, NULL, NULL }
#define F_COUNTED(name)		{ name, FORM_COUNTED, 0, NULL, NULL }
#define F_POINTERS(name)	{ name, FORM_POINTERS, 0, NULL, NULL }
#define F_NUMBERS(name, bytes)	{ name, FORM_NUMBERS, bytes, NULL, NULL }
#define F_STRINGS(name)		{ name, FORM_STRINGS, 0, NULL, NULL }
#define F_MAY_END		{ NULL, FORM_MAY_END, 0, NULL, NULL }
#define F_CALL(function)	{ NULL, FORM_CALL, 0, NULL, function }
#define F_FIXED(function, bytes) { NULL, FORM_CALL, bytes, NULL, function }
#define F_END			{ NULL, FORM_END, 0, NULL, NULL }

void layout_walk(const struct form *forms, struct cursor *cursor);

/* If pointers have @pointer bytes; 0: they vary */
uint16_t form_bytes(const struct form *form, uint8_t pointer);

/**
 * struct form_place - where a field stands
 * @at: offset in the payload
 * @bytes: 0: they vary
 */
struct form_place {
	uint16_t at;
	uint16_t bytes;
};

/*
 * Where the field stands if pointers have @pointer bytes. @forms may be NULL.
 * Return: false: there is none, or what varies is before it
 */
bool form_place(const struct form *forms, const char *name, uint8_t pointer,
		struct form_place *place);

#endif /* ETW_LAYOUT_H */
