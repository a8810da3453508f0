/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* All differences between kernel versions. */
#ifndef ETW_COMPAT_H
#define ETW_COMPAT_H

#include <linux/device.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/splice.h>
#include <linux/version.h>

/* 6.5 tests for it by alternative_has_cap_likely(); later kernels lack the old function */
#ifdef CONFIG_ARM64_LSE_ATOMICS
#include <asm/lse.h>
#if KERNEL_VERSION(6, 5, 0) <= LINUX_VERSION_CODE
#define etw_uses_lse_atomics()	alternative_has_cap_likely(ARM64_HAS_LSE_ATOMICS)
#else
#define etw_uses_lse_atomics()	system_uses_lse_atomics()
#endif
#endif

/* 6.4 dropped the owner of a class */
#if KERNEL_VERSION(6, 4, 0) <= LINUX_VERSION_CODE
#define etw_class_create(name)	class_create(name)
#else
#define etw_class_create(name)	class_create(THIS_MODULE, name)
#endif

/* 6.6 has a function for the change time of an inode, and later kernels renamed the member */
static inline struct timespec64 etw_inode_ctime(const struct inode *inode)
{
#if KERNEL_VERSION(6, 6, 0) <= LINUX_VERSION_CODE
	return inode_get_ctime(inode);
#else
	return inode->i_ctime;
#endif
}

/* 6.2 made the device of devnode() const */
#if KERNEL_VERSION(6, 2, 0) <= LINUX_VERSION_CODE
#define ETW_DEVNODE_CONST	const
#else
#define ETW_DEVNODE_CONST
#endif

/* 6.5 replaced generic_file_splice_read() */
#if KERNEL_VERSION(6, 5, 0) <= LINUX_VERSION_CODE
#define etw_splice_read		copy_splice_read
#else
#define etw_splice_read		generic_file_splice_read
#endif

/* 6.6 moved the common part of close() and filp_close() to filp_flush() */
#if KERNEL_VERSION(6, 6, 0) <= LINUX_VERSION_CODE
#define ETW_FILP_CLOSE		"filp_flush"
#else
#define ETW_FILP_CLOSE		"filp_close"
#endif

/* 7.0 renamed it; its arguments stayed */
#if KERNEL_VERSION(7, 0, 0) <= LINUX_VERSION_CODE
#define ETW_DO_FILP_OPEN	"do_file_open"
#else
#define ETW_DO_FILP_OPEN	"do_filp_open"
#endif

/* Since 6.10 splice() into files doesn't use vfs_iter_write() */
#if KERNEL_VERSION(6, 10, 0) <= LINUX_VERSION_CODE
#define ETW_SPLICE_WRITES	true
#else
#define ETW_SPLICE_WRITES	false
#endif

/* 6.7 rechecks the pointer in get_file_rcu() itself */
static inline struct file *etw_get_file_rcu(struct file __rcu **from)
{
#if KERNEL_VERSION(6, 7, 0) <= LINUX_VERSION_CODE
	return get_file_rcu(from);
#else
	struct file *file;

	/* freed by RCU only; a file without references is being replaced in *from */
	do
		file = rcu_dereference(*from);
	while (file && !get_file_rcu(file));
	return file;
#endif
}

/* 6.5 dropped the argument that returns the pages' mappings */
static inline long etw_get_user_page(struct mm_struct *mm, unsigned long at, unsigned int flags,
				     struct page **page)
{
#if KERNEL_VERSION(6, 5, 0) <= LINUX_VERSION_CODE
	return get_user_pages_remote(mm, at, 1, flags, page, NULL);
#else
	return get_user_pages_remote(mm, at, 1, flags, page, NULL, NULL);
#endif
}

/* Defined since 6.17; earlier kernels refuse this bit */
#ifndef FALLOC_FL_WRITE_ZEROES
#define FALLOC_FL_WRITE_ZEROES	0x80
#endif

/*
 * Whether several reads of user memory can share one user_read_access_begin(): on arm64 since
 * 6.11. Otherwise each read opens and closes user memory.
 */
#if defined(CONFIG_X86_64) && !defined(CONFIG_UML)
#define ETW_OPENS_USER_MEMORY	true
#elif defined(CONFIG_ARM64) && KERNEL_VERSION(6, 11, 0) <= LINUX_VERSION_CODE
#define ETW_OPENS_USER_MEMORY	true
#else
#define ETW_OPENS_USER_MEMORY	false
#endif

