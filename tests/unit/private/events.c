// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* EventWrite() and TraceLogging to a private session: which records there are, byte for byte. */
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <windows.h>
#include <TraceLoggingProvider.h>
#include <evntcons.h>
#include "one.h"

TRACELOGGING_DEFINE_PROVIDER(logging, "Log",
	(0x5f3c1f02, 0x8a4e, 0x4b5b, 0x9c, 0x11, 0x20, 0x07, 0x33, 0x44, 0x5a, 0x02));
static const GUID provider = { 0x71, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };
static const GUID activity = { 0x01010101, 0x0101, 0x0101, { 1, 1, 1, 1, 1, 1, 1, 1 } };
static const GUID related = { 0x02020202, 0x0202, 0x0202, { 2, 2, 2, 2, 2, 2, 2, 2 } };
static const GUID none;
static REGHANDLE registration;

/* The last call of the callback, and how many there were */
static struct call {
	int count;
	ULONG code;
	UCHAR level;
	ULONGLONG any, all;
} last;

/* What the callback does at its next call, or NULL */
static void (*in_callback)(void);

static VOID NTAPI callback(LPCGUID source, ULONG code, UCHAR level, ULONGLONG any, ULONGLONG all,
			   PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	void (*once)(void) = in_callback;

	(void)source;
	(void)filter;
	(void)context;
	last = (struct call){ last.count + 1, code, level, any, all };
	in_callback = NULL;
	if (once)
		once();
}

/* EVENT_HEADER records of the two providers */
static void keep_events(void *context, const uint8_t *record, uint32_t size, uint32_t processor)
{
	struct records *records = context;

	(void)processor;
	if (records->count == 4096 || size < 0x50 || record[2] != 0x13 || record[3] != 0xC0 ||
	    (memcmp(record + 0x18, &provider, 16) && take_bytes(record + 0x18, 4) != 0x5f3c1f02))
		return;
	records->record[records->count] = (uint8_t *)record;
	records->size[records->count++] = size;
}

static struct records *read_events(void)
{
	static struct records records;

	free(records.file.bytes);
	memset(&records, 0, sizeof(records));
	check("the file is whole", file_load(&records.file, path) &&
				   file_walk(&records.file, keep_events, &records));
	return &records;
}

static ULONG enable(ULONG code, UCHAR level, ULONGLONG any, ULONGLONG all, ULONG properties)
{
	ENABLE_TRACE_PARAMETERS parameters = {
		.Version = ENABLE_TRACE_PARAMETERS_VERSION_2, .EnableProperty = properties,
	};

	return EnableTraceEx2(handle, &provider, code, level, any, all, 0, &parameters);
}

static ULONG write_as(UCHAR level, ULONGLONG keyword)
{
	const EVENT_DESCRIPTOR descriptor = { .Id = 1, .Level = level, .Keyword = keyword };

	return EventWrite(registration, &descriptor, 0, NULL);
}

/**
 * struct expected - a record
 * @flags: of its header
 * @descriptor: in it
 * @activity: in it
 * @body: what follows the header
 * @size: bytes of @body
 */
struct expected {
	USHORT flags;
	EVENT_DESCRIPTOR descriptor;
	const GUID *activity;
	const char *body;
	uint32_t size;
};

static bool is_record(const struct records *records, uint32_t i, const struct expected *wanted)
{
	const uint8_t *record = records->record[i];

	return i < records->count && records->size[i] == 0x50 + wanted->size &&
	       take_bytes(record, 2) == 0x50 + wanted->size &&
	       take_bytes(record + 4, 2) == wanted->flags && !take_bytes(record + 6, 2) &&
	       take_bytes(record + 8, 4) == (uint32_t)gettid() &&
	       take_bytes(record + 12, 4) == (uint32_t)getpid() &&
	       !memcmp(record + 0x28, &wanted->descriptor, 16) &&
	       !memcmp(record + 0x40, wanted->activity, 16) &&
	       !memcmp(record + 0x50, wanted->body, wanted->size);
}

/* Size, "Log", no more */
static const char traits[] = { 6, 0, 'L', 'o', 'g', 0 };
#define RELATED	"\x18\0\x01\0\x01\0\x10\0" "\2\2\2\2\2\2\2\2\2\2\2\2\2\2\2\2"
#define TRAITS(more)	"\x10\0\x0c\0" more "\0\x06\0" "\x06\0Log\0\0\0"
#define SCHEMA	"\x10\0\x0b\0\0\0\x05\0" "SHAPE\0\0\0"

