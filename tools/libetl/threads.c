// SPDX-License-Identifier: GPL-2.0
/* Which process each thread is of. */
#include <stddef.h>
#include <stdlib.h>
#include "events/events.h"
#include "threads.h"

struct slot {
	uint32_t tid;
	uint32_t pid;
	bool used;
};

/* Open addressing; @room is a power of 2 and never more than half full. */
struct thread_table {
	struct slot *slot;
	size_t room;
	size_t used;
};

static struct slot *slot_of(struct slot *slots, size_t room, uint32_t tid)
{
	size_t i = (tid * 2654435761u) & (room - 1);

	while (slots[i].used && slots[i].tid != tid)
		i = (i + 1) & (room - 1);
	return &slots[i];
}

struct thread_table *threads_new(void)
{
	return calloc(1, sizeof(struct thread_table));
}

static bool grow(struct thread_table *table)
{
	size_t i, room = table->room ? 2 * table->room : 1024;
	struct slot *more = calloc(room, sizeof(*more));

	if (!more)
		return false;
	for (i = 0; i < table->room; i++)
		if (table->slot[i].used)
			*slot_of(more, room, table->slot[i].tid) = table->slot[i];
	free(table->slot);
	table->slot = more;
	table->room = room;
	return true;
}

void threads_set(struct thread_table *table, uint32_t tid, uint32_t pid)
{
	struct slot *slot;

	if (2 * (table->used + 1) > table->room && !grow(table))
		return;
	slot = slot_of(table->slot, table->room, tid);
	table->used += !slot->used;
	*slot = (struct slot){ .tid = tid, .pid = pid, .used = true };
}

bool threads_get(const struct thread_table *table, uint32_t tid, uint32_t *pid)
{
	const struct slot *slot = table->room ? slot_of(table->slot, table->room, tid) : NULL;

	if (!slot || !slot->used)
		return false;
	*pid = slot->pid;
	return true;
}

bool threads_told(const struct etl_record *record, uint32_t *tid, uint32_t *pid)
{
	/* in every version, also in those that nobody knows yet */
	if (record->payload_size < 8 ||
	    !event_tells(event_of(record), TELLS_THREAD | TELLS_THREAD_NAME))
		return false;
	*pid = get32(record->payload);
	*tid = get32(record->payload + 4);
	return true;
}

void threads_free(struct thread_table *table)
{
	if (!table)
		return;
	free(table->slot);
	free(table);
}
