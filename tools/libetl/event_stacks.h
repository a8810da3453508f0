/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Events and the stacks that belong to them. */
#ifndef ETW_EVENT_STACKS_H
#define ETW_EVENT_STACKS_H

#include "event_filter.h"
#include "map.h"
#include "trace.h"

/**
 * struct stack_frames - part of a stack, innermost first
 * @count: addresses
 * @width: of each, in bytes: that of the record they came with, whatever the file's header says
 * @has_key: they are those of a key, and stay at @at while the trace is read
 * @at: little endian
 */
struct stack_frames {
	uint32_t count;
	uint8_t width;
	bool has_key;
	const uint8_t *at;
};

/**
 * struct stack_event - an event with its stack
 * @time: of the event, session clock
 * @weight: what it counts, as @weigh said
 * @ip: instruction, used if there is no stack; 0: none
 * @width: of @ip, as of stack_frames
 * @tid: thread
 * @pid: its process, as the stack says, when @has_pid
 * @processor: where it was
 * @hook_id: which event
 * @source: of samples: what took it
 * @has_tid: @tid is valid
 * @kernel: part of the stack
 * @user: part of the stack
 */
struct stack_event {
	uint64_t time;
	uint64_t weight;
	uint64_t ip;
	uint32_t tid;
	uint32_t pid;
	uint16_t processor;
	uint16_t hook_id;
	uint16_t source;
	uint8_t width;
	bool has_tid;
	bool has_pid;
	struct stack_frames kernel;
	struct stack_frames user;
};

/**
 * struct stack_definition - of a key; keys are used again
 * @time: of its record; sorted: the earliest of this and of those behind it
 * @hook_id: creation, deletion, or rundown at the end
 * @pointer: bytes of a frame
 * @count: frames
 * @key: index in the keys
 * @frames: where they begin
 */
struct stack_definition {
	uint64_t time;
	uint16_t hook_id;
	uint8_t pointer;
	uint32_t count;
	uint32_t key;
	size_t frames;
};

struct stack_pending;

/**
 * struct stacks - while a trace is read
 * @trace: the file
 * @filter: which events are wanted, after event_filter_select(); NULL: all
 * @weigh: whether the event is wanted, and what it is; with @context. May be NULL
 * @take: gets each of these with what was found of its stack. Return: 0 or -1
 * @see: gets all records of the second reading first; may be NULL
 * @part: gets the frames of each stack record, also without its event; may be NULL
 * @selected: @filter wants the record at hand
 * @records: stack events: definitions of keys are none
 * @matched: stack events that belong to a wanted event
 * @unresolved: stack events with a key that no record defines
 * @defined: definitions of keys
 *
 * Memory: the definitions of the keys, and STACKS_PENDING events that wait.
 */
struct stacks {
	const struct trace *trace;
	const struct event_filter *filter;
	bool (*weigh)(void *context, const struct etl_record *record, uint16_t processor,
		      struct stack_event *event);
	int (*take)(void *context, const struct stack_event *event);
	void (*see)(void *context, const struct etl_record *record);
	void (*part)(void *context, uint32_t pid, uint64_t time,
		     const struct stack_frames *frames);
	void *context;
	bool selected;
	uint64_t records;
	uint64_t matched;
	uint64_t unresolved;
	uint64_t defined;
	/* the rest is its own */
	struct map keys;
	size_t *first;
	struct stack_definition *definition;
	size_t definitions;
	size_t definition_room;
	uint8_t *frames;
	size_t frames_used;
	size_t frames_room;
	struct stack_pending *pending;
	uint64_t *slots;
	uint64_t seed;
	uint64_t head;
	uint64_t tail;
	uint64_t latest;
	bool no_memory;
};

/* How many events a stack may come behind its own */
#define STACKS_PENDING		0x4000

/* A record of the first reading: keeps definitions of keys */
void stacks_note(struct stacks *stacks, const struct etl_record *record);
/* The second reading, which calls @weigh and @take. Return: 0, or -1 after a message */
int stacks_walk(struct stacks *stacks);
void stacks_free(struct stacks *stacks);

static inline uint64_t stack_frame(const struct stack_frames *frames, uint32_t i)
{
	return frames->width == 8 ? get64(frames->at + 8 * (size_t)i) :
				    get32(frames->at + 4 * (size_t)i);
}

#endif /* ETW_EVENT_STACKS_H */
