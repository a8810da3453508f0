/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What Documentation/reference/ioctl.rst says must come of a request, from its bytes. */
#ifndef ETW_TEST_FUZZ_MODEL_H
#define ETW_TEST_FUZZ_MODEL_H

#include "providers.h"
#include "update.h"

/*
 * Behind the fixed part name and file name with their terminators, at a multiple of 4 all
 * items that are returned as items, all full
 */
#define MAX_ANSWER	(sizeof(struct wmi_logger_information) + \
			 2 * (ETW_MAX_LOGGER_NAME + 1 + ETW_MAX_LOG_FILE_NAME + 1) + 2 + \
			 4 * (1 + 9 + 65 + 257 + 5 + 3 + 29 + 257 + 2 + 11 + 5 + 258 + 2 + 257 + \
			      4 + 17 + 17 + 43 + 3))
#define MAX_PAYLOAD	4096U

/* What the manual lists, for requests with unknown bytes */
static const errors documented[KINDS] = {
	[START] = E(0) | E(EINVAL) | E(E2BIG) | E(EFAULT) | E(EOPNOTSUPP) | E(EEXIST) |
		E(ENOSPC) | E(ENOENT) | E(ENOMEM) | E(ERANGE) | E(EBUSY),
	[STOP] = E(0) | E(EINVAL) | E(E2BIG) | E(EFAULT) | E(ENOENT) | E(EALREADY),
	[QUERY] = E(0) | E(EINVAL) | E(E2BIG) | E(EFAULT) | E(ENOENT) | E(ENOSPC),
	[FLUSH] = E(0) | E(EINVAL) | E(E2BIG) | E(EFAULT) | E(ENOENT) | E(EALREADY),
	[UPDATE] = E(0) | E(EINVAL) | E(E2BIG) | E(EFAULT) | E(EOPNOTSUPP) | E(EEXIST) |
		E(ERANGE) | E(ENOENT) | E(ENOMEM) | E(EBUSY) | E(EALREADY),
	[SNAPSHOT] = E(0) | E(EINVAL) | E(E2BIG) | E(EFAULT) | E(ENOENT) | E(EALREADY) |
		E(ENOMEM) | E(EPERM),
	[RUNDOWN] = E(0) | E(EINVAL) | E(E2BIG) | E(EFAULT) | E(ENOENT) | E(EALREADY),
	[LIST] = E(0) | E(EINVAL) | E(E2BIG) | E(EFAULT),
	[STATISTICS] = E(0) | E(EINVAL) | E(E2BIG) | E(EFAULT) | E(ENOENT),
	[LOG_RECORD] = E(0) | E(EINVAL) | E(E2BIG) | E(EFAULT) | E(ENOENT) | E(EALREADY) |
		E(ENOBUFS) | E(EMSGSIZE),
	[COUNTING] = E(0) | E(EINVAL) | E(E2BIG) | E(EFAULT) | E(ENOENT),
	[ENABLE] = E(0) | E(EINVAL) | E(E2BIG) | E(EFAULT) | E(ENOENT) | E(EALREADY) | E(ENOSPC) |
		E(ENOMEM) | E(EOPNOTSUPP),
	[PROVIDERS] = E(0) | E(EINVAL) | E(E2BIG) | E(EFAULT) | E(ENOMEM),
	[OTHER] = E(ENOTTY),
};

static inline void model_block(struct worker *w, struct verdict *v, const __u8 *block, __u32 size,
			       enum kind kind)
{
	struct extension x = { .v = v, .block = block };
	struct wmi_logger_information info;
	int good;

	memcpy(&info, block, sizeof(info));
	good = model_fields(&x, block, size, &info);
	if (!x.bad)
		model_sources(&x, info.enable_flags);
	note_wishes(&x, &info);
	if (kind == START && !x.bad)
		model_means(&x, &info);
	else if (kind == UPDATE && good)
		model_change(w, &x, &info);
	/* of two mistakes either may be reported, but success may not */
	if (!v->must)
		v->allowed |= E(0);
}

