/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Calls with bytes, or pages, that change while the kernel reads them. */
#ifndef ETW_FUZZ_PROVIDER_RACE_H
#define ETW_FUZZ_PROVIDER_RACE_H

#include "calls.h"

#define RACES	32	/* calls while one racer runs */

/* A page, if there is one, comes and goes */
static void move_page(struct racer *racer, int side)
{
	if (racer->page)
		mprotect(racer->page, PAGE, side ? PROT_NONE : PROT_READ | PROT_WRITE);
}

/* Both values of a field: what it is, and another */
static inline void add_flip(struct worker *w, __u64 at, __u32 size, __u64 other)
{
	struct flip *flip = &w->racer.flip[w->racer.count];
	__u8 *here = peek(w, at, size);

	if (!here || w->racer.count == MAX_FLIPS)
		return;
	flip->at = here;
	flip->size = size;
	flip->value[0] = 0;
	memcpy(&flip->value[0], flip->at, size);
	flip->value[1] = other;
	w->racer.count++;
}

/*
 * Where a second look would do the most harm. Lengths are such that a record is
 * either one that fits into a buffer of 64 KB or one of more than 64 KB.
 */
static inline void flip_guid(struct worker *w, __u64 at)
{
	const struct etw_guid *bad = &reserved_guids[below(w, RESERVED)];
	__u64 half[2];

	memcpy(half, bad, sizeof(half));
	add_flip(w, at, 8, half[0]);
	add_flip(w, at + 8, 8, half[1]);
}

/* One thing, or two: most of these calls should succeed. */
static inline void choose_event_flip(struct worker *w, __u64 at)
{
	struct event_trace_header h;

	if (!look(w, at, &h, sizeof(h)))
		return;
	switch (below(w, 6)) {
	case 0:
		add_flip(w, at, 2, one_in(w, 2) ? below(w, 2000) : 0x30 + below(w, 0x110));
		break;
	case 1:
		add_flip(w, at + 0x2C, 4, h.flags ^ 1U << (9 + below(w, 14)));
		break;
	case 2:
		if (!(h.flags & WNODE_FLAG_USE_MOF_PTR))
			break;
		add_flip(w, at + 0x38, 4, one_in(w, 2) ? 0x10000 + below(w, 1U << 31) :
							 below(w, 2000));
		break;
	case 3:
		if (h.flags & WNODE_FLAG_USE_MOF_PTR)
			add_flip(w, at + 0x30, 8, wild(w));
		else if (h.flags & WNODE_FLAG_USE_GUID_PTR)
			add_flip(w, at + 0x18, 8, wild(w));
		break;
	default:
		flip_guid(w, h.flags & WNODE_FLAG_USE_GUID_PTR ? h.guid_ptr : at + 0x18);
	}
}

static inline void choose_message_flip(struct worker *w, __u64 at)
{
	struct etw_trace_message m;

	if (!look(w, at, &m, sizeof(m)))
		return;
	switch (below(w, 6)) {
	case 0:
		add_flip(w, at + offsetof(struct etw_trace_message, message_flags), 4,
			 below(w, 128));
		break;
	case 1:
		add_flip(w, at + offsetof(struct etw_trace_message, nr_arguments), 4,
			 one_in(w, 2) ? below(w, 4) : draw(w));
		break;
	case 2:
		add_flip(w, m.arguments + 8, 8, one_in(w, 2) ? below(w, 2000) : 0x10000 + draw(w));
		break;
	case 3:
		add_flip(w, m.arguments, 8, wild(w));
		break;
	default:
		flip_guid(w, m.message_guid);
	}
}

static const errors documented =
	E(0) | E(EINVAL) | E(EFAULT) | E(EBADRQC) | E(EBADF) | E(EOPNOTSUPP) | E(E2BIG) |
	E(EMSGSIZE) | E(EACCES) | E(ENOBUFS);

static inline enum kind raced_kind(struct worker *w)
{
	static const enum kind kinds[] = { EVENT, EVENT, MESSAGE, MESSAGE, WRITE };

	return kinds[below(w, 5)];
}

/* Somewhere in the event or the message of a call */
static inline void choose_flip(struct worker *w, const struct call *c)
{
	struct etw_trace_event request;

	if (c->kind == MESSAGE)
		choose_message_flip(w, c->argument);
	else if (c->kind == WRITE)
		choose_event_flip(w, c->argument);
	else if (look(w, c->argument, &request, sizeof(request)))
		choose_event_flip(w, request.event);
}

/* Arguments that are too long, or addresses of fields, are no part of these. */
static void race_step(struct worker *w)
{
	struct call c = {
		.kind = raced_kind(w), .file = below(w, FILES), .slot = SLOTS,
	};
	struct racer *racer = &w->racer;
	int i, err;

	w->used = below(w, 2) * PAGE;
	w->edge = 0;
	racer->count = 0;
	racer->page = NULL;
	/* nothing of old that could be taken for a field */
	memset(w->rw, 0xEE, 5 * PAGE);
	compose(w, &c, 1);
	put_mark(w, &c, MARK_RACED);
	model(w, &c);
	if (one_in(w, 16))
		racer->page = w->rw + below(w, 3) * PAGE;
	for (i = one_in(w, 4) ? 2 : 1; i--;)
		choose_flip(w, &c);
	/* its pages are ours alone while they come and go */
	if (racer->page)
		racer->count = 0;
	/* without knowing where it went, a worker can't know that it was lost */
	if (c.slot == SLOTS || w->edge)
		return;
	c.must = E(EMSGSIZE);
	begin_race(racer);
	for (i = 0; i < RACES; i++) {
		err = make_call(w, &c);
		judge(w, &c, err, documented);
	}
	end_race(racer);
	if (racer->page)
		mprotect(racer->page, PAGE, PROT_READ | PROT_WRITE);
	w->tally->raced += RACES;
}

#endif /* ETW_FUZZ_PROVIDER_RACE_H */
