// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The command that etw record runs. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "etw.h"
#include "record.h"

static void child(struct recording *recording, int report, const sigset_t *old_mask)
{
	int err;

	sigprocmask(SIG_SETMASK, old_mask, NULL);
	signal(SIGXFSZ, SIG_DFL);
	/* The stream has standard output; a byte of the command in it would destroy the trace. */
	if (!strcmp(recording->writer.path, "-"))
		dup2(STDERR_FILENO, STDOUT_FILENO);
	execvp(recording->command[0], recording->command);
	err = errno;
	if (write(report, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

/* Return: 0 also when the command can't be run: see @exec_error */
int command_start(struct recording *recording, const sigset_t *old_mask)
{
	int report[2];
	pid_t pid;

	if (pipe2(report, O_CLOEXEC))
		return failed("pipe: %s", strerror(errno));
	pid = fork();
	if (pid < 0)
		return failed("fork: %s", strerror(errno));
	if (!pid)
		child(recording, report[1], old_mask);
	close(report[1]);
	/* The pipe closes with a successful exec. */
	if (read(report[0], &recording->exec_error, sizeof(recording->exec_error)) <= 0)
		recording->exec_error = 0;
	close(report[0]);
	recording->child = pid;
	recording->ran = true;
	if (!recording->exec_error) {
		/* an error ends the recording, not the command */
		writer_begin(&recording->writer);
		return 0;
	}
	failed("%s: %s", recording->command[0], strerror(recording->exec_error));
	waitpid(pid, NULL, 0);
	recording->child = 0;
	writer_abandon(&recording->writer);
	return 0;
}

void command_reap(struct recording *recording)
{
	if (recording->child && waitpid(recording->child, &recording->status, WNOHANG) ==
				recording->child)
		recording->child = 0;
}

int command_exit_code(const struct recording *recording)
{
	if (!recording->ran)
		return EXIT_OK;
	if (recording->exec_error)
		return recording->exec_error == ENOENT ? 127 : 126;
	if (recording->child) {
		warn("process %d (%s) still runs", recording->child, recording->command[0]);
		return EXIT_FAILED;
	}
	if (WIFSIGNALED(recording->status))
		return 128 + WTERMSIG(recording->status);
	return WEXITSTATUS(recording->status);
}
