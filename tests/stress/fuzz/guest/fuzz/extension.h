/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Extensions: valid ones with any items, what is taken out of them, what is wrong. */
#ifndef ETW_TEST_FUZZ_EXTENSION_H
#define ETW_TEST_FUZZ_EXTENSION_H

#include "model.h"

static const __u64 boundaries[] = {
	0, 1, 2, 3, 4, 7, 8, 0x0f, 0x10, 0x3f, 0x40, 0x41, 0x7f, 0x80, 0xaf, 0xb0, 0xb1, 0xff,
	0x100, 0x1ff, 0x200, 0x3fe, 0x3ff, 0x400, 0xfff, 0x1000, 0x1001, 0x3fff, 0x4000, 0x4001,
	0x7fff, 0x8000, 0xfffe, 0xffff, 0x10000, 0x10001, 0x15180, 0x15181, 0x5265c00, 0x5265c01,
	0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x100000000, 0x7fffffffffffffff,
	0x8000000000000000, 0xfffffffffffffffe, 0xffffffffffffffff,
};

/* A field of a structure becomes a number that is close to some limit. */
static inline void set_field(struct worker *w, __u8 *at, __u32 size)
{
	__u64 value = boundaries[below(w, sizeof(boundaries) / sizeof(boundaries[0]))];

	if (one_in(w, 4))
		value = draw(w);
	memcpy(at, &value, size);
}

static inline void put_dword(__u8 **at, __u32 value)
{
	memcpy(*at, &value, sizeof(value));
	*at += sizeof(value);
}

/* Mostly what every machine counts; else what some do, or none */
static inline __u32 counter_value(struct worker *w, __u32 i)
{
	static const __u32 types[] = {
		PERF_TYPE_HARDWARE, PERF_TYPE_HW_CACHE, PERF_TYPE_RAW, 0x7ffffff0,
	};

	switch (i % 4) {
	case 0:
		return i / 4 == 1 ? ETW_PROFILE_SOURCE_TOTAL_CYCLES : ETW_PROFILE_SOURCE_OWN + i;
	case 1:
		return one_in(w, 16) ? types[below(w, 4)] : PERF_TYPE_SOFTWARE;
	case 2:
		return below(w, PERF_COUNT_SW_DUMMY + 1);
	default:
		return 0;
	}
}

/* Where a kernel lacks something: else nothing would be taken */
static inline __u32 mostly_known(struct worker *w, __u32 i, __u32 value)
{
	return value & ~known_groups[i] && !one_in(w, 16) ? value & known_groups[i] : value;
}

static inline __u32 mask_value(struct worker *w, __u32 i)
{
	__u32 value = 0;

	if (!i) {
		value = EVENT_TRACE_FLAG_NO_SYSCONFIG | (draw(w) & PROBES) |
			(one_in(w, 8) ? EVENT_TRACE_FLAG_PROFILE : 0);
		return mostly_known(w, i, value);
	}
	if (one_in(w, 2))
		value |= draw(w) & (i == 1 ? PROBES_1 : i == 2 ? PROBES_2 : 0);
	if (i == 1 && one_in(w, 4))
		value |= draw(w) & SAMPLES;
	return i < ETW_MASKS ? mostly_known(w, i, value) : value;
}

static inline __u32 hook_value(struct worker *w)
{
	__u32 i = below(w, KNOWN_HOOKS);

	while (lacks_hook[i] && !one_in(w, 64))
		i = below(w, KNOWN_HOOKS);
	return known_hooks[i];
}

/* A counter's, or one that needs none */
static inline __u32 source_value(struct worker *w, __u32 i)
{
	if (i < w->counters && i != 1 && one_in(w, 2))
		return ETW_PROFILE_SOURCE_OWN + 4 * i;
	return own_sources[i % OWN_SOURCES];
}

