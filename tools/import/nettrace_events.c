// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events of a .nettrace by time, and those that are missing. */
#include <stdlib.h>
#include "import.h"
#include "libetl/messages.h"
#include "nettrace.h"

#define FLAG_FORGET_THREADS	1
#define FLAG_FORGET_METADATA	2

/*
 * The runtime writes the events of each thread in runs. A sequence point is a border in time. An
 * event that is marked as sorted is a border for what follows: no event behind it is older.
 */

static int compare(const void *left, const void *right)
{
	const struct nettrace_event *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

int nettrace_send(struct importing *importing, uint64_t limit)
{
	struct nettrace *nettrace = importing->nettrace;
	size_t i;
	int err = 0;

	if (!nettrace->count)
		return 0;
	qsort(nettrace->pending, nettrace->count, sizeof(*nettrace->pending), compare);
	for (i = 0; !err && i < nettrace->count && nettrace->pending[i].time <= limit; i++) {
		if (nettrace->pending[i].time < nettrace->sent)
			importing->stream.late++;
		else
			nettrace->sent = nettrace->pending[i].time;
		err = nettrace_write(importing, &nettrace->pending[i]);
	}
	nettrace->count -= i;
	memmove(nettrace->pending, nettrace->pending + i,
		nettrace->count * sizeof(*nettrace->pending));
	nettrace->waiting = nettrace->count;
	return err;
}

/* Not for each border: otherwise, small blocks would sort what waits again and again. */
static int send_some(struct importing *importing)
{
	const struct nettrace *nettrace = importing->nettrace;

	if (nettrace->count < 2 * nettrace->waiting + 4096)
		return 0;
	return nettrace_send(importing, nettrace->limit);
}

static int add_event(struct importing *importing, const struct nettrace_event *event)
{
	struct nettrace *nettrace = importing->nettrace;
	size_t room = nettrace->room ? 2 * nettrace->room : 4096;
	struct nettrace_event *more;

	if (nettrace->count == NETTRACE_PENDING && nettrace_send(importing, UINT64_MAX))
		return -1;
	if (nettrace->count == nettrace->room) {
		more = reallocarray(nettrace->pending, room, sizeof(*more));
		if (!more)
			return no_memory();
		nettrace->pending = more;
		nettrace->room = room;
	}
	nettrace->pending[nettrace->count++] = *event;
	return 0;
}

/* Losses have a place in time, as events have. */
static int add_loss(struct importing *importing, uint32_t count, uint64_t time)
{
	const struct nettrace_event loss = {
		.time = time, .number = importing->nettrace->number++,
		.kind = NETTRACE_LOSS, .size = count,
	};

	return add_event(importing, &loss);
}

/* Number of the thread's last event; @first if none is known. Return: NULL after a message */
static uint32_t *sequence_of(struct nettrace *nettrace, uint64_t thread, uint32_t first)
{
	size_t known = nettrace->counted.count, i = MAP_NONE;

	if (map_make_room((void **)&nettrace->sequences, known, sizeof(*nettrace->sequences)))
		i = map_add(&nettrace->counted, thread);
	if (i == MAP_NONE) {
		no_memory();
		return NULL;
	}
	if (i == known)
		nettrace->sequences[i] = first;
	return &nettrace->sequences[i];
}

/* Events of a thread are numbered from 1. Before version 6, a new thread may have an old id. */
static int count_event(struct importing *importing, const struct nettrace_head *head)
{
	struct nettrace *nettrace = importing->nettrace;
	uint32_t *last = sequence_of(nettrace, head->capture, head->sequence - 1);
	uint32_t gap;

	if (!last)
		return -1;
	gap = head->sequence - 1 - *last;
	*last = head->sequence;
	if ((int32_t)gap <= 0 || (head->sequence == 1 && nettrace->file.version < 6))
		return 0;
	return add_loss(importing, gap, head->time);
}

/* The thread has had so many events at least. */
static int check_thread(struct importing *importing, uint64_t thread, uint32_t sequence,
			uint64_t time)
{
	uint32_t *last = sequence_of(importing->nettrace, thread, sequence);
	uint32_t gap;

	if (!last)
		return -1;
	gap = sequence - *last;
	if ((int32_t)gap <= 0)
		return 0;
	*last = sequence;
	return add_loss(importing, gap, time);
}

static const struct nettrace_thread *thread_of(const struct nettrace *nettrace, uint64_t index)
{
	size_t i = map_find(&nettrace->tables.thread_ids, index);

	return i == MAP_NONE ? NULL : &nettrace->tables.threads[i];
}

static void resolve(const struct nettrace *nettrace, const struct nettrace_head *head,
		    struct nettrace_event *event)
{
	const struct nettrace_tables *tables = &nettrace->tables;
	const struct nettrace_thread *thread;
	size_t i = map_find(&tables->stack_ids, head->stack);

	if (i != MAP_NONE) {
		event->stack = tables->stacks[i].at;
		event->stack_size = tables->stacks[i].left;
	}
	event->pid = nettrace->file.pid;
	event->tid = head->thread;
	if (nettrace->file.version < 6)
		return;
	thread = thread_of(nettrace, head->thread);
	event->tid = thread ? thread->tid : 0;
	event->pid = thread ? thread->pid : event->pid;
	i = map_find(&tables->label_ids, head->labels);
	event->labels = i == MAP_NONE ? 0 : i + 1;
}

static int take_event(struct importing *importing, const struct nettrace_head *head,
		      const uint8_t *payload)
{
	struct nettrace *nettrace = importing->nettrace;
	size_t kind = map_find(&nettrace->tables.kind_ids, head->metadata);
	struct nettrace_event event = {
		.time = head->time, .number = nettrace->number++, .payload = payload,
		.size = head->size, .processor = head->processor, .activity = head->activity,
		.related = head->related,
	};

	if (head->thread != head->capture)
		event.processor = 0;
	/* of metadata that has no place here */
	if (head->metadata && count_event(importing, head))
		return -1;
	if (kind == MAP_NONE) {
		importing->stream.unreadable++;
		return 0;
	}
	event.kind = nettrace->tables.kind_of[kind];
	resolve(nettrace, head, &event);
	if (head->sorted && head->time > nettrace->limit)
		nettrace->limit = head->time;
	return add_event(importing, &event);
}

int nettrace_read_events(struct importing *importing, struct piece *block)
{
	const struct nettrace_file *file = &importing->nettrace->file;
	bool compressed = nettrace_begin_events(block);
	struct nettrace_head head = { };

	while (nettrace_read_head(file, block, compressed, &head)) {
		if (take_event(importing, &head, piece_take(block, head.size)))
			return -1;
		nettrace_end_event(file, block, compressed);
	}
	return send_some(importing);
}

int nettrace_read_sequence_point(struct importing *importing, struct piece *block)
{
	struct nettrace *nettrace = importing->nettrace;
	bool wide = nettrace->file.version < 6;
	uint64_t time = piece_u64(block), thread;
	uint32_t flags = wide ? 0 : piece_u32(block), count = piece_u32(block), sequence;

	if (nettrace_send(importing, UINT64_MAX))
		return -1;
	for (; count && !block->bad; count--) {
		thread = wide ? piece_u64(block) : nettrace_var(block);
		sequence = wide ? piece_u32(block) : nettrace_var(block);
		if (!block->bad && check_thread(importing, thread, sequence, time))
			return -1;
	}
	nettrace_forget(nettrace, flags & FLAG_FORGET_THREADS, flags & FLAG_FORGET_METADATA);
	return 0;
}

int nettrace_read_removed_threads(struct importing *importing, struct piece *block)
{
	const struct nettrace *nettrace = importing->nettrace;
	uint64_t time = nettrace->limit > nettrace->sent ? nettrace->limit : nettrace->sent;
	uint64_t thread;
	uint32_t sequence;

	while (block->left && !block->bad) {
		thread = nettrace_var(block);
		sequence = nettrace_var(block);
		if (!block->bad && check_thread(importing, thread, sequence, time))
			return -1;
	}
	return 0;
}
