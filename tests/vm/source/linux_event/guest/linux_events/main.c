// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Linux events of a session against ftrace's ring buffer of the same run, and their rules. */
#define _GNU_SOURCE
#include <dirent.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "linux_events.h"

#define OPENS		40
#define MANY		40

static int control;
static struct event sched_switch, openat_enter, exec, probe;
static struct raw *raws;

static const struct wish wish = {
	.name = "Linux events", .kb = 64, .buffers = 256,
	.flags = EVENT_TRACE_FLAG_NO_SYSCONFIG, .start = ETW_START_NO_RUNDOWN,
};

/* Return: errno */
static int start_with(const struct event *events, __u32 nr, __u32 pid, struct etw_control *c)
{
	struct request r;

	request_begin(&r, &wish);
	request_add_events(&r, events, nr);
	if (pid)
		request_add_dword(&r, ETW_EXT_PIDS, pid);
	*c = (struct etw_control){ .flags = wish.start };
	return request_send(control, ETW_IOC_START, &r, c);
}

/* @nr: entries; the item is there, too, if it is 0. Return: errno */
int update_with(int on, __u32 id, const struct event *events, __u32 nr)
{
	struct etw_control c = { .logger_id = id };
	struct request r;

	request_begin(&r, &wish);
	request_add_events(&r, events, nr);
	return request_send(on, ETW_IOC_UPDATE, &r, &c);
}

__u32 must_start(const struct event *events, __u32 nr, __u32 pid)
{
	struct etw_control c;

	errno = start_with(events, nr, pid, &c);
	if (errno) {
		printf("offset %x, reason %u, item %u\n", c.error_offset, c.error_reason,
		       c.error_item);
		die("START");
	}
	return c.logger_id;
}

int may_start(const struct event *events, __u32 nr, __u32 *id)
{
	struct etw_control c;
	int err = start_with(events, nr, 0, &c);

	*id = c.logger_id;
	return err;
}

static void open_files(int n)
{
	while (n--)
		close(syscall(SYS_openat, AT_FDCWD, "/proc/self/comm", O_RDONLY, 0));
}

