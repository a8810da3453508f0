// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Paths and the socket address of a system call, as the kernel copied them. */
#include <stdlib.h>
#include <string.h>
#include "call_paths.h"

/* What tracefs has of a string that it cannot fetch */
#define FAULT	"(fault)"

/* Numbers of a list in text; further ones are left out */
static void take_list(struct call_paths *call, const struct field *list)
{
	const char *at = list->string;
	char *end;

	for (; call->nr_arguments < CALL_ARGUMENTS; at = end) {
		call->arguments[call->nr_arguments] = strtoull(at, &end, 0);
		if (end == at)
			break;
		call->nr_arguments++;
	}
}

static bool is_common(const char *name)
{
	return !strncmp(name, "common_", strlen("common_"));
}

void call_paths_begin(struct call_paths *call, const struct fields *fields, const char *number)
{
	const struct field *field = fields->field;
	const struct field *end = field + fields->count;

	*call = (struct call_paths){ };
	for (; field < end; field++) {
		if (!strcmp(field->name, number))
			continue;
		if (field->kind == FIELD_LIST)
			take_list(call, field);
		else if (field->kind != FIELD_STRING && !is_common(field->name) &&
			 call->nr_arguments < CALL_ARGUMENTS)
			call->arguments[call->nr_arguments++] = field->number;
	}
}

/* Index of the argument with the path's address; CALL_ARGUMENTS: none */
static unsigned int place_of(const struct call_paths *call, const struct field *address)
{
	unsigned int i;

	for (i = 0; address && i < call->nr_arguments; i++)
		if (address->number == call->arguments[i])
			return i;
	return CALL_ARGUMENTS;
}

/* The kernel may copy the second path first. What follows two paths is none of the call. */
static int add(struct call_paths *call, const char *text, unsigned int place)
{
	char *copy;

	/* the kernel copies a path again if it tries the call again */
	if (call->second || (call->path && place != CALL_ARGUMENTS && place == call->place))
		return 0;
	copy = strdup(text);
	if (!copy)
		return -1;
	if (call->path && place < call->place) {
		call->second = call->path;
		call->path = copy;
		call->place = place;
	} else if (call->path) {
		call->second = copy;
	} else {
		call->path = copy;
		call->place = place;
	}
	return 0;
}

int call_paths_note(struct call_paths *call, const struct fields *fields)
{
	const struct field *path = fields_find(fields, "name");

	if (!path || path->kind != FIELD_STRING || !strcmp(path->string, FAULT))
		return 0;
	return add(call, path->string, place_of(call, fields_find(fields, "at")));
}

/* The address comes as 16-bit numbers: tracefs has no array of more than 64 elements */
bool call_address_text(const struct fields *fields, char to[SOCKET_ADDRESS_TEXT])
{
	const struct field *list = fields_find(fields, "address");
	const struct field *length = fields_find(fields, "length");
	uint8_t address[SOCKET_ADDRESS];
	size_t size = 0;
	const char *at;
	uint16_t part;
	char *end;

	if (!list || list->kind != FIELD_LIST || !length || (int32_t)length->number <= 0)
		return false;
	for (at = list->string; size + sizeof(part) <= sizeof(address); at = end) {
		part = strtoul(at, &end, 0);
		if (end == at)
			break;
		memcpy(address + size, &part, sizeof(part));
		size += sizeof(part);
	}
	/* what is behind the address is not the program's */
	if (length->number < size)
		size = length->number;
	return socket_address_text(address, size, to)[0];
}

int call_paths_note_address(struct call_paths *call, const struct fields *fields)
{
	char text[SOCKET_ADDRESS_TEXT];

	if (call->path || !call_address_text(fields, text))
		return 0;
	call->path = strdup(text);
	call->place = CALL_ARGUMENTS;
	call->is_address = true;
	return call->path ? 0 : -1;
}

void call_paths_free(struct call_paths *call)
{
	free(call->path);
	free(call->second);
	call->path = NULL;
	call->second = NULL;
}
