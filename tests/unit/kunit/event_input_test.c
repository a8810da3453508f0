// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What TraceEvent takes and refuses, by version; reserved GUIDs; rates. */
#include <kunit/test.h>
#include <linux/string.h>
#include "provider/rate.h"
#include "record/event_input.c"

#define FLAG(name)	WNODE_FLAG_##name
#define HANDLE		5
#define PRIVATE		1	/* flags of a case */
#define INSTANCE	2
#define WRITTEN		4

/**
 * struct input - a header, the function that checks it, and the result
 * @version: ETW_RULES_*
 * @who: PRIVATE, INSTANCE, WRITTEN
 * @size: first four bytes of the header
 * @flags: at 0x2C
 * @handle: session handle
 * @err: due
 * @header: due with a success, as what follows
 * @given: due
 * @wnode: due
 * @fields: due
 */
struct input {
	u32 version;
	u32 who;
	u32 size;
	u32 flags;
	u64 handle;
	int err;
	u32 header;
	u32 given;
	int wnode;
	u32 fields;
};

#define V0	ETW_RULES_5_0
#define V1	ETW_RULES_5_1

static const struct input inputs[] = {
	/* 5.1: nothing but a Size is required */
	{ V1, 0, 0x30, 0, HANDLE, 0, 0x30, 0x30 },
	{ V1, 0, 0x2F, 0, HANDLE, -EINVAL },
	{ V1, 0, 0, ~0U, HANDLE, -EINVAL },
	{ V1, 0, 0xFFFF, FLAG(TRACED_GUID), HANDLE, 0, 0x30, 0xFFFF },
	/* HeaderType and MarkerFlags are no part of it */
	{ V1, 0, 0xC00A0031, 0, HANDLE, 0, 0x30, 0x31 },
	{ V1, INSTANCE, 0x47, 0, HANDLE, -EINVAL },
	{ V1, INSTANCE, 0x48, 0, HANDLE, 0, 0x48, 0x48 },
	/* handles: 16 bits of them, and the private logger's one */
	{ V1, 0, 0x30, 0, 0, -EBADF },
	{ V1, 0, 0x30, 0, 0xFFFF, -EBADF },
	{ V1, 0, 0x30, 0, 0xFFFE, 0, 0x30, 0x30 },
	{ V1, 0, 0x30, 0, 0x10005, 0, 0x30, 0x30 },
	{ V1, 0, 0x30, 0, 0x70000, -EBADF },
	{ V1, 0, 0x30, 0, ETW_HANDLE_PRIVATE | HANDLE, -EBADF },
	{ V1, 0, 0x2F, 0, 0, -EINVAL },
	{ V1, PRIVATE, 0x30, 0, ETW_HANDLE_PRIVATE, 0, 0x30, 0x30 },
	{ V1, PRIVATE, 0x2F, 0, ETW_HANDLE_PRIVATE, -EINVAL },
	/* NO_HEADER: the private logger's, and 5.1's */
	{ V1, 0, 0x30, FLAG(NO_HEADER), HANDLE, 0, 0x30, 0x30 },
	{ V1, 0, 0x2F, FLAG(NO_HEADER), HANDLE, -EINVAL },
	{ V1, 0, 0x58, FLAG(NO_HEADER), 0, -EBADF },
	{ V0, 0, 0x30, FLAG(NO_HEADER) | FLAG(TRACED_GUID), HANDLE, 0, 0x30, 0x30 },
	{ V1, PRIVATE, 0x57, FLAG(NO_HEADER), 0, -EINVAL },
	{ V1, PRIVATE, 0x58, FLAG(NO_HEADER) | FLAG(USE_MOF_PTR), 0, 0, 0x58, 0x58 },
	{ V0, PRIVATE, 0x30, FLAG(NO_HEADER) | FLAG(TRACED_GUID), 0, 0, 0x30, 0x30 },
	/* MOF_FIELD: up to 0x100 bytes */
	{ V1, 0, 0x130, FLAG(USE_MOF_PTR), HANDLE, 0, 0x30, 0x130, 0, 16 },
	{ V1, 0, 0x131, FLAG(USE_MOF_PTR), HANDLE, -E2BIG },
	{ V1, 0, 0x30, FLAG(USE_MOF_PTR), HANDLE, 0, 0x30, 0x30, 0, 0 },
	{ V1, 0, 0x5F, FLAG(USE_MOF_PTR), HANDLE, 0, 0x30, 0x5F, 0, 2 },
	{ V1, INSTANCE, 0x148, FLAG(USE_MOF_PTR), HANDLE, 0, 0x48, 0x148, 0, 16 },
	{ V1, INSTANCE, 0x149, FLAG(USE_MOF_PTR), HANDLE, -E2BIG },
	{ V1, 0, 0x131, FLAG(USE_MOF_PTR), 0, -EBADF },
	/* write(): no pointers, no WNODE_HEADER */
	{ V1, WRITTEN, 0x131, FLAG(TRACED_GUID) | FLAG(USE_TIMESTAMP), 5, 0, 0x30, 0x131 },
	{ V1, WRITTEN, 0x40, FLAG(USE_MOF_PTR), HANDLE, -EOPNOTSUPP },
	{ V1, WRITTEN, 0x30, FLAG(USE_GUID_PTR), HANDLE, -EOPNOTSUPP },
	{ V0, WRITTEN, 0x30, FLAG(LOG_WNODE), HANDLE, -EOPNOTSUPP },
	/* 5.1 has no WNODE_HEADER */
	{ V1, 0, 0x30, FLAG(LOG_WNODE), HANDLE, -EOPNOTSUPP },
	{ V1, 0, 0x30, FLAG(LOG_WNODE) | FLAG(TRACED_GUID), HANDLE, -EOPNOTSUPP },
	/* 5.0 wants one of two flags, before anything else */
	{ V0, 0, 0x30, 0, HANDLE, -EBADRQC },
	{ V0, 0, 0x2F, ~(FLAG(TRACED_GUID) | FLAG(LOG_WNODE)), 0, -EBADRQC },
	{ V0, 0, 0x30, FLAG(TRACED_GUID), HANDLE, 0, 0x30, 0x30 },
	{ V0, 0, 0x2F, FLAG(TRACED_GUID), HANDLE, -EINVAL },
	{ V0, 0, 0x30, FLAG(TRACED_GUID), 0, -EBADF },
	{ V0, INSTANCE, 0x48, FLAG(TRACED_GUID), HANDLE, 0, 0x48, 0x48 },
	{ V0, 0, 0x40, FLAG(TRACED_GUID) | FLAG(USE_MOF_PTR), HANDLE, 0, 0x30, 0x40, 0, 1 },
	/* a WNODE_HEADER's size has 32 bits; a record's 16 */
	{ V0, 0, 0x30, FLAG(LOG_WNODE), HANDLE, 0, 0x30, 0x30, 1 },
	{ V0, 0, 0x2F, FLAG(LOG_WNODE), HANDLE, -EINVAL },
	{ V0, 0, 0xFFFF, FLAG(LOG_WNODE), HANDLE, 0, 0x30, 0xFFFF, 1 },
	{ V0, 0, 0x10020, FLAG(LOG_WNODE), HANDLE, -EMSGSIZE },
	{ V0, 0, 0xFFFFFFFF, FLAG(LOG_WNODE), HANDLE, -EMSGSIZE },
	{ V0, 0, 0x200, FLAG(LOG_WNODE) | FLAG(USE_MOF_PTR), HANDLE, 0, 0x30, 0x200, 1 },
	{ V0, INSTANCE, 0x48, FLAG(LOG_WNODE), HANDLE, -EOPNOTSUPP },
	/* both: it is one, but the low word of its size is looked at first */
	{ V0, 0, 0x31, FLAG(LOG_WNODE) | FLAG(TRACED_GUID), HANDLE, 0, 0x30, 0x31, 1 },
	{ V0, 0, 0x10020, FLAG(LOG_WNODE) | FLAG(TRACED_GUID), HANDLE, -EINVAL },
	{ V0, 0, 0x10030, FLAG(LOG_WNODE) | FLAG(TRACED_GUID), HANDLE, -EMSGSIZE },
};