/* One dword of the data of a valid item: 0 is the first */
static inline __u32 item_value(struct worker *w, int type, __u32 i)
{
	switch (type) {
	case MASKS:
		return mask_value(w, i);
	case PIDS:
		return one_in(w, 2) ? (__u32)getpid() : 1 + below(w, 300);
	case COUNTER_HOOKS:
		if (!one_in(w, 16))
			return one_in(w, 2) ? PERFINFO_LOG_TYPE_CONTEXTSWAP :
					      PERFINFO_LOG_TYPE_READYTHREAD;
		/* fallthrough */
	case STACKWALK:
	case HOOKS:
		/* of those that no source writes, marks have stacks */
		return one_in(w, 64) ? PERFINFO_LOG_TYPE_MARK : hook_value(w);
	case CACHING:
		return 1 + below(w, 0x10000);
	case COUNTERS:
		return counter_value(w, i);
	case PEBS:
		return one_in(w, 2) ? 0 : 0x524;
	case INTERVALS:
		return i % 2 ? 200 + below(w, one_in(w, 2) ? 9999801 : 1000) : i / 2;
	case SOURCES:
		return source_value(w, i);
	case ATTRS:
		return i % 6 || one_in(w, 2) ? 0 : one_in(w, 8) ? below(w, 0x40) : below(w, 0x10);
	case BUFFERS:
		return one_in(w, 2) || i == 4 ? 0 : i == 0 ? 4 : i == 1 ? 2 + below(w, 4) :
			i == 2 ? 8 + below(w, 8) : 500 + below(w, 5000);
	case CLOCK:
		/* few machines have the third */
		return 1 + below(w, one_in(w, 8) ? 3 : 2);
	case OPTIONS:
		return below(w, 4);
	case CONSUMER:
		return i < 2 ? below(w, 70000) : 0444 & draw(w);
	case PROVIDER:
		return !i ? below(w, 8) : one_in(w, 4) ? ~0U : below(w, 100000001);
	case NAMES:
		return i ? 0x61 : w->counters;
	default:
		return (__u32)draw(w) >> 1;
	}
}

static inline __u32 item_count(struct worker *w, int type)
{
	__u32 most = item_types[type].most;

	/* as many as there are counters; now and then not */
	if (type == COUNTERS || type == ATTRS)
		return one_in(w, 16) ? 1 + below(w, most) : w->counters;
	if (type == NAMES)
		return 1 + w->counters;
	if (!most)
		return 1;
	return one_in(w, 16) ? most : 1 + below(w, most < 8 ? most : 8);
}

static inline __u32 put_item(struct worker *w, __u8 *to, int type)
{
	__u32 n = item_count(w, type) * item_types[type].dwords, i;
	__u8 *at = to;

	if (type == LINUX_EVENTS)
		n = put_linux_events(w, to + 4);
	put_dword(&at, (n + 1) | (__u32)item_types[type].type << 16);
	for (i = 0; type != LINUX_EVENTS && i < n; i++)
		put_dword(&at, item_value(w, type, i));
	return n + 1;
}

/*
 * An extension behind the names, mostly one that can be had; returns the block's
 * size.
 */
static inline __u32 put_extension(struct worker *w, __u8 *block, __u32 size)
{
	struct wmi_logger_information info;
	__u32 at, dwords = 1, items = 0, given = 0, i, n = below(w, 8);
	int type, counts;
	__u8 *head;

	memcpy(&info, block, sizeof(info));
	at = one_in(w, 4) ? size : (size + 3) & ~3U;
	memset(block + size, 0, at - size);
	if (one_in(w, 12)) {	/* the old form */
		n = 1 + below(w, 8);
		for (head = block + at, i = 0; i < n; i++)
			put_dword(&head, is_kernel(&info) ? item_value(w, MASKS, i) : 0);
		info.enable_flags = 0x80000000 | n << 16 | at;
		info.wnode.buffer_size = at + 4 * n;
		memcpy(block, &info, sizeof(info));
		return at + 4 * n;
	}
	w->counters = 1 + below(w, ETW_MAX_PMC_COUNTERS);
	counts = one_in(w, 4);
	for (i = 0; i < n + 2 * counts; i++) {
		type = below(w, TYPES);
		if (counts && i < 2)
			type = i ? COUNTER_HOOKS : COUNTERS;
		/* what needs counters mostly has them */
		if ((type == COUNTER_HOOKS || type == NAMES || type == ATTRS) &&
		    !(given & 1U << COUNTERS) && !one_in(w, 8))
			type = COUNTERS;
		if (given & 1U << type || (!is_kernel(&info) && !item_types[type].plain) ||
		    (!is_kernel(&info) && type == MASKS))
			continue;
		given |= 1U << type;
		dwords += put_item(w, block + at + 4 * dwords, type);
		items++;
	}
	head = block + at;
	put_dword(&head, dwords | items << 16);
	info.enable_flags = 0x80FF0000 | at;
	info.wnode.buffer_size = at + 4 * dwords;
	memcpy(block, &info, sizeof(info));
	return at + 4 * dwords;
}

