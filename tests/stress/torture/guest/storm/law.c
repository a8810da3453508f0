// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Storm: the law that holds when a session has ended: no record is unaccounted for. */
#define _GNU_SOURCE
#include <errno.h>
#include "life.h"

#define STATS	"/sys/kernel/debug/etw_torture/stats"

/* Attempts on a session, and those that found a place, as the writers counted */
static void writers_counts(const struct life *life, unsigned long long *attempted,
			   unsigned long long *written)
{
	unsigned long long start, tried, placed;
	FILE *file = fopen(STATS, "r");
	unsigned int cpu, id;
	char line[256];

	*attempted = 0;
	*written = 0;
	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "counts %u %*s %u %llu %llu %llu", &cpu, &id, &start, &tried,
			   &placed) != 5 || id != life->id || start != life->start)
			continue;
		*attempted += tried;
		*written += placed;
	}
	if (file)
		fclose(file);
	else
		storm_fail("%s: %s", STATS, strerror(errno));
}

int check_law(const struct life *life, int was_read)
{
	unsigned long long attempted, written, placed, known, start = 0, lost = 0;
	struct etw_statistics s;
	int i;

	if (session_start_time(life->id, &start) || start != life->start) {
		if (!was_read)
			storm_fail("%s=%u is gone: %s", life->name, life->id, strerror(errno));
		return 0;
	}
	writers_counts(life, &attempted, &written);
	if (statistics_of(life->id, ETW_ALL_PROCESSORS, &s)) {
		storm_fail("%s: STATISTICS: %s", life->name, strerror(errno));
		return 0;
	}
	for (i = 0; i < 8; i++)
		lost += s.lost[i];
	placed = s.read + s.overwritten + s.discarded + s.buffered;
	/*
	 * LOG_RECORD reports to its caller what it could not place, and counts it.
	 * What a rundown wrote is not counted.
	 */
	known = written + life->logged + s.internal + life->programs->written;
	if ((life->rundowns || life->programs->inexact ? known > placed : known != placed) ||
	    lost < attempted - written + life->programs->refused)
		storm_fail("%s=%u: attempted %llu, written %llu, logged %llu, by programs %llu and %llu refused, internal %llu; read %llu, overwritten %llu, discarded %llu, buffered %llu, lost %llu",
			   life->name, life->id, attempted, written, life->logged,
			   life->programs->written, life->programs->refused, s.internal, s.read, s.overwritten, s.discarded, s.buffered, lost);
	if (s.overwritten && !life->overwrite)
		storm_fail("%s: %llu overwritten in discard mode", life->name, s.overwritten);
	add(C_CHECKED, 1);
	add(C_ATTEMPTED, attempted + life->logged + life->programs->written +
			 life->programs->refused);
	add(C_PROGRAMS, life->programs->written);
	add(C_LOST, lost);
	add(C_OVERWRITTEN, s.overwritten);
	return 1;
}

void check_seen(const struct life *life)
{
	const struct stream_check *check = &life->seen->check;
	const struct etw_statistics *final = &life->seen->final;
	unsigned long long seen = check->others + check->kernel, gaps = 0, lost = 0;
	int i;

	for (i = 0; i < MAX_CPUS; i++) {
		seen += check->ours[i];
		gaps += check->gaps[i];
	}
	for (i = 0; i < 8; i++)
		lost += final->lost[i];
	if (life->seen->ended && final->size && life->seen->exact && life->seen->steady &&
	    gaps > lost + final->overwritten)
		storm_fail("%s=%u: %llu records are missing, %llu lost, %llu overwritten",
			   life->name, life->id, gaps, lost,
			   (unsigned long long)final->overwritten);
	if (life->seen->ended && final->size &&
	    (final->buffered || (life->seen->exact ? seen != final->read : seen > final->read)))
		storm_fail("%s=%u: %llu records seen, %llu read, %llu buffered, %s", life->name,
			   life->id, seen, (unsigned long long)final->read,
			   (unsigned long long)final->buffered,
			   life->seen->exact ? "exact" : "at least");
	add(C_SEEN, seen);
	add(C_NESTED, check->over);
	add(C_READ, final->read);
	add(C_FAILURES, check->failures);
}
