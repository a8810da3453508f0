// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* many_images PROCESSES PLACES: processes that have this program mapped in many places each. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE	4096UL

/* Pages between the places keep the kernel from merging them into one mapping. */
static int map_places(int places)
{
	int i, fd = open("/proc/self/exe", O_RDONLY);

	for (i = 0; fd >= 0 && i < places; i++) {
		char *at = mmap(NULL, 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (at == MAP_FAILED || mmap(at, PAGE, PROT_READ | PROT_EXEC,
					     MAP_PRIVATE | MAP_FIXED, fd, 0) != at)
			return -1;
	}
	return fd;
}

int main(int argc, char **argv)
{
	int i, ends[2], processes = argc == 3 ? atoi(argv[1]) : 0;
	char end;

	if (processes <= 0 || pipe(ends) || map_places(atoi(argv[2])) < 0) {
		perror("many_images PROCESSES PLACES");
		return 2;
	}
	for (i = 0; i < processes; i++) {
		pid_t pid = fork();

		if (pid < 0)
			break;
		if (!pid) {
			close(ends[1]);
			_exit(read(ends[0], &end, 1) != 0);
		}
		printf("%d\n", pid);
	}
	fflush(stdout);
	close(ends[1]);
	while (wait(NULL) > 0)
		;
	return i != processes;
}
