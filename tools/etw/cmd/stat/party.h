/* SPDX-License-Identifier: GPL-2.0 */
/* Whose context swaps a session's filter by process left in. */
#ifndef ETW_STAT_PARTY_H
#define ETW_STAT_PARTY_H

#include "libetl/map.h"
#include "libetl/swap_intervals.h"
#include "collect.h"

/* What the switches of a process show of the session's filter */
struct party {
	bool wanted;
	bool unwanted;
};

/**
 * struct parties - of all processes
 * @statistics: whose threads they have
 * @map: processes, or threads of unknown ones
 * @party: for each of them
 * @filtered: switches between others were left out
 */
struct parties {
	const struct statistics *statistics;
	struct map map;
	struct party *party;
	bool filtered;
};

/* The party of the thread that had an id at a time. Return: NULL: no memory */
struct party *party_of(struct parties *parties, uint32_t tid, uint64_t time);
/* Two walks tell the filter, the second only of a @filtered trace. Return: 0 or -1 */
int parties_find_unwanted(struct parties *parties, const struct interval *interval);
int parties_find_wanted(struct parties *parties, const struct interval *interval);
/* Whether every switch of the thread that had an id at a time is in the trace */
bool parties_see_whole(struct parties *parties, uint32_t tid, uint64_t time);
void parties_free(struct parties *parties);

#endif /* ETW_STAT_PARTY_H */
