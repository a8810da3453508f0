// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Every error of /dev/etw/control, case by case; nothing may stay after one. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/lib/guest/open_as.h"
#include "counters.h"
#include "extension.h"
#include "outputs.h"
#include "profile.h"
#include "snapshot.h"
#include "update.h"

static void test_start(void)
{
	const struct start_case *s;
	struct request r;
	__u64 before;
	size_t i;
	int err, unchanged;

	for (i = 0; i < sizeof(start_cases) / sizeof(start_cases[0]); i++) {
		s = &start_cases[i];
		prepare(&r, "case");
		apply(&r, s->patch, 3);
		before = loggers();
		err = try(ETW_IOC_START, &r.c);
		if (!s->err) {
			result(!err && loggers() == (before | 1ULL << (r.c.logger_id - 1)),
			       "START, %s: accepted # %s, field 0x%x, reason %u", s->name,
			       error_name(err), r.c.error_offset, r.c.error_reason);
			if (!err)
				discard(r.c.logger_id);
			continue;
		}
		unchanged = loggers() == before;
		if (!err)
			discard(r.c.logger_id);
		result(err == s->err && r.c.error_offset == s->offset &&
		       r.c.error_reason == s->reason && unchanged,
		       "START, %s: %s, field 0x%x, reason %u # %s, 0x%x, %u%s", s->name,
		       error_name(s->err), s->offset, s->reason, error_name(err),
		       r.c.error_offset, r.c.error_reason, unchanged ? "" : ", LIST changed");
	}
}

/* Processors and kernels that have no cycle counter for clock 3 */
static void test_no_cycles(void)
{
	char text[4096] = "";
	FILE *file = fopen("/proc/cpuinfo", "r");
	struct request r;
	int err;

	if (file) {
		text[fread(text, 1, sizeof(text) - 1, file)] = 0;
		fclose(file);
	}
	if (!strstr(text, "User Mode Linux"))
		return;
	prepare(&r, "cycles");
	r.info.wnode.client_context = ETW_CLOCK_CYCLE;
	err = try(ETW_IOC_START, &r.c);
	result(err == EOPNOTSUPP && r.c.error_offset == AT(wnode.client_context) &&
	       r.c.error_reason == ETW_REASON_UNSUPPORTED && !loggers(),
	       "START, cycle counter in User Mode Linux: EOPNOTSUPP # field 0x%x, reason %u, %s",
	       r.c.error_offset, r.c.error_reason, error_name(err));
}

static void test_ioctls(void)
{
	static const unsigned long all[] = {
		ETW_IOC_START, ETW_IOC_STOP, ETW_IOC_QUERY, ETW_IOC_UPDATE, ETW_IOC_FLUSH,
		ETW_IOC_SNAPSHOT, ETW_IOC_RUNDOWN, ETW_IOC_LIST, ETW_IOC_STATISTICS,
		ETW_IOC_LOG_RECORD, ETW_IOC_COUNTING,
		ETW_IOC_ENABLE, ETW_IOC_PROVIDERS, ETW_IOC_UNWIND_TABLE,
	};
	static __u8 buffer[8192];
	const struct ioctl_case *k;
	union argument a;
	struct patch patch;
	__u32 running, stopped;
	__u64 before;
	size_t i, j;
	int err;

	if (start("running", EVENT_TRACE_FLAG_CSWITCH, &running) ||
	    start("stopped", 0, &stopped) || control_of(ETW_IOC_STOP, stopped, 0)) {
		result(0, "sessions for the cases");
		return;
	}
	before = loggers();
	for (i = 0; i < sizeof(ioctl_cases) / sizeof(ioctl_cases[0]); i++) {
		k = &ioctl_cases[i];
		memset(&a, 0, sizeof(a));
		for (j = 0; j < 7 && k->patch[j].size; j++) {
			patch = k->patch[j];
			if (patch.value == RUNNING)
				patch.value = running;
			else if (patch.value == STOPPED)
				patch.value = stopped;
			else if (patch.value == BUFFER)
				patch.value = (unsigned long)buffer;
			apply(&a, &patch, 1);
		}
		err = try(k->cmd, &a);
		result(err == k->err && loggers() == before, "%s: %s # %s%s", k->name,
		       error_name(k->err), error_name(err),
		       loggers() == before ? "" : ", LIST changed");
	}
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		err = try(all[i], NULL);
		result(err == EFAULT, "ioctl 0x%lx at 0: EFAULT # %s", all[i], error_name(err));
		err = try(all[i], (void *)EFAULT_ADDRESS);
		result(err == EFAULT, "ioctl 0x%lx not mapped: EFAULT # %s", all[i],
		       error_name(err));
	}
	result(loggers() == before, "LIST is unchanged after all of it");
	result(!discard(running) && !discard(stopped) && !loggers(), "both are discarded");
	result(discard(running) == ENOENT, "STOP of what is gone: ENOENT");
}

