// SPDX-License-Identifier: GPL-2.0
/* What was there before the first event and is there after the last one. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include "../compat.h"
#include "../decorate/decoration.h"
#include "../etw.h"
#include "../record/records.h"
#include "../source/file_key.h"
#include "../source/image_rundown.h"
#include "../source/process_counters.h"
#include "../source/process_table.h"
#include "../source/process_values.h"
#include "../source/rundown.h"
#include "../source/samplers.h"
#include "../source/system_config.h"

#define VERSION_HEADER	2

/* How often something that changes while it is told is looked at */
#define TRIES	4

/**
 * struct walk - a rundown of processes and threads
 * @rundown: where it writes
 * @end: DCEnd, not DCStart
 * @processes: wanted
 * @threads: wanted
 * @counters: wanted; only at the end
 * @images: a rundown of images
 * @room: bytes of payload that fit
 * @task: who is told of
 * @thread: it, as a thread
 * @image: a process's image name
 * @command: its command line
 * @payload: the payload under way
 */
struct walk {
	struct etw_rundown *rundown;
	bool end;
	bool processes;
	bool threads;
	bool counters;
	struct etw_image_walk images;
	u32 room;
	struct task_struct *task;
	struct etw_thread_fields thread;
	char image[ETW_IMAGE_NAME];
	char command[ETW_COMMAND_TEXT];
	u8 payload[ETW_PROCESS_PAYLOAD] __aligned(8);
};

static int write_masks(struct etw_rundown *rundown, u16 hook_id,
		       const struct perfinfo_groupmask *masks)
{
	struct etw_kernel_header_extension extension = {
		.kernel_event_version = ETW_KERNEL_EVENT_VERSION,
	};

	if (masks)
		memcpy(extension.masks, masks->masks, sizeof(extension.masks));
	return etw_rundown_write(rundown, hook_id, VERSION_HEADER, ETW_RUNDOWN_PERFINFO,
				 &extension, sizeof(extension));
}

static int write_complete(struct etw_rundown *rundown)
{
	return etw_rundown_write(rundown, WMI_LOG_TYPE_RUNDOWN_COMPLETE, VERSION_HEADER,
				 ETW_RUNDOWN_PERFINFO, "", 0);
}

static int write_process(struct walk *walk, const struct etw_process_fields *process,
			 const struct etw_process_identity *identity,
			 bool (*still)(const void *walk))
{
	struct etw_rundown_record record = {
		.hook_id = walk->end ? WMI_LOG_TYPE_PROCESS_DC_END : WMI_LOG_TYPE_PROCESS_DC_START,
		.version = WMI_PROCESS_VERSION,
		.header = ETW_RUNDOWN_PERFINFO,
		.payload = walk->payload,
		.size = etw_process_layout(walk->payload, walk->room, process),
		.still = still,
		.what = walk,
	};

	if (process->defunct) {
		record.hook_id = WMI_LOG_TYPE_PROCESS_DEFUNCT;
		record.version = WMI_PROCESS_DEFUNCT_VERSION;
	}
	etw_process_set_keys(walk->payload, walk->rundown->session, identity);
	return etw_rundown_tell(walk->rundown, &record);
}

/* It has not begun to end, and has no other name. */
static bool is_same_thread(const void *what)
{
	const struct walk *walk = what;

	if (READ_ONCE(walk->task->flags) & PF_EXITING)
		return false;
	/* a name that changes under us is another one, as good as any that differs */
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
		.size = etw_thread_layout(walk->payload, walk->room, &thread->fixed, thread->name),
		.still = still,
		.what = walk,
	};

	etw_thread_set_addresses(walk->payload, walk->rundown->session, thread);
	return etw_rundown_tell(walk->rundown, &record);
}

/* What the table doesn't know yet began before us: its Stop will need it. */
static void find_image(struct walk *walk, struct task_struct *task, struct mm_struct *mm)
{
	if (etw_image_get(task->tgid, walk->image))
		return;
	if (mm && etw_executable_name(mm, walk->image))
		etw_image_learn(task->tgid, walk->image);
	else
		etw_task_comm(task, walk->image, sizeof(walk->image));
}

/*
 * It lives, and no exec has told another image: that is in the table first. An exec
 * under way has not, and its end of the old image follows.
 */
static bool is_same_process(const void *what)
{
	const struct walk *walk = what;
	char image[ETW_IMAGE_NAME];

	return atomic_read(&walk->task->signal->live) &&
	       (!etw_image_get(walk->task->tgid, image) || !strcmp(image, walk->image));
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
	find_image(walk, task, mm);
	process.image = walk->image;
	process.command = walk->command;
	if (mm) {
		process.command_length = etw_command_line(mm, walk->command);
		mmput(mm);
	}
	if (defunct) {
		process.fixed.exit_status = etw_group_exit_status(task);
		process.defunct = true;
		process.exit_time = etw_image_ended(task->tgid);
	}
	return write_process(walk, &process, &identity, defunct ? NULL : is_same_process);
}

