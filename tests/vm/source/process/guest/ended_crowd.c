// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Processes that end all at once, at a command: ended_crowd KIND COUNT FILE
 * running: they end; ended: they are zombies until then; unmapping: they live, but their
 * images end, but for their program, and the memory that we mapped for them; execing: they
 * become another image of the same program. Writes "ready", after a line of input "gone",
 * and ends after another one. FILE: a pid a line, then CLOCK_REALTIME in ns, when all is gone.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A rundown that waits is more likely to stand before another one than behind the last. */
#define PARTS	7
#define PAGE	4096
/* Where no other memory is: check_crowd.py knows ours by it. With gaps: no two are one. */
#define MEMORY(i)	((void *)((1UL << 36) + 2 * PAGE * (i)))

static void *images[PARTS];
/* A byte of each with parts that are gone */
static int gone[2];

/* The children have them from us. */
static int map_parts(void)
{
	int i, fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	for (i = 0; i < PARTS; i++) {
		images[i] = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
		if (images[i] == MAP_FAILED)
			return -1;
		if (mmap(MEMORY(i), PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != MEMORY(i))
			return -1;
	}
	return close(fd);
}

static void parts_are_gone(int fd)
{
	if (write(fd, "", 1) != 1)
		_exit(1);
}

static void unmap_parts(int number)
{
	int i;

	(void)number;
	for (i = 0; i < PARTS; i++) {
		munmap(images[i], PAGE);
		munmap(MEMORY(i), PAGE);
	}
	parts_are_gone(gone[1]);
}

static void exec_again(int number)
{
	char fd[12];

	snprintf(fd, sizeof(fd), "%d", gone[1]);
	execl("/proc/self/exe", "ended_crowd", fd, NULL);
	_exit(number);
}

static pid_t begin(int ended)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	while (!ended)
		pause();
	_exit(0);
}

static void begin_all(pid_t *pids, int count, int ended, FILE *file)
{
	siginfo_t info;
	int i;

	for (i = 0; i < count; i++) {
		pids[i] = begin(ended);
		if (pids[i] < 0)
			exit(1);
		fprintf(file, "%d\n", pids[i]);
		fflush(file);
	}
	for (i = 0; ended && i < count; i++)
		waitid(P_PID, pids[i], &info, WEXITED | WNOWAIT);
}

static void end_all(const pid_t *pids, int count)
{
	int i;

	for (i = 0; i < count; i++)
		kill(pids[i], SIGKILL);
	for (i = 0; i < count; i++)
		if (waitpid(pids[i], NULL, 0) != pids[i])
			perror("ended_crowd: waitpid");
}

/* They live on, without what the rundown is to record */
static void change_all(const pid_t *pids, int count)
{
	char byte;
	int i;

	for (i = 0; i < count; i++)
		kill(pids[i], SIGUSR1);
	for (i = 0; i < count; i++)
		if (read(gone[0], &byte, 1) != 1)
			perror("ended_crowd: read");
}

static void expect_line(const char *said)
{
	char line[8];

	puts(said);
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		exit(1);
}

int main(int argc, char **argv)
{
	int changing, count = argc == 4 ? atoi(argv[2]) : 0;
	FILE *file = count > 0 ? fopen(argv[3], "w") : NULL;
	pid_t *pids = calloc(count, sizeof(*pids));
	struct timespec now;

	if (argc == 2) {	/* see exec_again() */
		parts_are_gone(atoi(argv[1]));
		for (;;)
			pause();
	}
	if (!file || !pids || map_parts() || pipe(gone)) {
		perror("ended_crowd running|ended|unmapping|execing COUNT FILE");
		return 2;
	}
	changing = !strcmp(argv[1], "unmapping") || !strcmp(argv[1], "execing");
	signal(SIGUSR1, strcmp(argv[1], "execing") ? unmap_parts : exec_again);
	begin_all(pids, count, !strcmp(argv[1], "ended"), file);
	expect_line("ready");
	if (changing)
		change_all(pids, count);
	else
		end_all(pids, count);
	clock_gettime(CLOCK_REALTIME, &now);
	fprintf(file, "%lld%09ld\n", (long long)now.tv_sec, now.tv_nsec);
	fclose(file);
	expect_line("gone");
	if (changing)
		end_all(pids, count);
	return 0;
}
