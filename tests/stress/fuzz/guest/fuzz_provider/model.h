/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What must come of an event or a message: derived from the bytes that the kernel will find. */
#ifndef ETW_FUZZ_PROVIDER_MODEL_H
#define ETW_FUZZ_PROVIDER_MODEL_H

#include "call.h"
#include "modern.h"

static inline void model_fields(struct worker *w, struct call *c, __u64 at, __u32 bytes)
{
	struct mof_field field;

	if (bytes > ETW_MAX_MOF_BYTES) {
		c->must |= E(E2BIG);
		return;
	}
	if (!peek(w, at, bytes)) {
		c->must |= E(EFAULT);
		return;
	}
	for (; bytes >= sizeof(field); bytes -= sizeof(field), at += sizeof(field)) {
		look(w, at, &field, sizeof(field));
		model_data(w, c, field.data_ptr, field.length);
	}
	if (c->total > ETW_MAX_RECORD)
		c->must |= E(EMSGSIZE);
}

struct event_seen {
	struct event_trace_header h;
	__u32 version, header;
	__u64 given;
	int instance, self_contained, wnode, valid;
};

static inline void model_header(struct worker *w, struct call *c, struct event_seen *s)
{
	const __u32 either = WNODE_FLAG_TRACED_GUID | WNODE_FLAG_LOG_WNODE;
	const __u32 pointers = WNODE_FLAG_USE_GUID_PTR | WNODE_FLAG_USE_MOF_PTR;
	__u32 size;

	(void)w;
	s->header = s->instance ? sizeof(struct event_instance_guid_header) : sizeof(s->h);
	s->given = s->h.size;
	if (s->version == ETW_RULES_5_0) {
		if (!(s->h.flags & either))
			c->must |= E(EBADRQC);
		if ((s->h.flags & WNODE_FLAG_TRACED_GUID) && s->given < s->header)
			c->must |= E(EINVAL);
		s->wnode = !!(s->h.flags & WNODE_FLAG_LOG_WNODE);
		if (s->wnode) {
			memcpy(&size, &s->h, 4);
			s->given = size;
			s->header = sizeof(s->h);
		}
	}
	if (s->given < s->header)
		c->must |= E(EINVAL);
	s->valid = !(c->must & (E(EBADRQC) | E(EINVAL)));
	if ((!s->wnode && (s->h.flags & WNODE_FLAG_LOG_WNODE)) ||
	    (s->wnode && (s->instance || s->self_contained)) ||
	    (s->self_contained && (s->h.flags & pointers)))
		c->must |= E(EOPNOTSUPP);
	if (s->given > ETW_MAX_RECORD)
		c->must |= E(EMSGSIZE);
}

/* Its record, as far as it is the caller's, comes to scratch. */
static inline void model_event(struct worker *w, struct call *c, struct event_seen *s, __u64 at)
{
	__u32 flags, rest, needs = 0;
	struct etw_guid guid;
	struct head head;

	model_header(w, c, s);
	/* what can't be had or known: everything else depends on it */
	if (c->must & (E(EINVAL) | E(EMSGSIZE)))
		return;
	flags = s->wnode ? 0 : s->h.flags;
	rest = s->given - s->header;
	c->total = s->header;
	guid = s->h.guid;
	if ((flags & WNODE_FLAG_USE_GUID_PTR) && !look(w, s->h.guid_ptr, &guid, sizeof(guid)))
		c->must |= E(EFAULT);
	if (!peek(w, at, s->given))
		c->must |= E(EFAULT);
	if (flags & WNODE_FLAG_USE_MOF_PTR)
		model_fields(w, c, at + s->header, rest);
	else
		model_data(w, c, at + s->header, rest);
	if (is_reserved(&guid) && !w->control)
		c->must |= E(EACCES);
	if (s->version != ETW_RULES_5_0 && (s->h.flags & WNODE_FLAG_USE_TIMESTAMP))
		needs |= ETW_PROVIDER_TIMESTAMPS;
	if (s->wnode)
		needs |= ETW_PROVIDER_WNODES;
	model_rights(w, c, needs);
	c->exact = !c->must && is_pattern(w->scratch + s->header, c->total - s->header, &head);
}

