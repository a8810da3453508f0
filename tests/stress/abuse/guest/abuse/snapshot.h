/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Abuse: snapshots by the hundred, kept when all else has gone; updates by others. */
#ifndef ETW_TEST_ABUSE_SNAPSHOT_H
#define ETW_TEST_ABUSE_SNAPSHOT_H

#include "flood.h"

#define MOST_SNAPSHOTS	2000

static int copies[MOST_SNAPSHOTS];

static int close_copies(int n)
{
	int bad = 0;

	while (n--)
		bad += !!close(copies[n]);
	return bad;
}

/*
 * A privileged program takes snapshots until it gets no more: each has to leave
 * a sixteenth of the machine's memory, and no process is killed for it.
 */
static void test_snapshot_flood(void)
{
	const struct wish wish = { .name = "flown", .kb = 1024, .buffers = 16,
				   .mode = EVENT_TRACE_BUFFERING_MODE };
	long total = meminfo("MemTotal"), before, least;
	struct rlimit limit = { MOST_SNAPSHOTS + 64, MOST_SNAPSHOTS + 64 };
	__u32 id = start_or_die(&wish);
	int n = 0, fd = 0, status;
	pid_t pid = hold_most();

	setrlimit(RLIMIT_NOFILE, &limit);
	before = meminfo("MemAvailable");
	while (n < MOST_SNAPSHOTS && (fd = snapshot_session(control, id)) >= 0)
		copies[n++] = fd;
	least = meminfo("MemAvailable");
	result(fd == -ENOMEM && n > 10,
	       "snapshots of a session fill the memory: ENOMEM # snapshot %d in %ld MB, %s",
	       n + 1, total / 1024, error_name(fd < 0 ? -fd : 0));
	result(least > total / 20, "a sixteenth of the memory is left, about # %ld of %ld MB",
	       least / 1024, total / 1024);
	result(!waitpid(pid, &status, WNOHANG) && !kill(pid, 0), "no process was killed for them");
	status = on_session(control, ETW_IOC_FLUSH, id, 0);
	result(!status, "the session goes on # %s", error_name(status));
	result(!close_copies(n), "they close");
	sleep(1);
	before -= meminfo("MemAvailable");
	result(before < 32768, "their memory comes back # %ld kB do not", before);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	discard_session(control, id);
}

/* Without a descriptor all was in vain, and nothing stays. */
static void test_no_descriptors(__u32 id)
{
	struct rlimit old, none = { 0 };
	long slab;
	int i, bad = 0;

	getrlimit(RLIMIT_NOFILE, &old);
	none.rlim_max = old.rlim_max;
	setrlimit(RLIMIT_NOFILE, &none);
	for (i = 0; i < 20; i++)	/* fills the kernel's caches */
		bad += snapshot_session(control, id) != -EMFILE;
	setrlimit(RLIMIT_NOFILE, &old);
	slab = meminfo("Slab") + meminfo("VmallocUsed");
	setrlimit(RLIMIT_NOFILE, &none);
	for (i = 0; i < 200; i++)
		bad += snapshot_session(control, id) != -EMFILE;
	setrlimit(RLIMIT_NOFILE, &old);
	sleep(1);
	slab = meminfo("Slab") + meminfo("VmallocUsed") - slab;
	result(!bad && slab < 8192, "220 snapshots without a descriptor: EMFILE # %ld kB stay",
	       slab);
}

static void test_snapshot_operations(int fd)
{
	expect_no_mapping(fd, EACCES, "a snapshot");
	expect_errno(fallocate(fd, 0, 0, 4096) < 0, EBADF, "fallocate in a snapshot");
}

