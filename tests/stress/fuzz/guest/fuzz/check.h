/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* One fuzzed ioctl: made, and what came of it held against the model. */
#ifndef ETW_TEST_FUZZ_CHECK_H
#define ETW_TEST_FUZZ_CHECK_H

#include <dirent.h>
#include <sched.h>
#include "grammar.h"

/* Memory that only may change where the ABI says so */
struct watch {
	__u8 *at;
	__u32 size;
	__u8 before[PAGE + 4 * MARGIN];
};

static inline void watch(struct worker *w, struct watch *watch, __u64 address, __u32 size)
{
	struct arena *arena[2] = { &w->args, &w->blocks };
	__u8 *p = peek(w, address, 1);
	__u64 from, to;
	int i;

	watch->size = 0;
	for (i = 0; p && i < 2; i++) {
		if (p < arena[i]->rw || p >= arena[i]->rw + arena[i]->size)
			continue;
		from = p - arena[i]->rw;
		to = from + (size < PAGE ? size : PAGE) + MARGIN;
		from = from < MARGIN ? 0 : from - MARGIN;
		to = to > arena[i]->size ? arena[i]->size : to;
		watch->at = arena[i]->rw + from;
		watch->size = to - from;
		memcpy(watch->before, watch->at, watch->size);
	}
}

/* What the kernel may have written is taken over. */
static inline void allow(struct watch *watch, __u64 address, __u32 size)
{
	__u64 from = (unsigned long)watch->at, to = from + watch->size;
	__u64 begin = address > from ? address : from;
	__u64 end = address + size < to ? address + size : to;

	if (watch->size && address + size >= address && begin < end)
		memcpy(watch->before + (begin - from), watch->at + (begin - from), end - begin);
}

static inline void check_watch(struct worker *w, struct request *r, struct watch *watch, int err)
{
	__u32 i;

	if (!watch->size || !memcmp(watch->at, watch->before, watch->size))
		return;
	for (i = 0; watch->at[i] == watch->before[i]; i++)
		;
	finding(w, "%s (%s) changed byte %ld from its argument: 0x%02x to 0x%02x",
		kind_name[r->kind], error_name(err), (long)(watch->at + i - (__u8 *)r->arg),
		watch->before[i], watch->at[i]);
}

/* Where this ioctl may write, with this result */
static inline void allow_answers(struct request *r, struct verdict *v, int err,
				 struct watch *watches)
{
	int i, some = !err || err == EFAULT;

	if (r->fd_error)
		return;
	for (i = 0; i < 2; i++) {
		switch (r->kind) {
		case UPDATE:
			/* a success has no answer */
			if (v->count && err)
				allow(&watches[i], r->arg, r->known);
			break;
		case START:
			/* a refusal says which field; reserved fields stay 0 */
			if (some || v->count)
				allow(&watches[i], r->arg, r->known);
			if (some)
				allow(&watches[i], v->information,
				      sizeof(struct wmi_logger_information));
			break;
		case QUERY:
			if (some || err == ENOSPC)
				allow(&watches[i], v->information,
				      v->information_size < MAX_ANSWER ?
				      v->information_size : MAX_ANSWER);
			break;
		case LIST:
			if (some)
				allow(&watches[i], r->arg + offsetof(struct etw_list, loggers), 8);
			break;
		case STATISTICS:
		case COUNTING:
			if (some)
				allow(&watches[i], r->arg, r->known);
			break;
		case PROVIDERS:
			if (some) {
				allow(&watches[i], r->arg + offsetof(struct etw_providers, count),
				      4);
				allow(&watches[i], v->information, v->information_size);
			}
			break;
		default:
			break;
		}
	}
}

/* What the model knew of a session that UPDATE is for is no more so, nor what it says. */
static inline int is_stale(struct worker *w, const struct verdict *v)
{
	return v->asked && is_another(w, v);
}