/* 64 by one session, which stops; nothing stays of it. */
static void test_enable(void)
{
	struct etw_enable e = { .size = sizeof(e), .enabled = 1 };
	struct etw_providers p = {
		.size = sizeof(p), .entry_size = sizeof(struct etw_provider_info),
	};
	int err = start("enabler", 0, &e.logger_id);

	while (!err && e.guid.data1 < 100) {
		e.guid.data1++;
		err = try(ETW_IOC_ENABLE, &e);
	}
	result(err == ENOSPC && e.guid.data1 == ETW_MAX_ENABLED + 1,
	       "ENABLE, the 65th: ENOSPC # %s",
	       error_name(err));
	e.guid.data1 = 1;
	result(!try(ETW_IOC_ENABLE, &e), "ENABLE, one of the 64 again");
	err = try(ETW_IOC_PROVIDERS, &p);
	result(!err && p.count == ETW_MAX_ENABLED, "PROVIDERS: 64 # %u", p.count);
	discard(e.logger_id);
	p.count = 0;
	err = try(ETW_IOC_PROVIDERS, &p);
	result(!err && !p.count, "PROVIDERS, after the session stopped: none # %u", p.count);
}

/* No caller learned the id of a session if START could not answer. */
static void test_answer(void)
{
	size_t size = (sizeof(struct request) + 4095) & ~4095UL;
	struct request *r = mmap(NULL, size, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct request copy;
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int err;

	prepare(r, "read only");
	mprotect(r, size, PROT_READ);
	err = try(ETW_IOC_START, &r->c);
	result(err == EFAULT && !loggers(), "START, all read-only: EFAULT and no session # %s",
	       error_name(err));

	prepare(&copy, "read only block");
	copy.c.information = (unsigned long)&r->info;
	err = try(ETW_IOC_START, &copy.c);
	result(err == EFAULT && !loggers(), "START, block read-only: EFAULT and no session # %s",
	       error_name(err));

	munmap(page + 4096, 4096);
	memcpy(page + 4096 - 20, &copy.c, 20);
	err = try(ETW_IOC_START, page + 4096 - 20);
	result(err == EFAULT && !loggers(), "START, half of it mapped: EFAULT # %s",
	       error_name(err));
	munmap(page, 4096);
	munmap(r, size);
}

static void test_names(void)
{
	struct request r;
	__u32 id;
	int err;

	err = start("twin", 0, &id);
	result(!err, "a session named twin # %s", error_name(err));
	prepare(&r, "twin");
	err = try(ETW_IOC_START, &r.c);
	result(err == EEXIST && r.c.error_offset == AT(logger_name) &&
	       r.c.error_reason == ETW_REASON_IN_USE && loggers() == 1ULL << (id - 1),
	       "another twin: EEXIST # field 0x%x, reason %u, %s", r.c.error_offset,
	       r.c.error_reason, error_name(err));
	prepare(&r, "tWiN");
	err = try(ETW_IOC_START, &r.c);
	result(err == EEXIST && r.c.error_reason == ETW_REASON_IN_USE,
	       "tWiN beside twin: EEXIST # reason %u, %s", r.c.error_reason, error_name(err));
	control_of(ETW_IOC_STOP, id, 0);
	err = try(ETW_IOC_START, (r.c.error_offset = r.c.error_reason = 0, &r.c));
	result(err == EEXIST, "twin, stopped but not read: EEXIST # %s", error_name(err));
	discard(id);
	err = start("twin", 0, &id);
	result(!err, "twin again after it was discarded # %s", error_name(err));
	discard(id);
}

static void test_numbers(__u32 flags, int most, const char *what)
{
	char name[32];
	__u32 id;
	__u64 full;
	int i, err;

	for (i = 0; i < most; i++) {
		snprintf(name, sizeof(name), "%s %d", what, i);
		err = start(name, flags, &id);
		if (err) {
			result(0,
			       "%s session starts # %d of %d: %s",
			       what, i + 1, most, error_name(err));
			break;
		}
	}
	full = loggers();
	err = start("one more", flags, &id);
	result(err == ENOSPC && loggers() == full, "%s session %d: ENOSPC # %s", what, most + 1,
	       error_name(err));
	if (flags) {
		err = start("no kernel session", 0, &id);
		result(!err, "a session without kernel events beside %d with # %s", most,
		       error_name(err));
	}
	for (i = 1; i <= ETW_MAX_LOGGERS; i++)
		discard(i);
	result(!loggers(), "all are discarded");
}

static void test_node(void)
{
	char node[32], byte;
	int fd, second;
	__u32 id;

	start("node", EVENT_TRACE_FLAG_CSWITCH, &id);
	snprintf(node, sizeof(node), "/dev/etw/session%u", id);
	fd = open(node, O_RDONLY);
	result(fd >= 0, "the node opens");
	second = open(node, O_RDONLY);
	result(second < 0 && errno == EBUSY, "a second consumer: EBUSY # %s",
	       second < 0 ? error_name(errno) : "opened");
	errno = 0;
	result(pread(fd, &byte, 1, 0) < 0 && errno == ESPIPE, "pread(): ESPIPE # %s",
	       error_name(errno));
	errno = 0;
	result(lseek(fd, 0, SEEK_SET) < 0 && errno == ESPIPE, "lseek(): ESPIPE # %s",
	       error_name(errno));
	errno = 0;
	result(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED && errno == ENODEV,
	       "mmap(): ENODEV # %s", error_name(errno));
	errno = 0;
	result(read(fd, (void *)EFAULT_ADDRESS, 4096) < 0 && errno == EFAULT,
	       "read() to nowhere: EFAULT # %s", error_name(errno));
	result(read(fd, &byte, 0) == 0, "read() of nothing: 0");
	result(try_on(fd, ETW_IOC_LIST, &byte) == ENOTTY, "an ioctl on the node: ENOTTY");
	close(fd);
	fd = open(node, O_RDONLY);
	result(fd >= 0, "a consumer after the first has left");
	close(fd);
	discard(id);
	fd = open(node, O_RDONLY);
	result(fd < 0 && (errno == ENOENT || errno == ENXIO), "the node of a discarded one: %s",
	       error_name(errno));
}

static void user(void)
{
	if (setgid(1000) || setuid(1000))
		_exit(255);
}

static void user_in_namespace(void)
{
	user();
	if (unshare(CLONE_NEWUSER))
		_exit(254);
}

static void root_in_namespace(void)
{
	if (unshare(CLONE_NEWUSER))
		_exit(254);
}

static void user_with(int capability)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { 0 };

	prctl(PR_SET_KEEPCAPS, 1);
	user();
	data[capability / 32].permitted = 1U << capability % 32;
	data[capability / 32].effective = 1U << capability % 32;
	if (syscall(SYS_capset, &header, data))
		_exit(253);
}