static void test_records(void)
{
	const EVENT_DESCRIPTOR whole = { 7, 1, 11, 2, 3, 0x405, 0x8000000000000001 };
	static const WCHAR text[] = { 'h', 'i', 0 };
	EVENT_DATA_DESCRIPTOR data[3];
	struct records *records;

	start("events", 0, 0, 0);
	check_code("it enables", enable(1, 0, 0, 0, 0), 0);
	EventDataDescCreate(&data[0], "ab", 2);
	EventDataDescCreate(&data[1], "", 0);
	EventDataDescCreate(&data[2], "cde", 3);
	check_code("EventWrite()", EventWrite(registration, &whole, 3, data), 0);
	check_code("EventWriteString()", EventWriteString(registration, 4, 2, text), 0);
	check_code("traits", EventSetInformation(registration, EventProviderSetTraits,
						 (void *)traits, sizeof(traits)), 0);
	EventDataDescCreate(&data[1], "SHAPE", 5);
	data[1].Type = EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA;
	check_code("EventWriteTransfer()", EventWriteTransfer(registration, &whole, &activity,
							      &related, 3, data), 0);
	check_code("EventWriteEx()", EventWriteEx(registration, &whole, 0, 0, NULL, NULL, 0, NULL),
		   0);
	stop();
	records = read_events();
	check("there are four records", records->count == 4);
	check("data of pieces", is_record(records, 0, &(struct expected){
		0, whole, &none, "abcde", 5 }));
	check("a string, with its terminator", is_record(records, 1, &(struct expected){
		4, { 0, 0, 0, 4, 0, 0, 2 }, &none, "h\0i\0\0\0", 6 }));
	check("related activity, traits, schema, data", is_record(records, 2, &(struct expected){
		1, whole, &activity, RELATED TRAITS("\1") SCHEMA "abcde", 24 + 16 + 16 + 5 }));
	check("traits alone", is_record(records, 3, &(struct expected){
		1, whole, &none, TRAITS("\0"), 16 }));
}

/* Each event passes or not as the mask says: kept in order, by level and keyword */
static void test_masks(void)
{
	struct records *records;
	bool enabled;

	start("masks", 0, 0, 0);
	last.count = 0;
	check_code("level and keywords", enable(1, 3, 0x6, 0x2, 0), 0);
	check("the callback has them", last.count == 1 && last.code == 1 && last.level == 3 &&
	      last.any == 6 && last.all == 2);
	enabled = EventProviderEnabled(registration, 3, 2);
	check("EventProviderEnabled() is true for them alone", enabled &&
	      !EventProviderEnabled(registration, 4, 2) && !EventProviderEnabled(registration, 3, 4) &&
	      EventProviderEnabled(registration, 0, 0) && EventProviderEnabled(registration, 3, 6));
	write_as(3, 2);
	write_as(4, 2);
	write_as(3, 4);
	write_as(1, 6);
	write_as(2, 0);
	check_code("not those without keywords", enable(1, 3, 0x6, 0x2,
		   EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0), 0);
	write_as(2, 0);
	check_code("capture state", enable(2, 0, 0, 0, 0), 0);
	check("the callback is called for it", last.code == 2 && last.level == 3);
	check_code("items of events are refused", enable(1, 3, 0, 0, EVENT_ENABLE_PROPERTY_SID),
		   ERROR_NOT_SUPPORTED);
	check_code("also the container, which is the same in all events",
		   enable(1, 3, 0, 0, EVENT_ENABLE_PROPERTY_SOURCE_CONTAINER_TRACKING),
		   ERROR_NOT_SUPPORTED);
	check_code("it disables", enable(0, 0, 0, 0, 0), 0);
	check("the callback is called for the end", last.code == 0);
	write_as(1, 2);
	check_code("capture state of what is disabled", enable(2, 0, 0, 0, 0),
		   ERROR_WMI_INSTANCE_NOT_FOUND);
	stop();
	records = read_events();
	check("the session has the events that its mask selects", records->count == 3 &&
	      records->record[0][0x2C] == 3 && records->record[1][0x2C] == 1 &&
	      records->record[2][0x2C] == 2);
}

static void disable(void)
{
	enable(0, 0, 0, 0, 0);
}

