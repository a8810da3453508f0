// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Calls of the control device that must not wait for others: for a START that registers its
 * probes, and for the node of a session in a folder that a user has stalled. And what STATISTICS
 * counts beside a reader, and a STOP after events of a CPU that was going offline.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include "tests/lib/guest/held.h"

#define OTHER		3456
#define CPU1		"/sys/devices/system/cpu/cpu1/online"
#define DYING		"/w/etw_dying.ko"
/* One event of header only, in a buffer of 4 KB: more than fit in two */
#define EVENTS		200

static const struct wish first = {
	.name = "first", .kb = 4, .buffers = 8, .flags = EVENT_TRACE_FLAG_PROCESS,
};

static const struct wish second = {
	.name = "second", .kb = 4, .buffers = 8, .flags = EVENT_TRACE_FLAG_PROCESS,
};

static const struct wish probing = {
	.name = "probing", .kb = 4, .buffers = 8, .flags = 0x02000000,	/* FILE_IO */
};

static const struct wish other = { .name = "other", .kb = 4, .buffers = 8 };

static const struct wish taker = { .name = "taker", .kb = 4, .buffers = 64 };

static int start(__u32 id)
{
	return start_session(control, &other, &id);
}

static int start_probing(__u32 id)
{
	return start_session(control, &probing, &id);
}

static int start_second(__u32 id)
{
	return start_session(control, &second, &id);
}

static int list(__u32 id)
{
	return !(list_sessions(control) & 1ULL << (id - 1));
}

static int statistics(__u32 id)
{
	struct etw_statistics s;

	return session_statistics(control, id, &s);
}

static int query(__u32 id)
{
	struct etw_control c = { .size = sizeof(c), .logger_id = id };
	__u8 block[16384];

	c.information = (unsigned long)block;
	c.information_size = sizeof(block);
	return ioctl(control, ETW_IOC_QUERY, &c);
}

static int flush(__u32 id)
{
	return on_session(control, ETW_IOC_FLUSH, id, 0);
}

static int stop(__u32 id)
{
	return on_session(control, ETW_IOC_STOP, id, 0);
}

static int discard(__u32 id)
{
	return discard_session(control, id);
}

static __u32 started(const struct wish *wish)
{
	__u32 id;

	if (start_session(control, wish, &id))
		die(wish->name);
	return id;
}

static void discard_all(void)
{
	__u64 left = list_sessions(control);
	__u32 id;

	for (id = 1; id <= 64; id++)
		if (left & 1ULL << (id - 1) && discard(id))
			die("DISCARD");
}

static void test_control(__u32 id, const char *beside)
{
	must_end("LIST", list, id, beside);
	must_end("QUERY", query, id, beside);
	must_end("STATISTICS", statistics, id, beside);
	must_end("FLUSH", flush, id, beside);
	must_end("STOP", stop, id, beside);
}

/* Some 30 functions, one after another */
static void test_arming(void)
{
	struct owner owner;
	__u32 id = started(&first);
	int status;

	hold(&owner, "a START that registers probes", start_probing, 0,
	     "function=etw_function_probes_register");
	test_control(id, owner.name);
	must_end("a START without kernel events", start, 0, owner.name);
	must_go_stuck(&owner, "another START", start_second, 0);
	must_end("DISCARD", discard, id, owner.name);
	release(&owner);
	waitpid(owner.pid, &status, 0);
	result(!status, "and goes on # %x", status);
	discard_all();
}

