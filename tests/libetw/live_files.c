// SPDX-License-Identifier: GPL-2.0
/* Sessions with files: what is in them at StopTrace(), in every mode. */
#include <fcntl.h>
#include "live.h"

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
	check("it tells the file and that nothing is lost", !block.p.EventsLost &&
	      block.p.BuffersWritten > 30 && !strcmp(block.file, "/tmp/plain.etl"));
	check("the file has all of it on return", done == 200 &&
	      file_size("/tmp/plain.etl") > 200 * 0x3000);
	check("nothing of the session is left", QueryTraceA(0, "plain", &block.p) == 4201);
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

/* Two at a time, each with a thread that writes, and a child that must not hold them */
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

/* The number of our descriptor that is @what is @instead's from now on. Return: it, or -1 */
static int take_number(const struct stat *what, int instead)
{
	struct stat stats;
	int fd;

	for (fd = 3; fd < 1024; fd++)
		if (fd != instead && !fstat(fd, &stats) && stats.st_dev == what->st_dev &&
		    stats.st_ino == what->st_ino)
			return dup2(instead, fd);
	return -1;
}

static int is_still(int fd, const struct stat *what)
{
	struct stat stats;

	return fd >= 0 && !fstat(fd, &stats) && stats.st_ino == what->st_ino && !stats.st_size;
}

/* A program closes what it does not know, and its own files get the numbers. */
static void check_closed(const char *name, int file, int stream)
{
	char node[64], path[64], untouched[96];
	int own, other, fds[2] = { -1, -1 };
	struct stat stats, of_own;
	struct block block;
	TRACEHANDLE handle;
	ULONG error;

	snprintf(path, sizeof(path), "/tmp/%s.etl", name);
	handle = start(name, path, EVENT_TRACE_FILE_MODE_SEQUENTIAL, 0);
	log_events(handle, 20);
	own = open("/tmp/own", O_RDWR | O_CREAT | O_TRUNC, 0600);
	other = open("/tmp/own", O_RDONLY);
	fstat(own, &of_own);
	snprintf(node, sizeof(node), "/dev/etw/session%u", (unsigned int)handle);
	/* in this order: without its stream the thread closes the file itself */
	if (file && !stat(path, &stats))
		fds[1] = take_number(&stats, own);
	if (stream && !stat(node, &stats))
		fds[0] = take_number(&stats, own);
	check("the program has other files of the session's numbers",
	      (fds[0] >= 0) == stream && (fds[1] >= 0) == file);
	log_events(handle, 200);
	prepare(&block, 0);
	check_error("FlushTrace() of a session whose file was closed",
		    FlushTraceA(handle, NULL, &block.p), 0);
	Sleep(500);
	check_error("it runs", QueryTraceA(handle, NULL, &block.p), 0);
	/* with the stream the thread has gone, by now or when the session ends */
	error = stop_session(handle);
	check("StopTrace() of it: 0, or 6 as long as its thread is there",
	      error == 6 || (stream && !error));
	snprintf(untouched, sizeof(untouched), "%s: the program's files are as they were", name);
	check(untouched, is_still(own, &of_own) && is_still(other, &of_own) &&
	      (!stream || is_still(fds[0], &of_own)) && (!file || is_still(fds[1], &of_own)));
	check("nothing of the session is left", QueryTraceA(0, name, &block.p) == 4201);
	close(own);
	close(other);
	close(fds[0]);
	close(fds[1]);
}

void check_files(void)
{
	check_plain();
	check_sized();
	check_relative();
	check_memory();
	check_child();
	check_closed("closed-both", 1, 1);
	check_closed("closed-stream", 0, 1);
	check_closed("closed-file", 1, 0);
}