/* An answer says what was wrong: with the size of the block no field of it was. */
static inline int has_bad_size(struct verdict *v, const struct etw_control *c)
{
	int bad = c->information_size < sizeof(struct wmi_logger_information) ||
		  c->information_size > ETW_MAX_INFORMATION;

	refuse_if(v, bad, EINVAL, 0, ETW_REASON_NONE);
	return bad;
}

static inline errors model_start(struct worker *w, struct request *r, struct verdict *v,
				 const struct etw_control *c)
{
	const __u8 *block;

	if (c->logger_id)
		return E(EINVAL);
	if (!has_bad_size(v, c)) {
		block = peek(w, c->information, c->information_size);
		if (!block)
			return E(EFAULT);
		model_block(w, v, block, c->information_size, START);
	}
	/* no caller would learn of it: no session, no reason either */
	if (!writable(w, r->arg, sizeof(*c)))
		return E(EFAULT);
	if (v->allowed & E(0) &&
	    !writable(w, c->information, sizeof(struct wmi_logger_information)))
		v->allowed = (v->allowed & ~E(0)) | E(EFAULT);
	return v->allowed;
}

/* A block for a logger that is there, as far as is known */
static inline void model_known(struct worker *w, struct verdict *v, const __u8 *block, __u32 size)
{
	struct wmi_logger_information logged;

	v->asked = 1;
	if (!query_block(w, v->id, w->now))
		return;
	memcpy(&logged, w->now, sizeof(logged));
	v->when = logged.wnode.time_stamp;
	model_block(w, v, block, size, UPDATE);
}

static inline errors model_update(struct worker *w, struct request *r, struct verdict *v,
				  const struct etw_control *c)
{
	const __u8 *block;

	if (!has_bad_size(v, c)) {
		block = peek(w, c->information, c->information_size);
		if (!block)
			return E(EFAULT);
		if (exists(w, c->logger_id, E(0)) & E(0))
			model_known(w, v, block, c->information_size);
		/* a logger that isn't there has no fields that are wrong */
		v->allowed = exists(w, c->logger_id, v->allowed);
		if (v->allowed & E(ENOENT))
			may_refuse(v, ENOENT, 0, ETW_REASON_NONE);
	}
	/* an error has to be reported */
	if (!writable(w, r->arg, sizeof(*c)))
		v->allowed = (v->allowed & E(0)) | E(EFAULT);
	return v->allowed;
}

static inline errors model_query(struct worker *w, const struct etw_control *c)
{
	__u32 most = c->information_size < MAX_ANSWER ? c->information_size : MAX_ANSWER;

	if (c->information_size < sizeof(struct wmi_logger_information))
		return E(EINVAL);
	if (!writable(w, c->information, sizeof(struct wmi_logger_information)))
		return E(EFAULT);
	return E(0) | E(ENOSPC) | (writable(w, c->information, most) ? 0 : E(EFAULT));
}

static inline errors model_control(struct worker *w, struct request *r, struct verdict *v,
				   const __u8 *p)
{
	static const __u32 flags[] = {
		[START] = ETW_START_TIED | ETW_START_NO_RUNDOWN | ETW_START_NO_ADDRESSES,
		[STOP] = ETW_STOP_DISCARD, [RUNDOWN] = 0,
	};
	struct etw_control c;

	memcpy(&c, p, sizeof(c));
	v->id = c.logger_id;
	v->flags = c.flags;
	v->information = c.information;
	v->information_size = c.information_size;
	if (c.flags & ~flags[r->kind] || c.error_processor || c.error_offset || c.error_reason ||
	    c.error_item)
		return E(EINVAL);
	if (r->kind == START)
		return model_start(w, r, v, &c);
	if (r->kind == QUERY)
		return exists(w, c.logger_id, model_query(w, &c));
	if (r->kind == UPDATE)
		return model_update(w, r, v, &c);
	/* EINVAL: it doesn't overwrite, it is no kernel session; EPERM: it has addresses */
	if (r->kind == SNAPSHOT)
		return exists(w, c.logger_id, E(0) | E(EALREADY) | E(EINVAL) | E(ENOMEM) |
			      (w->nobody ? E(EPERM) : 0));
	if (r->kind == RUNDOWN)
		return exists(w, c.logger_id, E(0) | E(EALREADY) | E(EINVAL));
	return exists(w, c.logger_id, E(0) | E(EALREADY));
}

