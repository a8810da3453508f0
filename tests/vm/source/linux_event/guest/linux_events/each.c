// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* All tracepoints of tracefs, a group of them after the other, against ftrace's ring buffer. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fnmatch.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "linux_events.h"

#define GROUP		64
#define MAX_EVENTS	4096
/* In place of the CPU of a record of ftrace: it was found in the stream */
#define TAKEN		(~0U)
#define LAST_CALL	500

/**
 * struct total - of all groups
 * @tried: events
 * @refused: of them, those that the kernel opens for no session
 * @happened: of them, those that ftrace has
 * @records: of ftrace
 * @missing: of them, those that the session lacks
 * @differing: of them, those that the session has with other fields
 */
struct total {
	__u32 tried, refused, happened, records, missing, differing;
};

static struct event *events;
static __u32 nr_events;

/* The kernel opens it for no session, because perf's own interrupt would cause it */
#define REFUSED	"irq_work_exit"

static void find_in_system(const char *system, const char *wanted)
{
	char path[300];
	struct dirent *entry;
	DIR *folder;

	snprintf(path, sizeof(path), TRACEFS "/events/%s", system);
	folder = opendir(path);
	while (folder && nr_events < MAX_EVENTS && (entry = readdir(folder))) {
		snprintf(path, sizeof(path), "events/%s/%s/id", system, entry->d_name);
		if (entry->d_name[0] == '.' || !tracefs_has(path))
			continue;
		snprintf(path, sizeof(path), "%s:%s", system, entry->d_name);
		if (!fnmatch(wanted, path, 0))
			event_find(&events[nr_events++], strdup(system), strdup(entry->d_name));
	}
	if (folder)
		closedir(folder);
}

/* Those of the system ftrace cannot be opened */
static void find_all(const char *wanted)
{
	DIR *folder = opendir(TRACEFS "/events");
	struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		if (entry->d_name[0] != '.' && strcmp(entry->d_name, "ftrace"))
			find_in_system(entry->d_name, wanted);
	if (folder)
		closedir(folder);
}

/* Ends with a child that does not return, or ends this machine's console */
static int is_harmful(long number)
{
	static const long harmful[] = {
		SYS_vhangup, SYS_reboot, SYS_exit_group, SYS_rt_sigreturn,
#ifdef SYS_vfork
		SYS_vfork, SYS_pause, SYS_alarm,
#endif
	};
	size_t i;

	for (i = 0; i < sizeof(harmful) / sizeof(harmful[0]); i++)
		if (harmful[i] == number)
			return 1;
	return 0;
}

static void call_from(volatile long *next)
{
	pid_t own = getpid();
	long number;

	alarm(1);
	while (*next < LAST_CALL) {
		number = (*next)++;
		if (!is_harmful(number))
			syscall(number, -1L, -1L, -1L, -1L, -1L, -1L);
		/* a child of fork */
		if (syscall(SYS_getpid) != own)
			_exit(0);
	}
	_exit(0);
}

