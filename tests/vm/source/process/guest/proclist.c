// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * What /proc says of every process and thread: a line each, fields in hex or numbers. The
 * priority of its I/O is what ioprio_get() says.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/ioprio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
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

/* The whole of a small text; -1 without one */
static int read_text(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "r");
	size_t n;

	if (!file)
		return -1;
	n = fread(text, 1, size - 1, file);
	fclose(file);
	text[n] = 0;
	return 0;
}

/* Fields of stat behind the name: state, parent, and flags */
static int read_stat(const char *path, char *state, int *parent, unsigned int *flags)
{
	char line[1024], *end;

	if (read_text(path, line, sizeof(line)))
		return -1;
	end = strrchr(line, ')');
	if (!end || sscanf(end + 2, "%c %d %*d %*d %*d %*d %u", state, parent, flags) != 3)
		return -1;
	return 0;
}

/* A word of a line of status; NAME with its colon. Of a mask without the commas, last 64 bits */
static void put_status(const char *directory, const char *name)
{
	char path[700], text[8192], word[4096], *line, *from;
	size_t n = 0;

	snprintf(path, sizeof(path), "%s/status", directory);
	if (read_text(path, text, sizeof(text)))
		text[0] = 0;
	line = strstr(text, name);
	for (from = line ? line + strlen(name) : ""; *from && (!n || isxdigit(*from) || *from == ',');
	     from++)
		if (isxdigit(*from))
			word[n++] = *from;
	word[n] = 0;
	printf(" %s", n ? word + (n > 16 ? n - 16 : 0) : "-");
}

/* Fields 19, 26, 28, 40, 41 of stat: nice, startcode, startstack, rt_priority, policy */
static void put_stat(const char *directory)
{
	static const int wanted[] = { 19, 26, 28, 40, 41 };
	char path[700], line[1024], *word;
	unsigned int i, field = 3;

	snprintf(path, sizeof(path), "%s/stat", directory);
	if (read_text(path, line, sizeof(line)))
		line[0] = 0;
	word = strrchr(line, ')');
	word = word ? strtok(word + 2, " ") : NULL;
	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		for (; word && field < (unsigned int)wanted[i]; field++)
			word = strtok(NULL, " ");
		printf(" %s", word ? word : "-");
	}
}

/* Real user id, audit session, class of the program's file: 1 is 32 bits */
static void put_whom(const char *directory)
{
	char path[400], text[64];
	FILE *file;
	int class = 0;

	put_status(directory, "\nUid:");
	snprintf(path, sizeof(path), "%s/sessionid", directory);
	/* a kernel without audit has none */
	if (read_text(path, text, sizeof(text)) || !text[0])
		strcpy(text, "4294967295");
	printf(" %s", text);
	snprintf(path, sizeof(path), "%s/exe", directory);
	file = fopen(path, "r");
	if (file) {
		if (!fseek(file, 4, SEEK_SET))
			class = fgetc(file);
		fclose(file);
	}
	printf(" %d", class);
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
	snprintf(path, sizeof(path), "/proc/%s/task/%s", process, thread);
	put_stat(path);
	put_status(path, "\nCpus_allowed:");
	printf(" %ld\n", syscall(SYS_ioprio_get, IOPRIO_WHO_PROCESS, atoi(thread)));
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
	put_whom(where);
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
