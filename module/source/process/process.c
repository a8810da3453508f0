// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Start and end of processes and threads: 0301, 0302, 05xx. */
#include <linux/binfmts.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <trace/events/sched.h>
#include <trace/events/task.h>
#include "compat.h"
#include "source/probe.h"
#include "process_rundown.h"
#include "process_table.h"
#include "source/process_values.h"
#include "source/source.h"
#include "source/task_note.h"
#include "source/write.h"

/* Bits of etw_listener.wanted, in the order of groups */
#define WANTS_PROCESS	0x1
#define WANTS_THREAD	0x2

/**
 * struct process_scratch - memory in which a probe builds its records
 * @image: a process's image name
 * @command: its command line
 * @payload: the current payload
 *
 * One per CPU suffices, because no probe of this file interrupts another: fork, exec, exit
 * and rename happen in task context with preemption off. Neither interrupts nor functions
 * called by these probes fork, exec, exit or rename.
 */
struct process_scratch {
	char image[ETW_IMAGE_NAME];
	char command[ETW_COMMAND_TEXT];
	u8 payload[ETW_PROCESS_PAYLOAD] __aligned(8);
};

static DEFINE_PER_CPU(struct process_scratch *, process_scratch);

/**
 * union old_image - values that exec has changed before its tracepoint is reached
 * @comm: of the thread that calls exec, by then the only one
 * @flags: of the process
 * @note: both, as a task note
 */
union old_image {
	struct {
		char comm[TASK_COMM_LEN];
		u64 flags;
	};
	u64 note[ETW_TASK_NOTE_VALUES];
};

static_assert(sizeof(union old_image) == ETW_TASK_NOTE_VALUES * sizeof(u64));

/* For execs in progress: they may sleep and change the CPU before they are complete. */
static struct etw_task_notes old_images;

/**
 * struct emission - what a probe's records have in common
 * @listeners: listeners of the source
 * @scratch: scratch of this CPU
 * @wanted: groups wanted by any listener
 * @limit: bytes of payload that fit into a buffer of every listener
 * @ids: thread in the headers
 */
struct emission {
	const struct etw_listeners *listeners;
	struct process_scratch *scratch;
	u32 wanted;
	u32 limit;
	struct etw_system_ids ids;
};

static bool begin(struct emission *e, const struct etw_source *source)
{
	u32 i;

	e->listeners = etw_listeners_of(source);
	if (!e->listeners)
		return false;
	e->scratch = *this_cpu_ptr(&process_scratch);
	e->wanted = 0;
	e->limit = sizeof(e->scratch->payload);
	for (i = 0; i < e->listeners->count; i++) {
		const struct etw_listener *listener = &e->listeners->listener[i];

		e->wanted |= listener->wanted;
		e->limit = min(e->limit, etw_sink_payload_limit(listener->sink));
	}
	etw_system_ids_current(&e->ids);
	return true;
}

/* No process filter applies, because consumers need these records to name ids. */
static struct etw_event event_of(const struct emission *e, u16 hook_id, u8 version, u32 wanted,
				 u32 size)
{
	return (struct etw_event){
		.hook_id = hook_id,
		.version = version,
		.no_process = true,
		.wanted = wanted,
		.ids = &e->ids,
		.payload = { .data = e->scratch->payload, .size = size },
	};
}

static void emit_process(const struct emission *e, u16 hook_id,
			 const struct etw_process_fields *process,
			 const struct etw_process_identity *identity)
{
	u32 size = etw_process_layout(e->scratch->payload, e->limit, process);
	struct etw_event event = event_of(e, hook_id, WMI_PROCESS_VERSION, WANTS_PROCESS,
						size);
	const struct etw_listener *listener = NULL;

	while ((listener = etw_next_wanting(e->listeners, listener, &event))) {
		etw_process_set_keys(e->scratch->payload, listener->sink, identity);
		etw_write(listener, &event);
	}
}