static inline void model_trace_event(struct worker *w, struct call *c)
{
	struct event_seen s = { .version = w->version[c->file] };
	struct etw_trace_event request;

	if (!look(w, c->argument, &request, sizeof(request))) {
		c->must |= E(EFAULT);
		return;
	}
	if (request.size != sizeof(request) || request.flags & ~ETW_TRACE_INSTANCE ||
	    !request.event) {
		c->must |= E(EINVAL);
		return;
	}
	c->event = request.event;
	if (!look(w, c->event, &s.h, sizeof(s.h))) {
		c->must |= E(EFAULT);
		return;
	}
	s.instance = request.flags & ETW_TRACE_INSTANCE;
	model_handle(c, request.session_handle);
	model_event(w, c, &s, c->event);
	c->edited = s.valid;
	if (!writable(w, c->event + offsetof(struct event_trace_header, thread_id), 8)) {
		c->must |= E(EFAULT);
		c->edited = 0;
	}
}

static inline void model_write(struct worker *w, struct call *c)
{
	struct event_seen s = { .version = w->version[c->file], .self_contained = 1 };
	__u64 handle;

	if (!w->opener || c->size < sizeof(s.h) || c->size > ETW_MAX_RECORD) {
		c->must |= !w->opener ? E(EPERM) : 0;
		c->must |= c->size < sizeof(s.h) ? E(EINVAL) : 0;
		c->must |= c->size > ETW_MAX_RECORD ? E(EMSGSIZE) : 0;
		/* of the system call, before it is ours */
		c->must |= !peek(w, c->argument, c->size) ? E(EFAULT) : 0;
		return;
	}
	if (!peek(w, c->argument, c->size)) {
		c->must |= E(EFAULT);
		return;
	}
	look(w, c->argument, &s.h, sizeof(s.h));
	memcpy(&handle, &s.h.thread_id, sizeof(handle));
	model_handle(c, handle);
	model_header(w, c, &s);
	if (s.given != c->size)
		c->must |= E(EINVAL);
	if (c->must & (E(EINVAL) | E(EMSGSIZE)))
		return;
	model_event(w, c, &s, c->argument);
}

static inline __u32 items_of(__u32 flags)
{
	return 8 + !!(flags & TRACE_MESSAGE_SEQUENCE) * 4 +
	       (flags & TRACE_MESSAGE_COMPONENT_ID ? 4 : !!(flags & TRACE_MESSAGE_GUID) * 16) +
	       !!(flags & 0x18) * 8 + !!(flags & TRACE_MESSAGE_SYSTEMINFO) * 8;
}

static inline void model_arguments(struct worker *w, struct call *c,
				   const struct etw_trace_message *m)
{
	struct etw_message_argument a;
	__u64 sum = items_of(m->message_flags);
	__u32 i;

	if (m->nr_arguments && !peek(w, m->arguments, m->nr_arguments * sizeof(a))) {
		c->must |= E(EFAULT);
		return;
	}
	for (i = 0; i < m->nr_arguments; i++) {
		look(w, m->arguments + i * sizeof(a), &a, sizeof(a));
		sum = a.length > ETW_MAX_RECORD ? 1ULL << 32 : sum + a.length;
		if (sum > ETW_MAX_RECORD) {
			c->must |= E(EMSGSIZE);
			return;
		}
	}
	c->total = items_of(m->message_flags);
	for (i = 0; i < m->nr_arguments; i++) {
		look(w, m->arguments + i * sizeof(a), &a, sizeof(a));
		model_data(w, c, a.data, a.length);
	}
}