static void user_with_perfmon(void)
{
	user_with(CAP_PERFMON);
}

static void user_with_syslog(void)
{
	user_with(CAP_SYSLOG);
}

static void test_access(void)
{
	static const struct {
		const char *who;
		void (*become)(void);
		int err;
	} cases[] = {
		{ "uid 1000", user, EACCES },
		{ "uid 1000, root of a user namespace", user_in_namespace, EACCES },
		{ "uid 0, in a user namespace", root_in_namespace, EACCES },
		{ "uid 1000 with CAP_SYSLOG", user_with_syslog, EACCES },
		{ "uid 1000 with CAP_PERFMON", user_with_perfmon, 0 },
	};
	struct stat st = { 0 };
	char node[32];
	__u32 id;
	size_t i;
	int err;

	result(!stat(CONTROL, &st) && S_ISCHR(st.st_mode) && (st.st_mode & 0777) == 0600 &&
	       !st.st_uid, "the control node is root's, mode 0600 # %o", st.st_mode & 0777);
	/* let the module itself decide */
	chmod(CONTROL, 0666);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (strstr(cases[i].who, "namespace") && access("/proc/self/ns/user", F_OK)) {
			skip("%s # this kernel has none", cases[i].who);
			continue;
		}
		err = open_as(CONTROL, cases[i].become);
		result(err == cases[i].err, "%s opens " CONTROL " (mode 0666): %s # %s",
		       cases[i].who, error_name(cases[i].err), error_name(err));
	}
	chmod(CONTROL, 0600);

	start("node", 0, &id);
	snprintf(node, sizeof(node), "/dev/etw/session%u", id);
	result(!stat(node, &st) && (st.st_mode & 0777) == 0400 && !st.st_uid,
	       "a session's node is root's, mode 0400 # %o", st.st_mode & 0777);
	err = open_as(node, user);
	result(err == EACCES, "uid 1000 opens a session's node: EACCES # %s", error_name(err));
	chown(node, 1000, 1000);
	err = open_as(node, user);
	result(!err, "uid 1000 opens a session's node that was given to it # %s",
	       error_name(err));
	discard(id);
}

