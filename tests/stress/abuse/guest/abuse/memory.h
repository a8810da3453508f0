/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Abuse: memory that isn't there, sizes that cannot be, files by the thousand. */
#ifndef ETW_TEST_ABUSE_MEMORY_H
#define ETW_TEST_ABUSE_MEMORY_H

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include "tests/lib/guest/machine_memory.h"
#include "access.h"

#define PAGE		4096UL
#define END_OF_USER	0x7FFFFFFFF000UL	/* x86-64, four levels of pages */
#define OPENERS		4

static int opens = 65536;	/* files to hold open at once */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* Two pages in a file of one: the second is a SIGBUS for programs */
static char *truncated(void)
{
	int fd = memfd_create("truncated", 0);
	char *at = MAP_FAILED;

	if (!ftruncate(fd, 2 * PAGE))
		at = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED || ftruncate(fd, PAGE))
		die("mmap");
	close(fd);
	return at;
}

static char *pages(int protection)
{
	char *at = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED || mprotect(at + PAGE, PAGE, protection))
		die("mmap");
	return at;
}

/* A structure at an address where only its first bytes are, if any */
static void at_address(const char *where, char *at, size_t there)
{
	__u32 size = sizeof(struct etw_control), i;
	int err, bad = 0;

	for (i = 0; i < COUNT(all_ioctls); i++) {
		if (there >= sizeof(size))
			memcpy(at, &size, sizeof(size));
		err = ioctl(control, all_ioctls[i], at) ? errno : 0;
		if (there >= sizeof(size) && all_ioctls[i] == ETW_IOC_STATISTICS)
			bad += err != EINVAL;	/* 40 is too short for it */
		else
			bad += err != EFAULT;
	}
	result(!bad && !list_sessions(control), "structures %s: EFAULT", where);
}

static void test_structures(void)
{
	char *bus = truncated(), *none = pages(PROT_NONE), *read_only = pages(PROT_READ);
	struct etw_statistics *s = (void *)(read_only + PAGE);
	struct etw_list *list = (void *)(read_only + PAGE);
	__u32 id = start_or_die(&small_session);
	int err;

	discard_session(control, id);
	at_address("in PROT_NONE", none + PAGE, 0);
	at_address("across the edge of PROT_NONE", none + PAGE - 8, 8);
	at_address("behind the end of a truncated file", bus + PAGE, 0);
	at_address("across the end of a truncated file", bus + PAGE - 8, 8);
	at_address("at the end of user space", (char *)END_OF_USER - 8, 0);
	at_address("across the end of user space", (char *)END_OF_USER - 2, 0);
	at_address("in the hole between user and kernel", (char *)0x800000000000UL, 0);
	at_address("in the kernel", (char *)0xffffffff81000000UL, 0);
	at_address("at the last byte", (char *)-1L, 0);

	mprotect(read_only + PAGE, PAGE, PROT_READ | PROT_WRITE);
	id = start_or_die(&small_session);
	*s = (struct etw_statistics){ .size = sizeof(*s), .logger_id = id };
	mprotect(read_only + PAGE, PAGE, PROT_READ);
	err = ioctl(control, ETW_IOC_STATISTICS, s) ? errno : 0;
	result(err == EFAULT, "STATISTICS into a read-only page: EFAULT # %s", error_name(err));
	mprotect(read_only + PAGE, PAGE, PROT_READ | PROT_WRITE);
	*list = (struct etw_list){ .size = sizeof(*list) };
	mprotect(read_only + PAGE, PAGE, PROT_READ);
	err = ioctl(control, ETW_IOC_LIST, list) ? errno : 0;
	result(err == EFAULT, "LIST into a read-only page: EFAULT # %s", error_name(err));
	discard_session(control, id);
	munmap(bus, 2 * PAGE);
	munmap(none, 2 * PAGE);
	munmap(read_only, 2 * PAGE);
}

