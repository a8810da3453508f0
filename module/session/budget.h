/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* How much memory sessions may use, and how buffers are divided among CPUs. */
#ifndef ETW_BUDGET_H
#define ETW_BUDGET_H

#include <linux/types.h>

struct etw_items;
struct etw_session;
struct etw_settings;

/**
 * struct etw_share - the buffers that a configuration requests
 * @cpus: number of CPUs that share them
 * @first: buffers that a CPU starts with
 * @most: a CPU's share of the maximum
 * @grown: a CPU's share of the maximum that etw_budget_grow() may set; @most if the
 *	configuration names a number of buffers
 * @slots: slots of a CPU
 */
struct etw_share {
	u32 cpus;
	u32 first;
	u32 most;
	u32 grown;
	u32 slots;
};

void etw_budget_share(const struct etw_settings *settings, struct etw_share *share);
bool etw_budget_is_left(u64 bytes);
bool etw_budget_has_share(const struct etw_settings *settings, const struct etw_share *share);
u64 etw_budget_stacks(const struct etw_session *session, const struct etw_items *items);
u64 etw_budget_tables(const struct etw_session *session, const struct etw_items *items);
bool etw_budget_add(struct etw_session *session, u64 bytes);
void etw_budget_take_back(struct etw_session *session, u64 bytes);
bool etw_budget_promise(struct etw_session *session, u64 buffers, u64 stacks);
void etw_budget_grow(struct etw_session *session, u64 stacks);
void etw_budget_forget(struct etw_session *session);

#endif /* ETW_BUDGET_H */
