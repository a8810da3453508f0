/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Whether a condition that holds is worth another snapshot. */
#ifndef ETW_WATCH_POLICY_H
#define ETW_WATCH_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#define POLICY_MOST	1000
#define POLICY_HOUR_MS	3600000

enum policy_answer {
	POLICY_TAKE,
	POLICY_BUSY,	/* a snapshot is under way, or one was just taken */
	POLICY_LIMIT,	/* there were enough of them in an hour */
};

/**
 * struct policy - limits, and the snapshots so far
 * @debounce_ms: how long after a snapshot conditions are ignored
 * @limit: snapshots in any hour; 0: any number
 * @busy: one is being written
 * @ended: when the last one was written; valid if @taken and not @busy
 * @taken: snapshots so far
 * @begun: when the last ones were begun, by number modulo @limit
 * @ignored: conditions that held meanwhile
 * @limited: conditions that held after @limit was reached
 */
struct policy {
	uint64_t debounce_ms;
	uint32_t limit;
	bool busy;
	uint64_t ended;
	uint64_t taken;
	uint64_t begun[POLICY_MOST];
	uint64_t ignored;
	uint64_t limited;
};

/* Times are those of a clock that only runs forward, in ms. TAKE counts as a snapshot begun. */
enum policy_answer policy_ask(struct policy *policy, uint64_t now);
/* A user asks for one: the same without the limits. Return: false: busy */
bool policy_force(struct policy *policy, uint64_t now);
/* It was written, or it failed. */
void policy_done(struct policy *policy, uint64_t now);

#endif /* ETW_WATCH_POLICY_H */