/* Counters are made CPU by CPU. */
static inline int names_processor(__u32 reason)
{
	return reason == ETW_REASON_NO_MEMORY ||
	       (reason >= ETW_REASON_NO_EVENT && reason <= ETW_REASON_SHARED) ||
	       reason == ETW_REASON_MANNER;
}

static inline void check_refusal(struct worker *w, struct request *r, struct verdict *v,
				 const struct etw_control *before, const struct etw_control *c,
				 int err)
{
	int i;

	if (c->size != before->size || c->flags != before->flags ||
	    c->logger_id != before->logger_id || c->information != before->information ||
	    (c->error_processor && !names_processor(c->error_reason)) ||
	    c->information_size != before->information_size)
		finding(w, "%s (%s) changed more than what is wrong", kind_name[r->kind],
			error_name(err));
	for (i = 0; i < v->count; i++)
		if (v->refusals[i].err == err && v->refusals[i].offset == c->error_offset &&
		    v->refusals[i].reason == c->error_reason &&
		    v->refusals[i].item == c->error_item)
			return;
	if (is_stale(w, v))
		return;
	finding(w, "%s: %s for field 0x%x, reason %u, item %u, which was not wrong",
		kind_name[r->kind], error_name(err), c->error_offset, c->error_reason,
		c->error_item);
}

static inline void check_started(struct worker *w, struct request *r, struct verdict *v,
				 const struct etw_control *before, const struct etw_control *c)
{
	struct wmi_logger_information info;
	const __u8 *block = peek(w, before->information, sizeof(info));
	__u64 from = before->information - r->arg + sizeof(info);

	if (!c->logger_id || c->logger_id > ETW_MAX_LOGGERS || c->error_offset ||
	    c->error_reason || c->error_item || c->error_processor || c->size != before->size ||
	    c->flags != v->flags) {
		finding(w, "START succeeded with id %u, field 0x%x, reason %u", c->logger_id,
			c->error_offset, c->error_reason);
		return;
	}
	shared->trait[c->logger_id] = TRAIT_KERNEL;	/* for all we know */
	/* its answer may lie under that of the argument */
	if (!block || from < sizeof(info) + sizeof(*c))
		return;
	memcpy(&info, block, sizeof(info));
	if (info.wnode.historical_context != c->logger_id || !info.wnode.time_stamp ||
	    info.buffer_size % 4 || info.number_of_buffers < 2 || info.v2_options ||
	    info.log_file_handle || info.logger_extension || info.flush_threshold ||
	    info.free_buffers > info.number_of_buffers)
		finding(w, "START answers with a block that can't be: logger %llu, %u KB",
			info.wnode.historical_context, info.buffer_size);
	shared->trait[c->logger_id] = (is_kernel(&info) ? TRAIT_KERNEL : 0) |
		(info.log_file_mode & EVENT_TRACE_BUFFERING_MODE ? TRAIT_OVERWRITE : 0);
}

/* Behind the names an extension that reaches to the end, if there is one */
static inline int is_good_extension(struct worker *w, struct verdict *v,
				    const struct wmi_logger_information *info)
{
	__u32 at = info->enable_flags & 0xFFFF, head;
	const __u8 *p = peek(w, v->information + at, 4);

	if (!(info->enable_flags & EVENT_TRACE_FLAG_EXTENSION))
		return 1;
	if (info->enable_flags >> 16 != 0x80FF || at < sizeof(*info) || at % 4)
		return 0;
	if (at + 4 > v->information_size || !p)
		return 1;
	head = dword_at(p, 0);
	return at + 4 * (head & 0xFFFF) == info->wnode.buffer_size && head >> 16;
}

