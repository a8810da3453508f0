// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Tests of programs' events through /dev/etw/provider: sentences, golden records, abuse. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>
#include "tests/lib/guest/calls.h"
#include "tests/lib/guest/parts.h"
#include "programs.h"

/*
 * programs [PART...]: the parts of that name, or all. The module is loaded.
 * "row ID good|bad: ..." is about a sentence of tests/vm/programs/sentences.txt.
 */

static const struct part parts[] = {
	{ "events", test_events },
	{ "versions", test_versions },
	{ "options", test_options },
	{ "instances", test_instances },
	{ "writes", test_writes },
	{ "errors", test_errors },
	{ "messages", test_messages },
	{ "golden", test_golden },
	{ "compat", test_compat },
	{ "pieces", test_pieces },
	{ "kernel", test_kernel },
	{ "widths", test_widths },
	{ "forging", test_forging },
	{ "rights", test_rights },
	{ "credentials", test_credentials },
	{ "namespaces", test_namespaces },
	{ "purses", test_purses },
	{ "opens", test_opens },
	{ "flood", test_flood },
	{ "rate", test_rate },
	{ "burst", test_burst },
	{ "stay", test_stay },
	{ "conservation", test_conservation },
};

static __u64 loggers(void)
{
	return list_sessions(control);
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc == 3 && !strcmp(argv[1], "say"))
		return say(argv[2]);
	control = open("/dev/etw/control", O_RDWR | O_CLOEXEC);
	if (control < 0)
		die("/dev/etw/control");
	provider = open_provider(0);
	stay_on(1);
	for (i = 0; i < COUNT(parts); i++) {
		if (!is_wanted(&parts[i], argv + 1))
			continue;
		printf("# %s, at %llu ms\n", parts[i].name, moment().filetime / 10000 % 1000000);
		fflush(stdout);
		parts[i].run();
	}
	result(!loggers(), "no session is left at last");
	return !!failures;
}
