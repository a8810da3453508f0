// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * STOP and SNAPSHOT beside processes of another user. Their threads map and unmap memory all
 * the time, so the locks of their address spaces are hardly ever free.
 */
#define _GNU_SOURCE
#include <grp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include "tests/lib/guest/requests.h"

#define MAPPERS		120
#define THREADS		4
#define USER		65534
/* Rundowns end after 10 s; the call then takes as long as one without a rundown. */
#define BOUND		12
/* After SIGKILL no step of a rundown is left */
#define BOUND_KILLED	15
/* Shorter than a rundown */
#define BOUND_OWNER	9
/* Seconds after which the test gives up */
#define LIMIT		150

static const struct wish like = {
	.kb = 64, .buffers = 32, .mode = EVENT_TRACE_BUFFERING_MODE,
	.flags = EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_THREAD | EVENT_TRACE_FLAG_IMAGE_LOAD |
		 EVENT_TRACE_FLAG_VIRTUAL_ALLOC,
};

static int control;

static void *map_and_unmap(void *none)
{
	size_t size = 64 << 10;	/* of all together 30 MB */

	for (;;) {
		void *at = mmap(none, size, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

		if (at != MAP_FAILED)
			munmap(at, size);
	}
	return none;
}

static void start_mapper(void)
{
	pthread_t thread;
	int i;

	if (fork())
		return;
	/* with a low priority: a thread that waits for a processor holds the lock meanwhile */
	if (nice(19) != 19 || setgroups(0, NULL) || setgid(USER) || setuid(USER))
		_exit(1);
	for (i = 1; i < THREADS; i++)
		pthread_create(&thread, NULL, map_and_unmap, NULL);
	map_and_unmap(NULL);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* Return: seconds until @pid has ended; killed after @kill_after seconds, unless that is 0 */
static double seconds_of(int pid, double kill_after)
{
	double begin = now();
	int killed = !kill_after;

	while (waitpid(pid, NULL, WNOHANG) != pid) {
		if (!killed && now() - begin > kill_after) {
			kill(pid, SIGKILL);
			killed = 1;
			begin = now();
		}
		if (killed && now() - begin > LIMIT)
			die("it does not end");
		usleep(10000);
	}
	return now() - begin;
}

/* @flags: ETW_START_* */
static __u32 start(int i, __u32 flags)
{
	struct wish wish = like;
	char name[16];
	__u32 id;

	snprintf(name, sizeof(name), "mappers %d", i);
	wish.name = name;
	wish.start = flags;
	if (start_session(control, &wish, &id))
		die("START");
	return id;
}

static int stop(__u32 id)
{
	int pid = fork();

	if (!pid)
		_exit(on_session(control, ETW_IOC_STOP, id, 0));
	return pid;
}

static int snapshot(__u32 id)
{
	int pid = fork();

	if (!pid)
		_exit(snapshot_session(control, id) < 0);
	return pid;
}

/* @id: three sessions, the first without a rundown; they are discarded */
static void test_call(const char *name, int (*call)(__u32), const __u32 *id)
{
	double plain = seconds_of(call(id[0]), 0), seconds;

	discard_session(control, id[0]);
	seconds = seconds_of(call(id[1]), 0);
	result(seconds < plain + BOUND, "%s ends beside busy address spaces of another user", name);
	printf("# %.1f s, %.1f s without a rundown\n", seconds, plain);
	discard_session(control, id[1]);
	seconds = seconds_of(call(id[2]), 0.5);
	result(seconds < BOUND_KILLED, "SIGKILL ends %s beside them", name);
	printf("# %.1f s\n", seconds);
	discard_session(control, id[2]);
}

static void own_session(int ready)
{
	struct wish wish = like;
	__u32 id = 0;

	wish.name = "tied";
	wish.mode = 0;
	wish.start = ETW_START_TIED;
	if (start_session(open_control(), &wish, &id))
		_exit(1);
	if (write(ready, &id, sizeof(id)) == sizeof(id))
		pause();
	_exit(1);
}

/* Return: a process that has a session tied to its control file; @reader: out: its reader */
static int start_owner(int *reader)
{
	int ready[2], pid;
	__u32 id;

	if (pipe2(ready, O_CLOEXEC))
		die("pipe");
	pid = fork();
	if (!pid)
		own_session(ready[1]);
	close(ready[1]);
	if (read(ready[0], &id, sizeof(id)) != sizeof(id))
		die("START of a tied session");
	close(ready[0]);
	*reader = open_node(id, O_RDONLY | O_CLOEXEC);
	if (*reader < 0)
		die("open");
	return pid;
}

/* The stop rundown is written when the killed process closes its files. */
static void test_owner(int pid)
{
	double seconds;

	kill(pid, SIGKILL);
	seconds = seconds_of(pid, 0);
	result(seconds < BOUND_OWNER, "SIGKILL ends the owner of a tied session beside them");
	printf("# %.1f s\n", seconds);
}

int main(void)
{
	__u32 id[6];
	int owner, reader, i;

	setlinebuf(stdout);
	control = open_control();
	for (i = 0; i < 6; i++)
		id[i] = start(i, i % 3 ? 0 : ETW_START_NO_RUNDOWN);
	owner = start_owner(&reader);
	for (i = 0; i < MAPPERS; i++)
		start_mapper();
	test_owner(owner);
	close(reader);
	test_call("a STOP", stop, id);
	test_call("a SNAPSHOT", snapshot, id + 3);
	return !!failures;
}
