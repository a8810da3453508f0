// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Values of process and thread records, taken from tasks. */
#include <linux/audit.h>
#include <linux/cred.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/iocontext.h>
#include <linux/ioprio.h>
#include <linux/kthread.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/siphash.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#if defined(CONFIG_X86) && defined(CONFIG_X86_64)
#include <asm/fsgsbase.h>
#include <asm/msr.h>
#endif
#include "compat.h"
#include "record/nt_thread.h"
#include "record/thread_ids.h"
#include "process_values.h"

#define PROCESS_FLAG_WOW64	2

/**
 * etw_exit_status() - ExitStatus
 * @code: as in task->exit_code
 *
 * (kernel-events.rst 9.2) Return: the exit code, or 128 + the signal.
 */
u32 etw_exit_status(int code)
{
	return code & 0x7f ? 128 + (code & 0x7f) : (code >> 8) & 0xff;
}

/**
 * etw_group_exit_status() - ExitStatus of a process after its threads have ended
 * @leader: thread group leader
 *
 * (kernel-events.rst 9.2)
 */
u32 etw_group_exit_status(struct task_struct *leader)
{
	if (READ_ONCE(leader->signal->flags) & SIGNAL_GROUP_EXIT)
		return etw_exit_status(leader->signal->group_exit_code);
	return etw_exit_status(leader->exit_code);
}

/**
 * etw_file_name() - base name of an open file
 * @file: a file; the caller has a reference
 * @name: out; empty if it can't be read
 *
 * Reads the name as d_path() does: a rename may change both length and text meanwhile,
 * so the copy must not fault, and the text ends at its NUL.
 * Context: any; takes no lock.
 */
void etw_file_name(const struct file *file, char name[ETW_IMAGE_NAME])
{
	const struct dentry *dentry;
	const char *text;
	u32 length;

	memset(name, 0, ETW_IMAGE_NAME);
	rcu_read_lock();
	dentry = READ_ONCE(file->f_path.dentry);
	if (dentry) {
		/* pairs with the release in __d_alloc(), swap_names() */
		text = (const char *)smp_load_acquire(&dentry->d_name.name);
		length = min_t(u32, READ_ONCE(dentry->d_name.len), ETW_IMAGE_NAME - 1);
		if (copy_from_kernel_nofault(name, text, length))
			name[0] = 0;
	}
	rcu_read_unlock();
}

/**
 * etw_executable_name() - base name of an address space's executable
 * @mm: held by the caller, or of current
 * @name: out
 *
 * Takes a reference as get_mm_exe_file() does, which isn't exported. prctl() may replace
 * the file, and a dentry without a file system (memfd) is freed at once, without an RCU
 * grace period.
 * Context: any; takes no lock.
 * Return: whether there is a name.
 */
bool etw_executable_name(struct mm_struct *mm, char name[ETW_IMAGE_NAME])
{
	struct file *file;

	name[0] = 0;
	rcu_read_lock();
	file = etw_get_file_rcu(&mm->exe_file);
	rcu_read_unlock();
	if (!file)
		return false;
	etw_file_name(file, name);
	fput(file);
	return name[0];
}

/**
 * etw_command_line_tidy() - join arguments by blanks
 * @text: in and out: the bytes from arg_start to arg_end
 * @length: bytes of @text
 *
 * Return: length without the NULs behind the last argument.
 */
u32 etw_command_line_tidy(char *text, u32 length)
{
	u32 i;

	while (length && !text[length - 1])
		length--;
	for (i = 0; i < length; i++)
		if (!text[i])
			text[i] = ' ';
	return length;
}

static bool is_32_bit(struct task_struct *task)
{
#if defined(CONFIG_X86) && defined(CONFIG_X86_64) && defined(CONFIG_COMPAT)
	return test_tsk_thread_flag(task, TIF_ADDR32);
#elif defined(CONFIG_ARM64) && defined(CONFIG_COMPAT)
	return test_tsk_thread_flag(task, TIF_32BIT);
#else
	return false;
#endif
}

/**
 * etw_process_flags() - Flags of a process
 * @task: a thread of it; the caller has a reference
 *
 * (kernel-events.rst 9.1) Context: any; takes no lock.
 * Return: 2 while it runs a 32-bit program: in exec as soon as that is loaded.
 */
u32 etw_process_flags(struct task_struct *task)
{
	return is_32_bit(task) ? PROCESS_FLAG_WOW64 : 0;
}

/**
 * etw_process_fill() - values of a process record
 * @task: a thread of the process; the caller holds a reference
 * @process: out; image and command are empty, the caller sets them
 * @identity: out; mm is NULL, the caller sets it
 *
 * ExitStatus is that of a living process. (kernel-events.rst 5.2, 9.1)
 * Context: any; takes no lock.
 * Return: false if the task was reaped: then nothing is filled in.
 */
