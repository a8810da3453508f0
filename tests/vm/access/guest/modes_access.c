// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Rights to open, read and see: owners of streams, lockdown, kernel addresses. */
#define _GNU_SOURCE
#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "tests/lib/guest/requests.h"

#define OWNER	1234
#define GROUP	2345
#define OTHER	3456
#define LOCKDOWN	"/sys/kernel/security/lockdown"

static int control;

static void become(uid_t uid, gid_t gid)
{
	if (setgroups(0, NULL) || setgid(gid) || setuid(uid))
		_exit(251);
	/* as one that root did not make: its own /proc/self is its own */
	if (prctl(PR_SET_DUMPABLE, 1))
		_exit(252);
}

/* errno of a child that opens a file, and reads from it when it can */
static int open_as(const char *file, int flags, uid_t uid, gid_t gid)
{
	char byte[16];
	int fd, status;
	pid_t pid = fork();

	if (!pid) {
		become(uid, gid);
		fd = open(file, flags);
		if (fd < 0)
			_exit(errno);
		if (flags == O_RDONLY && read(fd, byte, sizeof(byte)) != sizeof(byte))
			_exit(250);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static __u32 start(struct request *r, __u32 flags)
{
	struct etw_control c = { .flags = flags };

	errno = request_send(control, ETW_IOC_START, r, &c);
	if (errno)
		die("START");
	return c.logger_id;
}

static const struct wish wish = {
	.name = "access", .kb = 64, .buffers = 64,
	.flags = EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_THREAD,
};

static int snapshot(__u32 id)
{
	struct etw_control c = { .size = sizeof(c), .logger_id = id };

	return ioctl(control, ETW_IOC_SNAPSHOT, &c);
}

static void test_unprivileged(void)
{
	struct request r;
	char node[32];
	struct stat st;
	__u32 id;

	request_begin(&r, &wish);
	id = start(&r, 0);
	snprintf(node, sizeof(node), "/dev/etw/session%u", id);
	result(open_as(CONTROL, O_RDWR, OTHER, OTHER) == EACCES, "control: EACCES for a user");
	result(open_as(node, O_RDONLY, OTHER, OTHER) == EACCES, "a stream: EACCES for a user");
	result(!stat(node, &st) && !st.st_uid && !st.st_gid && (st.st_mode & 07777) == 0400,
	       "a stream is root's, mode 0400");
	result(!open_as(node, O_RDONLY, 0, 0), "root reads it");
	discard_session(control, id);
}

/* A session with a stream that is OWNER's and GROUP's */
static void test_consumer(__u32 mode)
{
	const __u32 consumer[] = { OWNER, GROUP, mode };
	struct request r;
	struct stat st;
	char node[32];
	__u32 id;

	request_begin(&r, &wish);
	request_add(&r, ETW_EXT_VND_CONSUMER, consumer, 3);
	id = start(&r, 0);
	snprintf(node, sizeof(node), "/dev/etw/session%u", id);
	if (stat(node, &st))
		die(node);
	result(st.st_uid == OWNER && st.st_gid == GROUP &&
	       (st.st_mode & 07777) == mode, "CONSUMER: owner, group, mode %o # %u, %u, %o", mode,
	       st.st_uid, st.st_gid, st.st_mode & 07777);
	result(open_as(node, O_RDONLY, OWNER, OTHER) == (mode & 0400 ? 0 : EACCES),
	       "mode %o: the owner", mode);
	result(open_as(node, O_RDONLY, OTHER, GROUP) == (mode & 0040 ? 0 : EACCES),
	       "mode %o: the group", mode);
	result(open_as(node, O_RDONLY, OTHER, OTHER) == (mode & 0004 ? 0 : EACCES),
	       "mode %o: others", mode);
	result(open_as(node, O_RDWR, OWNER, GROUP) == EACCES,
	       "mode %o: the owner cannot write", mode);
	result(open_as(CONTROL, O_RDWR, OWNER, GROUP) == EACCES,
	       "mode %o: the consumer can't control", mode);
	discard_session(control, id);
}

/*
 * A process that was let in by a node that is gone is not let into the next session of that number.
 * devtmpfs takes all rights from a node that goes, but root's: root stands here for
 * a process that had passed that look before. Nor does a copy of a node, as a container has, or a
 * link.
 */
static void test_old_node(void)
{
	static const char copy[] = "/tmp/copied", linked[] = "/dev/linked";
	const __u32 consumer[] = { OWNER, GROUP, 0400 };
	char node[32], kept[32];
	struct request r;
	struct stat st;
	__u32 id, next;
	int fd, err;

	request_begin(&r, &wish);
	request_add(&r, ETW_EXT_VND_CONSUMER, consumer, 3);
	id = start(&r, 0);
	snprintf(node, sizeof(node), "/dev/etw/session%u", id);
	fd = open(node, O_PATH);
	if (fd < 0)
		die(node);
	snprintf(kept, sizeof(kept), "/proc/self/fd/%d", fd);
	result(!open_as(kept, O_RDONLY, OWNER, GROUP), "a node that was kept: its owner reads it");
	if (stat(node, &st) || mknod(copy, S_IFCHR | 0444, st.st_rdev) || link(node, linked))
		die(copy);
	result(!open_as(copy, O_RDONLY, OTHER, OTHER), "a copy of it is for its session");
	discard_session(control, id);
	err = open_as(kept, O_RDONLY, 0, 0);
	result(err == ENXIO, "there is nothing behind it then # %s", error_name(err));
	request_begin(&r, &wish);
	next = start(&r, 0);
	err = open_as(kept, O_RDONLY, 0, 0);
	result(next == id && err == ENXIO, "nor the next session of that number # %s",
	       error_name(err));
	err = open_as(copy, O_RDONLY, OTHER, OTHER);
	result(err == ENXIO, "nor is the copy for it (%s)", error_name(err));
	err = open_as(linked, O_RDONLY, 0, 0);
	result(err == ENXIO, "nor another link (%s)", error_name(err));
	result(open_as(node, O_RDONLY, OWNER, GROUP) == EACCES && !open_as(node, O_RDONLY, 0, 0),
	       "which has a node of its own");
	discard_session(control, next);
	unlink(copy);
	unlink(linked);
	close(fd);
}

static void drop(unsigned int capability)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data))
		_exit(252);
	data[capability / 32].effective &= ~(1U << capability % 32);
	data[capability / 32].permitted &= ~(1U << capability % 32);
	if (syscall(SYS_capset, &header, data))
		_exit(252);
}

