// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Work in a child process, because a library may crash on a damaged file. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "child_process.h"
#include "etw.h"
#include "unfinished.h"

/* These go on to the child, which removes its output. */
static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

static bool is_passed_on(int signal)
{
	size_t i;

	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (signals[i] == signal)
			return true;
	return false;
}

static void set_of_signals(sigset_t *set)
{
	size_t i;

	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaddset(set, signals[i]);
}

/* Return: the status of the child's end */
static int wait_for(pid_t pid, const sigset_t *set)
{
	int signal, status;
	pid_t ended;

	do {
		if (!sigwait(set, &signal) && signal != SIGCHLD)
			kill(pid, signal);
		ended = waitpid(pid, &status, WNOHANG);
	} while (ended != pid);
	return status;
}

static int end(const struct child_process *child, int status)
{
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	if (is_passed_on(WTERMSIG(status)))
		raise(WTERMSIG(status));
	if (*child->writes) {
		unfinished_begin(child->output);
		unfinished_remove();
		unfinished_end();
	}
	if (WTERMSIG(status) == SIGXCPU)
		return failed("import: %s: the library that reads this file used more processor "
			      "time than its size explains: the file is damaged, or 'ulimit -t' is "
			      "too low", child->file);
	return failed("import: %s: the library that reads this file crashed (%s): the file is "
		      "damaged", child->file, strsignal(WTERMSIG(status)));
}

int child_process_run(struct child_process *child)
{
	pid_t parent = getpid(), pid;
	sigset_t set, before;
	int status;

	child->writes = mmap(NULL, sizeof(*child->writes), PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (child->writes == MAP_FAILED)
		return failed("%s", strerror(errno));
	/* an ignored SIGCHLD would not come, and the status would be gone */
	signal(SIGCHLD, SIG_DFL);
	set_of_signals(&set);
	sigprocmask(SIG_BLOCK, &set, &before);
	fflush(NULL);
	pid = fork();
	if (pid < 0) {
		status = errno;
		sigprocmask(SIG_SETMASK, &before, NULL);
		return failed("a process for the import: %s", strerror(status));
	}
	if (!pid) {
		/* the parent may have ended before */
		if (prctl(PR_SET_PDEATHSIG, SIGTERM) || getppid() != parent)
			_exit(EXIT_FAILED);
		sigprocmask(SIG_SETMASK, &before, NULL);
		return -1;
	}
	status = wait_for(pid, &set);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return end(child, status);
}

void child_process_writes(struct child_process *child)
{
	if (child->writes)
		*child->writes = true;
}
