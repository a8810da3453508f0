/* SPDX-License-Identifier: GPL-2.0 */
/* Whether a clock is good enough to be one: for clock.c only. */
#ifndef ETW_CLOCK_CHECK_H
#define ETW_CLOCK_CHECK_H

#include <linux/types.h>

bool etw_counter_is_trusted(void);
bool etw_counter_is_one(void);
bool etw_counter_runs_at(u64 frequency);
bool etw_slow_clocks_work(void);

#endif /* ETW_CLOCK_CHECK_H */