/* Of all threads in a stream: how many, and with how many addresses that are not hidden */
static void count_addresses(const __u8 *data, size_t used, __u64 *threads, __u64 *addresses)
{
	struct wmi_thread_information thread;
	struct wmi_buffer_header header;
	__u32 at, size;
	size_t buffer;

	*threads = 0;
	*addresses = 0;
	for (buffer = 0; buffer < used; buffer += header.buffer_size) {
		memcpy(&header, data + buffer, sizeof(header));
		for (at = sizeof(header); at < header.offset; at += (size + 7) & ~7U) {
			const __u8 *record = data + buffer + at;

			size = record[2] == TRACE_HEADER_TYPE_EVENT_HEADER64 ?
				record[0] | record[1] << 8 : record[4] | record[5] << 8;
			if (record[2] != TRACE_HEADER_TYPE_SYSTEM64 || record[7] != 5)
				continue;
			memcpy(&thread, record + sizeof(struct system_trace_header),
			       sizeof(thread));
			++*threads;
			*addresses += !!thread.stack_base + !!thread.stack_limit +
				(thread.process_id == 4 &&
				 thread.win32_start_addr);
		}
	}
}

/* In a child: a rundown by a process with, or without, CAP_SYSLOG */
static void addresses_as(int without, __u32 flags, int expected, const char *who)
{
	struct etw_statistics s;
	__u64 threads, addresses;
	size_t used, room = 0;
	struct request r;
	__u8 *data = NULL;
	__u32 id;
	int fd;

	if (without)
		drop(CAP_SYSLOG);
	request_begin(&r, &wish);
	id = start(&r, flags);
	session_statistics(control, id, &s);
	result(!!(s.flags & ETW_STATISTICS_ADDRESSES) == expected,
	       "%s: STATISTICS says so", who);
	on_session(control, ETW_IOC_STOP, id, 0);
	fd = open_node(id, 0);
	used = read_stream(fd, &data, &room);
	close(fd);
	count_addresses(data, used, &threads, &addresses);
	result(threads > 20 && (expected ? addresses > threads : !addresses),
	       "%s: thread records have the addresses that are due # %llu addresses, %llu records",
	       who, addresses, threads);
	exit(failures != 0);
}

static void test_addresses(int without, __u32 flags, int expected, const char *who)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		addresses_as(without, flags, expected, who);
	waitpid(pid, &status, 0);
	failures += !!status;
}

static void set_kptr_restrict(const char *value)
{
	int fd = open("/proc/sys/kernel/kptr_restrict", O_WRONLY);

	if (fd < 0 || write(fd, value, 1) != 1)
		die("kptr_restrict");
	close(fd);
}

