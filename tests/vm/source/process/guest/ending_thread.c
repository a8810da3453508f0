// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A process with a second thread that prints its number, and ends at a command: by a byte. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *end(void *arg)
{
	char byte;

	printf("%ld\n", syscall(SYS_gettid));
	fflush(stdout);
	if (read(0, &byte, 1) != 1)
		perror("ending_thread");
	return arg;
}

int main(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, end, NULL))
		return 1;
	for (;;)
		pause();
}
