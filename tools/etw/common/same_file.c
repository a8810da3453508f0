// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Two names of one file: what is read is not to be written meanwhile. */
#include <sys/stat.h>
#include "etw.h"

bool is_same_file(const char *a, const char *b)
{
	struct stat left, right;

	return !stat(a, &left) && !stat(b, &right) && left.st_dev == right.st_dev &&
	       left.st_ino == right.st_ino;
}
