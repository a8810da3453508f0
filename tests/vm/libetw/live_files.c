// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Sessions with files: what is in them at StopTrace(), in every mode. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include "live.h"
#include "tests/unit/libetw/writer_process.h"

static const GUID guid = { 0x54, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };

struct event {
	EVENT_TRACE_HEADER header;
	ULONG number;
	char data[0x3000];
};

static TRACEHANDLE start(const char *name, const char *path, ULONG mode, ULONG size)
{
	TRACEHANDLE handle = 0;
	struct block block;

	prepare(&block, mode);
	strcpy(block.file, path);
	block.p.BufferSize = 64;
	block.p.MaximumBuffers = 64;
	block.p.MaximumFileSize = size;
	check_error(name, StartTraceA(&handle, name, &block.p), 0);
	return handle;
}

/* Return: how many went in; those behind a full file have no session */
static int log_events(TRACEHANDLE handle, int count)
{
	static struct event event;
	int i, done = 0;

	for (i = 0; i < count; i++) {
		memset(&event.header, 0, sizeof(event.header));
		event.header.Size = sizeof(event);
		event.header.Guid = guid;
		event.number = i;
		done += !TraceEvent(handle, &event.header);
		if (i % 16 == 15)
			Sleep(2);
	}
	return done;
}

static void check_plain(void)
{
	TRACEHANDLE handle = start("plain", "/tmp/plain.etl", EVENT_TRACE_FILE_MODE_NONE, 0);
	struct block block;
	int done = log_events(handle, 200);

	prepare(&block, 0);
	check_error("StopTrace() of a session with a file",
		    StopTraceA(handle, NULL, &block.p), 0);
	check("it returns the file and that nothing is lost", !block.p.EventsLost &&
	      block.p.BuffersWritten > 30 && !strcmp(block.file, "/tmp/plain.etl"));
	check("the file has all of it on return", done == 200 &&
	      file_size("/tmp/plain.etl") > 200 * 0x3000);
	check("nothing of the session is left", QueryTraceA(0, "plain", &block.p) == 4201);
}

/* Each time: one look could find what the thread that writes was just in time for. */
static void check_flushed(void)
{
	TRACEHANDLE handle = start("flushed", "/tmp/flushed.etl", EVENT_TRACE_FILE_MODE_SEQUENTIAL,
				   0);
	int i, grown = 0, errors = 0;
	struct block block;
	long long size;

	for (i = 0; i < 50; i++) {
		size = file_size("/tmp/flushed.etl");
		log_events(handle, 1);
		prepare(&block, 0);
		errors += FlushTraceA(handle, NULL, &block.p) != 0;
		grown += file_size("/tmp/flushed.etl") >= size + 0x3000;
	}
	check("FlushTrace() returns when the flushed buffers are in the file",
	      grown == 50 && !errors);
	stop_session(handle);
}

/* The session's writer is held: nothing reads the session. */
static void check_held_reader(void)
{
	TRACEHANDLE handle = start("held", "/tmp/held.etl", EVENT_TRACE_FILE_MODE_SEQUENTIAL, 0);
	pid_t writer = writer_of("/tmp/held.etl");
	struct block block;

	check("a session with a file has a writer", writer > 0);
	if (writer <= 0)
		return;
	kill(writer, SIGSTOP);
	log_events(handle, 1);
	prepare(&block, 0);
	check_error("FlushTrace() of a session with a reader that takes no buffer: 1460",
		    FlushTraceA(0, "held", &block.p), 1460);
	kill(writer, SIGCONT);
	prepare(&block, 0);
	check_error("FlushTrace() when the reader goes on", FlushTraceA(0, "held", &block.p), 0);
	check_error("StopTrace() of it", stop_session(handle), 0);
}

static void check_sized(void)
{
	TRACEHANDLE handle = start("circular", "/tmp/circular.etl",
				   EVENT_TRACE_FILE_MODE_CIRCULAR, 1);

	log_events(handle, 200);
	check_error("StopTrace(), circular", stop_session(handle), 0);
	check("a circular file keeps its size", file_size("/tmp/circular.etl") <= 1 << 20);
	handle = start("newfile", "/tmp/new%d.etl", EVENT_TRACE_FILE_MODE_NEWFILE, 1);
	log_events(handle, 200);
	check_error("StopTrace(), newfile", stop_session(handle), 0);
	check("another file after each megabyte", file_size("/tmp/new1.etl") > 0 &&
	      file_size("/tmp/new2.etl") > 0);
	handle = start("full", "/tmp/full.etl", EVENT_TRACE_FILE_MODE_SEQUENTIAL |
		       EVENT_TRACE_USE_KBYTES_FOR_SIZE, 512);
	log_events(handle, 200);
	Sleep(500);
	check_error("a session ends when its file is full: 4201", stop_session(handle), 4201);
	check("MaximumFileSize may be in KB", file_size("/tmp/full.etl") > 0 &&
	      file_size("/tmp/full.etl") <= 512 << 10);
}

static void check_relative(void)
{
	TRACEHANDLE handle;
	struct block block;

	if (chdir("/tmp"))
		return;
	handle = start("relative", "relative.etl", EVENT_TRACE_FILE_MODE_SEQUENTIAL, 0);
	prepare(&block, EVENT_TRACE_FILE_MODE_SEQUENTIAL);
	strcpy(block.file, "relative.etl");
	check_error("a file that another session writes: 32",
		    StartTraceA(&handle, "rival", &block.p), 32);
	prepare(&block, 0);
	QueryTraceA(0, "relative", &block.p);
	check("a session knows its file by the whole path",
	      !strcmp(block.file, "/tmp/relative.etl"));
	check_error("StopTrace() by another name of it", StopTraceA(0, "relative", &block.p), 0);
}

