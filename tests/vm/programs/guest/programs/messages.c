// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Programs' events: what MESSAGE_TRACE_HEADER is said to be, by the device. */
#define _GNU_SOURCE
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "etw_trace_headers.h"
#include "programs.h"

#define NUMBER	0xBEEF

int trace_message(int fd, const struct etw_trace_message *message)
{
	return try(fd, ETW_PROVIDER_TRACE_MESSAGE, message);
}

static struct etw_trace_message make(const struct session *session, __u32 flags,
				     const struct etw_message_argument *arguments, __u32 n)
{
	return (struct etw_trace_message){
		.size = sizeof(struct etw_trace_message), .message_flags = flags,
		.session_handle = session->id, .message_guid = (unsigned long)class_guid,
		.arguments = (unsigned long)arguments, .nr_arguments = n,
		.message_number = NUMBER,
	};
}

static struct etw_message_argument piece(const void *data, __u64 length)
{
	return (struct etw_message_argument){ (unsigned long)data, length };
}

/* The record of a message with these flags and this argument */
static const char *write_and_compare(struct session *session, __u32 flags, __u32 sequence,
				     const void *data, __u32 size, struct record *record)
{
	struct etw_message_argument argument = piece(data, size);
	struct etw_trace_message m = make(session, flags, &argument, 1);
	struct expected_message e = {
		.flags = flags, .bits = 64, .number = NUMBER, .sequence = sequence,
		.guid = class_guid, .thread = syscall(SYS_gettid), .process = getpid(),
		.data = data, .size = size, .before = moment().filetime,
	};
	int err = trace_message(provider, &m);

	*record = (struct record){ 0 };
	if (err)
		return error_name(err);
	e.after = moment().filetime;
	*record = take_one(session);
	return wrong_message(record, &e);
}

static const char *or_good(const char *wrong)
{
	return wrong ? wrong : "as expected";
}

static void test_sizes(struct session *session)
{
	static const __u32 sizes[] = { 0, 1, 3, 8, 255, 256, 257, 1000, 4096, 40000,
				       0xFFB8 - 44 };
	static __u8 data[0x10000];
	const char *wrong = NULL;
	struct record record;
	size_t i;

	for (i = 0; i < sizeof(data); i++)
		data[i] = i * 5 ^ i >> 8;
	for (i = 0; i < COUNT(sizes) && !wrong; i++)
		wrong = write_and_compare(session, 0x3B, 0, data, sizes[i], &record);
	row("M01", !wrong, "%zu sizes of data: %s", COUNT(sizes), or_good(wrong));
	row("M20", !wrong, "Size is their sum: %s", or_good(wrong));
	row("M02", !wrong, "the stream's bytes: %s", or_good(wrong));
}

static void test_header(struct session *session)
{
	struct record record;
	const char *wrong = write_and_compare(session, 0, 0, "data", 4, &record);
	__u8 zeros[16] = { 0 };
	const __u8 *r = wrong ? zeros : record.bytes;
	__u32 marker = get32(r);

	row("M10", sizeof(struct message_trace_header) == 8 && !memcmp(r + 8, "data", 4),
	    "data stand at 8: %s", or_good(wrong));
	row("M12", get16(r) == 12 && !r[2] && r[3] == 0x90, "0x%08x", marker);
	row("M13", get16(r + 4) == NUMBER && get16(r + 6) == 0x80, "0x%x, 0x%x", get16(r + 4),
	    get16(r + 6));
	row("M17", get16(r + 4) == NUMBER, "0x%x", get16(r + 4));
	row("M31", get16(r + 6) == 0x80, "0x%x", get16(r + 6));
	row("M14", marker >> 31, "0x%08x", marker);
	row("M15", !wrong && !(marker & 0x40000000), "0x%08x; of others: see H32", marker);
	row("M16", !wrong && marker & 0x10000000, "0x%08x; of others: see H17", marker);
}

