// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * blocked_reads PROCESSES FILE READS: processes that block in read() of a pipe, and so many reads
 * of the file meanwhile, with one of a pipe each. Prints the thread that reads.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static char state_of(pid_t pid)
{
	char name[32], text[256] = "", *end;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/stat", pid);
	file = fopen(name, "r");
	if (file && !fgets(text, sizeof(text), file))
		text[0] = 0;
	if (file)
		fclose(file);
	end = strrchr(text, ')');
	return end ? end[2] : 0;
}

/* Ends when its parent does, or closes the pipe. */
static void block(const int *ready, const int *from)
{
	char byte = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(from[1]);
	if (write(ready[1], &byte, 1) == 1)
		_exit(read(from[0], &byte, 1) != 0);
	_exit(1);
}

/* After its byte, a process sleeps only in its read. */
static int start_blocked(int processes, const int *from)
{
	int i, ready[2];
	char byte;

	if (pipe(ready))
		return 1;
	for (i = 0; i < processes; i++) {
		pid_t pid = fork();

		if (!pid)
			block(ready, from);
		if (pid < 0 || read(ready[0], &byte, 1) != 1)
			return 1;
		while (state_of(pid) != 'S')
			usleep(100);
	}
	return 0;
}

int main(int argc, char **argv)
{
	int i, fd, never[2], ends[2], reads = argc == 4 ? atoi(argv[3]) : 0, bad = 0;
	char byte = 0;

	fd = argc == 4 ? open(argv[2], O_RDONLY) : -1;
	if (fd < 0 || pipe(never) || pipe(ends) || start_blocked(atoi(argv[1]), never)) {
		perror("blocked_reads PROCESSES FILE READS");
		return 2;
	}
	for (i = 0; i < reads; i++) {
		bad |= pread(fd, &byte, 1, 4711) < 0;
		bad |= write(ends[1], &byte, 1) != 1 || read(ends[0], &byte, 1) != 1;
	}
	printf("%d\n", getpid());
	close(never[1]);
	while (wait(NULL) > 0)
		;
	return bad;
}