static void check(struct kunit *test, u32 i, const struct input *in)
{
	const struct etw_event_rules rules = {
		.version = in->version, .instance = !!(in->who & INSTANCE),
		.private_logger = !!(in->who & PRIVATE), .self_contained = !!(in->who & WRITTEN),
	};
	struct event_trace_header header = { .flags = in->flags };
	struct etw_event_shape shape;
	int err;

	memcpy(&header, &in->size, sizeof(in->size));
	memset(&shape, 0xA5, sizeof(shape));
	err = etw_event_check(&header, in->handle, &rules, &shape);
	KUNIT_EXPECT_EQ_MSG(test, err, in->err, "case %u", i);
	/* the others have errors of their own */
	KUNIT_EXPECT_EQ_MSG(test, shape.valid, err != -EINVAL && err != -EBADRQC, "case %u", i);
	if (err)
		return;
	KUNIT_EXPECT_EQ_MSG(test, shape.header, in->header, "case %u", i);
	KUNIT_EXPECT_EQ_MSG(test, shape.given, in->given, "case %u", i);
	KUNIT_EXPECT_EQ_MSG(test, shape.wnode, in->wnode, "case %u", i);
	KUNIT_EXPECT_EQ_MSG(test, shape.mof_fields, in->fields, "case %u", i);
}

static void headers(struct kunit *test)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(inputs); i++)
		check(test, i, &inputs[i]);
}

static void handles(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, etw_handle_logger(1), 1);
	KUNIT_EXPECT_EQ(test, etw_handle_logger(0xFFFE), 0xFFFE);
	KUNIT_EXPECT_EQ(test, etw_handle_logger(~0xFFFFULL | 64), -EBADF);
	KUNIT_EXPECT_EQ(test, etw_handle_logger(0xFE000040), 64);
	KUNIT_EXPECT_EQ(test, etw_handle_logger(0), -EBADF);
	KUNIT_EXPECT_EQ(test, etw_handle_logger(0xFFFF), -EBADF);
}

