// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * A START that is killed where it is about to get its buffers, by a process and
 * by the OOM killer, which must take it and not a larger process. A CPU that goes offline, and
 * is held half way (etw_hold_hotplug), keeps it there for as long as that takes. The task
 * that brings a CPU up is killed where the buffers of that CPU are about to come: they come. A CPU
 * comes
 * where there is no memory for them: its events are lost.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include "etw_hooks.h"
#include "tests/lib/guest/machine_memory.h"
#include "tests/lib/guest/sessions.h"

#define KB		1024	/* of a buffer */
#define TRIES		1000	/* a tenth of a second each, for what never comes */
#define HOLD		"/sys/module/etw_hold_hotplug/parameters/hold"
#define HELD		"/sys/module/etw_hold_hotplug/parameters/held"
#define HOLD_COMING	"/sys/module/etw_hold_hotplug/parameters/hold_coming"
#define OOM_KILL	"/proc/sysrq-trigger"
#define CPU1		"/sys/devices/system/cpu/cpu1/online"

static int control;

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		die(path);
	close(fd);
}

/* Whether that file of /proc says so now */
static int says(const char *path, const char *text)
{
	char content[8192];
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, content, sizeof(content) - 1);

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return 0;
	content[n] = 0;
	return !!strstr(content, text);
}

static void wait_for(const char *path, const char *text)
{
	while (!says(path, text))
		usleep(10000);
}

/* Begins with little, and may come to have so much */
static int start_growing(__u32 maximum, __u32 *id)
{
	const struct wish wish = {
		.name = "grows", .kb = KB, .buffers = maximum, .minimum = 1,
		.flags = EVENT_TRACE_FLAG_CSWITCH,
	};

	return start_session(control, &wish, id);
}

/* The other process: its CPU goes, and is held */
static pid_t unplug(void)
{
	pid_t pid;

	put(HOLD, "1");
	pid = fork();
	if (!pid) {
		put(CPU1, "0");
		_exit(0);
	}
	wait_for(HELD, "Y");
	return pid;
}

static void plug(pid_t pid)
{
	int status;

	put(HOLD, "0");
	waitpid(pid, &status, 0);
	put(CPU1, "1");
}

/* Its pid is in /out/asked, for the check of what START returned */
static pid_t ask(const char *name, __u32 buffers)
{
	const struct wish wish = {
		.name = name, .kb = KB, .buffers = buffers, .flags = EVENT_TRACE_FLAG_CSWITCH,
	};
	pid_t pid = fork();
	char path[64];
	FILE *file;
	__u32 id;

	if (!pid)
		_exit(start_session(control, &wish, &id));
	snprintf(path, sizeof(path), "/proc/%d/stack", pid);
	wait_for(path, "cpuhp_state_add_instance");
	file = fopen("/out/asked", "a");
	if (!file || fprintf(file, "%s %d\n", name, pid) < 0 || fclose(file))
		die("/out/asked");
	return pid;
}

static void nothing_stays(const char *how, __u32 half, long available)
{
	int err, tries = 0;
	__u32 id;

	result(!list_sessions(control), "%s: no session stays", how);
	err = start_growing(half * 95 / 100, &id);
	result(!err, "%s: all memory may be promised again # %s", how, strerror(err));
	if (!err && discard_session(control, id))
		die("STOP");
	/* buffers come back late, by RCU */
	while (available - meminfo("MemAvailable") > 32 * 1024 && ++tries < TRIES)
		usleep(100000);
	result(tries < TRIES, "%s: its memory is there again", how);
}

static void killed_by_somebody(__u32 half)
{
	long available = meminfo("MemAvailable");
	int status, unplugged = unplug();
	pid_t pid = ask("killed", half / 2);

	kill(pid, SIGKILL);
	plug(unplugged);
	waitpid(pid, &status, 0);
	result(WIFSIGNALED(status), "START of a killed process ends");
	nothing_stays("killed", half, available);
}

static void too_much(__u32 half, pid_t large)
{
	const struct wish wish = { .name = "large", .kb = KB, .buffers = half * 95 / 100 };
	__u32 id;
	int err = start_session(control, &wish, &id), status;

	result(err == ENOMEM, "START of more than is left: ENOMEM # %s", strerror(err));
	result(!waitpid(large, &status, WNOHANG), "no process is killed for it");
}

static int is_killed(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	return says(path, "SigPnd:\t0000000000000100");
}

