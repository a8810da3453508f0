/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* TRACE_EVENT, write(), TRACE_MESSAGE and WRITE_EVENT: composed, spoiled, made, judged. */
#ifndef ETW_FUZZ_PROVIDER_CALLS_H
#define ETW_FUZZ_PROVIDER_CALLS_H

#include "model.h"

#define REPEATS	128	/* of one call, at most */

static inline __u32 any_length(struct worker *w)
{
	static const __u32 limits[] = {
		65536 - 72, 65535, 65535 - 48, 65535 - 44, 4096 - 72, 8192 - 72, 16384 - 72, 65600,
	};

	switch (below(w, 512)) {
	case 0:
		return limits[below(w, 8)] - below(w, 100);
	case 1:
		return limits[below(w, 8)] + below(w, 9) - 4;
	case 2 ... 5:
		return below(w, 70000);
	case 6 ... 37:
		return below(w, 1500);
	case 38 ... 101:
		return below(w, 24);
	}
	return 24 + below(w, 80);
}

static inline __u64 any_handle(struct worker *w, int raced)
{
	static const __u64 none[] = {
		0, 0xFFFF, 65, 0x8000, 0x10000, 0xFFFF0000, ETW_HANDLE_PRIVATE | 1, ~0ULL, 63,
	};
	/* where races may be lost in one way only: buffers of 64 KB */
	static const enum slot large[] = { PLAIN, OPTIONS, CHURN, OPTIONS };
	enum slot slot = raced ? large[below(w, 4)] : one_in(w, 2) ? PLAIN : below(w, SLOTS);
	__u64 id = shared->logger[slot];

	if (!raced && one_in(w, 64))
		return none[below(w, 9)];
	/* only the low 16 bits count, and one that says: private */
	return one_in(w, 8) ? id | (draw(w) << 32) | 0xFF0000 : id;
}

static inline struct etw_guid any_guid(struct worker *w, __u32 rare)
{
	return one_in(w, rare) ? reserved_guids[below(w, RESERVED)] : pool_guid(below(w, POOL));
}

/* Cuts a payload into up to @most pieces; returns how many */
static inline __u32 cut(struct worker *w, __u32 length, __u32 most, __u32 *piece)
{
	__u32 n = one_in(w, 8) ? 1 + below(w, most) : 1 + below(w, 3), i;

	for (i = 0; i + 1 < n; i++) {
		piece[i] = one_in(w, 8) ? 0 : below(w, length + 1);
		length -= piece[i];
	}
	piece[i] = length;
	return n;
}

/* Puts a payload somewhere and fields that find it at @at; returns the array's bytes */
static inline __u32 put_fields(struct worker *w, __u64 at, __u32 length)
{
	__u32 piece[ETW_MAX_MOF_FIELDS + 1], i;
	__u32 n = cut(w, length, ETW_MAX_MOF_FIELDS + one_in(w, 16), piece);
	__u64 data = w->data_at ?: place(w, length);
	struct mof_field field;

	put(w, data, w->scratch, length);
	for (i = 0; i < n; i++) {
		field.data_ptr = piece[i] || one_in(w, 2) ? data : wild(w);
		field.length = piece[i];
		field.data_type = draw(w);
		data += piece[i];
		put(w, at + 16 * i, &field, sizeof(field));
	}
	return 16 * n;
}

static inline __u32 event_flags(struct worker *w, const struct call *c)
{
	const __u32 old = w->version[c->file] == ETW_RULES_5_0;
	__u32 flags = one_in(w, 2) || (old && !one_in(w, 64)) ? WNODE_FLAG_TRACED_GUID : 0;

	if (old && one_in(w, 8))
		flags = one_in(w, 2) ? WNODE_FLAG_LOG_WNODE : flags | WNODE_FLAG_LOG_WNODE;
	if (c->kind == EVENT || one_in(w, 128)) {
		flags |= one_in(w, 4) ? WNODE_FLAG_USE_GUID_PTR : 0;
		flags |= one_in(w, 4) ? WNODE_FLAG_USE_MOF_PTR : 0;
	}
	flags |= one_in(w, 16) ? WNODE_FLAG_USE_TIMESTAMP : 0;
	flags |= one_in(w, 256) ? WNODE_FLAG_NO_HEADER : 0;
	/* without a meaning */
	return flags | (one_in(w, 8) ? draw(w) & 0xFF800DFF : 0);
}

