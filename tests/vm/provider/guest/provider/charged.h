/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What programs have the module keep is charged to their memory groups, and given back. */
#ifndef ETW_TEST_PROVIDER_CHARGED_H
#define ETW_TEST_PROVIDER_CHARGED_H

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "tests/lib/guest/provider.h"

#define GROUPS		"/tmp/groups"
#define OF_GROUP	GROUPS "/charged/"
#define FILES		1000	/* that register */
#define CROWD		100	/* of them, those that register all that they may */
#define POINTER		8
#define REGISTRATION	(2 * POINTER + POINTER + POINTER)	/* at least */
#define CONTROL_GUID	(3 * POINTER + 16 + 6 * POINTER)	/* likewise */
/*
 * A CPU charges 64 pages at once, of which some are used: as many may have been there
 * before, or come, and a few pages for tables.
 */
#define UNSURE		(80 * getpagesize())
/* A tenth of a second each, for what is given back late */
#define MOST_WAITS	300

static int charged_files[FILES];

static void put_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		die(path);
	close(fd);
}

static long charged_now(void)
{
	FILE *file = fopen(OF_GROUP "memory.current", "r");
	long bytes;

	if (!file || fscanf(file, "%ld", &bytes) != 1)
		die("memory.current");
	fclose(file);
	return bytes;
}

static void open_all(void)
{
	int i;

	for (i = 0; i < FILES; i++) {
		charged_files[i] = open(PROVIDER, O_RDWR | O_CLOEXEC);
		if (charged_files[i] < 0)
			die(PROVIDER);
	}
}

static void close_all(void)
{
	int i;

	for (i = 0; i < FILES; i++)
		close(charged_files[i]);
}

/* @number: of the GUID */
static void register_one(int fd, __u32 number)
{
	struct etw_provider_register request = { .size = sizeof(request), .guid = class_guid };

	request.guid.data1 = number;
	if (ioctl(fd, ETW_PROVIDER_REGISTER, &request))
		die("REGISTER");
}

/* @distinct: each a GUID of its own, not all the same */
static void register_crowd(int distinct)
{
	int i, n;

	for (i = 0; i < CROWD; i++)
		for (n = 1; n < ETW_MAX_REGISTRATIONS; n++)
			register_one(charged_files[i], distinct ? i << 8 | n : 0);
}

static void unregister_crowd(void)
{
	struct etw_provider_unregister request = { .size = sizeof(request) };
	int i;

	for (i = 0; i < CROWD; i++)
		for (request.index = 1; request.index < ETW_MAX_REGISTRATIONS; request.index++)
			if (ioctl(charged_files[i], ETW_PROVIDER_UNREGISTER, &request))
				die("UNREGISTER");
}

static void is_charged(const char *what, long before, long due)
{
	long now = charged_now() - before;

	result(now >= due - UNSURE, "%s: all bytes are charged # of %ld %ld", what, due, now);
}

static void comes_back(const char *what, long before)
{
	int waits = 0;

	while (charged_now() > before + UNSURE && ++waits < MOST_WAITS)
		usleep(100000);
	result(waits < MOST_WAITS, "%s: no byte stays charged # %ld", what, charged_now() - before);
}

static void registrations(void)
{
	long begin = charged_now(), before;
	int i;

	open_all();
	before = charged_now();
	for (i = 0; i < FILES; i++)
		register_one(charged_files[i], 0);
	is_charged("the page and its owner", before,
		   FILES * ((long)getpagesize() + ETW_MAX_REGISTRATIONS * POINTER));
	before = charged_now();
	register_crowd(0);
	is_charged("registrations of a GUID", before,
		   CROWD * (ETW_MAX_REGISTRATIONS - 1L) * REGISTRATION);
	unregister_crowd();
	comes_back("registrations of a GUID", before);
	register_crowd(1);
	is_charged("and of many", before, CROWD * (ETW_MAX_REGISTRATIONS - 1L) *
		   (REGISTRATION + CONTROL_GUID));
	close_all();
	comes_back("all", begin);
}

static int in_group(void)
{
	struct rlimit limit = { FILES + 100, FILES + 100 };
	cpu_set_t one;

	put_text(OF_GROUP "cgroup.procs", "0");
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	if (setrlimit(RLIMIT_NOFILE, &limit) || sched_setaffinity(0, sizeof(one), &one))
		die("many files");
	registrations();
	return failures != 0;
}

static void test_charged(void)
{
	int status;
	pid_t pid;

	if (mkdir(GROUPS, 0700) || mount("none", GROUPS, "cgroup2", 0, NULL))
		die("cgroup2");
	put_text(GROUPS "/cgroup.subtree_control", "+memory");
	if (mkdir(OF_GROUP, 0700))
		die(OF_GROUP);
	fflush(stdout);
	pid = fork();
	if (!pid)
		_exit(in_group());
	waitpid(pid, &status, 0);
	failures += !!status;
	if (rmdir(OF_GROUP) || umount(GROUPS) || rmdir(GROUPS))
		die("the group goes");
}

#endif /* ETW_TEST_PROVIDER_CHARGED_H */