/* One that ends, or execs as often as we look, tells of itself. */
static void user_process_now(struct walk *walk, struct task_struct *task)
{
	int tries = TRIES;

	walk->task = task;
	do {
		etw_rundown_wait(walk->rundown);
		if (!atomic_read(&task->signal->live))
			break;
	} while (user_process(walk, false) == -ESTALE && --tries);
}

static void process_record(struct walk *walk, const struct etw_task_entry *first)
{
	struct etw_process_identity identity;
	struct etw_process_fields process;

	if (!walk->processes)
		return;
	if (!(first->task->flags & PF_KTHREAD)) {
		user_process_now(walk, first->task);
		return;
	}
	etw_process_fill_kernel(ETW_SYSTEM_PROCESS_ID, &process, &identity);
	write_process(walk, &process, &identity, NULL);
}

/* A thread that has begun to end has, or will have, its Thread Stop. */
static void thread_now(struct walk *walk, struct task_struct *task)
{
	int tries = TRIES;

	walk->task = task;
	do {
		etw_rundown_wait(walk->rundown);
		if (READ_ONCE(task->flags) & PF_EXITING)
			break;
		task_lock(task);	/* keeps mm and io_context */
		etw_thread_fill(task, false, &walk->thread);
		task_unlock(task);
	} while (write_thread(walk, is_same_thread) == -ESTALE && --tries);
}

static void thread_records(struct walk *walk, const struct etw_task_entry *entry, u32 count)
{
	for (; walk->threads && count; count--, entry++)
		thread_now(walk, entry->task);
}

