// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The calls one by one: what goes in, what is in the file, what is refused. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include "one.h"

#define NO_HEADER	0x00200000U

/* Two pages, and the second one isn't there */
static uint8_t *edge(void)
{
	static uint8_t *pages;
	long page = sysconf(_SC_PAGESIZE);

	if (!pages) {
		pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		munmap(pages + page, page);
	}
	return pages + page;
}

static void test_plain(void)
{
	struct records *records;
	EVENT_TRACE_HEADER before;
	uint8_t *record;

	start("plain", 0, 0, 0);
	event_fill(&event, 7, 5);
	event.header.Class.Level = 4;
	event.header.Class.Version = 0x1234;
	event.header.Flags = 0;
	memcpy(event.data, "hello", 5);
	before = event.header;
	check_code("an event is written", send(&event.header), 0);
	check_code("it is the thread's last error, too", GetLastError(), 0);
	check("the handle is at offset 8 of the header", !memcmp(&event.header.ThreadId, &handle, 8));
	memcpy(&event.header.ThreadId, &before.ThreadId, 8);
	check("nothing else of it has changed", !memcmp(&event.header, &before, sizeof(before)));
	check_code("no event", send(NULL), ERROR_INVALID_PARAMETER);
	event.header.Size = 0x2F;
	check_code("Size is less than the header", send(&event.header), ERROR_INVALID_PARAMETER);
	event_fill(&event, 8, 0);
	check_code("another handle", TraceEvent(handle + 1, &event.header), ERROR_INVALID_HANDLE);
	check_code("level and flags in a handle", TraceEvent(handle | 5ULL << 16 | 7ULL << 32,
							     &event.header), 0);
	stop();
	check_code("a stopped session's handle", send(&event.header), ERROR_INVALID_HANDLE);
	records = read_records();
	record = records->record[0];
	check("two events are there", records->count == 2);
	check("type, marker, size", record[2] == 0x14 && record[3] == 0xC0 &&
				    records->size[0] == 0x35);
	check("type, level, version, class and data are the caller's",
	      record[4] == 7 && record[5] == 4 && take_bytes(record + 6, 2) == 0x1234 &&
	      !memcmp(record + 0x18, &test_class, 16) && !memcmp(record + 0x30, "hello", 5));
	check("thread and process", take_bytes(record + 8, 4) == (uint32_t)gettid() &&
				    take_bytes(record + 0xC, 4) == (uint32_t)getpid());
	check("ProcessorTime is there and doesn't go back",
	      take_bytes(record + 0x28, 8) && take_bytes(record + 0x28, 8) <=
	      take_bytes(records->record[1] + 0x28, 8));
	check("LogFileMode says that it is a private logger's",
	      take_bytes(records->file.bytes + 0x88, 4) & 0x800);
	free(records->file.bytes);
}

/* Of a refused event: the handle is in its header, or nothing is changed there */
static void check_left(const char *what, ULONG error, int stays)
{
	TRACEHANDLE before = 0x4D0000004DULL, left;
	char name[80];

	memcpy(&event.header.ThreadId, &before, sizeof(before));
	check_code(what, send(&event.header), error);
	memcpy(&left, &event.header.ThreadId, sizeof(left));
	snprintf(name, sizeof(name), "%s: the handle %s", what, stays ? "stays" : "isn't stored");
	check(name, left == (stays ? handle : before));
}

static void test_refused(void)
{
	MOF_FIELD *field = (void *)event.data;

	start("refused", 0, 0, 0);
	event_fill(&event, 1, 0x110);
	event.header.Flags |= WNODE_FLAG_USE_MOF_PTR;
	check_left("more than 0x100 bytes of MOF_FIELD", ERROR_INVALID_DATA, 1);
	event_fill(&event, 1, 16);
	DEFINE_TRACE_MOF_FIELD(field, (void *)16, 2, 0);
	event.header.Flags |= WNODE_FLAG_USE_MOF_PTR;
	check_left("a MOF_FIELD at 16", ERROR_NOACCESS, 1);
	event_fill(&event, 1, 0);
	event.header.Flags |= WNODE_FLAG_USE_GUID_PTR;
	event.header.GuidPtr = 16;
	check_left("a class at 16", ERROR_NOACCESS, 1);
	event_fill(&event, 1, 0);
	event.header.Flags |= WNODE_FLAG_LOG_WNODE;
	check_left("LOG_WNODE", ERROR_NOT_SUPPORTED, 1);
	event_fill(&event, 1, 0);
	event.header.Size--;
	check_left("a Size below the header's", ERROR_INVALID_PARAMETER, 0);
	stop();
}

