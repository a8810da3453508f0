// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* TraceEvent(), TraceMessage() and TraceEventInstance() into a session that runs. */
#include <fcntl.h>
#include <sys/resource.h>
#include "live.h"
#include "tests/unit/libetw/ignore_control.h"

static const GUID guid = { 0x52, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };

struct event {
	EVENT_TRACE_HEADER header;
	char data[0x110];
};

static void fill(struct event *event, USHORT size, ULONG flags)
{
	memset(event, 0, sizeof(*event));
	event->header.Size = size;
	event->header.Flags = flags;
	event->header.Guid = guid;
	event->header.Class.Type = 1;
}

static void check_header(TRACEHANDLE handle)
{
	TRACEHANDLE packed = handle | 4 << 16 | 0x77ULL << 32;
	struct event event, before;
	ULONG64 left;

	fill(&event, sizeof(event.header) + 8, 0);
	event.header.FieldTypeFlags = 0x55AA;
	before = event;
	check_error("TraceEvent() with level and flags in the handle",
		    TraceEvent(packed, &event.header), 0);
	memcpy(&left, &event.header.ThreadId, sizeof(left));
	check("the handle persists at offset 8", left == packed);
	memcpy(&event.header.ThreadId, &before.header.ThreadId, sizeof(left));
	check("every other edit is undone: FieldTypeFlags, TRACED_GUID",
	      !memcmp(&event, &before, sizeof(event)));
}

/* Whatever is wrong with the event */
static void check_refused_header(const char *what, TRACEHANDLE handle, struct event *event,
				 ULONG error)
{
	TRACEHANDLE left;
	char name[80];

	check_error(what, TraceEvent(handle, &event->header), error);
	memcpy(&left, &event->header.ThreadId, sizeof(left));
	snprintf(name, sizeof(name), "%s, the handle stays", what);
	check(name, left == handle);
	memset(&event->header.ThreadId, 0, sizeof(left));
}

static void check_refused(TRACEHANDLE handle)
{
	struct event event, *constant;

	fill(&event, sizeof(event.header), 0);
	event.header.ThreadId = 77;
	check_refused_header("TraceEvent() with handle 0: 6", 0, &event, 6);
	check_refused_header("TraceEvent() with handle 0xFFFF: 6", 0xFFFF, &event, 6);
	check_refused_header("TraceEvent() to no session: 6", 60, &event, 6);
	check_error("TraceEvent() at a bad address: 998", TraceEvent(handle, BAD), 998);
	fill(&event, 0x2F, 0);
	check_error("TraceEvent(), Size below the header: 87", TraceEvent(handle, &event.header),
		    87);
	fill(&event, sizeof(event), WNODE_FLAG_USE_MOF_PTR);
	check_refused_header("TraceEvent(), MOF_FIELDs over 0x100 bytes: 13", handle, &event, 13);
	fill(&event, sizeof(event.header), WNODE_FLAG_USE_GUID_PTR);
	event.header.GuidPtr = 0x1000;
	check_refused_header("TraceEvent(), a bad GuidPtr: 998", handle, &event, 998);
	constant = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	check_error("TraceEvent(), Size 0 in memory that is read only: 87",
		    TraceEvent(handle, &constant->header), 87);
	mprotect(constant, 4096, PROT_READ | PROT_WRITE);
	fill(constant, sizeof(event.header), 0);
	mprotect(constant, 4096, PROT_READ);
	check_error("TraceEvent(), a header that can't be edited: 998",
		    TraceEvent(handle, &constant->header), 998);
	munmap(constant, 4096);
}

static void check_options(TRACEHANDLE handle)
{
	MOF_FIELD field = { (ULONG_PTR)&guid, sizeof(guid), 0 };
	struct event event;

	fill(&event, sizeof(event.header), WNODE_FLAG_USE_TIMESTAMP);
	event.header.TimeStamp.QuadPart = 1;
	check_error("TraceEvent(), USE_TIMESTAMP: libetw's sessions take it",
		    TraceEvent(handle, &event.header), 0);
	fill(&event, sizeof(event.header) + sizeof(field),
	     WNODE_FLAG_USE_MOF_PTR | WNODE_FLAG_USE_GUID_PTR);
	event.header.GuidPtr = (ULONG_PTR)&guid;
	memcpy(event.data, &field, sizeof(field));
	check_error("TraceEvent(), USE_MOF_PTR and USE_GUID_PTR",
		    TraceEvent(handle, &event.header), 0);
	fill(&event, sizeof(event.header), WNODE_FLAG_NO_HEADER);
	check_error("TraceEvent(), NO_HEADER: not looked at in a session of the kernel's",
		    TraceEvent(handle, &event.header), 0);
}

static void check_messages(TRACEHANDLE handle)
{
	ULONG flags = TRACE_MESSAGE_GUID | TRACE_MESSAGE_TIMESTAMP;
	int number = 5;

	check_error("TraceMessage()", TraceMessage(handle, flags, &guid, 1, &number,
						   (ULONG)sizeof(number), NULL), 0);
	check_error("TraceMessage(), sizes may be size_t",
		    TraceMessage(handle, flags, &guid, 1, &number, sizeof(number), "x",
				 (size_t)2, NULL), 0);
	check_error("TraceMessage(), a bad GUID: 998",
		    TraceMessage(handle, flags, BAD, 1, NULL), 998);
	check_error("TraceMessage(), a bad argument: 998",
		    TraceMessage(handle, flags, &guid, 1, BAD, (ULONG)4, NULL), 998);
	check_error("TraceMessage(), unknown flags: 87",
		    TraceMessage(handle, 0x8000, &guid, 1, NULL), 87);
	check_error("TraceMessage(), handle 0: 6", TraceMessage(0, flags, &guid, 1, NULL), 6);
	check_error("TraceMessage() over 64 KB: 234",
		    TraceMessage(handle, flags, &guid, 1, &number, (ULONG)0x10000, NULL), 234);
}

