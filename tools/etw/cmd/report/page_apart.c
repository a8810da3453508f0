// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Reports that another process makes, on another processor (declared in report.h). */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "etw.h"
#include "report.h"

/* Does not return. The parent's file is not the child's to remove. */
static void make(struct page *page, FILE *to, int (*put)(struct page *page, bool all, bool apart))
{
	struct page mine = *page;
	int code;

	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	mine.data = to;
	mine.is_child = true;
	/* a comma stands before each */
	mine.sections = 1;
	code = put(&mine, false, true);
	if (code == EXIT_OK && (fflush(to) || ferror(to)))
		code = failed("temporary file: %s", strerror(errno));
	_exit(code);
}

void apart_begin(struct apart *apart, struct page *page,
		 int (*put)(struct page *page, bool all, bool apart))
{
	pid_t parent = getpid();

	apart->child = -1;
	apart->to = tmpfile();
	if (!apart->to)
		return;
	fflush(stdout);
	apart->child = fork();
	if (apart->child)
		return;
	/* the parent may have ended before */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
		_exit(EXIT_FAILED);
	make(page, apart->to, put);
}

int apart_end(struct apart *apart, struct page *page, bool kill_it)
{
	int status = 0, err = 0;

	if (apart->child > 0) {
		if (kill_it)
			kill(apart->child, SIGKILL);
		while (waitpid(apart->child, &status, 0) < 0 && errno == EINTR)
			;
		if (!kill_it && WIFSIGNALED(status))
			err = failed("the process of some reports: %s",
				     strsignal(WTERMSIG(status)));
		else if (!kill_it && WEXITSTATUS(status) == EXIT_NUMBERED)
			err = 1;
		else if (!kill_it && WEXITSTATUS(status))
			err = -1;
		else if (!kill_it && capture_copy(fileno(apart->to), page->data))
			err = failed("temporary file: %s", strerror(errno));
	}
	if (apart->to)
		fclose(apart->to);
	return err;
}
