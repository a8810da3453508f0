// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Processes that exist when a session starts or stops: 0303, 0304, 0327, 0503, 0504. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include "compat.h"
#include "context/sink.h"
#include "record/thread_ids.h"
#include "ring/ring.h"
#include "source/image/image_rundown.h"
#include "process_counters.h"
#include "process_rundown.h"
#include "process_table.h"
#include "source/process_values.h"
#include "source/rundown/rundown_tasks.h"

/* Maximum number of attempts to record something that changes meanwhile */
#define TRIES	4
/* Longest wait for an exec's second record: a hypervisor may stop the CPU between the two */
#define EXEC_PATIENCE	(2 * HZ)

/**
 * struct walk - a rundown of processes and threads
 * @rundown: the rundown
 * @end: DCEnd, not DCStart
 * @processes: process records are wanted
 * @threads: thread records are wanted
 * @counters: process counters are wanted; only at the end
 * @images: state of the image rundown
 * @limit: bytes of payload that fit
 * @task: the current task
 * @thread: thread record of @task
 * @execs: self_exec_id of its image that was recorded last
 * @image: a process's image name
 * @command: its command line
 * @payload: the current payload
 */
struct walk {
	struct etw_rundown *rundown;
	bool end;
	bool processes;
	bool threads;
	bool counters;
	struct etw_image_walk images;
	u32 limit;
	struct task_struct *task;
	struct etw_thread_fields thread;
	u32 execs;
	char image[ETW_IMAGE_NAME];
	char command[ETW_COMMAND_TEXT];
	u8 payload[ETW_PROCESS_PAYLOAD] __aligned(8);
};

static int write_process(struct walk *walk, const struct etw_process_fields *process,
			 const struct etw_process_identity *identity,
			 bool (*still)(const void *walk))
{
	struct etw_rundown_record record = {
		.hook_id = walk->end ? WMI_LOG_TYPE_PROCESS_DC_END : WMI_LOG_TYPE_PROCESS_DC_START,
		.version = WMI_PROCESS_VERSION,
		.header = ETW_RUNDOWN_PERFINFO,
		.payload = walk->payload,
		.size = etw_process_layout(walk->payload, walk->limit, process),
		.still = still,
		.what = walk,
	};

	if (process->defunct) {
		record.hook_id = WMI_LOG_TYPE_PROCESS_DEFUNCT;
		record.version = WMI_PROCESS_DEFUNCT_VERSION;
	}
	etw_process_set_keys(walk->payload, walk->rundown->sink, identity);
	return etw_rundown_write_record(walk->rundown, &record);
}

/* self_exec_id of the image that was recorded last */
static u32 recorded_execs(const struct task_struct *task)
{
	char image[ETW_IMAGE_NAME];
	u32 execs;

	return etw_process_table_recorded(task->tgid, image, &execs) ? execs :
								   READ_ONCE(task->self_exec_id);
}

/*
 * Whether the rundown has a ring of its own: for a snapshot, or when a flight recorder stops.
 * Concurrent execs and renames are not recorded there, so every living process is written,
 * with its old or new image and name.
 */
static bool is_alone(const struct walk *walk)
{
	return walk->rundown->ring;
}

/*
 * No exec has recorded another image since, or is just recording it. An exec in progress
 * that has not will record the end of this image.
 */
static bool is_same_image(const struct walk *walk)
{
	return walk->execs != ETW_EXECS_CHANGING &&
	       (is_alone(walk) || recorded_execs(walk->task) == walk->execs);
}

/* It is not exiting, has the same image and name, and exec has not changed its thread id. */
static bool is_same_thread(const void *what)
{
	const struct walk *walk = what;

	if (etw_task_flags(walk->task) & PF_EXITING ||
	    READ_ONCE(walk->task->pid) != walk->thread.fixed.thread_id)
		return false;
	if (is_alone(walk))
		return true;
	if (!is_same_image(walk))
		return false;
	/* a name read while it changes differs, which is correct */
	return !data_race(strncmp(walk->task->comm, walk->thread.name, TASK_COMM_LEN));
}

static int write_thread(struct walk *walk, bool (*still)(const void *walk))
{
	const struct etw_thread_fields *thread = &walk->thread;
	struct etw_rundown_record record = {
		.hook_id = walk->end ? WMI_LOG_TYPE_THREAD_DC_END : WMI_LOG_TYPE_THREAD_DC_START,
		.version = WMI_THREAD_VERSION,
		.header = ETW_RUNDOWN_SYSTEM,
		.payload = walk->payload,
		.size = etw_thread_layout(walk->payload, walk->limit, &thread->fixed, thread->name),
		.still = still,
		.what = walk,
	};

	etw_thread_set_addresses(walk->payload, walk->rundown->sink, thread);
	return etw_rundown_write_record(walk->rundown, &record);
}

