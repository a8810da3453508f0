/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Counters: which START refuses, and where; what COUNTING and QUERY say of them. */
#ifndef ETW_TEST_ABI_COUNTERS_H
#define ETW_TEST_ABI_COUNTERS_H

#include "update.h"

#define OWN		ETW_PROFILE_SOURCE_OWN
#define SOFTWARE(event)	PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##event, 0
#define FAULTS		OWN, SOFTWARE(PAGE_FAULTS)
#define SWITCHES	(OWN + 1), SOFTWARE(CONTEXT_SWITCHES)
#define CPU_CLOCK	(OWN + 2), SOFTWARE(CPU_CLOCK)
#define NO_TYPE		0x7ffffff0	/* no PMU ever gets that far */
#define ON_SWAPS	ITEM(2, VND_PMC_HOOKS), PERFINFO_LOG_TYPE_CONTEXTSWAP
#define ATTRS(flags)	(flags), 0, 0, 0, 0, 0

/* What needs no PMU, and what none has */
static const struct extension_case counter_cases[] = {
	{ "three software counters", IN_ITEMS,
	  ARRAY(HEAD(18, 3), ITEM(13, VND_PMC_COUNTERS), FAULTS, SWITCHES, CPU_CLOCK, ON_SWAPS,
		ITEM(2, ENABLE_FLAGS), EVENT_TRACE_FLAG_CSWITCH), 0, 0, 0, 0, { } },
	{ "seven, with names and attributes", IN_ITEMS,
	  ARRAY(HEAD(84, 4), ITEM(29, VND_PMC_COUNTERS), FAULTS, SWITCHES, CPU_CLOCK,
		OWN + 3, SOFTWARE(PAGE_FAULTS_MIN), OWN + 4, SOFTWARE(PAGE_FAULTS_MAJ),
		OWN + 5, SOFTWARE(CPU_MIGRATIONS), OWN + 6, SOFTWARE(TASK_CLOCK), ON_SWAPS,
		ITEM(9, VND_COUNTER_NAMES), 7, 'a', 'b', 'c', 'd', 'e', 'f', 'g',
		ITEM(43, VND_COUNTER_ATTRS), ATTRS(0), ATTRS(1), ATTRS(2), ATTRS(4), ATTRS(8),
		ATTRS(0), ATTRS(0)), 0, 0, 0, 0, { } },
	{ "eight", IN_ITEMS,
	  ARRAY(HEAD(36, 2), ITEM(33, VND_PMC_COUNTERS), FAULTS, SWITCHES, CPU_CLOCK,
		OWN + 3, SOFTWARE(DUMMY), OWN + 4, SOFTWARE(DUMMY), OWN + 5, SOFTWARE(DUMMY),
		OWN + 6, SOFTWARE(DUMMY), OWN + 7, SOFTWARE(DUMMY), ON_SWAPS), E2BIG, DWORD(1),
	  REFUSE(COUNT), 1, { } },
	{ "the same event under two names", IN_ITEMS,
	  ARRAY(HEAD(12, 2), ITEM(9, VND_PMC_COUNTERS), FAULTS, OWN + 1, SOFTWARE(PAGE_FAULTS),
		ON_SWAPS), 0, 0, 0, 0, { } },
	{ "one that does not exist, and that no record carries", IN_ITEMS,
	  ARRAY(HEAD(6, 1), ITEM(5, VND_PMC_COUNTERS), OWN, NO_TYPE, 0, 0), 0, 0, 0, 0, { } },
	{ "no such PMU", IN_ITEMS,
	  ARRAY(HEAD(8, 2), ITEM(5, VND_PMC_COUNTERS), OWN, NO_TYPE, 0, 0, ON_SWAPS),
	  EOPNOTSUPP, DWORD(2), REFUSE(NO_EVENT), 1, { } },
	{ "no such hardware event", IN_ITEMS,
	  ARRAY(HEAD(14, 3), ON_SWAPS, ITEM(2, PIDS), 1, ITEM(9, VND_PMC_COUNTERS), FAULTS,
		19, PERF_TYPE_HARDWARE, 99, 0), EOPNOTSUPP, DWORD(10), REFUSE(NO_EVENT), 3, { } },
	{ "no such software event, behind one that isn't counted", IN_ITEMS,
	  ARRAY(HEAD(35, 3), ON_SWAPS, ITEM(13, VND_PMC_COUNTERS), FAULTS, OWN + 1, NO_TYPE,
		0, 0, 2, PERF_TYPE_SOFTWARE, 99, 0, ITEM(19, VND_COUNTER_ATTRS), ATTRS(0),
		ATTRS(ETW_COUNTER_SAMPLE_ONLY), ATTRS(0)), EOPNOTSUPP, DWORD(12),
	  REFUSE(NO_EVENT), 2, { } },
	{ "records to carry them, but none is counted", IN_ITEMS,
	  ARRAY(HEAD(15, 3), ITEM(5, VND_PMC_COUNTERS), FAULTS, ON_SWAPS,
		ITEM(7, VND_COUNTER_ATTRS), ATTRS(ETW_COUNTER_SAMPLE_ONLY)), EINVAL, DWORD(6),
	  REFUSE(MISSING), 2, { } },
	{ "records without a source", IN_ITEMS,
	  ARRAY(HEAD(9, 2), ITEM(5, VND_PMC_COUNTERS), FAULTS, ITEM(3, VND_PMC_HOOKS), 0x524,
		0x1234), EOPNOTSUPP, DWORD(8), REFUSE(UNSUPPORTED), 2, { } },
	{ "records without room", IN_ITEMS,
	  ARRAY(HEAD(9, 2), ITEM(5, VND_PMC_COUNTERS), FAULTS, ITEM(3, VND_PMC_HOOKS), 0x524,
		0x501), EOPNOTSUPP, DWORD(8), REFUSE(UNSUPPORTED), 2, { } },
	{ "a flag that counters don't have", IN_ITEMS,
	  ARRAY(HEAD(13, 2), ITEM(5, VND_PMC_COUNTERS), FAULTS, ITEM(7, VND_COUNTER_ATTRS),
		ATTRS(0x40)), EINVAL, DWORD(7), REFUSE(BITS), 2, { } },
	{ "precise, without samples", IN_ITEMS,
	  ARRAY(HEAD(13, 2), ITEM(5, VND_PMC_COUNTERS), FAULTS, ITEM(7, VND_COUNTER_ATTRS),
		ATTRS(ETW_COUNTER_PRECISE)), EINVAL, DWORD(7), REFUSE(CONFLICT), 2, { } },
	{ "counters, no kernel session", IN_ITEMS,
	  ARRAY(HEAD(6, 1), ITEM(5, VND_PMC_COUNTERS), FAULTS), EINVAL, DWORD(1),
	  REFUSE(CONFLICT), 1, PLAIN },
	{ "no PEBS index", IN_ITEMS, ARRAY(HEAD(3, 1), ITEM(2, VND_PEBS_EVENT), 0), 0, 0, 0, 0,
	  { } },
	{ "a PEBS index, and no PEBS", IN_ITEMS,
	  ARRAY(HEAD(5, 2), ITEM(2, PIDS), 1, ITEM(2, VND_PEBS_EVENT), 0x524), EOPNOTSUPP,
	  DWORD(4), REFUSE(NO_PEBS), 2, { } },
};

