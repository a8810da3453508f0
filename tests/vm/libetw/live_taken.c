// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Sessions with a writer that can't be started: StartTrace() fails, and nothing of it stays. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include "live.h"
#include "tests/unit/libetw/child.h"
#include "tests/unit/libetw/filter.h"

#define TAKEN	"/tmp/taken.etl"
#define OWN	"/tmp/own"
#define NUMBERS	1024

static const GUID guid = { 0x55, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };

static ULONG start(const char *name, TRACEHANDLE *handle)
{
	struct block block;

	prepare(&block, EVENT_TRACE_FILE_MODE_SEQUENTIAL);
	strcpy(block.file, TAKEN);
	return StartTraceA(handle, name, &block.p);
}

/* What a program had in it before, or nothing: then the file is not there */
static void set_file(const char *text)
{
	int fd;

	unlink(TAKEN);
	if (!text)
		return;
	fd = open(TAKEN, O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		perror(TAKEN);
	close(fd);
}

/* How many descriptors are open; in @found the last one with a file path that begins so, if any */
static int count_open(const char *path, int *found)
{
	char link[64], at[256];
	int fd, count = 0;
	ssize_t n;

	for (fd = 0; fd < NUMBERS; fd++) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		n = readlink(link, at, sizeof(at) - 1);
		if (n < 0)
			continue;
		count++;
		at[n] = 0;
		if (path && !strncmp(at, path, strlen(path)))
			*found = fd;
	}
	return count;
}

static int is_session(const char *name)
{
	struct block block;

	prepare(&block, 0);
	return QueryTraceA(0, name, &block.p) != 4201;
}

static void check_refused(const char *call, ULONG want)
{
	int before;
	TRACEHANDLE handle;
	char name[64];

	printf("# %s is forbidden\n", call);
	check("a session without a file needs no such call",
	      !stop_session(start_session("unfiled")));
	set_file(NULL);
	before = count_open(NULL, NULL);
	snprintf(name, sizeof(name), "StartTrace() with a file: %u", (unsigned int)want);
	check_error(name, start("refused", &handle), want);
	check("no such session runs", !is_session("refused"));
	check("the file that was not there is not there", file_size(TAKEN) < 0);
	set_file("mine");
	check_error("StartTrace() with a file that was there", start("refused", &handle), want);
	check_error("and once more, at once", start("refused", &handle), want);
	check("it is as it was", file_size(TAKEN) == 4);
	check("no descriptor is left open", count_open(NULL, NULL) == before);
}

/*
 * The kernel asks another thread of the program when StartTrace() calls sendmsg(), which hands the
 * session over. That thread takes a descriptor away before the call goes on.
 */
static int listener;
/* the path, or NULL: no descriptor goes; what gets its number, or -1; which one it was */
static const char *_Atomic victim;
static atomic_int heir, gone;

static void take_away(void)
{
	int fd = -1;

	if (!victim)
		return;
	count_open(victim, &fd);
	if (fd >= 0 && heir >= 0)
		dup2(heir, fd);
	else if (fd >= 0)
		close(fd);
	gone = fd;
}

static void go_on(__u64 id)
{
	struct seccomp_notif_resp answer = {
		.id = id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE,
	};

	ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

static void *answer(void *unused)
{
	struct seccomp_notif call;

	for (;;) {
		memset(&call, 0, sizeof(call));
		if (!ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call)) {
			take_away();
			go_on(call.id);
		} else if (errno != EINTR) {
			/* a call that waits for an answer gets ENOSYS */
			close(listener);
			return unused;
		}
	}
}

/* Return: whether that works */
static int be_asked(void)
{
	pthread_t thread;

	listener = filter_calls(SYS_sendmsg, SYS_sendmsg, SECCOMP_RET_USER_NOTIF,
				SECCOMP_FILTER_FLAG_NEW_LISTENER);
	check("a filter that asks", listener >= 0);
	return listener >= 0 && !pthread_create(&thread, NULL, answer, NULL);
}

static void live_without_execve(void)
{
	if (forbid(SYS_execve, SYS_execve, EPERM))
		check("a filter of execve()", 0);
	else
		check_refused("execve()", 5);
}

static void live_without_close_range(void)
{
	if (forbid(SYS_close_range, SYS_close_range, ENOMEM))
		check("a filter of close_range()", 0);
	else
		check_refused("close_range()", 8);
}

static void live_without_writer(void)
{
	setenv("ETW_WRITER", "/none", 1);
	check_refused("running a writer that is not installed", 126);
	setenv("ETW_WRITER", "/bin/true", 1);
	check_refused("running a program that is no writer", 1067);
}

/* Return: whether the descriptor that took the number is there, and nothing was written to it */
static int is_own(int fd)
{
	struct stat stats, own;

	return !fstat(fd, &stats) && !stat(OWN, &own) && stats.st_ino == own.st_ino &&
	       !stats.st_size;
}

static void check_gone(const char *what, const char *path, int replace)
{
	int own = open(OWN, O_RDWR | O_CREAT | O_TRUNC, 0600), kept = 1, none = 1, there = 1, i;
	ULONG error = 0, last = 6;
	TRACEHANDLE handle;
	char name[128];

	for (i = 0; i < 2 && last == 6; i++) {
		set_file(i ? "mine" : NULL);
		gone = -1;
		heir = replace ? own : -1;
		victim = path;
		last = start("gone", &handle);
		victim = NULL;
		kept &= gone >= 0 && (!replace || is_own(gone));
		none &= !is_session("gone");
		there &= file_size(TAKEN) == (i ? 4 : -1);
		if (!error)
			error = start("next", &handle);
		if (!error)
			error = stop_session(handle);
		if (replace)
			close(gone);
	}
	snprintf(name, sizeof(name), "%s %s while it is handed over: 6", what,
		 replace ? "became another file" : "was closed");
	SetLastError(last);
	check_error(name, last, 6);
	check("it had a number, which is the program's", kept);
	check("no such session runs", none);
	check("the file is as it was", there);
	SetLastError(error);
	check_error("the next session with that file", error, 0);
	close(own);
}

static void live_asked(void)
{
	static const char *const names[] = { "the control node", "the stream" };
	static const char *const paths[] = { "/dev/etw/control", "/dev/etw/session" };
	EVENT_TRACE_HEADER event = { .Size = sizeof(event), .Guid = guid };
	TRACEHANDLE handle = 0;
	int i;

	if (!be_asked())
		return;
	for (i = 0; i < 2; i++) {
		check_gone(names[i], paths[i], 0);
		check_gone(names[i], paths[i], 1);
	}
	check_error("the same with all of them there", start("there", &handle), 0);
	check_error("it takes an event", TraceEvent(handle, &event), 0);
	check_error("and ends", stop_session(handle), 0);
}

/* In children, since a filter can't be removed */
void check_taken(void)
{
	check("a filter forbids execve()", !child_of(live_without_execve));
	check("a filter forbids close_range()", !child_of(live_without_close_range));
	check("no writer can be run", !child_of(live_without_writer));
	check("descriptors that go while they are handed over", !child_of(live_asked));
}