static void check_memory(void)
{
	TRACEHANDLE handle = 0;
	struct block block;

	prepare(&block, EVENT_TRACE_BUFFERING_MODE);
	block.p.LogFileNameOffset = 0;
	check_error("a session in memory", StartTraceA(&handle, "memory", &block.p), 0);
	log_events(handle, 10);
	prepare(&block, 0);
	strcpy(block.file, "/tmp/memory.etl");
	check_error("FlushTrace() with a file: a copy of what is in memory",
		    FlushTraceA(handle, NULL, &block.p), 0);
	check("it is in the file", file_size("/tmp/memory.etl") > 10 * 0x3000);
	check_error("StopTrace() of a session in memory", stop_session(handle), 0);
}

/* Two at a time, each with a writer, and a child that must not hold them */
static void check_child(void)
{
	TRACEHANDLE a = start("a", "/tmp/a.etl", EVENT_TRACE_FILE_MODE_SEQUENTIAL, 0);
	TRACEHANDLE b = start("b", "/tmp/b.etl", EVENT_TRACE_FILE_MODE_SEQUENTIAL, 0);
	pid_t child = fork();

	if (!child) {
		Sleep(20000);
		_exit(0);
	}
	log_events(a, 20);
	log_events(b, 20);
	check("two sessions with files end beside a child", !stop_session(a) && !stop_session(b));
	check("a child holds neither session nor file",
	      start("a", "/tmp/a.etl", EVENT_TRACE_FILE_MODE_SEQUENTIAL, 0) == a);
	stop_session(a);
	kill(child, 9);
	waitpid(child, NULL, 0);
}

/* Whether a descriptor of the program's is that file */
static int is_open(const char *path)
{
	struct stat what, stats;
	int fd;

	if (stat(path, &what))
		return 0;
	for (fd = 0; fd < 1024; fd++)
		if (!fstat(fd, &stats) && stats.st_dev == what.st_dev &&
		    stats.st_ino == what.st_ino)
			return 1;
	return 0;
}

/* A program closes what it does not know, as daemons do, and its own files get the numbers. */
static void check_closed(void)
{
	TRACEHANDLE handle = start("closed", "/tmp/closed.etl", EVENT_TRACE_FILE_MODE_SEQUENTIAL, 0);
	int own[400], i, done, untouched = 1;
	struct block block;
	struct stat stats;
	char node[64];

	snprintf(node, sizeof(node), "/dev/etw/session%u", (unsigned int)handle);
	check("stream and file are not among the program's descriptors",
	      !is_open(node) && !is_open("/tmp/closed.etl"));
	done = log_events(handle, 20);
	for (i = 3; i < 1024; i++)
		close(i);
	for (i = 0; i < 400; i++)
		own[i] = open("/tmp/own", O_RDWR | O_CREAT, 0600);
	done += log_events(handle, 200);
	prepare(&block, 0);
	check_error("FlushTrace() by a program that closed all", FlushTraceA(handle, NULL, &block.p),
		    0);
	check_error("and StopTrace()", StopTraceA(handle, NULL, &block.p), 0);
	check("no event is lost", done == 220 && !block.p.EventsLost && !block.p.LogBuffersLost);
	for (i = 0; i < 400; i++) {
		untouched &= !fstat(own[i], &stats) && !stats.st_size;
		close(own[i]);
	}
	check("its own files are as they were", untouched);
}

/* What the program has open it alone has: the reader of the pipe waits for its end. */
static void check_pipe(void)
{
	TRACEHANDLE handle;
	struct pollfd end;
	int fds[2];
	char c;

	if (pipe(fds))
		return;
	handle = start("pipe", "/tmp/pipe.etl", EVENT_TRACE_FILE_MODE_SEQUENTIAL, 0);
	close(fds[1]);
	end = (struct pollfd){ .fd = fds[0], .events = POLLIN };
	check("a session does not hold the program's pipe",
	      poll(&end, 1, 60000) == 1 && !read(fds[0], &c, 1));
	close(fds[0]);
	stop_session(handle);
}

/* A file that can't grow: what does not go into it stays the session's, which counts it. */
static void check_full_disk(void)
{
	struct rlimit before, little;
	struct block block;
	TRACEHANDLE handle;

	getrlimit(RLIMIT_FSIZE, &before);
	little = before;
	little.rlim_cur = 300 << 10;
	setrlimit(RLIMIT_FSIZE, &little);
	handle = start("little", "/tmp/little.etl", EVENT_TRACE_FILE_MODE_SEQUENTIAL, 0);
	log_events(handle, 200);
	prepare(&block, 0);
	check_error("a session with a file that can't grow runs",
		    QueryTraceA(handle, NULL, &block.p), 0);
	prepare(&block, 0);
	check_error("FlushTrace() of it: 112", FlushTraceA(handle, NULL, &block.p), 112);
	prepare(&block, 0);
	block.p.EventsLost = 0xABCD;
	check_error("StopTrace() of it: 112", StopTraceA(handle, NULL, &block.p), 112);
	/* five fit into a buffer; what was thrown away unread, and what was read and not written */
	check("its numbers are returned all the same: events and buffers were lost",
	      block.p.EventsLost > 100 && block.p.EventsLost < 200 && block.p.LogBuffersLost);
	check("the file is as large as it may be", file_size("/tmp/little.etl") > 0 &&
	      file_size("/tmp/little.etl") <= 300 << 10);
	check("nothing of the session is left", QueryTraceA(0, "little", &block.p) == 4201);
	setrlimit(RLIMIT_FSIZE, &before);
}

void check_files(void)
{
	check_plain();
	check_flushed();
	check_held_reader();
	check_sized();
	check_relative();
	check_memory();
	check_child();
	check_closed();
	check_pipe();
	check_full_disk();
}
