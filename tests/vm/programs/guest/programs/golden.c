// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Programs' events: every combination of MESSAGE flags, of 64-bit and 32-bit programs. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "programs.h"
#include "tests/vm/programs/compat32.h"

#define COMBINATIONS	64

static const __u8 item[16] = COMPAT_GUID;

static const char *or_good(const char *wrong)
{
	return wrong ? wrong : "as expected";
}

/* The whole stream of a stopped session, for the tool to look at */
void save(const struct session *session, const char *name)
{
	static __u8 header[1 << 16];
	char node[32];
	FILE *file = fopen(name, "w");
	ssize_t n;
	int fd;

	snprintf(node, sizeof(node), "/dev/etw/session%u", session->id);
	fd = open(node, O_RDONLY | O_CLOEXEC);
	while (file && (n = read(fd, header, sizeof(header))) > 0)
		fwrite(header, 1, n, file);
	if (!file || fclose(file) || fd < 0)
		die(name);
	close(fd);
}

/* @bits: of the caller; the sequence counts what asks for it */
static const char *check_all(const struct record *records, size_t n, int bits, __u32 thread,
			     __u64 before, __u64 after, __u32 sequence)
{
	const char *wrong = NULL;
	__u32 flags;

	if (n != COMBINATIONS)
		return "not 64 records";
	for (flags = 0; flags < COMBINATIONS && !wrong; flags++) {
		struct expected_message e = {
			.flags = flags, .bits = bits, .number = COMPAT_NUMBER + flags,
			.sequence = flags & 1 ? ++sequence : 0, .guid = item,
			.thread = thread, .process = thread, .data = COMPAT_DATA,
			.size = flags % sizeof(COMPAT_DATA), .before = before, .after = after,
		};

		wrong = wrong_message(&records[flags], &e);
		if (wrong)
			printf("# flags 0x%02x, %d bits\n", flags, bits);
	}
	return wrong;
}

static int write_all(__u32 id)
{
	struct etw_message_argument argument = { .data = (unsigned long)COMPAT_DATA };
	struct etw_trace_message m = {
		.size = sizeof(m), .session_handle = id, .message_guid = (unsigned long)item,
		.arguments = (unsigned long)&argument, .nr_arguments = 1,
	};
	int err = 0;

	for (m.message_flags = 0; m.message_flags < COMBINATIONS && !err; m.message_flags++) {
		m.message_number = COMPAT_NUMBER + m.message_flags;
		argument.length = m.message_flags % sizeof(COMPAT_DATA);
		err = trace_message(provider, &m);
	}
	return err;
}

/* Of a logger that counts, one that doesn't, and from the first to the last */
static void test_width_64(void)
{
	struct session counting = start(&(struct wish){
		.name = "counting", .mode = EVENT_TRACE_USE_LOCAL_SEQUENCE });
	__u64 before = moment().filetime;
	struct record records[COMBINATIONS + 1];
	const char *wrong;
	int err = write_all(counting.id);
	size_t n = take(&counting, records, COMBINATIONS + 1);

	wrong = check_all(records, n, 64, getpid(), before, moment().filetime, 0);
	row("M18", !err && !wrong, "64 combinations: %s", or_good(wrong));
	row("M23", !err && !wrong, "64 combinations: %s", or_good(wrong));
	end(&counting);
}

/* All combinations once more, for readers of files: of both widths, where there are both */
static void write_golden_file(void)
{
	struct session session = start(&(struct wish){
		.name = "golden", .mode = EVENT_TRACE_USE_LOCAL_SEQUENCE });
	int err = write_all(session.id);

	if (!access("/w/compat32", X_OK))
		result(run_compat32(session.id, "messages") && run_compat32(session.id, "events"),
		       "all combinations of a 32-bit program into a file");
	close(session.node);
	stop(session.id, 0);
	save(&session, "/tmp/golden.etl");
	result(!err, "all combinations into a file");
	free(session.data);
}

static const char *one_number(struct session *session, __u32 want)
{
	struct etw_trace_message m = {
		.size = sizeof(m), .session_handle = session->id, .message_flags = 1,
	};
	int err = trace_message(provider, &m);
	struct record record = err ? (struct record){ 0 } : take_one(session);

	if (err)
		return error_name(err);
	return record.size == 12 && get32(record.bytes + 8) == want ? NULL : "another number";
}

