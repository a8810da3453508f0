// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A reader that frees a buffer now and then: STOP and its rundown do not go on for ever. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include "tests/lib/guest/sessions.h"
#include "tests/lib/guest/ticks.h"
#include "etw_hooks.h"

#define PROCESSES	1000
#define SIZE		4096
/* Less than that a record would wait in vain: 2 s */
#define PAUSE_US	1000000
/* The deadline is 10 s: so many buffers could be read, and some for good measure */
#define MOST_AT_DEADLINE	14
#define MOST_AFTER_KILL		4
/* Room for all records of the processes, at the start and at the end */
#define ROOMY			2048

static int control;
/* Buffers that were read; the reader's own */
static int buffers;
/* So many are read while a STOP goes through what it has to write, and waits for no reader */
static int unhindered;

static int get(int *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static void *read_slowly(void *arg)
{
	char buffer[SIZE];
	int fd = *(int *)arg;

	while (read(fd, buffer, SIZE) == SIZE) {
		__atomic_add_fetch(&buffers, 1, __ATOMIC_RELEASE);
		usleep(PAUSE_US);
	}
	return NULL;
}

/* Waits until the reader has read so many, or @pid has ended. Returns whether it has. */
static int wait_buffers(int pid, int until)
{
	while (get(&buffers) < until) {
		if (waitpid(pid, NULL, WNOHANG) == pid)
			return 1;
		usleep(10000);
	}
	return waitpid(pid, NULL, WNOHANG) == pid;
}

/* A process with STOP as its only call that sleeps */
static void wait_asleep(int pid)
{
	char name[64], where[64];
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/wchan", pid);
	do {
		usleep(10000);
		file = fopen(name, "r");
		if (!file || !fgets(where, sizeof(where), file))
			die(name);
		fclose(file);
	} while (!strcmp(where, "0"));
}

/* What is written or lost takes its time, too, on a kernel that is slow: as long as here */
static void stop_with_room(void)
{
	static const struct wish wish = {
		.name = "roomy", .kb = SIZE / 1024, .buffers = ROOMY,
		.flags = EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_THREAD,
	};
	struct etw_statistics s;
	__u64 begun, took_us;
	__u32 id;

	if (start_session(control, &wish, &id))
		die("START");
	begun = nanoseconds();
	if (on_session(control, ETW_IOC_STOP, id, 0))
		die("STOP");
	took_us = (nanoseconds() - begun) / 1000;
	/* rounded down: on a kernel that is quick, the limits stand alone */
	unhindered = took_us / PAUSE_US;
	if (session_statistics(control, id, &s))
		die("STATISTICS");
	result(!all_lost(&s), "STOP loses nothing where there is room for all # %llu lost, %llu ms",
	       (unsigned long long)all_lost(&s), (unsigned long long)took_us / 1000);
	if (discard_session(control, id))
		die("DISCARD");
}

/* STOP in a process of its own, which is killed or not. */
static void stop_with_slow_reader(int killed)
{
	static const struct wish wish = {
		.name = "slow", .kb = SIZE / 1024, .buffers = 4,
		.flags = EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_THREAD,
	};
	struct etw_statistics s;
	pthread_t thread;
	int most = 2 * unhindered + (killed ? MOST_AFTER_KILL : MOST_AT_DEADLINE);
	int fd, pid, from, ended;
	__u32 id;

	if (start_session(control, &wish, &id))
		die("START");
	fd = open_node(id, 0);
	if (fd < 0 || pthread_create(&thread, NULL, read_slowly, &fd))
		die("reader");
	pid = fork();
	if (!pid)
		_exit(on_session(control, ETW_IOC_STOP, id, 0));
	wait_asleep(pid);
	if (killed)
		kill(pid, SIGKILL);
	from = get(&buffers);
	ended = wait_buffers(pid, from + most + 1);
	result(ended, "%s returns while a slow reader reads # %d buffers",
	       killed ? "a STOP that is killed" : "STOP", get(&buffers) - from);
	if (!ended)
		waitpid(pid, NULL, 0);
	if (session_statistics(control, id, &s))
		die("STATISTICS");
	result(s.state == ETW_SESSION_STOPPED && all_lost(&s) > 0,
	       "the session is stopped, and what it did not write is counted # %llu",
	       (unsigned long long)all_lost(&s));
	if (discard_session(control, id))
		die("DISCARD");
	pthread_join(thread, NULL);
	close(fd);
}

/* A group that is killed in one go. Returns when all are there */
static int make_crew(void)
{
	int ends[2], i, crew;
	char byte;

	if (pipe(ends))
		die("pipe");
	crew = fork();
	if (!crew) {
		setpgid(0, 0);
		for (i = 0; i < PROCESSES; i++)
			if (!fork())
				pause();
		if (write(ends[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	if (read(ends[0], &byte, 1) != 1)
		die("the crew");
	return crew;
}

int main(void)
{
	int crew = make_crew();

	control = open_control();
	stop_with_room();
	stop_with_slow_reader(1);
	stop_with_slow_reader(0);
	kill(-crew, SIGKILL);
	waitpid(crew, NULL, 0);
	return !!failures;
}