static inline void check_query(struct worker *w, struct verdict *v, int err)
{
	struct wmi_logger_information info;

	memcpy(&info, peek(w, v->information, sizeof(info)), sizeof(info));
	if (info.wnode.historical_context != v->id || !info.wnode.time_stamp ||
	    info.free_buffers > info.number_of_buffers ||
	    (info.wnode.buffer_size > v->information_size) != (err == ENOSPC) ||
	    info.logger_name.buffer + info.logger_name.length > info.wnode.buffer_size ||
	    info.log_file_name.buffer + info.log_file_name.length > info.wnode.buffer_size ||
	    !is_good_extension(w, v, &info))
		finding(w, "QUERY of %u (%s): a block of %u for %u bytes, of logger %llu, %u of %u buffers free",
			v->id, error_name(err), info.wnode.buffer_size, v->information_size,
			info.wnode.historical_context, info.free_buffers, info.number_of_buffers);
}

static inline void check_statistics(struct worker *w, struct verdict *v, __u64 arg)
{
	struct etw_statistics s = { 0 };
	__u32 size = dword_at(peek(w, arg, 4), 0);

	memcpy(&s, peek(w, arg, 4), size < sizeof(s) ? size : sizeof(s));
	if (size < STATISTICS_VER1)
		s.flags = s.buffers = s.buffers_free = s.buffers_most = 0;
	if (s.logger_id != v->id || s.state < ETW_SESSION_RUNNING ||
	    s.state > ETW_SESSION_STOPPED || s.buffer_size % 4096 || !s.processors ||
	    s.lost[6] || s.lost[7] || s.flags >> 2)
		finding(w, "STATISTICS of %u: of %u, state %u, buffers of %u", v->id,
			s.logger_id, s.state, s.buffer_size);
}

static inline void check_counting(struct worker *w, struct verdict *v, __u64 arg)
{
	struct etw_counting n;
	__u32 i, bad;

	memcpy(&n, peek(w, arg, sizeof(n)), sizeof(n));
	bad = n.logger_id != v->id || n.nr_counters > ETW_MAX_PMC_COUNTERS ||
	      n.profile_clock > ETW_PROFILE_CLOCK_CYCLES ||
	      !n.profile_clock != !n.profile_interval;
	for (i = 0; i < ETW_MAX_PMC_COUNTERS && !bad; i++)
		bad = n.counter[i].method > ETW_METHOD_MIXED ||
		      (i >= n.nr_counters && (n.counter[i].method || n.counter[i].profile_source));
	if (bad)
		finding(w, "COUNTING of %u: of %u, %u counters, clock %u, every %u", v->id,
			n.logger_id, n.nr_counters, n.profile_clock, n.profile_interval);
}

static inline void check_answer(struct worker *w, struct request *r, struct verdict *v,
				const struct etw_control *before, int err)
{
	struct etw_control c;
	__u8 *p = peek(w, r->arg, r->least);
	struct etw_providers providers = { 0 };
	struct etw_enable enable = { 0 };
	struct etw_list list;
	__u32 size;

	if (r->fd_error || !p)
		return;
	memcpy(&c, p, r->least < sizeof(c) ? r->least : sizeof(c));
	if (r->kind == START && !err)
		check_started(w, r, v, before, &c);
	else if ((r->kind == START || r->kind == UPDATE) && v->count && err && err != EFAULT)
		check_refusal(w, r, v, before, &c, err);
	else if (r->kind == QUERY && (!err || err == ENOSPC))
		/* the block may lie over the argument */
		check_query(w, v, err);
	else if (r->kind == STATISTICS && !err)
		check_statistics(w, v, r->arg);
	else if (r->kind == COUNTING && !err)
		check_counting(w, v, r->arg);
	if (r->kind == LIST && !err) {
		memcpy(&list, p, sizeof(list));
		w->mask = list.loggers;
	}
	if (err)
		return;
	if (r->kind == PROVIDERS) {
		memcpy(&providers, p, r->least);
		/* the member behind the first version says how large entries are */
		size = providers.size < r->known ? providers.size : r->known;
		if (!peek(w, r->arg, size))
			return;
		memcpy(&providers, p, size);
		check_providers(w, &providers, v->information_size);
	} else if (r->kind == ENABLE && w->alone) {
		/* the first version has all that is compared */
		memcpy(&enable, p, r->least);
		check_enabled(w, &enable);
	}
}

