// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Many modules: module_crowd COUNT FILE NAME loads FILE, which has the name NAME, so often, each
 * time
 * by another name, as long as names may be: they begin with 000_, 001_.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Bytes of a name in struct module; enough of them for it to be found by the zeros */
#define NAME	56
#define ROOM	48

static char file[1 << 20];

static char *find_name(size_t size, const char *name)
{
	char text[ROOM] = "";

	strncpy(text, name, ROOM - 1);
	return memmem(file, size, text, ROOM);
}

int main(int argc, char **argv)
{
	int i, fd = argc == 4 ? open(argv[2], O_RDONLY) : -1;
	ssize_t size = read(fd, file, sizeof(file));
	char *name = size > 0 ? find_name(size, argv[3]) : NULL;

	for (i = 0; name && i < atoi(argv[1]); i++) {
		memset(name, 'x', NAME - 1);
		name[snprintf(name, NAME, "%03d_", i)] = 'x';
		if (syscall(SYS_init_module, file, size, "")) {
			perror("module_crowd: init_module");
			return 1;
		}
	}
	return !name;
}