/* Returns the event's address; its handle is at offset 8 */
static inline __u64 put_event(struct worker *w, const struct call *c, int instance, __u64 handle,
			      __u32 length, __u64 *given)
{
	const __u32 size = instance ? sizeof(struct event_instance_guid_header) : 0x30;
	struct event_instance_guid_header h = { .instance_id = 1, .parent_instance_id = 2 };
	__u32 flags = event_flags(w, c), rest = length;
	struct etw_guid guid = any_guid(w, 32);
	__u64 at;

	/* a WNODE_HEADER is taken as it stands */
	if (flags & WNODE_FLAG_LOG_WNODE)
		flags &= ~(WNODE_FLAG_USE_MOF_PTR | WNODE_FLAG_USE_GUID_PTR);
	put_pattern(w->scratch, length, w->number, w->step);
	if (w->data_at && !(flags & WNODE_FLAG_USE_MOF_PTR))
		at = w->data_at - size;
	else
		at = place(w, size + (flags & WNODE_FLAG_USE_MOF_PTR ? 272 : length));
	if (flags & WNODE_FLAG_USE_MOF_PTR)
		rest = put_fields(w, at + size, length);
	else
		put(w, at + size, w->scratch, length);
	h.event.size = size + rest;
	h.event.header_type = (size + rest) >> 16;
	h.event.level = w->number;
	h.event.thread_id = handle;
	h.event.process_id = handle >> 32;
	h.event.time_stamp = one_in(w, 2) ? 1 : 0x4141414141414141;
	h.event.flags = flags;
	h.event.guid = guid;
	if (flags & WNODE_FLAG_USE_GUID_PTR) {
		h.event.guid_ptr = place(w, sizeof(guid));
		put(w, h.event.guid_ptr, &guid, sizeof(guid));
	}
	put(w, at, &h, size);
	*given = size + rest;
	return at;
}

/* Some bytes of it become others, but no addresses: those come from place() only */
static inline void spoil(struct worker *w, __u64 at, __u32 size, __u64 addresses)
{
	static const __u32 values[] = {
		0, 1, 0x2F, 0x30, 0x47, 0x48, 0x58, 0xFFFF, 0x10000, 0x1002F, 0x7FFFFFFF,
		0x80000000, 0xFFFFFFFF, WNODE_FLAG_LOG_WNODE, WNODE_FLAG_USE_MOF_PTR, 0x20020,
	};
	__u32 dword = below(w, size / 4), width = 1U << below(w, 3);
	__u32 value = one_in(w, 2) ? values[below(w, 16)] : draw(w);

	if (!(addresses >> dword & 1))
		put(w, at + 4 * dword, &value, width);
}

static void compose_event(struct worker *w, struct call *c, int raced)
{
	struct etw_trace_event request = { .size = sizeof(request) };
	__u64 handle = any_handle(w, raced), given, at;
	__u32 length = raced ? 24 + below(w, 900) : any_length(w);

	request.flags = one_in(w, 16) ? ETW_TRACE_INSTANCE : 0;
	request.session_handle = handle;
	at = put_event(w, c, request.flags, handle, length, &given);
	request.event = one_in(w, 512) ? 0 : at;
	c->mark = at + offsetof(struct event_trace_header, type);
	c->argument = place(w, sizeof(request));
	put(w, c->argument, &request, sizeof(request));
	if (raced || !one_in(w, 6))
		return;
	if (one_in(w, 4))
		spoil(w, c->argument, sizeof(request), 0x30);
	else
		spoil(w, at, 0x30, 0xC0);
}

static void compose_write(struct worker *w, struct call *c, int raced)
{
	__u64 handle = any_handle(w, raced);
	__u32 length = raced ? 24 + below(w, 900) : any_length(w);

	c->argument = put_event(w, c, 0, handle, length, &c->size);
	c->mark = c->argument + offsetof(struct event_trace_header, type);
	if (raced)
		return;
	if (one_in(w, 32))
		c->size += below(w, 17) - 8;
	if (one_in(w, 64))
		c->size = below(w, 70000);
	if (one_in(w, 6))
		spoil(w, c->argument, 0x30, 0xC0);
}

