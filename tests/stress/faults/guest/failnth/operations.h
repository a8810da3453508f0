/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What failnth makes fail: one operation each, what comes before and after. */
#ifndef ETW_TEST_FAILNTH_OPERATIONS_H
#define ETW_TEST_FAILNTH_OPERATIONS_H

#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include "state.h"
#include "tests/lib/guest/count_stream.h"

#define MODULE		"/w/etw.ko"
#define PROCESSES	0x813	/* processes, threads, context swaps, dispatcher */
#define NAMES		(EVENT_TRACE_FLAG_IMAGE_LOAD | EVENT_TRACE_FLAG_DISK_FILE_IO)
#define DISKS		(EVENT_TRACE_FLAG_DISK_IO | EVENT_TRACE_FLAG_DISK_IO_INIT)

/**
 * struct operation - a call with allocations that fail in turn
 * @name: what it is
 * @wish: session to start, for those that need one
 * @prepare: what must be there; 0 or a problem
 * @run: the call; errno, 0 for success
 * @finish: check and undo it; problems
 * @allowed: errno besides ENOMEM that the call may fail with
 * @never_fails: it must succeed whatever happens
 * @asks_rundown: rundowns of names that it asks for itself
 * @ends_at: "function+": want of memory there must end the call, at least once; NULL: none must
 * @threads: name of the kernel threads with failing allocations; NULL: own ones
 * @fails_probes: not allocations fail, but registrations of kprobes: etw_no_probes.ko
 * @alone: no bursts, and nothing after the making of the node began to succeed: others have both
 * @is_like_others: it reaches no place that others don't, or takes long
 */
struct operation {
	const char *name;
	struct wish wish;
	int (*prepare)(const struct operation *op);
	int (*run)(const struct operation *op);
	int (*finish)(const struct operation *op, int err);
	int allowed;
	int never_fails;
	__u32 asks_rundown;
	const char *ends_at;
	const char *threads;
	int fails_probes;
	int alone;
	int is_like_others;
};

#define ARRAY_HEAD(dwords, items)	((dwords) | (__u32)(items) << 16)
#define ARRAY_ITEM(dwords, type)	((dwords) | (__u32)ETW_EXT_##type << 16)

#define WISH(name_, kb_, buffers_, flags_, start_) \
	.wish = { .name = name_, .kb = kb_, .buffers = buffers_, .flags = flags_, .start = start_ }

static __u32 id;		/* the session at hand */
static int file = -1;		/* another file at hand */
static int pipes[2];
static int without_node;	/* sessions that devtmpfs gave no node */
static int not_whole;		/* sessions with a reported lack in their rundown */
static struct talk talk;	/* what the kernel said while the call ran */
static int unlogged;		/* calls that ended for want of memory and did not say where */

static int load_prepare(const struct operation *op)
{
	(void)op;
	file = open(MODULE, O_RDONLY | O_CLOEXEC);
	return file < 0;
}

static int load_run(const struct operation *op)
{
	(void)op;
	return syscall(SYS_finit_module, file, "", 0) ? errno : 0;
}

/* A name that the kernel could not allocate: see Documentation/reference/limits.rst */
static int load_finish(const struct operation *op, int err)
{
	struct stat st;

	(void)op;
	close(file);
	if (err)
		return 0;
	without_node += stat(CONTROL, &st) || stat("/dev/etw/provider", &st);
	if (syscall(SYS_delete_module, "etw", 0)) {
		printf("# the module cannot be unloaded: %s\n", strerror(errno));
		return 1;
	}
	unlink("/dev/etw_control");
	unlink("/dev/etw_provider");
	return 0;
}

static int open_control_run(const struct operation *op)
{
	(void)op;
	file = open(CONTROL, O_RDWR | O_CLOEXEC);
	return file < 0 ? errno : 0;
}

static int close_finish(const struct operation *op, int err)
{
	(void)op;
	if (!err)
		close(file);
	return 0;
}

static int start_prepare(const struct operation *op)
{
	(void)op;
	file = open(CONTROL, O_RDWR | O_CLOEXEC);
	return file < 0;
}

/* Return: @err */
static int check_logged(const struct etw_control *answer, int err)
{
	unlogged += err == ENOMEM && answer->error_reason != ETW_REASON_NO_MEMORY;
	return err;
}

static int start_run(const struct operation *op)
{
	struct etw_control answer;
	int err = ask_for_session(file, &op->wish, &answer);

	id = err ? 0 : answer.logger_id;
	return check_logged(&answer, err);
}

static int change_session(const struct wish *wish)
{
	struct etw_control answer;

	return check_logged(&answer, ask_for_update(control, id, wish, &answer));
}

