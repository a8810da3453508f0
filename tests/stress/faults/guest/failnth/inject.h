/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Make the n-th allocation of a task fail, and learn which call site it was. */
#ifndef ETW_TEST_FAILNTH_INJECT_H
#define ETW_TEST_FAILNTH_INJECT_H

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <unistd.h>

#define DEBUG		"/sys/kernel/debug/"
#define TRACING		"/sys/kernel/tracing/"
#define PROBES		"/sys/module/etw_no_probes/parameters/nth"
#define MOST_VICTIMS	64
#define MOST_SITES	256
/* A burst: the n-th and this many more, of slab and of pages each, fail */
#define BURST		"3"
#define NO_SITE		"kernel"

/**
 * struct site - a return address in etw.ko, of a call that could not allocate
 * @name: function+0xoffset, NO_SITE for allocations that etw has no part in
 * @hits: how often
 */
struct site {
	char name[96];
	int hits;
};

static struct site sites[MOST_SITES];
static int nr_sites;
static int victims[MOST_VICTIMS];	/* fail-nth of the tasks to hurt */
static int in_bursts[MOST_VICTIMS];	/* make-it-fail of the same tasks */
static int nr_victims;
static int trace_pipe = -1, kmsg = -1;
static int slab_times, page_times;

static void put(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY | O_TRUNC);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text)) {
		printf("not ok - %s cannot be set to %s\n", file, text);
		exit(1);
	}
	close(fd);
}

static void put_number(int fd, unsigned int n)
{
	char text[16];
	int size = snprintf(text, sizeof(text), "%u", n);

	if (pwrite(fd, text, size, 0) != size) {
		perror("fail-nth");
		exit(1);
	}
}

static int get_number(int fd)
{
	char text[16] = "";

	return pread(fd, text, sizeof(text) - 1, 0) > 0 ? atoi(text) : -1;
}

static void use_attribute(const char *name)
{
	static const char *const settings[][2] = {
		{ "ignore-gfp-wait", "N" }, { "verbose", "0" }, { "interval", "1" },
		{ "space", "0" }, { "times", "0" }, { "task-filter", "Y" },
		{ "probability", "100" },
	};
	char file[96];
	size_t i;

	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		snprintf(file, sizeof(file), DEBUG "%s/%s", name, settings[i][0]);
		put(file, settings[i][1]);
	}
}

/*
 * The kernel's own message has no stack for allocations with __GFP_NOWARN, so
 * the places where failures are made are traced, as they return one.
 */
static void trace_failures(void)
{
	int fd = open(TRACING "kprobe_events", O_WRONLY | O_APPEND);
	static const char probes[] =
		"r:etwfail/slab should_failslab ret=$retval:s32\n"
		"r:etwfail/page should_fail_alloc_page ret=$retval:u8\n";

	if (fd < 0 || write(fd, probes, sizeof(probes) - 1) != sizeof(probes) - 1) {
		printf("not ok - the failures can be traced\n");
		exit(1);
	}
	close(fd);
	put(TRACING "options/sym-offset", "1");
	put(TRACING "options/stacktrace", "1");
	put(TRACING "events/etwfail/slab/filter", "ret != 0");
	put(TRACING "events/etwfail/page/filter", "ret != 0");
	put(TRACING "events/etwfail/enable", "1");
	trace_pipe = open(TRACING "trace_pipe", O_RDONLY | O_NONBLOCK);
	kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
	lseek(kmsg, 0, SEEK_END);
}

/* Messages say where etw_init() failed: its symbols are gone when one looks */
static void say_failures(int yes)
{
	put(DEBUG "failslab/verbose", yes ? "2" : "0");
	put(DEBUG "fail_page_alloc/verbose", yes ? "2" : "0");
	klogctl(8, NULL, yes ? 1 : 5);	/* not all of it on the console */
}

static int open_victim(const char *task, const char *what)
{
	char file[64];
	int fd;

	snprintf(file, sizeof(file), "/proc/%s/%s", task, what);
	fd = open(file, O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		perror(file);
		exit(1);
	}
	return fd;
}

static void set_victim(const char *task)
{
	if (nr_victims == MOST_VICTIMS)
		return;
	victims[nr_victims] = open_victim(task, "fail-nth");
	in_bursts[nr_victims] = open_victim(task, "make-it-fail");
	put_number(in_bursts[nr_victims], 1);
	nr_victims++;
}

