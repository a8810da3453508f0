/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What UPDATE can't change: a session as QUERY returns it, and a block that differs. */
#ifndef ETW_TEST_FUZZ_UPDATE_H
#define ETW_TEST_FUZZ_UPDATE_H

#include "block.h"

/* Bytes of a session's block, which goes to @block; 0: it has none. It is in no count. */
static inline __u32 query_block(struct worker *w, __u32 id, __u8 *block)
{
	struct etw_control c = {
		.size = sizeof(c), .logger_id = id, .information = (unsigned long)block,
		.information_size = MAX_BLOCK,
	};

	return ask(w, QUERY, &c) ? 0 : dword_at(block, AT(wnode.buffer_size));
}

/**
 * struct change - a session as it is, and what a block would make of it
 * @x: the block's extension
 * @info: its fixed part
 * @now: the session's extension
 * @logged: its fixed part
 */
struct change {
	struct extension *x;
	const struct wmi_logger_information *info;
	struct extension now;
	struct wmi_logger_information logged;
};

/* A field is another one; or dword @i of BUFFER_SETTINGS, which has taken its place, is */
static inline void refuse_change(struct change *c, __u32 field, __u32 i, __u32 reason)
{
	if (i && c->x->at[BUFFERS] && item_dword(c->x, BUFFERS, i))
		refuse_in(c->x, BUFFERS, i, EINVAL, reason);
	else
		refuse_if(c->x->v, 1, EINVAL, field, reason);
}

/* What is asked for by a field, or by dword @i of the item */
static inline __u32 wish(const struct change *c, __u32 field, __u32 i)
{
	__u32 said = c->x->at[BUFFERS] ? item_dword(c->x, BUFFERS, i) : 0;

	return said ? said : field;
}

static inline void model_fixed_mode(struct worker *w, struct change *c)
{
	const __u32 ms = EVENT_TRACE_USE_MS_FLUSH_TIMER, logged = c->logged.log_file_mode;
	__u32 differs = c->info->log_file_mode ^ logged;

	/* milliseconds of an item are no other mode */
	if (c->x->at[BUFFERS] && item_dword(c->x, BUFFERS, 4)) {
		refuse_if(c->x->v, differs & ~ms, EINVAL, AT(log_file_mode), ETW_REASON_FIXED);
		return;
	}
	/* those of another item may make it one meanwhile, for good */
	if (!w->alone && !(logged & ms)) {
		may_refuse(c->x->v, EINVAL, AT(log_file_mode), ETW_REASON_FIXED);
		differs &= ~ms;
	}
	refuse_if(c->x->v, differs, EINVAL, AT(log_file_mode), ETW_REASON_FIXED);
}

static inline void model_fixed_name(struct change *c, __u32 field)
{
	struct etw_unicode_string a, b;

	memcpy(&a, (const __u8 *)c->info + field, sizeof(a));
	memcpy(&b, (const __u8 *)&c->logged + field, sizeof(b));
	refuse_if(c->x->v, a.length != b.length ||
		  memcmp(c->x->block + a.buffer, c->now.block + b.buffer, a.length), EINVAL, field,
		  ETW_REASON_FIXED);
}

static inline int has_name(const __u8 *block, const struct etw_unicode_string *name)
{
	__u16 first = 0;

	if (name->length)
		memcpy(&first, block + name->buffer, sizeof(first));
	return first != 0;
}

/* A session's reader may go on in another file; a session without a file never gets one. */
static inline void model_kept_file(struct change *c)
{
	int wanted = has_name(c->x->block, &c->info->log_file_name);
	int there = has_name(c->now.block, &c->logged.log_file_name);

	refuse_if(c->x->v, wanted != there, EINVAL, AT(log_file_name), ETW_REASON_FIXED);
}

/* Shared out among CPUs, two for each: down to the minimum, up to eight times what it was. */
static inline void model_maximum(struct change *c)
{
	__u32 cpus = shared->cpus, most = MAX_BUFFERS / cpus;
	__u32 n = wish(c, c->info->maximum_buffers, 3), each = (n + cpus - 1) / cpus;

	if (!n || n == c->logged.maximum_buffers)
		return;
	each = each > most ? most : each < 2 ? 2 : each;
	if (c->logged.log_file_mode & EVENT_TRACE_BUFFERING_MODE)
		refuse_change(c, AT(maximum_buffers), 3, ETW_REASON_FIXED);
	else if (each * cpus < c->logged.minimum_buffers)
		refuse_change(c, AT(maximum_buffers), 3, ETW_REASON_RANGE);
	else if (each > 64)	/* what it was at START is not known here */
		may_refuse_maximum(c->x, EINVAL, ETW_REASON_RANGE);
}