/* One item each */
static void test_items(struct session *session, struct session *counting)
{
	static const struct {
		const char *id;
		__u32 flags;
		__u32 size;
	} items[] = {
		{ "M25", 0x02, 8 + 16 }, { "M26", 0x04, 8 + 4 }, { "M27", 0x08, 8 + 8 },
		{ "M29", 0x20, 8 + 8 }, { "M32", 0x06, 8 + 4 },
	};
	struct record first, second;
	const char *wrong, *again;
	size_t i;

	for (i = 0; i < COUNT(items); i++) {
		wrong = write_and_compare(session, items[i].flags, 0, "", 0, &first);
		row(items[i].id, !wrong && first.size == items[i].size, "0x%02x: %s",
		    items[i].flags, or_good(wrong));
	}
	wrong = write_and_compare(counting, 0x01, 1, "", 0, &first);
	again = write_and_compare(counting, 0x01, 2, "", 0, &second);
	row("M24", !wrong && !again, "1, then 2: %s, %s", or_good(wrong), or_good(again));
	wrong = write_and_compare(session, 0x10, 0, "", 0, &first);
	again = first.size == 16 && !get64(first.bytes + 8) ? "zeros" : "no zeros";
	row("M33", !wrong && first.size == 16 && !get64(first.bytes + 8), "0x10 alone: %s, %s",
	    or_good(wrong), again);
}

/* With all items the order is seen, and that nothing is aligned but the header */
static void test_order(struct session *session)
{
	struct record records[3];
	const char *wrong, *other;

	wrong = write_and_compare(session, 0x2D, 0, "blob", 4, &records[0]);
	other = write_and_compare(session, 0x2B, 0, "blob", 4, &records[1]);
	row("M19", !wrong && !other, "0x2D and 0x2B: %s, %s", or_good(wrong), or_good(other));
	row("M22", !other && (records[1].at + stamp_at(0x2B)) % 8 == 4,
	    "with GUID and number at 0x%x of the buffer", records[1].at + stamp_at(0x2B));
}

/* Several of odd sizes in one buffer */
static void test_alignment(struct session *session)
{
	struct etw_message_argument argument;
	struct record records[20];
	struct etw_trace_message m;
	int i, bad = 0;
	size_t n;

	for (i = 0; i < 20; i++) {
		argument = piece("twelve bytes", i % 13);
		m = make(session, 0x01, &argument, 1);
		bad += !!trace_message(provider, &m);
	}
	n = take(session, records, 20);
	for (i = 0; n == 20 && i < 20; i++)
		bad += records[i].at % 8;
	row("M21", n == 20 && !bad, "20 records of 12 to 24 bytes");
}

/* Arguments as they come: pieces with and without bytes, in their order, nothing between */
static void test_blob(struct session *session)
{
	struct etw_message_argument arguments[ETW_MAX_MESSAGE_ARGUMENTS];
	static char blob[ETW_MAX_MESSAGE_ARGUMENTS * 3];
	struct expected_message e = {
		.bits = 64, .number = NUMBER, .data = "onethree", .size = 8,
	};
	struct etw_trace_message m;
	struct record record;
	const char *wrong;
	__u32 i, size;
	int err;

	arguments[0] = piece("one", 3);
	arguments[1] = piece(NULL, 0);
	arguments[2] = piece("three", 5);
	m = make(session, 0, arguments, 3);
	err = trace_message(provider, &m);
	record = err ? (struct record){ 0 } : take_one(session);
	wrong = wrong_message(&record, &e);
	row("M38", !wrong, "three arguments, 8 bytes: %s, %s", error_name(err), or_good(wrong));
	for (i = 0, size = 0; i < ETW_MAX_MESSAGE_ARGUMENTS; size += i++ % 4) {
		memset(blob + size, i, i % 4);
		arguments[i] = piece(blob + size, i % 4);
	}
	m = make(session, 0, arguments, ETW_MAX_MESSAGE_ARGUMENTS);
	err = trace_message(provider, &m);
	e.data = blob;
	e.size = size;
	record = err ? (struct record){ 0 } : take_one(session);
	wrong = wrong_message(&record, &e);
	row("M39", !wrong, "%u arguments: %s, %s", ETW_MAX_MESSAGE_ARGUMENTS, error_name(err),
	    or_good(wrong));
	m.nr_arguments++;
	err = trace_message(provider, &m);
	result(err == EINVAL, "TRACE_MESSAGE, 129 arguments: EINVAL # %s", error_name(err));
}

/* A logger with another clock: its stamps, whatever 0x10 says */
static void test_clocks(void)
{
	struct session qpc = start(&(struct wish){ .name = "qpc", .clock = ETW_CLOCK_QPC });
	static const __u32 flags[] = { 0x08, 0x18, 0x08, 0x18 };
	struct etw_trace_message m;
	struct record records[8];
	__u64 stamps[6] = { 0 };
	int err = 0;
	size_t i, n;

	/* events of the same logger around each */
	for (i = 0; i < COUNT(flags); i++) {
		m = make(&qpc, flags[i], NULL, 0);
		err |= trace_message(provider, &m);
	}
	n = take(&qpc, records, 8);
	for (i = 0; n == COUNT(flags) && i < n; i++)
		stamps[i] = get64(records[i].bytes + 8);
	/* ticks since boot: no FILETIME is so small, no system time so close */
	row("M34", !err && n == COUNT(flags) && stamps[0] && stamps[0] < 1ULL << 56 &&
	    llabs((long long)(stamps[1] - stamps[0])) < 1LL << 33 &&
	    llabs((long long)(stamps[3] - stamps[2])) < 1LL << 33,
	    "%llu with 0x08, %llu with 0x18", stamps[0], stamps[1]);
	end(&qpc);
}

