// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Processes for tests of filters: threads that take turns, a family, one that records. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include "tests/lib/guest/requests.h"

static const char usage[] =
	"modes_crew family COUNT    a process of three threads, with a child of two; when\n"
	"                           /tmp/go is there it forks COUNT times, and goes on\n"
	"                           until its threads took turns often enough\n"
	"modes_crew pair            two threads, from /tmp/go until /tmp/over is there\n"
	"modes_crew self PID        the same, on one CPU; it starts two sessions that leave\n"
	"                           it out, the second one with PID as the only other\n"
	"                           process, and stops them\n"
	"All write their process id to /tmp/NAME.pid when they are ready. Between two turns\n"
	"is a pause, and buffers are flushed; by TIMES of the environment less often, where\n"
	"all takes longer: each flush fills up a buffer of each CPU.\n";

#define MAX_RING	4
/*
 * How often the family's threads take turns after /tmp/go is there. By count, as how
 * much happens in a second depends on the machine; enough for more than
 * tests/vm/filters/compare_filters.py wants to see.
 */
#define TURNS		500

struct place {
	int in;
	int out;
	int pause_us;
};

/* of the ring of this process; its threads take turns, so none counts beside another */
static volatile int turns;
static int times = 1;

static void wait_for(const char *file)
{
	while (access(file, F_OK))
		usleep(5000 * times);
}

/*
 * The first waits with its token until all tracers are there: turns would leave a debug kernel
 * no time to set them up.
 */
static void *take_turns(void *arg)
{
	const struct place *place = arg;
	char token;

	while (read(place->in, &token, 1) == 1) {
		wait_for("/tmp/go");
		turns = turns + 1;
		if (place->pause_us)
			usleep(place->pause_us * times);
		if (write(place->out, &token, 1) != 1 || token == 'q')
			break;
	}
	return NULL;
}

/* Threads in a ring, and one token; the caller is none of them */
static int begin_ring(int threads, int pause_us, pthread_t *thread)
{
	static struct place places[MAX_RING];
	int i, fd[MAX_RING][2];

	for (i = 0; i < threads; i++)
		if (pipe(fd[i]))
			die("pipe");
	for (i = 0; i < threads; i++) {
		places[i] = (struct place){ fd[i][0], fd[(i + 1) % threads][1], pause_us };
		if (pthread_create(&thread[i], NULL, take_turns, &places[i]))
			die("thread");
	}
	if (write(fd[0][1], "t", 1) != 1)
		die("write");
	return fd[0][1];
}

static void end_ring(int ring, int threads, const pthread_t *thread)
{
	int i;

	if (write(ring, "q", 1) != 1)
		die("write");
	for (i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
}

static void ready(const char *name)
{
	char path[64], temporary[64];
	FILE *out;

	snprintf(path, sizeof(path), "/tmp/%s.pid", name);
	snprintf(temporary, sizeof(temporary), "/tmp/%s.tmp", name);
	out = fopen(temporary, "w");
	if (!out || fprintf(out, "%d\n", getpid()) < 0 || fclose(out) || rename(temporary, path))
		die(path);
}

static void pair(const char *name, int pause_us)
{
	pthread_t thread[MAX_RING];
	int ring = begin_ring(2, pause_us, thread);

	ready(name);
	wait_for("/tmp/over");
	end_ring(ring, 2, thread);
}

/* A child: threads, a grandchild, another program */
static void live(int i)
{
	pthread_t thread[MAX_RING];
	int ring;

	if (i % 4 == 3) {
		execlp("modes_crew", "modes_crew", "nothing", NULL);
		_exit(127);
	}
	if (!fork()) {
		usleep(200 * (1 + i % 5));
		if (i % 3 == 0)
			execlp("sh", "sh", "-c", "true", NULL);
		_exit(0);
	}
	ring = begin_ring(2, 100, thread);
	usleep(2000);
	end_ring(ring, 2, thread);
	wait(NULL);
	_exit(0);
}

static void family(int count)
{
	pthread_t thread[MAX_RING];
	int ring, begun, i;
	pid_t child = fork();

	if (!child) {
		pair("child", 2000);
		_exit(0);
	}
	wait_for("/tmp/child.pid");
	ring = begin_ring(3, 1500, thread);
	ready("family");
	wait_for("/tmp/go");
	begun = turns;
	for (i = 0; i < count || turns - begun < TURNS; i++) {
		pid_t pid = fork();

		if (!pid)
			live(i);
		usleep(10000);
		waitpid(pid, NULL, 0);
	}
	ready("grown");
	end_ring(ring, 3, thread);
	waitpid(child, NULL, 0);
	printf("# %d children\n", i);
}

static __u32 start(int control, const char *name, __u32 other)
{
	const struct wish wish = {
		.name = name, .kb = 64, .buffers = 64,
		.flags = EVENT_TRACE_FLAG_CSWITCH | EVENT_TRACE_FLAG_DISPATCHER,
	};
	struct etw_control c = { .flags = ETW_START_NO_RUNDOWN };
	const __u32 pids[] = { getpid(), other };
	struct request r;

	request_begin(&r, &wish);
	r.info.flush_timer = 500 * times;
	request_add_dword(&r, ETW_EXT_VND_FILTER_OPTIONS, ETW_FILTER_EXCLUDE_SELF);
	if (other) {
		request_add(&r, ETW_EXT_PIDS, pids, 2);
		request_add_dword(&r, ETW_EXT_VND_HOOK_FILTER, PERFINFO_LOG_TYPE_CONTEXTSWAP);
	}
	errno = request_send(control, ETW_IOC_START, &r, &c);
	if (errno)
		die("START");
	return c.logger_id;
}

static void record(__u32 other)
{
	int control = open(CONTROL, O_RDWR | O_CLOEXEC);
	__u32 self, combined;
	cpu_set_t first;
	FILE *out;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (control < 0 || sched_setaffinity(0, sizeof(first), &first))
		die(CONTROL);
	self = start(control, "self", 0);
	combined = start(control, "combined", other);
	out = fopen("/tmp/sessions", "w");
	if (!out || fprintf(out, "self %u\ncombined %u\n", self, combined) < 0 || fclose(out))
		die("/tmp/sessions");
	pair("self", 500);
	if (on_session(control, ETW_IOC_STOP, self, 0) ||
	    on_session(control, ETW_IOC_STOP, combined, 0))
		die("STOP");
}

int main(int argc, char **argv)
{
	if (getenv("TIMES"))
		times = atoi(getenv("TIMES"));
	if (argc == 2 && !strcmp(argv[1], "nothing"))
		return 0;
	if (argc == 3 && !strcmp(argv[1], "family"))
		family(atoi(argv[2]));
	else if (argc == 2 && !strcmp(argv[1], "pair"))
		pair("pair", 1000);
	else if (argc == 3 && !strcmp(argv[1], "self"))
		record(strtoul(argv[2], NULL, 0));
	else
		fputs(usage, stderr);
	return failures;
}
