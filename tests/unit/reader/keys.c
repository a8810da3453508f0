// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Keys that a crafted file would choose: a search takes few steps, whatever they are. */
#include <stdio.h>
#include <sys/resource.h>
#include "tests/lib/guest/check.h"
#include "tools/libetl/map.c"
#include "tools/libetl/execs.c"

#define KEYS	20000
/* A walk through all renames for each question would take a minute */
#define RENAMES	200000
#define SECONDS	10

/* Slots that a search of each key looks at, together */
static size_t steps(const struct map *map)
{
	size_t i, n = 0;

	for (i = 0; i < map->count; i++)
		n += ((slot_of(map, map->keys[i]) - first_slot(map, map->keys[i])) &
		      (map->room - 1)) + 1;
	return n;
}

/* The inverse of an odd number, modulo 2^64 */
static uint64_t inverse(uint64_t odd)
{
	uint64_t result = odd;
	int i;

	for (i = 0; i < 6; i++)
		result *= 2 - odd * result;
	return result;
}

static size_t steps_of(uint64_t first, uint64_t step)
{
	struct map map = { 0 };
	uint64_t i;
	size_t n;

	for (i = 0; i < KEYS; i++)
		if (map_add(&map, first + i * step) == MAP_NONE)
			return 0;
	n = steps(&map);
	map_free(&map);
	return n;
}

static int few(size_t n)
{
	return n >= KEYS && n < 8 * KEYS;
}

static void note(struct execs *execs, uint16_t hook, uint32_t process, uint32_t thread, uint64_t time)
{
	const uint32_t ids[] = { process, thread };
	const struct etl_record record = {
		.header = ETL_SYSTEM, .hook_id = hook, .thread_id = process, .time = time,
		.payload = (const uint8_t *)ids, .payload_size = sizeof(ids),
	};

	if (execs_note(execs, 0, &record))
		failures++;
}

/* Each process's leader gets the id of another thread; each thread is asked for, at two times. */
static int renames_are_found(void)
{
	struct rlimit limit = { SECONDS, SECONDS };
	struct execs execs = { 0 };
	uint32_t i, n, good = 0;

	setrlimit(RLIMIT_CPU, &limit);
	for (i = 0; i < RENAMES; i++) {
		n = 4 * i + 4;
		note(&execs, WMI_LOG_TYPE_THREAD_DELETE, n, n + 1, i);
		note(&execs, WMI_LOG_TYPE_THREAD_CREATE, n, n, i);
	}
	for (i = 0; i < RENAMES; i++) {
		n = 4 * i + 4;
		good += execs_renamed(&execs, n + 1, n, i) && execs_renamed(&execs, n, n + 1, i) &&
			!execs_renamed(&execs, n, n + 1, i + 1) &&
			!execs_renamed(&execs, n, n + 2, i);
	}
	execs_free(&execs);
	return good == RENAMES;
}

int main(void)
{
	/* those with a product with the constant of the hash that has the same bits in the middle */
	check_that(few(steps_of(0, inverse(0x9E3779B97F4A7C15ULL) << 44)),
		   "keys with one hash under the constant alone take few steps");
	check_that(few(steps_of(0, inverse(0x9E3779B97F4A7C15ULL))),
		   "keys with one hash under the constant's low bits take few steps");
	check_that(few(steps_of(1, 1)), "consecutive keys take few steps");
	check_that(few(steps_of(7, 1ULL << 32)),
		   "keys that differ in their upper half take few steps");
	check_that(few(steps_of(7, 1ULL << 49)),
		   "keys that differ in their upper quarter take few steps");
	check_that(renames_are_found(),
		   "all threads that exec renamed are found within a few steps each");
	return failures != 0;
}