/* Private to the kernel's fs/: struct open_flags, which begins with O_* in all versions */
struct open_flags;

static inline int etw_open_flag(const struct open_flags *op)
{
	return *(const int *)op;
}

/* 6.12 dropped no_llseek, which had become the default */
#if KERNEL_VERSION(6, 12, 0) <= LINUX_VERSION_CODE
#define etw_no_llseek		NULL
#else
#define etw_no_llseek		no_llseek
#endif

/* Since 6.19 and in stable kernels: Kbuild looks */
#ifdef ETW_SYSCORE_HAS_DATA
#define ETW_SYSCORE_ARGS	void *data
#define ETW_SYSCORE(name, ops_)	static struct syscore name = { .ops = &(ops_) }
#define etw_register_syscore(name, ops_)	register_syscore(&(name))
#define etw_unregister_syscore(name, ops_)	unregister_syscore(&(name))
#else
#define ETW_SYSCORE_ARGS	void
#define ETW_SYSCORE(name, ops_)	static_assert(1)
#define etw_register_syscore(name, ops_)	register_syscore_ops(&(ops_))
#define etw_unregister_syscore(name, ops_)	unregister_syscore_ops(&(ops_))
#endif

/*
 * A task that is switched out with a state other than running, but stays on the queue
 * because of a signal, is ready. Since 6.16, and in stable kernels, the scheduler reports
 * state 0 then, and a queued task with another state waits for a mutex (proxy execution).
 * Since 6.12 a waiting task may stay on the queue, marked (delayed dequeue). A task that is
 * switched out does not migrate at that moment, so on_rq is 1 or 0.
 */
static __always_inline bool etw_still_queued(const struct task_struct *task)
{
#if KERNEL_VERSION(6, 16, 0) <= LINUX_VERSION_CODE
	return false;
#elif KERNEL_VERSION(6, 12, 0) <= LINUX_VERSION_CODE
	return READ_ONCE(task->on_rq) && !READ_ONCE(task->se.sched_delayed);
#else
	return READ_ONCE(task->on_rq);
#endif
}

/*
 * Up to 6.12 the kernel calls every probe with preemption off. Since 6.13 probes of system
 * calls run with preemption on, since 7.0 all probes, under SRCU. For ETW_PROBE().
 */
#if KERNEL_VERSION(6, 13, 0) <= LINUX_VERSION_CODE
#define etw_tracepoint_enter()	preempt_disable_notrace()
#define etw_tracepoint_leave()	preempt_enable_notrace()
#else
#define etw_tracepoint_enter()	do { } while (0)
#define etw_tracepoint_leave()	do { } while (0)
#endif

/* 6.16 gives sched_process_exit a flag for the last thread: Kbuild looks */
#ifdef ETW_PROCESS_EXIT_HAS_GROUP_DEAD
#define ETW_PROCESS_EXIT_ARGS	struct task_struct *task, bool group_dead
#define ETW_PROCESS_EXIT_NAMES	TP_ARGS(task, group_dead)
#else
#define ETW_PROCESS_EXIT_ARGS	struct task_struct *task
#define ETW_PROCESS_EXIT_NAMES	TP_ARGS(task)
#endif

/* The clone() flags of task_newtask have a wider type in newer kernels: Kbuild looks */
#ifdef ETW_NEWTASK_HAS_U64
#define ETW_NEWTASK_ARGS	struct task_struct *task, u64 clone_flags
#else
#define ETW_NEWTASK_ARGS	struct task_struct *task, unsigned long clone_flags
#endif

/* Newer kernels also report failed retransmissions: Kbuild looks */
#ifdef ETW_TCP_RETRANSMIT_HAS_ERROR
#define ETW_TCP_RETRANSMIT_ARGS	const struct sock *sk, const struct sk_buff *skb, int err
#define ETW_TCP_RETRANSMIT_NAMES	TP_ARGS(sk, skb, err)
#define etw_tcp_retransmit_err	err
#else
#define ETW_TCP_RETRANSMIT_ARGS	const struct sock *sk, const struct sk_buff *skb
#define ETW_TCP_RETRANSMIT_NAMES	TP_ARGS(sk, skb)
#define etw_tcp_retransmit_err	0
#endif

