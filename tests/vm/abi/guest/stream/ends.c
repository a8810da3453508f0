// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Tests of a session's stream: its ends, and what is left then. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/wait.h>
#include "stream.h"

static void killed_with_session(__u32 flags, int with_stop_at_close)
{
	int status, ready[2];
	char x;
	pid_t pid;

	if (pipe(ready))
		die("pipe");
	pid = fork();
	if (!pid) {
		int own = open("/dev/etw/control", O_RDWR);

		start_on(own, 64, 8, flags | ETW_START_NO_RUNDOWN, 0);
		if (write(ready[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	if (read(ready[0], &x, 1) != 1)
		die("child");
	result(loggers() != 0, "a session of another process");
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	if (with_stop_at_close) {
		result(!loggers(), "ETW_START_TIED: none is left when the process was killed");
	} else {
		result(loggers() == 1, "without ETW_START_TIED it stays");
		result(!stop(1, ETW_STOP_DISCARD) && !loggers(), "and another one can end it");
	}
	close(ready[0]);
	close(ready[1]);
}

void test_ends(void)
{
	static char data[64 * KB];
	int fd, own;
	__u32 id;
	ssize_t n;

	killed_with_session(ETW_START_TIED, 1);
	killed_with_session(0, 0);

	/* tied, with a reader: it may read to the end */
	own = open("/dev/etw/control", O_RDWR);
	id = start_on(own, 64, 8, ETW_START_TIED | ETW_START_NO_RUNDOWN, 0);
	fd = open_node(id, 0);
	switches(100);
	close(own);
	n = take(fd, data, sizeof(data), sizeof(data));
	result(n == sizeof(data), "tied: its reader goes on after the control file is closed");
	while ((n = read(fd, data, sizeof(data))) > 0)
		;
	result(!n, "tied: and comes to the end");
	close(fd);
	result(!loggers(), "tied: then it is gone");

	id = start(64, 8);
	switches(100);
	result(!stop(id, ETW_STOP_DISCARD) && !loggers(), "ETW_STOP_DISCARD: gone at once");
	fd = open_node(id, 0);
	result(fd < 0, "ETW_STOP_DISCARD: the node too");

	id = start(64, 8);
	fd = open_node(id, 0);
	switches(100);
	take(fd, data, 100, 100);
	result(!stop(id, ETW_STOP_DISCARD) && !loggers(),
	       "ETW_STOP_DISCARD with a reader: gone from the table");
	while ((n = read(fd, data, sizeof(data))) > 0)
		;
	result(!n, "ETW_STOP_DISCARD: the reader comes to the end");
	close(fd);

	id = start(64, 8);
	switches(100);
	result(!stop(id, 0) && loggers(), "a stopped session stays until it is read");
	result(stop(id, 0) == EALREADY, "a second STOP: EALREADY");
	result(!stop(id, ETW_STOP_DISCARD) && !loggers(), "then it is given up");

	/* statistics stay exact over a stop */
	id = start(4, 4);
	switches(rounds / 2);
	stop(id, 0);
	{
		struct etw_statistics s = statistics(id);

		result(s.lost[ETW_LOSS_NO_BUFFER] && s.buffered && s.state == ETW_SESSION_STOPPED,
		       "few buffers, no reader: the rest is counted as lost # %llu + %llu",
		       (unsigned long long)s.buffered,
		       (unsigned long long)s.lost[ETW_LOSS_NO_BUFFER]);
	}
	stop(id, ETW_STOP_DISCARD);
}
