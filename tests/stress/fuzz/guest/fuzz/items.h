/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What must come of an extension, from its bytes: the part of the model about items. */
#ifndef ETW_TEST_FUZZ_ITEMS_H
#define ETW_TEST_FUZZ_ITEMS_H

#include "counters.h"
#include "linux_events.h"

static inline int model_hook(struct extension *x, int type, __u32 i)
{
	__u32 hook = item_dword(x, type, i);

	if (hook >= 0x10000)
		return wrong_in(x, type, i, EINVAL, ETW_REASON_RANGE);
	if (hook >= 0x1F00)
		return wrong_in(x, type, i, EOPNOTSUPP, ETW_REASON_UNSUPPORTED);
	return type == COUNTER_HOOKS && model_counter_hook(x, i);
}

static inline int model_buffers(struct extension *x, __u32 i)
{
	const __u32 most[] = { 0, 16384, 65536, 65536, 86400000 };
	__u32 value = item_dword(x, BUFFERS, i);

	if (i == 5)
		return value && wrong_in(x, BUFFERS, i, EOPNOTSUPP, ETW_REASON_UNSUPPORTED);
	if (value > most[i])
		return wrong_in(x, BUFFERS, i, ERANGE, ETW_REASON_RANGE);
	if (i == 1 && value % 4)
		return wrong_in(x, BUFFERS, i, EINVAL, ETW_REASON_RANGE);
	if (i == 3 && value && item_dword(x, BUFFERS, 2) > value)
		return wrong_in(x, BUFFERS, 2, EINVAL, ETW_REASON_CONFLICT);
	return 0;
}

/* The first of each entry may be there once only. */
static inline int model_once(struct extension *x, int type, __u32 i, __u32 dwords)
{
	__u32 j;

	for (j = 1; j < i; j += dwords)
		if (item_dword(x, type, j) == item_dword(x, type, i))
			return wrong_in(x, type, i, EEXIST, ETW_REASON_DUPLICATE);
	return 0;
}

static inline int model_dword(struct extension *x, int type, __u32 i)
{
	__u32 value = item_dword(x, type, i);

	switch (type) {
	case MASKS:
		return value >> 29 && wrong_in(x, type, i, EINVAL, ETW_REASON_BITS);
	case STACKWALK:
	case COUNTER_HOOKS:
	case HOOKS:
		return model_hook(x, type, i);
	case CACHING:
		return (!value || value > (i == 1 ? 0x4000000 : 0x10000)) &&
		       wrong_in(x, type, i, ERANGE, ETW_REASON_RANGE);
	case COUNTERS:
		return i % 4 == 1 && model_once(x, type, i, 4);
	case PEBS:
		return value && value != 0x524 &&
		       wrong_in(x, type, i, EOPNOTSUPP, ETW_REASON_UNSUPPORTED);
	case INTERVALS:
		return i % 2 ? model_once(x, type, i, 2) : model_interval(x, i);
	case SOURCES:
		return model_source(x, i) || model_once(x, type, i, 1);
	case ATTRS:
		return model_attr(x, i);
	case BUFFERS:
		return model_buffers(x, i);
	case CLOCK:
		return (!value || value > 3) && wrong_in(x, type, i, EINVAL, ETW_REASON_RANGE);
	case OPTIONS:
		return value > 3 && wrong_in(x, type, i, EINVAL, ETW_REASON_BITS);
	case CONSUMER:
		if (i == 3)
			return value & ~0444 && wrong_in(x, type, i, EINVAL, ETW_REASON_BITS);
		return value == ~0U && wrong_in(x, type, i, ERANGE, ETW_REASON_RANGE);
	case PROVIDER:
		if (i == 1)
			return value & ~7U && wrong_in(x, type, i, EINVAL, ETW_REASON_BITS);
		return value > 100000000 && ~value &&
		       wrong_in(x, type, i, ERANGE, ETW_REASON_RANGE);
	case UIDS:
	case GIDS:
		return value == ~0U && wrong_in(x, type, i, ERANGE, ETW_REASON_RANGE);
	}
	return 0;
}

static inline int model_names(struct extension *x)
{
	__u32 units = 2 * (x->dwords[NAMES] - 1), count = item_dword(x, NAMES, 1), i;
	const __u8 *text = x->block + x->at[NAMES] + 8;
	__u16 unit;

	for (i = 0; i < units && count; i++) {
		memcpy(&unit, text + 2 * i, 2);
		count -= !unit;
	}
	if (count)
		return wrong_in(x, NAMES, x->dwords[NAMES], EINVAL, ETW_REASON_NAME);
	if (units > i + 1)
		return wrong_in(x, NAMES, 2 + (i + 1) / 2, EINVAL, ETW_REASON_LENGTH);
	if (units == i)
		return 0;
	memcpy(&unit, text + 2 * i, 2);
	return unit && wrong_in(x, NAMES, x->dwords[NAMES], EINVAL, ETW_REASON_RESERVED);
}

