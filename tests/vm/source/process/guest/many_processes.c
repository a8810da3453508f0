// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
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

/* A file that all read would be theirs one after the other, for minutes where they are slow */
static int one(void *arg)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "disguised");
	/* it is blocked, and stays if it comes before */
	return sigwaitinfo(arg, NULL) != SIGUSR1;
}

int main(int argc, char **argv)
{
	int i, made, status, n = argc > 1 ? atoi(argv[1]) : 0, bad = 0;
	char *stacks = malloc((n + 1) * STACK);
	pid_t *pids = calloc(n + 1, sizeof(*pids));
	sigset_t end;

	if (n <= 0 || !stacks || !pids) {
		perror("many_processes COUNT");
		return 2;
	}
	sigemptyset(&end);
	sigaddset(&end, SIGUSR1);
	sigprocmask(SIG_BLOCK, &end, NULL);
	for (made = 0; made < n; made++) {
		pids[made] = clone(one, stacks + (made + 1) * STACK,
				   CLONE_VM | CLONE_FS | CLONE_FILES | SIGCHLD, &end);
		if (pids[made] < 0) {
			fprintf(stderr, "many_processes: %d of %d: %s\n", made, n, strerror(errno));
			bad = 1;
			break;
		}
		printf("%d\n", pids[made]);
	}
	fflush(stdout);
	for (i = 0; i < made; i++)
		kill(pids[i], SIGUSR1);
	while (wait(&status) > 0)
		bad += status != 0;
	if (bad)
		fprintf(stderr, "many_processes: %d were not made, or ended otherwise\n", bad);
	return bad != 0;
}
