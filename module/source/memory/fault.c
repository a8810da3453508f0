// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Page faults: soft 020A..020C, hard 020E, 0220, violations 020F. */
#include <linux/fs.h>
#include <linux/hugetlb_inline.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/signal.h>
#include <linux/userfaultfd_k.h>
#include <linux/xarray.h>
#include <trace/events/signal.h>
#include "compat.h"
#include "source/storage/file_key.h"
#include "source/function_probe.h"
#include "source/moment.h"
#include "page_state.h"
#include "source/probe.h"
#include "source/source.h"
#include "source/task_note.h"
#include "virtual_rundown.h"
#include "source/write.h"

ETW_SOURCE_DECLARE(fault);

/* Bits of etw_listener.wanted, in the order of groups */
#define WANTS_ALL	0x1
#define WANTS_HARD	0x2

/* Faults that are followed at once; most wait for a disk */
#define MOST_FAULTS	1024

/**
 * struct fault - a call of handle_mm_fault(), from its entry to its return
 * @begin: start of the fault: of its first try
 * @regs: registers at the fault, or NULL when the kernel touches a page for another task
 * @vma: the mapping; still locked at the return, unless the result shows otherwise
 * @address: faulting address
 * @read_offset: offset of the page in the file or in swap space
 * @flags: FAULT_FLAG_*
 * @ticks: bits of the clocks that @begin has read
 * @before: state of the page before the fault
 * @backed: the mapping is of a file or of a device
 * @empty: the file had no page there, neither in memory nor in swap space
 */
struct fault {
	struct etw_moment begin;
	struct pt_regs *regs;
	struct vm_area_struct *vma;
	unsigned long address;
	u64 read_offset;
	u32 flags;
	u32 ticks;
	enum etw_page_state before;
	bool backed;
	bool empty;
};

/*
 * A fault that has to wait releases its locks and is tried again. Its first try notes when
 * it began: the moment, and the page's address with bits in the part below the page size.
 */
static struct etw_task_notes tries;

#define TRY_TICKS	0xFFUL	/* struct fault's ticks */
#define TRY_VMA_LOCK	0x100UL	/* the try held only the mapping's own lock */

static_assert(TRY_VMA_LOCK < PAGE_SIZE);

static void keep_try(const struct fault *fault)
{
	const u64 value[ETW_TASK_NOTE_VALUES] = {
		fault->begin.counter, fault->begin.boottime,
		(fault->address & PAGE_MASK) | (fault->ticks & TRY_TICKS) |
		(fault->flags & ETW_FAULT_FLAG_VMA_LOCK ? TRY_VMA_LOCK : 0),
	};

	etw_task_note_put(&tries, current->pid, value);
}

/* A thread that got a signal instead may start another fault, even at the same address. */
static void take_up_try(struct fault *fault)
{
	u64 value[ETW_TASK_NOTE_VALUES] __uninitialized;

	if (!etw_task_note_take(&tries, current->pid, value))
		return;
	if ((value[2] & PAGE_MASK) != (fault->address & PAGE_MASK))
		return;
	if (!(fault->flags & FAULT_FLAG_TRIED) && !(value[2] & TRY_VMA_LOCK))
		return;
	fault->begin = (struct etw_moment){ .counter = value[0], .boottime = value[1] };
	fault->ticks = value[2] & TRY_TICKS;
}

static u64 offset_in_file(const struct fault *fault)
{
	const struct vm_area_struct *vma = fault->vma;

	return ((u64)vma->vm_pgoff << PAGE_SHIFT) +
	       ((fault->address & PAGE_MASK) - vma->vm_start);
}

/*
 * The page of the file was not in memory. If it is then read, the fault is a hard one.
 * Otherwise the page is new: of shared anonymous memory, which is a file of tmpfs, or of a
 * hole in such a file. DAX has no pages; hugetlbfs has other ones.
 */
