/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* UPDATE: what it changes, what it refuses, and that a refusal changes nothing. */
#ifndef ETW_TEST_ABI_UPDATE_H
#define ETW_TEST_ABI_UPDATE_H

#include <stdlib.h>
#include <sys/mman.h>
#include "extension.h"

/* What QUERY says of a session */
struct answer {
	struct wmi_logger_information info;
	__u8 rest[8192];
};

/* The session of the cases: nothing of what is below is as the default is. */
#define THEIR_ARRAY \
	HEAD(14, 4), ITEM(2, ENABLE_FLAGS), EVENT_TRACE_FLAG_CSWITCH, ITEM(2, PIDS), 1, \
	ITEM(4, VND_CONSUMER), 0, 5, 0440, ITEM(5, VND_PROVIDER_UIDS), 1, 2, 3, 4

/**
 * struct update_case - an UPDATE of that session
 * @name: of the case
 * @patch: of its block
 * @array: instead of its array, if any
 * @dwords: of it
 * @err: errno
 * @offset: where it is wrong
 * @reason: why
 * @item: which
 */
struct update_case {
	const char *name;
	struct patch patch[3];
	const __u32 *array;
	__u32 dwords;
	int err;
	__u32 offset;
	__u32 reason;
	__u32 item;
};

static const struct update_case update_cases[] = {
	/* what is fixed, in fields */
	{ "GUID", { B(wnode.guid.data1, 1) }, NULL, 0, EINVAL, AT(wnode.guid), REFUSE(FIXED), 0 },
	{ "clock", { B(wnode.client_context, 2) }, NULL, 0, EINVAL, AT(wnode.client_context),
	  REFUSE(FIXED), 0 },
	{ "buffer size", { B(buffer_size, 8) }, NULL, 0, EINVAL, AT(buffer_size), REFUSE(FIXED),
	  0 },
	{ "minimum", { B(minimum_buffers, 8) }, NULL, 0, EINVAL, AT(minimum_buffers),
	  REFUSE(FIXED), 0 },
	{ "file size", { B(maximum_file_size, 98) }, NULL, 0, EINVAL, AT(maximum_file_size),
	  REFUSE(FIXED), 0 },
	{ "mode", { B(log_file_mode, MODE_KERNEL | 1) }, NULL, 0, EINVAL, AT(log_file_mode),
	  REFUSE(FIXED), 0 },
	{ "unit of the timer", { B(log_file_mode, MODE_KERNEL | 0x10) }, NULL, 0, EINVAL,
	  AT(log_file_mode), REFUSE(FIXED), 0 },
	{ "no kernel session", { B(log_file_mode, MODE_RT), B(enable_flags, 0) }, NULL, 0, EINVAL,
	  AT(log_file_mode), REFUSE(FIXED), 0 },
	{ "name", { UNIT(0, 'U') }, NULL, 0, EINVAL, AT(logger_name), REFUSE(FIXED), 0 },
	{ "shorter name", { B(logger_name.length, 2) }, NULL, 0, EINVAL, AT(logger_name),
	  REFUSE(FIXED), 0 },
	{ "no file name", { B(log_file_name.length, 0), B(log_file_name.buffer, 0) }, NULL, 0,
	  EINVAL, AT(log_file_name), REFUSE(FIXED), 0 },
	/* in items */
	{ "clock by an item", { B(wnode.client_context, 0) },
	  ARRAY(HEAD(5, 2), ITEM(2, PIDS), 1, ITEM(2, VND_CLOCK), 2), EINVAL, DWORD(4),
	  REFUSE(FIXED), 2 },
	{ "buffer size by an item", { },
	  ARRAY(HEAD(7, 1), ITEM(6, VND_BUFFER_SETTINGS), 8, 0, 0, 0, 0), EINVAL, DWORD(2),
	  REFUSE(FIXED), 1 },
	{ "minimum by an item", { },
	  ARRAY(HEAD(7, 1), ITEM(6, VND_BUFFER_SETTINGS), 0, 6, 0, 0, 0), EINVAL, DWORD(3),
	  REFUSE(FIXED), 1 },
	{ "another consumer", { }, ARRAY(HEAD(5, 1), ITEM(4, VND_CONSUMER), 0, 5, 0444), EINVAL,
	  DWORD(1), REFUSE(FIXED), 1 },
	{ "a provider less", { },
	  ARRAY(HEAD(7, 2), ITEM(2, PIDS), 1, ITEM(4, VND_PROVIDER_UIDS), 1, 2, 3), EINVAL,
	  DWORD(3), REFUSE(FIXED), 2 },
	{ "groups that were not there", { }, ARRAY(HEAD(3, 1), ITEM(2, VND_PROVIDER_GIDS), 1),
	  EINVAL, DWORD(1), REFUSE(FIXED), 1 },
	/* as START refuses it */
	{ "wnode flags", { B(wnode.flags, 0) }, NULL, 0, EINVAL, AT(wnode.flags), REFUSE(RANGE),
	  0 },
	{ "another size", { B(wnode.buffer_size, 0xB0) }, NULL, 0, EINVAL, AT(wnode.buffer_size),
	  REFUSE(SIZE), 0 },
	{ "minimum above maximum", { B(maximum_buffers, 3) }, NULL, 0, EINVAL,
	  AT(minimum_buffers), REFUSE(CONFLICT), 0 },
	{ "flush every 86401 s", { B(flush_timer, 86401) }, NULL, 0, EINVAL, AT(flush_timer),
	  REFUSE(RANGE), 0 },
	{ "an unknown item", { }, ARRAY(HEAD(2, 1), HEAD(1, 0x7F)), EOPNOTSUPP, DWORD(1),
	  REFUSE(UNKNOWN), 1 },
	{ "registry", { B(enable_flags, 0x20000) }, NULL, 0, EOPNOTSUPP, AT(enable_flags),
	  REFUSE(UNSUPPORTED), 0 },
	{ "registry by an item", { }, ARRAY(HEAD(3, 1), ITEM(2, ENABLE_FLAGS), 0x20000), EOPNOTSUPP,
	  DWORD(2), REFUSE(UNSUPPORTED), 1 },
	{ "a hook id without a source", { },
	  ARRAY(HEAD(4, 1), ITEM(3, VND_HOOK_FILTER), 0x524, 0x1234), EOPNOTSUPP, DWORD(3),
	  REFUSE(UNSUPPORTED), 1 },
	{ "a hook id without a source, behind one that stands twice", { },
	  ARRAY(HEAD(5, 1), ITEM(4, STACKWALK_FILTER), 0x524, 0x524, 0x1234), EOPNOTSUPP, DWORD(4),
	  REFUSE(UNSUPPORTED), 1 },
	{ "a maximum beyond the slots", { B(maximum_buffers, 65536) }, NULL, 0, EINVAL,
	  AT(maximum_buffers), REFUSE(RANGE), 0 },
	{ "the same by an item", { },
	  ARRAY(HEAD(7, 1), ITEM(6, VND_BUFFER_SETTINGS), 0, 0, 65536, 0, 0), EINVAL, DWORD(4),
	  REFUSE(RANGE), 1 },
};

