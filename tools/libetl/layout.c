// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Walks a payload by its layout. */
#include <string.h>
#include "cursor.h"
#include "layout.h"

static void take_named(struct cursor *cursor, const struct form *form)
{
	uint64_t value = take(cursor, form->size);
	const char *text = form->name_of(value);

	if (text)
		fields_string(cursor->fields, form->name, text);
	else
		fields_unsigned(cursor->fields, form->name, value);
}

static int64_t take_signed(struct cursor *cursor, uint32_t bytes)
{
	uint64_t value = take(cursor, bytes);
	unsigned int unused = 64 - 8 * bytes;

	return (int64_t)(value << unused) >> unused;
}

/* Four characters, or what stands for them */
static void take_tag(struct cursor *cursor, const char *name)
{
	uint32_t value = take(cursor, 4), i;
	char text[5] = "";

	for (i = 0; i < 4; i++) {
		text[i] = value >> 8 * i;
		if (text[i] < ' ' || text[i] > '~')
			text[i] = '.';
	}
	fields_string(cursor->fields, name, text);
}

static void take_strings(struct cursor *cursor, const char *name)
{
	while (cursor->left >= 2)
		take_utf16(cursor, name);
}

static void take_port(struct cursor *cursor, const char *name)
{
	uint16_t port = take(cursor, 2);

	fields_unsigned(cursor->fields, name, (uint16_t)(port << 8 | port >> 8));
}

static void take_number(struct cursor *cursor, const struct form *form)
{
	switch (form->kind) {
	case FORM_UNSIGNED:
		U(form->name, form->size);
		break;
	case FORM_SIGNED:
		fields_signed(cursor->fields, form->name, take_signed(cursor, form->size));
		break;
	case FORM_HEX:
		X(form->name, form->size);
		break;
	case FORM_POINTER:
		X(form->name, cursor->pointer);
		break;
	case FORM_SIZE:
		U(form->name, cursor->pointer);
		break;
	case FORM_NAMED:
		take_named(cursor, form);
		break;
	case FORM_LEB:
		fields_unsigned(cursor->fields, form->name, take_leb(cursor));
		break;
	case FORM_LEB_HEX:
		fields_hex(cursor->fields, form->name, take_leb(cursor));
		break;
	case FORM_PORT:
		take_port(cursor, form->name);
		break;
	case FORM_TAG:
		take_tag(cursor, form->name);
		break;
	case FORM_TIME:
		fields_time(cursor->fields, form->name, take(cursor, form->size));
		break;
	default:
		skip(cursor, form->size);
		break;
	}
}

static void take_form(struct cursor *cursor, const struct form *form)
{
	switch (form->kind) {
	case FORM_UTF16:
		take_utf16(cursor, form->name);
		break;
	case FORM_BYTES:
		take_bytes(cursor, form->name);
		break;
	case FORM_COUNTED:
		take_counted(cursor, form->name);
		break;
	case FORM_ARRAY:
		take_array(cursor, form->name, form->size);
		break;
	case FORM_TOKEN:
		take_token_sid(cursor, form->name);
		break;
	case FORM_ADDRESS4:
		take_address4(cursor, form->name);
		break;
	case FORM_ADDRESS6:
		take_address6(cursor, form->name);
		break;
	case FORM_GUID:
		take_guid(cursor, form->name);
		break;
	case FORM_POINTERS:
		take_list(cursor, form->name, cursor->pointer);
		break;
	case FORM_NUMBERS:
		take_list(cursor, form->name, form->size);
		break;
	case FORM_STRINGS:
		take_strings(cursor, form->name);
		break;
	case FORM_CALL:
		form->call(cursor);
		break;
	default:
		take_number(cursor, form);
		break;
	}
}

void layout_walk(const struct form *forms, struct cursor *cursor)
{
	for (; forms->kind != FORM_END; forms++) {
		if (forms->kind == FORM_MAY_END && !cursor->left)
			return;
		if (forms->kind != FORM_MAY_END)
			take_form(cursor, forms);
	}
}

uint16_t form_bytes(const struct form *form, uint8_t pointer)
{
	switch (form->kind) {
	case FORM_POINTER:
	case FORM_SIZE:
		return pointer;
	case FORM_ARRAY:
		return 2 * form->size;
	case FORM_ADDRESS4:
		return 4;
	case FORM_ADDRESS6:
	case FORM_GUID:
		return 16;
	case FORM_NUMBERS:
		return 0;
	default:
		return form->size;
	}
}

bool form_place(const struct form *forms, const char *name, uint8_t pointer,
		struct form_place *place)
{
	uint16_t at = 0, bytes;

	for (; forms && forms->kind != FORM_END; forms++) {
		if (forms->kind == FORM_MAY_END)
			continue;
		bytes = form_bytes(forms, pointer);
		if (forms->name && !strcmp(forms->name, name)) {
			*place = (struct form_place){ .at = at, .bytes = bytes };
			return true;
		}
		if (!bytes)
			return false;
		at += bytes;
	}
	return false;
}
