// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * To preload: libtracecmd crashes when it opens a file, or waits for a signal or crashes when it
 * reads the events. CRASH_AT names the place: "open", "read" or "wait".
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *tracecmd_open_head(const char *name, int flags);
int tracecmd_iterate_events_multi(void *buffers, int count, void *callback, void *context);

static int is_at(const char *place)
{
	const char *at = getenv("CRASH_AT");

	return at && !strcmp(at, place);
}

void *tracecmd_open_head(const char *name, int flags)
{
	void *(*next)(const char *name, int flags) = dlsym(RTLD_NEXT, "tracecmd_open_head");

	if (is_at("open"))
		__builtin_trap();
	return next(name, flags);
}

int tracecmd_iterate_events_multi(void *buffers, int count, void *callback, void *context)
{
	(void)buffers;
	(void)count;
	(void)callback;
	(void)context;
	if (is_at("read"))
		__builtin_trap();
	/* the test waits for this line */
	puts("waits");
	fflush(stdout);
	for (;;)
		pause();
}