/* A process that is not in the table began before the probes; its Stop will need the name. */
static void find_image(struct walk *walk, struct task_struct *task, struct mm_struct *mm)
{
	if (etw_process_table_recorded(task->tgid, walk->image, &walk->execs))
		return;
	if (mm && etw_executable_name(mm, walk->image))
		etw_process_table_learn(task->tgid, walk->image, walk->execs);
	else
		etw_task_comm(task, walk->image, sizeof(walk->image));
}

/* It lives and has not executed another image, not even one with the same name. */
static bool is_same_process(const void *what)
{
	const struct walk *walk = what;

	return atomic_read(&walk->task->signal->live) && is_same_image(walk);
}

/* Not reaped, though a tracer may be about to: the process id is not reused yet. */
static bool is_zombie(const void *what)
{
	const struct walk *walk = what;

	return READ_ONCE(walk->task->exit_state) & EXIT_ZOMBIE;
}

static int user_process(struct walk *walk, bool defunct)
{
	struct task_struct *task = walk->task;
	struct etw_process_identity identity;
	struct etw_process_fields process;
	struct mm_struct *mm;

	if (!etw_process_fill(task, &process, &identity))
		return 0;
	mm = etw_process_mm(task);
	identity.mm = mm;
	walk->execs = identity.execs;
	find_image(walk, task, mm);
	identity.execs = walk->execs;
	process.image = walk->image;
	process.command = walk->command;
	if (mm) {
		process.command_length = etw_command_line(walk->rundown, mm, walk->command);
		mmput_async(mm);
	}
	if (defunct) {
		process.fixed.exit_status = etw_group_exit_status(task);
		process.defunct = true;
		process.exit_time = etw_process_table_ended(task->tgid);
	}
	return write_process(walk, &process, &identity, defunct ? is_zombie : is_same_process);
}

/*
 * An exec that began before the probes may have incremented self_exec_id already, or not.
 * Until it has, the image that its Stop will name is unknown.
 */
static bool has_exec_unseen(const struct task_struct *task)
{
	char image[ETW_IMAGE_NAME];

	return etw_is_in_exec(task) && !etw_process_table_get(task->tgid, image);
}

/* Retry without limit if free space vanished, but only TRIES times if the data changed. */
static bool look_again(int err, int *tries)
{
	return err == -EAGAIN || (err == -ESTALE && --*tries);
}

/* With a ring of its own: wait until an exec has recorded the image in the session's ring. */
static void wait_for_image(const struct walk *walk)
{
	unsigned long limit = jiffies + EXEC_PATIENCE;

	while (is_alone(walk) && recorded_execs(walk->task) == ETW_EXECS_CHANGING &&
	       time_before(jiffies, limit) && etw_rundown_goes_on(walk->rundown))
		schedule_timeout_killable(1);
}

/* A process that ends, or execs at every attempt, is recorded by its own events. */
static void user_process_now(struct walk *walk, struct task_struct *task)
{
	int tries = TRIES, err;

	walk->task = task;
	do {
		etw_rundown_wait(walk->rundown);
		wait_for_image(walk);
		if (!atomic_read(&task->signal->live))
			break;
		err = -ESTALE;
		/* an exec that takes longer has most likely not incremented self_exec_id */
		if (tries > 1 && has_exec_unseen(task) && etw_rundown_may_nap(walk->rundown))
			schedule_timeout_killable(1);
		else
			err = user_process(walk, false);
	} while (look_again(err, &tries));
}

static void process_record(struct walk *walk, const struct etw_task_entry *first)
{
	struct etw_process_identity identity;
	struct etw_process_fields process;

	if (!walk->processes)
		return;
	if (!etw_is_kthread(first->task)) {
		user_process_now(walk, first->task);
		return;
	}
	etw_process_fill_kernel(ETW_SYSTEM_PROCESS_ID, &process, &identity);
	write_process(walk, &process, &identity, NULL);
}

/* An exiting thread has, or will have, its Thread Stop. */
static void thread_now(struct walk *walk, struct task_struct *task)
{
	int tries = TRIES;

	walk->task = task;
	do {
		etw_rundown_wait(walk->rundown);
		if (etw_task_flags(task) & PF_EXITING)
			break;
		walk->execs = recorded_execs(task);
		task_lock(task);	/* keeps mm and io_context */
		etw_thread_fill(task, false, &walk->thread);
		task_unlock(task);
	} while (look_again(write_thread(walk, is_same_thread), &tries));
}

