// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The PEBS index of a CPU: number of drained records plus those in its buffer. */
#include <linux/errno.h>
#include "pebs.h"

/* 32-bit kernels have other records; without ftrace, drains can't be hooked. */
#if defined(CONFIG_X86_64) && defined(CONFIG_CPU_SUP_INTEL) && defined(CONFIG_PERF_EVENTS) && \
	defined(CONFIG_DYNAMIC_FTRACE)
#include <linux/cpu.h>
#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/cpu_entry_area.h>
#include <asm/cpufeature.h>
#include <asm/msr.h>
#include "compat.h"
#include "pebs_index.h"

/*
 * perf owns PEBS. The processor writes records from pebs_buffer_base on and
 * advances pebs_index; perf drains them: it takes all records and resets the index
 * to the base. The count since the first session that uses it is the number of records
 * that the drains took, plus those in the buffer.
 *
 * Possible interruptions, all on the CPU that owns the buffer:
 *  - etw_pebs_index() is called from context switches, interrupts off.
 *  - A drain runs with interrupts and the PMU off, or in an NMI. So a switch
 *    never runs between a drain's beginning and its end: it sees all of a drain
 *    or nothing. But an NMI may drain while etw_pebs_index() runs, for example between
 *    reading the sum and reading the index. The NMI then changes the word, and
 *    etw_pebs_index() starts over.
 *  - The hook runs where a drain begins, before the index is reset, and can't
 *    observe the reset. For an NMI that drains between the two see
 *    etw_pebs_drain(). An NMI during the hook changes the word. Only the function that
 *    drains this format is hooked, not its callers such as intel_pmu_drain_pebs_buffer():
 *    these would count the same records twice.
 *  - The sum is increased after the word has changed. Additions commute, and no NMI
 *    reads the sum in between.
 *
 * perf owns the buffer and maps it only while needed, so pebs_buffer_base must not be
 * dereferenced here.
 */

/**
 * struct pebs_cpu - state of a CPU
 * @store: its debug store, mapped permanently
 * @word: see pebs_index.h
 * @drained: number of records taken out of its buffer
 * @unknown: a drain took an unknown number of records
 */
struct pebs_cpu {
	const struct debug_store *store;
	u64 word;
	u64 drained;
	bool unknown;
};

static DEFINE_PER_CPU(struct pebs_cpu, pebs_cpus);
static DEFINE_MUTEX(users_lock);
static unsigned int users;
static u32 record_format;
/* Size of records; 0 if sizes vary */
static u32 fixed_size;
/* Records may have groups besides the basic one */
static bool has_groups;

static int pebs_format = -1;
module_param(pebs_format, int, 0444);
MODULE_PARM_DESC(pebs_format,
		 "format of PEBS records if the processor does not report it (-1: it does)");

/*
 * The register is per CPU; perf writes it with the PMU off, with or without a drain
 * before. It exists: find_format() has read it on every CPU. The safe read functions have
 * a tracepoint, and a jump label in a module needs memory at load.
 */
static __always_inline u32 record_size(void)
{
	if (likely(fixed_size))
		return fixed_size;
	return etw_pebs_record_size(record_format, has_groups ? __rdmsr(MSR_PEBS_DATA_CFG) : 0);
}

static __always_inline int records_here(const struct pebs_cpu *cpu)
{
	struct etw_pebs_area area = {
		.base = READ_ONCE(cpu->store->pebs_buffer_base),
		.index = READ_ONCE(cpu->store->pebs_index),
		.maximum = READ_ONCE(cpu->store->pebs_absolute_maximum),
	};

	return etw_pebs_records(&area, record_size());
}

/*
 * Called at the first instruction of the draining function, see drains[]. Without a buffer
 * it returns without a reset, and nothing is counted. If records have different sizes, or
 * the index is invalid, their number is unknown; from then on there is no index, rather
 * than a wrong one.
 */