/* A callback that disables its own GUID runs before the second registration is enabled. */
static void test_change_in_callback(void)
{
	const EVENT_DESCRIPTOR descriptor = { .Id = 1, .Level = 1 };
	REGHANDLE second;

	start("callback", 0, 0, 0);
	check_code("a second registration", EventRegister(&provider, NULL, NULL, &second), 0);
	in_callback = disable;
	check_code("the callback disables the provider", enable(1, 0, 0, 0, 0), 0);
	check("both registrations are disabled then", last.code == 0 && !in_callback &&
	      !EventProviderEnabled(registration, 1, 1) && !EventProviderEnabled(second, 1, 1));
	check_code("EventWrite()", EventWrite(second, &descriptor, 0, NULL), 0);
	check_code("EventUnregister()", EventUnregister(second), 0);
	stop();
	check("no event is recorded", !read_events()->count);
}

/* Data of all sizes, up to where the module refuses it, too; and addresses that are none */
static void test_limits(void)
{
	static uint8_t large[0x10000];
	const EVENT_DESCRIPTOR descriptor = { .Id = 1 };
	EVENT_DATA_DESCRIPTOR data[128], bad;
	struct records *records;
	ULONG i;

	start("limits", 0, 256, 0);
	enable(1, 0, 0, 0, 0);
	for (i = 0; i < 128; i++)
		EventDataDescCreate(&data[i], &large[i], i);
	for (i = 0; i < sizeof(large); i++)
		large[i] = i * 7;
	check_code("128 pieces", EventWrite(registration, &descriptor, 128, data), 0);
	check_code("129", EventWrite(registration, &descriptor, 129, data),
		   ERROR_INVALID_PARAMETER);
	EventDataDescCreate(&bad, large, 0xFFFF - 0x50 - 16);
	check_code("the largest event", EventWrite(registration, &descriptor, 1, &bad), 0);
	bad.Size++;
	check_code("a larger one", EventWrite(registration, &descriptor, 1, &bad),
		   ERROR_ARITHMETIC_OVERFLOW);
	EventDataDescCreate(&bad, (void *)16, 8);
	check_code("data at a bad address", EventWrite(registration, &descriptor, 1, &bad),
		   ERROR_NOACCESS);
	check_code("pieces at one", EventWrite(registration, &descriptor, 1, (void *)16),
		   ERROR_NOACCESS);
	bad.Type = 3;
	check_code("a piece of an unknown type", EventWrite(registration, &descriptor, 1, &bad),
		   ERROR_INVALID_PARAMETER);
	check_code("an activity at a bad address",
		   EventWriteTransfer(registration, &descriptor, (void *)16, NULL, 0, NULL),
		   ERROR_NOACCESS);
	stop();
	records = read_events();
	check("what was accepted is there, whole", records->count == 2 &&
	      records->size[0] == 0x50 + 16 + 127 * 64 && records->size[1] == 0xFFFF &&
	      !memcmp(records->record[1] + 0x60, large, 0xFFFF - 0x60));
}

static void handle_signal(int signal)
{
	(void)signal;
	write_as(5, 1);
}

/* In a handler, and in children: of fork() and of the bare system call */
static void test_contexts(void)
{
	struct records *records;
	int status = 0, status2 = 0;
	pid_t child;

	start("contexts", 0, 0, 0);
	enable(1, 0, 0, 0, 0);
	signal(SIGUSR1, handle_signal);
	write_as(1, 1);
	event_fill(&event, 1, 8);
	check_code("TraceEvent() in between", send(&event.header), 0);
	raise(SIGUSR1);
	child = fork();
	if (!child)
		_exit(write_as(2, 1) || EventProviderEnabled(registration, 2, 1));
	waitpid(child, &status, 0);
	child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!child)
		_exit(write_as(3, 1));
	waitpid(child, &status2, 0);
	check("children write without an error, and without the session", !status && !status2);
	write_as(4, 1);
	stop();
	records = read_events();
	check("events of a handler are there, children's are not", records->count == 3 &&
	      records->record[0][0x2C] == 1 && records->record[1][0x2C] == 5 &&
	      records->record[2][0x2C] == 4);
}

