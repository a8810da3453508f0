// SPDX-License-Identifier: GPL-2.0
/* Whose context swaps a session's filter by process left in. */
#include <stdlib.h>
#include "party.h"

/* Filters are by process. */
struct party *party_of(struct parties *parties, uint32_t tid, uint64_t time)
{
	const struct thread *thread = lifetimes_thread(parties->statistics->lifetimes, tid, time);
	size_t n = parties->map.count;
	struct party *more;
	size_t i;

	if (!thread)
		return NULL;
	i = map_add(&parties->map, thread->process ? thread->process->life.id :
				   tid ? (uint64_t)1 << 32 | tid : 0);
	if (i == MAP_NONE)
		return NULL;
	if (i == n) {
		more = reallocarray(parties->party, n + 1, sizeof(*more));
		if (!more)
			return NULL;
		more[n] = (struct party){ };
		parties->party = more;
	}
	return &parties->party[i];
}

/*
 * A filter keeps a switch when one of the two threads is wanted. So where another thread
 * runs than the last switch says, both of them are not: switches to and from wanted ones
 * are all there.
 */
int parties_find_unwanted(struct parties *parties, const struct interval *interval)
{
	struct party *party;

	if (interval->why != CHAIN_HIDDEN)
		return 0;
	parties->filtered = true;
	party = party_of(parties, interval->running, interval->to);
	if (party)
		party->unwanted = true;
	party = party_of(parties, interval->old, interval->to);
	if (party)
		party->unwanted = true;
	return party ? 0 : -1;
}

/* And who switches with one that is not wanted is wanted. */
int parties_find_wanted(struct parties *parties, const struct interval *interval)
{
	const uint32_t pair[2] = { interval->old, interval->new };
	struct party *party;
	bool unwanted;
	int i;

	for (i = 0; i < 2; i++) {
		party = party_of(parties, pair[i], interval->to);
		unwanted = party && party->unwanted;
		party = party_of(parties, pair[!i], interval->to);
		if (!party)
			return -1;
		party->wanted |= unwanted;
	}
	return 0;
}

static bool is_wanted(struct parties *parties, uint32_t tid, uint64_t time)
{
	struct party *party = party_of(parties, tid, time);

	return party && party->wanted && !party->unwanted;
}

/*
 * Who asks for some processes never gets idle. So where that is wanted the filter only
 * leaves one process out, and that is known by now: all others are seen whole.
 */
bool parties_see_whole(struct parties *parties, uint32_t tid, uint64_t time)
{
	struct party *party;

	if (!parties->filtered || is_wanted(parties, tid, time))
		return true;
	party = party_of(parties, tid, time);
	return party && !party->unwanted && is_wanted(parties, 0, time);
}

void parties_free(struct parties *parties)
{
	map_free(&parties->map);
	free(parties->party);
	*parties = (struct parties){ };
}
