// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Stacks are unwound on several processors. Each worker is a process that reads the recording as
 * the import does, but writes no trace: it unwinds the stacks with the numbers of the worker,
 * and sends the addresses through a pipe. The import unwinds its own share, and takes the
 * others in their order. So the trace does not depend on the number of workers.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "import.h"
#include "libetl/messages.h"
#include "unwind.h"

#define MOST_WORKERS	3
/* Results that a worker is ahead */
#define PIPE_BYTES	(1 << 20)

/**
 * struct unwind_worker - a process that unwinds
 * @pid: of it
 * @fd: its results; -1: it has ended, and the import unwinds its share
 */
struct unwind_worker {
	pid_t pid;
	int fd;
};

/**
 * struct unwinding - stacks that are unwound
 * @unwinder: of this process
 * @shares: the workers and the import
 * @share: of this process; 0: it is the import
 * @number: of the next stack
 * @to: of a worker: where the results go
 * @workers: in the import: of the shares 1 and so on
 */
struct unwinding {
	struct unwinder *unwinder;
	unsigned int shares;
	unsigned int share;
	uint64_t number;
	int to;
	struct unwind_worker workers[MOST_WORKERS];
};

static bool has_stacks(const struct perf_file *file)
{
	const uint64_t both = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	size_t i;

	for (i = 0; i < file->count; i++)
		if ((file->kinds[i].attr.sample_type & both) == both)
			return true;
	return false;
}

static void run_worker(struct importing *importing, unsigned int share, int to, pid_t parent)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	size_t i;

	/* the import removes its output, and prints the messages */
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	if (null < 0 || dup2(null, STDERR_FILENO) < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) ||
	    getppid() != parent)
		_exit(1);
	for (i = 1; i < share; i++)
		close(importing->unwinding->workers[i - 1].fd);
	importing->unwinding->share = share;
	importing->unwinding->to = to;
	importing->stream.progress = NULL;
	_exit(perf_stream_read(&importing->stream) ? 1 : 0);
}

static bool start_worker(struct importing *importing, unsigned int share)
{
	struct unwind_worker *worker = &importing->unwinding->workers[share - 1];
	pid_t parent = getpid();
	int fds[2];

	if (pipe2(fds, O_CLOEXEC))
		return false;
	fcntl(fds[1], F_SETPIPE_SZ, PIPE_BYTES);
	fflush(NULL);
	worker->pid = fork();
	if (!worker->pid) {
		close(fds[0]);
		run_worker(importing, share, fds[1], parent);
	}
	close(fds[1]);
	worker->fd = fds[0];
	if (worker->pid < 0)
		close(fds[0]);
	return worker->pid > 0;
}

int unwind_begin(struct importing *importing)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct unwinding *unwinding;
	unsigned int shares;

	unwinding = calloc(1, sizeof(*unwinding));
	if (!unwinding)
		return no_memory();
	importing->unwinding = unwinding;
	unwinding->shares = 1;
	/* the events of a piped recording are not known yet */
	if (!has_stacks(&importing->file))
		return 0;
	unwinding->unwinder = unwinder_new();
	if (!unwinding->unwinder)
		return 0;
	shares = processors > MOST_WORKERS ? MOST_WORKERS + 1 : processors > 1 ? processors : 1;
	/* all have to know the number: a worker that did not start has ended */
	unwinding->shares = shares;
	for (shares = 1; shares < unwinding->shares; shares++)
		if (!start_worker(importing, shares))
			unwinding->workers[shares - 1].fd = -1;
	return 0;
}

static bool read_whole(int fd, void *to, size_t size)
{
	ssize_t got;

	for (; size; size -= got, to = (char *)to + got) {
		do
			got = read(fd, to, size);
		while (got < 0 && errno == EINTR);
		if (got <= 0)
			return false;
	}
	return true;
}

static void write_whole(int fd, const void *from, size_t size)
{
	ssize_t put;

	for (; size; size -= put, from = (const char *)from + put) {
		do
			put = write(fd, from, size);
		while (put < 0 && errno == EINTR);
		if (put <= 0)
			_exit(1);
	}
}

static size_t unwind_here(struct importing *importing, const struct perf_record *record,
			  uint64_t frames[UNWIND_FRAMES])
{
	size_t i = map_find(&importing->pids, record->pid);

	if (!importing->unwinding->unwinder)
		importing->unwinding->unwinder = unwinder_new();
	if (!importing->unwinding->unwinder || i >= importing->processes_known)
		return 0;
	return unwinder_run(importing->unwinding->unwinder, importing, &importing->processes[i],
			    record, frames);
}

static bool take_result(struct unwind_worker *worker, uint64_t frames[UNWIND_FRAMES],
			uint64_t *count)
{
	if (worker->fd < 0)
		return false;
	if (read_whole(worker->fd, count, sizeof(*count)) && *count <= UNWIND_FRAMES &&
	    read_whole(worker->fd, frames, 8 * *count))
		return true;
	close(worker->fd);
	worker->fd = -1;
	return false;
}

size_t unwind_sample(struct importing *importing, const struct perf_record *record,
		     uint64_t frames[UNWIND_FRAMES])
{
	struct unwinding *unwinding = importing->unwinding;
	unsigned int share = unwinding->number++ % unwinding->shares;
	uint64_t count;

	if (!unwinding->share) {
		if (!share || !take_result(&unwinding->workers[share - 1], frames, &count))
			count = unwind_here(importing, record, frames);
		return count;
	}
	if (share != unwinding->share)
		return 0;
	count = unwind_here(importing, record, frames);
	write_whole(unwinding->to, &count, sizeof(count));
	write_whole(unwinding->to, frames, 8 * count);
	return count;
}

bool unwind_is_worker(const struct importing *importing)
{
	return importing->unwinding && importing->unwinding->share;
}

void unwind_end(struct importing *importing)
{
	struct unwinding *unwinding = importing->unwinding;
	struct unwind_worker *worker;
	unsigned int i;

	if (!unwinding)
		return;
	for (i = 1; i < unwinding->shares; i++) {
		worker = &unwinding->workers[i - 1];
		if (worker->fd >= 0)
			close(worker->fd);
		if (worker->pid <= 0)
			continue;
		kill(worker->pid, SIGKILL);
		while (waitpid(worker->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	unwinder_free(unwinding->unwinder);
	free(unwinding);
	importing->unwinding = NULL;
}
