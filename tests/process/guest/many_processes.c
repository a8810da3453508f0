// SPDX-License-Identifier: GPL-2.0
/* Many processes at once, cheap ones: all share their memory, and rename themselves. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK	4096UL

static int one(void *arg)
{
	const int *end = arg;
	char byte;

	prctl(PR_SET_NAME, "disguised");
	/* until the parent closes the other end */
	return read(*end, &byte, 1) != 0;
}

int main(int argc, char **argv)
{
	int i, status, wait_here[2], n = argc > 1 ? atoi(argv[1]) : 0, bad = 0;
	char *stacks = malloc((n + 1) * STACK);
	pid_t pid;

	if (n <= 0 || !stacks || pipe(wait_here)) {
		perror("many_processes COUNT");
		return 2;
	}
	for (i = 0; i < n; i++) {
		pid = clone(one, stacks + (i + 1) * STACK,
			    CLONE_VM | CLONE_FS | CLONE_FILES | SIGCHLD, wait_here);
		if (pid < 0) {
			fprintf(stderr, "many_processes: %d of %d: %s\n", i, n, strerror(errno));
			return 1;
		}
		printf("%d\n", pid);
	}
	fflush(stdout);
	close(wait_here[1]);
	while (wait(&status) > 0)
		bad += status != 0;
	if (bad)
		fprintf(stderr, "many_processes: %d ended otherwise\n", bad);
	return bad != 0;
}