static void test_tracelogging(void)
{
	struct records *records;
	const GUID id = { 0x5f3c1f02, 0x8a4e, 0x4b5b, { 0x9c, 0x11, 0x20, 7, 0x33, 0x44, 0x5a, 2 } };

	TraceLoggingRegister(logging);
	start("tracelogging", 0, 0, 0);
	TraceLoggingWrite(logging, "Early", TraceLoggingInt32(1, "n"));
	check_code("it enables by keyword", EnableTraceEx2(handle, &id, 1, 4, 0x10, 0, 0, NULL), 0);
	check("TraceLoggingProviderEnabled()", TraceLoggingProviderEnabled(logging, 4, 0x10) &&
	      !TraceLoggingProviderEnabled(logging, 4, 0x20));
	TraceLoggingWrite(logging, "Wanted", TraceLoggingLevel(4), TraceLoggingKeyword(0x10),
			  TraceLoggingInt32(0x11223344, "n"), TraceLoggingString("x", "s"));
	TraceLoggingWrite(logging, "Other", TraceLoggingLevel(5), TraceLoggingKeyword(0x10));
	stop();
	TraceLoggingWrite(logging, "Late", TraceLoggingInt32(1, "n"));
	TraceLoggingUnregister(logging);
	records = read_events();
	check("the event that the session wants is there alone", records->count == 1 &&
	      memmem(records->record[0], records->size[0], "Wanted\0n", 8) &&
	      !memcmp(records->record[0] + records->size[0] - 6, "\x44\x33\x22\x11x", 6));
}

/* A filter by name: the process's own session takes this type alone. */
struct names {
	EVENT_FILTER_EVENT_NAME head;
	char more[8];
};

static ULONG enable_names(const GUID *id, ULONG type, struct names *names, const char *text,
			  ULONG size)
{
	EVENT_FILTER_DESCRIPTOR filter = { (ULONG_PTR)names, 20 + size, type };
	ENABLE_TRACE_PARAMETERS parameters = {
		.Version = ENABLE_TRACE_PARAMETERS_VERSION_2, .EnableFilterDesc = &filter,
		.FilterDescCount = 1,
	};

	memcpy((char *)names + 20, text, size);
	return EnableTraceEx2(handle, id, 1, 0, 0, 0, 0, &parameters);
}

static void write_named(void)
{
	TraceLoggingWrite(logging, "Ab", TraceLoggingLevel(3));
	TraceLoggingWrite(logging, "C", TraceLoggingLevel(3));
	TraceLoggingWrite(logging, "Abc", TraceLoggingLevel(3));
	TraceLoggingWrite(logging, "C", TraceLoggingLevel(5));
}

static bool has_text(const struct records *records, uint32_t i, const char *text, size_t size)
{
	return i < records->count && memmem(records->record[i], records->size[i], text, size);
}

static void test_names(void)
{
	const GUID id = { 0x5f3c1f02, 0x8a4e, 0x4b5b, { 0x9c, 0x11, 0x20, 7, 0x33, 0x44, 0x5a, 2 } };
	struct names names = { .head = { .FilterIn = 1, .NameCount = 2, .Level = 4 } };
	struct records *records;

	TraceLoggingRegister(logging);
	start("names", 0, 0, 0);
	check_code("a filter by name", enable_names(&id, EVENT_FILTER_TYPE_EVENT_NAME, &names,
						    "Ab\0C", 5), 0);
	write_named();
	names.head.FilterIn = 0;
	check_code("the others", enable_names(&id, EVENT_FILTER_TYPE_EVENT_NAME, &names, "Ab\0C", 5),
		   0);
	write_named();
	check_code("a stack by name", enable_names(&id, EVENT_FILTER_TYPE_STACKWALK_NAME, &names,
						   "Ab\0C", 5), ERROR_NOT_SUPPORTED);
	check_code("a name without an end", enable_names(&id, EVENT_FILTER_TYPE_EVENT_NAME, &names,
							 "Ab\0C", 4), ERROR_INVALID_PARAMETER);
	check_code("an empty name", enable_names(&id, EVENT_FILTER_TYPE_EVENT_NAME, &names,
						 "Ab\0", 4), ERROR_INVALID_PARAMETER);
	check_code("without a filter", EnableTraceEx2(handle, &id, 1, 0, 0, 0, 0, NULL), 0);
	TraceLoggingWrite(logging, "Last");
	stop();
	TraceLoggingUnregister(logging);
	records = read_events();
	check("the session has the events that the filter by name keeps", records->count == 5 &&
	      has_text(records, 0, "Ab", 3) && has_text(records, 1, "C", 2) &&
	      has_text(records, 2, "Abc", 4) && has_text(records, 3, "C", 2) &&
	      has_text(records, 4, "Last", 5));
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	directory = argv[1];
	check_code("EventRegister()", EventRegister(&provider, callback, NULL, &registration), 0);
	test_records();
	test_masks();
	test_change_in_callback();
	test_limits();
	test_names();
	test_contexts();
	check_code("EventUnregister()", EventUnregister(registration), 0);
	test_tracelogging();
	return 0;
}
