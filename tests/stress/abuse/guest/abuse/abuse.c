// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What no program should do to the module: each kind of abuse ends as documented. */
#define _GNU_SOURCE
#include <limits.h>
#include "tests/lib/guest/parts.h"
#include "addresses.h"
#include "bomb.h"
#include "snapshot.h"

/*
 * abuse [-o OPENS] [PART...]: the parts of that name, or all. The module is
 * loaded. -o: files to hold open at once, instead of 65536
 */

static const struct part parts[] = {
	{ "who", test_who },
	{ "files", test_wrong_files },
	{ "operations", test_operations },
	{ "foreign", test_foreign },
	{ "sysfs", test_files },
	{ "structures", test_structures },
	{ "overlap", test_overlap },
	{ "read", test_read_targets },
	{ "sizes", test_sizes },
	{ "huge", test_huge },
	{ "opens", test_many_files },
	{ "readers", test_many_readers },
	{ "floods", test_floods },
	{ "bomb", test_bomb },
	{ "addresses", test_addresses },
	{ "snapshots", test_snapshots },
};

int main(int argc, char **argv)
{
	size_t i;

	if (argc == 4 && !strcmp(argv[1], BOMB))
		return bomb_main(argv + 2);
	if (argc > 2 && !strcmp(argv[1], "-o")) {
		opens = atoi(argv[2]);
		argv += 2;
	}
	control = open(CONTROL, O_RDWR | O_CLOEXEC);
	if (control < 0)
		die(CONTROL);
	for (i = 0; i < COUNT(parts); i++) {
		if (!is_wanted(&parts[i], argv + 1))
			continue;
		printf("# %s, at %.1f s\n", parts[i].name, now());
		parts[i].run();
	}
	result(!list_sessions(control), "no session is left at last");
	return !!failures;
}
