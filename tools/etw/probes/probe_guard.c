// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The end of the probes that this process makes. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "etw.h"
#include "probe_guard.h"
#include "probe_owner.h"

/* A session that ends with the process may need this long to let go of the probes */
#define STEP_MS		20
#define STEPS		250

/**
 * struct guard - a process that removes the probes of this one
 * @pid: its id; 0: there is none
 * @alive: an end of a socket pair: when all copies of it are closed, this process has ended
 * @owner: this process
 */
static struct guard {
	pid_t pid;
	int alive;
	struct probe_group owner;
} guard = { .alive = -1 };

/**
 * struct removal - a walk that removes probes
 * @owner: process that made them; NULL: of all processes that have ended
 * @busy: number of those that a session records
 * @event: the last probe that could not be removed
 * @err: why
 */
struct removal {
	const struct probe_group *owner;
	unsigned int busy;
	char event[128];
	int err;
};

static bool is_meant(const struct probe_group *owner, const struct probe_group *group)
{
	if (!owner)
		return !probe_owner_lives(group);
	return group->pid == owner->pid && group->start == owner->start;
}

static void remove_one(void *context, const struct probe_group *group, const char *event)
{
	struct removal *removal = context;
	int err;

	if (!is_meant(removal->owner, group))
		return;
	err = probe_remove(group, event);
	if (!err || err == ENOENT)
		return;
	removal->busy += err == EBUSY;
	removal->err = err;
	snprintf(removal->event, sizeof(removal->event), "%s", event);
}

static void remove_own(void)
{
	struct removal removal;
	int step;

	for (step = 0; step < STEPS; step++) {
		removal = (struct removal){ .owner = &guard.owner };
		probes_walk(remove_one, &removal);
		if (!removal.busy)
			break;
		usleep(STEP_MS * 1000);
	}
	if (removal.err)
		warn("%s: probe %s stays: %s ('etw doctor --fix' removes it)", verb_word(),
		     removal.event, strerror(removal.err));
}

/* No output of the tool's waits for the guard's end. */
static void detach(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	setsid();
	messages_to_syslog();
	if (null < 0 || chdir("/"))
		return;
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
}

/* All signals are blocked. */
static void watch(int alive)
{
	ssize_t got;
	char byte;

	detach();
	do
		got = read(alive, &byte, 1);
	while (got < 0 && errno == EINTR);
	if (got <= 0)
		remove_own();
	_exit(EXIT_OK);
}

int probes_guard(const char *verb)
{
	sigset_t all, before;
	int ends[2];

	if (guard.pid)
		return 0;
	if (!probe_owner_self(&guard.owner))
		return failed("%s: /proc/self/stat: %s", verb, strerror(errno));
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return failed("%s: socketpair: %s", verb, strerror(errno));
	fflush(NULL);
	/* Ctrl-C reaches the guard, too, until it has a session of its own */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	guard.pid = fork();
	if (!guard.pid) {
		close(ends[1]);
		watch(ends[0]);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(ends[0]);
	if (guard.pid < 0) {
		guard.pid = 0;
		close(ends[1]);
		return failed("%s: fork: %s", verb, strerror(errno));
	}
	guard.alive = ends[1];
	atexit(probes_end);
	return 0;
}

static void dismiss(void)
{
	if (send(guard.alive, "", 1, MSG_NOSIGNAL) == 1)
		while (waitpid(guard.pid, NULL, 0) < 0 && errno == EINTR)
			;
	close(guard.alive);
	guard.pid = 0;
	guard.alive = -1;
}

void probes_end(void)
{
	if (!guard.pid || guard.owner.pid != (uint32_t)getpid())
		return;
	remove_own();
	dismiss();
}

void probes_leave(bool forked)
{
	if (!guard.pid)
		return;
	if (forked)
		guard.pid = 0;
	else
		dismiss();
}

void probes_sweep(void)
{
	struct removal removal = { };

	probes_walk(remove_one, &removal);
}