static void emit_thread(const struct emission *e, u16 hook_id,
			const struct etw_thread_fields *thread)
{
	u32 size = etw_thread_layout(e->scratch->payload, e->limit, &thread->fixed, thread->name);
	struct etw_event event = event_of(e, hook_id, WMI_THREAD_VERSION, WANTS_THREAD,
						size);
	const struct etw_listener *listener = NULL;

	while ((listener = etw_next_wanting(e->listeners, listener, &event))) {
		etw_thread_set_addresses(e->scratch->payload, listener->sink, thread);
		etw_write(listener, &event);
	}
}

/* Copies page by page, up to a page that isn't in memory: faults can't sleep here. */
static u32 copy_command_line(char *to, u32 most)
{
	struct mm_struct *mm = current->mm;
	unsigned long from, size, done = 0;

	if (!mm)
		return 0;
	from = READ_ONCE(mm->arg_start);
	size = READ_ONCE(mm->arg_end) - from;
	size = min_t(unsigned long, size, most);
	while (done < size) {
		unsigned long piece = min(size - done, PAGE_SIZE - offset_in_page(from + done));

		if (copy_from_user_nofault(to + done, (const void __user *)(from + done), piece))
			break;
		done += piece;
	}
	return etw_command_line_tidy(to, done);
}

/*
 * Writes the Start of a process, by fork or exec; image and command line are current's.
 * @command_text limits the command line for forks: every user can fork often and cheaply,
 * so a fork must not write 8 KiB with preemption off.
 */
static void start_process(struct emission *e, struct task_struct *task, u32 command_text)
{
	struct etw_process_identity identity;
	struct etw_process_fields process;

	if (!(e->wanted & WANTS_PROCESS) || !etw_process_fill(task, &process, &identity))
		return;
	identity.mm = task->mm;
	process.image = e->scratch->image;
	process.command_length = copy_command_line(e->scratch->command, command_text);
	process.command = e->scratch->command;
	emit_process(e, WMI_LOG_TYPE_PROCESS_CREATE, &process, &identity);
}

static void start_thread_record(struct emission *e, struct task_struct *task, bool is_new)
{
	struct etw_thread_fields thread;

	if (!(e->wanted & WANTS_THREAD))
		return;
	etw_thread_fill(task, is_new, &thread);
	emit_thread(e, WMI_LOG_TYPE_THREAD_CREATE, &thread);
}

/* A child has its parent's image until exec. */
static void inherit_image(struct emission *e, struct task_struct *child)
{
	char *image = e->scratch->image;

	if (!etw_process_table_get(current->tgid, image) &&
	    !(current->mm && etw_executable_name(current->mm, image)))
		strscpy(image, child->comm, ETW_IMAGE_NAME);
	etw_process_table_set(child->tgid, image, child->self_exec_id);
}

/* In the parent, before the child runs */
ETW_PROBE(sched_process_fork,
	  TP_PROTO(struct task_struct *parent, struct task_struct *child),
	  TP_ARGS(parent, child))
{
	struct emission e;

	if (!begin(&e, source))
		return;
	/* kernel threads are threads of System, which has no Start record */
	if (thread_group_leader(child) && !etw_is_kthread(child)) {
		inherit_image(&e, child);
		start_process(&e, child, ETW_COMMAND_FORKED);
	} else if (!etw_is_kthread(child)) {
		etw_process_table_thread_start(child->tgid);
	}
	start_thread_record(&e, child, true);
}

/*
 * In the parent, for the kernel's own threads within a process (io_uring, vhost), which
 * sched_process_fork doesn't report. Their registers are their creator's, so not used.
 */
ETW_PROBE(task_newtask, TP_PROTO(ETW_NEWTASK_ARGS), TP_ARGS(task, clone_flags))
{
	struct emission e;

	if (!(task->flags & ETW_PF_USER_WORKER) || !begin(&e, source))
		return;
	etw_process_table_thread_start(task->tgid);
	start_thread_record(&e, task, false);
}

/*
 * Keep comm and flags for stop_old_image(): comm is about to change, and the flag of 32-bit
 * programs changes when the new image is loaded.
 */
