/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What must come of counters and samplers in an extension. */
#ifndef ETW_TEST_FUZZ_COUNTERS_H
#define ETW_TEST_FUZZ_COUNTERS_H

#include <linux/perf_event.h>
#include "verdict.h"

/* No machine here has so many PMUs. */
#define FIRST_UNUSED_TYPE	1000U

/* Profile sources that have a perf event of their own */
static const __u8 own_sources[] = { 2, 4, 6, 8, 9, 10, 11, 12, 19, 21 };

#define OWN_SOURCES	(sizeof(own_sources) / sizeof(own_sources[0]))

/* Only those with a PERFINFO header have room for counters. */
static inline int model_counter_hook(struct extension *x, __u32 i)
{
	static const __u16 system[] = {
		0x0000, 0x0301, 0x0302, 0x0501, 0x0502, 0x0503, 0x0504, 0x030A, 0x1402, 0x0F30,
		0x0F48, 0x0F49, 0x0F4A, 0x010C, 0x010D, 0x010F, 0x0B0A, 0x0B0B, 0x0B0C, 0x0B0D,
		0x0B19, 0x0B23, 0x020A, 0x020B, 0x020C, 0x020E, 0x020F, 0x0262, 0x0263, 0x0280,
		0x0281, 0x0F22,
	};
	__u32 k;

	for (k = 0; k < sizeof(system) / sizeof(system[0]); k++)
		if (item_dword(x, COUNTER_HOOKS, i) == system[k])
			return wrong_in(x, COUNTER_HOOKS, i, EOPNOTSUPP, ETW_REASON_UNSUPPORTED);
	return 0;
}

static inline int model_interval(struct extension *x, __u32 i)
{
	__u32 timer = !item_dword(x, INTERVALS, i - 1), value = item_dword(x, INTERVALS, i);

	return (value < (timer ? 200 : 100) || value > (timer ? 10000000 : 0x7fffffff)) &&
	       wrong_in(x, INTERVALS, i, ERANGE, ETW_REASON_RANGE);
}

static inline int model_source(struct extension *x, __u32 i)
{
	__u32 value = item_dword(x, SOURCES, i);

	if (value >> 16)
		return wrong_in(x, SOURCES, i, EINVAL, ETW_REASON_RANGE);
	return !value && wrong_in(x, SOURCES, i, EOPNOTSUPP, ETW_REASON_UNSUPPORTED);
}

static inline int model_attr(struct extension *x, __u32 i)
{
	__u32 value = item_dword(x, ATTRS, i);

	if (i % 6 == 1 && value >> 6)
		return wrong_in(x, ATTRS, i, EINVAL, ETW_REASON_BITS);
	return i % 6 == 2 && value && wrong_in(x, ATTRS, i, EINVAL, ETW_REASON_RESERVED);
}

/* Flags of counter @i, counted from 0 */
static inline __u32 counter_flags(const struct extension *x, __u32 i)
{
	return x->at[ATTRS] ? item_dword(x, ATTRS, 1 + 6 * i) : 0;
}

static inline int is_own_source(__u32 source)
{
	__u32 i;

	for (i = 0; i < OWN_SOURCES; i++)
		if (own_sources[i] == source)
			return 1;
	return 0;
}

/* Whether dword 1, 1 + @step ... of an item is @value */
static inline int is_among(const struct extension *x, int type, __u32 step, __u32 value)
{
	__u32 i;

	for (i = 1; x->at[type] && i <= x->dwords[type]; i += step)
		if (item_dword(x, type, i) == value)
			return 1;
	return 0;
}

static inline int has_counted(const struct extension *x)
{
	__u32 i;

	for (i = 0; i < x->dwords[COUNTERS] / 4; i++)
		if (!(counter_flags(x, i) & ETW_COUNTER_SAMPLE_ONLY))
			return 1;
	return 0;
}

/* What their items say of each other, after what they need */
static inline void model_counters_together(struct extension *x)
{
	__u32 i, source;

	if (x->at[ATTRS] && x->dwords[ATTRS] / 6 != x->dwords[COUNTERS] / 4) {
		wrong_in(x, ATTRS, 0, EINVAL, ETW_REASON_COUNT);
		return;
	}
	for (i = 1; x->at[SOURCES] && i <= x->dwords[SOURCES] && !x->bad; i++) {
		source = item_dword(x, SOURCES, i);
		if (!is_own_source(source) && !is_among(x, COUNTERS, 4, source))
			wrong_in(x, SOURCES, i, EOPNOTSUPP, ETW_REASON_UNSUPPORTED);
	}
	if (x->at[COUNTER_HOOKS] && !has_counted(x))
		wrong_in(x, COUNTER_HOOKS, 0, EINVAL, ETW_REASON_MISSING);
	for (i = 0; x->at[ATTRS] && i < x->dwords[COUNTERS] / 4 && !x->bad; i++)
		if (counter_flags(x, i) & ETW_COUNTER_PRECISE &&
		    !is_among(x, SOURCES, 1, item_dword(x, COUNTERS, 1 + 4 * i)))
			wrong_in(x, ATTRS, 1 + 6 * i, EINVAL, ETW_REASON_CONFLICT);
}

