// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The file that is being written: a signal that ends this process removes it. */
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>
#include "unfinished.h"

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

#define SIGNALS	(sizeof(signals) / sizeof(signals[0]))

static const char *volatile unfinished;
static sigset_t before;
static bool held;

void unfinished_remove(void)
{
	if (unfinished)
		unlink(unfinished);
}

/* The signal is held until we return, and does then what it does by default. */
static void on_signal(int signal)
{
	unfinished_remove();
	raise(signal);
}

/* One that is ignored, as behind nohup, stays so. */
static void take_signals(void)
{
	const struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESETHAND };
	struct sigaction old;
	size_t i;

	for (i = 0; i < SIGNALS; i++)
		if (!sigaction(signals[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(signals[i], &action, NULL);
}

void unfinished_hold(void)
{
	sigset_t mask;
	size_t i;

	sigemptyset(&mask);
	for (i = 0; i < SIGNALS; i++)
		sigaddset(&mask, signals[i]);
	sigprocmask(SIG_BLOCK, &mask, &before);
	held = true;
}

void unfinished_begin(const char *name)
{
	struct stat stat;

	unfinished = name && !lstat(name, &stat) && S_ISREG(stat.st_mode) ? name : NULL;
	if (unfinished)
		take_signals();
	if (held)
		sigprocmask(SIG_SETMASK, &before, NULL);
	held = false;
}

void unfinished_end(void)
{
	unfinished = NULL;
}
