// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Hold a session while a command runs, read it or not, print its statistics. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "session.h"

struct reader {
	int in;
	int out;
	int err;
};

static void *copy(void *arg)
{
	struct reader *reader = arg;
	static char buffer[1 << 20];
	ssize_t n, m, done;

	while ((n = read(reader->in, buffer, sizeof(buffer))) > 0) {
		for (done = 0; reader->out >= 0 && done < n; done += m) {
			m = write(reader->out, buffer + done, n - done);
			if (m < 0) {
				reader->err = errno;
				return NULL;
			}
		}
	}
	if (n < 0)
		reader->err = errno;
	return NULL;
}

static void tell(__u32 id)
{
	struct etw_statistics s;

	errno = session_statistics(control, id, &s);
	if (errno)
		die("STATISTICS");
	printf("hold: read=%llu overwritten=%llu buffered=%llu lost=%llu buffers_read=%llu buffers_waiting=%llu internal=%llu\n",
	       (unsigned long long)s.read, (unsigned long long)s.overwritten,
	       (unsigned long long)s.buffered, (unsigned long long)all_lost(&s),
	       (unsigned long long)s.buffers_read, (unsigned long long)s.buffers_waiting,
	       (unsigned long long)s.internal);
	fflush(stdout);
}

/* Returns its status, as a shell reports it. */
static int run(char **command)
{
	int status = 0;
	pid_t pid;

	if (!command) {
		sigset_t set;

		sigemptyset(&set);
		sigaddset(&set, SIGTERM);
		sigaddset(&set, SIGINT);
		sigwait(&set, &status);
		return 0;
	}
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		execvp(command[0], command);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			die("wait");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* A session while a command runs; its status */
int hold(int argc, char **argv)
{
	const char *save = NULL, *save_late = NULL, *name;
	struct reader reader = { .in = -1, .out = -1 };
	int option, status, discard = 0, keep = 0;
	struct start start;
	pthread_t thread;
	sigset_t set;
	__u32 id;

	start_begin(&start);
	while ((option = getopt(argc, argv, "+" START_OPTIONS "w:l:dk")) != -1) {
		switch (option) {
		case 'w': save = optarg; break;
		case 'l': save_late = optarg; break;
		case 'd': discard = 1; break;
		case 'k': keep = 1; break;
		default:
			start_option(&start, option);
		}
	}
	if (optind == argc)
		die_of_usage();
	name = argv[optind++];
	if (optind < argc && !strcmp(argv[optind], "--"))
		optind++;

	/* for run() without a command; a thread must not get them */
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	if (optind >= argc)
		pthread_sigmask(SIG_BLOCK, &set, NULL);

	id = start_send(&start, name);
	if (save || discard) {
		reader.in = open_stream(id);
		reader.out = save ? open_output(save) : -1;
		if (pthread_create(&thread, NULL, copy, &reader))
			die("thread");
	}
	printf("session %u\n", id);
	fflush(stdout);

	status = run(optind < argc ? argv + optind : NULL);

	if (keep) {
		tell(id);
		return status;
	}
	errno = on_session(control, ETW_IOC_STOP, id, 0);
	if (errno)
		die("STOP");
	if (save || discard)
		pthread_join(thread, NULL);
	tell(id);
	if (save_late) {
		reader.in = open_stream(id);
		reader.out = open_output(save_late);
		copy(&reader);
	} else if (!save && !discard) {
		discard_session(control, id);
	}
	if (reader.err) {
		errno = reader.err;
		die("reading");
	}
	return status;
}