/* LOCAL: each its own; neither mode: 0 */
static void test_local(void)
{
	static const __u32 modes[] = {
		EVENT_TRACE_USE_LOCAL_SEQUENCE, EVENT_TRACE_USE_LOCAL_SEQUENCE, 0,
	};
	static const char *const names[] = { "l1", "l2", "none" };
	struct session sessions[COUNT(modes)];
	const char *wrong[COUNT(modes)] = { NULL };
	__u32 i;

	for (i = 0; i < COUNT(modes); i++)
		sessions[i] = start(&(struct wish){ .name = names[i], .mode = modes[i] });
	for (i = 1; i < 4; i++) {
		wrong[0] = wrong[0] ?: one_number(&sessions[0], i);
		wrong[1] = wrong[1] ?: one_number(&sessions[1], i);
		wrong[2] = wrong[2] ?: one_number(&sessions[2], 0);
	}
	result(!wrong[0] && !wrong[1], "sequence numbers, LOCAL: each its own, from 1: %s, %s",
	       or_good(wrong[0]), or_good(wrong[1]));
	result(!wrong[2], "sequence numbers, neither mode: 0 # %s", or_good(wrong[2]));
	for (i = 0; i < COUNT(modes); i++)
		end(&sessions[i]);
}

/* GLOBAL: one count for all that have it */
static void test_global(void)
{
	struct session a = start(&(struct wish){
		.name = "a", .mode = EVENT_TRACE_USE_GLOBAL_SEQUENCE });
	struct session b = start(&(struct wish){
		.name = "b", .mode = EVENT_TRACE_USE_GLOBAL_SEQUENCE });
	struct etw_trace_message m = {
		.size = sizeof(m), .session_handle = a.id, .message_flags = 1,
	};
	const char *wrong = NULL;
	struct record record;
	int err = trace_message(provider, &m), i;
	__u32 first;

	record = err ? (struct record){ 0 } : take_one(&a);
	first = record.bytes ? get32(record.bytes + 8) : 0;
	for (i = 1; i < 9 && !wrong; i++)
		wrong = one_number(i % 3 ? &b : &a, first + i);
	result(first && !wrong, "sequence numbers, GLOBAL: one count for both # %u on, %s", first,
	       or_good(wrong));
	end(&a);
	end(&b);
}

void test_golden(void)
{
	test_width_64();
	write_golden_file();
	test_local();
	test_global();
}

/* Runs the 32-bit program, with its thread as its process; returns that, or 0 */
__u32 run_compat32(__u32 id, const char *what)
{
	char number[16];
	int status;
	pid_t pid;

	snprintf(number, sizeof(number), "%u", id);
	pid = fork();
	if (!pid) {
		execl("/w/compat32", "compat32", number, what, NULL);
		_exit(255);
	}
	waitpid(pid, &status, 0);
	if (status)
		printf("# compat32 %s ended with 0x%x\n", what, status);
	return status ? 0 : pid;
}

static void test_events_32(struct session *session)
{
	struct moment before = moment();
	struct expected_event e[COMPAT_EVENTS];
	struct record records[COMPAT_EVENTS + 1];
	__u32 pid = run_compat32(session->id, "events");
	size_t n = take(session, records, COMPAT_EVENTS + 1), i;
	const char *wrong = n == COMPAT_EVENTS ? NULL : "another number of records";

	for (i = 0; i < COMPAT_EVENTS && !wrong; i++) {
		e[i] = (struct expected_event){
			.type = i == COMPAT_INSTANCE ? 0x0B : 0x0A,
			.class = { i, 0x20, 0x03, 0x00 }, .thread = pid, .process = pid,
			.guid = item, .data = COMPAT_DATA, .size = COMPAT_DATA_SIZE,
			.before = before, .after = moment(),
		};
		if (i == COMPAT_INSTANCE)
			e[i].instance = (const __u8 *)COMPAT_INSTANCE_PART;
		wrong = wrong_event(&records[i], &e[i]);
		if (wrong)
			printf("# event %zu\n", i);
	}
	row("H33", pid && !wrong, "plain, MOF_FIELD, GuidPtr, instance, write(): %s",
	    or_good(wrong));
	row("H35", pid && !wrong && get32(records[0].bytes) == (0xC00A0000 | (0x30 + COMPAT_DATA_SIZE)),
	    "0x%x", n ? get32(records[0].bytes) : 0);
}

void test_compat(void)
{
	struct session session;
	struct record records[COMBINATIONS + 1];
	__u64 before = moment().filetime;
	const char *wrong;
	__u32 pid;
	size_t n;

	if (access("/w/compat32", X_OK)) {
		skip("32-bit programs # none for this machine");
		return;
	}
	session = start(&(struct wish){ .name = "compat",
					.mode = EVENT_TRACE_USE_LOCAL_SEQUENCE });
	row("H15", run_compat32(session.id, "header") != 0, "its own sizeof() and offsetof()");
	row("M11", run_compat32(session.id, "message") != 0, "its own sizeof() and offsetof()");
	pid = run_compat32(session.id, "messages");
	n = take(&session, records, COMBINATIONS + 1);
	wrong = check_all(records, n, 32, pid, before, moment().filetime, 0);
	row("M30", pid && !wrong, "64 combinations: %s", or_good(wrong));
	test_events_32(&session);
	end(&session);
}