static inline int model_item(struct extension *x, int type)
{
	__u32 n = x->dwords[type], unit = item_types[type].dwords, i;

	if (type == LINUX_EVENTS)
		return model_linux_events(x);
	if (!item_types[type].most && n != unit)
		return wrong_in(x, type, 0, EINVAL, ETW_REASON_COUNT);
	if (!n)
		return wrong_in(x, type, 0, EINVAL, ETW_REASON_COUNT);
	if (n % unit)
		return wrong_in(x, type, 0, EINVAL, ETW_REASON_LENGTH);
	if (item_types[type].most && n / unit > item_types[type].most)
		return wrong_in(x, type, 0, E2BIG, ETW_REASON_COUNT);
	if (type == NAMES)
		return model_names(x);
	for (i = 1; i <= n; i++)
		if (model_dword(x, type, i))
			return 1;
	return 0;
}

static inline void model_array(struct extension *x, __u32 at, __u32 size)
{
	__u32 head = dword_at(x->block, at), end = at + 4 * (head & 0xFFFF), next = at + 4;
	__u32 number, item, type;

	if (!(head & 0xFFFF) || end > size) {
		wrong(x, EINVAL, at, ETW_REASON_LENGTH, 0);
		return;
	}
	for (number = 1; number <= head >> 16 && next < end; number++) {
		item = dword_at(x->block, next);
		if (!(item & 0xFFFF) || 4 * (item & 0xFFFF) > end - next) {
			wrong(x, EINVAL, next, ETW_REASON_LENGTH, number);
			return;
		}
		for (type = 0; type < TYPES && item_types[type].type != item >> 16; type++)
			;
		if (type == TYPES) {
			wrong(x, EOPNOTSUPP, next, ETW_REASON_UNKNOWN, number);
			return;
		}
		if (x->at[type]) {
			wrong(x, EEXIST, next, ETW_REASON_DUPLICATE, number);
			return;
		}
		x->at[type] = next;
		x->number[type] = number;
		x->dwords[type] = (item & 0xFFFF) - 1;
		if (model_item(x, type))
			return;
		next += 4 * (item & 0xFFFF);
	}
	if (number <= head >> 16 || next != end)
		wrong(x, EINVAL, at, ETW_REASON_LENGTH, 0);
}

/* Items that need others */
static inline void model_together(struct extension *x)
{
	if (x->at[COUNTER_HOOKS] && !x->at[COUNTERS])
		wrong_in(x, COUNTER_HOOKS, 0, EINVAL, ETW_REASON_MISSING);
	if (x->at[NAMES] && !x->at[COUNTERS])
		wrong_in(x, NAMES, 0, EINVAL, ETW_REASON_MISSING);
	if (x->at[ATTRS] && !x->at[COUNTERS])
		wrong_in(x, ATTRS, 0, EINVAL, ETW_REASON_MISSING);
	if (x->at[OPTIONS] && item_dword(x, OPTIONS, 1) & ETW_FILTER_CHILDREN && !x->at[PIDS])
		wrong_in(x, OPTIONS, 1, EINVAL, ETW_REASON_MISSING);
	if (x->at[NAMES] && x->at[COUNTERS] &&
	    item_dword(x, NAMES, 1) != x->dwords[COUNTERS] / 4)
		wrong_in(x, NAMES, 1, EINVAL, ETW_REASON_COUNT);
	if (!x->bad)
		model_counters_together(x);
}

static inline void model_plain(struct extension *x)
{
	__u32 type, i;

	for (type = 0; type < TYPES; type++)
		if (x->at[type] && !item_types[type].plain)
			wrong_in(x, type, 0, EINVAL, ETW_REASON_CONFLICT);
	for (i = 1; x->at[MASKS] && i <= x->dwords[MASKS]; i++)
		if (item_dword(x, MASKS, i) & ~(i == 1 ? EVENT_TRACE_FLAG_TEST : 0U))
			wrong_in(x, MASKS, i, EINVAL, ETW_REASON_CONFLICT);
}

static inline __u32 buffer_kb(const struct extension *x, const struct wmi_logger_information *info)
{
	__u32 item = x->at[BUFFERS] ? item_dword(x, BUFFERS, 1) : 0;

	return item ? item : info->buffer_size ? info->buffer_size : 64;
}

