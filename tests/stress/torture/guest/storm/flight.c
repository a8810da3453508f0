// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Storm: sessions of kernel events beside it, a steady one and a flight recorder. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include "life.h"

static struct life kernel = { .name = "kernel" }, flight = { .name = "flight" };

/* Each stack whole; by keys that come and go; by keys that stay */
static const __u32 caches[] = { 0, 8192, 4 << 20 };

static int start_kernel(struct life *life, const struct wish *wish)
{
	int id = start_session(control, wish, 0);

	if (id < 0) {
		storm_fail("%s: START: %s", life->name, strerror(-id));
		return 0;
	}
	life->id = id;
	life->wish = *wish;
	return 1;
}

/**
 * watch_kernel() - sessions of kernel events: a steady reader, a flight recorder
 * @process: seeds it
 *
 * Outside of the storm proper: tracepoints are patched when nothing else runs,
 * see others_online().
 */
void watch_kernel(unsigned long long process)
{
	struct wish wish = {
		.name = kernel.name, .kb = 64, .minimum = 16, .maximum = 32, .flush_ms = 100,
		.mode = EVENT_TRACE_REAL_TIME_MODE | EVENT_TRACE_SYSTEM_LOGGER_MODE,
		.flags = EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_THREAD |
			 EVENT_TRACE_FLAG_CSWITCH | EVENT_TRACE_FLAG_DISPATCHER,
		.clocks = 3, .interval = 20000, .stacks = 1,
	};

	kernel.random = random_of(process);
	kernel.fd = -1;
	wish.cache = caches[any(&kernel.random, 3)];
	kernel.seen = kernel.seen ? kernel.seen : shared(sizeof(*kernel.seen));
	memset(kernel.seen, 0, sizeof(*kernel.seen));
	kernel.seen->exact = 1;
	if (!start_kernel(&kernel, &wish))
		return;
	kernel.seen->check.logger = kernel.id;
	strcpy(kernel.seen->check.prefix, "kernel");
	read_it(&kernel, READ_TO_THE_END);
	wish.name = flight.name;
	wish.mode = EVENT_TRACE_BUFFERING_MODE | EVENT_TRACE_SYSTEM_LOGGER_MODE;
	wish.minimum = 0;
	wish.cache = caches[any(&kernel.random, 3)];
	start_kernel(&flight, &wish);
}

/* Snapshots of kernel events end with a rundown; the filters change meanwhile. */
static void look_at_flight(struct random *random)
{
	struct stream_check *check = calloc(1, sizeof(*check));
	int fd = snapshot_session(flight.id), whole;

	if (!check || !is_accepted(fd, "SNAPSHOT of the flight", 0)) {
		free(check);
		return;
	}
	strcpy(check->prefix, "snapshot of the flight");
	whole = check_snapshot(fd, flight.id, 0, random, check);
	if (whole && !check->kernel)
		storm_fail("%s: no events", check->prefix);
	add(C_SNAPSHOTS, 1);
	add(C_COPIED, check->kernel);
	add(C_FAILURES, check->failures);
	free(check);
}

/**
 * fly() - look at the flight recorder, change it, until the round is over
 * @process: seeds it
 *
 * No probe comes or goes by that: the steady session has them all.
 */
void fly(unsigned long long process)
{
	static const __u16 hooks[] = {
		PERFINFO_LOG_TYPE_CONTEXTSWAP, PERFINFO_LOG_TYPE_READYTHREAD,
		WMI_LOG_TYPE_PROCESS_CREATE, WMI_LOG_TYPE_THREAD_CREATE,
	};
	struct random random = random_of(process);
	const __u32 all = flight.wish.flags;
	struct wish *wish = &flight.wish;

	wish->maximum = 0;
	wish->clocks = 0;	/* as they are */
	while (flight.id && !is_over()) {
		sleep_us(1000 + any(&random, 200000));
		switch (any(&random, 4)) {
		case 0:
			wish->flags = all & any(&random, all + 1);
			wish->flush_ms = any(&random, 200);
			wish->interval = one_in(&random, 4) ? 0 : 20000 + any(&random, 100000);
			wish->stacks = any(&random, 3);
			for (wish->nr_hooks = 0; wish->nr_hooks < any(&random, 5); )
				wish->hooks[wish->nr_hooks++] = hooks[any(&random, 4)];
			if (is_accepted(update_session(flight.id, wish), "UPDATE", 0))
				add(C_UPDATES, 1);
			break;
		case 1:
			if (one_in(&random, 4) && is_accepted(rundown_session(one_in(&random, 2) ?
					kernel.id : flight.id), "RUNDOWN", 0))
				add(C_RUNDOWNS, 1);
			break;
		default:
			look_at_flight(&random);
		}
	}
}

/**
 * watch_kernel_end() - all that it read was accounted for
 */
void watch_kernel_end(void)
{
	if (flight.id && stop_session(flight.id, ETW_STOP_DISCARD))
		storm_fail("flight: STOP: %s", strerror(errno));
	flight.id = 0;
	if (!kernel.id)
		return;
	if (stop_session(kernel.id, 0))
		storm_fail("kernel: STOP: %s", strerror(errno));
	reap(&kernel, 0);
	if (!kernel.seen->ended)
		storm_fail("kernel: the reader did not come to the end");
	if (!kernel.seen->check.kernel)
		storm_fail("kernel: no events");
	check_seen(&kernel);
	kernel.id = 0;
}
