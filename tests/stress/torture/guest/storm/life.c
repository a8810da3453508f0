// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Storm: the life of a session, from its start to its end. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "life.h"

/* with those of kernel events all that there can be */
#define KERNEL_SESSIONS	(ETW_MAX_KERNEL_LOGGERS - 2)
#define ALL_CONTEXTS	((1U << TORTURE_CONTEXTS) - 1)

int is_accepted(int err, const char *what, int accepted)
{
	if (err >= 0)
		return 1;
	if (-err != accepted && err != -ENOMEM)
		storm_fail("%s: %s", what, strerror(-err));
	return 0;
}

void wish_filter(struct life *life)
{
	struct wish *wish = &life->wish;
	__u32 contexts = 1 + any(&life->random, ALL_CONTEXTS), i;

	wish->nr_hooks = 0;
	for (i = 0; i < TORTURE_CONTEXTS; i++)
		if (contexts >> i & 1)
			wish->hooks[wish->nr_hooks++] = TORTURE_HOOK + i;
	if (one_in(&life->random, 2))
		wish->hooks[wish->nr_hooks++] = PERFINFO_LOG_TYPE_CONTEXTSWAP;
	/* those that there were may still be on their way */
	life->seen->check.contexts |= contexts;
}

/* Buffers that are few at first are given to the CPU that needs them. */
static void wish_session(struct life *life)
{
	struct random *random = &life->random;
	struct wish *wish = &life->wish;

	*wish = (struct wish){
		.name = life->name, .mode = EVENT_TRACE_REAL_TIME_MODE,
		.kb = 4 << any(random, one_in(random, 8) ? 6 : 3),
		.flags = one_in(random, 4) ? 0 : EVENT_TRACE_FLAG_TEST,
		.flush_ms = one_in(random, 2) ? 5 + any(random, 300) : 0,
		.maximum = 4 + any(random, 24),
		.rate = one_in(random, 2) ? ETW_NO_RATE_LIMIT : 200 + any(random, 5000),
	};
	if (one_in(random, 2))
		wish->minimum = 1 + any(random, wish->maximum);
	life->overwrite = one_in(random, 3);
	if (life->overwrite)
		wish->mode |= EVENT_TRACE_BUFFERING_MODE;
	if (life->kernel)
		wish->mode |= EVENT_TRACE_SYSTEM_LOGGER_MODE;
	/* they say what they count at both ends of the stream */
	if (life->kernel && one_in(random, 4))
		wish->clocks = 1 + any(random, 3);
	life->filtered = life->kernel && one_in(random, 2);
	if (life->filtered)
		wish_filter(life);
}

/*
 * With as many lives as ids, START finds none while a process of chaos.c has a session, or while
 * a session's node goes after its killed reader. Both end: an id must become free.
 */
static int start_life(const struct life *life, int tied)
{
	int control_fd = tied ? life->fd : control, id, tries;

	for (tries = 0; tries < 3000; tries++) {
		id = start_session(control_fd, &life->wish,
				   ETW_START_NO_RUNDOWN | (tied ? ETW_START_TIED : 0));
		if (id != -ENOSPC)
			break;
		sleep_us(10000);
	}
	return id;
}

static int begin(struct life *life)
{
	int tied = one_in(&life->random, 4), id;

	memset(life->seen, 0, sizeof(*life->seen));
	memset(life->programs, 0, sizeof(*life->programs));
	wish_session(life);
	life->fd = tied ? open_control() : -1;
	if (tied && !is_accepted(life->fd, "open", 0))
		return 0;
	id = start_life(life, tied);
	if (!is_accepted(id, "START", 0)) {
		add(C_REFUSED, 1);
		if (tied)
			close(life->fd);
		sleep_us(20000);
		return 0;
	}
	add(C_SESSIONS, 1);
	life->id = id;
	life->logged = 0;
	life->rundowns = !!life->wish.clocks;
	life->flags = life->wish.flags;
	life->seen->check.logger = id;
	life->seen->exact = 1;
	life->seen->steady = 1;
	snprintf(life->seen->check.prefix, sizeof(life->seen->check.prefix), "%s=%u", life->name,
		 id);
	if (session_start_time(id, &life->start))
		storm_fail("%s: QUERY: %s", life->name, strerror(errno));
	return 1;
}