static void compose_message(struct worker *w, struct call *c, int raced)
{
	__u32 length = raced ? 24 + below(w, 900) : any_length(w), n, i;
	__u32 piece[ETW_MAX_MESSAGE_ARGUMENTS + 1];
	struct etw_guid guid = any_guid(w, 32);
	struct etw_trace_message m = {
		.size = sizeof(m), .message_flags = below(w, 64),
		.session_handle = any_handle(w, raced),
	};
	struct etw_message_argument a;
	__u64 data;

	n = cut(w, length, ETW_MAX_MESSAGE_ARGUMENTS + one_in(w, 16), piece);
	put_pattern(w->scratch, length, w->number, w->step);
	data = w->data_at ?: place(w, length);
	put(w, data, w->scratch, length);
	m.nr_arguments = n;
	m.arguments = place(w, n * sizeof(a));
	for (i = 0; i < n; i++) {
		a.data = piece[i] || one_in(w, 2) ? data : wild(w);
		a.length = piece[i];
		data += piece[i];
		put(w, m.arguments + i * sizeof(a), &a, sizeof(a));
	}
	m.message_guid = place(w, sizeof(guid));
	put(w, m.message_guid, &guid, sizeof(guid));
	c->argument = place(w, sizeof(m));
	c->mark = c->argument + offsetof(struct etw_trace_message, message_number);
	put(w, c->argument, &m, sizeof(m));
	if (raced || !one_in(w, 6))
		return;
	if (one_in(w, 2))
		spoil(w, c->argument, sizeof(m), 0xF0);
	else
		spoil(w, m.arguments + 8, 8, 0);
}

/* Where the modern provider is registered through @file; registers it where it is not */
static inline __u32 modern_index(struct worker *w, int file)
{
	struct etw_provider_register r = { .size = sizeof(r), .guid = modern_guid };
	__u32 i;

	for (i = 0; i < ETW_MAX_REGISTRATIONS; i++)
		if (w->registered[file][i] == POOL + 1)
			return i;
	if (ioctl(w->fd[file], ETW_PROVIDER_REGISTER, &r)) {
		if (errno != ENOSPC)
			finding(w, "REGISTER: %s", error_name(errno));
		return below(w, 300);
	}
	w->registered[file][r.index] = POOL + 1;
	return r.index;
}

/* Metadata: size, tags, name; or anything */
static inline __u32 put_schema(struct worker *w, __u64 at)
{
	static const char *const names[] = { MODERN_LEFT, "kept", "lef", "lefty", "" };
	__u8 schema[40];
	__u32 size = 2, i;

	for (i = 0; i < sizeof(schema); i++)
		schema[i] = one_in(w, 4) ? draw(w) : 0;
	while (size < 10 && one_in(w, 2))
		schema[size++] |= 0x80;
	schema[size++] &= 0x7F;
	if (!one_in(w, 8))
		strcpy((char *)schema + size, names[below(w, 5)]);
	size += below(w, sizeof(schema) - size);
	put(w, at, schema, size);
	return size;
}

/* Data in pieces, then metadata and traits, now and then in two pieces each */
static inline __u32 put_pieces(struct worker *w, __u64 at, __u32 length, int types)
{
	__u32 piece[ETW_MAX_EVENT_DATA], n = cut(w, length, ETW_MAX_EVENT_DATA - 4, piece), i;
	__u64 data = w->data_at ?: place(w, length), more = place(w, 64);
	struct etw_event_data to = { 0 };
	__u32 size, first;

	put(w, data, w->scratch, length);
	for (i = 0; i < n; i++) {
		to.data = piece[i] || one_in(w, 2) ? data : wild(w);
		to.size = piece[i];
		data += piece[i];
		put(w, at + i * sizeof(to), &to, sizeof(to));
	}
	if (!types || one_in(w, 4))
		return n;
	size = put_schema(w, more);
	first = one_in(w, 4) ? below(w, size) : 0;
	for (i = 0; i < 2; i++, n++) {
		to.type = ETW_DATA_SCHEMA;
		to.data = i ? more + first : more;
		to.size = i ? size - first : first;
		put(w, at + n * sizeof(to), &to, sizeof(to));
	}
	to.type = ETW_DATA_TRAITS;
	to.size = below(w, 40);
	put(w, at + n * sizeof(to), &to, sizeof(to));
	return n + one_in(w, 4);
}

