/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Extensions of START: which are refused, at which dword of which item. */
#ifndef ETW_TEST_ABI_EXTENSION_H
#define ETW_TEST_ABI_EXTENSION_H

#include "bare.h"
#include "request.h"

/* Where the array stands in a block, and its dword n */
#define ARRAY_UNIT	300
#define DWORD(n)	(sizeof(struct wmi_logger_information) + 2 * ARRAY_UNIT + 4 * (n))
#define OVERLAY(length)	(0x80000000U | (length) << 16 | DWORD(0))
#define HEAD(dwords, items)	((dwords) | (__u32)(items) << 16)
#define ITEM(dwords, type)	((dwords) | (__u32)ETW_EXT_##type << 16)
#define ARRAY(...)	(const __u32[]){ __VA_ARGS__ }, \
			sizeof((const __u32[]){ __VA_ARGS__ }) / sizeof(__u32)
#define IN_ITEMS	OVERLAY(ETW_EXT_ITEMS)

/* An entry of LINUX_EVENTS: its fixed part, then its parts, then traits and schema of 2 bytes */
#define ENTRY(dwords, id, flags, record_size, fields, tests) \
	4 * (dwords), id, 1, 2, 3, 4, 0, 0, 4 | (flags) << 8 | (record_size) << 16, \
	2 | 2 << 16, (fields) | (tests) << 16
#define BLOBS		(2 | 2 << 16)
/* No event of tracefs has it */
#define NO_EVENT	0xFFFF0000

/**
 * struct extension_case - a kernel session's block with an array
 * @name: of the case
 * @flags: EnableFlags
 * @array: what they point at
 * @dwords: of it
 * @err: errno, 0: it is accepted
 * @offset: where it is wrong
 * @reason: why
 * @item: which
 * @patch: changes of the rest; a session without kernel events with MODE_RT
 */
struct extension_case {
	const char *name;
	__u32 flags;
	const __u32 *array;
	__u32 dwords;
	int err;
	__u32 offset;
	__u32 reason;
	__u32 item;
	struct patch patch[2];
};

#define PLAIN	{ B(log_file_mode, MODE_RT) }
#define REFUSE(reason)	ETW_REASON_##reason

