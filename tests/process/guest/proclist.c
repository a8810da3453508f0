// SPDX-License-Identifier: GPL-2.0
/* What /proc says of every process and thread: a line each, fields in hex or numbers. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PF_KTHREAD	0x00200000

/* Bytes of a /proc file, as hex; "-" for none */
static void put_file(const char *path)
{
	static unsigned char data[16384];
	int fd = open(path, O_RDONLY);
	ssize_t i, n = 0, more;

	while (fd >= 0 && (more = read(fd, data + n, sizeof(data) - n)) > 0)
		n += more;
	if (fd >= 0)
		close(fd);
	if (n <= 0)
		printf(" -");
	else
		putchar(' ');
	for (i = 0; i < n; i++)
		printf("%02x", data[i]);
}

static void put_link(const char *path)
{
	char target[4096];
	ssize_t n = readlink(path, target, sizeof(target) - 1);
	char *name;

	if (n < 0) {
		printf(" -");
		return;
	}
	target[n] = 0;
	putchar(' ');
	for (name = basename(target); *name; name++)
		printf("%02x", (unsigned char)*name);
}

/* Fields of stat behind the name: state, parent, and flags */
static int read_stat(const char *path, char *state, int *parent, unsigned int *flags)
{
	char line[1024], *end;
	FILE *file = fopen(path, "r");
	size_t n;

	if (!file)
		return -1;
	n = fread(line, 1, sizeof(line) - 1, file);
	fclose(file);
	line[n] = 0;
	end = strrchr(line, ')');
	if (!end || sscanf(end + 2, "%c %d %*d %*d %*d %*d %u", state, parent, flags) != 3)
		return -1;
	return 0;
}

static void put_thread(const char *process, const char *thread)
{
	char path[600];
	unsigned int flags;
	char state;
	int parent;

	snprintf(path, sizeof(path), "/proc/%s/task/%s/stat", process, thread);
	if (read_stat(path, &state, &parent, &flags))
		return;
	printf("thread %s %s %c %d", process, thread, state, !!(flags & PF_KTHREAD));
	snprintf(path, sizeof(path), "/proc/%s/task/%s/comm", process, thread);
	put_file(path);
	putchar('\n');
}

/* Where /proc has what a process is: with its first thread, or, once that ended, another */
static void find_living(const char *process, char *where, size_t size)
{
	struct dirent *entry;
	unsigned int flags;
	char path[600];
	int parent;
	char state;
	DIR *tasks;

	snprintf(where, size, "/proc/%s", process);
	snprintf(path, sizeof(path), "/proc/%s/stat", process);
	if (read_stat(path, &state, &parent, &flags) || state != 'Z')
		return;
	snprintf(path, sizeof(path), "/proc/%s/task", process);
	tasks = opendir(path);
	while (tasks && (entry = readdir(tasks))) {
		snprintf(path, sizeof(path), "/proc/%s/task/%s/stat", process, entry->d_name);
		if (!isdigit(entry->d_name[0]) || read_stat(path, &state, &parent, &flags) ||
		    state == 'Z' || state == 'X')
			continue;
		snprintf(where, size, "/proc/%s/task/%s", process, entry->d_name);
		break;
	}
	if (tasks)
		closedir(tasks);
}

static void put_process(const char *process)
{
	unsigned int flags;
	struct dirent *entry;
	char where[300], path[320];
	char state;
	int parent;
	DIR *tasks;

	find_living(process, where, sizeof(where));
	snprintf(path, sizeof(path), "%s/stat", where);
	if (read_stat(path, &state, &parent, &flags))
		return;
	printf("process %s %d %c %d", process, parent, state, !!(flags & PF_KTHREAD));
	snprintf(path, sizeof(path), "%s/exe", where);
	put_link(path);
	snprintf(path, sizeof(path), "%s/comm", where);
	put_file(path);
	snprintf(path, sizeof(path), "%s/cmdline", where);
	put_file(path);
	putchar('\n');
	snprintf(path, sizeof(path), "/proc/%s/task", process);
	tasks = opendir(path);
	while (tasks && (entry = readdir(tasks)))
		if (isdigit(entry->d_name[0]))
			put_thread(process, entry->d_name);
	if (tasks)
		closedir(tasks);
}

int main(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;

	printf("self %d\n", getpid());
	printf("cpus %ld\n", sysconf(_SC_NPROCESSORS_CONF));
	while ((entry = readdir(proc)))
		if (isdigit(entry->d_name[0]))
			put_process(entry->d_name);
	closedir(proc);
	return 0;
}