static void keep_old_image(struct task_struct *task)
{
	union old_image old = { .flags = etw_process_flags(task) };

	strscpy(old.comm, task->comm, sizeof(old.comm));
	etw_task_note_put(&old_images, task->pid, old.note);
	/* the kernel counts the exec after this */
	etw_process_table_learn(task->tgid, task->comm, task->self_exec_id);
}

/*
 * Find how the ending image was recorded: its name, into the scratch, and its self_exec_id,
 * because its end must have the same key. If an exec began before the probes, a rundown may
 * already have recorded the new image.
 */
static u32 recorded_image(struct emission *e, const struct task_struct *task, u32 otherwise)
{
	u32 execs;

	if (etw_process_table_recorded(task->tgid, e->scratch->image, &execs))
		return execs;
	strscpy(e->scratch->image, task->comm, ETW_IMAGE_NAME);
	return otherwise;
}

/*
 * Write the old image's end, see recorded_image(). Its address space is gone, so the command
 * line stays empty; consumers keep the one of its Start. A thread that wasn't the leader
 * had another id until now.
 */
static void stop_old_image(struct emission *e, struct task_struct *task, pid_t old_pid, u32 execs)
{
	struct etw_process_identity identity;
	struct etw_process_fields process;
	struct etw_thread_fields thread;
	u32 thread_id = e->ids.thread_id;
	union old_image old;
	bool kept = etw_task_note_take(&old_images, task->pid, old.note);

	if (e->wanted & WANTS_THREAD) {
		etw_thread_fill(task, false, &thread);
		thread.fixed.thread_id = old_pid;
		thread.fixed.user_stack_base = 0;
		thread.fixed.win32_start_addr = 0;
		strscpy(thread.name, kept ? old.comm : e->scratch->image, sizeof(thread.name));
		e->ids.thread_id = old_pid;
		emit_thread(e, WMI_LOG_TYPE_THREAD_DELETE, &thread);
		e->ids.thread_id = thread_id;
	}
	if ((e->wanted & WANTS_PROCESS) && etw_process_fill(task, &process, &identity)) {
		identity.execs = execs;
		if (kept)
			process.fixed.flags = old.flags;
		process.fixed.exit_status = 0;
		process.image = e->scratch->image;
		emit_process(e, WMI_LOG_TYPE_PROCESS_DELETE, &process, &identity);
	}
}

/* In the task, when its new image is complete and its other threads are gone */
ETW_PROBE(sched_process_exec,
	  TP_PROTO(struct task_struct *task, pid_t old_pid, struct linux_binprm *bprm),
	  TP_ARGS(task, old_pid, bprm))
{
	struct emission e;
	u32 execs;

	if (!begin(&e, source))
		return;
	/* if exec began before the probes: a rundown finds this name, or has left one for us */
	etw_process_table_learn(task->tgid, task->comm, task->self_exec_id - 1);
	execs = recorded_image(&e, task, task->self_exec_id - 1);
	etw_process_table_change(task->tgid);
	stop_old_image(&e, task, old_pid, execs);
	etw_file_name(bprm->file, e.scratch->image);
	if (!e.scratch->image[0])
		strscpy(e.scratch->image, task->comm, ETW_IMAGE_NAME);
	start_process(&e, task, ETW_COMMAND_TEXT);
	start_thread_record(&e, task, false);
	/* only now, so that a rundown records this image after its Start */
	etw_process_table_set(task->tgid, e.scratch->image, task->self_exec_id);
}

/*
 * The address space is gone, so the command line stays empty. If a process began before
 * the session and two of its threads end together, one Thread Stop may come after this.
 */
static void stop_process(struct emission *e, struct task_struct *task)
{
	u64 now = etw_filetime_from_unix_ns(ktime_get_real_ns());
	struct task_struct *leader = task->group_leader;
	struct etw_process_identity identity;
	struct etw_process_fields process;
	u32 execs = recorded_image(e, leader, leader->self_exec_id);

	if (!etw_process_table_end(task->tgid, now))
		return;
	if (!(e->wanted & WANTS_PROCESS) || !etw_process_fill(leader, &process, &identity))
		return;
	/* a process that was killed in an exec ends with the recorded image */
	identity.execs = execs;
	process.fixed.exit_status = etw_group_exit_status(leader);
	process.image = e->scratch->image;
	emit_process(e, WMI_LOG_TYPE_PROCESS_DELETE, &process, &identity);
}

