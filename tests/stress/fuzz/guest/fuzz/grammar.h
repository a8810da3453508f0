/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Requests: valid ones from the structures, and then something wrong with them. */
#ifndef ETW_TEST_FUZZ_GRAMMAR_H
#define ETW_TEST_FUZZ_GRAMMAR_H

#include "start.h"

union argument {
	struct etw_control c;
	struct etw_list l;
	struct etw_statistics s;
	struct etw_log_record r;
	struct etw_counting n;
	struct etw_enable e;
	struct etw_providers p;
	__u8 bytes[304];
};

static const __u32 known_size[OTHER] = {
	[START] = sizeof(struct etw_control), [STOP] = sizeof(struct etw_control),
	[QUERY] = sizeof(struct etw_control), [FLUSH] = sizeof(struct etw_control),
	[UPDATE] = sizeof(struct etw_control), [SNAPSHOT] = sizeof(struct etw_control),
	[RUNDOWN] = sizeof(struct etw_control),
	[LIST] = sizeof(struct etw_list), [STATISTICS] = sizeof(struct etw_statistics),
	[LOG_RECORD] = sizeof(struct etw_log_record), [COUNTING] = sizeof(struct etw_counting),
	[ENABLE] = sizeof(struct etw_enable), [PROVIDERS] = sizeof(struct etw_providers),
};

#define STATISTICS_VER0	152
#define STATISTICS_VER1	168
#define ENABLE_VER0	40
#define ENABLE_VER1	64

static inline __u32 any_logger(struct worker *w)
{
	static const __u32 none[] = { 0, 65, 66, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff };
	__u32 id = 1 + below(w, 64);
	int i;

	switch (below(w, 16)) {
	case 0:
		return none[below(w, 7)];
	case 1:
		return id;
	}
	/* one that was there the last time */
	for (i = 0; i < 64; i++, id = id % 64 + 1)
		if (w->mask & 1ULL << (id - 1))
			break;
	return id;
}

static inline __u32 logger_with(struct worker *w, __u8 trait)
{
	__u32 id = 1 + below(w, 64);
	int i;

	for (i = 0; i < 64; i++, id = id % 64 + 1)
		if (w->mask & 1ULL << (id - 1) && shared->trait[id] == trait)
			break;
	return id;
}

static inline void break_stop(struct worker *w, struct etw_control *c)
{
	switch (below(w, 6)) {
	case 0:
		c->error_processor = 1;
		break;
	case 1:
		c->error_offset = 0x80000000;
		break;
	case 2:
		c->error_reason = 1;
		break;
	case 3:
		c->error_item = 1;
		break;
	case 4:
		c->flags |= 2U << below(w, 31);
		break;
	default:
		c->logger_id = one_in(w, 2) ? 0 : 65 + below(w, 1000);
	}
}

static inline void compose_log_record(struct worker *w, struct request *r,
				      struct etw_log_record *l)
{
	static const __u16 hooks[] = {
		WMI_LOG_TYPE_CONFIG_PHYSICALDISK, WMI_LOG_TYPE_CONFIG_LOGICALDISK,
		PERFINFO_LOG_TYPE_MARK, WMI_LOG_TYPE_CONFIG_CPU, 0, 0xffff,
	};
	__u8 *text;

	l->logger_id = one_in(w, 4) ? any_logger(w) :
				      logger_with(w, TRAIT_KERNEL | TRAIT_OVERWRITE);
	l->hook_id = hooks[one_in(w, 4) ? below(w, 6) : below(w, 3)];
	l->version = l->hook_id == PERFINFO_LOG_TYPE_MARK ? one_in(w, 8) : 1 + below(w, 4);
	l->payload_size = one_in(w, 8) ? 1 + below(w, MAX_PAYLOAD) : 1 + below(w, 600);
	l->payload = place(w, &w->blocks, l->payload_size);
	r->block = l->payload;
	r->block_size = l->payload_size;
	/* mostly a string; else one that ends too early, or not at all */
	text = peek(w, l->payload, l->payload_size);
	if (!text || one_in(w, 8))
		return;
	text[l->payload_size - 1] = 0;
	if (one_in(w, 8))
		text[below(w, l->payload_size)] = 0;
}

