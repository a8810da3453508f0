// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A program that closes all descriptors, and has files of its own under their numbers. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>
#include <evntrace.h>
#include <evntcons.h>
#include "tests/unit/libetw/check.h"

static const char usage[] =
	"closed FILE COPY PIPE    FILE is a trace, COPY another file with the same in it; PIPE,\n"
	"                         which is made, gets two buffers of it\n"
	"closed SESSION           SESSION is there, and its stream has an end\n";

#define NUMBERS	1024
/* Of FILE: the header buffer, and the next */
#define TWO_BUFFERS	8192

/* What was open before libetw opened anything; what is ours under its numbers */
static bool was_open[NUMBERS], is_taken[NUMBERS];
static PROCESSTRACE_HANDLE handle;
static ULONG events, take_at, close_result;
static bool close_then;
static atomic_bool waits;
static int own = -1;

int __real_poll(struct pollfd *fds, nfds_t count, int timeout);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);

/* The library's as well: see test_files */
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	waits = true;
	return __real_poll(fds, count, timeout);
}

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/* Every number of libetw's becomes one of @own's. */
static void take_numbers(void)
{
	int fd;

	for (fd = 3; fd < NUMBERS; fd++) {
		is_taken[fd] = fd != own && !was_open[fd] && is_open(fd);
		if (is_taken[fd] && dup2(own, fd) != fd)
			abort();
	}
}

/* An eventfd with 1 in it, which is never read or written */
static bool is_as_it_was(void)
{
	eventfd_t value = 0;
	bool good = true;
	int fd;

	for (fd = 3; fd < NUMBERS; fd++) {
		good &= !is_taken[fd] || is_open(fd);
		if (is_taken[fd])
			close(fd);
	}
	return !eventfd_read(own, &value) && value == 1 && good;
}

static void on_event(PEVENT_RECORD record)
{
	(void)record;
	if (++events != take_at)
		return;
	take_numbers();
	if (close_then)
		close_result = CloseTrace(handle);
}

/* @at: the event at which the numbers are taken; 0: none */
static void open_trace(const char *name, bool session, ULONG at)
{
	EVENT_TRACE_LOGFILEA logfile = { .EventRecordCallback = on_event };
	int fd;

	events = 0;
	take_at = at;
	close_then = false;
	close(own);
	own = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
	for (fd = 3; fd < NUMBERS; fd++)
		was_open[fd] = is_open(fd);
	logfile.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD;
	if (session)
		logfile.ProcessTraceMode |= PROCESS_TRACE_MODE_REAL_TIME;
	*(session ? &logfile.LoggerName : &logfile.LogFileName) = (char *)(uintptr_t)name;
	handle = OpenTraceA(&logfile);
	check("a trace is opened", handle != INVALID_PROCESSTRACE_HANDLE);
}

static void check_unused(const char *name)
{
	open_trace(name, false, 0);
	take_numbers();
	check_error("CloseTrace()", CloseTrace(handle), 0);
	check("closes no file of the program's", is_as_it_was());
}

/* A reader of the other one finds events. */
static void check_other_trace(const char *name, const char *copy, ULONG all)
{
	int fd;

	open_trace(name, false, 5);
	close(own);
	own = open(copy, O_RDONLY | O_CLOEXEC);
	check_error("ProcessTrace() of a file with another trace's number: 6",
		    ProcessTrace(&handle, 1, NULL, NULL), 6);
	check("no event is the other one's", events >= 5 && events < all);
	check_error("ProcessTrace() of it again: 6", ProcessTrace(&handle, 1, NULL, NULL), 6);
	take_at = 0;
	check_error("CloseTrace() of it", CloseTrace(handle), 0);
	for (fd = 3; fd < NUMBERS; fd++)
		if (is_taken[fd])
			check("the other one is open", !close(fd));
}

