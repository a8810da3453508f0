// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A file beside real time: consumers get what the file has, and cannot harm it. */
#define _GNU_SOURCE
#include <grp.h>
#include <sched.h>
#include "live.h"
#include "live_beside.h"

static const GUID guid = { 0x58, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };
static const GUID lost_guid = {
	0x6a399ae0, 0x4bc6, 0x4de9, { 0x87, 0x0b, 0x36, 0x57, 0xf8, 0x94, 0x7e, 0x7e }
};

struct event {
	EVENT_TRACE_HEADER header;
	ULONG number;
	char data[0x3000];
};

static struct seen seen;

static void WINAPI on_event(EVENT_TRACE *event)
{
	ULONG number;

	seen.gaps += IsEqualGUID(&event->Header.Guid, &lost_guid) && event->Header.Class.Type == 33;
	if (!IsEqualGUID(&event->Header.Guid, &guid))
		return;
	memcpy(&number, event->MofData, sizeof(number));
	seen.disorder += seen.events && number <= seen.last;
	seen.last = number;
	seen.events++;
}

static ULONG WINAPI on_buffer(EVENT_TRACE_LOGFILEA *logfile)
{
	seen.buffers = logfile->BuffersRead;
	seen.lost = logfile->EventsLost;
	return TRUE;
}

/* Of a session, or of a file. @opened: gets a byte as soon as that is open; or -1 */
static void consume(char *session, char *file, int opened)
{
	EVENT_TRACE_LOGFILEA logfile = {
		.LoggerName = session, .LogFileName = file,
		.ProcessTraceMode = session ? PROCESS_TRACE_MODE_REAL_TIME : 0,
		.EventCallback = on_event, .BufferCallback = on_buffer,
	};
	PROCESSTRACE_HANDLE handle = OpenTraceA(&logfile);

	memset(&seen, 0, sizeof(seen));
	seen.open_error = handle == INVALID_PROCESSTRACE_HANDLE ? GetLastError() : 0;
	if (opened >= 0 && write(opened, "", 1) != 1)
		_exit(1);
	if (seen.open_error)
		return;
	seen.error = ProcessTrace(&handle, 1, NULL, NULL);
	CloseTrace(handle);
}

struct process consumer_begin(char *session, uid_t user)
{
	struct process process = { 0 };
	int ends[2];
	char byte;

	if (pipe(ends))
		return process;
	process.pid = fork();
	if (!process.pid) {
		close(ends[0]);
		if (user && (setgroups(0, NULL) || setgid(user) || setuid(user)))
			_exit(1);
		consume(session, NULL, ends[1]);
		_exit(write(ends[1], &seen, sizeof(seen)) != sizeof(seen));
	}
	close(ends[1]);
	process.result = ends[0];
	if (read(process.result, &byte, 1) != 1)
		printf("   the consumer did not begin\n");
	return process;
}

struct seen consumer_end(struct process process)
{
	struct seen result = { .open_error = ~0U };

	if (read(process.result, &result, sizeof(result)) != sizeof(result))
		printf("   the consumer has no result\n");
	close(process.result);
	waitpid(process.pid, NULL, 0);
	return result;
}

void consumer_kill(struct process process)
{
	kill(process.pid, SIGKILL);
	close(process.result);
	waitpid(process.pid, NULL, 0);
}

struct seen in_file(char *path)
{
	consume(NULL, path, -1);
	return seen;
}

TRACEHANDLE beside_start(const char *name, const char *path, ULONG timer, const ULONG *dwords,
			 size_t size)
{
	TRACE_ENABLE_FLAG_EXTENSION extension = {
		.Offset = offsetof(struct block, dwords), .Length = 0xFF, .Flag = 0x80,
	};
	TRACEHANDLE handle = 0;
	struct block block;

	prepare(&block, EVENT_TRACE_REAL_TIME_MODE | EVENT_TRACE_FILE_MODE_SEQUENTIAL);
	strcpy(block.file, path);
	block.p.BufferSize = 64;
	block.p.MaximumBuffers = 64;
	block.p.FlushTimer = timer;
	if (size) {
		memcpy(block.dwords, dwords, size);
		memcpy(&block.p.EnableFlags, &extension, sizeof(extension));
	}
	check_error("StartTrace() of a file and real time", StartTraceA(&handle, name, &block.p),
		    0);
	return handle;
}

