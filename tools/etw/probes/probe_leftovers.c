// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Probes of etw processes that have ended. */
#include <errno.h>
#include <stdio.h>
#include "probe_leftovers.h"
#include "probe_owner.h"

/**
 * struct walk - a walk over the probes
 * @leftovers: what is found
 * @remove: it is removed
 */
struct walk {
	struct probe_leftovers *leftovers;
	bool remove;
};

static void take(void *context, const struct probe_group *group, const char *event)
{
	const struct walk *walk = context;
	struct probe_leftovers *leftovers = walk->leftovers;
	int err = 0;

	if (probe_owner_lives(group))
		return;
	if (walk->remove)
		err = probe_remove(group, event);
	/* another etw has removed it since the walk began */
	if (err == ENOENT)
		return;
	if (err == EBUSY) {
		leftovers->recorded++;
	} else if (walk->remove && !err) {
		leftovers->removed++;
	} else if (!leftovers->count++) {
		snprintf(leftovers->first, sizeof(leftovers->first), "%s", event);
		leftovers->err = err;
	}
}

void probes_leftovers(struct probe_leftovers *leftovers, bool remove)
{
	struct walk walk = { .leftovers = leftovers, .remove = remove };

	*leftovers = (struct probe_leftovers){ };
	probes_walk(take, &walk);
}
