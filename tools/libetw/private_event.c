// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* EventWrite() and its variants to the private logger; the record is made by the module's code. */
#include <string.h>
#include "private_place.h"
#include "record/event_names.h"
#include "record/event_record.h"

/**
 * struct pieces - the caller's data, in pieces
 * @first: address of struct etw_event_data
 * @count: number of pieces
 * @typed: their types are valid
 */
struct pieces {
	const struct etw_event_data *first;
	u32 count;
	bool typed;
};

/*
 * The list is read twice, because a handler's stack has no room for a copy of it. gather() refuses
 * a list that has changed. Return: a Win32 code
 */
static ULONG piece_at(const struct pieces *pieces, u32 i, struct etw_event_data *piece)
{
	if (private_copy(piece, pieces->first + i, sizeof(*piece)))
		return ERROR_NOACCESS;
	if (!pieces->typed)
		piece->type = ETW_DATA_USER;
	if (piece->type > ETW_DATA_TRAITS)
		return ERROR_INVALID_PARAMETER;
	return piece->size > ETW_MAX_RECORD ? ERROR_ARITHMETIC_OVERFLOW : ERROR_SUCCESS;
}

/* Return: as piece_at() */
static ULONG lay_out(const struct pieces *pieces, const struct etw_write_event *event,
		     struct etw_event_body *body)
{
	struct etw_event_data piece;
	ULONG error;
	u32 i;

	memset(body, 0, sizeof(*body));
	for (i = 0; i < pieces->count; i++) {
		error = piece_at(pieces, i, &piece);
		if (error)
			return error;
		body->size[piece.type] += piece.size;
	}
	if (!body->size[ETW_DATA_TRAITS] && event->traits)
		body->size[ETW_DATA_TRAITS] = event->traits_size;
	body->related = !!event->related;
	return etw_event_body_layout(body) ? ERROR_ARITHMETIC_OVERFLOW : ERROR_SUCCESS;
}

/* Return: as piece_at(); ERROR_INVALID_PARAMETER: the list is not the one of lay_out() */
static ULONG gather(u8 *to, const struct pieces *pieces, const struct etw_write_event *event,
		    const struct etw_event_body *body)
{
	u32 left[3] = { body->size[0], body->size[1], body->size[2] }, i;
	struct etw_event_data piece;
	u8 *at;

	for (i = 0; i < pieces->count; i++) {
		ULONG error = piece_at(pieces, i, &piece);

		if (error)
			return error;
		if (piece.size > left[piece.type])
			return ERROR_INVALID_PARAMETER;
		at = to + body->at[piece.type] + body->size[piece.type] - left[piece.type];
		if (private_copy(at, (void *)(uintptr_t)piece.data, piece.size))
			return ERROR_NOACCESS;
		left[piece.type] -= piece.size;
	}
	if (left[ETW_DATA_TRAITS] && left[ETW_DATA_TRAITS] == event->traits_size) {
		memcpy(to + body->at[ETW_DATA_TRAITS], (void *)(uintptr_t)event->traits,
		       event->traits_size);
		left[ETW_DATA_TRAITS] = 0;
	}
	return left[0] || left[1] || left[2] ? ERROR_INVALID_PARAMETER : ERROR_SUCCESS;
}

static ULONG write_record(struct private_writing writing, const struct etw_event_record *record)
{
	u32 size = sizeof(struct etw_event_header) + record->size;
	struct etw_reservation at;
	struct etw_writer writer;
	ULONG error;

	if (!private_reserve(writing, size, &at, &error))
		return error;
	private_fill_writer(writing.stream, at.tick, &writer);
	etw_encode_event_record(at.data, record, NULL, &writer, at.tick);
	etw_commit(writing.ring, &at, size);
	return ERROR_SUCCESS;
}

/**
 * struct wanted - an event, and what the session wants of it
 * @event: the caller's request
 * @names: a filter, or NULL
 */
struct wanted {
	const struct etw_write_event *event;
	const struct etw_event_names *names;
};

/* @to: the body, complete */
static bool is_kept(const struct wanted *wanted, const struct etw_event_body *body, const u8 *to)
{
	const struct etw_event_name name = etw_event_name_of(to + body->at[ETW_DATA_SCHEMA],
							     body->size[ETW_DATA_SCHEMA]);

	return etw_event_names_keep(wanted->names, &wanted->event->descriptor, &name);
}

/* @to: memory for the body. Return: a Win32 code */
static ULONG write_body(struct private_writing writing, const struct wanted *wanted,
			const struct pieces *pieces, const struct etw_event_body *body, u8 *to)
{
	const struct etw_write_event *event = wanted->event;
	struct etw_event_record record = {
		.provider = event->provider, .descriptor = event->descriptor, .body = to,
		.size = body->bytes,
		.flags = event->flags & ETW_WRITE_STRING ? ETW_EVENT_HEADER_STRING_ONLY : 0,
	};
	ULONG error = gather(to, pieces, event, body);

	if (error)
		return error;
	if (wanted->names && !is_kept(wanted, body, to))
		return ERROR_SUCCESS;
	if (event->activity && private_copy(&record.activity, (void *)(uintptr_t)event->activity,
					    sizeof(record.activity)))
		return ERROR_NOACCESS;
	if (body->related && private_copy(to + body->related_at, (void *)(uintptr_t)event->related,
					  sizeof(record.activity)))
		return ERROR_NOACCESS;
	etw_event_body_put_items(to, body);
	if (body->at[ETW_DATA_USER])
		record.flags |= ETW_EVENT_HEADER_EXTENDED_INFO;
	return write_record(writing, &record);
}

static ULONG write_event(struct private_writing writing, const struct wanted *wanted)
{
	const struct etw_write_event *event = wanted->event;
	const struct pieces pieces = {
		.first = (void *)(uintptr_t)event->data, .count = event->nr_data,
		.typed = event->flags & ETW_WRITE_TYPES,
	};
	struct private_staged staged;
	struct etw_event_body body;
	ULONG error = lay_out(&pieces, event, &body);

	if (error)
		return error;
	if (!private_stage(&staged, body.bytes))
		return ERROR_NOT_ENOUGH_MEMORY;
	error = write_body(writing, wanted, &pieces, &body, staged.data);
	private_unstage(&staged, body.bytes);
	return error;
}

ULONG private_write_event(TRACEHANDLE handle, const struct etw_write_event *event,
			  const struct etw_event_names *names)
{
	const struct wanted wanted = { event, names };
	struct private_writing writing;
	ULONG error = private_begin(handle, &writing);

	if (error)
		return error;
	error = write_event(writing, &wanted);
	private_leave(writing.stream);
	return error;
}
