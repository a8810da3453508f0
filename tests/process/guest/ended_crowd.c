// SPDX-License-Identifier: GPL-2.0
/*
 * Processes that end all at once, when they are told to: ended_crowd running | ended COUNT FILE
 * Those that have ended are zombies until then. The others have IMAGES images more than their
 * program. Writes "ready", and after a line of input "gone". FILE: a pid a line, then
 * CLOCK_REALTIME in ns, when nothing is left of any.
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
#define IMAGES	7

/* The children have them from us. */
static int map_images(void)
{
	int i, fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	for (i = 0; i < IMAGES; i++)
		if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
			return -1;
	return close(fd);
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

static void end_all(const pid_t *pids, int count)
{
	int i;

	for (i = 0; i < count; i++)
		kill(pids[i], SIGKILL);
	for (i = 0; i < count; i++)
		if (waitpid(pids[i], NULL, 0) != pids[i])
			perror("ended_crowd: waitpid");
}

int main(int argc, char **argv)
{
	int i, ended, count = argc == 4 ? atoi(argv[2]) : 0;
	FILE *file = count > 0 ? fopen(argv[3], "w") : NULL;
	pid_t *pids = calloc(count, sizeof(*pids));
	struct timespec now;
	siginfo_t info;
	char line[8];

	if (!file || !pids || map_images()) {
		perror("ended_crowd running|ended COUNT FILE");
		return 2;
	}
	ended = !strcmp(argv[1], "ended");
	for (i = 0; i < count; i++) {
		pids[i] = begin(ended);
		if (pids[i] < 0)
			return 1;
		fprintf(file, "%d\n", pids[i]);
	}
	for (i = 0; ended && i < count; i++)
		waitid(P_PID, pids[i], &info, WEXITED | WNOWAIT);
	puts("ready");
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		return 1;
	end_all(pids, count);
	clock_gettime(CLOCK_REALTIME, &now);
	fprintf(file, "%lld%09ld\n", (long long)now.tv_sec, now.tv_nsec);
	fclose(file);
	puts("gone");
	return 0;
}
