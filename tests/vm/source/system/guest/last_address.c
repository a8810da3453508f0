// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The last address that a program can have: last_address, found by asking for pages. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* Whether there may be a page, or is one */
static bool is_ours(uint64_t address, size_t page)
{
	void *at = mmap((void *)address, page, PROT_READ,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (at == MAP_FAILED)
		return errno == EEXIST || errno == EPERM;
	munmap(at, page);
	return true;
}

int main(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	uint64_t below = 0, above = UINT64_MAX / page / 2;

	while (above - below > 1) {
		uint64_t middle = below + (above - below) / 2;

		if (is_ours(middle * page, page))
			below = middle;
		else
			above = middle;
	}
	printf("%#" PRIx64 "\n", below * page + page - 1);
	return 0;
}
