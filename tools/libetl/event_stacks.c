// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Finds the stacks of events: direct ones, and those by key. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "array.h"
#include "etw_hooks.h"
#include "event_stacks.h"
#include "guids.h"
#include "messages.h"

#define STACK			PERFINFO_LOG_TYPE_STACKWALK
#define KEY_CREATE		PERFINFO_LOG_TYPE_STACKTRACE_CREATE
#define KEY_DELETE		PERFINFO_LOG_TYPE_STACKTRACE_DELETE
#define KEY_RUNDOWN		PERFINFO_LOG_TYPE_STACKTRACE_RUNDOWN
#define STACK_KEY_KERNEL	PERFINFO_LOG_TYPE_STACKTRACE_KEY_KERNEL
#define STACK_KEY_USER		PERFINFO_LOG_TYPE_STACKTRACE_KEY_USER

#define SLOTS		(4 * STACKS_PENDING)
/* Room for what definitions may take; a key that is not defined is counted */
#define MOST_FRAMES	(512u << 20)

/**
 * struct stack_pending - an event that waits for its stack
 * @event: what is known of it
 * @next: older one of the same slot, its number + 1; 0: none
 * @copy: frames of direct stacks: kernel, user
 */
struct stack_pending {
	struct stack_event event;
	uint64_t next;
	uint8_t *copy[2];
};

static uint64_t key_at(const struct etl_record *record, uint32_t at)
{
	return record->pointer_size == 8 ? get64(record->payload + at) :
					   get32(record->payload + at);
}

static void define(struct stacks *stacks, const struct etl_record *record, uint16_t hook)
{
	uint32_t pointer = record->pointer_size, bytes = record->payload_size - pointer;
	struct stack_definition *definition;
	size_t key;

	bytes -= bytes % pointer;
	if (stacks->frames_used + bytes > MOST_FRAMES)
		return;
	key = map_add(&stacks->keys, key_at(record, 0));
	if (key == MAP_NONE ||
	    !array_grow((void **)&stacks->definition, &stacks->definition_room,
			stacks->definitions + 1, sizeof(*definition)) ||
	    !array_grow((void **)&stacks->frames, &stacks->frames_room,
			stacks->frames_used + bytes, 1)) {
		stacks->no_memory = true;
		return;
	}
	definition = &stacks->definition[stacks->definitions++];
	*definition = (struct stack_definition){
		.time = record->time, .hook_id = hook, .pointer = pointer,
		.count = bytes / pointer, .key = key, .frames = stacks->frames_used,
	};
	memcpy(stacks->frames + stacks->frames_used, record->payload + pointer, bytes);
	stacks->frames_used += bytes;
	stacks->defined++;
}

void stacks_note(struct stacks *stacks, const struct etl_record *record)
{
	uint16_t hook;

	if (!hook_of(record, &hook) || hook < KEY_CREATE || hook > KEY_RUNDOWN ||
	    record->payload_size < record->pointer_size)
		return;
	define(stacks, record, hook);
}

/* Those of a key become neighbours, in the order in which they came. */
static void sort_definitions(struct stacks *stacks)
{
	struct stack_definition *sorted, *from = stacks->definition;
	size_t keys = stacks->keys.count, i;

	stacks->first = calloc(keys + 2, sizeof(*stacks->first));
	sorted = reallocarray(NULL, stacks->definitions + 1, sizeof(*sorted));
	if (!stacks->first || !sorted) {
		free(sorted);
		stacks->no_memory = true;
		return;
	}
	for (i = 0; i < stacks->definitions; i++)
		stacks->first[from[i].key + 2]++;
	for (i = 1; i <= keys; i++)
		stacks->first[i + 1] += stacks->first[i];
	/* first[key + 1] walks from the key's first to behind its last, the next key's first */
	for (i = 0; i < stacks->definitions; i++)
		sorted[stacks->first[from[i].key + 1]++] = from[i];
	/* time goes back in damaged files: none is before one that came earlier and is later */
	for (i = stacks->definitions; i-- > 1;)
		if (sorted[i - 1].key == sorted[i].key && sorted[i - 1].time > sorted[i].time)
			sorted[i - 1].time = sorted[i].time;
	free(from);
	stacks->definition = sorted;
}