/* A probe that was left behind makes the same START warn and fail. */
static int start_again(const struct operation *op)
{
	struct wish wish = op->wish;
	int err;

	wish.start |= ETW_START_NO_RUNDOWN;
	err = start_session(control, &wish, &id);
	if (!err)
		err = discard_session(control, id);
	if (err)
		printf("# the next START: %s\n", strerror(err));
	return !!err;
}

static int start_finish(const struct operation *op, int err)
{
	char node[32];
	struct stat st;
	int bad = 0;

	if (!err) {
		snprintf(node, sizeof(node), "/dev/etw/session%u", id);
		without_node += !!stat(node, &st);
		if (!(op->wish.start & ETW_START_TIED))
			bad = !!discard_session(control, id);
	}
	close(file);
	if (err && op->wish.flags && !op->alone)	/* the next failure asks for them */
		bad |= start_again(op);
	return bad;
}

static int session_prepare(const struct operation *op)
{
	struct wish wish = op->wish;

	wish.start &= ~ETW_START_TIED;
	return start_session(control, &wish, &id);
}

static int session_finish(const struct operation *op, int err)
{
	(void)op;
	(void)err;
	return discard_session(control, id);
}

static int query_run(const struct operation *op)
{
	static __u8 block[8192];
	struct etw_control c = {
		.size = sizeof(c), .logger_id = id, .information_size = sizeof(block),
		.information = (unsigned long)block,
	};

	(void)op;
	return ioctl(control, ETW_IOC_QUERY, &c) ? errno : 0;
}

static int flush_run(const struct operation *op)
{
	(void)op;
	return on_session(control, ETW_IOC_FLUSH, id, 0);
}

static int list_run(const struct operation *op)
{
	(void)op;
	return list_sessions(control) == ~0ULL ? errno : 0;
}

static int statistics_run(const struct operation *op)
{
	struct etw_statistics s;

	(void)op;
	return session_statistics(control, id, &s);
}

static int log_record_run(const struct operation *op)
{
	static __u8 payload[512];
	struct etw_log_record record = {
		.size = sizeof(record), .logger_id = id, .version = 2,
		.hook_id = WMI_LOG_TYPE_CONFIG_PHYSICALDISK,
		.payload_size = sizeof(payload), .payload = (unsigned long)payload,
	};

	(void)op;
	return ioctl(control, ETW_IOC_LOG_RECORD, &record) ? errno : 0;
}

static int stop_run(const struct operation *op)
{
	(void)op;
	return on_session(control, ETW_IOC_STOP, id, 0);
}

static int discard_run(const struct operation *op)
{
	(void)op;
	return discard_session(control, id);
}

/*
 * A rundown that lacks something must have said so. How many records a whole one
 * has depends on the operation: some ask for it at start and at stop, some once.
 */
static int check_rundowns(const struct operation *op, const struct counted *counted)
{
	static const struct operation *last;
	static __u32 most_config;
	__u32 due = op->wish.start & ETW_START_NO_RUNDOWN ? op->asks_rundown : 2;

	if (!op->wish.flags)
		return 0;
	if (op != last)
		most_config = 0;
	last = op;
	if (counted->config > most_config)
		most_config = counted->config;
	if (counted->marks >= due && counted->config >= most_config)
		return 0;
	not_whole++;
	if (!talk.etw)
		printf("# %u of %u marks, %u of %u configuration records, and no word of it\n",
		       counted->marks, due, counted->config, most_config);
	return !talk.etw;
}

static int check_stream(const struct operation *op)
{
	struct etw_statistics s;
	struct counted counted;

	if (session_statistics(control, id, &s) || all_lost(&s))
		return 1;
	if (read_to_end(control, id, op->wish.kb << 10, &counted))
		return 1;
	return check_rundowns(op, &counted);
}

/* After STOP: all that was written can be read, what is missing was reported */
static int stop_finish(const struct operation *op, int err)
{
	int bad = err || check_stream(op);

	if (bad)
		discard_session(control, id);
	return bad;
}

static int gone_finish(const struct operation *op, int err)
{
	(void)op;
	return err || (list_sessions(control) & 1ULL << (id - 1));
}

/* The rundown runs in a worker; STOP waits for it, and is not hurt itself. */
static int worker_run(const struct operation *op)
{
	int err = start_session(control, &op->wish, &id);

	return err ? err : on_session(control, ETW_IOC_STOP, id, 0);
}

/* What becomes of the session: other events, of some processes and their children */
static int update_prepare(const struct operation *op)
{
	int err = session_prepare(op);

	watched = err ? 0 : id;
	return err;
}

