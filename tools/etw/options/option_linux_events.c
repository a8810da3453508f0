// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Options that say which events of Linux are recorded. */
#include <stdlib.h>
#include <string.h>
#include "linux_events/linux_events.h"
#include "probes/probes.h"
#include "session_options.h"

/* Of the options of one command line, which point to them until the tool ends */
static struct linux_events *chosen(struct session_options *options)
{
	static struct linux_events events;

	options->request.linux_events = &events;
	return &events;
}

static int add_part(struct session_options *options, const char *part, char *groups)
{
	if (linux_events_is_name(part))
		return linux_events_add(chosen(options), verb_word(), part);
	if (!part[0])
		return option_error(options, "events: a name is empty");
	if (groups[0])
		strcat(groups, "+");
	strcat(groups, part);
	return 0;
}

/* SYSTEM:NAME,... as perf; other names joined by + may be among them */
int option_linux_events(struct session_options *options, const char *value)
{
	char *copy = strdup(value), *groups = calloc(1, strlen(value) + 1), *part, *rest = copy;
	int code = copy && groups ? 0 : EXIT_FAILED;

	chosen(options)->given++;
	while (!code && (part = strsep(&rest, "+,")))
		code = add_part(options, part, groups);
	if (!code)
		code = linux_events_check_size(chosen(options), verb_word());
	if (!code && groups[0])
		code = option_events(options, groups);
	free(groups);
	free(copy);
	return code;
}

static int add_probes(struct session_options *options, enum probe_kind kind, const char *value)
{
	int code;

	chosen(options)->given++;
	code = probes_add(chosen(options), verb_word(), kind, value);
	return code ? code : linux_events_check_size(chosen(options), verb_word());
}

int option_probe(struct session_options *options, const char *value)
{
	return add_probes(options, PROBE_KERNEL, value);
}

int option_uprobe(struct session_options *options, const char *value)
{
	return add_probes(options, PROBE_USER, value);
}

int option_usdt(struct session_options *options, const char *value)
{
	return add_probes(options, PROBE_USDT, value);
}

int option_syscalls(struct session_options *options, const char *value)
{
	int code;

	(void)value;
	code = option_linux_events(options, "raw_syscalls:sys_enter,raw_syscalls:sys_exit");
	return code ? code : syscall_paths_add(chosen(options), verb_word());
}

int option_linux_stack(struct session_options *options, const char *part)
{
	return linux_events_add_stack(chosen(options), verb_word(), part);
}

int option_filter(struct session_options *options, const char *value)
{
	int code = linux_events_filter(chosen(options), verb_word(), value);

	return code ? code : linux_events_check_size(chosen(options), verb_word());
}

int option_no_linux_events(struct session_options *options, const char *value)
{
	(void)value;
	if (chosen(options)->count)
		return option_error(options, "--no-linux-events and -e SYSTEM:NAME are mutually "
				    "exclusive");
	return 0;
}