static void notrace drain_hook(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			       struct ftrace_regs *regs)
{
	struct pebs_cpu *cpu = this_cpu_ptr(&pebs_cpus);
	u64 word, next, counted;
	int records;

	do {
		word = READ_ONCE(cpu->word);
		records = records_here(cpu);
		next = etw_pebs_drain(word, max(records, 0), in_nmi(), &counted);
	} while (cmpxchg_local(&cpu->word, word, next) != word);
	if (records < 0 && records != -ENODATA)
		WRITE_ONCE(cpu->unknown, true);
	this_cpu_add(pebs_cpus.drained, counted);
}

/*
 * No RECURSION flag, because with it ftrace drops calls that it takes for recursive; the
 * hook calls nothing that it hooks. PERMANENT: ftrace can't be switched off while counting.
 */
static struct ftrace_ops drain_ops = {
	.func = drain_hook,
	.flags = FTRACE_OPS_FL_PERMANENT,
};

/**
 * etw_pebs_index() - PEBS records that this CPU has written so far
 * @index: out: includes the buffer's records at the first session's etw_pebs_get()
 *
 * Between etw_pebs_get() and etw_pebs_put(). Context: preemption off, no NMI.
 *
 * Return: whether the number is known.
 */
bool etw_pebs_index(u64 *index)
{
	struct pebs_cpu *cpu = this_cpu_ptr(&pebs_cpus);
	u64 word, next, drained, counted;
	int records;

	do {
		word = READ_ONCE(cpu->word);
		drained = READ_ONCE(cpu->drained);
		records = records_here(cpu);
		if (records == -ENODATA)	/* perf has no hardware event, or none now */
			records = 0;
		if (records < 0)
			return false;
		next = etw_pebs_look(word, records, &counted);
	} while (cmpxchg_local(&cpu->word, word, next) != word);
	if (counted)
		this_cpu_add(pebs_cpus.drained, counted);
	*index = drained + counted + records;
	return !READ_ONCE(cpu->unknown);
}

/* Cores of two kinds may have two formats, but their record sizes must be the same. */
static bool same_records(u64 caps, u64 others)
{
	return etw_pebs_record_size(ETW_PEBS_CAP_FORMAT(caps), ~0ULL) ==
	       etw_pebs_record_size(ETW_PEBS_CAP_FORMAT(others), ~0ULL) &&
	       !((caps ^ others) & ETW_PEBS_CAP_BASELINE);
}

static int read_format(void)
{
	u64 caps, first;
	int cpu, err;

	cpus_read_lock();
	err = etw_rdmsr_safe_on_cpu(cpumask_first(cpu_online_mask), MSR_IA32_PERF_CAPABILITIES,
				    &first);
	for_each_online_cpu(cpu) {
		if (!err)
			err = etw_rdmsr_safe_on_cpu(cpu, MSR_IA32_PERF_CAPABILITIES, &caps);
		if (!err && !same_records(caps, first))
			err = -EOPNOTSUPP;
	}
	cpus_read_unlock();
	if (err)
		return err;
	record_format = ETW_PEBS_CAP_FORMAT(first);
	has_groups = first & ETW_PEBS_CAP_BASELINE;
	return 0;
}

/* For records of varying size: whether the register with their groups can be read */
static int check_groups(void)
{
	int cpu, err = 0;
	u64 cfg;

	if (!has_groups || record_format < ETW_PEBS_FIRST_ADAPTIVE)
		return 0;
	cpus_read_lock();
	for_each_online_cpu(cpu)
		if (!err)
			err = etw_rdmsr_safe_on_cpu(cpu, MSR_PEBS_DATA_CFG, &cfg);
	cpus_read_unlock();
	return err;
}