static const struct extension_case extension_cases[] = {
	/* EnableFlags */
	{ "a bit beside the extension's", IN_ITEMS | 0x01000000, ARRAY(HEAD(1, 0)), EINVAL,
	  AT(enable_flags), REFUSE(BITS), 0, { } },
	{ "length 0", OVERLAY(0U), ARRAY(HEAD(1, 0)), EINVAL, AT(enable_flags), REFUSE(RANGE),
	  0, { } },
	{ "at 0", 0x80FF0000, ARRAY(HEAD(1, 0)), EINVAL, AT(enable_flags), REFUSE(RANGE), 0,
	  { } },
	{ "in the fixed part", 0x80FF00AF, ARRAY(HEAD(1, 0)), EINVAL, AT(enable_flags),
	  REFUSE(RANGE), 0, { } },
	{ "behind the block", 0x80FFFFFF, ARRAY(HEAD(1, 0)), EINVAL, AT(enable_flags),
	  REFUSE(LENGTH), 0, { } },
	{ "across the end", 0x80FF0000 | (BLOCK_SIZE - 3), ARRAY(HEAD(1, 0)), EINVAL,
	  AT(enable_flags), REFUSE(LENGTH), 0, { } },
	{ "nine masks of the old form", OVERLAY(9U), ARRAY(0), E2BIG,
	  AT(enable_flags), REFUSE(COUNT), 0, { } },
	{ "254 masks of the old form", OVERLAY(254U), ARRAY(0), EINVAL, AT(enable_flags),
	  REFUSE(LENGTH), 0, { } },
	{ "over a name", IN_ITEMS, ARRAY(HEAD(1, 0)), EINVAL, AT(enable_flags), REFUSE(OVERLAP),
	  0, { B(log_file_name.buffer, DWORD(0) - 2) } },
	/* the array */
	{ "0 dwords", IN_ITEMS, ARRAY(HEAD(0, 0)), EINVAL, DWORD(0), REFUSE(LENGTH), 0, { } },
	{ "more dwords than the block", IN_ITEMS, ARRAY(HEAD(300, 1)), EINVAL, DWORD(0),
	  REFUSE(LENGTH), 0, { } },
	{ "an item too few", IN_ITEMS, ARRAY(HEAD(3, 2), ITEM(2, PIDS), 1), EINVAL, DWORD(0),
	  REFUSE(LENGTH), 0, { } },
	{ "a dword too many", IN_ITEMS, ARRAY(HEAD(4, 1), ITEM(2, PIDS), 1, 0), EINVAL,
	  DWORD(0), REFUSE(LENGTH), 0, { } },
	{ "an item of 0 dwords", IN_ITEMS, ARRAY(HEAD(2, 1), ITEM(0, PIDS)), EINVAL, DWORD(1),
	  REFUSE(LENGTH), 1, { } },
	{ "an item longer than the array", IN_ITEMS,
	  ARRAY(HEAD(5, 2), ITEM(2, PIDS), 1, ITEM(3, VND_HOOK_FILTER), 0x524), EINVAL, DWORD(3),
	  REFUSE(LENGTH), 2, { } },
	{ "an unknown item", IN_ITEMS, ARRAY(HEAD(2, 1), HEAD(1, 0x8011)), EOPNOTSUPP, DWORD(1),
	  REFUSE(UNKNOWN), 1, { } },
	{ "an item twice", IN_ITEMS, ARRAY(HEAD(5, 2), ITEM(2, PIDS), 1, ITEM(2, PIDS), 2),
	  EEXIST, DWORD(3), REFUSE(DUPLICATE), 2, { } },
	/* what items say */
	{ "no process", IN_ITEMS, ARRAY(HEAD(2, 1), ITEM(1, PIDS)), EINVAL, DWORD(1),
	  REFUSE(COUNT), 1, { } },
	{ "five pool tags", IN_ITEMS,
	  ARRAY(HEAD(7, 1), ITEM(6, POOLTAG_FILTER), 1, 2, 3, 4, 5), E2BIG, DWORD(1),
	  REFUSE(COUNT), 1, { } },
	{ "index bits in a mask", IN_ITEMS, ARRAY(HEAD(4, 1), ITEM(3, ENABLE_FLAGS), 1, 0x20000004),
	  EINVAL, DWORD(3), REFUSE(BITS), 1, { } },
	{ "registry", IN_ITEMS, ARRAY(HEAD(3, 1), ITEM(2, ENABLE_FLAGS), 0x20000), EOPNOTSUPP,
	  DWORD(2), REFUSE(UNSUPPORTED), 1, { } },
	{ "drivers, by their own mask", IN_ITEMS,
	  ARRAY(HEAD(4, 1), ITEM(3, ENABLE_FLAGS), EVENT_TRACE_FLAG_PROCESS, 0x10), EOPNOTSUPP,
	  DWORD(3), REFUSE(UNSUPPORTED), 1, { } },
	{ "drivers, by the flag that stands for it", IN_ITEMS,
	  ARRAY(HEAD(4, 1), ITEM(3, ENABLE_FLAGS), EVENT_TRACE_FLAG_DRIVER, 4), EOPNOTSUPP,
	  DWORD(2), REFUSE(UNSUPPORTED), 1, { } },
	{ "registry, old form", OVERLAY(1U), ARRAY(0x20000), EOPNOTSUPP, DWORD(0),
	  REFUSE(UNSUPPORTED), 0, { } },
	{ "a hook id over 16 bits", IN_ITEMS,
	  ARRAY(HEAD(4, 1), ITEM(3, VND_HOOK_FILTER), 0x524, 0x10524), EINVAL, DWORD(3),
	  REFUSE(RANGE), 1, { } },
	{ "a hook id of a group too high", IN_ITEMS,
	  ARRAY(HEAD(3, 1), ITEM(2, VND_HOOK_FILTER), 0x1F00), EOPNOTSUPP, DWORD(2), REFUSE(UNSUPPORTED), 1, { } },
	{ "a hook id without a source", IN_ITEMS,
	  ARRAY(HEAD(4, 1), ITEM(3, STACKWALK_FILTER), 0x524, 0x1234), EOPNOTSUPP, DWORD(3),
	  REFUSE(UNSUPPORTED), 1, { } },
	{ "a hook id without a source, behind one that stands twice", IN_ITEMS,
	  ARRAY(HEAD(5, 1), ITEM(4, VND_HOOK_FILTER), 0x524, 0x524, 0x1234), EOPNOTSUPP, DWORD(4),
	  REFUSE(UNSUPPORTED), 1, { } },
	{ "children of no process", IN_ITEMS, ARRAY(HEAD(3, 1), ITEM(2, VND_FILTER_OPTIONS), 1),
	  EINVAL, DWORD(2), REFUSE(MISSING), 1, { } },
	{ "unknown options", IN_ITEMS, ARRAY(HEAD(3, 1), ITEM(2, VND_FILTER_OPTIONS), 4), EINVAL,
	  DWORD(2), REFUSE(BITS), 1, { } },
	{ "unknown rights of programs", IN_ITEMS,
	  ARRAY(HEAD(4, 1), ITEM(3, VND_PROVIDER_OPTIONS), 8, 0), EINVAL, DWORD(2), REFUSE(BITS),
	  1, { } },
	{ "a rate that is too high", IN_ITEMS,
	  ARRAY(HEAD(4, 1), ITEM(3, VND_PROVIDER_OPTIONS), 0, ETW_MAX_RATE_LIMIT + 1), ERANGE,
	  DWORD(3), REFUSE(RANGE), 1, { } },
	{ "clock 4", IN_ITEMS, ARRAY(HEAD(3, 1), ITEM(2, VND_CLOCK), 4), EINVAL, DWORD(2),
	  REFUSE(RANGE), 1, { } },
	{ "another clock than the block's", IN_ITEMS, ARRAY(HEAD(3, 1), ITEM(2, VND_CLOCK), 2),
	  EINVAL, DWORD(2), REFUSE(CONFLICT), 1, { } },
	{ "buffers of 6 KB", IN_ITEMS,
	  ARRAY(HEAD(7, 1), ITEM(6, VND_BUFFER_SETTINGS), 6, 0, 0, 0, 0), EINVAL, DWORD(2), REFUSE(RANGE), 1, { } },
	{ "buffers of 16388 KB", IN_ITEMS,
	  ARRAY(HEAD(7, 1), ITEM(6, VND_BUFFER_SETTINGS), 16388, 0, 0, 0, 0), ERANGE, DWORD(2),
	  REFUSE(RANGE), 1, { } },
	{ "buffers, a minimum above the maximum", IN_ITEMS,
	  ARRAY(HEAD(7, 1), ITEM(6, VND_BUFFER_SETTINGS), 0, 5, 4, 0, 0), EINVAL, DWORD(3),
	  REFUSE(CONFLICT), 1, { } },
	{ "buffers, a threshold", IN_ITEMS,
	  ARRAY(HEAD(7, 1), ITEM(6, VND_BUFFER_SETTINGS), 0, 0, 0, 0, 1), EOPNOTSUPP, DWORD(6),
	  REFUSE(UNSUPPORTED), 1, { } },
	{ "buffers, a dword too few", IN_ITEMS,
	  ARRAY(HEAD(6, 1), ITEM(5, VND_BUFFER_SETTINGS), 0, 0, 0, 0), EINVAL, DWORD(1),
	  REFUSE(COUNT), 1, { } },
	{ "a consumer that may write", IN_ITEMS,
	  ARRAY(HEAD(5, 1), ITEM(4, VND_CONSUMER), 0, 0, 0600), EINVAL, DWORD(4), REFUSE(BITS),
	  1, { } },
	{ "a consumer without a uid", IN_ITEMS,
	  ARRAY(HEAD(5, 1), ITEM(4, VND_CONSUMER), 0, ~0U, 0400), ERANGE, DWORD(3),
	  REFUSE(RANGE), 1, { } },
	{ "17 users", IN_ITEMS,
	  ARRAY(HEAD(19, 1), ITEM(18, VND_PROVIDER_UIDS), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
		13, 14, 15, 16, 17), E2BIG, DWORD(1), REFUSE(COUNT), 1, { } },
	{ "a Linux event that is too short", IN_ITEMS,
	  ARRAY(HEAD(3, 1), ITEM(2, VND_LINUX_EVENTS), 4), EINVAL, DWORD(2), REFUSE(LENGTH), 1,
	  { } },
	{ "a Linux event without its schema", IN_ITEMS,
	  ARRAY(HEAD(13, 1), ITEM(12, VND_LINUX_EVENTS), ENTRY(11, NO_EVENT, 0, 0, 0, 0)),
	  EINVAL, DWORD(2), REFUSE(LENGTH), 1, { } },
	{ "a Linux event, unknown flags", IN_ITEMS,
	  ARRAY(HEAD(14, 1), ITEM(13, VND_LINUX_EVENTS), ENTRY(12, NO_EVENT, 2, 0, 0, 0), BLOBS),
	  EINVAL, DWORD(10), REFUSE(BITS), 1, { } },
	{ "a Linux event twice", IN_ITEMS,
	  ARRAY(HEAD(26, 1), ITEM(25, VND_LINUX_EVENTS), ENTRY(12, NO_EVENT, 0, 0, 0, 0), BLOBS,
		ENTRY(12, NO_EVENT, 0, 0, 0, 0), BLOBS), EEXIST, DWORD(15), REFUSE(DUPLICATE), 1,
	  { } },
	{ "a Linux event, a field behind its record", IN_ITEMS,
	  ARRAY(HEAD(16, 1), ITEM(15, VND_LINUX_EVENTS), ENTRY(14, NO_EVENT, 0, 8, 1, 0),
		5 << 16, 4, BLOBS), EINVAL, DWORD(13), REFUSE(RANGE), 1, { } },
	{ "a Linux event, a condition of 3 bytes", IN_ITEMS,
	  ARRAY(HEAD(18, 1), ITEM(17, VND_LINUX_EVENTS), ENTRY(16, NO_EVENT, 0, 8, 0, 1),
		0, 3, 0, 0, BLOBS), EINVAL, DWORD(14), REFUSE(SIZE), 1, { } },
	{ "a Linux event that no kernel has", IN_ITEMS,
	  ARRAY(HEAD(20, 1), ITEM(19, VND_LINUX_EVENTS), ENTRY(18, NO_EVENT, 0, 8, 1, 1),
		4 << 16, 4, 0, 0, 4 << 16, 4, BLOBS), ENOENT, DWORD(2), REFUSE(SOURCE), 1, { } },
	{ "hooks with counters, without counters", IN_ITEMS,
	  ARRAY(HEAD(3, 1), ITEM(2, VND_PMC_HOOKS), 0x524), EINVAL, DWORD(1), REFUSE(MISSING),
	  1, { } },
	/* what a session without kernel events can't have */
	{ "processes, no kernel session", IN_ITEMS,
	  ARRAY(HEAD(5, 2), ITEM(2, VND_CLOCK), 1, ITEM(2, PIDS), 1), EINVAL, DWORD(3),
	  REFUSE(CONFLICT), 2, PLAIN },
	{ "Linux events, no kernel session", IN_ITEMS,
	  ARRAY(HEAD(2, 1), ITEM(1, VND_LINUX_EVENTS)), EINVAL, DWORD(1), REFUSE(CONFLICT), 1,
	  PLAIN },
	{ "events, no kernel session", IN_ITEMS,
	  ARRAY(HEAD(3, 1), ITEM(2, ENABLE_FLAGS), EVENT_TRACE_FLAG_CSWITCH), EINVAL, DWORD(2),
	  REFUSE(CONFLICT), 1, PLAIN },
	/* accepted */
	{ "no items", IN_ITEMS, ARRAY(HEAD(1, 0)), 0, 0, 0, 0, { } },
	{ "no items, no kernel session", IN_ITEMS, ARRAY(HEAD(1, 0)), 0, 0, 0, 0, PLAIN },
	{ "no Linux events", IN_ITEMS, ARRAY(HEAD(2, 1), ITEM(1, VND_LINUX_EVENTS)), 0, 0, 0, 0,
	  { } },
	{ "all masks, old form", OVERLAY(8U), ARRAY(EVENT_TRACE_FLAG_CSWITCH, 0, 0, 0, 0, 0, 0, 0),
	  0, 0, 0, 0, { } },
	{ "context swaps by the index of their group", IN_ITEMS,
	  ARRAY(HEAD(4, 1), ITEM(3, ENABLE_FLAGS), 0, PERF_MASK_BITS(PERF_CONTEXT_SWITCH)), 0, 0,
	  0, 0, { } },
	{ "eight processes and their children, not itself", IN_ITEMS,
	  ARRAY(HEAD(12, 2), ITEM(9, PIDS), 1, 2, 3, 4, 5, 6, 7, ~0U,
		ITEM(2, VND_FILTER_OPTIONS), 3), 0, 0, 0, 0, { } },
	{ "settings, a clock, readers and providers, no kernel session", IN_ITEMS,
	  ARRAY(HEAD(19, 5), ITEM(6, VND_BUFFER_SETTINGS), 8, 4, 16, 1500, 0,
		ITEM(2, VND_CLOCK), 1, ITEM(4, VND_CONSUMER), 1000, 1000, 0444,
		ITEM(3, VND_PROVIDER_UIDS), 0, 1000, ITEM(3, VND_PROVIDER_GIDS), 5, 5), 0, 0, 0,
	  0, PLAIN },
	{ "stack and pool tag filters, stack caching", IN_ITEMS,
	  ARRAY(HEAD(8, 3), ITEM(2, STACKWALK_FILTER), 0x524, ITEM(2, POOLTAG_FILTER), 0x41424344,
		ITEM(3, STACK_CACHING), 4096, 64), 0, 0, 0, 0, { } },
};

