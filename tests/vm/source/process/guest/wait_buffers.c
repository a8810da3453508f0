// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Waits until buffers of the first session wait to be read: how many, a line each; says "so many".
 * For a rundown of running processes, it is begun before: it begins no programs that would be
 * recorded,
 * and asks within milliseconds, where a rundown without a reader waits 2 s.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include "tests/lib/guest/requests.h"
#include "tests/lib/guest/statistics.h"

#define TRIES	30000

int main(void)
{
	int control = open_control(), tries;
	char line[16];

	while (fgets(line, sizeof(line), stdin)) {
		for (tries = 0; tries < TRIES; tries++, sleep_ms(1))
			if (statistics_of(control, 1).buffers_waiting >= strtoul(line, NULL, 0))
				break;
		puts(tries < TRIES ? "so many" : "fewer");
		fflush(stdout);
	}
	return 0;
}