/* Session nodes in /dev/etw, as LIST has them */
static inline __u64 nodes(struct worker *w)
{
	DIR *dir = opendir("/dev/etw");
	struct dirent *entry;
	__u64 mask = 0;
	unsigned int id;

	while (dir && (entry = readdir(dir)))
		if (sscanf(entry->d_name, "session%u", &id) == 1 && id >= 1 && id <= 64)
			mask |= 1ULL << (id - 1);
	if (!dir || closedir(dir))
		finding(w, "/dev/etw cannot be read");
	return mask;
}

/* No other worker does anything: which loggers there are depends on this ioctl only. */
static inline void check_loggers(struct worker *w, struct request *r, struct verdict *v,
				 __u64 before, int err)
{
	__u64 now = loggers(w), bit = v->id ? 1ULL << (v->id - 1) % 64 : 0, want = before;
	__u64 left = w->left ? 1ULL << (w->left - 1) % 64 : 0;
	const struct etw_control *c = (const void *)peek(w, r->arg, sizeof(*c));

	if (r->kind == START && !err && !r->fd_error) {
		bit = c ? 1ULL << (c->logger_id - 1) % 64 : 0;
		want |= bit;
		if (before & bit)
			finding(w, "START gave %u, which was there", c->logger_id);
	} else if (r->kind == STOP && !err && !r->fd_error && v->flags & ETW_STOP_DISCARD) {
		want &= ~bit;
	}
	/* one that was stopped, and read to its end, ends with its reader */
	if (now != want && now != (want & ~left))
		finding(w, "LIST is 0x%llx, was 0x%llx, after %s: %s", now, before,
			kind_name[r->kind], error_name(err));
	if ((r->real || one_in(w, 8)) && nodes(w) != now)
		finding(w, "nodes 0x%llx, loggers 0x%llx", nodes(w), now);
}

static inline void describe(struct worker *w, struct request *r, struct verdict *v, int err)
{
	const __u8 *p = peek(w, r->arg, 1);
	__u32 i, n;

	printf("fuzz: step %llu: %s, ioctl 0x%lx on %d at 0x%llx, block 0x%llx (%u): %s\n",
	       w->step, kind_name[r->kind], r->cmd, r->fd, r->arg, v->information,
	       v->information_size, error_name(err));
	n = p ? room_at(w, r->arg) : 0;
	for (i = 0; i < n && i < r->known; i++)
		printf("%02x%s", p[i], i % 8 == 7 ? "\n" : " ");
	for (i = 0; i < (__u32)v->count; i++)
		printf("fuzz: expected %s for field 0x%x, reason %u, item %u\n",
		       error_name(v->refusals[i].err), v->refusals[i].offset,
		       v->refusals[i].reason, v->refusals[i].item);
}

static inline void wipe_at(struct worker *w, __u64 address, __u64 size)
{
	__u8 *p = peek(w, address, 1);
	__u64 room = room_at(w, address);

	if (p)
		memset(p, FILL, size < room ? size : room);
}

/* Margins come out as FILL again, too: they were checked. */
static inline void wipe(struct worker *w, struct request *r, struct watch *watches)
{
	int i;

	for (i = 0; i < 2; i++)
		if (watches[i].size)
			memset(watches[i].at, FILL, watches[i].size);
	wipe_at(w, r->arg, r->length);
	wipe_at(w, r->block, r->block_size);
}

