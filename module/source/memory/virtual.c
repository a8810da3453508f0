// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Virtual memory that programs allocate and free: 0262, 0263. */
#include <linux/compat.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/pgtable.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <asm/syscall.h>
#include <asm/unistd.h>
#include "compat.h"
#include "source/function_probe.h"
#include "source/source.h"
#include "virtual_rundown.h"
#include "source/write.h"

ETW_SOURCE_DECLARE(virtual);

/*
 * Probes are on the functions of the system calls that change virtual memory, because probes
 * of the tracepoints of system calls would make all other calls pay. They run in the calling
 * task, at the function's entry and return.
 */

/* Calls of one function that are followed at once; each may wait for the address space's lock */
#define MOST_CALLS	256

enum call { OTHER, MMAP, OLD_MMAP, MUNMAP, MREMAP, BRK, MADVISE };

/* 32-bit calls of a 64-bit kernel: i386 and ARM use the same numbers, except for madvise() */
#define COMPAT_BRK	45
#define COMPAT_OLD_MMAP	90
#define COMPAT_MUNMAP	91
#define COMPAT_MREMAP	163
#define COMPAT_MMAP2	192
#define COMPAT_MADVISE	(IS_ENABLED(CONFIG_X86) ? 219 : 220)

static enum call compat_call(long number)
{
	switch (number) {
	case COMPAT_BRK:
		return BRK;
	case COMPAT_OLD_MMAP:
		return IS_ENABLED(CONFIG_X86) ? OLD_MMAP : OTHER;
	case COMPAT_MUNMAP:
		return MUNMAP;
	case COMPAT_MREMAP:
		return MREMAP;
	case COMPAT_MMAP2:
		return MMAP;
	case COMPAT_MADVISE:
		return MADVISE;
	default:
		return OTHER;
	}
}

static __always_inline enum call call_of(long number, bool compat)
{
	if (IS_ENABLED(CONFIG_COMPAT) && unlikely(compat))
		return compat_call(number);
#ifdef __X32_SYSCALL_BIT
	number &= ~__X32_SYSCALL_BIT;
#endif
	switch (number) {
	case __NR_mmap:
		return MMAP;
	case __NR_munmap:
		return MUNMAP;
	case __NR_mremap:
		return MREMAP;
	case __NR_brk:
		return BRK;
	case __NR_madvise:
		return MADVISE;
	default:
		return OTHER;
	}
}

/* For x32's calls, in_compat_syscall() is true too, but they have 64-bit numbers. */
static __always_inline bool is_compat(long number)
{
#ifdef __X32_SYSCALL_BIT
	if (number & __X32_SYSCALL_BIT)
		return false;
#endif
	return in_compat_syscall();
}

/**
 * struct virtual_call - a call under way
 * @heap_end: end of the heap before the call
 */
struct virtual_call {
	u64 heap_end;
};

/* Rounded to whole pages: from the page of @from to the page of @to - 1 */
static void write_event(const struct etw_source *source, u16 hook_id, u64 from, u64 to, u32 flags)
{
	struct perfinfo_virtual_alloc record = {
		.base = PAGE_ALIGN_DOWN(from),
		.size = PAGE_ALIGN(to) - PAGE_ALIGN_DOWN(from),
		.process_id = etw_process_id(current),
		.flags = flags,
	};
	struct etw_system_ids ids;
	struct etw_event event = {
		.hook_id = hook_id,
		.version = PERFINFO_VIRTUAL_ALLOC_VERSION,
		.wanted = ETW_WANTED_ANY,
		.process_id = record.process_id,
		.ids = &ids,
		.payload = {
			.data = &record,
			.size = offsetof(struct perfinfo_virtual_alloc, commit_size),
		},
	};

	if (to <= from || !record.size)
		return;
	etw_system_ids_current(&ids);
	etw_write_all(etw_listeners_of(source), &event);
}

static void write_allocation(const struct etw_source *source, u64 from, u64 to)
{
	write_event(source, PERFINFO_LOG_TYPE_VIRTUAL_ALLOC, from, to,
		    ETW_MEM_RESERVE | ETW_MEM_COMMIT);
}

static void write_release(const struct etw_source *source, u64 from, u64 to)
{
	write_event(source, PERFINFO_LOG_TYPE_VIRTUAL_FREE, from, to, ETW_MEM_RELEASE);
}

/* i386's old mmap() passes its arguments in memory */
static bool old_arguments(unsigned long *arguments)
{
	u32 given[6];
	u32 i;

	if (copy_from_user_nofault(given, (const void __user *)arguments[0], sizeof(given)))
		return false;
	for (i = 0; i < ARRAY_SIZE(given); i++)
		arguments[i] = given[i];
	return true;
}

/*
 * Length as mmap() rounds it: to whole huge pages. The default huge page size is not
 * exported; it is PMD_SIZE unless the kernel's command line sets another.
 */
static u64 length_of(const unsigned long *arguments)
{
	u32 shift = arguments[3] >> MAP_HUGE_SHIFT & MAP_HUGE_MASK;

	if (!(arguments[3] & MAP_HUGETLB))
		return arguments[1];
	return ALIGN((u64)arguments[1], shift ? 1ULL << shift : PMD_SIZE);
}