/* Starts tell the process first, ends tell it last. (kernel-events.md 10.1) */
static void one_process(struct walk *walk, const struct etw_task_entry *entry, u32 count)
{
	bool kernel = entry->task->flags & PF_KTHREAD;

	/* it had its Process Stop */
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

/* Processes that ended and that nobody waited for yet */
static void zombies(struct walk *walk, const struct etw_task_list *list)
{
	u32 i;

	for (i = 0; walk->processes && i < list->count; i++) {
		struct task_struct *task = list->entries[i].task;

		if (READ_ONCE(task->exit_state) == EXIT_ZOMBIE && thread_group_leader(task) &&
		    !atomic_read(&task->signal->live)) {
			walk->task = task;
			user_process(walk, true);
		}
	}
}

static void walk_tasks(struct walk *walk, const struct etw_task_list *list)
{
	u32 first, end;

	idle_process(walk);
	for (first = 0; first < list->count; first = end) {
		end = etw_task_list_process(list, first);
		one_process(walk, &list->entries[first], end - first);
	}
	if (walk->end)
		zombies(walk, list);
}

/*
 * Only what the session's masks ask for. Without memory the trace stays
 * without names, which is better than no trace; the closing mark is missing
 * then, and the log says why.
 */
static int walk_all(struct etw_rundown *rundown, const struct perfinfo_groupmask *masks,
		    bool end)
{
	struct etw_session *session = rundown->session;
	struct etw_task_list list;
	struct walk *walk;
	int err;

	if (!(masks->masks[0] & (PERF_PROC_THREAD | PERF_LOADER | PERF_PROCESS_COUNTERS)))
		return 0;
	walk = kvzalloc(sizeof(*walk), GFP_KERNEL);
	if (!walk) {
		pr_warn("session %u: no memory for the rundown\n", session->id);
		return -ENOMEM;
	}
	walk->rundown = rundown;
	walk->end = end;
	walk->processes = masks->masks[0] & PERF_PROCESS;
	walk->threads = masks->masks[0] & PERF_THREAD;
	walk->counters = end && masks->masks[0] & PERF_PROCESS_COUNTERS;
	walk->images.wanted = masks->masks[0] & PERF_LOADER;
	walk->images.end = end;
	walk->room = min_t(u32, sizeof(walk->payload), etw_process_room(session));
	err = etw_task_list_take(&list);
	if (!err) {
		walk_tasks(walk, &list);
		etw_task_list_drop(&list);
	}
	kvfree(walk);
	if (err)
		pr_warn("session %u: no memory for the rundown\n", session->id);
	return err;
}

/**
 * etw_rundown_request() - a rundown, soon
 * @session: not stopped; may be asked again before it is done
 * @what: ETW_RUNDOWN_*; 0: only the masks, which have changed
 *
 * Context: any but NMI.
 */
void etw_rundown_request(struct etw_session *session, u32 what)
{
	atomic_or(what, &session->rundown_due);
	queue_work(etw_unbound_wq, &session->rundown_work);
}

/* What the stream knows, and what it is told now */
static void change_masks(struct etw_rundown *rundown, struct perfinfo_groupmask *masks)
{
	struct etw_session *session = rundown->session;

	mutex_lock(&session->settings_lock);
	*masks = session->masks;
	mutex_unlock(&session->settings_lock);
	write_masks(rundown, WMI_LOG_TYPE_GROUP_MASKS_END, &session->told_masks);
	write_masks(rundown, WMI_LOG_TYPE_HEADER_EXTENSION, masks);
	session->told_masks = *masks;
}

/* What a session's files are called; more are told as they are seen. */
static void name_files(struct etw_rundown *rundown, const struct perfinfo_groupmask *masks)
{
	if (!(masks->masks[0] & PERF_FILENAME))
		return;
	etw_file_names_learn();
	etw_file_names_rundown(rundown, PERFINFO_LOG_TYPE_FILENAME);
}

/**
 * etw_rundown_work() - what is there when a session starts, or is asked
 * @work: session->rundown_work
 *
 * Its sources are attached already, so nothing that begins meanwhile is
 * missed; it may be told twice. The system configuration follows; the stop
 * rundown repeats it, as a trace in overwrite mode has lost it by then.
 * (kernel-events.md 10.1, 10.2)
 *
 * Context: workqueue; sleeps; STOP waits for its end.
 */
void etw_rundown_work(struct work_struct *work)
{
	struct etw_session *session = container_of(work, struct etw_session, rundown_work);
	struct etw_rundown rundown = { .session = session, .unhurried = true };
	u32 due = atomic_xchg(&session->rundown_due, 0);
	struct perfinfo_groupmask masks;

	if (!session->kernel)
		return;
	if (due & ETW_RUNDOWN_PROFILE)
		etw_profile_describe(&rundown, PERFINFO_LOG_TYPE_COLLECTION_START);
	change_masks(&rundown, &masks);
	if (due & ETW_RUNDOWN_NAMES) {
		bool complete = !walk_all(&rundown, &masks, false) &&
				!etw_rundown_memory(&rundown, &masks, false);

		name_files(&rundown, &masks);
		etw_rundown_stack_keys(&rundown, session->decoration);
		if (complete)
			write_complete(&rundown);
	}
	if (due & ETW_RUNDOWN_CONFIG)
		etw_system_config(session);
}

/*
 * Topology stands before, the machine's description after the closing mark,
 * as in Windows 10. (kernel-events.md 10.1)
 */
static void write_end(struct etw_rundown *rundown)
{
	struct etw_session *session = rundown->session;
	int err;

	write_masks(rundown, WMI_LOG_TYPE_GROUP_MASKS_END, &session->masks);
	err = walk_all(rundown, &session->masks, true);
	if (!err)
		err = etw_rundown_memory(rundown, &session->masks, true);
	etw_system_config_topology(rundown);
	if (session->masks.masks[0] & PERF_FILENAME)
		etw_file_names_rundown(rundown, PERFINFO_LOG_TYPE_FILENAME_RUNDOWN);
	write_masks(rundown, WMI_LOG_TYPE_HEADER_EXTENSION, NULL);
	if (!err)
		write_complete(rundown);
	etw_system_config_machine(rundown);
}

/* Settings are told with or without a rundown of what there is. */
static void write_last(struct etw_rundown *rundown)
{
	if (!rundown->session->kernel)
		return;
	etw_profile_describe(rundown, PERFINFO_LOG_TYPE_COLLECTION_END);
	if (rundown->session->rundown)
		write_end(rundown);
}

/**
 * etw_rundown_start() - what counts and samples, told at once
 * @session: starts; its rings are empty
 *
 * Context: process, under session->lock; sleeps.
 */
void etw_rundown_start(struct etw_session *session)
{
	struct etw_rundown rundown = { .session = session };

	if (session->kernel)
		etw_profile_describe(&rundown, PERFINFO_LOG_TYPE_COLLECTION_START);
}

/**
 * etw_rundown_stop() - what is there when a session stops
 * @session: its sources are still attached
 *
 * Context: process, under session->lock; sleeps; about 2 s at most when
 * nobody reads, until session->stop_limit when somebody reads slowly.
 */
void etw_rundown_stop(struct etw_session *session)
{
	struct etw_rundown rundown = { .session = session };

	write_last(&rundown);
}

/**
 * etw_rundown_into() - what is there at the end, into a ring of its own
 * @session: the ring's: a copy, or one that stops
 * @ring: where to; grows, and has no other writer
 * @decoration: that of the session, of a copy the original's; or NULL
 *
 * Context: process; sleeps. The session's sources, or the original's, are there.
 */
void etw_rundown_into(struct etw_session *session, struct etw_ring *ring,
		      struct etw_decoration *decoration)
{
	struct etw_rundown rundown = { .session = session, .ring = ring };

	/* the ring is that CPU's to readers, and so are its losses */
	if (ring == session->stop_ring)
		rundown.losses = per_cpu_ptr(session->rings, ring->cpu);
	write_last(&rundown);
	etw_rundown_stack_keys(&rundown, decoration);
}
