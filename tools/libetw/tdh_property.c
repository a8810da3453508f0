// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* TdhGetPropertySize, TdhGetProperty. */
#include <stdlib.h>
#include <string.h>
#include "tdh_private.h"

/**
 * struct question - what the caller wants to know
 * @event: the event
 * @contexts: of the caller
 * @count: of these
 * @path: to the field
 * @steps: of it
 */
struct question {
	const EVENT_RECORD *event;
	const TDH_CONTEXT *contexts;
	ULONG count;
	const PROPERTY_DATA_DESCRIPTOR *path;
	ULONG steps;
};

/* @info: what @value may be in; the caller frees its bytes in any case */
static ULONG find(const struct question *question, struct tdh_info *info,
		  struct tdh_value *value)
{
	ULONG err, i;

	info->bytes = NULL;
	if (!question->event || !question->path || !question->steps)
		return ERROR_INVALID_PARAMETER;
	for (i = 0; i < question->steps; i++)
		if (!question->path[i].PropertyName)
			return ERROR_INVALID_PARAMETER;
	err = tdh_describe(question->event, question->count, question->contexts, info);
	if (err) {
		info->bytes = NULL;
		return err;
	}
	return tdh_find(question->event, info, question->path, question->steps, value);
}

static ULONG give(const struct tdh_value *value, ULONG room, PBYTE to)
{
	if (room < value->size)
		return ERROR_INSUFFICIENT_BUFFER;
	if (!to)
		return ERROR_INVALID_PARAMETER;
	if (value->size)
		memcpy(to, value->at, value->size);
	return ERROR_SUCCESS;
}

/**
 * TdhGetPropertySize() - bytes of a field of an event
 * @Event: the event
 * @TdhContextCount: see TdhGetEventInformation()
 * @TdhContext: see there
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
	const struct question question = {
		.event = Event, .contexts = TdhContext, .count = TdhContextCount,
		.path = PropertyData, .steps = PropertyDataCount,
	};
	struct tdh_value value;
	struct tdh_info info;
	ULONG err;

	if (!PropertySize)
		return ERROR_INVALID_PARAMETER;
	err = find(&question, &info, &value);
	if (!err)
		*PropertySize = value.size;
	free(info.bytes);
	return err;
}

/**
 * TdhGetProperty() - the bytes of a field of an event
 * @Event: the event
 * @TdhContextCount: see TdhGetEventInformation()
 * @TdhContext: see there
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
	const struct question question = {
		.event = Event, .contexts = TdhContext, .count = TdhContextCount,
		.path = PropertyData, .steps = PropertyDataCount,
	};
	struct tdh_value value;
	struct tdh_info info;
	ULONG err;

	err = find(&question, &info, &value);
	if (!err)
		err = give(&value, BufferSize, Buffer);
	free(info.bytes);
	return err;
}
