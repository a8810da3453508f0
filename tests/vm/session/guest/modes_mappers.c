// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * STOP and SNAPSHOT beside processes of another user whose threads map and unmap memory all
 * the time, so that the locks of their address spaces are hardly ever free.
 */
#define _GNU_SOURCE
#include <grp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include "../../../lib/guest/requests.h"

#define MAPPERS		120
#define THREADS		4
#define USER		65534
/*
 * A rundown ends after 10 s. The rest is for the steps of a STOP that are not its rundown, on
 * processors that the mappers keep busy.
 */
#define BOUND		40
/* After SIGKILL no step of a rundown is left */
#define BOUND_KILLED	15

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
	/* with a low priority: who waits for processors waits with the lock */
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
static double seconds_of(int pid, double kill_after, double bound)
{
	double begin = now();
	int killed = !kill_after;

	while (waitpid(pid, NULL, WNOHANG) != pid) {
		if (!killed && now() - begin > kill_after) {
			kill(pid, SIGKILL);
			killed = 1;
			begin = now();
		}
		if (killed && now() - begin > 4 * bound)
			die("it does not end");
		usleep(10000);
	}
	return now() - begin;
}

static __u32 start(int i)
{
	struct wish wish = like;
	char name[16];
	__u32 id;

	snprintf(name, sizeof(name), "mappers %d", i);
	wish.name = name;
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

/* @id: two sessions, which are discarded */
static void test_call(const char *name, int (*call)(__u32), const __u32 *id)
{
	double seconds = seconds_of(call(id[0]), 0, BOUND);

	result(seconds < BOUND, "%s ends beside busy address spaces of another user", name);
	printf("# %.1f s\n", seconds);
	discard_session(control, id[0]);
	seconds = seconds_of(call(id[1]), 0.5, BOUND_KILLED);
	result(seconds < BOUND_KILLED, "SIGKILL ends %s beside them", name);
	printf("# %.1f s\n", seconds);
	discard_session(control, id[1]);
}

int main(void)
{
	__u32 id[4];
	int i;

	setlinebuf(stdout);
	control = open_control();
	for (i = 0; i < 4; i++)
		id[i] = start(i);
	for (i = 0; i < MAPPERS; i++)
		start_mapper();
	test_call("a STOP", stop, id);
	test_call("a SNAPSHOT", snapshot, id + 2);
	return !!failures;
}
