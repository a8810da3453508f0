/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* All processes at once on one session: it ends only once, and nothing of it stays. */
#ifndef ETW_TEST_FUZZ_MEETING_H
#define ETW_TEST_FUZZ_MEETING_H

#include "nodes.h"

#define MEETING_CALLS	32	/* of each process */
#define MEETING_LOOKS	500	/* of the host, 100 us each, for others; the first has longer */

static inline __u32 add(__u32 *to, __u32 n)
{
	return __atomic_add_fetch(to, n, __ATOMIC_SEQ_CST);
}

static inline __u32 look(const __u32 *at)
{
	return __atomic_load_n(at, __ATOMIC_SEQ_CST);
}

/*
 * What any ioctl of the meeting came to: the order of changes is not known, so any documented
 * result
 */
static inline int meeting_call(struct worker *w, enum kind kind, void *arg)
{
	int ret = ioctl(w->control[below(w, CONTROLS)], kind_cmd[kind], arg);
	int err = ret < 0 ? errno : 0;

	count(w, kind, err);
	if (ret > 0 && kind == SNAPSHOT)
		close(ret);
	if (!(documented[kind] & E(err)))
		finding(w, "%s: %s, which is not to be, of a session that others have, too",
			kind_name[kind], error_name(err));
	return err;
}

/* One that waits for no reader when it is stopped. Return: its logger id, or 0 */
static inline __u32 meeting_start(struct worker *w)
{
	struct {
		struct wmi_logger_information info;
		__u8 rest[1024];
	} block = {
		.info = {
			.wnode.flags = WNODE_FLAG_TRACED_GUID,
			.buffer_size = 4,
			.maximum_buffers = 8,
			.log_file_mode = EVENT_TRACE_BUFFERING_MODE,
			.logger_name.buffer = sizeof(block.info),
		},
	};
	struct etw_control c = {
		.size = sizeof(c), .flags = ETW_START_NO_RUNDOWN,
		.information = (unsigned long)&block,
	};

	if (one_in(w, 2))
		block.info.log_file_mode |= EVENT_TRACE_SYSTEM_LOGGER_MODE;
	block.info.logger_name.length = put_name(w, (__u8 *)&block, sizeof(block.info), 64);
	block.info.wnode.buffer_size = sizeof(block.info) + block.info.logger_name.length;
	c.information_size = block.info.wnode.buffer_size;
	if (meeting_call(w, START, &c))
		return 0;
	add(&shared->meeting.started, 1);
	shared->trait[c.logger_id] = TRAIT_KERNEL;	/* for all we know */
	return c.logger_id;
}

static inline void meeting_stop(struct worker *w, struct etw_control *c)
{
	struct meeting *m = &shared->meeting;

	c->flags = one_in(w, 2) ? ETW_STOP_DISCARD : 0;
	if (!meeting_call(w, STOP, c))
		add(c->flags ? &m->ended : &m->stopped, 1);
}

static inline void meeting_update(struct worker *w, struct etw_control *c)
{
	struct wmi_logger_information info;
	__u8 block[MAX_BLOCK];

	c->information_size = query_block(w, c->logger_id, block);
	if (!c->information_size)
		return;
	memcpy(&info, block, sizeof(info));
	info.flush_timer = one_in(w, 2) ? 0 : 30;
	info.maximum_buffers += below(w, 3);
	memcpy(block, &info, sizeof(info));
	c->information = (unsigned long)block;
	meeting_call(w, UPDATE, c);
}

/* A reader that never comes to an end: only a STOP ends a session here */
static inline void meeting_read(struct worker *w, __u32 id)
{
	char node[32], bytes[64];
	int fd;

	snprintf(node, sizeof(node), "/dev/etw/session%u", id);
	fd = open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	expect(w, "open", fd < 0 ? errno : 0, E(0) | E(ENOENT) | E(ENXIO) | E(EBUSY) |
	       (w->nobody ? E(EACCES) : 0));
	if (fd < 0)
		return;
	expect(w, "read", read(fd, bytes, sizeof(bytes)) < 0 ? errno : 0, E(0) | E(EAGAIN));
	close(fd);
}

static inline void meeting_ask(struct worker *w, __u32 id)
{
	struct etw_counting n = {
		.size = sizeof(n), .logger_id = id, .processor = ETW_ALL_PROCESSORS,
	};
	struct etw_statistics s = {
		.size = sizeof(s), .logger_id = id, .processor = below(w, shared->cpus),
	};
	__u8 block[sizeof(struct wmi_logger_information) + 64];
	struct etw_control c = {
		.size = sizeof(c), .logger_id = id, .information = (unsigned long)block,
		.information_size = sizeof(block),
	};

	switch (below(w, 3)) {
	case 0:
		meeting_call(w, COUNTING, &n);
		break;
	case 1:
		if (!meeting_call(w, STATISTICS, &s) && s.logger_id != id)
			finding(w, "STATISTICS of %u has id %u", id, s.logger_id);
		break;
	default:
		meeting_call(w, QUERY, &c);
	}
}