/* A filter whose data may be good, behind its descriptor; @at: of the descriptor */
static inline void put_filter(struct worker *w, __u64 at)
{
	static const __u32 types[] = {
		ETW_FILTER_PID, ETW_FILTER_EXECUTABLE, ETW_FILTER_EVENT_ID, ETW_FILTER_EVENT_NAME,
		ETW_FILTER_STACK, ETW_FILTER_STACK_NAME, ETW_FILTER_STACK_LEVEL,
	};
	struct etw_event_filter filter = { .type = types[below(w, 7)], .size = 20 + below(w, 40) };
	struct etw_filter_event_names names = { .in = below(w, 2), .count = 2 };
	__u8 *to = peek(w, at, sizeof(filter) + 60);
	__u32 length = filter.size - 20;

	if (!to)
		return;
	filter.data = at + sizeof(filter);
	memset(names.names, 'a', 40);
	if (length) {
		names.names[one_in(w, 8) ? below(w, length) : length / 2] = 0;
		names.names[length - 1] = 0;
	}
	memcpy(to, &filter, sizeof(filter));
	memcpy(to + sizeof(filter), &names, filter.size);
}

static inline void compose_enable(struct worker *w, struct etw_enable *e)
{
	/* one of them comes to its limit */
	e->logger_id = w->mask && one_in(w, 2) ? __builtin_ffsll(w->mask) : any_logger(w);
	e->guid.data1 = below(w, GUIDS);
	e->enabled = one_in(w, 8) ? 0 : one_in(w, 8) ? ETW_ENABLE_CAPTURE_STATE : 1;
	e->level = below(w, 256);
	e->enable_flags = draw(w);
	e->match_any = draw(w);
	e->match_all = one_in(w, 2) ? draw(w) : 0;
	e->properties = one_in(w, 2) ? ETW_ENABLE_PROPERTIES : 0;
	if (one_in(w, 8)) {
		e->nr_filters = below(w, ETW_MAX_EVENT_FILTERS + 2);
		e->filters = place(w, &w->blocks,
				   e->nr_filters * sizeof(struct etw_event_filter) | 1);
		if (e->nr_filters == 1)
			put_filter(w, e->filters);
	} else if (one_in(w, 4)) {
		e->size = one_in(w, 2) ? ENABLE_VER0 : ENABLE_VER1;
	}
}

static inline void compose_providers(struct worker *w, struct request *r, struct etw_providers *p)
{
	p->count = one_in(w, 4) ? below(w, 2048) : below(w, 128);
	p->providers = place(w, &w->blocks, p->count * sizeof(struct etw_provider_info) | 1);
	p->entry_size = one_in(w, 4) ? PROVIDER_INFO_VER0 : sizeof(struct etw_provider_info);
	if (one_in(w, 4))
		p->size = PROVIDERS_VER0;
	/* a race makes the count any other one */
	r->block = p->providers;
	r->block_size = w->blocks.size;
}

