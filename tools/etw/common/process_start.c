// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* When a process began: together with its id, this identifies it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "process_start.h"

/* Fields of /proc/PID/stat, from 1 */
#define NAME	2
#define START	22

bool process_start(const char *pid, uint64_t *ticks)
{
	char path[64], text[1024], *at;
	int field = NAME;
	size_t size;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%.20s/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	size = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[size] = '\0';
	/* the name, in parentheses, may contain both blanks and parentheses */
	at = strrchr(text, ')');
	for (; at && field < START; field++)
		at = strchr(at + 1, ' ');
	if (!at)
		return false;
	*ticks = strtoull(at + 1, NULL, 10);
	return true;
}
