// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Payloads of file operations: how they ended, against the table of events.rst. */
#include <kunit/test.h>
#include "source/storage/file_payload.c"

/* not of what is tested here */
u64 etw_file_key(const struct etw_sink *sink, const struct inode *inode)
{
	return (unsigned long)inode;
}

static const struct status_case {
	long result;
	u32 status;
} status_cases[] = {
	{ 0, 0 },
	{ 4096, 0 },
	{ -ENOENT, 0xC0000034 },
	{ -EACCES, 0xC0000022 },
	{ -EEXIST, 0xC0000035 },
	{ -EAGAIN, 0x103 },
	{ -EINVAL, 0xC000000D },
	{ -EIO, 0xC0000001 },
	/* all that a program sees as EINTR, or a call that begins again */
	{ -EINTR, 0xC0000120 },
	{ -ERESTARTSYS, 0xC0000120 },
	{ -ERESTARTNOINTR, 0xC0000120 },
	{ -ERESTARTNOHAND, 0xC0000120 },
	{ -ERESTART_RESTARTBLOCK, 0xC0000120 },
};

static void statuses(struct kunit *test)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(status_cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, etw_file_status(status_cases[i].result),
				    status_cases[i].status, "%ld", status_cases[i].result);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(statuses),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_file_payload",
	.test_cases = cases,
};

kunit_test_suite(suite);