/* One counter that START has to make; what the PMUs say hangs on the machine. */
static inline void model_counter(struct extension *x, __u32 i)
{
	const __u32 at = x->at[COUNTERS] + 4 + 16 * i, number = x->number[COUNTERS];
	__u32 type = item_dword(x, COUNTERS, 2 + 4 * i);
	__u32 low = item_dword(x, COUNTERS, 3 + 4 * i), high = item_dword(x, COUNTERS, 4 + 4 * i);

	may_refuse_item(x->v, ENOMEM, at, ETW_REASON_NO_MEMORY, number);
	if (counter_flags(x, i) & ETW_COUNTER_SAMPLE_ONLY)
		return;
	if (has_perf() && type == PERF_TYPE_SOFTWARE && low <= PERF_COUNT_SW_DUMMY && !high)
		return;
	may_refuse_item(x->v, EOPNOTSUPP, at, ETW_REASON_NO_EVENT, number);
	may_refuse_item(x->v, EOPNOTSUPP, at, ETW_REASON_MANNER, number);
	if (type >= FIRST_UNUSED_TYPE || !has_perf()) {
		x->v->must++;
		return;
	}
	may_refuse_item(x->v, EBUSY, at, ETW_REASON_BUSY, number);
	may_refuse_item(x->v, EOPNOTSUPP, at, ETW_REASON_SHARED, number);
}

/* The profile by overflow without what could overflow */
static inline int lacks_sources(const struct extension *x)
{
	return x->at[MASKS] && x->dwords[MASKS] > 1 && !x->at[SOURCES] &&
	       item_dword(x, MASKS, 2) & PERF_MASK_BITS(PERF_PMC_PROFILE);
}

/* What only START asks for: UPDATE keeps what there is. */
static inline void model_new_counters(struct extension *x)
{
	__u32 i;

	for (i = 0; x->at[COUNTER_HOOKS] && i < x->dwords[COUNTERS] / 4; i++)
		model_counter(x, i);
	if (x->at[PEBS] && item_dword(x, PEBS, 1)) {
		may_refuse_in(x, PEBS, 1, EOPNOTSUPP, ETW_REASON_NO_PEBS);
		may_refuse_in(x, PEBS, 1, ENOMEM, ETW_REASON_NO_MEMORY);
	}
	if (lacks_sources(x))
		refuse_in(x, MASKS, 2, EINVAL, ETW_REASON_MISSING);
}

/* Something can't be had at this place. */
static inline void may_lack(struct extension *x, __u32 at, __u32 number)
{
	may_refuse_item(x->v, EOPNOTSUPP, at, ETW_REASON_NO_EVENT, number);
	may_refuse_item(x->v, EOPNOTSUPP, at, ETW_REASON_MANNER, number);
	may_refuse_item(x->v, EBUSY, at, ETW_REASON_BUSY, number);
	may_refuse_item(x->v, EOPNOTSUPP, at, ETW_REASON_SHARED, number);
	may_refuse_item(x->v, ENOMEM, at, ETW_REASON_NO_MEMORY, number);
}

/* Where a source that samples is blamed: its counter, if that is in this block */
static inline __u32 source_place(const struct extension *x, __u32 i, __u32 *number)
{
	__u32 k;

	for (k = 1; x->at[COUNTERS] && k <= x->dwords[COUNTERS]; k += 4)
		if (item_dword(x, COUNTERS, k) == item_dword(x, SOURCES, i)) {
			*number = x->number[COUNTERS];
			return x->at[COUNTERS] + 4 * k;
		}
	*number = x->number[SOURCES];
	return x->at[SOURCES] + 4 * i;
}

/* Mask @i as the block has it, which is EnableFlags without an extension */
static inline __u32 mask_of(const struct extension *x, __u32 enable_flags, __u32 i)
{
	if (!(enable_flags & EVENT_TRACE_FLAG_EXTENSION))
		return i ? 0 : enable_flags;
	return x->at[MASKS] && i < x->dwords[MASKS] ? item_dword(x, MASKS, 1 + i) : 0;
}

/*
 * Sources of the profile by overflow. Of UPDATE they may be those of the session: then
 * what is in the block is blamed, a counter or the mask.
 */
static inline void model_overflows(struct extension *x, int update)
{
	__u32 i, at, number;

	for (i = 1; x->at[SOURCES] && i <= x->dwords[SOURCES]; i++) {
		at = source_place(x, i, &number);
		may_lack(x, at, number);
	}
	if (!update || x->at[SOURCES])
		return;
	may_lack(x, x->at[MASKS] + 8, x->number[MASKS]);
	for (i = 1; x->at[COUNTERS] && i <= x->dwords[COUNTERS]; i += 4)
		may_lack(x, x->at[COUNTERS] + 4 * i, x->number[COUNTERS]);
}

/*
 * What a START or UPDATE may say of samplers: what perf has hangs on the machine,
 * and for UPDATE on what the session has. The clock is always there.
 */
static inline void model_samplers(struct extension *x, __u32 enable_flags, int update)
{
	__u32 flag = mask_of(x, enable_flags, 0) & EVENT_TRACE_FLAG_PROFILE, i;
	__u32 second = mask_of(x, enable_flags, 1);

	/* the mask that has its bit is blamed, not the one with an alias */
	if (second & PERF_MASK_BITS(PERF_PROFILE))
		may_refuse_in(x, MASKS, 2, ENOMEM, ETW_REASON_NO_MEMORY);
	else if (flag && x->at[MASKS])
		may_refuse_in(x, MASKS, 1, ENOMEM, ETW_REASON_NO_MEMORY);
	else if (flag)
		may_refuse(x->v, ENOMEM, AT(enable_flags), ETW_REASON_NO_MEMORY);
	if (second & PERF_MASK_BITS(PERF_PMC_PROFILE))
		model_overflows(x, update);
	if (!flag && !(second & SAMPLES))
		return;
	for (i = 1; x->at[INTERVALS] && update && i <= x->dwords[INTERVALS]; i += 2)
		may_refuse_in(x, INTERVALS, i + 1, ERANGE, ETW_REASON_RANGE);
}

#endif /* ETW_TEST_FUZZ_COUNTERS_H */