static bool is_empty(const struct fault *fault)
{
	const struct vm_area_struct *vma = fault->vma;
	const struct inode *inode = vma->vm_file ? file_inode(vma->vm_file) : NULL;

	if (!inode || !S_ISREG(inode->i_mode) || IS_DAX(inode) ||
	    is_vm_hugetlb_page((struct vm_area_struct *)vma))
		return false;
	return !xa_load(&vma->vm_file->f_mapping->i_pages,
			linear_page_index((struct vm_area_struct *)vma, fault->address));
}

/* Private anonymous memory; anonymous huge pages have a file of hugetlbfs. */
static bool is_own(struct vm_area_struct *vma)
{
	return vma_is_anonymous(vma) ||
	       (etw_has_own_huge_pages(vma) && !(vma->vm_flags & VM_MAYSHARE));
}

/*
 * A page of the file is in memory, and not locked until it is read. RCU keeps the page's
 * description, though perhaps for another page by now, which folio_test_locked() may refuse.
 */
static bool has_page(struct vm_area_struct *vma, unsigned long address)
{
	const struct folio *folio = xa_load(&vma->vm_file->f_mapping->i_pages,
					    linear_page_index(vma, address));
	const unsigned long *flags = (const unsigned long *)&folio->flags;

	return folio && !xa_is_value(folio) && test_bit(PG_uptodate, flags) &&
	       !test_bit(PG_locked, flags);
}

/*
 * Whether a fault may be a hard one: if it waits, for a disk or another CPU, or if it is a further
 * try of a fault that has waited. A fault that turns out to wait though its page was in memory has
 * a further try, and is recorded from then on.
 */
static bool may_be_hard(struct vm_area_struct *vma, unsigned long address, u32 flags)
{
	bool shared_write = flags & FAULT_FLAG_WRITE && vma->vm_flags & VM_SHARED;
	enum etw_page_state state;
	u64 offset;

	if (flags & FAULT_FLAG_TRIED || userfaultfd_armed(vma) || shared_write)
		return true;
	state = etw_page_state(vma, address, &offset);
	if (state == ETW_PAGE_PRESENT || state == ETW_PAGE_UNMARKED)
		return false;
	if (state != ETW_PAGE_NOTHING)
		return true;
	if (is_own(vma))
		return false;
	return !vma->vm_file || !S_ISREG(file_inode(vma->vm_file)->i_mode) ||
	       IS_DAX(file_inode(vma->vm_file)) || is_vm_hugetlb_page(vma) ||
	       !has_page(vma, address);
}

/* Most faults are soft: a session of hard faults alone does not need to see their returns. */
static bool wants_fault(struct pt_regs *regs)
{
	u32 wanted = etw_wanted_of(&etw_source_fault, etw_process_id(current));

	if (!wanted || wanted & WANTS_ALL)
		return wanted;
	return may_be_hard((struct vm_area_struct *)regs_get_kernel_argument(regs, 0),
			   regs_get_kernel_argument(regs, 1), regs_get_kernel_argument(regs, 2));
}

/* handle_mm_fault(vma, address, flags, regs); preemption is off */
static int on_fault(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct etw_listeners *listeners = etw_listeners_of(&etw_source_fault);
	struct fault *fault = (struct fault *)instance->data;

	if (!listeners)
		return 1;	/* the return need not be seen */
	fault->vma = (struct vm_area_struct *)regs_get_kernel_argument(regs, 0);
	fault->address = regs_get_kernel_argument(regs, 1);
	fault->flags = regs_get_kernel_argument(regs, 2);
	fault->regs = (struct pt_regs *)regs_get_kernel_argument(regs, 3);
	fault->backed = !is_own(fault->vma);
	fault->ticks = listeners->ticks;
	etw_moment_now(&fault->begin, listeners);
	take_up_try(fault);
	fault->before = etw_page_state(fault->vma, fault->address, &fault->read_offset);
	fault->empty = fault->backed && fault->before == ETW_PAGE_NOTHING && is_empty(fault);
	if (fault->before != ETW_PAGE_SWAPPED)
		fault->read_offset = fault->backed ? offset_in_file(fault) : 0;
	return 0;
}

