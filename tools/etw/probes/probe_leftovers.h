/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Probes of etw processes that have ended. */
#ifndef ETW_PROBES_PROBE_LEFTOVERS_H
#define ETW_PROBES_PROBE_LEFTOVERS_H

#include <stdbool.h>

/**
 * struct probe_leftovers - what is left
 * @count: number of probes that stay
 * @removed: number of probes that were removed
 * @recorded: number of probes that could not be removed, because a session records them
 * @first: "GROUP:EVENT" of the first of @count
 * @err: why it could not be removed
 */
struct probe_leftovers {
	unsigned int count;
	unsigned int removed;
	unsigned int recorded;
	char first[128];
	int err;
};

/* Counts them, and removes them if @remove. Only a try to remove a probe shows its use. */
void probes_leftovers(struct probe_leftovers *leftovers, bool remove);

#endif /* ETW_PROBES_PROBE_LEFTOVERS_H */