/* Runs a program that opens files, also by its loader. Return: its pid */
pid_t run_program(void)
{
	pid_t pid = fork();

	if (!pid) {
		open_files(OPENS);
		execl("/proc/self/exe", "linux_events", "opens", NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
	return pid;
}

__u32 raw_type(const struct raw *raw)
{
	return raw->data[0] | raw->data[1] << 8;
}

static __u32 pid_of(const struct raw *raw)
{
	__u32 pid;

	memcpy(&pid, raw->data + 4, sizeof(pid));
	return pid;
}

int is_same(const struct found *found, const struct event *event, const struct raw *raw,
	    int fields)
{
	static __u8 data[65536];
	__u32 size;

	if (found->cpu != raw->cpu || !is_of(found, event) ||
	    found->header->thread_id != pid_of(raw))
		return 0;
	if (!fields)
		return 1;
	size = expect_data(event, raw, data);
	return found->size == size && !memcmp(found->data, data, size);
}

/* Each record of ftrace is in the stream, in the order of its CPU. Return: number of them */
static __u32 compare(const struct records *records, const struct event *event, __u32 nr_raws)
{
	__u32 i, at[64] = { 0 }, same = 0, all = 0;

	for (i = 0; i < nr_raws; i++) {
		__u32 *next = &at[raws[i].cpu];

		if (raw_type(&raws[i]) != event->id)
			continue;
		all++;
		while (*next < records->nr && !is_same(&records->found[*next], event, &raws[i], 1))
			++*next;
		same += *next < records->nr;
		++*next;
	}
	check_that(all && same == all,
		   "%s: each record of ftrace is in the stream, with the same fields # %u of %u",
		   event->name, same, all);
	return all;
}

static __u32 count_of(const struct records *records, const struct event *event)
{
	__u32 i, n = 0;

	for (i = 0; i < records->nr; i++)
		n += is_of(&records->found[i], event);
	return n;
}

static void check_headers(const struct records *records)
{
	__u32 i, good = 0;

	for (i = 0; i < records->nr; i++) {
		const struct found *f = &records->found[i];

		good += f->header->level == 4 && f->header->keyword == 0x8000000000000010ULL &&
			!f->header->id && f->traits_size == f->traits[0] && f->schema_size;
	}
	check_that(good == records->nr, "descriptor, traits and schema are those of the entry");
}

static void check_fields(void)
{
	enum { nr = 4 };
	struct event events[nr] = { sched_switch, openat_enter, exec, probe };
	__u32 id = must_start(events, nr, 0), i, nr_raws;
	struct etw_statistics statistics;
	struct records records;

	for (i = 0; i < nr; i++)
		ftrace_enable(&events[i], 1);
	ftrace_switch(1);
	run_program();
	ftrace_switch(0);
	for (i = 0; i < nr; i++)
		ftrace_enable(&events[i], 0);
	if (session_statistics(control, id, &statistics))
		die("STATISTICS");
	records = stop_and_find(control, id);
	nr_raws = ftrace_read(raws, MAX_RAWS);
	for (i = 0; i < nr; i++)
		compare(&records, &events[i], nr_raws);
	check_headers(&records);
	check_that(!all_lost(&statistics), "no event is lost");
}

static void check_tests(void)
{
	struct event some = sched_switch;
	struct records records;
	__u32 size, id, i, good = 0;
	__u64 value;

	some.tests[0] = (struct etw_linux_event_test){
		.test = ETW_TEST_EQUAL, .value_low = getpid(),
		.offset = event_offset(&some, "next_pid", &size),
	};
	some.tests[0].size = size;
	some.tests[1] = (struct etw_linux_event_test){
		.test = ETW_TEST_GREATER, .is_signed = 1, .value_low = -1, .value_high = -1,
		.offset = event_offset(&some, "next_prio", &size), .size = 4,
	};
	some.nr_tests = 2;
	id = must_start(&some, 1, 0);
	for (i = 0; i < 10; i++)
		run_program();
	records = stop_and_find(control, id);
	for (i = 0; i < records.nr; i++) {
		value = 0;
		/* before the last field, next_prio */
		memcpy(&value, records.found[i].data + records.found[i].size - 8, 4);
		good += value == (__u64)getpid();
	}
	check_that(records.nr >= 10 && good == records.nr,
		   "only events that meet the conditions are recorded # %u", records.nr);
}

static void check_update(void)
{
	struct event both[] = { openat_enter, exec };
	__u32 id = must_start(both, 1, 0), first, second;
	struct records records;

	run_program();
	check_that(!update_with(control, id, both, 2), "UPDATE adds an event");
	run_program();
	check_that(!update_with(control, id, both + 1, 1), "UPDATE removes an event");
	open_files(OPENS);
	run_program();
	check_that(!update_with(control, id, NULL, 0), "UPDATE removes all events");
	run_program();
	records = stop_and_find(control, id);
	first = count_of(&records, &both[0]);
	second = count_of(&records, &both[1]);
	check_that(second == 2 && first >= 4 * OPENS && first < 5 * OPENS,
		   "each event is recorded from when UPDATE adds it until UPDATE removes it # %u %u",
		   first, second);
}

static void check_pids(void)
{
	__u32 id = must_start(&openat_enter, 1, getpid()), i, own = 0;
	struct records records;

	run_program();
	open_files(OPENS);
	records = stop_and_find(control, id);
	for (i = 0; i < records.nr; i++)
		own += records.found[i].header->process_id == (__u32)getpid();
	check_that(own >= OPENS && own == records.nr,
		   "a process filter leaves out other processes' events # %u", own);
}

/* The kernel function with that address, and its module */
static void name_of(__u64 address, char *name)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	unsigned long long at, best = 0;
	char line[512], symbol[256];

	strcpy(name, "?");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%llx %*c %255[^\n]", &at, symbol) == 2 && at <= address &&
		    at > best) {
			best = at;
			strcpy(name, symbol);
		}
	if (file)
		fclose(file);
}

static void check_stacks(void)
{
	struct event with = openat_enter;
	__u32 id, i, frames, stacks = 0;
	struct records records;
	char name[256] = "?";
	__u64 address;

	with.flags = ETW_LINUX_EVENT_STACK;
	id = must_start(&with, 1, 0);
	open_files(OPENS);
	records = stop_and_find(control, id);
	for (i = 0; i < records.nr; i++) {
		const __u8 *stack = find_stack(&records, &records.found[i], &frames);

		stacks += stack && frames;
		if (!stack || i)
			continue;
		memcpy(&address, stack, sizeof(address));
		name_of(address - 1, name);
	}
	check_that(records.nr >= OPENS && stacks == records.nr,
		   "a stack follows each record # %u of %u", stacks, records.nr);
	check_that(!strstr(name, "perf") && !strstr(name, "[etw]") && name[0] != '?',
		   "the stack begins behind the tracers' functions # %s", name);
}

static __u32 entry_dword(void)
{
	/* header of the array, header of the item */
	return offsetof(struct request, extension) + 4 * 2;
}

