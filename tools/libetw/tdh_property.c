// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* TdhGetPropertySize, TdhGetProperty. */
#include <stdlib.h>
#include <string.h>
#include "tdh_private.h"

static ULONG find(PEVENT_RECORD event, ULONG steps, PPROPERTY_DATA_DESCRIPTOR path,
		  struct tdh_value *value)
{
	struct tdh_info info;
	ULONG err, i;

	if (!event || !path || !steps)
		return ERROR_INVALID_PARAMETER;
	for (i = 0; i < steps; i++)
		if (!path[i].PropertyName)
			return ERROR_INVALID_PARAMETER;
	err = tdh_describe(event, &info);
	if (err)
		return err;
	err = tdh_find(event, &info, path, steps, value);
	free(info.bytes);
	return err;
}

/**
 * TdhGetPropertySize() - bytes of a field of an event
 * @Event: the event
 * @TdhContextCount: not used
 * @TdhContext: not used
 * @PropertyDataCount: names of @PropertyData: of a structure and of its member, or of a field
 * @PropertyData: names, and the index in an array; ULONG_MAX: the whole array
 * @PropertySize: out: bytes, a string's terminator and a count before it included
 *
 * Return: ERROR_SUCCESS; ERROR_NOT_FOUND: the event is unknown, or has no such field;
 * ERROR_EVT_INVALID_EVENT_DATA: the payload ends before the end of the field;
 * ERROR_INVALID_PARAMETER; ERROR_OUTOFMEMORY.
 */
ULONG TdhGetPropertySize(PEVENT_RECORD Event, ULONG TdhContextCount, PTDH_CONTEXT TdhContext,
			 ULONG PropertyDataCount, PPROPERTY_DATA_DESCRIPTOR PropertyData,
			 ULONG *PropertySize)
{
	struct tdh_value value;
	ULONG err;

	(void)TdhContextCount;
	(void)TdhContext;
	if (!PropertySize)
		return ERROR_INVALID_PARAMETER;
	err = find(Event, PropertyDataCount, PropertyData, &value);
	if (!err)
		*PropertySize = value.size;
	return err;
}

/**
 * TdhGetProperty() - the bytes of a field of an event
 * @Event: the event
 * @TdhContextCount: not used
 * @TdhContext: not used
 * @PropertyDataCount: see TdhGetPropertySize()
 * @PropertyData: see there
 * @BufferSize: bytes at @Buffer
 * @Buffer: out
 *
 * Return: as TdhGetPropertySize(); ERROR_INSUFFICIENT_BUFFER.
 */
ULONG TdhGetProperty(PEVENT_RECORD Event, ULONG TdhContextCount, PTDH_CONTEXT TdhContext,
		     ULONG PropertyDataCount, PPROPERTY_DATA_DESCRIPTOR PropertyData,
		     ULONG BufferSize, PBYTE Buffer)
{
	struct tdh_value value;
	ULONG err;

	(void)TdhContextCount;
	(void)TdhContext;
	err = find(Event, PropertyDataCount, PropertyData, &value);
	if (err)
		return err;
	if (BufferSize < value.size)
		return ERROR_INSUFFICIENT_BUFFER;
	if (!Buffer)
		return ERROR_INVALID_PARAMETER;
	if (value.size)
		memcpy(Buffer, value.at, value.size);
	return ERROR_SUCCESS;
}