static void compose_modern(struct worker *w, struct call *c)
{
	static const __u64 keywords[] = { 0, 2, 6, 4, 8, 3, ~0ULL };
	struct etw_write_event e = {
		.size = sizeof(e), .flags = one_in(w, 4) ? 0 : ETW_WRITE_TYPES,
		.index = modern_index(w, c->file), .provider = modern_guid,
		.descriptor = { .level = below(w, 6), .keyword = keywords[below(w, 7)] },
	};
	__u32 length = any_length(w);

	put_pattern(w->scratch, length, w->number, w->step);
	e.data = place(w, ETW_MAX_EVENT_DATA * sizeof(struct etw_event_data));
	e.nr_data = put_pieces(w, e.data, length, e.flags);
	e.activity = one_in(w, 2) ? place(w, 16) : 0;
	e.related = one_in(w, 4) ? place(w, 16) : 0;
	e.traits = one_in(w, 4) ? place(w, 40) : 0;
	e.traits_size = below(w, 40);
	c->argument = place(w, sizeof(e));
	c->mark = c->argument + offsetof(struct etw_write_event, descriptor.id);
	put(w, c->argument, &e, sizeof(e));
	if (!one_in(w, 6))
		return;
	/* the descriptor's id is the mark; addresses come from place() only */
	if (one_in(w, 2))
		spoil(w, c->argument, sizeof(e), 0xFF000 | 1 << 8);
	else if (e.nr_data)
		spoil(w, e.data, e.nr_data * sizeof(struct etw_event_data) > 0x80 ? 0x80 :
		      e.nr_data * sizeof(struct etw_event_data), 0x33333333);
}

static int make_call(struct worker *w, const struct call *c)
{
	ssize_t n;

	switch (c->kind) {
	case EVENT:
		return ioctl(w->fd[c->file], ETW_PROVIDER_TRACE_EVENT, c->argument) ? errno : 0;
	case MESSAGE:
		return ioctl(w->fd[c->file], ETW_PROVIDER_TRACE_MESSAGE, c->argument) ? errno : 0;
	case MODERN:
		return ioctl(w->fd[c->file], ETW_PROVIDER_WRITE_EVENT, c->argument) ? errno : 0;
	default:
		n = write(w->fd[c->file], (void *)c->argument, c->size);
		if (n >= 0 && (__u64)n != c->size)
			finding(w, "write() of %llu bytes returns %zd", c->size, n);
		return n < 0 ? errno : 0;
	}
}

/* The handle is stored at offset 8 of an event with a good header, and nothing else anywhere. */
static inline void check_memory(struct worker *w, const struct call *c, const __u8 *before,
				const __u8 *from, __u32 size)
{
	struct etw_trace_event request;
	const __u8 *stored = NULL;
	__u32 i;

	if (c->edited && look(w, c->argument, &request, sizeof(request)))
		stored = peek(w, request.event + 8, 8);
	if (c->edited && (!stored || memcmp(stored, &request.session_handle, 8)))
		finding(w, "TRACE_EVENT: no handle at offset 8");
	if (!memcmp(before, from, size))
		return;
	for (i = 0; i < size; i++)
		if (before[i] != from[i] && !(stored && from + i >= stored && from + i < stored + 8))
			break;
	if (i < size)
		finding(w, "%s changed memory at %u of %u", kind_name[c->kind], i, size);
}

static inline void compose(struct worker *w, struct call *c, int raced)
{
	if (c->kind == EVENT)
		compose_event(w, c, raced);
	else if (c->kind == WRITE)
		compose_write(w, c, raced);
	else if (c->kind == MODERN)
		compose_modern(w, c);
	else
		compose_message(w, c, raced);
}

static void call_step(struct worker *w, enum kind kind)
{
	static __u8 before[512];
	struct call c = { .kind = kind, .file = below(w, FILES), .slot = SLOTS };
	__u32 size, times;
	const __u8 *from;
	int err = 0;

	w->used = below(w, 2) * PAGE;
	w->edge = 0;
	compose(w, &c, 0);
	model_and_mark(w, &c);
	/* what stands around the event, or the request */
	from = peek(w, c.event ? c.event : c.argument, 1);
	if (!from)
		from = w->rw;
	from -= from - w->rw < 64 ? from - w->rw : 64;
	size = w->rw + ARENA - from < 320 ? w->rw + ARENA - from : 320;
	memcpy(before, from, size);
	/* again while the bytes are the same: more calls than preparations for them */
	times = w->edge ? 1 : c.total > PAGE ? 4 : 1 + below(w, REPEATS);
	while (times--) {
		err = make_call(w, &c);
		judge(w, &c, err, allowed(&c));
	}
	check_memory(w, &c, before, from, size);
}

#endif /* ETW_FUZZ_PROVIDER_CALLS_H */
