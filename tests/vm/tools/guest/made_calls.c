// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Makes system calls that nothing else in the program makes, and prints how many. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OF_PARENT	1000
#define OF_CHILD	50
#define MISSING	100
#define SLEEPS	10

static void get_ppid(int times)
{
	while (times--)
		syscall(SYS_getppid);
}

int main(void)
{
	const struct timespec sleep = { .tv_nsec = 2000000 };
	int i, status, errors = 0;
	pid_t child;

	child = fork();
	if (!child) {
		get_ppid(OF_CHILD);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status)
		return 1;
	get_ppid(OF_PARENT);
	for (i = 0; i < MISSING; i++)
		errors += syscall(SYS_faccessat, AT_FDCWD, "/missing", F_OK) < 0;
	syscall(SYS_openat, AT_FDCWD, "/tmp/made_calls", O_CREAT | O_RDWR, 0600);
	for (i = 0; i < SLEEPS; i++)
		syscall(SYS_nanosleep, &sleep, NULL);
	printf("getppid %d 0\nfaccessat %d %d\nnanosleep %d 0\nopenat 1 0\n",
	       OF_PARENT + OF_CHILD, MISSING, errors, SLEEPS);
	return 0;
}
