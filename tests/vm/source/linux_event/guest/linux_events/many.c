// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Many events, enabled and switched off while a load on all CPUs causes them. */
#define _GNU_SOURCE
#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "linux_events.h"

#define ROUNDS		4
#define MAX_CPUS	64

static struct event events[ETW_MAX_LINUX_EVENTS];
static __u32 nr_events;

/* Begins and ends of system calls, without fields: those of the load first */
static void find_events(__u32 wanted)
{
	static const char *const of_load[] = { "getppid", "openat", "close", "sched_yield" };
	DIR *folder = opendir(TRACEFS "/events/syscalls");
	struct dirent *entry;
	char name[64];
	__u32 i;

	for (i = 0; i < sizeof(of_load) / sizeof(of_load[0]) && nr_events < wanted; i++) {
		snprintf(name, sizeof(name), "sys_enter_%s", of_load[i]);
		event_find(&events[nr_events++], "syscalls", strdup(name));
	}
	while (folder && nr_events < wanted && (entry = readdir(folder))) {
		if (strncmp(entry->d_name, "sys_", 4))
			continue;
		for (i = 0; i < 4 && strcmp(events[i].name, entry->d_name); i++)
			;
		if (i == 4)
			event_find(&events[nr_events++], "syscalls", strdup(entry->d_name));
	}
	if (folder)
		closedir(folder);
	for (i = 0; i < nr_events; i++)
		events[i].nr = 0;
}

static void make_calls(__u32 cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	for (;;) {
		syscall(SYS_getppid);
		close(syscall(SYS_openat, AT_FDCWD, "/proc/self/comm", O_RDONLY, 0));
		sched_yield();
	}
}

/* Events that the session has had so far, lost ones included */
static __u64 events_of(int control, __u32 id)
{
	struct etw_statistics s;

	if (session_statistics(control, id, &s))
		die("STATISTICS");
	return s.buffered + all_lost(&s);
}

/* Return: whether events come */
static int do_come(int control, __u32 id)
{
	__u64 before = events_of(control, id);
	int i;

	for (i = 0; i < 500; i++) {
		sleep_ms(20);
		if (events_of(control, id) > before + 100)
			return 1;
	}
	return 0;
}

/* Return: whether a session has no further event once UPDATE has returned */
static int are_off(int control, __u32 id)
{
	__u64 before = events_of(control, id);

	sleep_ms(200);
	return events_of(control, id) == before;
}

static void switch_them(int control)
{
	__u32 id = must_start(events, nr_events, 0), i, came = 0, off = 0;
	__u64 begin, on_ms = 0, off_ms = 0;

	for (i = 0; i < ROUNDS; i++) {
		came += do_come(control, id);
		begin = filetime_now();
		if (update_with(control, id, NULL, 0))
			die("UPDATE without events");
		off_ms += (filetime_now() - begin) / 10000;
		off += are_off(control, id);
		begin = filetime_now();
		if (update_with(control, id, events, nr_events))
			die("UPDATE with events");
		on_ms += (filetime_now() - begin) / 10000;
	}
	/* STOP switches them off as well */
	came += do_come(control, id);
	begin = filetime_now();
	if (on_session(control, ETW_IOC_STOP, id, ETW_STOP_DISCARD))
		die("STOP");
	check_that(came == ROUNDS + 1,
		   "many events are recorded under load when UPDATE adds them # "
		   "%u of %u, %llu ms an UPDATE", came, ROUNDS + 1,
		   (unsigned long long)on_ms / ROUNDS);
	check_that(off == ROUNDS, "many events end under load when UPDATE returns # %u of %u, "
		   "%llu ms an UPDATE, STOP %llu ms", off, ROUNDS,
		   (unsigned long long)off_ms / ROUNDS,
		   (unsigned long long)(filetime_now() - begin) / 10000);
}

static void check_cpus(int control, __u32 cpus)
{
	__u32 id = must_start(events, nr_events, 0), i, seen = 0;
	__u8 on[MAX_CPUS] = { 0 };
	struct records records;

	do_come(control, id);
	records = stop_and_find(control, id);
	for (i = 0; i < records.nr; i++)
		on[records.found[i].cpu % MAX_CPUS] = 1;
	for (i = 0; i < cpus; i++)
		seen += on[i];
	check_that(seen == cpus, "each CPU records under load # %u of %u, %u records", seen, cpus,
		   records.nr);
}

int try_many(int control, __u32 wanted)
{
	__u32 cpus = sysconf(_SC_NPROCESSORS_ONLN), i;
	pid_t load[MAX_CPUS];

	find_events(wanted);
	for (i = 0; i < cpus && i < MAX_CPUS; i++) {
		load[i] = fork();
		if (!load[i])
			make_calls(i);
	}
	check_that(nr_events == wanted, "the kernel has that many events # %u", nr_events);
	switch_them(control);
	check_cpus(control, cpus);
	for (i = 0; i < cpus && i < MAX_CPUS; i++) {
		kill(load[i], SIGKILL);
		waitpid(load[i], NULL, 0);
	}
	return failures ? 1 : 0;
}
