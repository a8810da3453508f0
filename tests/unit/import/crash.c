// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * To preload: libtracecmd crashes when it opens a file, or takes all memory; or it waits for a
 * signal, crashes or loops when it reads the events. CRASH_AT names the place: "open", "memory",
 * "wait", "read" or "loop".
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

/* Return: NULL, as libtracecmd returns it without memory */
static void *take_memory(void)
{
	const size_t step = 64 << 20, most = 4ull << 30;
	size_t taken = 0;

	while (taken < most && malloc(step))
		taken += step;
	fprintf(stderr, "%s\n", taken < most ? "memory is bounded" : "memory has no bound");
	return NULL;
}

void *tracecmd_open_head(const char *name, int flags)
{
	void *(*next)(const char *name, int flags) = dlsym(RTLD_NEXT, "tracecmd_open_head");

	if (is_at("open"))
		__builtin_trap();
	if (is_at("memory"))
		return take_memory();
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
	while (is_at("loop"))
		;
	/* the test waits for this line */
	puts("waits");
	fflush(stdout);
	for (;;)
		pause();
}