/* In the thread; every thread has decremented signal->live before this */
ETW_PROBE(sched_process_exit, TP_PROTO(ETW_PROCESS_EXIT_ARGS), ETW_PROCESS_EXIT_NAMES)
{
	struct etw_thread_fields thread;
	struct emission e;

	if (!begin(&e, source))
		return;
	if (e.wanted & WANTS_THREAD) {
		etw_thread_fill(task, false, &thread);
		emit_thread(&e, WMI_LOG_TYPE_THREAD_DELETE, &thread);
	}
	if (!etw_is_kthread(task) &&
	    etw_process_table_thread_end(task->tgid, &task->signal->live))
		stop_process(&e, task);
}

/*
 * Under task_lock() of @task, which may not be current; task->comm is still the old name.
 * In exec no record is needed, since a Thread Start follows. But if the process began
 * before the probes, comm is the only name left of the old image.
 */
ETW_PROBE(task_rename, TP_PROTO(struct task_struct *task, const char *comm), TP_ARGS(task, comm))
{
	struct etw_event event;
	struct emission e;
	u32 size;

	if (!begin(&e, source))
		return;
	if (task == current && task->in_execve) {
		keep_old_image(task);
		return;
	}
	size = etw_thread_name_layout(e.scratch->payload, e.limit, etw_process_id(task), task->pid,
				      comm);
	event = event_of(&e, PERFINFO_LOG_TYPE_THREAD_SET_NAME, 2, WANTS_THREAD, size);
	event.ids = NULL;
	etw_write_all(e.listeners, &event);
}

static void process_unprepare(struct etw_source *source)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		kvfree(per_cpu(process_scratch, cpu));
		per_cpu(process_scratch, cpu) = NULL;
	}
	etw_process_table_unprepare();
}

static int process_prepare(struct etw_source *source)
{
	int cpu, err = etw_process_table_prepare();

	if (err)
		return err;
	/* notes of execs that failed, or that ended without a probe */
	memset(&old_images, 0, sizeof(old_images));
	for_each_possible_cpu(cpu) {
		struct process_scratch *scratch;

		scratch = kvmalloc_node(sizeof(*scratch), GFP_KERNEL, cpu_to_node(cpu));
		if (!scratch) {
			process_unprepare(source);
			return -ENOMEM;
		}
		per_cpu(process_scratch, cpu) = scratch;
	}
	return 0;
}

/*
 * The order of points doesn't matter: a probe finds no listeners until all probes are
 * registered, nor once the first is unregistered (listeners.c). So no probe can miss the end
 * of a process if another recorded its start.
 */

ETW_SOURCE(ETW_ORDER_PROCESS, process) = {
	.name = "process",
	.groups = ETW_GROUPS(PERF_PROCESS, PERF_THREAD),
	.hooks = ETW_HOOKS(WMI_LOG_TYPE_PROCESS_CREATE, WMI_LOG_TYPE_PROCESS_DELETE,
			   WMI_LOG_TYPE_THREAD_CREATE, WMI_LOG_TYPE_THREAD_DELETE,
			   PERFINFO_LOG_TYPE_THREAD_SET_NAME),
	.points = ETW_POINTS({ .probe = &probe_task_rename },
			     { .probe = &probe_sched_process_fork },
			     { .probe = &probe_task_newtask },
			     { .probe = &probe_sched_process_exec },
			     { .probe = &probe_sched_process_exit }),
	.prepare = process_prepare,
	.unprepare = process_unprepare,
	.rundown_groups = ETW_GROUPS(PERF_PROCESS, PERF_THREAD, PERF_LOADER),
	.rundown = etw_process_rundown,
};