/* As the kernel counts majflt: the fault waited, or another task read the page meanwhile */
static bool is_hard(const struct fault *fault, vm_fault_t result)
{
	return result & VM_FAULT_MAJOR || fault->flags & FAULT_FLAG_TRIED;
}

/*
 * Hook id of a soft fault. The mapping is still locked. If it is not (COMPLETED), a page of
 * a shared file was made writable.
 */
static u16 soft_hook(const struct fault *fault, vm_fault_t result)
{
	bool writes_own = fault->flags & FAULT_FLAG_WRITE && !(result & VM_FAULT_COMPLETED) &&
			  !(fault->vma->vm_flags & VM_SHARED);

	if (fault->before == ETW_PAGE_UNMARKED)
		return PERFINFO_LOG_TYPE_TRANSITIONFAULT;
	if (fault->before == ETW_PAGE_PRESENT || fault->backed) {
		bool moved = fault->before == ETW_PAGE_SWAPPED || fault->before == ETW_PAGE_AWAY;

		if (writes_own && !moved)
			return PERFINFO_LOG_TYPE_COPYONWRITE;
		return fault->empty ? PERFINFO_LOG_TYPE_DEMANDZEROFAULT :
				      PERFINFO_LOG_TYPE_TRANSITIONFAULT;
	}
	return fault->before == ETW_PAGE_NOTHING ? PERFINFO_LOG_TYPE_DEMANDZEROFAULT :
						   PERFINFO_LOG_TYPE_TRANSITIONFAULT;
}

/* Without @regs the thread is in a system call: use the address of that call */
static u64 program_counter(const struct etw_sink *sink, struct pt_regs *regs)
{
	if (!regs) {
		if (etw_is_kthread(current))
			return 0;
		regs = task_pt_regs(current);
	}
	if (!user_mode(regs) && !sink->addresses)
		return 0;
	return instruction_pointer(regs);
}

static void write_all(const struct etw_listeners *listeners, u16 hook_id, u64 address,
		      struct pt_regs *regs)
{
	struct wmi_page_fault record = { .virtual_address = address };
	struct etw_system_ids ids;
	struct etw_event event = {
		.hook_id = hook_id,
		.version = WMI_PAGE_FAULT_VERSION,
		.wanted = WANTS_ALL,
		.process_id = etw_process_id(current),
		.ids = &ids,
		.payload = { .data = &record, .size = sizeof(record) },
	};
	const struct etw_listener *listener = NULL;

	etw_system_ids_current(&ids);
	while ((listener = etw_next_wanting(listeners, listener, &event))) {
		record.program_counter = program_counter(listener->sink, regs);
		etw_write(listener, &event);
	}
}

/* The file the page was read from. Without its lock the mapping and its file may be gone. */
static const struct inode *read_from(const struct fault *fault, vm_fault_t result)
{
	if (!fault->backed || fault->before == ETW_PAGE_SWAPPED)
		return ETW_FILE_SWAP;
	if (result & VM_FAULT_COMPLETED || !fault->vma->vm_file)
		return NULL;
	etw_file_seen(fault->vma->vm_file);
	return etw_file_inode(fault->vma->vm_file);
}

