// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Programs' events: what EVENT_TRACE_HEADER and TraceEvent are said to do, by the device. */
#define _GNU_SOURCE
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "etw_trace_headers.h"
#include "programs.h"

const __u8 class_guid[16] = {
	0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF, 1
};
const __u8 other_guid[16] = {
	0xF0, 0xE1, 0xD2, 0xC3, 0xB4, 0xA5, 0x96, 0x87, 0x78, 0x69, 0x5A, 0x4B, 0x3C, 0x2D, 0x1E, 2
};

/* What is not to be seen in a record is not zero here. */
void prepare(struct given *given, __u32 flags, const void *data, __u32 size)
{
	memset(given->header, 0xA5, sizeof(given->header));
	put16(given->header, 0x30 + size);
	given->header[0x04] = 0x21;
	given->header[0x05] = 0x43;
	put16(given->header + 0x06, 0x8765);
	memcpy(given->header + 0x18, class_guid, 16);
	put32(given->header + 0x2C, flags);
	if (data)
		memcpy(given->data, data, size);
}

int trace_event(int fd, __u64 handle, const void *event, __u32 flags)
{
	struct etw_trace_event t = {
		.size = sizeof(t), .flags = flags, .session_handle = handle,
		.event = (unsigned long)event,
	};

	return try(fd, ETW_PROVIDER_TRACE_EVENT, &t);
}

struct expected_event expect(const struct given *given, __u32 size, struct moment before)
{
	struct expected_event e = {
		.type = 0x14, .thread = syscall(SYS_gettid), .process = getpid(),
		.guid = class_guid, .data = given->data, .size = size, .before = before,
		.after = moment(),
	};

	memcpy(e.class, given->header + 4, 4);
	return e;
}

static struct given given;

/* The record of an event that was given with these flags and this much data, or none */
static const char *write_and_compare(struct session *session, __u32 flags, __u32 size)
{
	static __u8 data[MOST_DATA];
	struct expected_event e;
	struct record record;
	struct moment before;
	__u32 i;
	int err;

	for (i = 0; i < size; i++)
		data[i] = i * 7 + size;
	prepare(&given, flags, data, size);
	before = moment();
	err = trace_event(provider, session->id, &given, 0);
	if (err)
		return error_name(err);
	e = expect(&given, size, before);
	record = take_one(session);
	return wrong_event(&record, &e);
}

static const char *or_good(const char *wrong)
{
	return wrong ? wrong : "as expected";
}

/* Data of any size, the largest included; what is there afterwards, byte by byte */
static void test_sizes(struct session *session)
{
	static const __u32 sizes[] = { 0, 1, 2, 7, 8, 9, 15, 100, 207, 208, 209, 255, 256, 257,
				       1000, 4096, 30000, 0xFF88 };
	const char *wrong = NULL;
	size_t i;

	for (i = 0; i < COUNT(sizes) && !wrong; i++) {
		wrong = write_and_compare(session, WNODE_FLAG_TRACED_GUID, sizes[i]);
		if (wrong)
			printf("# %u bytes of data\n", sizes[i]);
	}
	row("H01", !wrong, "18 sizes up to 0x%x: %s", sizes[COUNT(sizes) - 1], or_good(wrong));
	row("H29", !wrong, "Size of each is 0x30 more: %s", or_good(wrong));
	row("T21", !wrong, "Size says how much is taken: %s", or_good(wrong));
	row("T33", !wrong, "every byte: %s", or_good(wrong));
	row("T56", !wrong, "header and data: %s", or_good(wrong));
	row("H36", !wrong, "0x%x and each Size: %s", TRACE_HEADER_FULL64, or_good(wrong));
}