static void check_file(const char *name, const char *copy)
{
	ULONG at, all;

	open_trace(name, false, 0);
	ProcessTrace(&handle, 1, NULL, NULL);
	CloseTrace(handle);
	all = events;
	for (at = 1; at < 6; at += 4) {
		open_trace(name, false, at);
		check_error("ProcessTrace() of a file that a callback closes: 6",
			    ProcessTrace(&handle, 1, NULL, NULL), 6);
		check("what is left of it is not delivered", events >= at && events < all);
		check_error("CloseTrace() of it", CloseTrace(handle), 0);
		check("a file under its number is as it was", is_as_it_was());
		open_trace(name, false, at);
		close_then = true;
		check_error("ProcessTrace() of one that is asked to end, too",
			    ProcessTrace(&handle, 1, NULL, NULL), 0);
		check("CloseTrace() said so", close_result == ERROR_CTX_CLOSE_PENDING);
		check("nothing follows", events == at);
		check("a file under its number is as it was", is_as_it_was());
	}
	check_other_trace(name, copy, all);
}

/* Return: its other end, that stays open */
static int make_pipe(const char *file, const char *name)
{
	static char bytes[TWO_BUFFERS];
	int in = open(file, O_RDONLY | O_CLOEXEC), out;

	unlink(name);
	if (mkfifo(name, 0600))
		abort();
	out = open(name, O_RDWR | O_CLOEXEC);
	if (read(in, bytes, TWO_BUFFERS) != TWO_BUFFERS || write(out, bytes, TWO_BUFFERS) < 0)
		abort();
	close(in);
	return out;
}

static void check_stream(const char *file, const char *name)
{
	int out = make_pipe(file, name);

	/* the header event, and one of the next buffer */
	open_trace(name, false, 5);
	check_error("ProcessTrace() of a stream that a callback closes: 6",
		    ProcessTrace(&handle, 1, NULL, NULL), 6);
	check("what was read of it is delivered", events == 12);
	check_error("CloseTrace() of it", CloseTrace(handle), 0);
	check("a file under its number is as it was", is_as_it_was());
	close(out);
	out = make_pipe(file, name);
	open_trace(name, false, 5);
	close_then = true;
	check_error("ProcessTrace() of one that is asked to end, too",
		    ProcessTrace(&handle, 1, NULL, NULL), 0);
	check("CloseTrace() said so", close_result == ERROR_CTX_CLOSE_PENDING);
	check("a file under its number is as it was", is_as_it_was());
	close(out);
}

static void *process(void *error)
{
	*(ULONG *)error = ProcessTrace(&handle, 1, NULL, NULL);
	return NULL;
}

/* Whether it hears first that its file is gone, or that it is to end, is not specified. */
static void check_waiting(const char *file, const char *name)
{
	int out = make_pipe(file, name);
	ULONG error = 1, closed;
	pthread_t thread;

	open_trace(name, false, 0);
	waits = false;
	pthread_create(&thread, NULL, process, &error);
	while (!waits)
		usleep(1000);
	take_numbers();
	closed = CloseTrace(handle);
	check("CloseTrace() of a stream that is waited for",
	      !closed || closed == ERROR_CTX_CLOSE_PENDING);
	pthread_join(thread, NULL);
	check("ProcessTrace() ends", !error || error == ERROR_INVALID_HANDLE);
	check("a file under its number is as it was", is_as_it_was());
	close(out);
	unlink(name);
}

static void check_session(const char *name)
{
	open_trace(name, true, 0);
	take_numbers();
	check_error("ProcessTrace() opens a session again",
		    ProcessTrace(&handle, 1, NULL, NULL), 0);
	check("and delivers its events", events > 5);
	check_error("CloseTrace() of it", CloseTrace(handle), 0);
	check("a file under its number is as it was", is_as_it_was());
}

int main(int argc, char **argv)
{
	int fd;

	alarm(120);
	if (argc == 2) {
		check_session(argv[1]);
		return failures != 0;
	}
	if (argc != 4) {
		fputs(usage, stderr);
		return 2;
	}
	check_unused(argv[1]);
	fd = make_pipe(argv[1], argv[3]);
	check_unused(argv[3]);
	close(fd);
	check_file(argv[1], argv[2]);
	check_stream(argv[1], argv[3]);
	check_waiting(argv[1], argv[3]);
	return failures != 0;
}