/* 6.17 renamed it, and 7.3 warns about the old name */
#if KERNEL_VERSION(6, 17, 0) <= LINUX_VERSION_CODE
#define etw_unbound_wq		system_dfl_wq
#else
#define etw_unbound_wq		system_unbound_wq
#endif

/* 6.3 made vm_flags const */
#if KERNEL_VERSION(6, 3, 0) <= LINUX_VERSION_CODE
#define etw_vm_flags_clear(vma, flags)	vm_flags_clear(vma, flags)
#else
#define etw_vm_flags_clear(vma, flags)	((vma)->vm_flags &= ~(flags))
#endif

/* 6.4 split a module's memory by use; before, code was first in one region */
#if KERNEL_VERSION(6, 4, 0) <= LINUX_VERSION_CODE
#define etw_module_region(module)	((module)->mem[MOD_TEXT])
#else
#define etw_module_region(module)	((module)->core_layout)
#endif

static inline void etw_module_text(const struct module *module, u64 *base, u64 *size)
{
	*base = (unsigned long)etw_module_region(module).base;
	*size = etw_module_region(module).size;
}

/* First 4 bytes of its build-id; 0 if the kernel doesn't keep it */
static inline u32 etw_module_stamp(const struct module *module)
{
	u32 stamp = 0;

#ifdef CONFIG_STACKTRACE_BUILD_ID
	memcpy(&stamp, module->build_id, sizeof(stamp));
#endif
	return stamp;
}

/* 6.13 added hrtimer_setup(), 6.15 removed hrtimer_init() */
#if KERNEL_VERSION(6, 13, 0) <= LINUX_VERSION_CODE
#define etw_hrtimer_setup(timer, fires, clock, mode)	hrtimer_setup(timer, fires, clock, mode)
#else
#define etw_hrtimer_setup(timer, fires, clock, mode) \
	do { \
		struct hrtimer *timer_ = (timer); \
		\
		hrtimer_init(timer_, clock, mode); \
		timer_->function = (fires); \
	} while (0)
#endif

/* 6.16 renamed it; the caller includes asm/msr.h */
#if KERNEL_VERSION(6, 16, 0) <= LINUX_VERSION_CODE
#define etw_rdmsr_safe_on_cpu(cpu, msr, value)	rdmsrq_safe_on_cpu(cpu, msr, value)
#else
#define etw_rdmsr_safe_on_cpu(cpu, msr, value)	rdmsrl_safe_on_cpu(cpu, msr, value)
#endif

/* 6.15 moved cpuid_eax() and the like out of asm/processor.h: Kbuild looks */
#ifdef CONFIG_X86
#ifdef ETW_HAS_CPUID_API
#include <asm/cpuid/api.h>
#else
#include <asm/processor.h>
#endif
#endif

/*
 * The inode that do_dentry_open() opens. Before 6.8 the inode is an argument, which differs
 * from the path's inode when overlayfs opens its own file.
 */
#if KERNEL_VERSION(6, 8, 0) <= LINUX_VERSION_CODE
#define etw_opened_inode(file, regs)	d_backing_inode((file)->f_path.dentry)
#else
#define etw_opened_inode(file, regs) \
	((const struct inode *)regs_get_kernel_argument(regs, 1) ?: \
	 d_backing_inode((file)->f_path.dentry))
#endif

/*
 * A file's path as its opener sees it. Since 6.8 overlayfs and FUSE map another file, with the
 * path within a layer, which is on a hidden mount.
 */
static inline const struct path *etw_file_path(const struct file *file)
{
#if KERNEL_VERSION(6, 8, 0) <= LINUX_VERSION_CODE
	return file_user_path((struct file *)file);
#else
	return &file->f_path;
#endif
}

/* User Mode Linux stores a program's registers in its own form */
#ifdef CONFIG_UML
#define etw_frame_pointer(regs)	PT_REGS_BP(regs)
#else
#define etw_frame_pointer(regs)	frame_pointer(regs)
#endif

/* Removes the signature from a return address of the kernel; 6.1 has no function for that */
#ifdef CONFIG_ARM64
static inline unsigned long etw_strip_kernel_pac(unsigned long address)
{
#ifdef CONFIG_ARM64_PTR_AUTH_KERNEL
	register unsigned long x30 asm("x30") = address;

	asm("hint #7" : "+r" (x30));	/* xpaclri: nothing on CPUs without signatures */
	return x30;
#else
	return address;
#endif
}
#endif