static inline void model_fixed_fields(struct worker *w, struct change *c)
{
	const struct wmi_logger_information *info = c->info, *logged = &c->logged;
	__u32 clock = info->wnode.client_context ? : ETW_CLOCK_QPC;
	struct verdict *v = c->x->v;
	__u32 least = wish(c, info->minimum_buffers, 2);

	refuse_if(v, !!memcmp(&info->wnode.guid, &logged->wnode.guid, sizeof(logged->wnode.guid)),
		  EINVAL, AT(wnode.guid), ETW_REASON_FIXED);
	refuse_if(v, info->maximum_file_size != logged->maximum_file_size, EINVAL,
		  AT(maximum_file_size), ETW_REASON_FIXED);
	model_fixed_mode(w, c);
	model_fixed_name(c, AT(logger_name));
	model_kept_file(c);
	if (c->x->at[CLOCK] && item_dword(c->x, CLOCK, 1) != logged->wnode.client_context)
		refuse_in(c->x, CLOCK, 1, EINVAL, ETW_REASON_FIXED);
	refuse_if(v, !c->x->at[CLOCK] && clock != logged->wnode.client_context, EINVAL,
		  AT(wnode.client_context), ETW_REASON_FIXED);
	if (wish(c, info->buffer_size ? : 64, 1) != logged->buffer_size)
		refuse_change(c, AT(buffer_size), 1, ETW_REASON_FIXED);
	if (least && least != logged->minimum_buffers)
		refuse_change(c, AT(minimum_buffers), 2, ETW_REASON_FIXED);
	model_maximum(c);
}

/* Dword @i of an item says for the second time what a set has once */
static inline int is_again(const struct extension *x, int type, __u32 i)
{
	__u32 k;

	for (k = 1; is_set(type) && k < i; k++)
		if (item_dword(x, type, k) == item_dword(x, type, i))
			return 1;
	return 0;
}

/* As the session has it, in its order; it is returned without duplicates */
static inline int is_same_item(const struct change *c, int type)
{
	__u32 i, n = 0;

	for (i = 1; c->now.at[type] && i <= c->x->dwords[type]; i++) {
		if (is_again(c->x, type, i))
			continue;
		if (++n > c->now.dwords[type] ||
		    item_dword(c->x, type, i) != item_dword(&c->now, type, n))
			return 0;
	}
	return c->now.at[type] && n == c->now.dwords[type];
}

/* Of a block that is right in itself */
static inline void model_fixed(struct worker *w, struct change *c)
{
	int type;

	model_fixed_fields(w, c);
	for (type = 0; type < TYPES; type++)
		if (item_types[type].fixed && c->x->at[type] && !is_same_item(c, type))
			refuse_in(c->x, type, 0, EINVAL, ETW_REASON_FIXED);
	if (lacks_sources(c->x) && !c->now.at[SOURCES])
		refuse_in(c->x, MASKS, 2, EINVAL, ETW_REASON_MISSING);
}

/* All that UPDATE may say of a block that is right */
static inline void model_change(struct worker *w, struct extension *x,
				const struct wmi_logger_information *info)
{
	struct verdict unused = { 0 };
	struct change c = { .x = x, .info = info };

	memcpy(&c.logged, w->now, sizeof(c.logged));
	c.now.block = w->now;
	if (c.logged.enable_flags & EVENT_TRACE_FLAG_EXTENSION)
		model_extension(&c.now, &unused, w->now, c.logged.wnode.buffer_size, &c.logged,
				is_kernel(&c.logged));
	if (c.now.bad)
		finding(w, "QUERY of %u has an extension that would be refused at 0x%x",
			x->v->id, unused.refusals[0].offset);
	else
		model_fixed(w, &c);
	model_samplers(x, info->enable_flags, 1);
	model_memory(x);
	model_tracepoints(x, info->enable_flags);
	may_refuse(x->v, EALREADY, 0, ETW_REASON_NONE);
}

/* What the model knows of the session is no longer true: it is gone, or came, or is another. */
static inline int is_another(struct worker *w, const struct verdict *v)
{
	struct wmi_logger_information info = { 0 };
	__u8 block[MAX_BLOCK];

	if (query_block(w, v->id, block))
		memcpy(&info, block, sizeof(info));
	return info.wnode.time_stamp != v->when;
}

#endif /* ETW_TEST_FUZZ_UPDATE_H */