static void check_instance(TRACEHANDLE handle, HANDLE class)
{
	EVENT_INSTANCE_INFO info;
	struct {
		EVENT_INSTANCE_HEADER header;
		MOF_FIELD field[17];
	} event;
	ULONG64 left;

	CreateTraceInstanceId(class, &info);
	memset(&event, 0, sizeof(event));
	event.header.Size = sizeof(event.header) + 16;
	event.header.Flags = WNODE_FLAG_TRACED_GUID;
	check_error("TraceEventInstance()",
		    TraceEventInstance(handle, &event.header, &info, NULL), 0);
	memcpy(&left, &event.header.ThreadId, sizeof(left));
	check("an instance's header keeps the handle, too", left == handle);
	event.header.Flags = WNODE_FLAG_TRACED_GUID | WNODE_FLAG_USE_MOF_PTR;
	event.field[0].DataPtr = (ULONG_PTR)&guid;
	event.field[0].Length = 8;
	check_error("TraceEventInstance(), USE_MOF_PTR",
		    TraceEventInstance(handle, &event.header, &info, &info), 0);
	event.header.Size = sizeof(event);
	check_error("TraceEventInstance(), MOF_FIELDs over 0x100 bytes: 13",
		    TraceEventInstance(handle, &event.header, &info, NULL), 13);
	event.header.Size = 0x37;
	check_error("TraceEventInstance(), Size below the header: 87",
		    TraceEventInstance(handle, &event.header, &info, NULL), 87);
	event.header.Size = 0x38;
	event.header.Flags = WNODE_FLAG_TRACED_GUID;
	check_error("TraceEventInstance(), handle 0: 6",
		    TraceEventInstance(0, &event.header, &info, NULL), 6);
	info.RegHandle = (HANDLE)0x77;
	check_error("TraceEventInstance(), no such class: 87",
		    TraceEventInstance(handle, &event.header, &info, NULL), 87);
}

static int is_provider(int fd)
{
	struct stat node, stats;

	return !stat("/dev/etw/provider", &node) && !fstat(fd, &stats) &&
	       node.st_rdev == stats.st_rdev;
}

/* Our number becomes that of a file of the program's: a child has it, and so has its parent. */
static void check_other_file(struct event *event, TRACEHANDLE handle)
{
	int other = open("/tmp/other", O_RDWR | O_CREAT, 0600), status = -1, fd = 3;
	struct stat stats;
	pid_t child;

	while (fd < 1024 && !is_provider(fd))
		fd++;
	dup2(other, fd);
	child = fork();
	if (!child)
		_exit(!!fstat(fd, &stats));
	waitpid(child, &status, 0);
	check("a child has a file of the number that was ours", fd < 1024 && !status);
	check_error("the parent opens another node", TraceEvent(handle, &event->header), 0);
	check("and leaves the file alone", !fstat(fd, &stats) && !stats.st_size);
	close(fd);
	close(other);
}

/* A child opens its own node. Ours may have been closed, too. */
static void check_descriptors(TRACEHANDLE handle)
{
	struct event event;
	int status = -1, fd;
	pid_t child = fork();

	fill(&event, sizeof(event.header), 0);
	if (!child)
		_exit(TraceEvent(handle, &event.header));
	waitpid(child, &status, 0);
	check("a child may go on with its parent's session", !status);
	for (fd = 3; fd < 64; fd++)
		close(fd);
	check_error("a program may close all its descriptors",
		    TraceEvent(handle, &event.header), 0);
	check_other_file(&event, handle);
}

/* What is copied needs no descriptor, once the node is open. */
static void check_without_descriptors(TRACEHANDLE handle, HANDLE class)
{
	EVENT_INSTANCE_HEADER event = { .Size = sizeof(event), .Flags = WNODE_FLAG_TRACED_GUID };
	struct rlimit none = { 0, 0 };
	EVENT_INSTANCE_INFO info;
	int status = -1;
	pid_t child = fork();

	if (!child) {
		CreateTraceInstanceId(class, &info);
		if (TraceEventInstance(handle, &event, &info, NULL) ||
		    setrlimit(RLIMIT_NOFILE, &none))
			_exit(1);
		_exit(TraceEventInstance(handle, &event, &info, &info));
	}
	waitpid(child, &status, 0);
	check("TraceEventInstance() when no descriptor is free", !status);
}

void check_events(void)
{
	TRACE_GUID_REGISTRATION class = { &guid, NULL };
	TRACEHANDLE handle = start_session("events"), registration;
	struct event event;

	check_descriptors(handle);
	check_header(handle);
	check_refused(handle);
	check_options(handle);
	check_messages(handle);
	RegisterTraceGuidsA(ignore_control, NULL, &guid, 1, &class, NULL, NULL, &registration);
	check_instance(handle, class.RegHandle);
	check_without_descriptors(handle, class.RegHandle);
	UnregisterTraceGuids(registration);
	stop_session(handle);
	fill(&event, sizeof(event.header), 0);
	check_error("TraceEvent() to a session that has ended: 6",
		    TraceEvent(handle, &event.header), 6);
}
