// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Records of a private session, byte for byte what the device's are said to be. */
#define _GNU_SOURCE
#include <time.h>
#include <unistd.h>
#include "one.h"
#include "tests/unit/libetw/ignore_control.h"

/* Both are about sessions: those of the device's tests have other names here */
#define session	device_session
#define start	device_start
#define stop	device_stop
#include "tests/vm/programs/guest/programs/programs.h"
#undef session
#undef start
#undef stop

#define FLAGS	64	/* of messages: all that there are, together and apart */
#define NUMBER	0xBEEF

int failures;

static struct moment now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	/* CPU time is in ticks, not in units of TimerResolution: it is any */
	return (struct moment){ .filetime = FILETIME_OF(t), .time = 0x7FFFFF00 };
}

/* In system time, and with sequence numbers */
static void start_stamped(const char *name)
{
	session_clear(&session, file_of(name));
	session.fixed.Wnode.ClientContext = 2;
	session.fixed.LogFileMode |= EVENT_TRACE_USE_LOCAL_SEQUENCE;
	check_code("a session starts", session_start(&session, &handle), 0);
}

static struct record record_of(const struct records *records, uint32_t i)
{
	if (i >= records->count)
		return (struct record){ 0 };
	return (struct record){ .bytes = records->record[i], .size = records->size[i] };
}

static void check_record(const char *name, const char *wrong)
{
	if (wrong)
		printf("# %s: %s\n", name, wrong);
	check(name, !wrong);
}

static void plain(void)
{
	struct expected_event e = {
		.type = 0x14, .class = { 7 }, .thread = gettid(), .process = getpid(),
		.guid = (const __u8 *)&test_class, .data = "hello", .size = 5, .before = now(),
	};
	struct records *records;
	struct record record;

	start_stamped("plain-record");
	event_fill(&event, 7, 5);
	memcpy(event.data, "hello", 5);
	check_code("an event", send(&event.header), 0);
	e.after = now();
	stop();
	records = read_records();
	record = record_of(records, 0);
	check_record("its record", wrong_event(&record, &e));
	free(records->file.bytes);
}

static void all_messages(void)
{
	struct expected_message e = {
		.bits = 64, .number = NUMBER, .guid = (const __u8 *)&test_class,
		.thread = gettid(), .process = getpid(), .data = "of two", .size = 6,
		.before = now().filetime,
	};
	struct records *records;
	struct record record;
	char name[32];
	ULONG error = 0;
	uint32_t i;

	start_stamped("flags");
	for (i = 0; i < FLAGS; i++)
		error |= TraceMessage(handle, i, &test_class, NUMBER, "of ", (ULONG)3, "two",
				      (ULONG)3, NULL);
	check_code("messages with all flags", error, 0);
	e.after = now().filetime;
	stop();
	records = read_records();
	check("each is there", records->count == FLAGS);
	for (e.flags = 0; e.flags < FLAGS; e.flags++) {
		e.sequence += e.flags & TRACE_MESSAGE_SEQUENCE;
		record = record_of(records, e.flags);
		snprintf(name, sizeof(name), "flags 0x%02x", e.flags);
		check_record(name, wrong_message(&record, &e));
	}
	free(records->file.bytes);
}

static const GUID parent_class = { 0x5d3c1f03, 1, 2, { 3, 4, 5, 6, 7, 8, 9, 10 } };

/* In one piece, then in two, which make the same record but for the parent */
static ULONG send_instances(const TRACE_GUID_REGISTRATION *class, USHORT number)
{
	struct {
		EVENT_INSTANCE_HEADER header;
		union {
			char bytes[4];
			MOF_FIELD field[2];
		} data;
	} instance = {
		.header = {
			.Size = sizeof(instance.header) + 4, .Class = { 7, 2, 0x102 },
			.Flags = WNODE_FLAG_TRACED_GUID,
		},
		.data = { .bytes = "data" },
	};
	EVENT_INSTANCE_INFO info = { class[0].RegHandle, number };
	EVENT_INSTANCE_INFO parent = { class[1].RegHandle, number + 1 };
	ULONG error = TraceEventInstance(handle, &instance.header, &info, &parent);

	instance.header.Size = sizeof(instance);
	instance.header.Flags |= WNODE_FLAG_USE_MOF_PTR;
	DEFINE_TRACE_MOF_FIELD(&instance.data.field[0], "da", 2, 0);
	DEFINE_TRACE_MOF_FIELD(&instance.data.field[1], "ta", 2, 0);
	return error | TraceEventInstance(handle, &instance.header, &info, NULL);
}

/* Only what has the header of an event is edited. */
static void check_refused(HANDLE class)
{
	EVENT_INSTANCE_HEADER given = {
		.Size = sizeof(given), .Flags = WNODE_FLAG_TRACED_GUID | WNODE_FLAG_NO_HEADER,
	};
	EVENT_INSTANCE_HEADER before = given;
	EVENT_INSTANCE_INFO info = { class, 1 };

	check_code("an instance with NO_HEADER", TraceEventInstance(handle, &given, &info, NULL),
		   ERROR_INVALID_PARAMETER);
	check("its header is as it was", !memcmp(&given, &before, sizeof(given)));
}

static void instances(void)
{
	TRACE_GUID_REGISTRATION class[2] = { { &test_class, NULL }, { &parent_class, NULL } };
	__u8 instance[2][0x18] = { { 0 } };
	struct expected_event e = {
		.type = 0x15, .class = { 7, 2, 0x02, 0x01 }, .thread = gettid(),
		.process = getpid(), .guid = (const __u8 *)&test_class, .data = "data", .size = 4,
		.before = now(),
	};
	TRACEHANDLE registration;
	struct records *records;
	struct record record;

	RegisterTraceGuidsA(ignore_control, NULL, &test_class, 2, class, NULL, NULL, &registration);
	start_stamped("instances");
	check_code("events of instances", send_instances(class, 0x1234), 0);
	check_refused(class[0].RegHandle);
	e.after = now();
	stop();
	put32(instance[0], 0x1234);
	put32(instance[0] + 4, 0x1235);
	memcpy(instance[0] + 8, &parent_class, 16);
	put32(instance[1], 0x1234);
	records = read_records();
	check("both are there", records->count == 2);
	e.instance = instance[0];
	record = record_of(records, 0);
	check_record("an instance with a parent", wrong_event(&record, &e));
	e.instance = instance[1];
	record = record_of(records, 1);
	check_record("one without, of MOF_FIELDs", wrong_event(&record, &e));
	free(records->file.bytes);
	UnregisterTraceGuids(registration);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	directory = argv[1];
	plain();
	all_messages();
	instances();
	return 0;
}