/* Each system call once, with arguments that are wrong; one that ends its process is the last */
static void call_all(void)
{
	volatile long *next = mmap(NULL, sizeof(*next), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid;

	if (next == MAP_FAILED)
		die("mmap");
	for (*next = 0; *next < LAST_CALL; waitpid(pid, NULL, 0)) {
		pid = fork();
		if (!pid)
			call_from(next);
		if (pid < 0)
			die("fork");
	}
	munmap((void *)next, sizeof(*next));
}

static void use_files(void)
{
	char text[4096] = "text";
	int fd = open("/tmp/each", O_CREAT | O_RDWR, 0600), pair[2];
	char *memory = mmap(NULL, 64 * sizeof(text), PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int i;

	for (i = 0; memory != MAP_FAILED && i < 64; i++)
		memory[i * sizeof(text)] = 1;
	munmap(memory, 64 * sizeof(text));
	if (write(fd, text, sizeof(text)) > 0)
		fsync(fd);
	close(fd);
	rename("/tmp/each", "/tmp/each.new");
	unlink("/tmp/each.new");
	if (!socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) {
		if (write(pair[0], text, 8) == 8 && read(pair[1], text, 8) != 8)
			die("socket");
		close(pair[0]);
		close(pair[1]);
	}
}

static void load(int calls)
{
	static const struct timespec short_time = { .tv_nsec = 3000000 };
	pid_t pid;
	int i;

	for (i = 0; i < 3; i++) {
		pid = fork();
		if (!pid) {
			nanosleep(&short_time, NULL);
			raise(SIGUSR1);
			_exit(1);
		}
		use_files();
		waitpid(pid, NULL, 0);
		run_program();
	}
	if (calls)
		call_all();
}

/*
 * Takes the first record that is the same and was not taken. An interrupt between the two tracers
 * of one event may have recorded its own event, which then comes first in one of them only. So
 * records that are passed over stay. @first: where records that were not taken begin
 */
static int take_same(struct records *records, const struct event *event, const struct raw *raw,
		     __u32 *first, int fields)
{
	__u32 at;

	while (*first < records->nr && records->found[*first].taken)
		++*first;
	for (at = *first; at < records->nr; at++) {
		struct found *found = &records->found[at];

		if (found->taken || !is_same(found, event, raw, fields))
			continue;
		found->taken = 1;
		return 1;
	}
	return 0;
}

/* ftrace's records that are in the stream lose their CPU. Return: how many have one left */
static __u32 take_all(struct records *records, const struct event *event, struct raw *raws,
		      __u32 nr, int fields)
{
	__u32 first = 0, left = 0, i;

	for (i = 0; i < nr; i++) {
		if (raw_type(&raws[i]) != event->id || raws[i].cpu == TAKEN)
			continue;
		if (take_same(records, event, &raws[i], &first, fields))
			raws[i].cpu = TAKEN;
		else
			left++;
	}
	return left;
}

static __u32 count_raws(const struct raw *raws, __u32 nr, __u32 id)
{
	__u32 i, n = 0;

	for (i = 0; i < nr; i++)
		n += raw_type(&raws[i]) == id;
	return n;
}

/* First those with the same fields, so that no other record can take their place */
static void compare_event(struct records *records, const struct event *event, struct raw *raws,
			  __u32 nr, struct total *total)
{
	__u32 all = count_raws(raws, nr, event->id), left, missing;

	left = take_all(records, event, raws, nr, 1);
	missing = left ? take_all(records, event, raws, nr, 0) : 0;
	if (left)
		printf("   %s:%s: of %u records of ftrace, %u missing, %u with other fields\n",
		       event->system, event->name, all, missing, left - missing);
	total->happened += !!all;
	total->records += all;
	total->missing += missing;
	total->differing += left - missing;
}

/* ftrace records within the time of the session, so that each of its records is in both. */
static void record_group(int control, __u32 id, const struct event *group, __u32 nr,
			 struct total *total)
{
	static struct raw raws[MAX_RAWS];
	struct etw_statistics statistics;
	__u32 i, nr_raws, calls = 0;
	struct records records;

	for (i = 0; i < nr; i++) {
		ftrace_enable(&group[i], 1);
		calls |= !!strstr(group[i].system, "syscalls");
	}
	ftrace_switch(1);
	load(calls);
	ftrace_switch(0);
	for (i = 0; i < nr; i++)
		ftrace_enable(&group[i], 0);
	if (session_statistics(control, id, &statistics))
		die("STATISTICS");
	records = stop_and_find(control, id);
	nr_raws = ftrace_read(raws, MAX_RAWS);
	printf("   %s:%s and %u more: %u records, %u of ftrace, %llu lost\n", group->system,
	       group->name, nr - 1, records.nr, nr_raws,
	       (unsigned long long)all_lost(&statistics));
	for (i = 0; i < nr; i++)
		compare_event(&records, &group[i], raws, nr_raws, total);
	free(records.found);
	free(records.stream);
}

/* A group with an event that the kernel refuses is divided until it is alone */
static void try_group(int control, const struct event *group, __u32 nr, struct total *total)
{
	__u32 id;
	int err = may_start(group, nr, &id);

	if (err && nr > 1) {
		try_group(control, group, nr / 2, total);
		try_group(control, group + nr / 2, nr - nr / 2, total);
		return;
	}
	total->tried += nr;
	if (!err) {
		record_group(control, id, group, nr, total);
		return;
	}
	printf("   %s:%s: START: %s\n", group->system, group->name, strerror(err));
	total->refused += !!strcmp(group->name, REFUSED);
}

int try_each(int control, int nr_wanted, char **wanted, __u32 least)
{
	struct total total = { 0 };
	__u32 i, nr;

	events = calloc(MAX_EVENTS, sizeof(*events));
	if (!events)
		die("memory");
	for (i = 0; i < (__u32)nr_wanted; i++)
		find_all(wanted[i]);
	for (i = 0; i < nr_events; i += nr) {
		nr = nr_events - i < GROUP ? nr_events - i : GROUP;
		try_group(control, events + i, nr, &total);
	}
	check_that(total.tried >= least && !total.missing,
		   "each record that ftrace has of each tracepoint is in the stream # "
		   "%u tracepoints, %u with events, %u records, %u missing", total.tried,
		   total.happened, total.records, total.missing);
	check_that(total.records && !total.differing,
		   "each record of each tracepoint has the fields that ftrace has # %u differ",
		   total.differing);
	check_that(!total.refused, "each tracepoint can be opened # %u refused", total.refused);
	check_that(total.happened >= least / 4,
		   "the load causes events of many tracepoints # %u", total.happened);
	return failures ? 1 : 0;
}