/* Some hypervisors return 0 for MSRs that don't exist, so CPUID must announce them. */
static int find_format(void)
{
	int err = 0;

	/* on other processors the debug store is not mapped */
	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL)
		return -EOPNOTSUPP;
	if (pebs_format >= 0) {
		record_format = pebs_format;
		has_groups = true;
	} else if (boot_cpu_has(X86_FEATURE_DS) && boot_cpu_has(X86_FEATURE_DTES64) &&
		   boot_cpu_has(X86_FEATURE_PDCM) && boot_cpu_has(X86_FEATURE_PEBS)) {
		err = read_format();
	} else {
		err = -EOPNOTSUPP;
	}
	if (err || record_format > ETW_PEBS_LAST_FORMAT || check_groups())
		return -EOPNOTSUPP;
	fixed_size = record_format < ETW_PEBS_FIRST_ADAPTIVE ?
		     etw_pebs_record_size(record_format, 0) : 0;
	return 0;
}

/* Counting begins with the records in each CPU's buffer, also on CPUs that are offline now. */
static int find_stores(void)
{
	u64 words[8];
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct debug_store *store = &get_cpu_entry_area(cpu)->cpu_debug_store;

		if (copy_from_kernel_nofault(words, store, sizeof(words)))
			return -EOPNOTSUPP;
		per_cpu(pebs_cpus, cpu) = (struct pebs_cpu){ .store = store };
	}
	return 0;
}

/* perf's function that drains records, by format */
static const char * const drains[ETW_PEBS_LAST_FORMAT + 1] = {
	"intel_pmu_drain_pebs_core",
	"intel_pmu_drain_pebs_nhm", "intel_pmu_drain_pebs_nhm", "intel_pmu_drain_pebs_nhm",
	"intel_pmu_drain_pebs_icl", "intel_pmu_drain_pebs_icl", "intel_pmu_drain_pebs_icl",
};

static int hook_drains(void)
{
	unsigned char function[32];	/* ftrace_set_filter() writes to it */
	int err;

	strscpy(function, drains[record_format], sizeof(function));
	err = ftrace_set_filter(&drain_ops, function, strlen(function), 1);
	if (!err)
		err = register_ftrace_function(&drain_ops);
	if (!err)
		return 0;
	ftrace_set_filter(&drain_ops, NULL, 0, 1);
	/* the function doesn't exist, or ftrace is off */
	return err == -ENOMEM ? err : -EOPNOTSUPP;
}

static void unhook_drains(void)
{
	unregister_ftrace_function(&drain_ops);
	/* frees the filter's memory; ftrace_free_filter() would leave a dangling pointer */
	ftrace_set_filter(&drain_ops, NULL, 0, 1);
}

/**
 * etw_pebs_get() - count PEBS records from now on
 *
 * Context: process; sleeps, takes cpus_read_lock and ftrace's locks.
 *
 * Return: 0; -EOPNOTSUPP if the processor or the kernel doesn't support it;
 * -ENOMEM.
 */
int etw_pebs_get(void)
{
	int err = 0;

	mutex_lock(&users_lock);
	if (!users) {
		err = find_format();
		if (!err)
			err = find_stores();
		if (!err)
			err = hook_drains();
	}
	if (!err)
		users++;
	mutex_unlock(&users_lock);
	return err;
}

/**
 * etw_pebs_put() - undo etw_pebs_get()
 *
 * Context: process; sleeps until no hook runs.
 */
void etw_pebs_put(void)
{
	mutex_lock(&users_lock);
	if (!--users)
		unhook_drains();
	mutex_unlock(&users_lock);
}

/**
 * etw_pebs_format() - format of the records that are counted
 *
 * Between etw_pebs_get() and etw_pebs_put().
 */
u32 etw_pebs_format(void)
{
	return record_format;
}
#else

int etw_pebs_get(void)
{
	return -EOPNOTSUPP;
}

void etw_pebs_put(void)
{
}

u32 etw_pebs_format(void)
{
	return 0;
}

bool etw_pebs_index(u64 *index)
{
	return false;
}
#endif
