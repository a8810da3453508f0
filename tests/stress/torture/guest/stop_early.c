// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* STOP|DISCARD of a session that START has just let go, before that returns. */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include "tests/lib/guest/sessions.h"
#include "etw_hooks.h"

/* The schedule succeeds once in a few rounds. */
#define ROUNDS	300
#define WANTED	3

/*
 * All on one CPU, in a kernel that preempts (preempt=full): the stopping task
 * has the highest priority and waits for START's lock, so it takes the CPU away from START
 * where that gives the lock back. Whenever it sleeps from then on, a third one keeps
 * the CPU busy: START, to which any other task is preferred, goes on when its session
 * is gone. With slub_debug=P a pointer from freed memory leads nowhere.
 */
static struct stage {
	int turn;	/* the round that began */
	int found;	/* the round of the session that is there */
	int gone;	/* the round of the session that was stopped */
	int stopper;	/* the stopping task */
	int bad;	/* a STOP was refused */
} *stage;

static int get(int *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static void set(int *word, int value)
{
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
}

static void be(int policy, int priority)
{
	struct sched_param param = { .sched_priority = priority };
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(1, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) || sched_setscheduler(0, policy, &param))
		die("scheduling");
}

static void pause_us(long us)
{
	struct timespec t = { 0, us * 1000 };

	nanosleep(&t, NULL);
}

/* Does the stopping task wait for a lock of ours, which START has? */
static int start_may_run(void)
{
	char name[64], where[64] = "";
	FILE *file;

	if (get(&stage->found) == get(&stage->gone))
		return 1;
	snprintf(name, sizeof(name), "/proc/%d/wchan", get(&stage->stopper));
	file = fopen(name, "r");
	if (!file || !fgets(where, sizeof(where), file))
		die(name);
	fclose(file);
	return !strncmp(where, "etw_", 4);
}

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/*
 * START may have lost the CPU inside an RCU read section, and STOP waits for its end: it
 * goes on for a moment after a second, which is longer than a STOP takes otherwise.
 */
static void keep_busy(void)
{
	long begin;

	be(SCHED_OTHER, 0);
	if (prctl(PR_SET_TIMERSLACK, 1) || setpriority(PRIO_PROCESS, 0, -20))
		die("priority");
	for (;;) {
		begin = now_ms();
		while (!start_may_run() && now_ms() - begin < 1000)
			;
		pause_us(20);
	}
}

static int control;

static void stop_early(void)
{
	__u64 there;
	int round;

	set(&stage->stopper, getpid());
	be(SCHED_FIFO, 20);
	for (round = 1;; round++) {
		while (get(&stage->turn) != round)
			pause_us(50);
		while (!(there = list_sessions(control)))
			pause_us(50);
		set(&stage->found, round);
		stage->bad |= discard_session(control, __builtin_ffsll(there));
		set(&stage->gone, round);
	}
}

static int in_child(void (*what)(void))
{
	int pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid)
		what();
	return pid;
}

static int preempts(void)
{
	FILE *file = fopen("/sys/kernel/debug/sched/preempt", "r");
	char modes[64] = "";

	if (!file)
		return 0;
	if (!fgets(modes, sizeof(modes), file))
		die("preempt");
	fclose(file);
	return !!strstr(modes, "(full)");
}

int main(void)
{
	/* probes take their time: a request for ids meanwhile waits for START */
	static const struct wish wish = {
		.name = "early", .kb = 4, .buffers = 4, .flags = EVENT_TRACE_FLAG_CSWITCH,
		.start = ETW_START_NO_RUNDOWN,
	};
	int round, forced = 0, stopper, busy;
	__u32 id;

	if (!preempts()) {
		skip("START returns when its session is gone already # no preempt=full");
		return 0;
	}
	control = open_control();
	stage = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (stage == MAP_FAILED)
		die("mmap");
	be(SCHED_IDLE, 0);
	stopper = in_child(stop_early);
	while (!get(&stage->stopper))
		pause_us(1000);
	busy = in_child(keep_busy);
	for (round = 1; round <= ROUNDS && forced < WANTED; round++) {
		set(&stage->turn, round);
		if (start_session(control, &wish, &id))
			die("START");
		forced += get(&stage->gone) == round;
		while (get(&stage->gone) != round)
			pause_us(1000);
	}
	kill(stopper, SIGKILL);
	kill(busy, SIGKILL);
	waitpid(stopper, NULL, 0);
	waitpid(busy, NULL, 0);
	result(forced == WANTED && !stage->bad && !list_sessions(control),
	       "START returns when its session is gone already # %d of %d times", forced,
	       round - 1);
	return !!failures;
}