/* Since 6.19: exempts a variable from automatic initialisation by the compiler */
#ifndef __uninitialized
#define __uninitialized	__attribute__((__uninitialized__))
#endif

/* 6.4 introduced locks per mapping */
#if KERNEL_VERSION(6, 4, 0) <= LINUX_VERSION_CODE
#define ETW_FAULT_FLAG_VMA_LOCK	FAULT_FLAG_VMA_LOCK
#define etw_fault_unlock(vmf)	release_fault_lock(vmf)
#else
#define ETW_FAULT_FLAG_VMA_LOCK	0
#define etw_fault_unlock(vmf)	mmap_read_unlock((vmf)->vma->vm_mm)
#endif

/* 6.19 renamed page table entries without a page */
#if KERNEL_VERSION(6, 19, 0) <= LINUX_VERSION_CODE
#include <linux/leafops.h>
#define etw_pte_is_swap(pte)	softleaf_is_swap(softleaf_from_pte(pte))
#define etw_pte_swap_offset(pte)	swp_offset(softleaf_from_pte(pte))
#else
#define etw_pte_is_swap(pte)	(!non_swap_entry(pte_to_swp_entry(pte)))
#define etw_pte_swap_offset(pte)	swp_offset(pte_to_swp_entry(pte))
#endif

/* Since 6.4 a program's workers may be vhost's, not only io_uring's */
#if KERNEL_VERSION(6, 4, 0) <= LINUX_VERSION_CODE
#define ETW_PF_USER_WORKER	PF_USER_WORKER
#else
#define ETW_PF_USER_WORKER	PF_IO_WORKER
#endif

/* 6.10 informs vhost's workers when they are killed; for a test */
#if KERNEL_VERSION(6, 10, 0) <= LINUX_VERSION_CODE && IS_ENABLED(CONFIG_VHOST_TASK)
#define ETW_HAS_VHOST_TASK
#endif

/* 6.2 counts a process's pages per CPU; the kernel's approximate sum is too coarse for us */
#if KERNEL_VERSION(6, 2, 0) <= LINUX_VERSION_CODE
#define etw_mm_counter(mm, member)	percpu_counter_sum_positive(&(mm)->rss_stat[member])
#else
#define etw_mm_counter(mm, member)	get_mm_counter(mm, member)
#endif

/*
 * The first page of a slab object. Up to 6.19 virt_to_head_page() first tests a jump label
 * of the kernel for hugetlbfs pages, which slab pages are not.
 */
#if KERNEL_VERSION(7, 0, 0) <= LINUX_VERSION_CODE
#define etw_head_page(object)	virt_to_head_page(object)
#else
#define etw_head_page(object) ({					\
	struct page *page_ = virt_to_page(object);			\
	unsigned long head_ = READ_ONCE(page_->compound_head);		\
									\
	head_ & 1 ? (struct page *)(head_ - 1) : page_;			\
})
#endif

/*
 * Before 6.13, page_folio() uses a jump label of the kernel, for which loading the module would
 * need memory. The label guards a check for tail pages whose struct page is mapped to that of
 * their head page. This is the same memory, so it may be read as the head.
 */
#if KERNEL_VERSION(6, 13, 0) <= LINUX_VERSION_CODE
#define etw_page_folio(page)	page_folio(page)
#else
static inline struct folio *etw_page_folio(struct page *page)
{
	unsigned long head = READ_ONCE(page->compound_head);

	return (struct folio *)(head & 1 ? head - 1 : (unsigned long)page);
}
#endif

/* 6.15 protects the name of a node by RCU. In earlier kernels only a rename frees a name. */
#if KERNEL_VERSION(6, 15, 0) <= LINUX_VERSION_CODE
#define etw_kernfs_name(node)	rcu_dereference((node)->name)
#else
#define etw_kernfs_name(node)	READ_ONCE((node)->name)
#endif

#if defined(CONFIG_X86_64) && defined(CONFIG_DYNAMIC_FTRACE_WITH_ARGS)
#include <linux/ftrace.h>

/* 6.13 made struct ftrace_regs opaque. Of the registers only arguments are valid. */
static inline struct pt_regs *etw_ftrace_arguments(struct ftrace_regs *regs)
{
#ifdef arch_ftrace_regs
	return &arch_ftrace_regs(regs)->regs;
#else
	return &regs->regs;
#endif
}
#endif

#endif /* ETW_COMPAT_H */
