// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw dump --hook: events by hook ids and names. */
#include <stdlib.h>
#include <string.h>
#include "control/hooks.h"
#include "dump.h"
#include "etw.h"

#define HOOK_BYTES	(0x10000 / 8)

int dump_take_hooks(const char *text, struct event_filter *filter)
{
	char *copy = strdup(text), *name, *rest = copy;
	struct suggestion suggestion;
	uint16_t hook = 0;
	bool good = copy;

	if (!filter->hooks)
		filter->hooks = calloc(1, HOOK_BYTES);
	good = good && filter->hooks;
	while (good && (name = strsep(&rest, ","))) {
		good = hook_parse(name, &hook);
		if (good)
			filter->hooks[hook / 8] |= 1 << hook % 8;
		else
			usage_error(&verb_dump, "dump: hook '%s': neither an id nor a name%s "
				    "('etw list hooks')", name,
				    hook_suggestion(name, &suggestion));
	}
	free(copy);
	return good ? EXIT_OK : EXIT_USAGE;
}