static inline void compose_argument(struct worker *w, struct request *r, union argument *a)
{
	memset(a, 0, sizeof(*a));
	a->c.size = r->known;
	switch (r->kind) {
	case START:
		compose_start(w, r, &a->c);
		break;
	case STOP:
		r->real = one_in(w, is_churning(w) ? RARE_STOP / 8 : RARE_STOP) && !is_filling(w);
		a->c.flags = !one_in(w, 4);
		a->c.logger_id = any_logger(w);
		break;
	case QUERY:
		a->c.logger_id = any_logger(w);
		a->c.information_size = one_in(w, 4) ? below(w, MAX_ANSWER + 64) :
				       sizeof(struct wmi_logger_information) + 1600;
		a->c.information = place(w, &w->blocks, a->c.information_size | 1);
		if (one_in(w, 64))
			a->c.information = (unsigned long)w->args.rw + PLACE + below(w, 80) - 40;
		break;
	case FLUSH:
		a->c.logger_id = any_logger(w);
		break;
	case UPDATE:
		a->c.logger_id = any_logger(w);
		compose_update(w, r, &a->c);
		break;
	case SNAPSHOT:
		a->c.logger_id = one_in(w, 4) ? any_logger(w) :
				 logger_with(w, one_in(w, 4) ? TRAIT_KERNEL | TRAIT_OVERWRITE :
							       TRAIT_OVERWRITE);
		break;
	case RUNDOWN:
		a->c.logger_id = one_in(w, 2) ? any_logger(w) :
				 logger_with(w, TRAIT_KERNEL | TRAIT_OVERWRITE);
		break;
	case STATISTICS:
		a->s.size = one_in(w, 4) ? STATISTICS_VER0 :
			    one_in(w, 4) ? STATISTICS_VER1 : r->known;
		a->s.logger_id = any_logger(w);
		a->s.processor = one_in(w, 2) ? ETW_ALL_PROCESSORS : below(w, 4);
		break;
	case LOG_RECORD:
		compose_log_record(w, r, &a->r);
		break;
	case COUNTING:
		a->n.logger_id = any_logger(w);
		a->n.processor = one_in(w, 2) ? ETW_ALL_PROCESSORS : below(w, 4);
		break;
	case ENABLE:
		compose_enable(w, &a->e);
		break;
	case PROVIDERS:
		compose_providers(w, r, &a->p);
		break;
	default:
		break;
	}
}

/* Any 32 bits of an argument, but no address: those come from place() only */
static inline void spoil_argument(struct worker *w, struct request *r, union argument *a)
{
	const __u32 address = r->kind <= RUNDOWN ? offsetof(struct etw_control, information) :
			      r->kind == LOG_RECORD ? offsetof(struct etw_log_record, payload) :
			      r->kind == PROVIDERS ? offsetof(struct etw_providers, providers) :
			      r->kind == ENABLE ? offsetof(struct etw_enable, filters) :
						     0xffff;
	__u32 at = 4 * below(w, r->known / 4);

	if (at == address || at == address + 4)
		return;
	set_field(w, a->bytes + at, one_in(w, 4) ? 2 : 4);
}

/* The sizes: short, long with zeros, long with something, absurd */
static inline __u32 spoil_size(struct worker *w, __u32 known, int *tail)
{
	*tail = 0;
	switch (below(w, 8)) {
	case 0:
		return below(w, known);
	case 1:
		return known - 1;
	case 2:
		return known + 1 + below(w, 16);
	case 3:
		return known + below(w, PAGE - known + 1);
	case 4:
		*tail = 1;
		return known + 1 + below(w, 16);
	case 5:
		*tail = 1;
		return known + 1 + below(w, PAGE - known);
	case 6:
		return PAGE + 1 + below(w, 2);
	default:
		return boundaries[below(w, sizeof(boundaries) / sizeof(boundaries[0]))];
	}
}

/* The argument goes where the kernel will look for it. */
static inline void put_argument(struct worker *w, struct request *r, union argument *a, int tail)
{
	__u32 size = a->c.size, length = r->known, room;
	__u8 *to;

	if (size > length && size <= PAGE)
		length = size;
	r->arg = place(w, &w->args, length);
	r->length = length;
	to = peek(w, r->arg, 1);
	if (!to)
		return;
	room = room_at(w, r->arg);
	memcpy(to, a->bytes, room < r->known ? room : r->known);
	if (length > r->known && room >= length) {
		memset(to + r->known, 0, length - r->known);
		if (tail)
			to[one_in(w, 2) ? length - 1 :
			   r->known + below(w, length - r->known)] = 1 + below(w, 255);
	}
}

static inline unsigned long other_cmd(struct worker *w)
{
	static const __u8 magics[] = { 0xe6, 0xe8, 0xe5, 'x', 'E', 0xff };
	unsigned long cmd;

	switch (below(w, 4)) {
	case 0:		/* no such number */
		do
			cmd = below(w, 256);
		while ((cmd >= 1 && cmd <= 8) || (cmd >= 0x10 && cmd <= 0x15));
		return _IO(ETW_IOC_MAGIC, cmd);
	case 1:		/* a direction, a size */
		return kind_cmd[below(w, OTHER)] | (1 + below(w, 0xffff)) << 16;
	case 2:
		return _IO(magics[below(w, 6)], below(w, 256));
	default:
		return (__u32)draw(w) >> 16 << 16 | magics[below(w, 6)] << 8 | below(w, 256);
	}
}