static inline errors model_log_record(struct worker *w, struct verdict *v, const __u8 *p)
{
	struct etw_log_record l;
	const __u8 *text;
	int is_mark;

	memcpy(&l, p, sizeof(l));
	v->id = l.logger_id;
	is_mark = l.hook_id == PERFINFO_LOG_TYPE_MARK;
	if (l.reserved || is_mark == !!l.version || l.version > 255 || !l.payload_size)
		return E(EINVAL);
	if (l.payload_size > MAX_PAYLOAD)
		return E(E2BIG);
	text = peek(w, l.payload, l.payload_size);
	if (!text)
		return E(EFAULT);
	if (is_mark ? memchr(text, 0, l.payload_size) != text + l.payload_size - 1 :
		      l.hook_id != WMI_LOG_TYPE_CONFIG_PHYSICALDISK &&
		      l.hook_id != WMI_LOG_TYPE_CONFIG_LOGICALDISK)
		return exists(w, l.logger_id, E(EINVAL) | E(EALREADY));
	/* EINVAL: not a kernel session */
	return exists(w, l.logger_id, E(0) | E(EALREADY) | E(EINVAL) | E(ENOBUFS) |
		      E(EMSGSIZE));
}

/* Of a logger and a CPU that may be there */
static inline errors model_processor(struct worker *w, struct request *r, struct verdict *v,
				     __u32 id, __u32 processor, __u32 known)
{
	errors good = writable(w, r->arg, known) ? E(0) : E(EFAULT);

	v->id = id;
	if (processor != ETW_ALL_PROCESSORS && processor)
		good = processor < 8192 ? good | E(EINVAL) : E(EINVAL);
	return exists(w, id, good);
}

static inline errors model_structure(struct worker *w, struct request *r, struct verdict *v,
				     const __u8 *p, __u32 size)
{
	__u32 known = size < r->known ? size : r->known;
	struct etw_statistics s = { 0 };
	struct etw_counting n;
	struct etw_list list;

	switch (r->kind) {
	case LIST:
		memcpy(&list, p, sizeof(list));
		if (list.reserved)
			return E(EINVAL);
		return writable(w, r->arg, r->known) ? E(0) : E(EFAULT);
	case STATISTICS:
		memcpy(&s, p, known);
		return model_processor(w, r, v, s.logger_id, s.processor, known);
	case COUNTING:
		memcpy(&n, p, sizeof(n));
		return model_processor(w, r, v, n.logger_id, n.processor, known);
	case ENABLE:
		return model_enable(w, v, p, known);
	case PROVIDERS:
		return model_providers(w, r, v, p, known);
	case LOG_RECORD:
		return model_log_record(w, v, p);
	default:
		return model_control(w, r, v, p);
	}
}

/* Nothing but zeros in what this version doesn't know? */
static inline int tail_set(const __u8 *p, __u32 known, __u32 size)
{
	for (; known < size; known++)
		if (p[known])
			return 1;
	return 0;
}

static void model(struct worker *w, struct request *r, struct verdict *v)
{
	const __u8 *p;
	__u32 size;

	v->allowed = 0;
	v->count = v->must = 0;
	v->id = v->flags = 0;
	v->information = 0;
	v->information_size = 0;
	v->nobody = w->nobody;
	v->asked = 0;
	v->when = 0;
	memset(v->number, 0, sizeof(v->number));
	if (r->fd_error || r->kind == OTHER) {
		v->allowed = E(r->fd_error ? r->fd_error : ENOTTY);
		return;
	}
	p = peek(w, r->arg, sizeof(size));
	if (!p) {
		v->allowed = E(EFAULT);
		return;
	}
	memcpy(&size, p, sizeof(size));
	if (size < r->least || size > PAGE) {
		v->allowed = E(EINVAL);
		return;
	}
	if (!peek(w, r->arg, size))
		v->allowed = E(EFAULT) | (size > r->known ? E(E2BIG) : 0);
	else if (tail_set(p, r->known, size))
		v->allowed = E(E2BIG);
	else
		v->allowed = model_structure(w, r, v, p, size);
}

#endif /* ETW_TEST_FUZZ_MODEL_H */