static int query(__u32 id, struct answer *answer)
{
	struct etw_control c = {
		.size = sizeof(c), .logger_id = id, .information_size = sizeof(*answer),
		.information = (unsigned long)answer,
	};

	memset(answer, 0, sizeof(*answer));
	return try(ETW_IOC_QUERY, &c);
}

/* The configuration, without what moves */
static int same_answer(struct answer *a, struct answer *b)
{
	a->info.number_of_buffers = b->info.number_of_buffers;
	a->info.free_buffers = b->info.free_buffers;
	a->info.events_lost = b->info.events_lost;
	a->info.buffers_written = b->info.buffers_written;
	a->info.log_buffers_lost = b->info.log_buffers_lost;
	a->info.sequence_number = b->info.sequence_number;
	return !memcmp(a, b, sizeof(*a));
}

static void prepare_update(struct request *r, __u32 id)
{
	static const __u32 array[] = { THEIR_ARRAY };

	prepare(r, "update");
	r->c.flags = id ? 0 : ETW_START_NO_RUNDOWN;
	r->c.logger_id = id;
	r->info.log_file_mode = MODE_KERNEL;
	r->info.minimum_buffers = 4;
	r->info.maximum_buffers = 16;
	r->info.maximum_file_size = 99;
	r->info.flush_timer = 7;
	set_array(r, IN_ITEMS, array, sizeof(array) / 4);
}

/* The extension that QUERY returned, as UPDATE and START take it */
static const __u32 *array_of(const struct answer *answer)
{
	return (const void *)((const __u8 *)answer + (answer->info.enable_flags & 0xFFFF));
}

