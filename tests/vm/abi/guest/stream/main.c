// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * The stream of a session: read() of any size, poll(), splice(), ends of life.
 * stream ROUNDS KB: so many switches there and back for a stream, of buffers of so many KB
 */
#define _GNU_SOURCE
#include "stream.h"

int rounds;
__u32 usual_kb;
int control;

int main(int argc, char **argv)
{
	if (argc == 3) {
		rounds = atoi(argv[1]);
		usual_kb = atoi(argv[2]);
	}
	if (rounds < 1 || !usual_kb) {
		fprintf(stderr, "stream ROUNDS KB\n");
		return 2;
	}
	control = open("/dev/etw/control", O_RDWR | O_CLOEXEC);
	if (control < 0)
		die("/dev/etw/control");
	test_counts();
	test_poll();
	test_dead_reader();
	test_flags_stay();
	test_splice();
	test_headers();
	test_ends();
	result(!loggers(), "no session is left");
	return !!failures;
}