/* Whether perf itself can count something on the first CPU */
static int perf_has(__u32 type, __u64 config)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .type = type, .config = config };
	int fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* What perf says of the machine's cycles, START says. */
static void test_cycles(void)
{
	static const __u32 array[] = {
		HEAD(8, 2), ITEM(5, VND_PMC_COUNTERS), ETW_PROFILE_SOURCE_TOTAL_CYCLES,
		PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0, ON_SWAPS,
	};
	int has = perf_has(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	struct request r;
	int err;

	prepare(&r, "cycles");
	r.info.log_file_mode = MODE_KERNEL;
	set_array(&r, IN_ITEMS, array, sizeof(array) / 4);
	err = try(ETW_IOC_START, &r.c);
	if (!err)
		discard(r.c.logger_id);
	result(has ? !err : err == EOPNOTSUPP && r.c.error_offset == DWORD(2) &&
			    r.c.error_reason == ETW_REASON_NO_EVENT && r.c.error_item == 1,
	       "cycles, which this machine has %s: accepted, or EOPNOTSUPP # %s at 0x%x, reason %u",
	       has ? "" : "not",
	       error_name(err), r.c.error_offset, r.c.error_reason);
}

static int pmu_type(const char *pmu)
{
	char path[96];
	int type = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", pmu);
	file = fopen(path, "r");
	if (!file)
		return -1;
	if (fscanf(file, "%d", &type) != 1)
		type = -1;
	fclose(file);
	return type;
}

/* The kernel would read the name again when a CPU comes online, in another process's memory. */
static void test_names_in_memory(const char *pmu)
{
	static const char name[] = "vfs_read";
	const __u64 at = (unsigned long)name;
	const int type = pmu_type(pmu);
	const __u32 array[] = {
		HEAD(15, 3), ITEM(5, VND_PMC_COUNTERS), OWN, type, 0, 0, ON_SWAPS,
		ITEM(7, VND_COUNTER_ATTRS), 0, 0, (__u32)at, at >> 32, 0, 0,
	};
	struct request r;
	int err;

	if (type < 0) {
		printf("skip - a counter of PMU %s, where attributes are addresses # no such PMU\n",
		       pmu);
		return;
	}
	prepare(&r, pmu);
	r.info.log_file_mode = MODE_KERNEL;
	set_array(&r, IN_ITEMS, array, sizeof(array) / 4);
	err = try(ETW_IOC_START, &r.c);
	if (!err)
		discard(r.c.logger_id);
	result(err == EOPNOTSUPP && r.c.error_offset == DWORD(2) &&
	       r.c.error_reason == ETW_REASON_UNSUPPORTED && r.c.error_item == 1,
	       "a counter of PMU %s, where attributes are addresses: EOPNOTSUPP # %s, reason %u",
	       pmu, error_name(err), r.c.error_reason);
}

/* One is counted by its PMU's clock, two in memory; the last only would sample. */
static void prepare_counted(struct request *r, __u32 id)
{
	static const __u32 array[] = {
		HEAD(53, 5), ITEM(2, ENABLE_FLAGS), EVENT_TRACE_FLAG_CSWITCH,
		ITEM(17, VND_PMC_COUNTERS), FAULTS, SWITCHES, CPU_CLOCK, OWN + 3, NO_TYPE, 0, 0,
		ON_SWAPS, ITEM(6, VND_COUNTER_NAMES), 4, 'a', 'b', 'c', 'd',
		ITEM(25, VND_COUNTER_ATTRS), ATTRS(0), ATTRS(0), ATTRS(0),
		ATTRS(ETW_COUNTER_SAMPLE_ONLY),
	};

	prepare(r, "counted");
	r->c.flags = id ? 0 : ETW_START_NO_RUNDOWN;
	r->c.logger_id = id;
	r->info.log_file_mode = MODE_KERNEL;
	set_array(r, IN_ITEMS, array, sizeof(array) / 4);
}

static void check_counting(__u32 id, __u32 processor, int running)
{
	static const __u32 methods[] = {
		ETW_METHOD_MEMORY, ETW_METHOD_MEMORY, ETW_METHOD_PMU, ETW_METHOD_NONE,
	};
	struct etw_counting n;
	int err, good;
	__u32 i;

	memset(&n, 0xAB, sizeof(n));
	n.size = sizeof(n);
	n.logger_id = id;
	n.processor = processor;
	err = try(ETW_IOC_COUNTING, &n);
	good = !err && n.size == sizeof(n) && n.logger_id == id && n.processor == processor &&
	       n.nr_counters == 4 && !n.profile_clock && !n.profile_interval &&
	       !n.pebs_format && !n.throttled;
	for (i = 0; i < ETW_MAX_PMC_COUNTERS && good; i++)
		good = n.counter[i].profile_source == (i < 4 ? OWN + i : 0) &&
		       n.counter[i].method == (i < 4 && running ? methods[i] : ETW_METHOD_NONE);
	result(good, "COUNTING of processor %d, %s: four counters and how each is read # %s, %u",
	       (int)processor, running ? "running" : "stopped", error_name(err), n.nr_counters);
}

/* Counters stay as they are, given again or left out. */
static void test_counted_updates(__u32 id)
{
	static const __u32 others[] = {
		HEAD(8, 2), ITEM(2, PIDS), 1, ITEM(5, VND_PMC_COUNTERS), FAULTS,
	};
	static const __u32 hooks[] = {
		HEAD(21, 2), ITEM(17, VND_PMC_COUNTERS), FAULTS, SWITCHES, CPU_CLOCK, OWN + 3,
		NO_TYPE, 0, 0, ITEM(3, VND_PMC_HOOKS), 0x524, 0x532,
	};
	static const __u32 fewer[] = {
		HEAD(5, 2), ITEM(2, ENABLE_FLAGS), EVENT_TRACE_FLAG_CSWITCH, ITEM(2, PIDS), 1,
	};
	struct answer before, after;
	struct request r;
	int err;

	query(id, &before);
	prepare_counted(&r, id);
	err = try(ETW_IOC_UPDATE, &r.c);
	query(id, &after);
	result(!err && same_answer(&after, &before), "UPDATE, the same counters # %s, 0x%x",
	       error_name(err), r.c.error_offset);
	set_array(&r, IN_ITEMS, others, sizeof(others) / 4);
	err = try(ETW_IOC_UPDATE, &r.c);
	result(err == EINVAL && r.c.error_offset == DWORD(3) && r.c.error_item == 2 &&
	       r.c.error_reason == ETW_REASON_FIXED, "UPDATE, other counters: EINVAL, fixed # %s at 0x%x, reason %u",
	       error_name(err), r.c.error_offset, r.c.error_reason);
	prepare_counted(&r, id);
	set_array(&r, IN_ITEMS, hooks, sizeof(hooks) / 4);
	err = try(ETW_IOC_UPDATE, &r.c);
	result(err == EINVAL && r.c.error_offset == DWORD(18) && r.c.error_item == 2 &&
	       r.c.error_reason == ETW_REASON_FIXED, "UPDATE, another record: EINVAL, fixed # %s at 0x%x, reason %u",
	       error_name(err), r.c.error_offset, r.c.error_reason);
	query(id, &after);
	result(same_answer(&after, &before), "neither changed anything");
	prepare_counted(&r, id);
	set_array(&r, IN_ITEMS, fewer, sizeof(fewer) / 4);
	err = try(ETW_IOC_UPDATE, &r.c);
	query(id, &after);
	/* two dwords more, of PIDS */
	result(!err && array_of(&after)[0] == HEAD(55, 6) &&
	       !memcmp(array_of(&after) + 5, array_of(&before) + 3, 4 * 50),
	       "UPDATE without counters: they stay # %s, 0x%x", error_name(err),
	       r.c.error_offset);
}

static void test_counters(void)
{
	struct etw_statistics s = { .size = sizeof(s), .processor = ETW_ALL_PROCESSORS };
	struct request r;
	int err;

	try_extensions(counter_cases, sizeof(counter_cases) / sizeof(counter_cases[0]));
	test_cycles();
	test_names_in_memory("kprobe");
	test_names_in_memory("uprobe");
	if (!has_perf()) {
		skip("a session that counts, its updates # this kernel has no perf");
		return;
	}
	prepare_counted(&r, 0);
	err = try(ETW_IOC_START, &r.c);
	result(!err, "a session that counts # %s, 0x%x, %u", error_name(err), r.c.error_offset,
	       r.c.error_reason);
	check_counting(r.c.logger_id, ETW_ALL_PROCESSORS, 1);
	check_counting(r.c.logger_id, 0, 1);
	test_counted_updates(r.c.logger_id);
	s.logger_id = r.c.logger_id;
	err = try(ETW_IOC_STATISTICS, &s);
	result(!err && !s.uncounted, "no record lacks counters # %s, %llu", error_name(err),
	       s.uncounted);
	control_of(ETW_IOC_STOP, r.c.logger_id, 0);
	check_counting(r.c.logger_id, ETW_ALL_PROCESSORS, 0);
	discard(r.c.logger_id);
}

#endif /* ETW_TEST_ABI_COUNTERS_H */