/* As many as an event may have, each of one byte */
static void send_most_fields(void)
{
	MOF_FIELD *field = (void *)event.data;
	static const char letters[] = "abcdefghijklmnop";
	int i;

	event_fill(&event, 6, 0x100);
	event.header.Flags |= WNODE_FLAG_USE_MOF_PTR;
	for (i = 0; i < 16; i++)
		DEFINE_TRACE_MOF_FIELD(&field[i], letters + i, 1, 0);
	check_code("0x100 bytes of MOF_FIELD", send(&event.header), 0);
}

static void test_pointers(void)
{
	uint32_t big = 40000, i;
	static uint8_t large[40000];
	struct records *records;
	MOF_FIELD *field = (void *)event.data;
	uint8_t *record;

	start("pointers", 0, 48, 0);
	for (i = 0; i < big; i++)
		large[i] = i * 7;
	event_fill(&event, 1, 3 * sizeof(*field));
	event.header.Flags |= WNODE_FLAG_USE_MOF_PTR | WNODE_FLAG_USE_GUID_PTR;
	event.header.GuidPtr = (uintptr_t)&test_class;
	DEFINE_TRACE_MOF_FIELD(&field[0], "abc", 3, 0);
	DEFINE_TRACE_MOF_FIELD(&field[1], NULL, 0, 0);
	DEFINE_TRACE_MOF_FIELD(&field[2], large, big, 0);
	check_code("USE_MOF_PTR and USE_GUID_PTR", send(&event.header), 0);
	event_fill(&event, 3, 8);
	event.header.Flags |= WNODE_FLAG_USE_TIMESTAMP;
	event.header.TimeStamp.QuadPart = 0x123456789A;
	check_code("USE_TIMESTAMP", send(&event.header), 0);
	event_fill(&event, 4, big);
	memcpy(event.data, large, big);
	check_code("40000 bytes", send(&event.header), 0);
	event_fill(&event, 5, 0xFF00);
	check_code("larger than a buffer", send(&event.header), ERROR_MORE_DATA);
	send_most_fields();
	stop();
	check("larger than a buffer: lost, and counted", session.fixed.EventsLost == 1);
	records = read_records();
	record = records->record[0];
	check("four events are there", records->count == 4);
	check("MOF_FIELDs follow each other, the class is in its place",
	      records->size[0] == 0x30 + 3 + big && !memcmp(record + 0x30, "abc", 3) &&
	      !memcmp(record + 0x33, large, big));
	check("the time stamp is the caller's",
	      take_bytes(records->record[1] + 0x10, 8) == 0x123456789A);
	check("large data are whole", !memcmp(records->record[2] + 0x30, large, big));
	check("16 MOF_FIELDs follow each other", records->size[3] == 0x40 &&
	      !memcmp(records->record[3] + 0x30, "abcdefghijklmnop", 16));
	free(records->file.bytes);
}

