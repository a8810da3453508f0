// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Processes that use memory, files and page faults in known ways, and what /proc says of them. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Prints "process PID KIND FILES", followed by what smaps_rollup, status and, as
 * the last line, stat of that moment say, then "end". Nothing happens in a child
 * between this and its end that would change any of it.
 */
#define MIB	(1UL << 20)
#define TEXT	16384

static char smaps[TEXT], status[TEXT], stat[TEXT], head[128];
static const char tail[] = "end\n";

static void die(const char *what)
{
	fprintf(stderr, "usage: %s: %s\n", what, strerror(errno));
	exit(125);
}

static int open_proc(const char *who, const char *name)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/%s", who, name);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		die(path);
	return fd;
}

static size_t take(int fd, char *to)
{
	ssize_t n = pread(fd, to, TEXT, 0);

	if (n <= 0)
		die("a file of /proc");
	return n;
}

/* Open files, without the one that it takes to look */
static int count_files(const char *who)
{
	char path[64];
	DIR *directory;
	int count = 0;

	snprintf(path, sizeof(path), "/proc/%s/fd", who);
	directory = opendir(path);
	if (!directory)
		die(path);
	while (readdir(directory))
		count++;
	closedir(directory);
	return count - 2 - !strncmp(who, "thread-self", 4);
}

/* Threads of a process: those in that state, or all of them */
static int count_threads(int pid, char wanted)
{
	struct dirent *entry;
	DIR *directory;
	int count = 0;
	char path[96];

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	directory = opendir(path);
	if (!directory)
		die(path);
	while ((entry = readdir(directory))) {
		char line[256] = "", *state;
		int fd;

		snprintf(path, sizeof(path), "/proc/%d/task/%.16s/stat", pid, entry->d_name);
		fd = entry->d_name[0] == '.' ? -1 : open(path, O_RDONLY);
		if (fd < 0)
			continue;
		if (read(fd, line, sizeof(line) - 1) > 0) {
			state = strrchr(line, ')');
			count += !wanted || (state && state[2] == wanted);
		}
		close(fd);
	}
	closedir(directory);
	return count;
}

static void wait_for(int pid, char wanted, int count)
{
	while (count_threads(pid, wanted) != count)
		usleep(10000);
}

/* The first time is a rehearsal, so that the second one causes no page fault. */
static void look(const char *who, int pid, const char *kind)
{
	int smaps_fd = open_proc(who, "smaps_rollup"), status_fd = open_proc(who, "status");
	struct iovec parts[5];
	char process[16];
	int stat_fd, time;

	/* of all threads, which a thread's own isn't */
	snprintf(process, sizeof(process), "%d", pid);
	stat_fd = open_proc(process, "stat");

	for (time = 0; time < 2; time++) {
		snprintf(head, sizeof(head), "process %d %s %d\n", pid, kind, count_files(who));
		parts[0] = (struct iovec){ head, strlen(head) };
		parts[1] = (struct iovec){ smaps, take(smaps_fd, smaps) };
		parts[2] = (struct iovec){ status, take(status_fd, status) };
		parts[4] = (struct iovec){ (void *)tail, sizeof(tail) - 1 };
		parts[3] = (struct iovec){ stat, take(stat_fd, stat) };
		if (time && writev(1, parts, 5) < 0)
			die("writev");
	}
	if (pid == getpid())
		return;
	close(smaps_fd);
	close(status_fd);
	close(stat_fd);
}

static void look_at_self(const char *kind)
{
	look("thread-self", getpid(), kind);
}

static char *get(size_t size, size_t touched)
{
	char *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t i;

	if (at == MAP_FAILED)
		die("mmap");
	madvise(at, size, MADV_NOHUGEPAGE);
	for (i = 0; i < touched; i += 4096)
		at[i] = 1;
	return at;
}

static void *touches(void *unused)
{
	get(MIB, MIB);
	return unused;
}

static void *sleeps(void *unused)
{
	pause();
	return unused;
}

static void *ends_last(void *unused)
{
	wait_for(getpid(), 'Z', 1);
	look_at_self("leaderless");
	syscall(SYS_exit_group, 0);
	return unused;
}

static void plain(void)
{
	look_at_self("plain");
}

static void files(void)
{
	int i;

	for (i = 0; i < 75; i++)
		dup(1);
	/* a hole, and one far behind it */
	close(20);
	dup2(1, 700);
	look_at_self("files");
}

static void memory(void)
{
	get(32 * MIB, 8 * MIB);
	look_at_self("memory");
}

static void peaks(void)
{
	munmap(get(32 * MIB, 4 * MIB), 32 * MIB);
	look_at_self("peaks");
}

static void threads(void)
{
	pthread_t thread[3];
	int i;

	for (i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, touches, NULL);
	for (i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	/* joined is not yet ended: they leave their process a moment later */
	wait_for(getpid(), 0, 1);
	look_at_self("threads");
}

static void sleepers(void)
{
	pthread_t thread;
	int i;

	for (i = 0; i < 3; i++)
		pthread_create(&thread, NULL, sleeps, NULL);
	wait_for(getpid(), 'S', 3);
	look_at_self("sleepers");
}

static void leaderless(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, ends_last, NULL);
	syscall(SYS_exit, 0);
}

static void run(void)
{
	static void (*const kinds[])(void) = {
		plain, files, memory, peaks, threads, sleepers, leaderless,
	};
	char who[16];
	size_t i;
	int pid;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		pid = fork();
		if (pid < 0)
			die("fork");
		if (!pid) {
			kinds[i]();
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
	/* a child that doesn't end by itself */
	pid = fork();
	if (!pid) {
		get(16 * MIB, 2 * MIB);
		sleeps(NULL);
	}
	wait_for(pid, 'S', 1);
	snprintf(who, sizeof(who), "%d", pid);
	look(who, pid, "killed");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* For good; without its first thread, if that is wanted. "ready" goes to its file 9. */
static void stay(int headless)
{
	pthread_t thread;

	if (headless) {
		pthread_create(&thread, NULL, sleeps, NULL);
		wait_for(getpid(), 'S', 1);
	}
	if (write(9, "ready", 5) != 5)
		die("write");
	if (headless)
		syscall(SYS_exit, 0);
	sleeps(NULL);
}

/* usage stay | headless; usage look KIND PID TID; usage: the processes that end */
int main(int argc, char **argv)
{
	char who[64];
	int i;

	if (argc > 1 && (!strcmp(argv[1], "stay") || !strcmp(argv[1], "headless"))) {
		get(24 * MIB, 3 * MIB);
		for (i = 0; i < 10; i++)
			dup(1);
		stay(argv[1][0] == 'h');
	}
	if (argc > 4 && !strcmp(argv[1], "look")) {
		snprintf(who, sizeof(who), "%s/task/%s", argv[3], argv[4]);
		look(who, atoi(argv[3]), argv[2]);
	} else {
		run();
	}
	return 0;
}
