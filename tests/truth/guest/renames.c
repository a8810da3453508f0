// SPDX-License-Identifier: GPL-2.0
/*
 * Ask for paths while somebody who is slower is in the middle of a rename: renames ROUNDS.
 * On one processor, by real time: a lock that the other one holds then has to be waited for.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "tests/guest/result.h"

#define FOLDER	"/tmp/renames"

static void stay_here(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
}

static void rename_for_ever(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		if (rename(FOLDER "/a", FOLDER "/b") || rename(FOLDER "/b", FOLDER "/a"))
			_exit(1);
}

/* An open, an image and its end, a link and its end: each has a path in its record */
static void ask_for_paths(void)
{
	int fd = open(FOLDER "/image", O_RDONLY);
	void *at;

	if (fd < 0)
		die(FOLDER "/image");
	at = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if (at == MAP_FAILED || munmap(at, 4096))
		die("mmap");
	close(fd);
	if (link(FOLDER "/image", FOLDER "/link") || unlink(FOLDER "/link"))
		die("link");
}

static void make(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT, 0700);

	if (fd < 0 || ftruncate(fd, 4096))
		die(name);
	close(fd);
}

int main(int argc, char **argv)
{
	const struct sched_param param = { .sched_priority = 50 };
	int rounds = argc > 1 ? atoi(argv[1]) : 0;
	struct timespec pause = { };
	pid_t child;

	if (mkdir(FOLDER, 0700))
		die(FOLDER);
	make(FOLDER "/a");
	make(FOLDER "/image");
	stay_here();
	child = fork();
	if (child < 0)
		die("fork");
	if (!child)
		rename_for_ever();
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		die("sched_setscheduler");
	while (rounds-- > 0) {
		/* never at the same place of a rename */
		pause.tv_nsec = 300000 + 977 * (rounds % 101);
		nanosleep(&pause, NULL);
		ask_for_paths();
	}
	kill(child, SIGKILL);
	return 0;
}
