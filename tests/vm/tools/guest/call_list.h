/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A program's own list of its system calls: call, paths in hexadecimal, error number. */
#ifndef CALL_LIST_H
#define CALL_LIST_H

#include <errno.h>
#include <stdio.h>

static FILE *out;

/* Return: 0, or -1 */
static int open_list(const char *name)
{
	out = fopen(name, "w");
	/* later output makes no call */
	return out ? setvbuf(out, NULL, _IOFBF, 1 << 20) : -1;
}

static void print_hex(const char *text)
{
	putc(' ', out);
	if (!text)
		putc('-', out);
	for (; text && *text; text++)
		fprintf(out, "%02x", (unsigned char)*text);
}

static void say(const char *call, const char *path, const char *second, long result)
{
	const int error = result < 0 ? errno : 0;

	fputs(call, out);
	print_hex(path);
	print_hex(second);
	fprintf(out, " %d\n", error);
}

#endif /* CALL_LIST_H */
