// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* EVENT_TRACE_PROPERTIES: the caller's into ours, and back. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/text.h"
#include "session.h"

#define FIXED	sizeof(EVENT_TRACE_PROPERTIES)

static size_t unit_of(bool wide)
{
	return wide ? sizeof(WCHAR) : 1;
}

/* @bytes: with a terminator among them. Return: 0, or -E2BIG */
static int to_text(const uint8_t *bytes, bool wide, char *to, size_t room)
{
	size_t units = 0;

	if (!wide) {
		if (strlen((const char *)bytes) >= room)
			return -E2BIG;
		strcpy(to, (const char *)bytes);
		return 0;
	}
	while (bytes[2 * units] || bytes[2 * units + 1])
		units++;
	/* at most three bytes a unit */
	if (3 * units >= room)
		return -E2BIG;
	text_from_utf16(bytes, 2 * units, to, room);
	return 0;
}

ULONG name_in(const void *from, bool wide, char to[SESSION_NAME_TEXT])
{
	uint8_t bytes[2 * SESSION_NAME_TEXT];
	int err;

	to[0] = 0;
	if (!from)
		return ERROR_SUCCESS;
	err = etw_copy_string(bytes, from, SESSION_NAME_TEXT * unit_of(wide), unit_of(wide));
	if (!err)
		err = to_text(bytes, wide, to, SESSION_NAME_TEXT);
	return err == -E2BIG ? ERROR_INVALID_PARAMETER : etw_error(err);
}

/* Offset 0: there is no name */
static bool is_inside(const EVENT_TRACE_PROPERTIES *fixed, ULONG offset)
{
	return !offset || (offset >= FIXED && offset < fixed->Wnode.BufferSize);
}

static ULONG take_name(const struct properties *properties, ULONG offset, char *to, size_t room)
{
	size_t unit = unit_of(properties->wide), left;
	uint8_t bytes[2 * FILE_NAME_TEXT];
	int err;

	to[0] = 0;
	if (!offset)
		return ERROR_SUCCESS;
	left = properties->fixed.Wnode.BufferSize - offset;
	if (left > room * unit)
		left = room * unit;
	err = etw_copy_string(bytes, (const char *)properties->at + offset, left / unit * unit,
			      unit);
	if (!err)
		err = to_text(bytes, properties->wide, to, room);
	return err == -E2BIG ? ERROR_INVALID_PARAMETER : etw_error(err);
}

/* EnableFlags as TRACE_ENABLE_FLAG_EXTENSION: dwords somewhere in the block */
static ULONG take_extension(struct properties *properties)
{
	struct trace_enable_flag_ext_header header;
	struct trace_enable_flag_extension extension;
	uint32_t end = properties->fixed.Wnode.BufferSize, count;
	const char *from;
	int err;

	if (!(properties->fixed.EnableFlags & EVENT_TRACE_FLAG_EXTENSION))
		return ERROR_SUCCESS;
	memcpy(&extension, &properties->fixed.EnableFlags, sizeof(extension));
	from = (const char *)properties->at + extension.offset;
	count = extension.length;
	if (extension.flag != ETW_EXT_FLAG || extension.offset < FIXED ||
	    extension.offset + sizeof(header) > end)
		return ERROR_INVALID_PARAMETER;
	if (count == ETW_EXT_ITEMS) {
		err = etw_copy_in(&header, from, sizeof(header));
		if (err)
			return etw_error(err);
		count = header.length;
	}
	if (!count || count > EXTENSION_DWORDS || extension.offset + 4 * count > end)
		return ERROR_INVALID_PARAMETER;
	err = etw_copy_in(properties->dwords, from, 4 * count);
	properties->nr_dwords = count;
	return etw_error(err);
}

static ULONG take(struct properties *properties, bool names)
{
	EVENT_TRACE_PROPERTIES *fixed = &properties->fixed;
	ULONG error = etw_error(etw_copy_in(fixed, properties->at, sizeof(*fixed)));

	if (error)
		return error;
	if (fixed->Wnode.BufferSize < FIXED)
		return ERROR_BAD_LENGTH;
	if (!is_inside(fixed, fixed->LoggerNameOffset) ||
	    !is_inside(fixed, fixed->LogFileNameOffset))
		return ERROR_INVALID_PARAMETER;
	if (!names)
		return ERROR_SUCCESS;
	error = take_name(properties, fixed->LogFileNameOffset, properties->file,
			  sizeof(properties->file));
	return error ? error : take_extension(properties);
}

ULONG properties_new(EVENT_TRACE_PROPERTIES *at, bool wide, bool names,
		     struct properties **result)
{
	struct properties *properties;
	ULONG error;

	if (!at)
		return ERROR_INVALID_PARAMETER;
	properties = calloc(1, sizeof(*properties));
	if (!properties)
		return ERROR_NOT_ENOUGH_MEMORY;
	properties->at = at;
	properties->wide = wide;
	error = take(properties, names);
	if (error) {
		free(properties);
		return error;
	}
	*result = properties;
	return ERROR_SUCCESS;
}

/* Up to where the other name begins, or the block ends. */
static uint32_t room_at(const struct properties *properties, ULONG offset, ULONG other)
{
	uint32_t end = properties->fixed.Wnode.BufferSize;

	if (other > offset && other < end)
		end = other;
	return end - offset;
}

/* @write: else only whether it could be put there */
static ULONG put_name(const struct properties *properties, ULONG offset, ULONG other,
		      const char *text, bool write)
{
	uint16_t units[FILE_NAME_TEXT];
	const void *from = text;
	size_t bytes = strlen(text) + 1;

	if (!offset)
		return ERROR_SUCCESS;
	if (properties->wide) {
		bytes = text_to_utf16(text, units, FILE_NAME_TEXT - 1);
		units[bytes] = 0;
		bytes = 2 * (bytes + 1);
		from = units;
	}
	if (bytes > room_at(properties, offset, other))
		return ERROR_MORE_DATA;
	if (!write)
		return ERROR_SUCCESS;
	return etw_error(etw_copy_out((char *)properties->at + offset, from, bytes));
}

/* Both, if there is room for one only */
static ULONG put_names(const struct properties *properties)
{
	const EVENT_TRACE_PROPERTIES *fixed = &properties->fixed;
	ULONG name = put_name(properties, fixed->LoggerNameOffset, fixed->LogFileNameOffset,
			      properties->name, true);
	ULONG file = put_name(properties, fixed->LogFileNameOffset, fixed->LoggerNameOffset,
			      properties->file, true);

	return name ? name : file;
}

ULONG properties_check(const struct properties *properties)
{
	const EVENT_TRACE_PROPERTIES *fixed = &properties->fixed;
	ULONG error = put_name(properties, fixed->LoggerNameOffset, fixed->LogFileNameOffset,
			       properties->name, false);

	return error == ERROR_MORE_DATA ? ERROR_BAD_LENGTH : error;
}

ULONG properties_put(struct properties *properties)
{
	ULONG error = etw_error(etw_copy_out(properties->at, &properties->fixed,
					     sizeof(properties->fixed)));

	return error ? error : put_names(properties);
}