static void test_update_cases(__u32 id)
{
	const struct update_case *u;
	struct answer before, after;
	struct request r;
	size_t i;
	int err, unchanged;

	query(id, &before);
	for (i = 0; i < sizeof(update_cases) / sizeof(update_cases[0]); i++) {
		u = &update_cases[i];
		prepare_update(&r, id);
		if (u->array)
			set_array(&r, IN_ITEMS, u->array, u->dwords);
		apply(&r, u->patch, 3);
		err = try(ETW_IOC_UPDATE, &r.c);
		query(id, &after);
		unchanged = same_answer(&after, &before);
		result(err == u->err && r.c.error_offset == u->offset &&
		       r.c.error_reason == u->reason && r.c.error_item == u->item && unchanged,
		       "UPDATE, %s: %s at 0x%x, reason %u, item %u # %s, 0x%x, %u, %u%s", u->name,
		       error_name(u->err), u->offset, u->reason, u->item, error_name(err),
		       r.c.error_offset, r.c.error_reason, r.c.error_item,
		       unchanged ? "" : ", QUERY changed");
	}
}

/* A block of QUERY, perhaps changed, is one of UPDATE; QUERY then says the same again. */
static void test_round_trip(__u32 id)
{
	static const __u32 array[] = { THEIR_ARRAY };
	struct answer before, after;
	struct etw_control c = { .size = sizeof(c), .logger_id = id };
	int err;

	query(id, &before);
	result((before.info.enable_flags & 0xFFFF0000) == 0x80FF0000 &&
	       !(before.info.enable_flags & 3) &&
	       (before.info.enable_flags & 0xFFFF) + sizeof(array) ==
	       before.info.wnode.buffer_size &&
	       !memcmp(array_of(&before), array, sizeof(array)),
	       "QUERY gives the extension # EnableFlags 0x%x", before.info.enable_flags);
	c.information = (unsigned long)&before;
	c.information_size = before.info.wnode.buffer_size;
	err = try(ETW_IOC_UPDATE, &c);
	query(id, &after);
	result(!err && same_answer(&after, &before), "QUERY, UPDATE, QUERY: the same # %s, 0x%x",
	       error_name(err), c.error_offset);

	c.information_size--;
	c.information = (unsigned long)&after;
	err = try(ETW_IOC_QUERY, &c);
	result(err == ENOSPC && after.info.wnode.buffer_size == before.info.wnode.buffer_size,
	       "QUERY, a byte too few for the extension: ENOSPC, and how many it takes # %s, %u",
	       error_name(err), after.info.wnode.buffer_size);
}

/* An UPDATE that succeeds, and what QUERY says then */
static int update(struct request *r, struct answer *answer, const char *what)
{
	int err = try(ETW_IOC_UPDATE, &r->c);

	query(r->c.logger_id, answer);
	if (err)
		result(0, "UPDATE, %s: accepted # %s at 0x%x, reason %u", what, error_name(err),
		       r->c.error_offset, r->c.error_reason);
	return !err;
}

static void test_changes(__u32 id)
{
	static const __u32 wish[] = {
		HEAD(13, 4), ITEM(3, ENABLE_FLAGS), 3, 0, ITEM(3, PIDS), 5, 6,
		ITEM(2, VND_FILTER_OPTIONS), 3, ITEM(4, VND_HOOK_FILTER), 0x524, 0x301, 0x302,
	};
	static const __u32 ms[] = { HEAD(7, 1), ITEM(6, VND_BUFFER_SETTINGS), 0, 0, 0, 1500, 0 };
	static const __u32 seconds[] = {
		HEAD(7, 1), ITEM(6, VND_BUFFER_SETTINGS), 0, 0, 0, 2000, 0,
	};
	struct answer a;
	struct request r;
	const __u32 *array;

	prepare_update(&r, id);
	r.info.flush_timer = 0;
	r.info.maximum_buffers = 32;
	r.info.minimum_buffers = 0;
	if (update(&r, &a, "timer and maximum"))
		result(!a.info.flush_timer && a.info.maximum_buffers == 32 &&
		       a.info.minimum_buffers == 4, "UPDATE, no timer, maximum 32 # %u, %u",
		       a.info.flush_timer, a.info.maximum_buffers);
	prepare_update(&r, id);
	r.info.maximum_buffers = 0;
	if (update(&r, &a, "no maximum"))
		result(a.info.flush_timer == 7 && a.info.maximum_buffers == 32,
		       "UPDATE without a maximum: it stays # %u", a.info.maximum_buffers);
	set_array(&r, IN_ITEMS, wish, sizeof(wish) / 4);
	if (update(&r, &a, "events and filters")) {
		array = array_of(&a);
		/* what is fixed was left out, and stays */
		result(array[0] == HEAD(22, 6) && !memcmp(array + 1, wish + 1, 4 * 8) &&
		       !memcmp(array + 9, wish + 9, 4 * 4),
		       "UPDATE, other events and filters: QUERY says them and what is fixed");
	}
	r.info.enable_flags = EVENT_TRACE_FLAG_CSWITCH;
	if (update(&r, &a, "no filters"))
		result(array_of(&a)[0] == HEAD(10, 2), "UPDATE without items: what is fixed stays");
	prepare_update(&r, id);
	set_array(&r, IN_ITEMS, ms, sizeof(ms) / 4);
	if (update(&r, &a, "1500 ms"))
		result(a.info.flush_timer == 1500 && a.info.log_file_mode == (MODE_KERNEL | 0x10),
		       "UPDATE, a timer of 1500 ms by an item # %u, mode 0x%x", a.info.flush_timer,
		       a.info.log_file_mode);
	set_array(&r, IN_ITEMS, seconds, sizeof(seconds) / 4);
	if (update(&r, &a, "2000 ms"))
		result(a.info.flush_timer == 2000, "UPDATE, a timer of 2000 ms by an item # %u",
		       a.info.flush_timer);
}

