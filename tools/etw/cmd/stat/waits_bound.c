// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Keeps the longest waits of a trace in bounded memory (declared in waits.h). */
#include <stdlib.h>
#include "libetl/array.h"
#include "waits.h"

/* When there are so many waits, the longest are kept: more than any list with a limit has */
#define WAITS_MOST	65536
#define WAITS_KEPT	16384

/**
 * struct moved - where waits are afterwards, by index; WAIT_NONE: nowhere
 * @last: the wait, or the latest kept one of its thread before it
 * @readied: the same, of those with a ReadyThread record
 */
struct moved {
	uint32_t *last;
	uint32_t *readied;
};

static uint32_t at(const uint32_t *moved, uint32_t index)
{
	return index == WAIT_NONE ? WAIT_NONE : moved[index];
}

void waits_leave_out(struct waits *waits, const struct wait *wait)
{
	struct wait_sum *sum = &waits->left_out[wait->recorded];

	spans_add(&sum->waiting, wait->until - wait->from);
	if (wait->ready_time)
		spans_add(&sum->ready, wait->to - wait->until);
}

/* Only the kept ones stay listed. */
static int leave_out_short(struct waits *waits)
{
	size_t count, i;
	uint32_t *order = waits_order(waits, &count);
	struct wait *wait;

	if (!order)
		return -1;
	for (i = WAITS_KEPT; i < count; i++) {
		wait = &waits->wait[order[i]];
		waits_leave_out(waits, wait);
		wait->listed = false;
	}
	wait = &waits->wait[order[WAITS_KEPT - 1]];
	waits->least_kept = wait->until - wait->from;
	free(order);
	return 0;
}

/* Waits come behind those that they follow. */
static void find_places(const struct waits *waits, const struct moved *moved)
{
	const struct wait *wait;
	uint32_t kept = 0, i;

	for (i = 0; i < waits->nr_waits; i++) {
		wait = &waits->wait[i];
		moved->last[i] = wait->listed ? kept : at(moved->last, wait->previous);
		moved->readied[i] = wait->listed && wait->ready_time ? kept :
				    at(moved->readied, wait->previous_readied);
		kept += wait->listed;
	}
}

static void move_waits(struct waits *waits, const struct moved *moved)
{
	struct wait wait;
	size_t kept = 0, i;

	for (i = 0; i < waits->nr_waits; i++) {
		wait = waits->wait[i];
		if (!wait.listed)
			continue;
		wait.before = at(moved->last, wait.before);
		wait.previous = at(moved->last, wait.previous);
		wait.previous_readied = at(moved->readied, wait.previous_readied);
		waits->wait[kept++] = wait;
	}
	waits->nr_waits = kept;
}

/* Indexes + 1, where 0 and WAIT_NONE + 1 are the same */
static void move_threads(struct waits *waits, const struct moved *moved)
{
	struct wait_thread *thread;
	size_t i;

	for (i = 0; i < waits->thread_room; i++) {
		thread = &waits->thread[i];
		thread->last = at(moved->last, thread->last - 1) + 1;
		thread->last_readied = at(moved->readied, thread->last_readied - 1) + 1;
		thread->before = at(moved->last, thread->before);
	}
}

static int drop(struct waits *waits)
{
	struct moved moved = {
		.last = calloc(waits->nr_waits, sizeof(*moved.last)),
		.readied = calloc(waits->nr_waits, sizeof(*moved.readied)),
	};
	int err = moved.last && moved.readied ? leave_out_short(waits) : -1;

	if (!err) {
		find_places(waits, &moved);
		move_waits(waits, &moved);
		move_threads(waits, &moved);
	}
	free(moved.last);
	free(moved.readied);
	return err;
}

int waits_make_room(struct waits *waits)
{
	if (waits->bounded && waits->nr_waits == WAITS_MOST && drop(waits))
		return -1;
	return waits->nr_waits < WAIT_NONE - 1 &&
	       array_grow((void **)&waits->wait, &waits->room, waits->nr_waits + 1,
			  sizeof(*waits->wait)) ? 0 : -1;
}
