// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Memory for an event's data, and a place for its record, where the fast path has none. */
#include "private_place.h"

#define STAGING		0x10000U

/*
 * Nothing can fail after a place is reserved, so the data is copied before, and the copy is
 * checked. A handler that interrupts a user of the thread's staging memory gets pages of its own.
 */
bool private_stage_large(struct private_staged *staged, u32 size)
{
	struct private_stream *stream = private_self;

	staged->stream = NULL;
	staged->pages = NULL;
	if (!stream || READ_ONCE(stream->staged)) {
		staged->pages = kvmalloc_node(size, GFP_KERNEL, -1);
		staged->data = staged->pages;
		return !!staged->data;
	}
	WRITE_ONCE(stream->staged, 1);
	barrier();
	if (!stream->staging)
		stream->staging = kvmalloc_node(STAGING, GFP_KERNEL, -1);
	staged->stream = stream;
	staged->data = stream->staging;
	if (!staged->data)
		WRITE_ONCE(stream->staged, 0);
	return !!staged->data;
}

/* It is counted as lost, by cause. */
static ULONG no_place(const struct etw_ring *ring, u32 size)
{
	return etw_units(size) > ring->capacity ? ERROR_MORE_DATA : ERROR_NOT_ENOUGH_MEMORY;
}

ULONG private_more_room(struct private_writing writing, u32 size)
{
	u32 units = etw_units(size);

	if (units <= writing.ring->capacity && private_extend(writing.stream, writing.ring))
		return ERROR_SUCCESS;
	/* the flush thread may have returned a buffer meanwhile */
	if (etw_reserve_slow(writing.ring, units, ETW_RESERVE_COUNT))
		return ERROR_SUCCESS;
	return no_place(writing.ring, size);
}
