// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Run a command with another nice value: niced N COMMAND... */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 3 || setpriority(PRIO_PROCESS, 0, atoi(argv[1]))) {
		fprintf(stderr, "niced: wrong usage, or not allowed\n");
		return 125;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 127;
}
