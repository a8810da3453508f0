// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Finds a field of an event by the event's description. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "tdh_private.h"

/* Values, structures, and arrays without members: arrays of arrays could otherwise take hours */
#define MAX_STEPS	(1u << 20)
#define MAX_DEPTH	8

/**
 * struct tdh_walk - a payload, from field to field
 * @info: the description
 * @size: bytes of it
 * @at: the next value
 * @left: bytes from there
 * @pointer: bytes of a pointer
 * @numbers: by property: its value, which other properties may have as count or length
 * @path: to the wanted field, @steps names
 * @done: steps so far
 * @value: out
 * @found: it was there
 */
struct tdh_walk {
	const TRACE_EVENT_INFO *info;
	uint32_t size;
	const uint8_t *at;
	uint32_t left;
	uint8_t pointer;
	uint32_t *numbers;
	const PROPERTY_DATA_DESCRIPTOR *path;
	ULONG steps;
	uint32_t done;
	struct tdh_value *value;
	bool found;
};

static bool is_named(const struct tdh_walk *walk, uint32_t offset, ULONGLONG wanted)
{
	const char16_t *name = (const char16_t *)(uintptr_t)wanted;
	const uint8_t *bytes = (const uint8_t *)walk->info;
	uint32_t i;

	for (i = offset; offset && i + 2 <= walk->size; i += 2, name++) {
		if (get16(bytes + i) != *name)
			return false;
		if (!*name)
			return true;
	}
	return false;
}

static uint32_t number_of(const struct tdh_walk *walk, USHORT index)
{
	return index < walk->info->PropertyCount ? walk->numbers[index] : 0;
}

static uint32_t count_of(const struct tdh_walk *walk, const EVENT_PROPERTY_INFO *property)
{
	if (property->Flags & PropertyParamCount)
		return number_of(walk, property->countPropertyIndex);
	return property->count || property->Flags & PropertyParamFixedCount ? property->count : 1;
}

static struct tdh_type type_of(const struct tdh_walk *walk, const EVENT_PROPERTY_INFO *property)
{
	bool other = property->Flags & PropertyParamLength;

	return (struct tdh_type){
		.in = property->nonStructType.InType, .out = property->nonStructType.OutType,
		.length = other ? number_of(walk, property->lengthPropertyIndex) : property->length,
		.has_length = other || property->Flags & PropertyParamFixedLength ||
			      property->length,
		.pointer = walk->pointer,
	};
}

static void keep_number(struct tdh_walk *walk, uint32_t index, const struct tdh_type *type,
			uint32_t size)
{
	uint32_t value = 0;

	if (type->in >= TDH_INTYPE_INT8 && type->in <= TDH_INTYPE_UINT64)
		memcpy(&value, walk->at, size < sizeof(value) ? size : sizeof(value));
	walk->numbers[index] = value;
}

static ULONG take_range(struct tdh_walk *walk, uint32_t from, uint32_t count, ULONG step,
			unsigned int depth);

/* @step: of the path, if one of its members may be wanted; otherwise the number of all steps */
static ULONG take_one(struct tdh_walk *walk, uint32_t index, ULONG step, unsigned int depth)
{
	const EVENT_PROPERTY_INFO *property = &walk->info->EventPropertyInfoArray[index];
	struct tdh_type type;
	int64_t size;

	if (++walk->done > MAX_STEPS)
		return ERROR_EVT_INVALID_EVENT_DATA;
	if (property->Flags & PropertyStruct)
		return take_range(walk, property->structType.StructStartIndex,
				  property->structType.NumOfStructMembers, step, depth + 1);
	type = type_of(walk, property);
	size = tdh_value_size(&type, walk->at, walk->left);
	if (size < 0)
		return ERROR_EVT_INVALID_EVENT_DATA;
	keep_number(walk, index, &type, size);
	walk->at += size;
	walk->left -= size;
	return ERROR_SUCCESS;
}

static void found(struct tdh_walk *walk, const uint8_t *begin)
{
	*walk->value = (struct tdh_value){ .at = begin, .size = walk->at - begin };
	walk->found = true;
}

static ULONG take_property(struct tdh_walk *walk, uint32_t index, ULONG step,
			   unsigned int depth)
{
	const EVENT_PROPERTY_INFO *property = &walk->info->EventPropertyInfoArray[index];
	const bool wanted = step < walk->steps &&
			    is_named(walk, property->NameOffset, walk->path[step].PropertyName);
	const bool last = wanted && step + 1 == walk->steps;
	const ULONG which = wanted ? walk->path[step].ArrayIndex : 0;
	uint32_t i, count = count_of(walk, property);
	const uint8_t *begin = walk->at, *one;
	bool here;
	ULONG err;

	if (!count && ++walk->done > MAX_STEPS)
		return ERROR_EVT_INVALID_EVENT_DATA;
	for (i = 0; i < count; i++) {
		/* a string may be missing at the end, but not a number of them that a file chose */
		if (i && !walk->left)
			return ERROR_EVT_INVALID_EVENT_DATA;
		one = walk->at;
		here = wanted && (i == which || (which == UINT_MAX && !i));
		err = take_one(walk, index, here && !last ? step + 1 : walk->steps, depth);
		if (err || walk->found)
			return err;
		if (here && last && which != UINT_MAX) {
			found(walk, one);
			return ERROR_SUCCESS;
		}
	}
	if (last && which == UINT_MAX)
		found(walk, begin);
	return ERROR_SUCCESS;
}

static ULONG take_range(struct tdh_walk *walk, uint32_t from, uint32_t count, ULONG step,
			unsigned int depth)
{
	uint32_t i, all = walk->info->PropertyCount;
	ULONG err = ERROR_SUCCESS;

	if (depth > MAX_DEPTH || from > all || count > all - from)
		return ERROR_EVT_INVALID_EVENT_DATA;
	for (i = 0; !err && !walk->found && i < count; i++)
		err = take_property(walk, from + i, step, depth);
	return err;
}

ULONG tdh_find(const EVENT_RECORD *event, const struct tdh_info *info,
	       const PROPERTY_DATA_DESCRIPTOR *path, ULONG steps, struct tdh_value *value)
{
	struct tdh_walk walk = {
		.info = (const TRACE_EVENT_INFO *)info->bytes, .size = info->size,
		.at = info->values ? info->bytes + info->size : event->UserData,
		.left = info->values ? info->values : event->UserDataLength,
		.pointer = tdh_pointer_size(event), .path = path, .steps = steps, .value = value,
	};
	ULONG err;

	walk.numbers = calloc(walk.info->PropertyCount + 1, sizeof(*walk.numbers));
	if (!walk.numbers)
		return ERROR_OUTOFMEMORY;
	err = take_range(&walk, 0, walk.info->TopLevelPropertyCount, 0, 0);
	free(walk.numbers);
	if (walk.found)
		return ERROR_SUCCESS;
	return err ? err : ERROR_NOT_FOUND;
}
