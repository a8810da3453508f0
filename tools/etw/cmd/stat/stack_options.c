// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The options of stacks, which etw stat and etw export have. */
#include "control/hooks.h"
#include "common/verb_options.h"
#include "etw.h"
#include "report.h"

int stack_option_take(const struct verb *verb, int c, struct stat_options *wanted)
{
	struct suggestion suggestion;

	switch (c) {
	case OPTION_FOLDED:
		wanted->folded = true;
		break;
	case OPTION_WAITING:
		wanted->waiting = true;
		break;
	case OPTION_HOOK:
		if (!hook_parse(optarg, &wanted->hook))
			return usage_error(verb, "%s: --hook %s: neither an id nor a name%s",
					   verb->name, optarg,
					   hook_suggestion(optarg, &suggestion));
		wanted->by_hook = true;
		break;
	case OPTION_INLINE:
		wanted->where.inlined = true;
		break;
	default:
		return symbol_option_take(c, optarg, &wanted->where) ? EXIT_OK : EXIT_USAGE;
	}
	return EXIT_OK;
}