bool etw_process_fill(struct task_struct *task, struct etw_process_fields *process,
		      struct etw_process_identity *identity)
{
	memset(process, 0, sizeof(*process));
	memset(identity, 0, sizeof(*identity));
	process->image = "";
	process->command = "";
	rcu_read_lock();
	/* a reaped task's pointers to relatives may point at freed memory */
	if (!pid_alive(task)) {
		rcu_read_unlock();
		return false;
	}
	identity->start = READ_ONCE(task->group_leader)->start_boottime;
	process->fixed.parent_id = etw_process_id(rcu_dereference(task->real_parent));
	rcu_read_unlock();
	identity->process_id = etw_process_id(task);
	identity->execs = READ_ONCE(task->self_exec_id);
	process->fixed.process_id = identity->process_id;
	process->fixed.session_id = audit_get_sessionid(task);
	process->fixed.exit_status = ETW_STATUS_PENDING;
	process->fixed.flags = etw_process_flags(task);
	process->uid = from_kuid(&init_user_ns, task_uid(task));
	return true;
}

/**
 * etw_process_fill_kernel() - values of Idle's and System's records
 * @process_id: 0 or ETW_SYSTEM_PROCESS_ID
 * @process: out
 * @identity: out
 *
 * As in traces of Windows. (kernel-events.rst 5.2, 14)
 */
void etw_process_fill_kernel(u32 process_id, struct etw_process_fields *process,
			     struct etw_process_identity *identity)
{
	memset(process, 0, sizeof(*process));
	memset(identity, 0, sizeof(*identity));
	identity->process_id = process_id;
	process->fixed.process_id = process_id;
	process->fixed.session_id = AUDIT_SID_UNSET;
	process->fixed.exit_status = process_id ? ETW_STATUS_PENDING : 0;
	process->system = true;
	process->image = process_id ? "System" : "Idle";
	process->command = "";
}

/**
 * etw_process_key() - UniqueProcessKey
 * @identity: identity of the process
 * @secret: of the session
 *
 * A hash: it does not disclose which keys of two sessions are equal.
 * Context: any.
 */
u64 etw_process_key(const struct etw_process_identity *identity, const u64 secret[2])
{
	const siphash_key_t key = { { secret[0], secret[1] } };

	return siphash_3u64(identity->start, identity->process_id, identity->execs, &key);
}

/**
 * etw_process_key_current() - UniqueProcessKey of the current process
 * @secret: of the session
 *
 * The key that records about the process have, too. Context: process.
 */
u64 etw_process_key_current(const u64 secret[2])
{
	const struct etw_process_identity identity = {
		.process_id = etw_process_id(current),
		.start = READ_ONCE(current->group_leader)->start_boottime,
		.execs = READ_ONCE(current->self_exec_id),
	};

	return etw_process_key(&identity, secret);
}

/**
 * etw_process_set_keys() - UniqueProcessKey and DirectoryTableBase
 * @payload: a process payload
 * @sink: session sink
 * @identity: identity of the process
 *
 * Hashes with the session's secret: they disclose neither addresses nor which keys of two
 * sessions are equal. (kernel-events.rst 4.3)
 * Context: any.
 */
void etw_process_set_keys(void *payload, const struct etw_sink *sink,
			  const struct etw_process_identity *identity)
{
	struct wmi_process_information *fixed = payload;
	const siphash_key_t key = { { sink->key[0], sink->key[1] } };

	fixed->unique_process_key = etw_process_key(identity, sink->key);
	fixed->directory_table_base = 0;
	if (identity->mm)
		fixed->directory_table_base = siphash_1u64((uintptr_t)identity->mm, &key);
}

/**
 * etw_nt_io_priority() - Windows' I/O priority
 * @ioprio: as in ioprio_set()
 *
 * (kernel-events.rst 9.6) Context: any. Return: 0..4; 2 normal.
 */
u8 etw_nt_io_priority(unsigned int ioprio)
{
	switch (IOPRIO_PRIO_CLASS(ioprio)) {
	case IOPRIO_CLASS_IDLE:
		return 0;
	case IOPRIO_CLASS_RT:
		return 3;
	case IOPRIO_CLASS_BE:
		return (ioprio & IOPRIO_LEVEL_MASK) > 4 ? 1 : 2;
	}
	return 2;
}

/* For current, a task that doesn't run yet, or under task_lock(): io_context is not freed */
static u8 io_priority(const struct task_struct *task)
{
#ifdef CONFIG_BLOCK
	const struct io_context *context = READ_ONCE(task->io_context);

	if (context)
		return etw_nt_io_priority(context->ioprio);
#endif
	return etw_nt_io_priority(IOPRIO_DEFAULT);
}

/**
 * etw_io_priority_of_other() - I/O priority of a thread that may be exiting
 * @task: a thread; the caller holds a reference
 *
 * An exiting thread's I/O context is freed without an RCU grace period. A probe can't take
 * the lock that would keep it: on PREEMPT_RT that sleeps. So the value read may be garbage.
 * It is valid if the context is still the thread's afterwards, because a thread that has
 * dropped its context never gets another.
 *
 * Context: any; takes no lock. Return: as etw_nt_io_priority().
 */
