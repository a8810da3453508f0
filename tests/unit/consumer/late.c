// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A pipe with buffers that come piece by piece, and when what they hold is delivered. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <evntrace.h>
#include <evntcons.h>

static const char usage[] =
	"late PIPE FIRST PIECE...    consumes PIPE, which it makes; FIRST is there at once, and\n"
	"                            each PIECE, a file, when the consumer waits for more: 100 ms\n"
	"                            later each time, of a clock that goes on by that alone.\n"
	"                            Says of each event the piece after which it came, 0 for\n"
	"                            FIRST, and its time\n";

/* Of the pipe: a piece is written while no reader reads */
#define ROOM	(1 << 20)

static char **pieces;
static int nr_pieces, piece, feeder, error;
static uint64_t clock_ms = 1000;

int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
	(void)clock;
	now->tv_sec = clock_ms / 1000;
	now->tv_nsec = clock_ms % 1000 * 1000000;
	return 0;
}

static void feed(const char *name)
{
	char bytes[4096];
	ssize_t n;
	int fd = open(name, O_RDONLY);

	while ((n = read(fd, bytes, sizeof(bytes))) > 0)
		error |= write(feeder, bytes, n) != n;
	error |= n < 0;
	close(fd);
}

/* It waits: the next piece; or, behind the last, the end */
int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout)
{
	(void)fds;
	(void)n;
	(void)timeout;
	clock_ms += 100;
	if (piece < nr_pieces)
		feed(pieces[piece++]);
	else
		close(feeder);
	return 1;
}

static void WINAPI on_event(PEVENT_RECORD record)
{
	printf("%d %lld\n", piece, (long long)record->EventHeader.TimeStamp.QuadPart);
}

int main(int argc, char **argv)
{
	EVENT_TRACE_LOGFILEA logfile = { .EventRecordCallback = on_event };
	TRACEHANDLE handle;

	if (argc < 3) {
		fputs(usage, stderr);
		return 2;
	}
	unlink(argv[1]);
	if (mkfifo(argv[1], 0600))
		return 1;
	feeder = open(argv[1], O_RDWR);
	if (feeder < 0 || fcntl(feeder, F_SETPIPE_SZ, ROOM) < ROOM)
		return 1;
	feed(argv[2]);
	pieces = argv + 3;
	nr_pieces = argc - 3;
	logfile.LogFileName = argv[1];
	logfile.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD;
	handle = OpenTraceA(&logfile);
	error |= ProcessTrace(&handle, 1, NULL, NULL) != 0;
	return error;
}
