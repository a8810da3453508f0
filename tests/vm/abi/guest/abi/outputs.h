/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The error_ members of struct etw_control: outputs that must be 0 before, with each ioctl. */
#ifndef ETW_TEST_ABI_OUTPUTS_H
#define ETW_TEST_ABI_OUTPUTS_H

#include "snapshot.h"

static const struct {
	const char *name;
	size_t at;
} error_members[] = {
	{ "error_offset", offsetof(struct etw_control, error_offset) },
	{ "error_reason", offsetof(struct etw_control, error_reason) },
	{ "error_item", offsetof(struct etw_control, error_item) },
	{ "error_processor", offsetof(struct etw_control, error_processor) },
};

/* All that take the structure of a session that there is; what ends it comes last. */
static const struct {
	const char *name;
	unsigned long cmd;
} takers[] = {
	{ "QUERY", ETW_IOC_QUERY },
	{ "UPDATE", ETW_IOC_UPDATE },
	{ "FLUSH", ETW_IOC_FLUSH },
	{ "SNAPSHOT", ETW_IOC_SNAPSHOT },
	{ "RUNDOWN", ETW_IOC_RUNDOWN },
	{ "STOP", ETW_IOC_STOP },
};

/* With any bit of any of them; what is refused for that has no answer. */
static int refuses_each(unsigned long cmd, const struct etw_control *good, const char *what)
{
	static const __u32 values[] = { 1, 0x80000000, ~0U };
	size_t member, i;
	int refused = 1;

	for (member = 0; member < sizeof(error_members) / sizeof(error_members[0]); member++) {
		for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
			struct etw_control c = *good, before;
			int err;

			memcpy((char *)&c + error_members[member].at, &values[i], sizeof(values[i]));
			before = c;
			err = try(cmd, &c);
			if (err == EINVAL && !memcmp(&c, &before, sizeof(c)))
				continue;
			refused = 0;
			result(0,
			       "%s with %s 0x%x is accepted # %s", what, error_members[member].name,
			       values[i], error_name(err));
		}
	}
	return refused;
}

static void test_taker(const char *name, unsigned long cmd, struct etw_control *good)
{
	int refused = refuses_each(cmd, good, name), ret = ioctl(control, cmd, good);

	result(refused && ret >= 0,
	       "%s: EINVAL with an error_ member, without it's done # %s", name,
	       error_name(ret < 0 ? errno : 0));
	if (ret > 0)
		close(ret);
}

/* A second try with what START wrote is refused, whatever the block is now. */
static void test_try_again(void)
{
	struct request r;
	int first, again, cleared;

	prepare(&r, "again");
	r.info.buffer_size = 5;
	first = try(ETW_IOC_START, &r.c);
	result(first == EINVAL && r.c.error_offset == AT(buffer_size) &&
	       r.c.error_reason == ETW_REASON_RANGE, "START says what was wrong # %s",
	       error_name(first));
	r.info.buffer_size = 4;
	again = try(ETW_IOC_START, &r.c);
	r.c.error_offset = 0;
	r.c.error_reason = 0;
	cleared = try(ETW_IOC_START, &r.c);
	result(again == EINVAL && !cleared,
	       "START again: EINVAL with its answer, done without # %s, %s",
	       error_name(again), error_name(cleared));
	discard(r.c.logger_id);
}

static void test_outputs(void)
{
	static __u8 block[8192];
	struct etw_control c = { .size = sizeof(c), .logger_id = start_overwriting("outputs") };
	struct request r;
	size_t i;

	prepare(&r, "another");
	result(refuses_each(ETW_IOC_START, &r.c, "START"), "START: EINVAL with an error_ member");
	c.information = (unsigned long)block;
	c.information_size = sizeof(block);
	for (i = 0; i < sizeof(takers) / sizeof(takers[0]); i++) {
		/* UPDATE takes what QUERY gave: the block says how much of it there is */
		if (takers[i].cmd == ETW_IOC_UPDATE)
			memcpy(&c.information_size, block, sizeof(c.information_size));
		test_taker(takers[i].name, takers[i].cmd, &c);
	}
	discard(c.logger_id);
	test_try_again();
	result(!loggers(), "nothing stays of what was refused");
}

#endif /* ETW_TEST_ABI_OUTPUTS_H */
