/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Kernels without perf, as User Mode Linux: which cases of START end otherwise there. */
#ifndef ETW_TEST_ABI_BARE_H
#define ETW_TEST_ABI_BARE_H

#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "etw_abi.h"

/**
 * struct bare_case - what must come of a case of START: EOPNOTSUPP
 * @name: of the case, in counters.h or profile.h
 * @dword: of the array, where it is wrong; -1: EnableFlags are
 * @reason: why
 * @item: which
 */
struct bare_case {
	const char *name;
	int dword;
	__u32 reason;
	__u32 item;
};

/* The first counter that records carry; the bit that switches samples on */
static const struct bare_case bare_cases[] = {
	{ "three software counters", 2, ETW_REASON_NO_EVENT, 1 },
	{ "seven, with names and attributes", 2, ETW_REASON_NO_EVENT, 1 },
	{ "the same event under two names", 2, ETW_REASON_NO_EVENT, 1 },
	{ "no such hardware event", 6, ETW_REASON_NO_EVENT, 3 },
	{ "no such software event, behind one that isn't counted", 4, ETW_REASON_NO_EVENT, 2 },
	{ "the timer's profile", 3, ETW_REASON_UNSUPPORTED, 1 },
	{ "the timer's profile by EnableFlags", -1, ETW_REASON_UNSUPPORTED, 0 },
	{ "overflows of page faults", 10, ETW_REASON_UNSUPPORTED, 3 },
	{ "overflows of what no PMU has", 6, ETW_REASON_UNSUPPORTED, 2 },
};

static const struct bare_case *bare_case_of(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(bare_cases) / sizeof(bare_cases[0]); i++)
		if (!strcmp(bare_cases[i].name, name))
			return &bare_cases[i];
	return NULL;
}

/* Whether the kernel has perf at all, whatever it counts */
static int has_perf(void)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY,
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);

	if (fd >= 0)
		close(fd);
	return fd >= 0 || errno != ENOSYS;
}

#endif /* ETW_TEST_ABI_BARE_H */
