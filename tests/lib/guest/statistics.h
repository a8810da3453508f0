/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* STATISTICS of a session that a test cannot do without. */
#ifndef ETW_TEST_STATISTICS_H
#define ETW_TEST_STATISTICS_H

#include "calls.h"
#include "result.h"

static inline struct etw_statistics statistics_of(int control, __u32 id)
{
	struct etw_statistics s;

	errno = session_statistics(control, id, &s);
	if (errno)
		die("STATISTICS");
	return s;
}

#endif /* ETW_TEST_STATISTICS_H */
