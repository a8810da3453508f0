/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What must come of a WRITE_EVENT: derived from the bytes that the kernel will find. */
#ifndef ETW_FUZZ_PROVIDER_MODERN_H
#define ETW_FUZZ_PROVIDER_MODERN_H

#include "call.h"

/**
 * struct modern_seen - a WRITE_EVENT that is looked at
 * @e: the request
 * @size: bytes of pieces by type
 * @items: bytes of items
 * @schema: metadata, in one piece
 */
struct modern_seen {
	struct etw_write_event e;
	__u64 size[3];
	__u64 items;
	__u8 schema[ETW_MAX_RECORD + 1];
};

static inline struct etw_event_data piece_of(struct worker *w, const struct etw_write_event *e,
					     __u32 i)
{
	struct etw_event_data piece;

	look(w, e->data + i * sizeof(piece), &piece, sizeof(piece));
	if (!(e->flags & ETW_WRITE_TYPES))
		piece.type = ETW_DATA_USER;
	return piece;
}

static inline __u64 item_bytes(__u64 size)
{
	return size ? 8 + ((size + 7) & ~7ULL) : 0;
}

static inline void model_modern_sizes(struct worker *w, struct call *c, struct modern_seen *s)
{
	struct etw_write_event *e = &s->e;
	struct etw_event_data piece;
	__u32 i;

	for (i = 0; i < e->nr_data; i++) {
		piece = piece_of(w, e, i);
		if (piece.type > ETW_DATA_TRAITS)
			c->must |= E(EINVAL);
		else if (piece.size > ETW_MAX_RECORD)
			c->must |= E(EOVERFLOW);
		else
			s->size[piece.type] += piece.size;
	}
	if (s->size[ETW_DATA_TRAITS])
		e->traits = 0;
	else if (e->traits)
		s->size[ETW_DATA_TRAITS] = e->traits_size;
	s->items = (e->related ? 24 : 0) + item_bytes(s->size[ETW_DATA_TRAITS]) +
		   item_bytes(s->size[ETW_DATA_SCHEMA]);
	if (s->items + s->size[ETW_DATA_USER] > ETW_MAX_RECORD - sizeof(struct etw_event_header))
		c->must |= E(EOVERFLOW);
}

static inline void model_modern_data(struct worker *w, struct call *c, struct modern_seen *s)
{
	const struct etw_write_event *e = &s->e;
	struct etw_event_data piece;
	__u32 i, schema = 0;
	const __u8 *p;

	c->total = sizeof(struct etw_event_header) + s->items;
	for (i = 0; i < e->nr_data; i++) {
		piece = piece_of(w, e, i);
		p = peek(w, piece.data, piece.size);
		if (piece.type == ETW_DATA_USER)
			model_data(w, c, piece.data, piece.size);
		else if (piece.size && !p)
			c->must |= E(EFAULT);
		if (piece.type != ETW_DATA_SCHEMA || !piece.size || !p)
			continue;
		memcpy(s->schema + schema, p, piece.size);
		schema += piece.size;
	}
	if ((e->traits && e->traits_size && !peek(w, e->traits, e->traits_size)) ||
	    (e->activity && !peek(w, e->activity, 16)) ||
	    (e->related && !peek(w, e->related, 16)))
		c->must |= E(EFAULT);
}

/* Whether the metadata are a size, tags, and the name that the filter excludes */
static inline int is_left_out(const struct modern_seen *s)
{
	const __u8 *at = s->schema + 2, *const end = s->schema + s->size[ETW_DATA_SCHEMA];

	while (at < end && *at & 0x80)
		at++;
	at++;
	return at < end && (__u64)(end - at) >= sizeof(MODERN_LEFT) &&
	       !memcmp(at, MODERN_LEFT, sizeof(MODERN_LEFT));
}

/* It succeeds, and no session wants it. */
static inline void write_nothing(struct call *c)
{
	c->slot = SLOTS;
	c->must = E(0);
}

static inline int is_wanted(const struct etw_event_descriptor *event)
{
	return event->level <= MODERN_LEVEL &&
	       (!event->keyword || (event->keyword & MODERN_ANY &&
				    (event->keyword & MODERN_ALL) == MODERN_ALL));
}

static inline void model_modern(struct worker *w, struct call *c)
{
	static struct modern_seen s;
	const __u32 all = ETW_WRITE_FLAGS;
	struct head head;
	__u64 at;

	memset(&s, 0, offsetof(struct modern_seen, schema));
	if (!look(w, c->argument, &s.e, sizeof(s.e)))
		c->must = E(EFAULT);
	else if (s.e.size != sizeof(s.e) || s.e.flags & ~all || s.e.reserved ||
		 s.e.nr_data > ETW_MAX_EVENT_DATA)
		c->must = E(EINVAL);
	else if (s.e.index >= ETW_MAX_REGISTRATIONS ||
		 w->registered[c->file][s.e.index] != POOL + 1 ||
		 memcmp(&s.e.provider, &modern_guid, sizeof(modern_guid)))
		c->must = E(ENOENT);
	else if (!is_wanted(&s.e.descriptor))
		write_nothing(c);
	else if (s.e.nr_data && !peek(w, s.e.data, s.e.nr_data * sizeof(struct etw_event_data)))
		c->must = E(EFAULT);
	else
		model_modern_sizes(w, c, &s);
	if (c->must)
		return;
	c->slot = WANTING;
	model_modern_data(w, c, &s);
	at = sizeof(struct etw_event_header) + s.items;
	c->exact = !c->must && is_pattern(w->scratch + at, c->total - at, &head);
	if (!c->must && is_left_out(&s))
		write_nothing(c);
	else
		model_rights(w, c, 0);
}

#endif /* ETW_FUZZ_PROVIDER_MODERN_H */