/* A snapshot is kept for a while, or read instead of a session's node, or closed. */
static inline void take_snapshot(struct worker *w, int fd)
{
	int *kept = &w->snapshot[below(w, SNAPSHOTS)];
	char bytes[512];

	if (fcntl(fd, F_GETFD) != FD_CLOEXEC)
		finding(w, "a snapshot outlives exec");
	switch (below(w, 4)) {
	case 0:
		if (*kept >= 0)
			close(*kept);
		*kept = fd;
		break;
	case 1:
		if (w->stream >= 0) {
			close(w->stream);
			w->left = w->stream_id;
		}
		w->stream = fd;
		fcntl(fd, F_SETFL, O_NONBLOCK);
		break;
	case 2:
		if (read(fd, bytes, sizeof(bytes)) != sizeof(bytes))
			finding(w, "a snapshot without a header");
		/* fallthrough */
	default:
		close(fd);
	}
}

/* errno or 0 */
static inline int call(struct worker *w, struct request *r)
{
	int ret = ioctl(r->fd, r->cmd, r->arg);

	if (ret > 0 && r->kind == SNAPSHOT) {
		take_snapshot(w, ret);
		return 0;
	}
	if (ret > 0)
		finding(w, "%s returned %d", kind_name[r->kind], ret);
	return ret < 0 ? errno : 0;
}

/* START and UPDATE say what they thought was wrong. */
static inline void tell_wrong(struct worker *w, struct request *r, int err)
{
	const struct etw_control *c = (const void *)peek(w, r->arg, sizeof(*c));

	if ((r->kind == START || r->kind == UPDATE) && err && c)
		finding(w, "%s: %s, which is not to be, for field 0x%x, reason %u, item %u",
			kind_name[r->kind], error_name(err), c->error_offset, c->error_reason,
			c->error_item);
	else
		finding(w, "%s: %s, which is not to be", kind_name[r->kind], error_name(err));
}

/* Which items come through, and which are refused: both have to be seen. */
static inline void count_wishes(struct worker *w, struct request *r, const struct verdict *v,
				int err)
{
	const struct etw_control *c = (const void *)peek(w, r->arg, sizeof(*c));
	struct tally *tally = w->tally;
	int i;

	if ((r->kind != START && r->kind != UPDATE) || !v->count || err == EFAULT || !c)
		return;
	for (i = 0; i < TYPES; i++)
		if (v->number[i] && !err)
			tally->taken[i]++;
		else if (v->number[i] && v->number[i] == c->error_item)
			tally->refused[i]++;
	for (i = 0; i < ETW_MASKS && !err; i++)
		tally->masks[i] |= v->masks[i];
	if (!err)
		tally->modes |= v->mode;
}

static inline void fire(struct worker *w, struct request *r)
{
	struct watch watches[2];
	struct etw_control before = { 0 };
	struct verdict v;
	__u64 mask = 0;
	__u32 size = 0;
	__u8 *p;
	int err;

	if (w->alone)
		mask = loggers(w);
	model(w, r, &v);
	p = peek(w, r->arg, sizeof(before));
	if (p)
		memcpy(&before, p, sizeof(before));
	p = peek(w, r->arg, sizeof(size));
	if (p)
		memcpy(&size, p, sizeof(size));
	watch(w, &watches[0], r->arg, size > r->known && size <= PAGE ? size : r->known);
	watch(w, &watches[1], v.information, v.information_size < MAX_ANSWER ?
	      v.information_size : MAX_ANSWER);
	w->left = 0;
	err = call(w, r);
	count(w, r->kind, err);
	if (w->verbose)
		describe(w, r, &v, err);
	if (v.allowed & E(err))
		check_answer(w, r, &v, &before, err);
	else if (!is_stale(w, &v))
		tell_wrong(w, r, err);
	count_wishes(w, r, &v, err);
	allow_answers(r, &v, err, watches);
	check_watch(w, r, &watches[0], err);
	check_watch(w, r, &watches[1], err);
	if (w->alone)
		check_loggers(w, r, &v, mask, err);
	wipe(w, r, watches);
}

#endif /* ETW_TEST_FUZZ_CHECK_H */
