/* SPDX-License-Identifier: GPL-2.0 */
/* Layouts of payloads as tables, and the walk over a payload by one. */
#ifndef ETW_LAYOUT_H
#define ETW_LAYOUT_H

#include "cursor.h"

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
 * @size: bytes, for the kinds that have no size of their own
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
#define F_POINTERS(name)	{ name, FORM_POINTERS, 0, NULL, NULL }
#define F_NUMBERS(name, bytes)	{ name, FORM_NUMBERS, bytes, NULL, NULL }
#define F_STRINGS(name)		{ name, FORM_STRINGS, 0, NULL, NULL }
#define F_MAY_END		{ NULL, FORM_MAY_END, 0, NULL, NULL }
#define F_CALL(function)	{ NULL, FORM_CALL, 0, NULL, function }
#define F_END			{ NULL, FORM_END, 0, NULL, NULL }

/**
 * struct layout - the payload of an event
 * @hook_id: group and type; classes that have no group: see events of guids.h
 * @from: first version
 * @to: last version
 * @forms: its fields
 */
struct layout {
	uint16_t hook_id;
	uint8_t from;
	uint8_t to;
	const struct form *forms;
};

void layout_walk(const struct form *forms, struct cursor *cursor);
/* NULL when nobody knows the payload */
const struct layout *layout_find(uint16_t hook_id, uint8_t version);

/* The tables; each ends with one that has no forms */
extern const struct layout layouts_header[], layouts_process[], layouts_thread[],
	layouts_disk[], layouts_memory[], layouts_file[], layouts_network[], layouts_perf[],
	layouts_config[], layouts_other[];
/* Of 0x0525, packed in a way of its own */
extern const struct form layout_switch_batch[];

#endif /* ETW_LAYOUT_H */
