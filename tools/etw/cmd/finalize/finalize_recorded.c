// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The end of 'etw record', 'etw stop -d' and 'etw snapshot': a file that other machines can name. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "etw.h"
#include "etw_abi.h"
#include "finalize.h"

/* Return: NULL, or in words, why the file stays as it was recorded */
static const char *why_it_stays(const char *name, uint32_t mode)
{
	struct stat file, output;

	if (!strcmp(name, "-"))
		return "it is standard output";
	if (mode & EVENT_TRACE_FILE_MODE_NEWFILE)
		return "numbered files are not finalized";
	if (mode & EVENT_TRACE_FILE_MODE_APPEND)
		return "the session was appended to it";
	if (stat(name, &file) || !S_ISREG(file.st_mode))
		return "it is no ordinary file";
	/* as /dev/stdout: a new file would not be the one that the shell opened */
	if (!fstat(STDOUT_FILENO, &output) && file.st_dev == output.st_dev &&
	    file.st_ino == output.st_ino)
		return "it is standard output";
	return NULL;
}

int finalize_recorded(const char *verb, const char *name, uint32_t mode, bool must, bool quiet,
		      const struct process_cgroups *cgroups)
{
	const struct finalize_options how = {
		.sysroot = "", .quiet = quiet, .no_server = true, .cgroups = cgroups,
	};
	const char *why = why_it_stays(name, mode);

	if (why)
		return must ? failed("%s: --finalize: %s: %s", verb, name, why) : EXIT_OK;
	if (!finalize_file(name, &how))
		return EXIT_OK;
	return failed("%s: %s is as it was recorded, without names ('etw finalize %s' adds them, "
		      "--raw leaves them out)", verb, name, name);
}
