// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A program that records in place of the module, and ends when etw record is to end. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "libetl/messages.h"
#include "record_child.h"

static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
#define ENDING	(sizeof(ending) / sizeof(ending[0]))

/**
 * struct signals - how signals were handled before
 * @mask: those that were blocked
 * @actions: of @ending
 */
struct signals {
	sigset_t mask;
	struct sigaction actions[ENDING];
};

static volatile pid_t running;
static volatile sig_atomic_t end_by;

static void end_child(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (running > 0 && (end_by || info->si_code != SI_KERNEL))
		kill(running, end_by ? end_by : number);
}

static void handle_signals(struct signals *before)
{
	struct sigaction end = { .sa_sigaction = end_child, .sa_flags = SA_RESTART | SA_SIGINFO };
	sigset_t held;
	size_t i;

	/* until the id of the child is known: a signal would be lost */
	sigemptyset(&held);
	for (i = 0; i < ENDING; i++)
		sigaddset(&held, ending[i]);
	sigprocmask(SIG_BLOCK, &held, &before->mask);
	for (i = 0; i < ENDING; i++) {
		sigaction(ending[i], NULL, &before->actions[i]);
		if (before->actions[i].sa_handler != SIG_IGN)
			sigaction(ending[i], &end, NULL);
	}
}

static void restore_signals(const struct signals *before)
{
	size_t i;

	for (i = 0; i < ENDING; i++)
		sigaction(ending[i], &before->actions[i], NULL);
}

/* Return: status of wait(), or -1 after a message */
static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno == EINTR)
			continue;
		failed("record: waitpid: %s", strerror(errno));
		status = -1;
		break;
	}
	running = 0;
	return status;
}

int record_child(char **words, int end)
{
	struct signals before;
	int status = -1;
	pid_t pid;

	end_by = end;
	handle_signals(&before);
	pid = fork();
	if (!pid) {
		/* the tool itself ignores it, but the program need not */
		signal(SIGXFSZ, SIG_DFL);
		restore_signals(&before);
		sigprocmask(SIG_SETMASK, &before.mask, NULL);
		execvp(words[0], words);
		fprintf(stderr, "etw: record: %s: %s\n", words[0], strerror(errno));
		_exit(errno == ENOENT ? 127 : 126);
	}
	running = pid;
	sigprocmask(SIG_SETMASK, &before.mask, NULL);
	if (pid < 0)
		failed("record: fork: %s", strerror(errno));
	else
		status = wait_for(pid);
	restore_signals(&before);
	return status;
}