/* What has the last word about buffers: the item or, where it says 0, the block */
static inline void model_settings(struct extension *x, const struct wmi_logger_information *info)
{
	__u32 minimum, maximum;

	if (x->at[BUFFERS]) {
		minimum = item_dword(x, BUFFERS, 2) ? : info->minimum_buffers;
		maximum = item_dword(x, BUFFERS, 3) ? : info->maximum_buffers;
		if (maximum && minimum > maximum)
			wrong_in(x, BUFFERS, item_dword(x, BUFFERS, 2) ? 2 : 3, EINVAL,
				 ETW_REASON_CONFLICT);
	}
	model_linux_buffer(x, 1024 * buffer_kb(x, info));
	if (x->at[CLOCK] && info->wnode.client_context &&
	    info->wnode.client_context != item_dword(x, CLOCK, 1))
		wrong_in(x, CLOCK, 1, EINVAL, ETW_REASON_CONFLICT);
}

/* What is right in itself, but not to be had: of several any may be reported. */
static inline void model_sources(struct extension *x, __u32 enable_flags)
{
	static const __u8 hooks[] = { STACKWALK, HOOKS, COUNTER_HOOKS };
	__u32 i, k;

	if (!(enable_flags & EVENT_TRACE_FLAG_EXTENSION)) {
		refuse_if(x->v, enable_flags & ~(known_groups[0] | NEVER), EOPNOTSUPP,
			  AT(enable_flags), ETW_REASON_UNSUPPORTED);
		if (enable_flags & EVENT_TRACE_FLAG_TEST)
			may_refuse(x->v, EOPNOTSUPP, AT(enable_flags), ETW_REASON_UNSUPPORTED);
	}
	for (i = 1; x->at[MASKS] && i <= x->dwords[MASKS]; i++)
		if (item_dword(x, MASKS, i) & ~known_groups[i - 1])
			refuse_in(x, MASKS, i, EOPNOTSUPP, ETW_REASON_UNSUPPORTED);
	if (x->at[MASKS] && item_dword(x, MASKS, 1) & EVENT_TRACE_FLAG_TEST)
		may_refuse_in(x, MASKS, 1, EOPNOTSUPP, ETW_REASON_UNSUPPORTED);
	for (k = 0; k < sizeof(hooks); k++) {
		for (i = 1; x->at[hooks[k]] && i <= x->dwords[hooks[k]]; i++) {
			if (is_known_hook(hooks[k], item_dword(x, hooks[k], i)))
				continue;
			refuse_in(x, hooks[k], i, EOPNOTSUPP, ETW_REASON_UNSUPPORTED);
			break;
		}
	}
}

static inline void model_old_form(struct extension *x, __u32 at, __u32 length, __u32 size)
{
	if (at + 4 * length > size) {
		wrong(x, EINVAL, AT(enable_flags), ETW_REASON_LENGTH, 0);
	} else if (length > 8) {
		wrong(x, E2BIG, AT(enable_flags), ETW_REASON_COUNT, 0);
	} else {
		x->at[MASKS] = at - 4;
		x->dwords[MASKS] = length;
		model_item(x, MASKS);
	}
}

static inline int names_over(const struct wmi_logger_information *info, __u64 from, __u64 to)
{
	const struct etw_unicode_string *name[] = { &info->logger_name, &info->log_file_name };
	int i;

	for (i = 0; i < 2; i++)
		if (name[i]->length && name[i]->buffer < to &&
		    name[i]->buffer + name[i]->length > from)
			return 1;
	return 0;
}

/*
 * @kernel: it is a kernel session. What is in the block goes to @x for others; whether
 * there are sources for it is not asked here.
 */
static inline void model_extension(struct extension *x, struct verdict *v, const __u8 *block,
				   __u32 size, const struct wmi_logger_information *info,
				   int kernel)
{
	__u32 flags = info->enable_flags, at = flags & 0xFFFF, length = flags >> 16 & 0xFF, end;

	*x = (struct extension){ .v = v, .block = block };
	if (flags >> 24 != 0x80) {
		wrong(x, EINVAL, AT(enable_flags), ETW_REASON_BITS, 0);
	} else if (!length || at < sizeof(*info)) {
		wrong(x, EINVAL, AT(enable_flags), ETW_REASON_RANGE, 0);
	} else if (at + 4 > size) {
		wrong(x, EINVAL, AT(enable_flags), ETW_REASON_LENGTH, 0);
	} else if (length == 0xFF) {
		model_array(x, at, size);
	} else {
		model_old_form(x, at, length, size);
	}
	if (x->bad)
		return;
	model_together(x);
	if (!kernel)
		model_plain(x);
	model_settings(x, info);
	end = at + 4 * (length == 0xFF ? dword_at(block, at) & 0xFFFF : length);
	if (!x->bad && names_over(info, at, end))
		wrong(x, EINVAL, AT(enable_flags), ETW_REASON_OVERLAP, 0);
}

#endif /* ETW_TEST_FUZZ_ITEMS_H */
