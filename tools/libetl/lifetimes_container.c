// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The containers of processes (declared in lifetimes.h). */
#include "lifetimes.h"

/*
 * Ancestors and execs that are looked at for a container: ancestors of a crafted trace may form a
 * circle, and filters look for the container of each event
 */
#define MOST_LOOKS	256

static bool is_continued(const struct process *process)
{
	const struct process *after = (const struct process *)process->life.after;

	return after && after->continues;
}

const struct container *process_container(const struct process *process)
{
	const struct process *at;
	unsigned int looks;

	for (looks = 0; process && looks < MOST_LOOKS; looks++) {
		/* the same process after its execs, and then before them */
		for (at = process; !at->container && is_continued(at) && looks < MOST_LOOKS;
		     looks++)
			at = (const struct process *)at->life.after;
		if (at->container)
			return at->container;
		for (at = process; !at->container && at->continues && looks < MOST_LOOKS; looks++)
			at = (const struct process *)at->life.before;
		if (at->container)
			return at->container;
		process = at->parent;
	}
	return NULL;
}

const char *container_label(const struct process *process)
{
	const struct container *container = process_container(process);

	return container ? container->label : NO_CONTAINER;
}

uint32_t container_index(const struct process *process)
{
	const struct container *container = process_container(process);

	return container ? container->index + 1 : 0;
}
