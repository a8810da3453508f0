// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The end of 'etw record', 'etw stop -d' and 'etw snapshot': a file that other machines can name. */
#include <string.h>
#include <sys/stat.h>
#include "etw.h"
#include "etw_abi.h"
#include "finalize.h"

/* Several sessions in one file would be finalized again, and a pattern names no file. */
#define STAYS	(EVENT_TRACE_FILE_MODE_APPEND | EVENT_TRACE_FILE_MODE_NEWFILE)

int finalize_recorded(const char *verb, const char *name, uint32_t mode, bool quiet)
{
	const struct finalize_options how = { .sysroot = "", .quiet = quiet };
	struct stat stat_;

	if (!strcmp(name, "-") || mode & STAYS || stat(name, &stat_) || !S_ISREG(stat_.st_mode))
		return EXIT_OK;
	if (!finalize_file(name, &how))
		return EXIT_OK;
	return failed("%s: %s is as it was recorded, without names ('etw finalize %s' adds them, "
		      "--raw leaves them out)", verb, name, name);
}