/*
 * A record defines a key when the key is created, when the key gets another stack, and at the
 * end of the trace. The definition at @time is the last one before @time; if there is none, or
 * the key was deleted since, it is the first one after @time.
 */
static const struct stack_definition *definition_of(const struct stacks *stacks, uint64_t key,
						    uint64_t time)
{
	const struct stack_definition *definition = stacks->definition;
	size_t i = map_find(&stacks->keys, key), low, high, middle;

	if (i == MAP_NONE)
		return NULL;
	low = stacks->first[i];
	high = stacks->first[i + 1];
	/* the first that is not before */
	while (low < high) {
		middle = low + (high - low) / 2;
		if (definition[middle].time < time)
			low = middle + 1;
		else
			high = middle;
	}
	if (low > stacks->first[i] && definition[low - 1].hook_id != KEY_DELETE)
		return &definition[low - 1];
	return low < stacks->first[i + 1] ? &definition[low] : NULL;
}

/*
 * Events of one time and one thread share a slot, as do events of one time and one processor
 * if they contain no thread id. A search so ends at the first event, however many a file has of
 * one time. The hash has a seed, because a file could choose times that share one slot.
 */
static uint32_t slot_of(const struct stacks *stacks, uint64_t time, bool has_tid, uint32_t id)
{
	uint64_t key = time ^ (((uint64_t)has_tid << 32 | id) + 1) * stacks->seed;

	return map_hash(stacks->seed, key) % SLOTS;
}

static uint32_t slot_of_event(const struct stacks *stacks, const struct stack_event *event)
{
	return slot_of(stacks, event->time, event->has_tid,
		       event->has_tid ? event->tid : event->processor);
}

static int give(struct stacks *stacks, struct stack_pending *pending)
{
	int err = stacks->take(stacks->context, &pending->event);

	free(pending->copy[0]);
	free(pending->copy[1]);
	pending->copy[0] = NULL;
	pending->copy[1] = NULL;
	return err;
}

/* Numbers of events go on; those below @tail are gone, wherever a link still names them. */
static int await(struct stacks *stacks, const struct stack_event *event)
{
	struct stack_pending *pending = &stacks->pending[stacks->head % STACKS_PENDING];
	uint64_t *slot = &stacks->slots[slot_of_event(stacks, event)];
	int err = 0;

	if (stacks->head - stacks->tail == STACKS_PENDING) {
		err = give(stacks, pending);
		stacks->tail++;
	}
	*pending = (struct stack_pending){ .event = *event, .next = *slot };
	*slot = ++stacks->head;
	if (event->time > stacks->latest)
		stacks->latest = event->time;
	return err;
}

/* The newest event of a thread, or of a processor, at a time */
static struct stack_pending *newest_of(struct stacks *stacks, uint64_t time, bool has_tid,
				       uint32_t id)
{
	uint64_t next = stacks->slots[slot_of(stacks, time, has_tid, id)];
	struct stack_pending *pending;

	for (; next > stacks->tail; next = pending->next) {
		pending = &stacks->pending[(next - 1) % STACKS_PENDING];
		if (pending->event.time == time && pending->event.has_tid == has_tid &&
		    (has_tid ? pending->event.tid : pending->event.processor) == id)
			return pending;
	}
	return NULL;
}

/*
 * By time and thread, or by time and processor if the event contains no thread id. Most stacks of
 * unwanted events are later than all wanted ones before them, so that no search is needed.
 */
static struct stack_pending *pending_of(struct stacks *stacks, uint64_t time, uint32_t tid,
					uint16_t processor)
{
	if (time > stacks->latest)
		return NULL;
	return newest_of(stacks, time, true, tid) ?: newest_of(stacks, time, false, processor);
}

static bool is_kernel(const struct stack_frames *frames)
{
	/* all frames of a part are of one mode: the last one decides */
	return frames->count &&
	       is_kernel_address(stack_frame(frames, frames->count - 1), frames->width);
}

static void put_frames(struct stacks *stacks, struct stack_pending *pending, bool kernel,
		       struct stack_frames frames, bool copied)
{
	struct stack_frames *part = kernel ? &pending->event.kernel : &pending->event.user;
	size_t bytes = (size_t)frames.count * frames.width;
	uint8_t *copy;

