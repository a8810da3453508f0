// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Whether a condition that holds is worth another snapshot. */
#include "policy.h"

static bool is_limited(const struct policy *policy, uint64_t now)
{
	/* of the oldest one that still counts, the place of the next */
	return policy->limit && policy->taken >= policy->limit &&
	       now - policy->begun[policy->taken % policy->limit] < POLICY_HOUR_MS;
}

static void begin(struct policy *policy, uint64_t now)
{
	if (policy->limit)
		policy->begun[policy->taken % policy->limit] = now;
	policy->taken++;
	policy->busy = true;
}

enum policy_answer policy_ask(struct policy *policy, uint64_t now)
{
	if (policy->busy || (policy->taken && now - policy->ended < policy->debounce_ms)) {
		policy->ignored++;
		return POLICY_BUSY;
	}
	if (is_limited(policy, now)) {
		policy->limited++;
		return POLICY_LIMIT;
	}
	begin(policy, now);
	return POLICY_TAKE;
}

bool policy_force(struct policy *policy, uint64_t now)
{
	if (policy->busy)
		return false;
	begin(policy, now);
	return true;
}

void policy_done(struct policy *policy, uint64_t now)
{
	policy->busy = false;
	policy->ended = now;
}
