// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A child of fork() and its parent's traces: they are none of its, and it doesn't hold them. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <evntrace.h>
#include <evntcons.h>
#include "tests/unit/libetw/check.h"

/*
 * forked FILE PIPE: FILE is a trace, of which PIPE, which is made, gets the first buffer, and no
 * more before the child is gone.
 */
static PROCESSTRACE_HANDLE handle;
static atomic_bool heard, waits;
static atomic_uint polls;
static pid_t parent;

int __real_poll(struct pollfd *fds, nfds_t count, int timeout);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);

/* The library's as well: see test_files */
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	polls++;
	waits = true;
	return __real_poll(fds, count, timeout);
}

static void on_event(PEVENT_RECORD record)
{
	(void)record;
	heard = true;
}

static void *process(void *error)
{
	*(ULONG *)error = ProcessTrace(&handle, 1, NULL, NULL);
	return NULL;
}

struct feed {
	const char *from;
	const char *to;
	int fd;
};

/* Opened by a thread: open() of a pipe waits for the other end */
static void *feed(void *argument)
{
	struct feed *feed = argument;
	int in = open(feed->from, O_RDONLY | O_CLOEXEC);
	uint32_t size = 0;
	char *buffer;

	feed->fd = open(feed->to, O_WRONLY | O_CLOEXEC);
	if (pread(in, &size, sizeof(size), 0) != sizeof(size))
		abort();
	buffer = malloc(size);
	if (read(in, buffer, size) != (ssize_t)size || write(feed->fd, buffer, size) != (ssize_t)size)
		abort();
	free(buffer);
	close(in);
	return NULL;
}

static bool has_open(const char *name)
{
	struct stat wanted, found;
	int fd;

	if (stat(name, &wanted))
		return true;
	for (fd = 3; fd < 1024; fd++)
		if (!fstat(fd, &found) && found.st_dev == wanted.st_dev &&
		    found.st_ino == wanted.st_ino && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY)
			return true;
	return false;
}

/* Return: 0, or which of these was wrong */
static int child(const char *name)
{
	ULONG error = CloseTrace(handle);

	if (error != ERROR_INVALID_HANDLE)
		return 1;
	if (has_open(name))
		return 2;
	return ProcessTrace(&handle, 1, NULL, NULL) == ERROR_INVALID_HANDLE ? 0 : 3;
}

static EVENT_TRACE_LOGFILEA logfile_of(const char *name)
{
	EVENT_TRACE_LOGFILEA logfile;

	memset(&logfile, 0, sizeof(logfile));
	logfile.LogFileName = (char *)(uintptr_t)name;
	logfile.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD;
	logfile.EventRecordCallback = on_event;
	return logfile;
}

static atomic_int status_of_callback;

/* The child goes on in its parent's ProcessTrace(), with what was read before */
static void fork_once(PEVENT_RECORD record)
{
	static bool done;
	int status = -1;
	pid_t pid;

	(void)record;
	if (done)
		return;
	done = true;
	pid = fork();
	if (!pid)
		return;
	waitpid(pid, &status, 0);
	status_of_callback = status;
}

static void check_callback(const char *name)
{
	EVENT_TRACE_LOGFILEA logfile = logfile_of(name);
	ULONG error;

	logfile.EventRecordCallback = fork_once;
	handle = OpenTraceA(&logfile);
	error = ProcessTrace(&handle, 1, NULL, NULL);
	if (getpid() != parent)
		_exit(CloseTrace(handle) != ERROR_INVALID_HANDLE);
	check_error("ProcessTrace() with a callback that forks", error, 0);
	check("the child comes out of it, and its handle is none", !status_of_callback);
	check_error("CloseTrace() of it", CloseTrace(handle), 0);
}

int main(int argc, char **argv)
{
	struct feed from = { .fd = -1 };
	EVENT_TRACE_LOGFILEA logfile;
	pthread_t feeder, processor;
	ULONG error = 1;
	int status = -1;
	unsigned int before;
	pid_t pid;

	if (argc != 3)
		return 2;
	parent = getpid();
	alarm(120);
	unlink(argv[2]);
	if (mkfifo(argv[2], 0600))
		return 2;
	from.from = argv[1];
	from.to = argv[2];
	pthread_create(&feeder, NULL, feed, &from);
	logfile = logfile_of(argv[2]);
	handle = OpenTraceA(&logfile);
	check("a pipe is opened", handle != INVALID_PROCESSTRACE_HANDLE);
	pthread_join(feeder, NULL);
	pthread_create(&processor, NULL, process, &error);
	while (!waits)
		usleep(1000);
	pid = fork();
	if (!pid)
		_exit(child(argv[2]));
	waitpid(pid, &status, 0);
	if (status)
		printf("   the child's status is 0x%x\n", status);
	check("a child has neither its parent's handles nor the stream", !status);
	before = polls;
	usleep(500000);
	/* a waiting reader is not woken all the time */
	check("ProcessTrace() of the parent waits", polls - before < 50);
	close(from.fd);
	pthread_join(processor, NULL);
	check("it ends when the stream does", !error && heard);
	check_error("CloseTrace()", CloseTrace(handle), 0);
	unlink(argv[2]);
	check_callback(argv[1]);
	return failures != 0;
}