static void check_refused(void)
{
	struct event no = openat_enter, bad = openat_enter;
	struct etw_control c;
	int err;

	no.id = 0xFFF0;
	err = start_with(&no, 1, 0, &c);
	check_that(err == ENOENT && c.error_reason == ETW_REASON_SOURCE && c.error_item == 1 &&
		   c.error_offset == entry_dword(),
		   "an id that does not exist is refused # %d %u %x", err, c.error_reason,
		   c.error_offset);
	bad.field[1].offset = bad.record_size;
	err = start_with(&bad, 1, 0, &c);
	check_that(err == EINVAL && c.error_reason == ETW_REASON_RANGE && c.error_item == 1 &&
		   c.error_offset == entry_dword() + sizeof(struct etw_ext_linux_event) + 8,
		   "a field behind the record is refused # %d %u %x", err, c.error_reason,
		   c.error_offset);
}

static __u32 ms_since(__u64 begin)
{
	return (filetime_now() - begin) / 10000;
}

/* Events of entries to system calls, without fields. Return: number of them */
static __u32 find_many(struct event *events, __u32 room)
{
	static char names[MANY][256];
	DIR *folder = opendir(TRACEFS "/events/syscalls");
	struct dirent *entry;
	__u32 nr = 0;

	while (folder && nr < room && (entry = readdir(folder))) {
		if (strncmp(entry->d_name, "sys_enter_", 10))
			continue;
		snprintf(names[nr], sizeof(names[nr]), "%s", entry->d_name);
		event_find(&events[nr], "syscalls", names[nr]);
		events[nr++].nr = 0;
	}
	if (folder)
		closedir(folder);
	return nr;
}

static void check_many(void)
{
	static struct event events[MANY];
	__u32 nr = find_many(events, MANY), id, start, stop, own = 0, i;
	__u64 begin = filetime_now();
	struct records records;

	id = must_start(events, nr, 0);
	start = ms_since(begin);
	run_program();
	begin = filetime_now();
	records = stop_and_find(control, id);
	stop = ms_since(begin);
	for (i = 0; i < nr; i++)
		own += !!count_of(&records, &events[i]);
	check_that(nr == MANY && own, "many events are opened and closed # START %u ms, STOP %u ms",
		   start, stop);
}

static int set_online(int on)
{
	int fd = open("/sys/devices/system/cpu/cpu1/online", O_WRONLY), good;

	good = fd >= 0 && write(fd, on ? "1" : "0", 1) == 1;
	close(fd);
	return good;
}

static void check_hotplug(void)
{
	__u32 id = must_start(&openat_enter, 1, 0), i, on = 0;
	struct etw_statistics s = { 0 };
	struct records records;
	cpu_set_t set;

	if (!set_online(0) || !set_online(1)) {
		on_session(control, ETW_IOC_STOP, id, ETW_STOP_DISCARD);
		skip("a CPU that came back records again # no CPU can go");
		return;
	}
	CPU_ZERO(&set);
	CPU_SET(1, &set);
	sched_setaffinity(0, sizeof(set), &set);
	/* its perf events are created by a worker */
	for (i = 0; i < 1000 && s.buffered < 100; i++) {
		open_files(OPENS);
		sleep_ms(10);
		if (session_statistics(control, id, &s))
			die("STATISTICS");
	}
	records = stop_and_find(control, id);
	for (i = 0; i < records.nr; i++)
		on += records.found[i].cpu == 1;
	check_that(on >= OPENS, "a CPU that came back records again # %u", on);
}

static void find_events(void)
{
	ftrace_begin();
	tracefs_write("kprobe_events", "p:etwtest/etw_open do_sys_openat2 dfd=" FIRST_ARGUMENT
		      ":s32 name=+0(" SECOND_ARGUMENT "):ustring\n");
	event_find(&sched_switch, "sched", "sched_switch");
	event_find(&openat_enter, "syscalls", "sys_enter_openat");
	event_find(&exec, "sched", "sched_process_exec");
	event_find(&probe, "etwtest", "etw_open");
	raws = calloc(MAX_RAWS, sizeof(*raws));
	if (!raws)
		die("memory");
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "opens")) {
		open_files(OPENS);
		return 0;
	}
	control = open_control();
	if (argc > 3 && !strcmp(argv[1], "each")) {
		ftrace_begin();
		return try_each(control, argc - 3, argv + 3, strtoul(argv[2], NULL, 0));
	}
	if (argc == 3 && !strcmp(argv[1], "many")) {
		ftrace_begin();
		return try_many(control, strtoul(argv[2], NULL, 0));
	}
	find_events();
	check_fields();
	check_tests();
	check_update();
	check_pids();
	check_stacks();
	check_refused();
	check_many();
	check_hotplug();
	tracefs_write("kprobe_events", "-:etwtest/etw_open\n");
	return failures ? 1 : 0;
}