static void set_array(struct request *r, __u32 flags, const __u32 *array, __u32 dwords)
{
	r->info.enable_flags = flags;
	memcpy(&r->text[ARRAY_UNIT], array, 4 * dwords);
}

/* The case as this kernel has to answer it */
static struct extension_case case_here(const struct extension_case *e)
{
	const struct bare_case *bare = has_perf() ? NULL : bare_case_of(e->name);
	struct extension_case here = *e;

	if (bare) {
		here.err = EOPNOTSUPP;
		here.offset = bare->dword < 0 ? AT(enable_flags) : DWORD(bare->dword);
		here.reason = bare->reason;
		here.item = bare->item;
	}
	return here;
}

static void try_extensions(const struct extension_case *cases, size_t n)
{
	struct request r;
	__u64 before;
	int err, unchanged;

	for (; n--; cases++) {
		const struct extension_case here = case_here(cases), *e = &here;

		prepare(&r, "extension");
		r.info.log_file_mode = MODE_KERNEL;
		set_array(&r, e->flags, e->array, e->dwords);
		apply(&r, e->patch, 2);
		before = loggers();
		err = try(ETW_IOC_START, &r.c);
		unchanged = loggers() == before;
		if (!err)
			discard(r.c.logger_id);
		result(err == e->err && r.c.error_offset == e->offset &&
		       r.c.error_reason == e->reason && r.c.error_item == e->item &&
		       !r.c.error_processor && unchanged == !!err && (err || r.info.enable_flags == e->flags),
		       "extension, %s: %s at 0x%x, reason %u, item %u # %s, 0x%x, %u, %u%s",
		       e->name, error_name(e->err), e->offset, e->reason, e->item,
		       error_name(err), r.c.error_offset, r.c.error_reason, r.c.error_item,
		       unchanged == !!err ? "" : ", LIST changed");
	}
}

