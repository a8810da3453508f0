// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Stands for libdebuginfod: what it "downloads" is FAKE_DIR/ID.debug. Each call is a line of
 * FAKE_DIR/calls. With HALF it is of a version that lacks a function.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *debuginfod_begin(void);
int debuginfod_find_debuginfo(void *client, const unsigned char *id, int bytes, char **path);
void debuginfod_end(void *client);

static void tell(const char *format, ...)
{
	char path[4096];
	va_list arguments;
	FILE *calls;

	snprintf(path, sizeof(path), "%s/calls", getenv("FAKE_DIR"));
	calls = fopen(path, "a");
	va_start(arguments, format);
	vfprintf(calls, format, arguments);
	va_end(arguments);
	fclose(calls);
}

void *debuginfod_begin(void)
{
	tell("begin\n");
	return malloc(1);
}

int debuginfod_find_debuginfo(void *client, const unsigned char *id, int bytes, char **path)
{
	char text[129] = "", file[4096];
	int i, fd;

	for (i = 0; i < bytes && i < 64; i++)
		sprintf(text + 2 * i, "%02x", id[i]);
	snprintf(file, sizeof(file), "%s/%s.debug", getenv("FAKE_DIR"), text);
	fd = client ? open(file, O_RDONLY | O_CLOEXEC) : -1;
	tell("find %s %s\n", text, fd < 0 ? "no" : "yes");
	if (fd < 0)
		return -ENOENT;
	*path = strdup(file);
	return fd;
}

#ifndef HALF
void debuginfod_end(void *client)
{
	tell("end\n");
	free(client);
}
#endif