/*
 * On one processor, so that the order is that of the numbers. Flushes leave free buffers, so that
 * the session loses nothing.
 */
ULONG beside_log(TRACEHANDLE handle, ULONG from, ULONG count)
{
	static struct event event;
	struct block block;
	cpu_set_t before, one;
	ULONG i, errors = 0;

	sched_getaffinity(0, sizeof(before), &before);
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	for (i = from; i < from + count; i++) {
		memset(&event.header, 0, sizeof(event.header));
		event.header.Size = sizeof(event);
		event.header.Guid = guid;
		event.number = i;
		errors += !!TraceEvent(handle, &event.header);
		if (i % 50 != 49)
			continue;
		prepare(&block, 0);
		errors += !!FlushTraceA(handle, NULL, &block.p);
	}
	sched_setaffinity(0, sizeof(before), &before);
	return errors;
}

static void check_modes(TRACEHANDLE handle)
{
	const ULONG both = EVENT_TRACE_REAL_TIME_MODE | EVENT_TRACE_FILE_MODE_SEQUENTIAL;
	EVENT_TRACE_PROPERTIES *array[1];
	struct block block;
	ULONG count = 0;

	prepare(&block, 0);
	check_error("QueryTrace() of it", QueryTraceA(handle, NULL, &block.p), 0);
	check("it has both modes, and the file", block.p.LogFileMode == both &&
	      !strcmp(block.file, "/tmp/beside.etl"));
	prepare(&block, 0);
	array[0] = &block.p;
	check_error("QueryAllTraces()", QueryAllTracesA(array, 1, &count), 0);
	check("it has them there, too", count == 1 && block.p.LogFileMode == both &&
	      !strcmp(block.file, "/tmp/beside.etl"));
}

static int is_whole(const struct seen *got, ULONG events)
{
	if (got->open_error || got->error || got->events != events || got->disorder || got->lost)
		printf("   errors %u %u, %u events, %u out of order, %u lost\n", got->open_error,
		       got->error, got->events, got->disorder, got->lost);
	return !got->open_error && !got->error && got->events == events && !got->disorder &&
	       !got->lost;
}

/* What the consumers may leave unread is more than all of it: they cannot be too slow. */
static void check_two(void)
{
	TRACEHANDLE handle = beside_start("beside", "/tmp/beside.etl", 0, NULL, 0);
	struct process one = consumer_begin("beside", 0), two = consumer_begin("Beside", 0);
	struct seen first, second, file;
	struct block block;

	check_modes(handle);
	check("events are logged", !beside_log(handle, 0, 400));
	prepare(&block, 0);
	check_error("StopTrace() with two consumers", StopTraceA(handle, NULL, &block.p), 0);
	first = consumer_end(one);
	second = consumer_end(two);
	file = in_file("/tmp/beside.etl");
	check("nothing is lost for any of them", !block.p.EventsLost &&
	      !block.p.RealTimeBuffersLost);
	check("the file has all events, in order", is_whole(&file, 400));
	check("StopTrace() ends the consumer, which has all events, in order",
	      is_whole(&first, 400));
	check("and the second one", is_whole(&second, 400));
}

/*
 * Twice as much as a consumer may leave unread. The timer does not flush, so that both consumers
 * get the first buffer.
 */
