// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A process that execs itself again and again, or each MS ms: execs_itself leader | other [MS] */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *again(void *arg)
{
	char **argv = arg;

	if (argv[2])
		usleep(1000 * strtoul(argv[2], NULL, 0));
	execv("/proc/self/exe", argv);
	perror("execs_itself");
	_exit(1);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc != 2 && argc != 3)
		return 2;
	if (!strcmp(argv[1], "leader"))
		again(argv);
	if (pthread_create(&thread, NULL, again, argv))
		return 1;
	for (;;)
		pause();
}
