/* SPDX-License-Identifier: GPL-2.0 */
/* A rundown: records of what there is, which wait for room where events can't. */
#ifndef ETW_RUNDOWN_H
#define ETW_RUNDOWN_H

#include <linux/types.h>
#include "etw_hooks.h"

struct etw_ring;
struct etw_sink;

/* Trace headers of what a rundown writes */
enum etw_rundown_header { ETW_RUNDOWN_PERFINFO, ETW_RUNDOWN_SYSTEM };

/**
 * enum etw_rundown_phase - where in a rundown sources are asked for their part
 * @ETW_RUNDOWN_START: what there is when a session begins, or when it is asked for
 * @ETW_RUNDOWN_END: what there is when it ends
 * @ETW_RUNDOWN_END_NAMES: then, after the machine's topology: names of what went before
 */
enum etw_rundown_phase { ETW_RUNDOWN_START, ETW_RUNDOWN_END, ETW_RUNDOWN_END_NAMES };

/**
 * struct etw_rundown - a rundown under way
 * @sink: for whom
 * @masks: what it tells of
 * @ring: where to; NULL: the current CPU's, whose reader has to make room.
 *	Nobody else writes to @ring, and it grows
 * @losses: with @ring, who counts what doesn't fit there; nobody writes to it
 * @hopeless: no buffer came free for as long as we may wait: wait no more
 * @vanished: room that was waited for had gone when it was to be used
 * @limit: then, until when it is waited for (jiffies)
 * @make_room: there was none: see to it, or wait a moment, unless it is later than
 *	@limit (jiffies) and only a reader can make any. Return: whether there may be
 *	room now. Not called for one that was @hopeless from its beginning
 */
struct etw_rundown {
	const struct etw_sink *sink;
	struct perfinfo_groupmask masks;
	struct etw_ring *ring;
	struct etw_ring *losses;
	bool hopeless;
	bool vanished;
	unsigned long limit;
	bool (*make_room)(struct etw_rundown *rundown, unsigned long limit);
};

/* Whether it tells of an event group: a PERF_ value */
static inline bool etw_rundown_wants(const struct etw_rundown *rundown, u32 group)
{
	return rundown->masks.masks[PERF_MASK_INDEX(group)] & PERF_MASK_BITS(group);
}

/**
 * struct etw_rundown_record - what to tell
 * @hook_id: hook id
 * @version: of the payload
 * @header: trace header
 * @payload: payload
 * @size: bytes of it
 * @still: whether it is still so, or NULL: it always is. Called with interrupts off and
 *	the record's stamp taken; whatever ends it has a later one. With it nothing is
 *	waited for: who asks waits before, and looks again
 * @what: for @still
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

void etw_rundown_wait(struct etw_rundown *rundown);
int etw_rundown_tell(struct etw_rundown *rundown, const struct etw_rundown_record *record);
int etw_rundown_write(struct etw_rundown *rundown, u16 hook_id, u8 version,
		      enum etw_rundown_header header, const void *payload, u32 size);

#endif /* ETW_RUNDOWN_H */
