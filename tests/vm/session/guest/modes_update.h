/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What modes_update writes of each UPDATE, and modes_swaps reads. */
#ifndef ETW_TEST_MODES_UPDATE_H
#define ETW_TEST_MODES_UPDATE_H

#include <linux/types.h>

/* Which context swaps a session wants */
enum taste {
	TASTE_ALL,
	TASTE_PROCESS,		/* those that the one process takes part in */
	TASTE_NONE,
	TASTE_UNKNOWN,
};

/**
 * struct update_log - an UPDATE that was taken
 * @call: CLOCK_MONOTONIC before it, ns
 * @ret: and after it
 * @taste: enum taste, from then on
 * @pid: the process, which has one thread
 */
struct update_log {
	__u64 call;
	__u64 ret;
	__u32 taste;
	__u32 pid;
};

#endif /* ETW_TEST_MODES_UPDATE_H */
