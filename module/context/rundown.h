/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A rundown: records of what exists. Unlike events, they wait for free space. */
#ifndef ETW_RUNDOWN_H
#define ETW_RUNDOWN_H

#include <linux/jiffies.h>
#include <linux/types.h>
#include "etw_hooks.h"

struct etw_ring;
struct etw_sink;

/* Stop waiting if the reader frees no buffer for this long; see session/rundown_limits.h */
#define ETW_RUNDOWN_PATIENCE	(2 * HZ)
/* Short sleeps of a rundown for locks and execs of processes; see session/rundown_limits.h */
#define ETW_RUNDOWN_NAPS	512

/* Trace headers of rundown records */
enum etw_rundown_header { ETW_RUNDOWN_PERFINFO, ETW_RUNDOWN_SYSTEM };

/**
 * enum etw_rundown_phase - part of a rundown for which sources are called
 * @ETW_RUNDOWN_START: what exists when a session begins, or on request
 * @ETW_RUNDOWN_END: what exists when a session ends
 * @ETW_RUNDOWN_END_NAMES: also at the end, after the machine's topology: names for the
 *	records before
 */
enum etw_rundown_phase { ETW_RUNDOWN_START, ETW_RUNDOWN_END, ETW_RUNDOWN_END_NAMES };

/**
 * struct etw_rundown - a rundown in progress
 * @sink: session sink
 * @masks: groups to be written
 * @ring: ring of its own, which grows and has no other writer; NULL: the ring of the
 *	current CPU, in which the reader has to free buffers
 * @losses: with @ring: ring that counts the losses; no record is written to it
 * @hopeless: no buffer became free within the time limit: wait no more, also not in later parts
 * @vanished: the free space was gone again when it was to be used
 * @limit: if @vanished: time limit of the wait (jiffies)
 * @over: the time is over, or the waiting program was killed: the walks end
 * @incomplete: it was @over at least once
 * @naps: short sleeps for locks and execs of processes that are left
 * @is_over: whether the rundown must end now; NULL: never
 * @begin_part: a source, or what follows the sources, begins its part of the rundown, and @left
 *	parts share the time that is left; NULL: no such limit
 * @make_space: called without free space: make some, or wait a moment, unless it is later
 *	than @limit (jiffies) and only a reader can free any. Return: whether there may be
 *	free space now. Not called if the rundown was @hopeless from its beginning
 */
struct etw_rundown {
	const struct etw_sink *sink;
	struct perfinfo_groupmask masks;
	struct etw_ring *ring;
	struct etw_ring *losses;
	bool hopeless;
	bool vanished;
	unsigned long limit;
	bool over;
	bool incomplete;
	u32 naps;
	bool (*is_over)(struct etw_rundown *rundown);
	void (*begin_part)(struct etw_rundown *rundown, u32 left);
	bool (*make_space)(struct etw_rundown *rundown, unsigned long limit);
};

/* Whether a record may wait for free space */
static inline bool etw_rundown_may_wait(const struct etw_rundown *rundown)
{
	return !rundown->hopeless && !rundown->over;
}

/* Whether the rundown includes an event group: a PERF_ value */
static inline bool etw_rundown_wants(const struct etw_rundown *rundown, u32 group)
{
	return rundown->masks.masks[PERF_MASK_INDEX(group)] & PERF_MASK_BITS(group);
}

/**
 * struct etw_rundown_record - a rundown record to be written
 * @hook_id: hook id
 * @version: of the payload
 * @header: trace header
 * @payload: payload
 * @size: bytes of @payload
 * @still: whether the payload is still true; NULL if always. Called with interrupts off
 *	after the record's stamp is taken; a change after that has a later stamp. If set,
 *	writing doesn't wait: the caller waits before, and reads the payload's data again
 * @what: argument of @still
 */
struct etw_rundown_record {
	u16 hook_id;
	u8 version;
	enum etw_rundown_header header;
	const void *payload;
	u32 size;
	bool (*still)(const void *what);
	const void *what;
};

bool etw_rundown_goes_on(struct etw_rundown *rundown);
bool etw_rundown_may_nap(struct etw_rundown *rundown);
void etw_rundown_cut(struct etw_rundown *rundown, u32 records);
void etw_rundown_wait(struct etw_rundown *rundown);
int etw_rundown_write_record(struct etw_rundown *rundown, const struct etw_rundown_record *record);
int etw_rundown_write(struct etw_rundown *rundown, u16 hook_id, u8 version,
		      enum etw_rundown_header header, const void *payload, u32 size);

#endif /* ETW_RUNDOWN_H */