static int update_run(const struct operation *op)
{
	static const __u32 items[] = {
		ARRAY_HEAD(11, 4), ARRAY_ITEM(2, ENABLE_FLAGS), PROCESSES, ARRAY_ITEM(2, PIDS), 1,
		ARRAY_ITEM(2, VND_FILTER_OPTIONS), ETW_FILTER_CHILDREN,
		ARRAY_ITEM(4, VND_HOOK_FILTER), PERFINFO_LOG_TYPE_CONTEXTSWAP,
		WMI_LOG_TYPE_PROCESS_CREATE, WMI_LOG_TYPE_THREAD_CREATE,
	};
	struct wish wish = op->wish;

	wish.flush_timer = 30;
	wish.minimum = 0;
	wish.buffers = wish.mode & EVENT_TRACE_BUFFERING_MODE ? 0 : 32;
	wish.items = items;
	wish.dwords = sizeof(items) / 4;
	return change_session(&wish);
}

static int update_finish(const struct operation *op, int err)
{
	watched = 0;
	return session_finish(op, err);
}

/* And back: filters and events go */
static int update_back_prepare(const struct operation *op)
{
	return update_prepare(op) || update_run(op);
}

static int update_back_run(const struct operation *op)
{
	return change_session(&op->wish);
}

static int snapshot_run(const struct operation *op)
{
	(void)op;
	file = snapshot_session(control, id);
	return file < 0 ? -file : 0;
}

/* Some allocations are those of its rundown, which may lack something and say so. */
static int snapshot_finish(const struct operation *op, int err)
{
	struct counted counted = { 0 };
	int bad = 0, lacks;

	watched = 0;
	if (!err) {
		bad = read_snapshot(file, op->wish.kb << 10, &counted);
		lacks = !(op->wish.start & ETW_START_NO_RUNDOWN) && !counted.marks;
		not_whole += lacks;
		bad |= lacks && !talk.etw;
		close(file);
	}
	return bad | session_finish(op, 0);
}

static int rundown_run(const struct operation *op)
{
	int err = on_session(control, ETW_IOC_RUNDOWN, id, 0);

	return err ? err : stop_run(op);
}

/* Buffers come as they are needed, in a worker; without memory events are lost. */
static int grow_run(const struct operation *op)
{
	struct timespec pause = { 0, 100000 };
	int i;

	(void)op;
	for (i = 0; i < 300; i++)
		nanosleep(&pause, NULL);
	return 0;
}

static int node_run(const struct operation *op)
{
	(void)op;
	file = open_node(id, 0);
	return file < 0 ? errno : 0;
}

static int node_finish(const struct operation *op, int err)
{
	return close_finish(op, err) | session_finish(op, err);
}

static int reader_prepare(const struct operation *op)
{
	if (session_prepare(op) || pipe(pipes))
		return 1;
	file = open_node(id, O_NONBLOCK);
	return file < 0;
}

static int read_run(const struct operation *op)
{
	static __u8 buffer[LARGEST_BUFFER];
	struct pollfd p = { .fd = file, .events = POLLIN };

	(void)op;
	if (poll(&p, 1, 0) < 0)
		return errno;
	return read(file, buffer, sizeof(buffer)) < 0 ? errno : 0;
}

static int splice_run(const struct operation *op)
{
	(void)op;
	return splice(file, NULL, pipes[1], NULL, 1 << 16, SPLICE_F_NONBLOCK) < 0 ? errno : 0;
}

/* What did not come through the pipe still comes by read(). */
static int splice_finish(const struct operation *op, int err)
{
	static __u8 buffer[LARGEST_BUFFER];
	size_t total = 0;
	ssize_t n;

	fcntl(pipes[0], F_SETFL, O_NONBLOCK);
	while ((n = read(pipes[0], buffer, sizeof(buffer))) > 0)
		total += n;
	while (total < op->wish.kb << 10 &&
	       (n = read(file, buffer, (op->wish.kb << 10) - total)) > 0)
		total += n;
	close(pipes[0]);
	close(pipes[1]);
	if (total != op->wish.kb << 10)
		printf("# %zu bytes of the header buffer\n", total);
	return (total != op->wish.kb << 10) | node_finish(op, 0 * err);
}

static int read_finish(const struct operation *op, int err)
{
	close(pipes[0]);
	close(pipes[1]);
	return node_finish(op, 0 * err);
}

/* A session tied to a file that closes: nothing of it may stay. */
static int tied_prepare(const struct operation *op)
{
	return start_prepare(op) || start_run(op);
}

static int tied_run(const struct operation *op)
{
	(void)op;
	return close(file) ? errno : 0;
}

#endif /* ETW_TEST_FAILNTH_OPERATIONS_H */