static void forget_victims(void)
{
	while (nr_victims--) {
		put_number(in_bursts[nr_victims], 0);
		close(in_bursts[nr_victims]);
		close(victims[nr_victims]);
	}
	nr_victims = 0;
}

/* etw_no_probes.ko counts as fail-nth does, for every caller that registers a kprobe; no bursts. */
static void set_probes(void)
{
	victims[0] = open(PROBES, O_RDWR | O_CLOEXEC);
	in_bursts[0] = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (victims[0] < 0 || in_bursts[0] < 0) {
		perror(PROBES);
		exit(1);
	}
	nr_victims = 1;
}

/* Kernel threads by the beginning of their name */
static void set_victims(const char *prefix)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	char file[300], name[64];
	FILE *comm;

	forget_victims();
	while (dir && (entry = readdir(dir))) {
		snprintf(file, sizeof(file), "/proc/%s/comm", entry->d_name);
		if (!atoi(entry->d_name))
			continue;
		comm = fopen(file, "r");
		if (comm && fgets(name, sizeof(name), comm) &&
		    !strncmp(name, prefix, strlen(prefix)))
			set_victim(entry->d_name);
		if (comm)
			fclose(comm);
	}
	if (dir)
		closedir(dir);
}

static void inject_setup(void)
{
	use_attribute("failslab");
	use_attribute("fail_page_alloc");
	put(DEBUG "fail_page_alloc/ignore-gfp-highmem", "N");
	put(DEBUG "fail_page_alloc/min-order", "0");
	slab_times = open(DEBUG "failslab/times", O_WRONLY | O_CLOEXEC);
	page_times = open(DEBUG "fail_page_alloc/times", O_WRONLY | O_CLOEXEC);
	trace_failures();
}

/* While fail-nth counts nothing else fails; a burst follows its end. */
static void arm(int n, int burst)
{
	int i;

	for (i = 0; i < nr_victims; i++)
		put_number(victims[i], n);
	if (burst && (write(slab_times, BURST, 1) != 1 || write(page_times, BURST, 1) != 1))
		exit(1);
}

/* Return: how many of the victims met a failure. */
static int disarm(void)
{
	int i, hit = 0;

	if (write(slab_times, "0", 1) != 1 || write(page_times, "0", 1) != 1)
		exit(1);
	for (i = 0; i < nr_victims; i++) {
		hit += get_number(victims[i]) == 0;
		put_number(victims[i], 0);
	}
	return hit;
}

static void count_site(const char *name)
{
	int i;

	for (i = 0; i < nr_sites; i++)
		if (!strcmp(sites[i].name, name))
			break;
	if (i == MOST_SITES)
		return;
	if (i == nr_sites)
		snprintf(sites[nr_sites++].name, sizeof(sites[0].name), "%s", name);
	sites[i].hits++;
}

/* A line of a stack: "func+0x1/0x2 [etw]"; copies what is before the slash */
static int etw_site(const char *line, char *name, size_t size)
{
	const char *slash = strchr(line, '/');

	if (!strstr(line, " [etw]") || !slash || strchr(line, '?'))
		return 0;
	while (slash > line && strchr(" =>\t", *line))
		line++;
	snprintf(name, size, "%.*s", (int)(slash - line), line);
	return 1;
}

/* The innermost place in etw.ko of each stack since the last call */
static void read_traces(char *last, size_t size)
{
	static char text[1 << 16];
	char *line, *next, name[96] = "";
	size_t used = 0;
	ssize_t n;
	int open_stack = 0;

	while (used < sizeof(text) - 1 &&
	       (n = read(trace_pipe, text + used, sizeof(text) - 1 - used)) > 0)
		used += n;
	text[used] = 0;
	for (line = text; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (strstr(line, "<stack trace>")) {
			if (open_stack)
				count_site(name[0] ? name : NO_SITE);
			open_stack = 1;
			name[0] = 0;
		} else if (open_stack && !name[0] && etw_site(line, name, sizeof(name))) {
			snprintf(last, size, "%s", name);
		}
	}
	if (open_stack)
		count_site(name[0] ? name : NO_SITE);
}

#endif /* ETW_TEST_FAILNTH_INJECT_H */