void reap(struct life *life, int kills)
{
	int status;

	if (!life->reader)
		return;
	if (kills || life->seen->unanswered)
		kill(life->reader, SIGKILL);
	awaits(life->reader);
	if (waitpid(life->reader, &status, 0) != life->reader)
		storm_fail("waitpid: %s", strerror(errno));
	else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		life->seen->exact &= !life->seen->busy;	/* or the OOM killer */
	else if (!WIFEXITED(status) || WEXITSTATUS(status))
		storm_fail("%s: a reader ended with %x", life->name, status);
	awaits(0);
	add(C_KILLED, WIFSIGNALED(status));
	life->seen->busy = 0;
	life->seen->unanswered = 0;
	life->reader = 0;
}

void read_it(struct life *life, enum manner manner)
{
	siginfo_t info;
	int pid;

	life->seen->opened = 0;
	life->seen->unanswered = 0;
	pid = start_reader(life->id, manner, &life->random, life->seen);
	if (!is_accepted(pid, "fork", EAGAIN))
		return;
	life->reader = pid;
	add(C_READERS, 1);
	awaits(pid);
	info.si_pid = 0;
	while (!__atomic_load_n(&life->seen->opened, __ATOMIC_ACQUIRE) && !info.si_pid) {
		sleep_us(1000);
		if (waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT))
			storm_fail("waitid: %s", strerror(errno));
	}
	awaits(0);
}

static void stop_and_look(struct life *life)
{
	int err, was_read = life->reader, patience = 20;

	/* a reader at the end takes the session along, and its id may be another's at once */
	if (was_read)
		stop_programs(life->programs);
	err = stop_session(life->id, 0);
	stop_programs(life->programs);
	if (err) {
		storm_fail("%s: STOP: %s", life->name, strerror(-err));
		return;
	}
	/* a reader at the end takes the session along: no law then */
	reap(life, 1);
	if (life->seen->ended || !check_law(life, was_read))
		return;
	if (one_in(&life->random, 4)) {
		err = stop_session(life->id, ETW_STOP_DISCARD);
		if (err)
			storm_fail("%s: DISCARD: %s", life->name, strerror(-err));
		return;
	}
	/* memory may be short; in the end the session must be gone */
	while (!life->seen->ended && patience--) {
		read_it(life, READ_TO_THE_END);
		reap(life, 0);
		if (!life->seen->ended)
			sleep_us(50000);
	}
	if (!life->seen->ended && stop_session(life->id, ETW_STOP_DISCARD))
		storm_fail("%s: cannot be read, nor discarded", life->name);
}

static void end(struct life *life)
{
	int err;

	if (life->fd >= 0) {
		stop_programs(life->programs);
		/* the reader may finish; the name is free after that */
		close(life->fd);
		reap(life, one_in(&life->random, 2));
	} else if (one_in(&life->random, 4)) {
		life->seen->given_up = 1;
		stop_programs(life->programs);
		err = stop_session(life->id, ETW_STOP_DISCARD);
		if (err)
			storm_fail("%s: STOP, DISCARD: %s", life->name, strerror(-err));
		reap(life, 0);
	} else {
		stop_and_look(life);
	}
	check_seen(life);
}

/**
 * live() - sessions of one name, one after the other, until the round is over
 * @slot: names it
 * @process: seeds it
 */
void live(unsigned int slot, unsigned long long process)
{
	struct life life = { .random = random_of(process), .kernel = slot < KERNEL_SESSIONS };
	unsigned int steps;

	snprintf(life.name, sizeof(life.name), "storm%u", slot);
	life.seen = shared(sizeof(*life.seen));
	life.programs = shared(sizeof(*life.programs));
	while (!is_over()) {
		if (!begin(&life))
			continue;
		steps = any(&life.random, 30);
		while (steps-- && !is_over()) {
			act(&life);
			step();
		}
		end(&life);
		step();
	}
}