static void killed_for_memory(__u32 half)
{
	pid_t large = hold_most_memory(), pid, unplugged, gone = 0;
	long available = meminfo("MemAvailable");
	int status;

	if (large < 0)
		die("holding memory");
	too_much(half, large);
	if (access(OOM_KILL, W_OK)) {
		skip("the OOM killer # no %s", OOM_KILL);
		kill(large, SIGKILL);
		waitpid(large, &status, 0);
		return;
	}
	unplugged = unplug();
	pid = ask("chosen", half / 10);
	put(OOM_KILL, "f");
	while (!is_killed(pid) && !gone) {
		gone = waitpid(large, &status, WNOHANG);
		usleep(10000);
	}
	result(!gone, "the OOM killer takes the process in START, not the largest process");
	kill(pid, SIGKILL);
	plug(unplugged);
	waitpid(pid, &status, 0);
	result(gone || !waitpid(large, &status, WNOHANG), "and no other process");
	if (!gone) {
		nothing_stays("killed for memory", half, available);
		kill(large, SIGKILL);
		waitpid(large, &status, 0);
	}
}

/* Of the second CPU */
static struct etw_statistics statistics_of_cpu1(__u32 id)
{
	struct etw_statistics s = { .size = sizeof(s), .logger_id = id, .processor = 1 };

	if (ioctl(control, ETW_IOC_STATISTICS, &s))
		die("STATISTICS");
	return s;
}

static __u32 buffers_of_cpu1(__u32 id)
{
	return statistics_of_cpu1(id).buffers;
}

static void killed_bringing_a_cpu(void)
{
	const struct wish wish = {
		.name = "cpu", .kb = KB, .buffers = 8, .flags = EVENT_TRACE_FLAG_CSWITCH,
	};
	int status;
	pid_t pid;
	__u32 id;

	put(CPU1, "0");
	if (start_session(control, &wish, &id))
		die("START");
	put(HOLD_COMING, "1");
	pid = fork();
	if (!pid) {
		put(CPU1, "1");
		_exit(0);
	}
	wait_for(HELD, "Y");
	kill(pid, SIGKILL);
	put(HOLD_COMING, "0");
	waitpid(pid, &status, 0);
	wait_for(CPU1, "1");
	result(buffers_of_cpu1(id) == 4,
	       "a CPU has its buffers although the process that brought it was killed # %u",
	       buffers_of_cpu1(id));
	if (discard_session(control, id))
		die("STOP");
}

/* Its next switches are on the second CPU, at least so many. */
static void switch_on_cpu1(int times)
{
	cpu_set_t set, all;

	CPU_ZERO(&set);
	CPU_SET(1, &set);
	if (sched_getaffinity(0, sizeof(all), &all) || sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
	while (times--)
		usleep(1000);
	sched_setaffinity(0, sizeof(all), &all);
}

static void wait_for_memory(long kb)
{
	int tries = 0;

	while (meminfo("MemAvailable") < kb && ++tries < TRIES)
		usleep(100000);
}

/* With half of what is left by then for the buffers of the second CPU */
static void cpu_without_memory(__u32 half)
{
	const struct wish wish = {
		/* two CPUs have the same number */
		.name = "short", .kb = KB, .buffers = half * 95 / 100 / 2 * 2,
		.flags = EVENT_TRACE_FLAG_CSWITCH, .start = ETW_START_NO_RUNDOWN,
	};
	long available, share = wish.buffers / 2 * KB;
	struct etw_statistics s;
	int fd, err, status;
	pid_t holder;
	__u32 id;

	put(CPU1, "0");
	if (start_session(control, &wish, &id))
		die("START");
	available = meminfo("MemAvailable");
	holder = hold_bytes((available - share / 2) * 1024);
	fd = open(CPU1, O_WRONLY);
	if (holder < 0 || fd < 0)
		die("holding memory");
	err = write(fd, "1", 1) == 1 ? 0 : errno;
	close(fd);
	result(!err && says(CPU1, "1"), "a CPU comes without memory for its buffers # %s",
	       strerror(err));
	switch_on_cpu1(100);
	s = statistics_of_cpu1(id);
	result(!s.buffers && !s.buffered && all_lost(&s) >= 100,
	       "events there are lost, and counted # %llu, %u buffers",
	       (unsigned long long)all_lost(&s), s.buffers);
	kill(holder, SIGKILL);
	waitpid(holder, &status, 0);
	wait_for_memory(available - share / 8);
	put(CPU1, "0");
	put(CPU1, "1");
	switch_on_cpu1(100);
	s = statistics_of_cpu1(id);
	result(s.buffers == wish.buffers / 2 && s.buffered >= 100,
	       "when the CPU comes again it has its buffers # %u of %u, and %llu events", s.buffers,
	       wish.buffers / 2, (unsigned long long)s.buffered);
	if (discard_session(control, id))
		die("STOP");
	wait_for_memory(available);
}

int main(void)
{
	__u32 half = meminfo("MemTotal") / 2 / KB;

	setvbuf(stdout, NULL, _IOLBF, 0);
	control = open_control();
	killed_bringing_a_cpu();
	cpu_without_memory(half);
	killed_by_somebody(half);
	killed_for_memory(half);
	return failures != 0;
}