/*
 * One of what may be done to a session; a worker that finds it gone makes it anew, by the same id
 */
static void meeting_act(struct worker *w, __u32 id)
{
	struct etw_control c = { .size = sizeof(c), .logger_id = id };
	struct etw_enable e = {
		.size = sizeof(e), .logger_id = id, .enabled = one_in(w, 2),
		.guid.data1 = below(w, GUIDS),
	};
	struct etw_statistics s = {
		.size = sizeof(s), .logger_id = id, .processor = ETW_ALL_PROCESSORS,
	};

	switch (below(w, 16)) {
	case 0:
	case 1:
	case 2:
		meeting_stop(w, &c);
		break;
	case 3:
	case 4:
		if (meeting_call(w, STATISTICS, &s) == ENOENT)
			meeting_start(w);
		break;
	case 5:
	case 6:
		meeting_read(w, id);
		break;
	case 7:
		meeting_call(w, SNAPSHOT, &c);
		break;
	case 8:
		meeting_update(w, &c);
		break;
	case 9:
	case 10:
		meeting_call(w, FLUSH, &c);
		break;
	case 11:
		meeting_call(w, ENABLE, &e);
		break;
	default:
		meeting_ask(w, id);
	}
}

static void meeting_take_part(struct worker *w)
{
	struct meeting *m = &shared->meeting;
	__u32 i;

	w->rng = m->seed + w->number;
	for (i = 0; i < MEETING_CALLS; i++)
		meeting_act(w, m->id);
}

/*
 * In place of waiting for the worker that wants to be alone, if that is for company. The step that
 * this process was about to make is not changed by it.
 */
static void join_meeting(struct worker *w)
{
	struct meeting *m = &shared->meeting;
	__u64 rng = w->rng;

	if (look(&m->state) != MEETING_GATHERS)
		return;
	add(&m->here, 1);
	while (look(&m->state) == MEETING_GATHERS)
		sched_yield();
	if (look(&m->state) == MEETING_RUNS)
		meeting_take_part(w);
	add(&m->here, -1);
	w->rng = rng;
}

/* A session that was STOPped with success is gone, once; all others are there, and have a node. */
static void meeting_ends(struct worker *w, __u64 before)
{
	struct etw_control c = { .size = sizeof(c), .flags = ETW_STOP_DISCARD };
	struct meeting *m = &shared->meeting;
	__u64 now = loggers(w), ours = now & ~before;
	__u32 left = __builtin_popcountll(ours);

	if (before & ~now)
		finding(w, "LIST is 0x%llx, was 0x%llx, after STOPs of others", now, before);
	if (m->started != m->ended + left || m->stopped > m->started)
		finding(w, "%u STARTs of sessions that all have; %u STOPs with DISCARD, %u without, %u left",
			m->started, m->ended, m->stopped, left);
	if (nodes(w) != now)
		finding(w, "nodes 0x%llx, loggers 0x%llx", nodes(w), now);
	for (c.logger_id = 1; c.logger_id <= ETW_MAX_LOGGERS; c.logger_id++)
		if (ours & 1ULL << (c.logger_id - 1) && ask(w, STOP, &c))
			finding(w, "STOP of %u, of all: %s", c.logger_id, error_name(errno));
	if (loggers(w) != before)
		finding(w, "LIST is 0x%llx, was 0x%llx before all came", w->mask, before);
}

/* A worker that is not about to be alone or to leave comes at once, or when it has a CPU. */
static void meeting_gathers(struct meeting *m)
{
	__u32 i, here;

	__atomic_store_n(&m->state, MEETING_GATHERS, __ATOMIC_SEQ_CST);
	for (i = 0; (here = look(&m->here)) + 1 < look(&shared->workers); i++) {
		if (i > (here ? MEETING_LOOKS : 200 * MEETING_LOOKS))
			break;
		usleep(100);
	}
}

/* Runs in one worker. The others, and workers that arrive meanwhile, wait for its end. */
static void meeting_step(struct worker *w)
{
	struct meeting *m = &shared->meeting;
	__u64 before = loggers(w);

	m->started = 0;
	m->ended = 0;
	m->stopped = 0;
	m->id = meeting_start(w);
	if (!m->id)
		return;
	m->seed = draw(w);
	meeting_gathers(m);
	m->held++;
	m->crowded += !!look(&m->here);
	__atomic_store_n(&m->state, MEETING_RUNS, __ATOMIC_SEQ_CST);
	meeting_take_part(w);
	/* first: a worker that still comes sees this, or is counted in time to be waited for */
	__atomic_store_n(&m->state, MEETING_NONE, __ATOMIC_SEQ_CST);
	while (look(&m->here))
		usleep(100);
	meeting_ends(w, before);
}

#endif /* ETW_TEST_FUZZ_MEETING_H */