/* The session stops and goes, the module is asked to go; the snapshots are there. */
static void test_kept_snapshots(void)
{
	const struct wish wish = { .name = "kept", .kb = 16, .buffers = 16, .flags = PROCESSES,
				   .mode = EVENT_TRACE_BUFFERING_MODE };
	static char buffer[16384];
	__u32 id = start_or_die(&wish);
	int i, bad = 0, err;
	ssize_t n;

	test_no_descriptors(id);
	for (i = 0; i < 8; i++) {
		copies[i] = snapshot_session(control, id);
		bad += copies[i] < 0;
	}
	result(!bad, "eight snapshots of a session of kernel events");
	test_snapshot_operations(copies[0]);
	discard_session(control, id);
	err = snapshot_session(control, id);
	result(err == -ENOENT, "SNAPSHOT of what is gone: ENOENT # %s",
	       error_name(err < 0 ? -err : 0));
	close(control);
	control = -1;
	err = syscall(SYS_delete_module, "etw", O_NONBLOCK) ? errno : 0;
	result(err == EWOULDBLOCK, "rmmod with nothing but snapshots open: EWOULDBLOCK # %s",
	       error_name(err));
	for (i = 0, bad = 0; i < 8; i++) {
		while ((n = read(copies[i], buffer, sizeof(buffer))) == (ssize_t)sizeof(buffer))
			;
		bad += !!n;
	}
	result(!bad, "they are read to their ends");
	close_copies(8);
	control = open(CONTROL, O_RDWR | O_CLOEXEC);
	if (control < 0)
		die(CONTROL);
}

/* In a child that may control, but not see addresses: errno of a SNAPSHOT */
static int snapshot_as(void (*become)(void), __u32 id)
{
	int status, fd;
	pid_t pid = fork();

	if (!pid) {
		become();
		fd = snapshot_session(control, id);
		_exit(fd < 0 ? -fd : 0);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void root_without_syslog(void)
{
	keep_capabilities(~0U, 0x1FF & ~(1U << (CAP_SYSLOG - 32)));
}

static void test_snapshot_addresses(void)
{
	struct wish wish = { .name = "shown", .kb = 16, .buffers = 8, .flags = PROCESSES,
			     .mode = EVENT_TRACE_BUFFERING_MODE, .start = ETW_START_NO_RUNDOWN };
	__u32 shown = start_or_die(&wish), hidden;
	int err;

	wish.name = "hidden";
	wish.start |= ETW_START_NO_ADDRESSES;
	hidden = start_or_die(&wish);
	err = snapshot_as(root_without_syslog, shown);
	result(err == EPERM, "SNAPSHOT of addresses, without CAP_SYSLOG: EPERM # %s",
	       error_name(err));
	err = snapshot_as(nobody, shown);
	result(err == EPERM, "the same by uid 65534 with a control file of root's: EPERM # %s",
	       error_name(err));
	err = snapshot_as(nobody, hidden);
	result(!err, "SNAPSHOT without addresses, by a process that was given a control file # %s",
	       error_name(err));
	discard_session(control, shown);
	discard_session(control, hidden);
}

/* Another process, and one that is not there */
static void test_foreign_update(void)
{
	struct wish wish = { .name = "theirs", .kb = 4, .buffers = 8, .flush_timer = 5 };
	__u32 id = start_or_die(&wish);
	int err, status;
	pid_t pid = fork();

	if (!pid) {
		nobody();
		close(control);
		control = open(CONTROL, O_RDWR);
		_exit(control < 0 ? errno : 0);
	}
	waitpid(pid, &status, 0);
	result(WIFEXITED(status) && WEXITSTATUS(status) == EACCES,
	       "uid 65534 has no file to update with");
	wish.name = "others";
	err = update_session(control, id, &wish);
	result(err == EINVAL, "UPDATE that gives another name: EINVAL # %s", error_name(err));
	err = update_session(control, id % 64 + 1, &wish);
	result(err == ENOENT, "UPDATE of a session that is not there: ENOENT # %s",
	       error_name(err));
	err = update_session(control, 0xFFFFFFFF, &wish);
	result(err == ENOENT, "UPDATE of logger 2^32 - 1: ENOENT # %s", error_name(err));
	wish.name = "theirs";
	wish.flush_timer = 0;
	err = update_session(control, id, &wish);
	result(!err, "a user with the right to control may update another's session # %s",
	       error_name(err));
	discard_session(control, id);
}

static void test_snapshots(void)
{
	test_snapshot_flood();
	test_kept_snapshots();
	test_snapshot_addresses();
	test_foreign_update();
	result(!list_sessions(control), "no session is left");
}

#endif /* ETW_TEST_ABUSE_SNAPSHOT_H */