/* An answer that can't be written: only an error has one. */
static void test_update_answer(__u32 id)
{
	size_t size = (sizeof(struct request) + 4095) & ~4095UL;
	struct request *r = mmap(NULL, size, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct answer before, after;
	int err;

	prepare_update(r, id);
	r->info.flush_timer = 9;
	mprotect(r, size, PROT_READ);
	err = try(ETW_IOC_UPDATE, &r->c);
	query(id, &before);
	result(!err && before.info.flush_timer == 9, "UPDATE, all read-only: done # %s",
	       error_name(err));
	mprotect(r, size, PROT_READ | PROT_WRITE);
	r->info.flush_timer = 86401;
	mprotect(r, size, PROT_READ);
	err = try(ETW_IOC_UPDATE, &r->c);
	query(id, &after);
	result(err == EFAULT && same_answer(&after, &before),
	       "UPDATE, wrong and all read-only: EFAULT, nothing changed # %s", error_name(err));
	munmap(r, size);
}

/* In overwrite mode buffers are there for good. */
static void test_update_overwriting(void)
{
	struct request r;
	int err;

	prepare(&r, "over");
	r.info.log_file_mode = EVENT_TRACE_BUFFERING_MODE;
	r.info.log_file_name.length = 0;
	err = try(ETW_IOC_START, &r.c);
	r.c.flags = 0;
	r.info.wnode.buffer_size = BLOCK_SIZE;
	r.info.logger_name.length = 8;
	r.info.logger_name.buffer = sizeof(r.info);
	err = err ? err : try(ETW_IOC_UPDATE, &r.c);
	result(!err, "UPDATE of what START answered, names put back # %s, 0x%x", error_name(err),
	       r.c.error_offset);
	r.info.maximum_buffers += 2;
	err = try(ETW_IOC_UPDATE, &r.c);
	result(err == EINVAL && r.c.error_offset == AT(maximum_buffers) &&
	       r.c.error_reason == ETW_REASON_FIXED,
	       "UPDATE, another maximum in overwrite mode: EINVAL, fixed # %s, 0x%x, %u",
	       error_name(err), r.c.error_offset, r.c.error_reason);
	discard(r.c.logger_id);
}

static void test_updates(void)
{
	struct request r;
	__u32 id;
	int err;

	prepare_update(&r, 0);
	err = try(ETW_IOC_START, &r.c);
	id = r.c.logger_id;
	result(!err && r.info.minimum_buffers == 4 && r.info.maximum_buffers == 16,
	       "a session for the updates # %s, 0x%x", error_name(err), r.c.error_offset);
	test_round_trip(id);
	test_update_cases(id);
	test_update_answer(id);
	test_changes(id);
	prepare_update(&r, id);
	control_of(ETW_IOC_STOP, id, 0);
	err = try(ETW_IOC_UPDATE, &r.c);
	result(err == EALREADY, "UPDATE of a stopped session: EALREADY # %s", error_name(err));
	discard(id);
	err = try(ETW_IOC_UPDATE, &r.c);
	result(err == ENOENT && !r.c.error_offset && !r.c.error_reason,
	       "UPDATE of what is gone: ENOENT # %s", error_name(err));
	test_update_overwriting();
}

#endif /* ETW_TEST_ABI_UPDATE_H */
