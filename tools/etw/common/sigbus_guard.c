// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A trace that becomes shorter while it is read. */
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "libetl/text.h"
#include "libetl/trace.h"
#include "sigbus_guard.h"
#include "etw.h"
#include "unfinished.h"

static struct sigaction before;

/* A disk that can't be read looks like it, but for the size of the file. */
static const char *reason_of(const struct trace *trace)
{
	struct stat stat_buffer;

	if (!stat(trace->name, &stat_buffer) && (uint64_t)stat_buffer.st_size >= trace->size)
		return ": it can't be read";
	return " became shorter while it was read";
}

/* As failed() does it, with what a handler may call */
static void report(const struct trace *trace)
{
	char text[PATH_MAX + 64] = "etw: ";
	char *name = text + strlen(text), *end;

	end = stpncpy(name, trace->name, PATH_MAX);
	*end = 0;
	text_escape_control(name);
	end = stpcpy(stpcpy(name + strlen(name), reason_of(trace)), "\n");
	/* a failure to write cannot be reported anywhere */
	if (write(STDERR_FILENO, text, end - text) < 0)
		_exit(EXIT_FAILED);
}

/* What is not of a trace does again what it did before us: a sent one now, a fault by itself. */
static void on_bus_error(int signal, siginfo_t *info, void *context)
{
	const struct trace *trace = info->si_code > 0 ? trace_of_address(info->si_addr) : NULL;

	(void)context;
	if (trace) {
		report(trace);
		unfinished_remove();
		_exit(EXIT_FAILED);
	}
	/* also a disk that fails under a file of another kind */
	if (info->si_code > 0)
		unfinished_remove();
	sigaction(signal, &before, NULL);
	if (info->si_code <= 0)
		raise(signal);
}

void sigbus_guard_watch(void)
{
	const struct sigaction action = {
		.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO,
	};
	static bool watched;

	if (!watched)
		sigaction(SIGBUS, &action, &before);
	watched = true;
}