/* The argument and its block in the same place */
static void test_overlap(void)
{
	union {
		struct etw_control c;
		struct session_block block;
		__u8 room[4096];
	} u;
	__u32 id;
	int err;

	memset(&u, 0, sizeof(u));
	u.c = (struct etw_control){ .size = sizeof(u.c), .information_size = sizeof(u.block),
				    .information = (unsigned long)&u };
	err = ioctl(control, ETW_IOC_START, &u) ? errno : 0;
	result(err == EINVAL && !list_sessions(control),
	       "START, block over its argument: EINVAL # %s",
	       error_name(err));
	id = start_or_die(&small_session);
	u.c = (struct etw_control){ .size = sizeof(u.c), .logger_id = id,
				    .information_size = sizeof(u), .information = (unsigned long)&u };
	err = ioctl(control, ETW_IOC_QUERY, &u) ? errno : 0;
	result(!err && u.block.info.buffer_size == 4,
	       "QUERY, block over its argument: the block # %s",
	       error_name(err));
	discard_session(control, id);
}

/* read() into memory of which a part is missing: what came is not lost */
static void test_read_targets(void)
{
	char *bus = truncated(), *none = pages(PROT_NONE), *read_only = pages(PROT_READ);
	__u32 id = start_or_die(&small_session);
	int fd = open_node(id, O_NONBLOCK);
	char rest[PAGE];
	ssize_t n;

	expect_errno(read(fd, none + PAGE, PAGE) < 0, EFAULT, "read into PROT_NONE");
	expect_errno(read(fd, read_only + PAGE, PAGE) < 0, EFAULT, "read into a read-only page");
	expect_errno(read(fd, bus + PAGE, PAGE) < 0, EFAULT, "read behind the end of a file");
	expect_errno(read(fd, (char *)END_OF_USER - 8, PAGE) < 0, EFAULT,
		     "read across the end of user space");
	n = read(fd, none + PAGE - 1000, 3000);
	result(n == 1000, "read of 3000 with room for 1000: 1000 # %zd", n);
	n = read(fd, bus + PAGE - 1000, 3000);
	result(n == 1000, "the same at the end of a truncated file: 1000 # %zd", n);
	n = read(fd, rest, sizeof(rest));
	result(n == (ssize_t)PAGE - 2000,
	       "the rest of the buffer follows # %lu, %zd", PAGE - 2000, n);
	close(fd);
	discard_session(control, id);
	munmap(bus, 2 * PAGE);
	munmap(none, 2 * PAGE);
	munmap(read_only, 2 * PAGE);
}

/* START of a block with a stated size that is not its own, and QUERY */
static void test_sizes(void)
{
	static const __u32 sizes[] = { 0, 1, 0xAF, 0x10001, 0x7FFFFFFF, 0xFFFFFFFF };
	static __u8 block[0x10000];
	struct etw_control c;
	__u32 id = start_or_die(&small_session);
	size_t i;
	int err, want;

	for (i = 0; i < COUNT(sizes); i++) {
		c = (struct etw_control){ .size = sizeof(c), .information_size = sizes[i],
					  .information = (unsigned long)block };
		err = ioctl(control, ETW_IOC_START, &c) ? errno : 0;
		result(err == EINVAL, "START, information_size 0x%x: EINVAL # %s", sizes[i],
		       error_name(err));
		c.logger_id = id;
		want = sizes[i] < sizeof(struct wmi_logger_information) ? EINVAL : 0;
		err = ioctl(control, ETW_IOC_QUERY, &c) ? errno : 0;
		result(err == want, "QUERY, information_size 0x%x: %s # %s", sizes[i],
		       error_name(want), error_name(err));
	}
	discard_session(control, id);
}

/* START that would need too much: refused at once, and no process is killed for it */
static void huge(__u32 kb, __u32 buffers, int want)
{
	struct wish wish = { .name = "huge", .kb = kb, .buffers = buffers };
	double begin = now();
	long available = meminfo("MemAvailable");
	__u32 id;
	int err = start_session(control, &wish, &id);

	available -= meminfo("MemAvailable");
	result(err == want && now() - begin < 2 && available < 16384,
	       "START, %u buffers of %u KB: %s at once # %s, %.2f s, %ld kB", buffers, kb,
	       error_name(want), error_name(err), now() - begin, available);
	if (!err)
		discard_session(control, id);
}

static pid_t hold_most(void)
{
	pid_t pid = hold_most_memory();

	if (pid < 0)
		die("holding memory");
	return pid;
}