static void test_bad_addresses(void)
{
	void *nowhere = (void *)0x8000000000000000ULL, *low = (void *)16;
	MOF_FIELD *field = (void *)event.data;
	uint8_t *end = edge();
	EVENT_TRACE trace = { };
	struct records *records;
	long page = sysconf(_SC_PAGESIZE);
	uint8_t *copy = end - page;

	start("addresses", 0, 0, 0);
	check_code("event at 16", send(low), ERROR_NOACCESS);
	check_code("event at no address", send(nowhere), ERROR_NOACCESS);
	event_fill(&event, 1, 64);
	memcpy(end - 0x20, &event, 0x20);
	check_code("a header that ends behind the page", send(end - 0x20), ERROR_NOACCESS);
	memcpy(end - 0x60, &event, 0x60);
	check_code("data that end behind the page", send(end - 0x60), ERROR_NOACCESS);
	event_fill(&event, 1, 1000);
	memcpy(end - 0x100, &event, 0x100);
	check_code("large data that end behind the page", send(end - 0x100), ERROR_NOACCESS);
	event_fill(&event, 1, 0);
	memcpy(copy, &event, 0x30);
	mprotect(copy, page, PROT_READ);
	check_code("a header that can't be written", send(copy), ERROR_NOACCESS);
	mprotect(copy, page, PROT_READ | PROT_WRITE);
	event.header.Flags |= WNODE_FLAG_USE_GUID_PTR;
	event.header.GuidPtr = (uintptr_t)(end - 8);
	check_code("a class that ends behind the page", send(&event.header), ERROR_NOACCESS);
	event_fill(&event, 1, sizeof(*field));
	event.header.Flags |= WNODE_FLAG_USE_MOF_PTR;
	DEFINE_TRACE_MOF_FIELD(field, end - 1, 2, 0);
	check_code("a field that ends behind the page", send(&event.header), ERROR_NOACCESS);
	trace.Header.Size = sizeof(trace);
	trace.Header.Flags = NO_HEADER;
	trace.MofData = low;
	trace.MofLength = 100;
	check_code("NO_HEADER: a record at 16", send(&trace), ERROR_NOACCESS);
	check_code("a message's argument at 16", TraceMessage(handle, 0, NULL, 1, low, 3, NULL),
		   ERROR_NOACCESS);
	check_code("a message's class at 16",
		   TraceMessage(handle, TRACE_MESSAGE_GUID, low, 1, NULL), ERROR_NOACCESS);
	event_fill(&event, 9, 0);
	check_code("and after all that an event", send(&event.header), 0);
	stop();
	records = read_records();
	check("it alone is there", records->count == 1 && records->record[0][4] == 9);
	check("none of the others is lost: they were none", !session.fixed.EventsLost);
	free(records->file.bytes);
}

static sigjmp_buf back;
static volatile int faults;

static void own_handler(int number)
{
	(void)number;
	faults++;
	siglongjmp(back, 1);
}

static void test_other_faults(void)
{
	struct sigaction action = { .sa_handler = own_handler }, now;
	volatile int *volatile bad = (int *)16;

	sigaction(SIGSEGV, &action, NULL);
	start("faults", 0, 0, 0);
	if (!sigsetjmp(back, 1))
		*bad = 1;
	check("a fault of the program's own goes to its handler", faults == 1);
	check_code("ours doesn't", send((void *)16), ERROR_NOACCESS);
	check("ours doesn't reach its handler", faults == 1);
	stop();
	sigaction(SIGSEGV, NULL, &now);
	check("after the stop its handler is as it was", now.sa_handler == own_handler);
	action.sa_handler = SIG_DFL;
	sigaction(SIGSEGV, &action, NULL);
}

static void test_no_header(void)
{
	struct records *records;
	EVENT_TRACE trace = { };

	start("no_header", 0, 0, 0);
	event_fill(&event, 0x44, 8);
	event.header.MarkerFlags = 0xC0;
	event.header.HeaderType = 0x14;
	event.header.TimeStamp.QuadPart = 77;
	trace.Header.Size = 0x57;
	trace.Header.Flags = NO_HEADER;
	trace.MofData = &event;
	trace.MofLength = 0x38;
	check_code("NO_HEADER: Size 0x57", send(&trace), ERROR_INVALID_PARAMETER);
	trace.Header.Size = 0x58;
	check_code("NO_HEADER: Size 0x58", send(&trace), 0);
	trace.MofLength = 0x30;
	check_code("NO_HEADER: a record of another length", send(&trace),
		   ERROR_INVALID_PARAMETER);
	stop();
	records = read_records();
	check("NO_HEADER: the record is what was given, every byte", records->count == 1 &&
	      !memcmp(records->record[0], &event, 0x38));
	free(records->file.bytes);
}

static ULONG send_record(const void *record, ULONG size)
{
	EVENT_TRACE trace = { .Header = { .Size = sizeof(trace), .Flags = NO_HEADER } };

	trace.MofData = (void *)record;
	trace.MofLength = size;
	return send(&trace);
}