static void write_hard(const struct etw_listeners *listeners, const struct fault *fault,
		       vm_fault_t result)
{
	struct perfinfo_hard_page_fault record = {
		.read_offset = fault->read_offset,
		.virtual_address = fault->address,
		.thread_id = current->pid,
		.byte_count = PAGE_SIZE,
	};
	struct etw_event event = {
		.hook_id = PERFINFO_LOG_TYPE_HARDPAGEFAULT,
		.version = PERFINFO_HARD_PAGE_FAULT_VERSION,
		.wanted = WANTS_HARD,
		.process_id = etw_process_id(current),
		.payload = { .data = &record, .size = sizeof(record) },
	};
	const struct etw_listener *listener = NULL;
	const struct inode *inode = NULL;
	bool looked = false;

	while ((listener = etw_next_wanting(listeners, listener, &event))) {
		const struct etw_ring *ring = this_cpu_ptr(listener->rings);

		/* the fault began before a session with this clock listened */
		if (!(fault->ticks & BIT(ring->ticks)))
			continue;
		if (!looked)
			inode = read_from(fault, result);
		looked = true;
		record.initial_time = etw_moment_tick(&fault->begin, ring, U64_MAX);
		record.file_object = etw_file_key(listener->sink, inode);
		etw_write(listener, &event);
	}
}

/* As the kernel counts, a try that must be repeated or that failed is no fault. */
static int on_fault_handled(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct etw_listeners *listeners = etw_listeners_of(&etw_source_fault);
	const struct fault *fault = (const struct fault *)instance->data;
	vm_fault_t result = (__force vm_fault_t)regs_return_value(regs);

	if (result & VM_FAULT_RETRY) {
		keep_try(fault);
		return 0;
	}
	if (!listeners || result & VM_FAULT_ERROR)
		return 0;
	if (!is_hard(fault, result)) {
		write_all(listeners, soft_hook(fault, result), fault->address, fault->regs);
		return 0;
	}
	write_all(listeners, PERFINFO_LOG_TYPE_HARDFAULT, fault->address, fault->regs);
	write_hard(listeners, fault, result);
	return 0;
}

/* Signal codes of the thread's own accesses: not kill(), nor a general protection fault */
static bool is_violation(int sig, const struct kernel_siginfo *info)
{
	if (sig != SIGSEGV || info == SEND_SIG_NOINFO || info == SEND_SIG_PRIV)
		return false;
	return info->si_code > 0 && info->si_code <= NSIGSEGV && info->si_code != SEGV_BNDERR;
}

/* Called under the thread's siglock, interrupts off */
ETW_PROBE(signal_generate,
	  TP_PROTO(int sig, struct kernel_siginfo *info, struct task_struct *task, int group,
		   int result),
	  TP_ARGS(sig, info, task, group, result))
{
	const struct etw_listeners *listeners;

	if (task != current || !is_violation(sig, info))
		return;
	listeners = etw_listeners_of(source);
	if (listeners)
		write_all(listeners, PERFINFO_LOG_TYPE_ACCESSVIOLATION,
			  (unsigned long)info->si_addr, task_pt_regs(current));
}

static struct etw_function_probe probes[] = {
	{
		.symbol = "handle_mm_fault",
		.returns = true,
		.wants = wants_fault,
		.kretprobe = {
			.entry_handler = on_fault,
			.handler = on_fault_handled,
			.data_size = sizeof(struct fault),
			.maxactive = MOST_FAULTS,
		},
	},
};

static int prepare(struct etw_source *source)
{
	memset(&tries, 0, sizeof(tries));
	return etw_file_names_get();
}

static void unprepare(struct etw_source *source)
{
	etw_file_names_put();
}

ETW_SOURCE(ETW_ORDER_ANY, fault) = {
	.name = "page fault",
	.groups = ETW_GROUPS(PERF_ALL_FAULTS, PERF_HARD_FAULTS),
	.hooks = ETW_HOOKS(PERFINFO_LOG_TYPE_TRANSITIONFAULT, PERFINFO_LOG_TYPE_DEMANDZEROFAULT,
			   PERFINFO_LOG_TYPE_COPYONWRITE, PERFINFO_LOG_TYPE_HARDFAULT,
			   PERFINFO_LOG_TYPE_ACCESSVIOLATION, PERFINFO_LOG_TYPE_HARDPAGEFAULT),
	.functions = probes,
	.nr_functions = ARRAY_SIZE(probes),
	.points = ETW_POINTS({ .probe = &probe_signal_generate }),
	.prepare = prepare,
	.unprepare = unprepare,
};
