// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Storm: detection of hangs, by what processes do and what others let them do, not by the time. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "storm.h"

#define LOOK_US		100000	/* between two looks, at least */
/*
 * A process that has made no step for so long is suspected, and from then on the judge works
 * like any other process. It hangs when the judge did so much work and so much time has
 * gone: the awaited process could have worked as much. The time is longer than the module lets
 * eight sessions wait for the reader, one after the other; alone it would measure the machine.
 */
#define SUSPECT_SECONDS	30
#define HANG_SECONDS	120
#define HANG_WORK	1000	/* units: 20 s of an emulated processor that is all ours */
#define WORK_UNIT	1000000

/**
 * struct watch - what the judge remembers of a process
 * @at: the place in the table of the awaited process, or its own
 * @steps: of that one
 * @since: the last step was made, or seen
 * @work: that the judge had done by then
 */
struct watch {
	int at;
	unsigned int steps;
	double since;
	unsigned int work;
};

static struct watch watches[STORM_PROCESSES];
static unsigned int work;	/* that the judge has done */
static struct process *self;

/**
 * take_part() - this process is one that the judge watches
 * @name: what it is
 * @may_block: it may wait for ever, as long as no process awaits it
 */
void take_part(const char *name, int may_block)
{
	int i, nobody = 0;

	for (i = 0; i < STORM_PROCESSES; i++, nobody = 0) {
		self = &storm->processes[i];
		if (!__atomic_compare_exchange_n(&self->pid, &nobody, getpid(), 0,
						 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			continue;
		self->name = name;
		self->may_block = may_block;
		return;
	}
	self = NULL;
	storm_fail("more than %d processes", STORM_PROCESSES);
}

void step(void)
{
	if (self)
		__atomic_add_fetch(&self->steps, 1, __ATOMIC_RELAXED);
}

/**
 * awaits() - from now on it is another process's turn to make steps
 * @pid: of that process; 0: our own; NOBODY_WE_KNOW: that of one that is not watched
 */
void awaits(int pid)
{
	if (self)
		__atomic_store_n(&self->awaits, pid, __ATOMIC_RELAXED);
	step();
}

/*
 * The process on which the one at @i depends in the end: it awaits none, or one that is gone; -1: a
 * stranger
 */
static int whose_turn(int i)
{
	int depth, j, pid;

	for (depth = 0; depth < 4; depth++) {
		pid = __atomic_load_n(&storm->processes[i].awaits, __ATOMIC_RELAXED);
		if (pid == NOBODY_WE_KNOW)
			return -1;
		for (j = 0; pid && j < STORM_PROCESSES; j++)
			if (storm->processes[j].pid == pid)
				break;
		if (!pid || j == STORM_PROCESSES)
			break;
		i = j;
	}
	return i;
}

/* Its end is for its parent to see, which is watched, too. */
static int has_ended(int pid)
{
	char name[64], state;
	FILE *file;
	int n;

	snprintf(name, sizeof(name), "/proc/%d/stat", pid);
	file = fopen(name, "r");
	if (!file)
		return 1;
	n = fscanf(file, "%*d (%*[^)]) %c", &state);
	fclose(file);
	return n != 1 || state == 'Z' || state == 'X';
}

static void leave_out(int i)
{
	struct process *process = &storm->processes[i];

	process->awaits = 0;
	process->name = "";
	watches[i] = (struct watch){ .at = -1 };
	__atomic_store_n(&process->pid, 0, __ATOMIC_RELEASE);
}

/* Returns 1: it is suspected, 2: it hangs, which it says. */
static int suspicion(int i)
{
	int at = whose_turn(i);
	struct process *process = &storm->processes[at < 0 ? i : at];
	unsigned int steps = __atomic_load_n(&process->steps, __ATOMIC_RELAXED);
	struct watch *w = &watches[i];
	double seconds = now() - w->since;

	if (at < 0 || at != w->at || steps != w->steps || !w->since) {
		*w = (struct watch){ .at = at, .steps = steps, .since = now(), .work = work };
		return 0;
	}
	if (seconds < SUSPECT_SECONDS)
		return 0;
	if (has_ended(process->pid)) {
		leave_out(at);
		return 0;
	}
	if (seconds < HANG_SECONDS || work - w->work < HANG_WORK)
		return 1;
	storm_fail("%s, %d, hangs: no step in %.0f s, %u units of the judge's work%s%s",
		   process->name, process->pid, seconds, work - w->work,
		   at == i ? "" : "; awaited by ", at == i ? "" : storm->processes[i].name);
	return 2;
}

/* Returns what the worst is. */
static int look(void)
{
	int i, pid, one, worst = 0;

	for (i = 0; i < STORM_PROCESSES; i++) {
		pid = __atomic_load_n(&storm->processes[i].pid, __ATOMIC_ACQUIRE);
		if (pid && kill(pid, 0)) {
			leave_out(i);
			continue;
		}
		if (!pid || storm->processes[i].may_block)
			continue;
		one = suspicion(i);
		if (one > worst)
			worst = one;
	}
	return worst;
}

/* Numbers, as quickly as the machine makes them */
static void do_work(void)
{
	static struct random random = { 1 };
	int i;

	for (i = 0; i < WORK_UNIT; i++)
		any(&random, 0);
	work++;
}

static void tell_all(void)
{
	if (system("for t in $(grep -lx storm /proc/[0-9]*/comm); do t=${t%/comm}; "
		   "echo \"$t: $(cat $t/syscall) $(grep State $t/status)\"; cat $t/stack; "
		   "done; grep etw /proc/modules; for key in w l; do "
		   "echo $key >/proc/sysrq-trigger; done; sleep 1"))
		storm_fail("sysrq");
}

/**
 * judge() - wait for the end of the storm, or until a process hangs
 * @storm_pid: the process that runs it
 *
 * A process hangs when it, or the one that it awaits, makes no step though it could have: machines
 * may be as slow as they like. All that hang are printed, where they are, and nothing is waited
 * for: it would not mean much.
 *
 * Return: the status that it ended with; -1: something hangs.
 */
int judge(int storm_pid)
{
	int status, worst;

	while (waitpid(storm_pid, &status, WNOHANG) != storm_pid) {
		worst = look();
		if (worst == 2) {
			tell_all();
			return -1;
		}
		if (worst)
			do_work();
		else
			pause_us(LOOK_US);
	}
	return status;
}