/* A WNODE_HEADER, with its size as the first word, and marker B */
static void test_historical(void)
{
	uint8_t wnode[0x38] = { 0x37, [0x20] = 0x99, [0x2E] = WNODE_FLAG_LOG_WNODE >> 16 };
	const uint32_t small[4] = { 0xB0010010, 7, 8, 9 }, full[2] = { 0xC0140008, 0 };
	struct records *records;

	start("historical", 0, 0, 0);
	check_code("a WNODE of another length", send_record(wnode, sizeof(wnode)),
		   ERROR_INVALID_PARAMETER);
	wnode[0] = 0x38;
	check_code("a WNODE", send_record(wnode, sizeof(wnode)), 0);
	check_code("less than a WNODE", send_record(wnode, 0x2F), ERROR_INVALID_PARAMETER);
	wnode[0x2E] = 0;
	check_code("a WNODE without its flag", send_record(wnode, sizeof(wnode)),
		   ERROR_INVALID_PARAMETER);
	wnode[0x2E] = WNODE_FLAG_LOG_WNODE >> 16;
	check_code("marker B", send_record(small, sizeof(small)), 0);
	check_code("marker B of another length", send_record(small, sizeof(small) - 1),
		   ERROR_INVALID_PARAMETER);
	check_code("of a header a part", send_record(full, sizeof(full)), ERROR_INVALID_PARAMETER);
	stop();
	records = read_records();
	check("historical records are what was given, every byte", records->count == 2 &&
	      !memcmp(records->record[0], wnode, sizeof(wnode)) &&
	      !memcmp(records->record[1], small, sizeof(small)));
	free(records->file.bytes);
}

static uint32_t sequence_of(const struct records *records, uint32_t i)
{
	return take_bytes(records->record[i] + 8, 4);
}

static void test_messages(void)
{
	const ULONG flags = TRACE_MESSAGE_SEQUENCE | TRACE_MESSAGE_COMPONENTID |
			    TRACE_MESSAGE_GUID | TRACE_MESSAGE_TIMESTAMP | TRACE_MESSAGE_SYSTEMINFO;
	static const ULONG mode[] = { 0, EVENT_TRACE_USE_LOCAL_SEQUENCE,
				      EVENT_TRACE_USE_GLOBAL_SEQUENCE,
				      EVENT_TRACE_USE_GLOBAL_SEQUENCE };
	static const uint32_t first[] = { 0, 1, 1, 3 }, second[] = { 0, 2, 2, 4 };
	struct records *records;
	uint8_t *record;
	char name[16];
	uint32_t i;

	for (i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "message%u", i);
		start(name, mode[i], 0, 0);
		check_code("a message", TraceMessage(handle, flags, &test_class, 0x321, "ab", 2,
						     "cde", 3, NULL), 0);
		check_code("another", TraceMessage(handle, TRACE_MESSAGE_SEQUENCE, NULL, 1, NULL),
			   0);
		check_code("flags that there are not",
			   TraceMessage(handle, 0x100, NULL, 1, NULL), ERROR_INVALID_PARAMETER);
		stop();
		records = read_records();
		check("sequence numbers as the mode says", records->count == 2 &&
		      sequence_of(records, 0) == first[i] && sequence_of(records, 1) == second[i]);
		record = records->record[0];
		check("the message's items in their order", records->size[0] == 8 + 4 + 4 + 8 + 8 + 5 &&
		      take_bytes(record + 4, 2) == 0x321 &&
		      take_bytes(record + 12, 4) == test_class.Data1 &&
		      take_bytes(record + 24, 4) == (uint32_t)gettid() &&
		      !memcmp(record + 32, "abcde", 5));
		free(records->file.bytes);
	}
}

/* No memory for a large event: the program's errno is none of ours. */
static void test_errno(void)
{
	struct rlimit limit, none;
	ULONG error;
	int err;

	start("errno", 0, 0, 0);
	event_fill(&event, 1, 8);
	send(&event.header);
	event_fill(&event, 1, 60000);
	getrlimit(RLIMIT_AS, &limit);
	none = limit;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_AS, &none);
	errno = 77;
	error = send(&event.header);
	err = errno;
	setrlimit(RLIMIT_AS, &limit);
	check_code("a large event without memory", error, ERROR_NOT_ENOUGH_MEMORY);
	check("errno is what it was", err == 77);
	stop();
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	directory = argv[1];
	/* first: the thread's memory for large events is for its life */
	test_errno();
	test_plain();
	test_refused();
	test_pointers();
	test_bad_addresses();
	test_other_faults();
	test_no_header();
	test_historical();
	test_messages();
	return 0;
}