static void test_layout(struct session *session)
{
	const char *wrong = write_and_compare(session, WNODE_FLAG_TRACED_GUID, 4);
	struct record record = { .bytes = session->data };
	__u8 zeros[0x50] = { 0 };
	size_t at;

	/* the one record of the last buffer */
	for (at = 0; at + get32(session->data + at) < session->size;)
		at += get32(session->data + at);
	record.bytes = wrong ? zeros : session->data + at + 0x48;
	row("H14", sizeof(struct event_trace_header) == 0x30 && !wrong, "%s", or_good(wrong));
	row("H16", get16(record.bytes) == 0x34, "0x%x", get16(record.bytes));
	row("H17", record.bytes[2] == 0x14 && record.bytes[3] == 0xC0, "0x%x, 0x%x",
	    record.bytes[2], record.bytes[3]);
	row("H34", record.bytes[2] == 0x14, "0x%x", record.bytes[2]);
	row("H32", record.bytes[3] >> 6 == 3, "0x%x", record.bytes[3]);
	row("H19", record.bytes[4] == 0x21 && record.bytes[5] == 0x43 &&
	    get16(record.bytes + 6) == 0x8765, "0x%x, 0x%x, 0x%x", record.bytes[4],
	    record.bytes[5], get16(record.bytes + 6));
	row("H22", get32(record.bytes + 8) == (__u32)syscall(SYS_gettid) &&
	    get32(record.bytes + 12) == (__u32)getpid(), "%u, %u", get32(record.bytes + 8),
	    get32(record.bytes + 12));
	row("H23", !wrong && get64(record.bytes + 0x10), "%s", or_good(wrong));
	row("H24", !memcmp(record.bytes + 0x18, class_guid, 16), "%s", or_good(wrong));
	row("H26", get32(record.bytes + 0x2C) != WNODE_FLAG_TRACED_GUID &&
	    get32(record.bytes + 0x28) != 0xA5A5A5A5, "the times stand there");
	row("T13", !wrong && memcmp(record.bytes, given.header, 0x30),
	    "what was given is not what was written");
	row("H04", !wrong, "%s", or_good(wrong));
	row("H02", !wrong, "the stream's bytes: %s", or_good(wrong));
	row("H03", sizeof(struct wnode_header) == sizeof(struct event_trace_header) &&
	    offsetof(struct wnode_header, time_stamp) == 0x10 &&
	    offsetof(struct wnode_header, guid) == 0x18 &&
	    offsetof(struct wnode_header, client_context) == 0x28 &&
	    offsetof(struct wnode_header, flags) == 0x2C, "by offsetof()");
}

/* What of the caller's own memory is another afterwards: the handle's 8 bytes */
static void test_input(struct session *session)
{
	struct given before;
	__u64 handle = session->id;
	int err, same;

	prepare(&given, 0, "data", 4);
	memcpy(&before, &given, 0x40);
	err = trace_event(provider, handle, &given, 0);
	row("T04", !err && memcmp(&before, &given, 0x34), "%s", error_name(err));
	row("T30", !err && get64(given.header + 8) == handle, "0x%llx", get64(given.header + 8));
	put64(before.header + 8, handle);
	same = !memcmp(&before, &given, 0x34);
	result(!err && same, "TraceEvent: no other byte of header and data is changed");
	take(session, NULL, 0);

}

#define OWN	1	/* of a case: the session's handle */

/* Its handle stays in each header that has the Size of one, whatever is wrong with the event. */
static void test_refused_input(struct session *session)
{
	static const struct {
		__u64 handle;
		__u32 flags, size;
		int error, stays;
	} cases[] = {
		{ 63, 0, 4, EBADF, 1 }, { 0, 0, 4, EBADF, 1 }, { 0xFFFF, 0, 4, EBADF, 1 },
		{ OWN, WNODE_FLAG_LOG_WNODE, 4, EOPNOTSUPP, 1 },
		{ OWN, WNODE_FLAG_USE_GUID_PTR, 4, EFAULT, 1 },
		{ OWN, WNODE_FLAG_USE_MOF_PTR, 16, EFAULT, 1 },
		{ OWN, WNODE_FLAG_USE_MOF_PTR, 0x101, E2BIG, 1 },
		{ OWN, 0, -1, EINVAL, 0 }, { 0, 0, -1, EINVAL, 0 },
	};
	struct given before;
	__u64 handle;
	size_t i;
	int err;

	for (i = 0; i < COUNT(cases); i++) {
		/* 0xA5A5... is no address, as GuidPtr and as a field's */
		prepare(&given, cases[i].flags, NULL, cases[i].size);
		memset(given.header + 0x18, 0xA5, 16);
		memset(given.data, 0xA5, 0x101);
		put32(given.data + 8, 4);
		memcpy(&before, &given, sizeof(before));
		handle = cases[i].handle == OWN ? session->id : cases[i].handle;
		err = trace_event(provider, handle | 0x12345678ULL << 32, &given, 0);
		if (cases[i].stays)
			put64(before.header + 8, handle | 0x12345678ULL << 32);
		result(err == cases[i].error && !memcmp(&before, &given, sizeof(before)),
		       "TraceEvent, handle %u, flags 0x%x, Size 0x%x: %s, the handle %s",
		       (unsigned int)handle, cases[i].flags, get16(given.header),
		       error_name(err), cases[i].stays ? "stays" : "is not stored");
	}
	result(!take(session, NULL, 0), "none of these is an event");
}

/* Two sessions; events go where the handle says, which is a logger id of 16 bits */
static void test_handles(struct session *session)
{
	struct session second = start(&(struct wish){ .name = "second" });
	struct record records[4];
	int err[3];
	size_t n[2];

	prepare(&given, 0, "1", 1);
	err[0] = trace_event(provider, session->id, &given, 0);
	n[0] = take(session, records, 4);
	n[1] = take(&second, records, 4);
	row("T36", !err[0] && n[0] == 1, "%s, %zu records", error_name(err[0]), n[0]);
	err[1] = trace_event(provider, second.id, &given, 0);
	n[0] = n[0] == 1 && !n[1] ? take(session, records, 4) : 9;
	n[1] = take(&second, records, 4);
	row("T02", !err[0] && !err[1] && !n[0] && n[1] == 1, "%zu and %zu records", n[0], n[1]);
	err[2] = trace_event(provider, session->id | 0xA2CD0000, &given, 0);
	n[0] = take(session, records, 4);
	row("T37", !err[2] && n[0] == 1, "0xA2CD%04x: %s, %zu records", session->id,
	    error_name(err[2]), n[0]);
	end(&second);
}

