// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* --manifest of the verbs that name events. */
#include <stdlib.h>
#include "etw.h"
#include "manifest/manifest.h"
#include "manifest_option.h"

int manifest_option_take(const char *name, struct event_infos **infos)
{
	if (!*infos)
		*infos = calloc(1, sizeof(**infos));
	if (!*infos) {
		no_memory();
		return EXIT_FAILED;
	}
	return manifest_read(*infos, name) ? EXIT_OK : EXIT_FAILED;
}

void manifest_option_give(struct event_infos **infos, struct trace *trace)
{
	trace->infos = *infos;
	*infos = NULL;
}