/* Properties come back as given, or as used. */
static void test_query(void)
{
	struct request r;
	struct {
		struct wmi_logger_information info;
		__u16 text[800];
	} answer;
	struct etw_control c = {
		.size = sizeof(c), .information_size = sizeof(answer),
		.information = (unsigned long)&answer,
	};
	int err;

	prepare(&r, "query");
	r.info.log_file_mode = MODE_KERNEL;
	r.info.enable_flags = EVENT_TRACE_FLAG_CSWITCH;
	r.info.flush_timer = 7;
	r.info.maximum_file_size = 99;
	r.info.minimum_buffers = 5;
	try(ETW_IOC_START, &r.c);
	c.logger_id = r.c.logger_id;
	err = try(ETW_IOC_QUERY, &c);
	result(!err && answer.info.buffer_size == 4 && answer.info.flush_timer == 7 &&
	       answer.info.maximum_file_size == 99 &&
	       answer.info.enable_flags == EVENT_TRACE_FLAG_CSWITCH &&
	       answer.info.log_file_mode == MODE_KERNEL &&
	       answer.info.wnode.historical_context == c.logger_id &&
	       answer.info.minimum_buffers >= 5 && answer.info.minimum_buffers <= 8 &&
	       answer.info.maximum_buffers >= 8 &&
	       answer.info.number_of_buffers >= answer.info.minimum_buffers &&
	       answer.info.free_buffers <= answer.info.number_of_buffers &&
	       answer.info.events_lost == 0 && answer.info.real_time_consumer_count == 0 &&
	       answer.info.logger_thread_id == 0,
	       "QUERY gives the properties");
	result(answer.info.logger_name.length == 10 &&
	       answer.info.logger_name.buffer + 10 <= answer.info.wnode.buffer_size &&
	       !memcmp((char *)&answer + answer.info.logger_name.buffer, r.text, 10) &&
	       answer.info.log_file_name.length == 10 &&
	       !memcmp((char *)&answer + answer.info.log_file_name.buffer, r.text + 280, 10),
	       "QUERY gives both names");
	result(!memcmp(&answer.info.buffer_size, &r.info.buffer_size, 7 * 4),
	       "START answers with the same");
	discard(c.logger_id);
}

/* Earlier versions ended before the flags, @uncounted, @reach or the stacks: no more is written. */
static void test_short_statistics(void)
{
	static const __u32 sizes[] = { 152, 168, 176, 184, sizeof(struct etw_statistics) };
	struct etw_statistics s;
	__u32 id, i;
	int err;

	start("short", 0, &id);
	for (i = 0; i < 5; i++) {
		memset(&s, 0xAB, sizeof(s));
		s.size = sizes[i];
		s.logger_id = id;
		s.processor = ETW_ALL_PROCESSORS;
		err = try(ETW_IOC_STATISTICS, &s);
		result(!err && s.size == sizes[i] && s.buffer_size == 4096 &&
		       (s.flags == 0xABABABAB) == (sizes[i] < 168) &&
		       (s.buffers == 0xABABABAB) == (sizes[i] < 168) &&
		       s.uncounted == (sizes[i] < 176 ? 0xABABABABABABABAB : 0) &&
		       s.reach == (sizes[i] < 184 ? 0xABABABABABABABAB : 0) &&
		       s.stacks_different == (sizes[i] < 216 ? 0xABABABABABABABAB : 0),
		       "STATISTICS of %u bytes are answered, and no more is written # %s",
		       sizes[i], error_name(err));
	}
	result(s.buffers >= 8 && s.buffers_free <= s.buffers &&
	       !(s.flags & ~(ETW_STATISTICS_ADDRESSES | ETW_STATISTICS_RUNDOWN)) &&
	       s.buffers_most >= s.buffers,
	       "STATISTICS have flags and buffers # 0x%x, %u, %u", s.flags, s.buffers,
	       s.buffers_free);
	discard(id);
}

int main(void)
{
	control = open(CONTROL, O_RDWR | O_CLOEXEC);
	if (control < 0) {
		result(0, "open " CONTROL ": %s", error_name(errno));
		return 1;
	}
	result(!loggers(), "LIST is empty at first");
	test_start();
	test_no_cycles();
	test_ioctls();
	test_enable();
	test_answer();
	test_names();
	test_numbers(0, ETW_MAX_LOGGERS, "plain");
	test_numbers(EVENT_TRACE_FLAG_CSWITCH, ETW_MAX_KERNEL_LOGGERS, "kernel");
	test_node();
	test_access();
	test_query();
	test_short_statistics();
	test_extensions();
	test_rundown_alone();
	test_counters();
	test_profiles();
	test_updates();
	test_snapshots();
	test_outputs();
	result(!loggers(), "LIST is empty at last");
	return !!failures;
}