/* Where the array is, and its dwords; 0: there is none that could be read */
static inline __u32 array_in(const __u8 *block, __u32 size, __u32 *dwords)
{
	__u32 flags = dword_at(block, AT(enable_flags)), at = flags & 0xFFFF;
	__u32 length = flags >> 16 & 0xFF;

	if (!(flags & EVENT_TRACE_FLAG_EXTENSION) || at < sizeof(struct wmi_logger_information) ||
	    at + 4 > size || !length)
		return 0;
	*dwords = length == 0xFF ? dword_at(block, at) & 0xFFFF : length;
	return *dwords && at + 4 * *dwords <= size ? at : 0;
}

/* Something is wrong with an extension, or with what points at it. */
static inline void spoil_extension(struct worker *w, __u8 *block, __u32 size)
{
	__u32 dwords, at = array_in(block, size, &dwords), value, i;

	if (!at)
		return;
	switch (below(w, 6)) {
	case 0:		/* what points at it: offset, length, the bits beside */
		i = below(w, 4);
		block[AT(enable_flags) + i] ^= 1 << below(w, 8);
		break;
	case 1:		/* one more or less, dwords or items */
		i = at + 2 * below(w, 2);
		block[i] += one_in(w, 2) ? 1 : -1;
		break;
	case 2:		/* the same somewhere inside: perhaps a header */
		i = at + 4 * below(w, dwords) + 2 * below(w, 2);
		block[i] += one_in(w, 2) ? 1 : -1;
		break;
	case 3:		/* another type, perhaps one that is there */
		i = at + 4 * below(w, dwords);
		value = (dword_at(block, i) & 0xFFFF) |
			(__u32)item_types[below(w, TYPES)].type << 16;
		memcpy(block + i, &value, sizeof(value));
		break;
	default:
		set_field(w, block + at + 4 * below(w, dwords), 4);
	}
}

/*
 * Without probes on tracepoints: no events, no children to follow. What can't
 * be read is no matter: it is refused.
 */
static inline void take_events(__u8 *block, __u32 size)
{
	struct wmi_logger_information info;
	struct verdict unused = { 0 };
	struct extension x;
	__u32 value, samples;

	memcpy(&info, block, sizeof(info));
	if (!(info.enable_flags & EVENT_TRACE_FLAG_EXTENSION)) {
		info.enable_flags &= ~PROBES;
		memcpy(block, &info, sizeof(info));
		return;
	}
	model_extension(&x, &unused, block, size, &info, 1);
	if (x.at[MASKS] && x.dwords[MASKS] && x.at[MASKS] + 4 + 4 * x.dwords[MASKS] <= size) {
		value = item_dword(&x, MASKS, 1) & ~PROBES;
		memcpy(block + x.at[MASKS] + 4, &value, sizeof(value));
		samples = x.dwords[MASKS] > 1 ? item_dword(&x, MASKS, 2) & SAMPLES : 0;
		memset(block + x.at[MASKS] + 8, 0, 4 * (x.dwords[MASKS] - 1));
		if (samples)
			memcpy(block + x.at[MASKS] + 8, &samples, sizeof(samples));
	}
	if (x.at[OPTIONS] && x.dwords[OPTIONS] && x.at[OPTIONS] + 8 <= size) {
		value = item_dword(&x, OPTIONS, 1) & ~ETW_FILTER_CHILDREN;
		memcpy(block + x.at[OPTIONS] + 4, &value, sizeof(value));
	}
	if (!x.bad)
		take_linux_events(&x, block);
}

#endif /* ETW_TEST_FUZZ_EXTENSION_H */
