/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Finds the processes that a session's process filter kept, by the context swaps in a trace. */
#ifndef ETW_STAT_FILTER_INFERENCE_H
#define ETW_STAT_FILTER_INFERENCE_H

#include "libetl/map.h"
#include "libetl/swap_intervals.h"
#include "collect.h"

/* What the switches of a process show about the session's filter */
struct filter_evidence {
	bool wanted;
	bool unwanted;
};

/**
 * struct filter_inference - of all processes
 * @statistics: has the threads
 * @map: processes, or threads of unknown ones
 * @evidence: for each of them
 * @filtered: switches between others were left out
 */
struct filter_inference {
	const struct statistics *statistics;
	struct map map;
	struct filter_evidence *evidence;
	bool filtered;
};

/* The evidence of the thread that had an id at a time. Return: NULL: no memory */
struct filter_evidence *filter_evidence_of(struct filter_inference *inference, uint32_t tid,
					   uint64_t time);
/* Two walks find the filter, the second one only in a @filtered trace. Return: 0 or -1 */
int filter_inference_find_unwanted(struct filter_inference *inference,
				   const struct interval *interval);
int filter_inference_find_wanted(struct filter_inference *inference,
				 const struct interval *interval);
/* Whether every switch of the thread that had an id at a time is in the trace */
bool filter_inference_see_whole(struct filter_inference *inference, uint32_t tid, uint64_t time);
void filter_inference_free(struct filter_inference *inference);

#endif /* ETW_STAT_FILTER_INFERENCE_H */
