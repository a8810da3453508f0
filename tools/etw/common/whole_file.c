// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A text file that a verb makes. */
#include <errno.h>
#include <string.h>
#include "etw.h"
#include "unfinished.h"
#include "whole_file.h"

int whole_file_write(const char *name, int (*write)(FILE *to, void *data), void *data)
{
	FILE *to;
	int code, err;

	if (!name)
		return write(stdout, data) ? EXIT_FAILED : EXIT_OK;
	unfinished_hold();
	to = fopen(name, "we");
	err = errno;
	unfinished_begin(to ? name : NULL);
	if (!to)
		return failed("%s: %s", name, strerror(err));
	code = write(to, data) ? EXIT_FAILED : EXIT_OK;
	if (ferror(to) | fclose(to))
		code = failed("%s: %s", name, strerror(errno));
	if (code)
		unfinished_remove();
	unfinished_end();
	return code;
}