/* 1 shows addresses to those with the right; 2 to none */
static void test_kptr_restrict(void)
{
	set_kptr_restrict("1");
	test_addresses(0, 0, 1, "kptr_restrict=1, root");
	test_addresses(1, 0, 0, "kptr_restrict=1, without CAP_SYSLOG");
	set_kptr_restrict("2");
	test_addresses(0, 0, 0, "kptr_restrict=2, root");
	set_kptr_restrict("0");
}

/* perf checks the running task; we check the opener of the control file. */
static void test_passed_counters(void)
{
	static const __u32 items[] = {
		10 | 3 << 16,
		2 | ETW_EXT_ENABLE_FLAGS << 16, EVENT_TRACE_FLAG_CSWITCH | EVENT_TRACE_FLAG_PROFILE,
		5 | ETW_EXT_VND_PMC_COUNTERS << 16, 0x1000, 1, 3, 0,
		2 | ETW_EXT_VND_PMC_HOOKS << 16, PERFINFO_LOG_TYPE_CONTEXTSWAP,
	};
	static const __u32 next[] = {
		6 | 2 << 16,
		2 | ETW_EXT_ENABLE_FLAGS << 16, EVENT_TRACE_FLAG_PROFILE,
		3 | ETW_EXT_VND_SAMPLE_INTERVAL << 16, 0, 20000,
	};
	struct wish counting = wish;
	int err;
	__u32 id = 0;

	counting.name = "counting";
	counting.items = items;
	counting.dwords = sizeof(items) / sizeof(items[0]);
	err = start_session(control, &counting, &id);
	result(!err, "a passed control file: START with a counter and the profile: %s",
	       error_name(err));
	counting.items = next;
	counting.dwords = sizeof(next) / sizeof(next[0]);
	err = update_session(control, id, &counting);
	result(!err, "a passed control file: UPDATE of the profile: %s", error_name(err));
	discard_session(control, id);
}

/* What an unprivileged process can do with root's control file: rights are those of open */
static void test_passed(void)
{
	struct etw_list list = { .size = sizeof(list) };
	struct request r;
	struct etw_statistics s;
	int status;
	pid_t pid;
	__u32 id;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		become(OTHER, OTHER);
		result(!ioctl(control, ETW_IOC_LIST, &list), "a passed control file: LIST");
		request_begin(&r, &wish);
		id = start(&r, 0);
		result(id != 0, "a passed control file: START");
		session_statistics(control, id, &s);
		result(!(s.flags & ETW_STATISTICS_ADDRESSES),
		       "but addresses are those that the starter may see: none");
		result(open_node(id, 0) < 0 && errno == EACCES, "and its stream stays root's");
		result(!discard_session(control, id), "a passed control file: STOP");
		test_passed_counters();
		exit(failures != 0);
	}
	waitpid(pid, &status, 0);
	failures += !!status;
}

/* A flight recorder of root's: rights to copy it, and to read the copy */
static void test_snapshot(__u32 flags, int expected, const char *what)
{
	struct wish flight = wish;
	struct request r;
	char byte[16];
	int fd, status, err;
	pid_t pid;
	__u32 id;

	flight.mode = EVENT_TRACE_BUFFERING_MODE;
	request_begin(&r, &flight);
	r.info.log_file_mode &= ~EVENT_TRACE_REAL_TIME_MODE;
	id = start(&r, flags);
	fd = snapshot(id);
	result(fd >= 0, "%s: root's snapshot", what);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		become(OTHER, OTHER);
		result(read(fd, byte, sizeof(byte)) == sizeof(byte),
		       "%s: a passed copy is read by a user", what);
		err = snapshot(id) < 0 ? errno : 0;
		result(err == expected,
		       "%s: a snapshot by a user with a passed control file # %s", what,
		       error_name(err));
		exit(failures != 0);
	}
	waitpid(pid, &status, 0);
	failures += !!status;
	close(fd);
	discard_session(control, id);
}

static int lock_down(const char *how)
{
	int fd = open(LOCKDOWN, O_WRONLY), good;

	if (fd < 0)
		return 0;
	good = write(fd, how, strlen(how)) == (ssize_t)strlen(how);
	close(fd);
	return good;
}