static void thread_records(struct walk *walk, const struct etw_task_entry *entry, u32 count)
{
	for (; walk->threads && count && etw_rundown_goes_on(walk->rundown); count--, entry++)
		thread_now(walk, entry->task);
	if (walk->threads)
		etw_rundown_cut(walk->rundown, count);
}

/* At the start the process record comes first, at the end last. (kernel-events.rst 10.1) */
static void one_process(struct walk *walk, const struct etw_task_entry *entry, u32 count)
{
	bool kernel = etw_is_kthread(entry->task);

	/* it has its Process Stop */
	if (!kernel && !atomic_read(&entry->task->signal->live))
		return;
	if (!walk->end)
		process_record(walk, entry);
	else if (!kernel)
		etw_rundown_user_images(walk->rundown, &walk->images, entry, count);
	thread_records(walk, entry, count);
	if (!walk->end && kernel)
		etw_rundown_kernel_images(walk->rundown, &walk->images);
	else if (!walk->end)
		etw_rundown_user_images(walk->rundown, &walk->images, entry, count);
	if (walk->counters)
		etw_rundown_process_counters(walk->rundown, entry->task);
	if (walk->end)
		process_record(walk, entry);
}

static void idle_process(struct walk *walk)
{
	struct etw_process_identity identity;
	struct etw_process_fields process;
	int cpu;

	etw_process_fill_kernel(0, &process, &identity);
	if (walk->processes && !walk->end)
		write_process(walk, &process, &identity, NULL);
	for_each_possible_cpu(cpu) {
		if (!walk->threads)
			break;
		etw_thread_fill_idle(cpu, &walk->thread);
		write_thread(walk, NULL);
	}
	if (walk->counters)
		etw_rundown_process_counters(walk->rundown, NULL);
	if (walk->processes && walk->end)
		write_process(walk, &process, &identity, NULL);
	if (walk->end)
		etw_rundown_kernel_images(walk->rundown, &walk->images);
}

/* Processes that ended but are not reaped */
static void zombies(struct walk *walk, const struct etw_task_list *list)
{
	u32 i;

	for (i = 0; walk->processes && i < list->count; i++) {
		struct task_struct *task = list->entries[i].task;

		walk->task = task;
		if (!is_zombie(walk) || !thread_group_leader(task) ||
		    atomic_read(&task->signal->live))
			continue;
		if (!etw_rundown_goes_on(walk->rundown)) {
			etw_rundown_cut(walk->rundown, 1);
			continue;
		}
		do
			etw_rundown_wait(walk->rundown);
		while (user_process(walk, true) == -EAGAIN);
	}
}

static void walk_tasks(struct walk *walk, const struct etw_task_list *list)
{
	u32 first, end;

	idle_process(walk);
	for (first = 0; first < list->count && etw_rundown_goes_on(walk->rundown); first = end) {
		end = etw_task_list_process(list, first);
		one_process(walk, &list->entries[first], end - first);
	}
	etw_rundown_cut(walk->rundown, list->count - first);
	if (walk->end)
		zombies(walk, list);
}

/**
 * etw_process_rundown() - write processes, their threads, images and counters
 * @rundown: the rundown
 * @phase: part of the rundown
 *
 * In one walk, because all records of a process come together. Only wanted groups.
 * Without memory the trace has no names, which is better than no trace. The closing mark
 * is missing then, and the log contains the reason.
 *
 * Context: process; sleeps. Return: 0; -ENOMEM.
 */
int etw_process_rundown(struct etw_rundown *rundown, enum etw_rundown_phase phase)
{
	u32 masks = rundown->masks.masks[0];
	struct etw_task_list list;
	struct walk *walk;
	int err;

	if (phase == ETW_RUNDOWN_END_NAMES ||
	    !(masks & (PERF_PROC_THREAD | PERF_LOADER | PERF_PROCESS_COUNTERS)))
		return 0;
	walk = kvzalloc(sizeof(*walk), ETW_GFP_BUFFER);
	if (!walk) {
		pr_warn("session %u: no memory for the rundown\n", rundown->sink->id);
		return -ENOMEM;
	}
	walk->rundown = rundown;
	walk->end = phase == ETW_RUNDOWN_END;
	walk->processes = masks & PERF_PROCESS;
	walk->threads = masks & PERF_THREAD;
	walk->counters = walk->end && masks & PERF_PROCESS_COUNTERS;
	walk->images.wanted = masks & PERF_LOADER;
	walk->images.end = walk->end;
	walk->limit = min_t(u32, sizeof(walk->payload), etw_sink_payload_limit(rundown->sink));
	err = etw_task_list_take(&list);
	if (!err) {
		walk_tasks(walk, &list);
		etw_task_list_drop(&list);
	}
	kvfree(walk);
	if (err)
		pr_warn("session %u: no memory for the rundown\n", rundown->sink->id);
	return err;
}