static inline void choose_file(struct worker *w, struct request *r)
{
	r->fd = w->control[below(w, CONTROLS)];
	r->fd_error = 0;
	if (!one_in(w, 64))
		return;
	switch (below(w, 4)) {
	case 0:
		r->fd = w->null;
		r->fd_error = ENOTTY;
		break;
	case 1:
		if (w->stream < 0)
			break;
		r->fd = w->stream;
		r->fd_error = ENOTTY;
		break;
	case 2:
		r->fd = w->path;
		r->fd_error = EBADF;
		break;
	default:
		r->fd = one_in(w, 2) ? -1 : 1000 + (int)below(w, 1000000);
		r->fd_error = EBADF;
	}
}

/* In user memory, where all is in place already */
static inline void break_request(struct worker *w, struct request *r, struct verdict *v)
{
	__u8 *to = peek(w, r->arg, r->known);
	union argument a;

	memcpy(&a, to, r->known);
	if (r->kind == START) {
		break_start(w, &a.c, peek(w, a.c.information,
					  sizeof(struct wmi_logger_information)));
	} else if (r->kind == STOP) {
		break_stop(w, &a.c);
	} else if (r->kind == RUNDOWN) {
		/* as below; and a rundown of all processes takes its time */
		if (shared->trait[v->id] == (TRAIT_KERNEL | TRAIT_OVERWRITE) ? !one_in(w, 8) :
		    shared->trait[v->id] == TRAIT_KERNEL && !one_in(w, 512))
			a.c.error_processor = 1;
	} else {
		/* a kernel session that does not overwrite waits 2 s for a reader */
		if (shared->trait[v->id] != TRAIT_KERNEL || one_in(w, 4096))
			return;
		a.r.reserved = 1ULL << below(w, 64);
	}
	/* the block may lie over the argument: then the argument wins */
	memcpy(to, &a, r->known);
}

static void compose(struct worker *w, struct request *r)
{
	/* of 256 */
	static const __u8 share[KINDS] = {
		24, 30, 20, 20, 24, 6, 4, 24, 32, 14, 14, 10, 8, 26,
	};
	union argument a;
	struct verdict v;
	__u32 n = below(w, 256), i;
	int tail = 0;

	memset(r, 0, sizeof(*r));
	while (n >= share[r->kind])
		n -= share[r->kind++];
	choose_file(w, r);
	if (r->kind == OTHER) {
		r->cmd = other_cmd(w);
		r->arg = one_in(w, 2) ? wild(w) : (unsigned long)w->args.rw + PLACE;
		return;
	}
	r->cmd = kind_cmd[r->kind];
	if (one_in(w, 32))	/* the kernel takes 32 bits */
		r->cmd |= draw(w) << 32;
	r->known = known_size[r->kind];
	r->least = r->kind == STATISTICS ? STATISTICS_VER0 :
		   r->kind == ENABLE ? ENABLE_VER0 :
		   r->kind == PROVIDERS ? PROVIDERS_VER0 : r->known;
	compose_argument(w, r, &a);
	if (!r->real && one_in(w, 6))
		for (i = 0; i <= below(w, 2); i++)
			spoil_argument(w, r, &a);
	if (one_in(w, 6))
		a.c.size = spoil_size(w, r->known, &tail);
	put_argument(w, r, &a, tail);
	/* one that would be carried out, though it is not its turn */
	if (r->real || (r->kind != START && r->kind != STOP && r->kind != RUNDOWN &&
			r->kind != LOG_RECORD))
		return;
	model(w, r, &v);
	/* a START that cannot answer is undone, but was carried out */
	if (v.allowed & E(0) || (v.count && !v.must))
		break_request(w, r, &v);
}

#endif /* ETW_TEST_FUZZ_GRAMMAR_H */