u8 etw_io_priority_of_other(const struct task_struct *task)
{
	unsigned int ioprio = IOPRIO_DEFAULT;
#ifdef CONFIG_BLOCK
	const struct io_context *context = READ_ONCE(task->io_context);
	unsigned short read;

	if (context && !copy_from_kernel_nofault(&read, &context->ioprio, sizeof(read))) {
		smp_rmb();	/* the memory is reused only after task->io_context changed */
		if (READ_ONCE(task->io_context) == context)
			ioprio = read;
	}
#endif
	return etw_nt_io_priority(ioprio);
}

#if defined(CONFIG_X86) && defined(CONFIG_X86_64)
/*
 * As x86_fsbase_read_cpu(), but without rdmsrl()'s tracepoint: the tracepoint has a static
 * key of the kernel, for which the module loader needs memory, and warns if there is none.
 */
static u64 fs_base(void)
{
	return boot_cpu_has(X86_FEATURE_FSGSBASE) ? rdfsbase() : __rdmsr(MSR_FS_BASE);
}
#endif

static u64 user_tls(const struct task_struct *task)
{
#if defined(CONFIG_X86) && defined(CONFIG_X86_64)
	/* if it runs, the register is newer, as user code may write it; until mm is gone */
	if (task == current && task->mm)
		return fs_base();
	return task->thread.fsbase;
#elif defined(CONFIG_ARM64)
	/* if it runs, the register is newer; a 32-bit program also updates the saved value */
	if (task == current && !is_compat_thread(current_thread_info()))
		return read_sysreg(tpidr_el0);
	return task->thread.uw.tp_value;
#else
	return 0;
#endif
}

/* The image sets where leaders begin; the creator sets where other threads begin. */
static void fill_user_addresses(struct task_struct *task, bool is_new,
				struct wmi_thread_information *fixed)
{
	fixed->teb_base = user_tls(task);
	if (thread_group_leader(task)) {
		if (task->mm) {
			fixed->user_stack_base = task->mm->start_stack;
			fixed->win32_start_addr = task->mm->start_code;
		}
	} else if (is_new) {
		struct pt_regs *regs = task_pt_regs(task);

		fixed->user_stack_base = user_stack_pointer(regs);
		fixed->win32_start_addr = instruction_pointer(regs);
	}
}

static void fill_kernel_addresses(struct task_struct *task, struct etw_thread_fields *thread)
{
	u64 stack = (uintptr_t)READ_ONCE(task->stack);	/* NULL once it has ended */

	if (stack) {
		thread->kernel.stack_limit = stack;
		thread->kernel.stack_base = stack + THREAD_SIZE;
	}
	if (etw_is_kthread(task))
		thread->kernel.start = (uintptr_t)kthread_func(task);
}

/**
 * etw_thread_fill() - values of a thread record
 * @task: current, a task that doesn't run yet, or one under task_lock()
 * @is_new: it doesn't run yet: its registers are those that its creator set
 * @thread: out
 *
 * (kernel-events.rst 5.3, 9.5, 9.6)
 * Context: any; takes no lock.
 */
void etw_thread_fill(struct task_struct *task, bool is_new, struct etw_thread_fields *thread)
{
	struct wmi_thread_information *fixed = &thread->fixed;

	memset(thread, 0, sizeof(*thread));
	fixed->process_id = etw_process_id(task);
	fixed->thread_id = task->pid;
	fixed->affinity = cpumask_bits(&task->cpus_mask)[0];
	fixed->base_priority = etw_nt_priority(task->normal_prio, task->policy, false);
	fixed->page_priority = 5;
	fixed->io_priority = io_priority(task);
	fill_kernel_addresses(task, thread);
	if (!etw_is_kthread(task))
		fill_user_addresses(task, is_new, fixed);
	strscpy(thread->name, task->comm, sizeof(thread->name));
}

/**
 * etw_thread_fill_idle() - values of an idle thread's record
 * @cpu: its CPU: all idle threads are thread 0, and only the affinity differs
 * @thread: out
 *
 * idle_task() isn't exported, so the stack is unknown. (kernel-events.rst 5.3)
 */
void etw_thread_fill_idle(int cpu, struct etw_thread_fields *thread)
{
	memset(thread, 0, sizeof(*thread));
	if (cpu < 64)
		thread->fixed.affinity = 1ULL << cpu;
	thread->fixed.page_priority = 5;
	snprintf(thread->name, sizeof(thread->name), "swapper/%d", cpu);
}

/**
 * etw_thread_set_addresses() - set kernel addresses, or 0 if the session may not see them
 * @payload: a thread payload made from @thread
 * @sink: session sink
 * @thread: values
 *
 * (SECURITY.md, "Addresses and keys") Context: any.
 */
void etw_thread_set_addresses(void *payload, const struct etw_sink *sink,
			      const struct etw_thread_fields *thread)
{
	struct wmi_thread_information *fixed = payload;
	bool shown = sink->addresses;

	fixed->stack_base = shown ? thread->kernel.stack_base : 0;
	fixed->stack_limit = shown ? thread->kernel.stack_limit : 0;
	if (thread->kernel.start)
		fixed->win32_start_addr = shown ? thread->kernel.start : 0;
}