static void test_extensions(void)
{
	try_extensions(extension_cases, sizeof(extension_cases) / sizeof(extension_cases[0]));
}

/* Names of what is there, for switches alone: the source of processes has no listener. */
static void test_rundown_alone(void)
{
	static const __u32 array[] = {
		HEAD(5, 2), ITEM(2, ENABLE_FLAGS),
		EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_THREAD | EVENT_TRACE_FLAG_CSWITCH,
		ITEM(2, VND_HOOK_FILTER), PERFINFO_LOG_TYPE_CONTEXTSWAP,
	};
	struct request r;
	int err;

	prepare(&r, "alone");
	r.c.flags = 0;
	r.info.log_file_mode = MODE_KERNEL | EVENT_TRACE_BUFFERING_MODE;
	r.info.log_file_name.length = 0;
	set_array(&r, IN_ITEMS, array, sizeof(array) / 4);
	err = try(ETW_IOC_START, &r.c);
	if (!err)
		err = control_of(ETW_IOC_RUNDOWN, r.c.logger_id, 0);
	if (!err)
		err = control_of(ETW_IOC_STOP, r.c.logger_id, 0);
	if (!err)
		err = discard(r.c.logger_id);
	result(!err, "rundowns with a filter that leaves processes out # %s", error_name(err));
}

#endif /* ETW_TEST_ABI_EXTENSION_H */