/* Never returns: reads the folder into a page that does not come, with the folder's lock */
static void stall_folder(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	int folder, fault = syscall(SYS_userfaultfd, O_CLOEXEC);
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	range.range.start = (unsigned long)page;
	range.range.len = 4096;
	if (fault < 0 || page == MAP_FAILED || ioctl(fault, UFFDIO_API, &api) ||
	    ioctl(fault, UFFDIO_REGISTER, &range))
		_exit(1);
	if (setgid(OTHER) || setuid(OTHER))
		_exit(2);
	folder = open("/dev/etw", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	syscall(SYS_getdents64, folder, page, 4096);
	_exit(3);
}

/* Whether it came there */
static int wait_stalled(int pid)
{
	char name[64], where[64];
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/wchan", pid);
	while (!waitpid(pid, NULL, WNOHANG)) {
		file = fopen(name, "r");
		memset(where, 0, sizeof(where));
		if (file) {
			if (!fgets(where, sizeof(where), file))
				where[0] = 0;
			fclose(file);
		}
		if (!strcmp(where, "handle_userfault"))
			return 1;
		usleep(10000);
	}
	return 0;
}

static void test_stalled_folder(void)
{
	struct owner owner = { .name = "a node, beside a stalled read of its folder" };
	__u32 id = started(&first), gone = started(&second);
	__u32 next;

	owner.pid = fork();
	if (!owner.pid)
		stall_folder();
	if (!wait_stalled(owner.pid)) {
		result(0, "a user stalls a read of /dev/etw");
		return;
	}
	must_go_stuck(&owner, "a START", start, 0);
	test_control(id, "a stalled read of /dev/etw");
	must_go_stuck(&owner, "a DISCARD", discard, gone);
	result(!(list_sessions(control) & 1ULL << (gone - 1)), "its session is gone");
	must_end("LIST", list, id, "what was killed");
	kill(owner.pid, SIGKILL);
	waitpid(owner.pid, NULL, 0);
	next = started(&second);
	result(open_node(next, 0) >= 0, "afterwards a session gets its node");
	next = started(&other);
	result(open_node(next, 0) >= 0, "so does one with the name of a START that was killed");
	discard_all();
}

static __u64 all_events(__u32 id)
{
	struct etw_statistics s;

	if (session_statistics(control, id, &s))
		die("STATISTICS");
	return s.read + s.buffered + s.overwritten + s.discarded - s.internal;
}

static int read_all(__u32 id)
{
	__u8 buffer[4096];
	int fd = open_node(id, 0);

	while (read(fd, buffer, sizeof(buffer)) == sizeof(buffer))
		;
	return fd < 0;
}

/* Where a buffer has been counted as read, and its reader is not done with it */
static void test_statistics(void)
{
	struct event_trace_header event = event_of(sizeof(event), 0);
	__u32 i, id = start_taker(&taker, 0, 0);
	struct owner owner;
	__u64 before, beside;

	for (i = 0; i < EVENTS; i++)
		if (trace_to(provider, id, &event, 0))
			die("TRACE_EVENT");
	if (stop(id))
		die("STOP");
	before = all_events(id);
	hold(&owner, "a reader at the end of a buffer", read_all, id, "function=etw_ring_give");
	beside = all_events(id);
	release(&owner);
	waitpid(owner.pid, NULL, 0);
	result(before == EVENTS && beside == before,
	       "STATISTICS counts each event once beside %s # %llu, %llu", owner.name, before,
	       beside);
	discard_all();
}

static void set_cpu1(char online)
{
	int fd = open(CPU1, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, &online, 1) != 1)
		die(CPU1);
	close(fd);
}

static void test_dying(void)
{
	__u32 id = start_taker(&taker, 0, 0);
	char parameters[64];
	struct etw_statistics s = { 0 };
	int file = open(DYING, O_RDONLY | O_CLOEXEC);

	snprintf(parameters, sizeof(parameters), "logger=%u events=%u", id, EVENTS);
	if (file < 0)
		die(DYING);
	if (syscall(SYS_finit_module, file, parameters, 0)) {
		if (errno != EOPNOTSUPP)
			die(DYING);
		skip("STOP ends beside events of a CPU that went offline # etw_dying.ko needs x86");
		close(file);
		discard_all();
		return;
	}
	close(file);
	set_cpu1('0');
	must_end("STOP", stop, id, "events of a CPU that went offline");
	if (session_statistics(control, id, &s))
		die("STATISTICS");
	result(s.buffered - s.internal == EVENTS && !all_lost(&s), "which are all there # %llu",
	       s.buffered - s.internal);
	set_cpu1('1');
	if (syscall(SYS_delete_module, "etw_dying", 0))
		die("etw_dying goes");
	discard_all();
}

int main(void)
{
	control = open_control();
	provider = open(PROVIDER, O_RDWR | O_CLOEXEC);
	if (provider < 0)
		die(PROVIDER);
	test_arming();
	test_stalled_folder();
	test_statistics();
	test_dying();
	return !!failures;
}
