// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Storm: what happens to a session while it lives. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include "life.h"

static void ask(struct life *life)
{
	struct etw_statistics statistics;
	unsigned long long start;
	__u64 loggers;

	if (statistics_of(life->id, any(&life->random, 2), &statistics) && errno != EINVAL)
		storm_fail("%s: STATISTICS: %s", life->name, strerror(errno));
	if (session_start_time(life->id, &start) || start != life->start)
		storm_fail("%s: QUERY: %s", life->name, strerror(errno));
	if (list_sessions(&loggers) || !(loggers >> (life->id - 1) & 1))
		storm_fail("%s: not in LIST", life->name);
}

static void log_some(struct life *life)
{
	int err = log_record(life->id, &life->random);

	if (!life->kernel) {
		if (err != -EINVAL && err != -ENOMEM)
			storm_fail("%s: LOG_RECORD: %d", life->name, err);
	} else if (is_accepted(err, "LOG_RECORD", ENOBUFS)) {
		life->logged++;
		add(C_LOGGED, 1);
	}
}

/*
 * Timer and maximum as they come; events and filters of some sessions only: the
 * others are to get every event from their start on.
 */
static void change(struct life *life)
{
	struct random *random = &life->random;
	struct wish *wish = &life->wish;

	wish->minimum = 0;
	wish->clocks = 0;	/* as they are */
	wish->maximum = life->overwrite || one_in(random, 3) ? 0 : 32 + any(random, 32);
	if (one_in(random, 2))
		wish->flush_ms = one_in(random, 3) ? 0 : 5 + any(random, 300);
	if (life->filtered && one_in(random, 2)) {
		life->seen->steady = 0;
		wish_filter(life);
	} else if (life->filtered && one_in(random, 4)) {
		life->seen->steady = 0;
		wish->flags ^= EVENT_TRACE_FLAG_TEST;
	}
	if (!is_accepted(update_session(life->id, wish), "UPDATE", 0))
		return;
	add(C_UPDATES, 1);
	life->rundowns += wish->flags != life->flags;
	life->flags = wish->flags;
}

static void copy(struct life *life)
{
	struct stream_check *check;
	int fd = snapshot_session(life->id), i;

	if (!life->overwrite) {
		if (fd != -EINVAL)
			storm_fail("%s: SNAPSHOT: %d", life->name, fd);
		return;
	}
	if (!is_accepted(fd, "SNAPSHOT", 0))
		return;
	check = calloc(1, sizeof(*check));
	if (!check) {
		close(fd);
		return;
	}
	check->contexts = life->seen->check.contexts;
	snprintf(check->prefix, sizeof(check->prefix), "snapshot of %s=%u", life->name, life->id);
	check_snapshot(fd, life->id, life->seen->steady, &life->random, check);
	add(C_SNAPSHOTS, 1);
	for (i = 0; i < MAX_CPUS; i++)
		add(C_COPIED, check->ours[i]);
	add(C_FAILURES, check->failures);
	free(check);
}

/* Programs come and go; listeners change. */
static void let_programs(struct life *life)
{
	struct random *random = &life->random;

	if (one_in(random, 2)) {
		if (is_accepted(enable_provider(life->id, random), "ENABLE", 0))
			add(C_ENABLED, 1);
	} else if (one_in(random, 2)) {
		start_programs(life->id, random, life->programs);
	} else {
		stop_programs(life->programs);
	}
}

/* It may wait for the reader; few, or the storm would be their waiting. */
static void run_down(struct life *life)
{
	int err = rundown_session(life->id);

	if (!life->kernel) {
		if (err != -EINVAL)
			storm_fail("%s: RUNDOWN: %d", life->name, err);
	} else if (is_accepted(err, "RUNDOWN", 0)) {
		life->rundowns++;
		add(C_RUNDOWNS, 1);
	}
}

void act(struct life *life)
{
	struct random *random = &life->random;

	switch (any(random, 16)) {
	case 14:
	case 15:
		let_programs(life);
		break;
	case 10:
	case 11:
		change(life);
		break;
	case 12:
		copy(life);
		break;
	case 13:
		if (!life->kernel || (!life->filtered && one_in(random, 8)))
			run_down(life);
		break;
	case 0:
	case 1:
		if (is_accepted(flush_session(life->id), "FLUSH", 0))
			add(C_FLUSHES, 1);
		break;
	case 2:
	case 3:
		log_some(life);
		break;
	case 4:
		ask(life);
		break;
	case 5:
		reap(life, 1);
		break;
	case 6:
		if (life->reader && !one_in(random, 3))
			break;
		reap(life, 1);
		read_it(life, READ_SOME);
		break;
	default:
		sleep_us(any(random, one_in(random, 8) ? 400000 : 60000));
	}
}
