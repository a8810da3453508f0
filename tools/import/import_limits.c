// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Bounds of an import: of what a library takes, and of what is written. */
#define _GNU_SOURCE
#include <ftw.h>
#include <stdlib.h>
#include <sys/resource.h>
#include "import.h"
#include "import_limits.h"

/* AddressSanitizer reserves more memory than any limit permits */
#if defined(__SANITIZE_ADDRESS__)
#define RESERVES_MEMORY	true
#elif defined(__has_feature)
#define RESERVES_MEMORY	__has_feature(address_sanitizer)
#else
#define RESERVES_MEMORY	false
#endif

#define OPEN_FOLDERS	16
/* Bytes of the trace: so many, and IMPORT_BYTES_OF_BYTE for each byte of the input */
#define MOST_BYTES	(1ull << 30)
/* Seconds of processor time, and bytes for which a library gets one more: it needs 0.1 s */
#define SECONDS		60
#define BYTES_OF_SECOND	(1 << 20)
/* Bytes of memory that a library gets beyond the size of the input */
#define MOST_MEMORY	(1ull << 30)

/* nftw() has no argument for it */
static uint64_t found;

static int add_size(const char *path, const struct stat *stat_, int type, struct FTW *ftw)
{
	struct stat target;

	(void)ftw;
	/* a link within the folder leads to a file of the recording; one to a folder is not read */
	if (type == FTW_SL && !stat(path, &target))
		stat_ = &target;
	if (S_ISREG(stat_->st_mode))
		found += stat_->st_size;
	return 0;
}

uint64_t import_input_size(const char *name)
{
	char *path = realpath(name, NULL);

	found = 0;
	/* what cannot be read here is reported by the import */
	if (path)
		nftw(path, add_size, OPEN_FOLDERS, FTW_PHYS);
	free(path);
	return found;
}

/* A lower limit of the caller stays. */
static void lower(int resource, rlim_t most)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit) || limit.rlim_cur <= most)
		return;
	limit.rlim_cur = most;
	setrlimit(resource, &limit);
}

void import_limit_library(uint64_t bytes)
{
	lower(RLIMIT_CPU, SECONDS + bytes / BYTES_OF_SECOND);
	if (!RESERVES_MEMORY)
		lower(RLIMIT_DATA, MOST_MEMORY + bytes);
}

bool import_outgrows(const struct importing *importing, uint64_t bytes)
{
	return importing->out.at > MOST_BYTES + IMPORT_BYTES_OF_BYTE * bytes;
}