/* A session has @wish: what an UPDATE may still change */
static void test_locked_updates(__u32 id)
{
	static const __u32 pids[] = {
		5 | 2 << 16,
		2 | ETW_EXT_ENABLE_FLAGS << 16, EVENT_TRACE_FLAG_PROCESS,
		2 | ETW_EXT_PIDS << 16, 1,
	};
	struct wish next = wish;
	int err;

	next.flags |= EVENT_TRACE_FLAG_CSWITCH;
	err = update_session(control, id, &next);
	result(err == EPERM, "UPDATE to more events: EPERM # %s", error_name(err));
	next.flags = EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_CSWITCH;
	err = update_session(control, id, &next);
	result(err == EPERM, "UPDATE to others: EPERM # %s", error_name(err));
	next.flags = EVENT_TRACE_FLAG_PROCESS;
	next.buffers *= 2;
	err = update_session(control, id, &next);
	result(err == EPERM, "UPDATE to more buffers: EPERM # %s", error_name(err));
	next.buffers = wish.buffers;
	next.items = pids;
	next.dwords = sizeof(pids) / sizeof(pids[0]);
	err = update_session(control, id, &next);
	result(err == EPERM, "UPDATE of the filter: EPERM # %s", error_name(err));
	next.items = NULL;
	next.dwords = 0;
	err = update_session(control, id, &next);
	result(!err, "UPDATE to fewer events # %s", error_name(err));
	err = update_session(control, id, &wish);
	result(err == EPERM, "and not back: EPERM # %s", error_name(err));
}

static int enable(__u32 id, __u32 enabled)
{
	struct etw_enable e = {
		.size = sizeof(e), .logger_id = id, .enabled = enabled, .guid.data1 = 1,
	};

	return ioctl(control, ETW_IOC_ENABLE, &e) ? errno : 0;
}

/* What would show, or record, more than was asked for while that was allowed */
static void test_locked_others(__u32 id, __u32 over)
{
	int err = snapshot(over) < 0 ? errno : 0;

	result(err == EPERM, "SNAPSHOT: EPERM # %s", error_name(err));
	err = on_session(control, ETW_IOC_RUNDOWN, id, 0);
	result(err == EPERM, "RUNDOWN: EPERM # %s", error_name(err));
	err = enable(id, 1);
	result(err == EPERM, "ENABLE: EPERM # %s", error_name(err));
	err = enable(over, 0);
	result(!err, "ENABLE, not any more # %s", error_name(err));
	err = on_session(control, ETW_IOC_FLUSH, id, 0);
	result(!err, "FLUSH # %s", error_name(err));
}

/* Can't be undone: last */
static void test_lockdown(void)
{
	static const struct wish flight = {
		.name = "flight", .kb = 4, .buffers = 16, .mode = EVENT_TRACE_BUFFERING_MODE,
		.flags = EVENT_TRACE_FLAG_PROCESS,
	};
	struct etw_list list = { .size = sizeof(list) };
	struct etw_control c = { };
	__u32 id, over, other;
	struct request r;
	int fd, err;

	if (access(LOCKDOWN, F_OK)) {
		skip("lockdown # not in this kernel");
		return;
	}
	fd = lock_down("integrity") ? open(CONTROL, O_RDWR) : -2;
	result(fd >= 0, "lockdown of integrity: control opens");
	close(fd);
	if (start_session(control, &wish, &id) || start_session(control, &flight, &over) ||
	    enable(over, 1))
		die("START");
	fd = lock_down("confidentiality") ? open(CONTROL, O_RDWR) : -2;
	result(fd == -1 && errno == EPERM, "lockdown of confidentiality: EPERM # %s",
	       fd == -1 ? error_name(errno) : "opened");
	result(!ioctl(control, ETW_IOC_LIST, &list), "a file that was open before still works");
	test_locked_updates(id);
	test_locked_others(id, over);
	result(!discard_session(control, id) && !discard_session(control, over),
	       "for STOP it does");
	request_begin(&r, &wish);
	err = request_send(control, ETW_IOC_START, &r, &c);
	other = c.logger_id;
	result(err == EPERM, "nor for START: EPERM # %s", error_name(err));
	if (!err)
		discard_session(control, other);
}

int main(void)
{
	control = open(CONTROL, O_RDWR | O_CLOEXEC);
	if (control < 0)
		die(CONTROL);
	test_unprivileged();
	test_consumer(0400);
	test_consumer(0440);
	test_consumer(0444);
	test_consumer(0040);
	test_consumer(0);
	test_old_node();
	test_addresses(0, 0, 1, "root");
	test_addresses(1, 0, 0, "without CAP_SYSLOG");
	test_addresses(0, ETW_START_NO_ADDRESSES, 0, "ETW_START_NO_ADDRESSES");
	test_kptr_restrict();
	test_passed();
	test_snapshot(0, EPERM, "with addresses");
	test_snapshot(ETW_START_NO_ADDRESSES, 0, "without addresses");
	test_lockdown();
	return failures != 0;
}
