// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Change priorities in every way that programs have, and print the changes. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * A line each: "base TID POLICY NICE RT" what a thread has from now on, "io TID CLASS
 * LEVEL" likewise, "threads TID..." our other threads. What is refused, or changes
 * nothing, has no line.
 */

#define BOOSTS	10

struct attr {
	unsigned int size;
	unsigned int policy;
	unsigned long long flags;
	int nice;
	unsigned int priority;
	unsigned long long runtime, deadline, period;
};

static void die(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
	exit(1);
}

static void tell_base(pid_t tid)
{
	struct attr attr = { .size = sizeof(attr) };

	if (syscall(SYS_sched_getattr, tid, &attr, sizeof(attr), 0))
		die("sched_getattr");
	printf("base %d %u %d %u\n", tid, attr.policy, attr.nice, attr.priority);
}

static void set_nice(pid_t tid, int nice)
{
	if (setpriority(PRIO_PROCESS, tid, nice))
		die("setpriority");
	tell_base(tid);
}

static void set_policy(pid_t tid, int policy, int priority)
{
	struct sched_param param = { .sched_priority = priority };

	if (sched_setscheduler(tid, policy, &param))
		die("sched_setscheduler");
	tell_base(tid);
}

static void set_attr(pid_t tid, int nice)
{
	struct attr attr = { .size = sizeof(attr), .nice = nice };

	if (syscall(SYS_sched_setattr, tid, &attr, 0))
		die("sched_setattr");
	tell_base(tid);
}

static void set_io(pid_t tid, int class, int level)
{
	if (syscall(SYS_ioprio_set, 1, tid, class << 13 | level))
		die("ioprio_set");
	printf("io %d %d %d\n", tid, class, level);
}

static void change(pid_t tid)
{
	const struct sched_param wrong = { .sched_priority = 5 };
	int i;

	tell_base(tid);
	printf("io %d 0 0\n", tid);
	for (i = 19; i >= -20; i -= 3)
		set_nice(tid, i);
	setpriority(PRIO_PROCESS, tid, i + 3);	/* what it is already */
	set_nice(tid, 0);
	set_attr(tid, 7);
	for (i = 1; i <= 99; i += 7)
		set_policy(tid, i & 8 ? SCHED_RR : SCHED_FIFO, i);
	set_policy(tid, SCHED_BATCH, 0);
	set_policy(tid, SCHED_IDLE, 0);
	if (!sched_setscheduler(tid, SCHED_OTHER, &wrong))
		die("a priority that there is not");
	set_policy(tid, SCHED_OTHER, 0);
	set_attr(tid, 0);
	for (i = 0; i < 8; i++)
		set_io(tid, 2, i);
	set_io(tid, 1, 4);
	set_io(tid, 3, 0);
}

static pthread_mutex_t mutex;
static pthread_barrier_t barrier;

/* A thread of a priority of its own waits for what the others have. */
static void *wait_for_it(void *arg)
{
	struct sched_param param = { .sched_priority = *(int *)arg };

	if (sched_setscheduler(0, SCHED_FIFO, &param))
		die("SCHED_FIFO");
	printf("threads %d\n", gettid());
	pthread_barrier_wait(&barrier);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void boost(void)
{
	pthread_mutexattr_t attr;
	pthread_t thread[2];
	int i, priority[2];

	pthread_mutexattr_init(&attr);
	if (pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT) ||
	    pthread_mutex_init(&mutex, &attr))
		die("PTHREAD_PRIO_INHERIT");
	pthread_barrier_init(&barrier, NULL, 3);
	for (i = 0; i < BOOSTS; i++) {
		priority[0] = 10 + i;
		priority[1] = 50 + 4 * i;
		pthread_mutex_lock(&mutex);
		pthread_create(&thread[0], NULL, wait_for_it, &priority[0]);
		pthread_create(&thread[1], NULL, wait_for_it, &priority[1]);
		pthread_barrier_wait(&barrier);
		usleep(30000);
		pthread_mutex_unlock(&mutex);
		pthread_join(thread[0], NULL);
		pthread_join(thread[1], NULL);
	}
}

int main(void)
{
	pid_t child = fork();

	if (!child) {
		pause();
		_exit(0);
	}
	printf("threads %d %d\n", getpid(), child);
	change(child);
	change(getpid());
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	boost();
	return 0;
}