	if (part->count)
		return;
	if (copied) {
		copy = malloc(bytes);
		if (!copy) {
			stacks->no_memory = true;
			return;
		}
		memcpy(copy, frames.at, bytes);
		frames.at = copy;
		free(pending->copy[kernel]);
		pending->copy[kernel] = copy;
	}
	*part = frames;
}

static void take_stack(struct stacks *stacks, const struct etl_record *record,
		       uint16_t processor, uint16_t hook)
{
	uint32_t pointer = record->pointer_size;
	const struct stack_definition *definition;
	struct stack_frames frames = { .width = pointer };
	struct stack_pending *pending;
	uint64_t time;

	stacks->records++;
	if (record->payload_size < 16 + (hook == STACK ? 0 : pointer))
		return;
	time = get64(record->payload);
	pending = pending_of(stacks, time, get32(record->payload + 12), processor);
	stacks->matched += !!pending;
	if (hook == STACK) {
		frames.count = (record->payload_size - 16) / pointer;
		frames.at = record->payload + 16;
	} else {
		definition = definition_of(stacks, key_at(record, 16), time);
		if (definition && definition->pointer == pointer) {
			frames.has_key = true;
			frames.count = definition->count;
			frames.at = stacks->frames + definition->frames;
		} else {
			stacks->unresolved++;
		}
	}
	if (stacks->part && frames.count)
		stacks->part(stacks->context, get32(record->payload + 8), time, &frames);
	if (!pending || !frames.count)
		return;
	pending->event.pid = get32(record->payload + 8);
	pending->event.has_pid = true;
	put_frames(stacks, pending, hook == STACK ? is_kernel(&frames) : hook == STACK_KEY_KERNEL,
		   frames, hook == STACK);
}

static int take_record(struct stacks *stacks, const struct etl_record *record,
		       uint16_t processor)
{
	struct stack_event event = {
		.time = record->time, .processor = processor, .width = record->pointer_size,
	};
	uint16_t hook;

	if (stacks->see)
		stacks->see(stacks->context, record);
	if (hook_of(record, &hook) &&
	    (hook == STACK || hook == STACK_KEY_KERNEL || hook == STACK_KEY_USER))
		take_stack(stacks, record, processor, hook);
	else if (stacks->weigh && stacks->weigh(stacks->context, record, processor, &event))
		return await(stacks, &event);
	return 0;
}

static int walk(struct stacks *stacks)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;
	int err = 0;

	if (merge_begin(&merge, stacks->trace, false))
		return -1;
	while (!err && merge_next(&merge, &record, &buffer)) {
		stacks->selected = !stacks->filter ||
				   event_filter_selects(stacks->filter, &merge, buffer, record);
		err = take_record(stacks, record, buffer->processor);
	}
	for (; !err && stacks->tail < stacks->head; stacks->tail++)
		err = give(stacks, &stacks->pending[stacks->tail % STACKS_PENDING]);
	merge_end(&merge);
	return err;
}

int stacks_walk(struct stacks *stacks)
{
	int err = -1;

	stacks->pending = calloc(STACKS_PENDING, sizeof(*stacks->pending));
	stacks->slots = calloc(SLOTS, sizeof(*stacks->slots));
	stacks->seed = map_seed();
	sort_definitions(stacks);
	if (stacks->pending && stacks->slots && stacks->first)
		err = walk(stacks);
	else
		stacks->no_memory = true;
	if (stacks->no_memory)
		failed("%s: %s", stacks->trace->name, strerror(ENOMEM));
	return err || stacks->no_memory ? -1 : 0;
}

void stacks_free(struct stacks *stacks)
{
	struct stack_pending *pending;
	uint64_t i;

	/* only events that still wait for a part of their stack have a copy */
	for (i = stacks->tail; i < stacks->head; i++) {
		pending = &stacks->pending[i % STACKS_PENDING];
		free(pending->copy[0]);
		free(pending->copy[1]);
	}
	free(stacks->pending);
	free(stacks->slots);
	free(stacks->first);
	free(stacks->definition);
	free(stacks->frames);
	map_free(&stacks->keys);
}
