// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Finds the processes that a session's process filter kept, by the context swaps in a trace. */
#include <stdlib.h>
#include "filter_inference.h"

/* Filters are by process. */
struct filter_evidence *filter_evidence_of(struct filter_inference *inference, uint32_t tid,
					   uint64_t time)
{
	const struct thread *thread = lifetimes_thread(inference->statistics->lifetimes, tid, time);
	size_t n = inference->map.count;
	struct filter_evidence *more;
	size_t i;

	if (!thread)
		return NULL;
	i = map_add(&inference->map, thread->process ? thread->process->life.id :
				   tid ? (uint64_t)1 << 32 | tid : 0);
	if (i == MAP_NONE)
		return NULL;
	if (i == n) {
		more = reallocarray(inference->evidence, n + 1, sizeof(*more));
		if (!more)
			return NULL;
		more[n] = (struct filter_evidence){ };
		inference->evidence = more;
	}
	return &inference->evidence[i];
}

/*
 * A filter keeps a switch if one of the two threads is wanted. All switches to and from wanted
 * threads are in the trace. So if another thread runs than the last switch shows, neither of
 * the two is wanted.
 */
int filter_inference_find_unwanted(struct filter_inference *inference,
				   const struct interval *interval)
{
	struct filter_evidence *evidence;

	if (interval->why != CHAIN_HIDDEN)
		return 0;
	inference->filtered = true;
	evidence = filter_evidence_of(inference, interval->running, interval->to);
	if (evidence)
		evidence->unwanted = true;
	evidence = filter_evidence_of(inference, interval->old, interval->to);
	if (evidence)
		evidence->unwanted = true;
	return evidence ? 0 : -1;
}

/* A switch with an unwanted thread is in the trace only if the other thread is wanted. */
int filter_inference_find_wanted(struct filter_inference *inference,
				 const struct interval *interval)
{
	const uint32_t pair[2] = { interval->old, interval->new };
	struct filter_evidence *evidence;
	bool unwanted;
	int i;

	for (i = 0; i < 2; i++) {
		evidence = filter_evidence_of(inference, pair[i], interval->to);
		unwanted = evidence && evidence->unwanted;
		evidence = filter_evidence_of(inference, pair[!i], interval->to);
		if (!evidence)
			return -1;
		evidence->wanted |= unwanted;
	}
	return 0;
}

static bool is_wanted(struct filter_inference *inference, uint32_t tid, uint64_t time)
{
	struct filter_evidence *evidence = filter_evidence_of(inference, tid, time);

	return evidence && evidence->wanted && !evidence->unwanted;
}

/*
 * A filter that names processes does not keep the idle thread. So if the idle thread is wanted,
 * the filter leaves out one process only. The walks have found that process, and every switch of
 * the others is in the trace.
 */
bool filter_inference_see_whole(struct filter_inference *inference, uint32_t tid, uint64_t time)
{
	struct filter_evidence *evidence;

	if (!inference->filtered || is_wanted(inference, tid, time))
		return true;
	evidence = filter_evidence_of(inference, tid, time);
	return evidence && !evidence->unwanted && is_wanted(inference, 0, time);
}

void filter_inference_free(struct filter_inference *inference)
{
	map_free(&inference->map);
	free(inference->evidence);
	*inference = (struct filter_inference){ };
}