static void check_stopped(void)
{
	TRACEHANDLE handle = beside_start("halted", "/tmp/halted.etl", 3600, NULL, 0);
	struct process halted = consumer_begin("halted", 0), other = consumer_begin("halted", 0);
	struct seen first, second, file;
	struct block block, query;
	ULONG errors;

	kill(halted.pid, SIGSTOP);
	errors = beside_log(handle, 0, 1500);
	check("a stopped consumer delays no flush", !errors);
	prepare(&query, 0);
	check_error("QueryTrace() with a stopped consumer",
		    QueryTraceA(handle, NULL, &query.p), 0);
	check("RealTimeBuffersLost has what it does not get", query.p.RealTimeBuffersLost > 50);
	prepare(&block, 0);
	check_error("StopTrace() with a stopped consumer", StopTraceA(handle, NULL, &block.p), 0);
	file = in_file("/tmp/halted.etl");
	check("the file has all events on return", is_whole(&file, 1500) && !block.p.EventsLost);
	kill(halted.pid, SIGCONT);
	first = consumer_end(halted);
	second = consumer_end(other);
	printf("   stopped: %u events, %u lost, %u gaps, %u buffers of %u\n", first.events,
	       first.lost, first.gaps, first.buffers, file.buffers);
	printf("   other: %u events, %u lost; RealTimeBuffersLost %u\n", second.events,
	       second.lost, block.p.RealTimeBuffersLost);
	check("the stopped consumer goes on with what fits, in order", !first.error &&
	      first.events > 400 && !first.disorder);
	check("it gets an event of class RT_LostEvent", first.gaps);
	check("and the number of lost events", first.lost && first.events + first.lost == 1500);
	check("the other one has its own events and losses", !second.error &&
	      second.events + second.lost == 1500);
	check("RealTimeBuffersLost is exact", block.p.RealTimeBuffersLost +
	      first.buffers - first.gaps + second.buffers - second.gaps == 2 * file.buffers);
}

static void check_killed(void)
{
	TRACEHANDLE handle = beside_start("killed", "/tmp/survivor.etl", 0, NULL, 0);
	struct process killed = consumer_begin("killed", 0), other = consumer_begin("killed", 0);
	struct seen got, file;
	ULONG errors = beside_log(handle, 0, 200);

	consumer_kill(killed);
	errors += beside_log(handle, 200, 200);
	check("events are logged beside a killed consumer", !errors);
	check_error("StopTrace() after a consumer was killed", stop_session(handle), 0);
	got = consumer_end(other);
	file = in_file("/tmp/survivor.etl");
	check("the file has all events", is_whole(&file, 400));
	check("so has the other consumer", is_whole(&got, 400));
}

static void check_most(void)
{
	TRACEHANDLE handle = beside_start("many", "/tmp/many.etl", 0, NULL, 0);
	struct process all[8], more;
	unsigned int i, whole = 0;
	struct seen got;

	for (i = 0; i < 8; i++)
		all[i] = consumer_begin("many", 0);
	more = consumer_begin("many", 0);
	check("a ninth consumer is refused: 1450", consumer_end(more).open_error == 1450);
	consumer_kill(all[3]);
	all[3] = consumer_begin("many", 0);
	check("events are logged for eight consumers", !beside_log(handle, 0, 50));
	check_error("StopTrace() with eight consumers", stop_session(handle), 0);
	for (i = 0; i < 8; i++) {
		got = consumer_end(all[i]);
		whole += is_whole(&got, 50);
	}
	check("eight have all events, one of them in the place of a killed one", whole == 8);
}

static void check_update(void)
{
	TRACEHANDLE handle = beside_start("goes on", "/tmp/before.etl", 0, NULL, 0);
	struct process consumer = consumer_begin("goes on", 0);
	struct seen got, before, after;
	struct block block;

	check("events are logged before UpdateTrace()", !beside_log(handle, 0, 100));
	prepare(&block, EVENT_TRACE_REAL_TIME_MODE);
	strcpy(block.file, "/tmp/after.etl");
	check_error("UpdateTrace() to another file, with a consumer",
		    UpdateTraceA(handle, NULL, &block.p), 0);
	check("events are logged after it", !beside_log(handle, 100, 150));
	check_error("StopTrace() after UpdateTrace()", stop_session(handle), 0);
	got = consumer_end(consumer);
	before = in_file("/tmp/before.etl");
	after = in_file("/tmp/after.etl");
	check("the first file has the events before", is_whole(&before, 100));
	check("and the second one those after", is_whole(&after, 150));
	check("the consumer has both", is_whole(&got, 250));
}

void check_beside(void)
{
	check_two();
	check_stopped();
	check_killed();
	check_most();
	check_update();
	check_beside_rights();
}