static void refuse(struct session *session, const char *what, const struct etw_trace_message *m,
		   int want)
{
	int err = trace_message(provider, m);

	result(err == want && !take(session, NULL, 0), "TRACE_MESSAGE, %s: %s # %s", what,
	       error_name(want), error_name(err));
}

#define MEMBER(member)	offsetof(struct etw_trace_message, member), \
			sizeof(((struct etw_trace_message *)0)->member)

/* One member of a message that is good otherwise */
static void refuse_members(struct session *session)
{
	static const struct {
		const char *what;
		size_t at, size;
		__u64 value;
		int want;
	} wrong[] = {
		{ "size 0", MEMBER(size), 0, EINVAL },
		{ "size 39", MEMBER(size), 39, EINVAL },
		{ "size 48", MEMBER(size), 48, EINVAL },
		{ "flag 0x40", MEMBER(message_flags), 0x42, EINVAL },
		{ "flag 0x80", MEMBER(message_flags), 0x82, EINVAL },
		{ "flag 0x80000000", MEMBER(message_flags), 0x80000002, EINVAL },
		{ "reserved", MEMBER(reserved), 1, EINVAL },
		{ "2^32 - 1 arguments", MEMBER(nr_arguments), ~0U, EINVAL },
		{ "handle 0", MEMBER(session_handle), 0, EBADF },
		{ "handle 0xFFFF", MEMBER(session_handle), 0xFFFF, EBADF },
		{ "the private logger's handle", MEMBER(session_handle),
		  ETW_HANDLE_PRIVATE | 1, EBADF },
		{ "no such session", MEMBER(session_handle), 63, EBADF },
		{ "no GUID", MEMBER(message_guid), 0, EFAULT },
		{ "a GUID in the kernel", MEMBER(message_guid), 0xFFFF800000001000ULL, EFAULT },
		{ "no arguments, but one", MEMBER(arguments), 0, EFAULT },
		{ "arguments in the kernel", MEMBER(arguments), 0xFFFF800000001000ULL, EFAULT },
	};
	struct etw_message_argument argument = piece("x", 1);
	size_t i;

	for (i = 0; i < COUNT(wrong); i++) {
		struct etw_trace_message m = make(session, 0x02, &argument, 1);

		/* little-endian */
		memcpy((char *)&m + wrong[i].at, &wrong[i].value, wrong[i].size);
		refuse(session, wrong[i].what, &m, wrong[i].want);
	}
}

static void refuse_argument(struct session *session, const char *what, const void *data,
			    __u64 size, int want)
{
	struct etw_message_argument argument = piece(data, size);
	struct etw_trace_message m = make(session, 0x02, &argument, 1);

	refuse(session, what, &m, want);
}

static void test_refusals(struct session *session)
{
	static __u8 large[0x10000];
	int err;

	refuse_members(session);
	refuse_argument(session, "an argument at 0", NULL, 1, EFAULT);
	refuse_argument(session, "an argument in the kernel",
			(const void *)0xFFFF800000001000ULL, 1, EFAULT);
	refuse_argument(session, "64 KB in all", large, 0xFFFF - 24 + 1, EMSGSIZE);
	refuse_argument(session, "an argument of 2^64 - 1 bytes", large, ~0ULL, EMSGSIZE);
	refuse_argument(session, "an argument of 2^32 bytes", large, 1ULL << 32, EMSGSIZE);
	err = try(provider, ETW_PROVIDER_TRACE_MESSAGE, NULL);
	result(err == EFAULT, "TRACE_MESSAGE at 0: EFAULT # %s", error_name(err));
}

void test_messages(void)
{
	struct session session = start(&(struct wish){ 0 });
	struct session counting = start(&(struct wish){
		.name = "counting", .mode = EVENT_TRACE_USE_LOCAL_SEQUENCE });

	test_sizes(&session);
	test_header(&session);
	test_items(&session, &counting);
	test_order(&session);
	test_alignment(&session);
	test_blob(&session);
	test_refusals(&session);
	test_clocks();
	end(&counting);
	end(&session);
}