static inline void model_message(struct worker *w, struct call *c)
{
	const __u32 ids = TRACE_MESSAGE_GUID | TRACE_MESSAGE_COMPONENT_ID;
	struct etw_trace_message m;
	struct etw_guid guid = { 0 };
	struct head head;
	__u32 items, id;

	if (!look(w, c->argument, &m, sizeof(m))) {
		c->must |= E(EFAULT);
		return;
	}
	if (m.size != sizeof(m) || m.reserved || m.message_flags & ~TRACE_MESSAGE_CALLER_FLAGS ||
	    m.nr_arguments > ETW_MAX_MESSAGE_ARGUMENTS) {
		c->must |= E(EINVAL);
		return;
	}
	model_handle(c, m.session_handle);
	if (m.message_flags & TRACE_MESSAGE_COMPONENT_ID) {
		if (!look(w, m.message_guid, &id, sizeof(id)))
			c->must |= E(EFAULT);
	} else if (m.message_flags & TRACE_MESSAGE_GUID) {
		if (!look(w, m.message_guid, &guid, sizeof(guid)))
			c->must |= E(EFAULT);
	}
	model_arguments(w, c, &m);
	if ((m.message_flags & ids) == TRACE_MESSAGE_GUID && is_reserved(&guid) && !w->control)
		c->must |= E(EACCES);
	model_rights(w, c, 0);
	items = items_of(m.message_flags);
	c->exact = !c->must && is_pattern(w->scratch + items, c->total - items, &head);
}

static inline void model(struct worker *w, struct call *c)
{
	c->must = 0;
	c->total = 0;
	c->exact = 0;
	c->event = 0;
	c->edited = 0;
	c->slot = SLOTS;
	if (c->kind == EVENT)
		model_trace_event(w, c);
	else if (c->kind == WRITE)
		model_write(w, c);
	else if (c->kind == MODERN)
		model_modern(w, c);
	else
		model_message(w, c);
}

static inline void put_mark(struct worker *w, const struct call *c, __u8 mark)
{
	__u8 bytes[2] = { mark, w->number };

	if (c->mark)
		put(w, c->mark, bytes, c->kind == MESSAGE ? 2 : 1);
}

/* The last word: what is written by now is what the kernel will find. */
static inline void model_and_mark(struct worker *w, struct call *c)
{
	if (w->edge)
		put_mark(w, c, MARK_FREE);
	model(w, c);
	if (!w->edge)
		put_mark(w, c, c->exact ? MARK_PATTERN : MARK_FREE);
}

/* What it may give */
static inline errors allowed(const struct call *c)
{
	errors may = c->must;

	if (!may && c->slot != SLOTS) {
		may = c->total > capacity(c->slot) ? E(EMSGSIZE) : E(0) | E(ENOBUFS);
		may |= plans[c->slot].limited ? E(EDQUOT) : 0;
	}
	return c->slot == CHURN ? may | E(EBADF) : may;
}

/* An attempt that failed; a refusal is none */
static inline int is_loss(const struct call *c, int err)
{
	return err == ENOBUFS || err == EDQUOT || (err == EMSGSIZE && !c->must);
}

static inline void judge(struct worker *w, const struct call *c, int err, errors may)
{
	struct tally *tally = w->tally;
	char names[256];

	if (!(may & E(err))) {
		name_errors(may, names, sizeof(names));
		finding(w, "%s to session %d, %llu bytes: %s, instead of%s", kind_name[c->kind],
			c->slot, c->total, error_name(err), names);
	}
	if (err)
		tally->err[c->kind]++;
	else
		tally->ok[c->kind]++;
	tally->calls++;
	if (c->slot == SLOTS)
		return;
	if (!err)
		tally->written[c->slot]++;
	else if (is_loss(c, err))
		tally->lost[c->slot]++;
}

#endif /* ETW_FUZZ_PROVIDER_MODEL_H */