/* There is no reader, then the session stops, then it is discarded: no affair of the writer's */
static void test_no_reader(void)
{
	struct session session = start(&(struct wish){ .name = "unread", .kb = 4, .buffers = 4 });
	struct etw_statistics s;
	int err;

	close(session.node);
	session.node = -1;
	prepare(&given, 0, "unread", 6);
	err = trace_event(provider, session.id, &given, 0);
	s = statistics(session.id);
	row("T12", !err && s.read + s.buffered - s.internal == 1, "%s, %llu there",
	    error_name(err), s.read + s.buffered - s.internal);
	end(&session);
}

static void spin(double seconds)
{
	struct moment from = moment();
	volatile __u64 n;

	while (moment().filetime - from.filetime < seconds * 1e7)
		for (n = 0; n < 1000; n++)
			;
}

/*
 * The ticks that the kernel has put on this thread's account, which is what events contain:
 * CPUCLOCK_PROF of the thread itself. getrusage() spreads the scheduler's time over them,
 * and may be off by ticks.
 */
#define THREAD_TICKS	((clockid_t)(~0U << 3 | 4))
/* A unit of TimerResolution is a tick, and so is this clock's resolution. */
#define TICK		CLOCK_MONOTONIC_COARSE

static __u64 nanoseconds(const struct timespec *time)
{
	return time->tv_sec * 1000000000ULL + time->tv_nsec;
}

static double ticks_used(void)
{
	struct timespec used, tick;

	if (clock_gettime(THREAD_TICKS, &used) || clock_getres(TICK, &tick))
		die("the thread's clock");
	return (double)nanoseconds(&used) / nanoseconds(&tick);
}

/* Two events, and what the thread had used around them. Return: 0 or an errno */
static int write_apart(struct session *session, double used[4])
{
	int i, err = 0;

	for (i = 0; i < 2 && !err; i++) {
		used[2 * i] = ticks_used();
		err = trace_event(provider, session->id, &given, 0);
		used[2 * i + 1] = ticks_used();
		if (!i)
			spin(0.3);
		/* that was time on the wall */
		while (!i && ticks_used() < used[1] + 20)
			;
	}
	return err;
}

/*
 * Stamps rise; so does the time that the thread has used, by as much as its clock. Of each
 * event's two times up to a unit is cut off.
 */
static void test_generated(struct session *session)
{
	struct record records[2] = { { 0 } };
	__u64 stamps[2] = { 0 };
	__u32 used[2] = { 0 };
	double clock[4], later;
	size_t n = 0;
	int i;

	prepare(&given, 0, "t", 1);
	if (!write_apart(session, clock))
		n = take(session, records, 2);
	for (i = 0; n == 2 && i < 2; i++) {
		stamps[i] = get64(records[i].bytes + 0x10);
		used[i] = get32(records[i].bytes + 0x28) + get32(records[i].bytes + 0x2C);
	}
	/* two CPUs' buffers may come in any order */
	i = stamps[0] > stamps[1];
	later = (double)used[!i] - used[i];
	row("H43", n == 2 && stamps[!i] - stamps[i] >= 2900000, "%llu * 100 ns later",
	    stamps[!i] - stamps[i]);
	row("T58", n == 2 && later > clock[2] - clock[1] - 2 && later < clock[3] - clock[0] + 2,
	    "marker, ids, GUID: H17 to H24; times: %.0f units later, of the thread's %.1f", later,
	    clock[3] - clock[0]);
}

void test_events(void)
{
	struct session session = start(&(struct wish){ .options = ETW_PROVIDER_TIMESTAMPS });
	const char *wrong;

	wrong = write_and_compare(&session, 0, 20);
	row("T03", !wrong, "data of 20 bytes: %s", or_good(wrong));
	row("T20", !wrong, "flags 0: %s", or_good(wrong));
	wrong = write_and_compare(&session, WNODE_FLAG_TRACED_GUID, 20);
	result(!wrong, "TraceEvent with TRACED_GUID: %s", or_good(wrong));
	row("T31", !wrong, "0xA5A5A5A5 was given for both: %s", or_good(wrong));
	test_sizes(&session);
	test_layout(&session);
	test_input(&session);
	test_refused_input(&session);
	test_handles(&session);
	test_generated(&session);
	end(&session);
	test_no_reader();
}
