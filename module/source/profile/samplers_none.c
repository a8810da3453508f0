// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Kernels without perf: nothing samples; declared in samplers.h. */
#include "samplers.h"

/* Event sets cannot be created (context/perf_none.c), so none of this is called. */

u32 etw_profile_measure_cycles(void)
{
	return 0;
}

void etw_profile_sample(struct perf_event *event, struct perf_sample_data *data,
			struct pt_regs *regs)
{
}