/* Each one is found, in its order, and none that differs in one bit. */
static void reserved_guids(struct kunit *test)
{
	u32 i, bit;

	for (i = 0; i < ARRAY_SIZE(reserved); i++) {
		struct etw_guid guid = reserved[i];

		KUNIT_EXPECT_TRUE(test, !i || reserved[i - 1].data1 < guid.data1);
		KUNIT_EXPECT_GE(test, i, (u32)first_of_digit[guid.data1 >> 28]);
		KUNIT_EXPECT_EQ(test, etw_guid_is_reserved(&guid), 1);
		for (bit = 0; bit < 8 * sizeof(guid); bit++) {
			((u8 *)&guid)[bit / 8] ^= 1 << bit % 8;
			/* PROCESS and THREAD, PageFault and DiskIo... differ in one */
			if (bit > 2)
				KUNIT_EXPECT_EQ(test, etw_guid_is_reserved(&guid), 0);
			((u8 *)&guid)[bit / 8] ^= 1 << bit % 8;
		}
	}
}

/* Events of @size at @rate at a time, until one is refused; or -1 */
static int burst_of(u64 *due, u64 now, u64 rate, u64 kept, u32 size)
{
	int n;

	for (n = 0; n < 100000; n++) {
		u64 next = etw_rate_next(*due, now, rate, etw_rate_burst(rate, kept), size);

		if (!next)
			return n;
		*due = next;
	}
	return -1;
}

static int burst(u64 *due, u64 now, u64 rate, u32 size)
{
	return burst_of(due, now, rate, 0, size);
}

static void rates(struct kunit *test)
{
	const u64 rate = NSEC_PER_SEC / 100;
	u64 due = 0, now = 7 * NSEC_PER_SEC;

	/* one second's worth at once, then as many as were paid for */
	KUNIT_EXPECT_EQ(test, burst(&due, now, rate, 1), 100);
	KUNIT_EXPECT_EQ(test, burst(&due, now, rate, 1), 0);
	KUNIT_EXPECT_EQ(test, burst(&due, now + rate - 1, rate, 1), 0);
	KUNIT_EXPECT_EQ(test, burst(&due, now + 3 * rate, rate, 256), 3);
	/* no user saves up for more than a burst */
	KUNIT_EXPECT_EQ(test, burst(&due, now += 60 * NSEC_PER_SEC, rate, 256), 100);
	/* larger ones count for as many as they are */
	KUNIT_EXPECT_EQ(test, burst(&due, now += 60 * NSEC_PER_SEC, rate, 257), 50);
	KUNIT_EXPECT_EQ(test, burst(&due, now += 60 * NSEC_PER_SEC, rate, 25600), 1);
	/* none is too large for good: a user with a full bucket may write it, and pays for long */
	KUNIT_EXPECT_EQ(test, burst(&due, now += 60 * NSEC_PER_SEC, NSEC_PER_SEC, 65535), 1);
	KUNIT_EXPECT_EQ(test, burst(&due, now += 255 * NSEC_PER_SEC, NSEC_PER_SEC, 1), 0);
	KUNIT_EXPECT_EQ(test, burst(&due, now += NSEC_PER_SEC, NSEC_PER_SEC, 1), 1);
}

/* A session that overwrites 64 KB: 8 of them at once, of any size; what comes later is as above */
static void rates_of_flight_recorders(struct kunit *test)
{
	const u64 rate = NSEC_PER_SEC / 10000;
	u64 due = 0, now = 7 * NSEC_PER_SEC;

	KUNIT_EXPECT_EQ(test, burst_of(&due, now, rate, 65536, 256), 32);
	KUNIT_EXPECT_EQ(test, burst_of(&due, now + 5 * rate, rate, 65536, 1), 5);
	KUNIT_EXPECT_EQ(test, burst_of(&due, now += NSEC_PER_SEC, rate, 65536, 4096), 2);
	KUNIT_EXPECT_EQ(test, burst_of(&due, now += NSEC_PER_SEC, rate, 65536, 8193), 1);
	/* too little for a part: one at a time */
	KUNIT_EXPECT_EQ(test, burst_of(&due, now += NSEC_PER_SEC, rate, 2047, 1), 1);
	/* much memory: a second's worth, as elsewhere */
	KUNIT_EXPECT_EQ(test, burst_of(&due, now += NSEC_PER_SEC, rate, 1ULL << 40, 1), 10000);
	KUNIT_EXPECT_EQ(test, etw_rate_burst(1, ~0ULL), ETW_RATE_BURST);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(headers),
	KUNIT_CASE(handles),
	KUNIT_CASE(reserved_guids),
	KUNIT_CASE(rates),
	KUNIT_CASE(rates_of_flight_recorders),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_event_input",
	.test_cases = cases,
};

kunit_test_suite(suite);