/* Anonymous private memory; mapping a file is another event */
static void mapped(const struct etw_source *source, const unsigned long *arguments, u64 at)
{
	if ((arguments[3] & MAP_TYPE) == MAP_PRIVATE && arguments[3] & MAP_ANONYMOUS)
		write_allocation(source, at, at + length_of(arguments));
}

/* mremap(old, old size, new size, flags): memory that was added, and that was removed */
static void moved(const struct etw_source *source, const unsigned long *arguments, u64 at)
{
	u64 old = arguments[0], old_end = old + PAGE_ALIGN(arguments[1]);
	u64 end = at + PAGE_ALIGN(arguments[2]);

	if (at == old) {
		write_release(source, end, old_end);
		write_allocation(source, old_end, end);
		return;
	}
	if (!(arguments[3] & MREMAP_DONTUNMAP))
		write_release(source, old, old_end);
	write_allocation(source, at, end);
}

static void advised(const struct etw_source *source, const unsigned long *arguments)
{
	if (arguments[2] == MADV_DONTNEED || arguments[2] == MADV_FREE ||
	    arguments[2] == MADV_DONTNEED_LOCKED)
		write_event(source, PERFINFO_LOG_TYPE_VIRTUAL_FREE, arguments[0],
			    arguments[0] + arguments[1], ETW_MEM_DECOMMIT);
}

static void heap_moved(const struct etw_source *source, u64 before, u64 end)
{
	/* the first and last page may have existed already */
	write_allocation(source, PAGE_ALIGN(before), PAGE_ALIGN(end));
	write_release(source, PAGE_ALIGN(end), PAGE_ALIGN(before));
}

static bool wants_call(struct pt_regs *regs)
{
	return etw_wanted_of(&etw_source_virtual, etw_process_id(current));
}

static int enter_call(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct virtual_call *call = (struct virtual_call *)instance->data;

	call->heap_end = READ_ONCE(current->mm->brk);
	return 0;
}

static void write_call(const struct etw_source *source, enum call call,
		       const struct virtual_call *before, u64 result)
{
	unsigned long arguments[6];

	syscall_get_arguments(current, task_pt_regs(current), arguments);
	switch (call) {
	case OLD_MMAP:
		if (!old_arguments(arguments))
			return;
		fallthrough;
	case MMAP:
		mapped(source, arguments, result);
		break;
	case MUNMAP:
		write_release(source, arguments[0], arguments[0] + arguments[1]);
		break;
	case MREMAP:
		moved(source, arguments, result);
		break;
	case BRK:
		heap_moved(source, before->heap_end, result);
		break;
	case MADVISE:
		advised(source, arguments);
		break;
	case OTHER:
		break;
	}
}

/* The program's registers contain which call it is, and its arguments. */
static int return_call(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	long number = syscall_get_nr(current, task_pt_regs(current));
	unsigned long result = regs_return_value(regs);

	if (IS_ERR_VALUE(result))
		return 0;
	write_call(&etw_source_virtual, call_of(number, is_compat(number)),
		   (const struct virtual_call *)instance->data, result);
	return 0;
}

#define CALL(symbol_, ...) { \
	.symbol = (symbol_), \
	.returns = true, \
	.wants = wants_call, \
	.kretprobe = { .entry_handler = enter_call, .handler = return_call, \
		       .data_size = sizeof(struct virtual_call), .maxactive = MOST_CALLS }, \
	__VA_ARGS__ \
}

#define ELSEWHERE	.elsewhere = true

/* Programs of 64 bits, and of 32 bits; arm64 has one function for both, except of mmap2() */
static struct etw_function_probe functions[] = {
	CALL("__x64_sys_mmap", .one_of = true),
	CALL("__x64_sys_munmap", ELSEWHERE),
	CALL("__x64_sys_mremap", ELSEWHERE),
	CALL("__x64_sys_brk", ELSEWHERE),
	CALL("__x64_sys_madvise", ELSEWHERE),
	CALL("__ia32_compat_sys_ia32_mmap", ELSEWHERE),
	CALL("__ia32_sys_mmap_pgoff", ELSEWHERE),
	CALL("__ia32_sys_munmap", ELSEWHERE),
	CALL("__ia32_sys_mremap", ELSEWHERE),
	CALL("__ia32_sys_brk", ELSEWHERE),
	CALL("__ia32_sys_madvise", ELSEWHERE),
	CALL("__arm64_sys_mmap", .one_of = true),
	CALL("__arm64_sys_munmap", ELSEWHERE),
	CALL("__arm64_sys_mremap", ELSEWHERE),
	CALL("__arm64_sys_brk", ELSEWHERE),
	CALL("__arm64_sys_madvise", ELSEWHERE),
	CALL("__arm64_compat_sys_aarch32_mmap2", ELSEWHERE),
};

ETW_SOURCE(ETW_ORDER_VIRTUAL, virtual) = {
	.name = "virtual memory",
	.groups = ETW_GROUPS(PERF_VIRTUAL_ALLOC),
	.hooks = ETW_HOOKS(PERFINFO_LOG_TYPE_VIRTUAL_ALLOC, PERFINFO_LOG_TYPE_VIRTUAL_FREE),
	.functions = functions,
	.nr_functions = ARRAY_SIZE(functions),
	.rundown_groups = ETW_GROUPS(PERF_VIRTUAL_ALLOC),
	.rundown = etw_virtual_rundown,
};
