// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Paths of system calls: a probe that etw makes for --syscalls. At the return of the kernel's copy,
 * the path is there also if the program's page was not, and if the call fails later.
 */
#include <errno.h>
#include <string.h>
#include "etw.h"
#include "probes.h"

/* etw stat FILE syscalls finds the event by this name */
#define EVENT	"syscall_path"

/*
 * Threads that may be in the function at once: one can sleep there, while its page is read. The
 * kernel's default is 10 on a small machine; further paths would be missing.
 */
#define TYPE	"r64"

/*
 * struct filename begins with the copy. On Linux 6.1 and 6.12 the program's address of the path
 * follows; by it the reader finds which argument of the call the path is. Without it,
 * two paths come in the order in which the kernel copies them.
 */
#define ARGUMENTS	"name=+0(+0($retval)):string at=+8($retval):x64"

/*
 * The first one that the kernel has. Where the compiler has put the copy into a function of its own
 * (.part.0), getname() calls that one only; getname_flags() would miss the opens. With do_getname(),
 * getname_flags() may be inlined.
 */
static const char *const places[] = {
	"getname_flags.part.0 " ARGUMENTS, "do_getname " ARGUMENTS, "getname_flags " ARGUMENTS,
};

static bool is_there(const struct linux_events *events)
{
	uint32_t i;

	for (i = 0; i < events->count; i++)
		if (!strcmp(trace_event_name(events->events[i].format), EVENT))
			return true;
	return false;
}

int syscall_paths_add(struct linux_events *events, const char *verb)
{
	const struct probe_option option = {
		.verb = verb, .name = "--syscalls", .text = places[2], .kind = PROBE_KERNEL,
		.events = events,
	};
	struct probe_group group = { .kind = PROBE_KERNEL };
	int code, err = ENOENT;
	size_t i;

	if (is_there(events))
		return 0;
	for (i = 0; err && i < sizeof(places) / sizeof(places[0]); i++) {
		code = probe_try(&option, &group, TYPE, EVENT, places[i], &err);
		if (code)
			return code;
	}
	if (err) {
		warn("%s: --syscalls: paths will be missing: the kernel takes no probe at "
		     "getname_flags(): %s", verb, strerror(err));
		return 0;
	}
	code = probe_record(&option, &group, EVENT);
	/* a --filter is of the calls */
	if (!code)
		events->events[events->count - 1].given = 0;
	return code;
}