/* Sessions that are modest each, until no memory is left */
static void test_greed(void)
{
	long total = meminfo("MemTotal");
	struct wish wish = { .name = "greed 00", .kb = 1024, .buffers = total / 1024 / 10 };
	char name[] = "greed 00";
	int i, err = 0, status;
	__u32 id, ids[16];
	pid_t pid = hold_most();

	wish.name = name;
	for (i = 0; i < 16 && !err; i++) {
		name[7] = 'a' + i;
		err = start_session(control, &wish, &id);
		ids[i] = id;
	}
	result(err == ENOMEM && i > 2,
	       "large sessions fill the memory: ENOMEM # session %d of %u MB each in %ld MB, %s", i,
	       wish.buffers, total / 1024, error_name(err));
	result(!waitpid(pid, &status, WNOHANG) && !kill(pid, 0), "no process was killed for memory");
	while (i--)
		if (ids[i])
			discard_session(control, ids[i]);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
}

/* Thousands of files, in several processes that wait for the end of all */
static int open_many(int from_here, int end)
{
	int i, bad = 0;
	char byte;

	for (i = 0; i < opens / OPENERS; i++)
		bad += open(CONTROL, O_RDWR | O_CLOEXEC) < 0;
	bad += list_sessions(control) == ~0ULL;
	if (write(from_here, "x", 1) != 1 || read(end, &byte, 1) < 0)
		bad++;
	return bad;
}

static int all_openers(void)
{
	int here[2], end[2], i, status, bad = 0;
	pid_t pids[OPENERS];
	char byte;

	if (pipe(here) || pipe(end))
		die("pipe");
	for (i = 0; i < OPENERS; i++) {
		pids[i] = fork();
		if (!pids[i]) {
			close(end[1]);
			_exit(!!open_many(here[1], end[0]));
		}
	}
	for (i = 0; i < OPENERS; i++)
		bad += read(here[0], &byte, 1) != 1;
	bad += list_sessions(control) == ~0ULL;
	close(end[1]);
	for (i = 0; i < OPENERS; i++) {
		waitpid(pids[i], &status, 0);
		bad += !!status;
	}
	close(end[0]);
	close(here[0]);
	close(here[1]);
	return bad;
}

static void test_many_files(void)
{
	struct rlimit limit = { opens + 64, opens + 64 };
	double begin = now();
	long slab;
	int bad;

	setrlimit(RLIMIT_NOFILE, &limit);
	bad = all_openers();	/* fills the kernel's caches */
	slab = meminfo("Slab");
	bad += all_openers();
	sleep(1);
	slab = meminfo("Slab") - slab;
	result(!bad && slab < 8192,
	       "control, often open at once: its Slab memory comes back # %d times, %ld kB stay, %.0f s",
	       opens, slab, now() - begin);
}

/* Of many that open a session one gets it; it is free when that one ends. */
static void test_many_readers(void)
{
	__u32 id = start_or_die(&small_session);
	int i, status, got = 0, busy = 0, gate[2];
	char byte;

	if (pipe(gate))
		die("pipe");
	for (i = 0; i < 64; i++) {
		if (!fork()) {
			int fd = open_node(id, 0), err = errno;

			close(gate[1]);
			if (read(gate[0], &byte, 1) < 0)
				_exit(3);
			_exit(fd >= 0 ? 0 : err == EBUSY ? 1 : 2);
		}
	}
	close(gate[1]);
	while (wait(&status) > 0) {
		got += WIFEXITED(status) && WEXITSTATUS(status) == 0;
		busy += WIFEXITED(status) && WEXITSTATUS(status) == 1;
	}
	close(gate[0]);
	result(got == 1 && busy == 63,
	       "64 processes open a session: one reads, 63 get EBUSY # %d, %d",
	       got, busy);
	i = open_node(id, 0);
	result(i >= 0, "then it is free again");
	close(i);
	discard_session(control, id);
}

static void test_huge(void)
{
	huge(64, 0xFFFFFFFF, EINVAL);
	huge(16384, 0xFFFFFFFF, EINVAL);
	huge(0xFFFFFFFC, 4, EINVAL);
	huge(16384, 65536, ENOMEM);
	huge(4, meminfo("MemTotal") / 4, EINVAL);	/* over 65536 buffers */
	huge(16384, meminfo("MemTotal") / 16384, ENOMEM);
	test_greed();
}

#endif /* ETW_TEST_ABUSE_MEMORY_H */
