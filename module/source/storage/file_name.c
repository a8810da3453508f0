// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* File names: 0420 at first sight, 0423 on deletion, 0400, 0424. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/fdtable.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include "compat.h"
#include "context/rundown.h"
#include "record/utf16.h"
#include "file_name.h"
#include "file_table.h"
#include "source/function_probe.h"
#include "source/rundown/rundown_space.h"
#include "source/rundown/rundown_tasks.h"
#include "source/source.h"
#include "source/write.h"

ETW_SOURCE_DECLARE(file_name);

/* UTF-16 of the longest name and its terminator */
#define NAME_UNITS	ETW_FILE_NAME_BYTES

/* Files of a process that are visited under its locks in one go */
#define FILES_AT_ONCE	64

/**
 * struct name_scratch - buffer for a name's payload
 * @busy: in use by code that may have been interrupted on this CPU
 * @text: UTF-16
 */
struct name_scratch {
	bool busy;
	u16 text[NAME_UNITS];
};

static DEFINE_PER_CPU(struct name_scratch, name_scratch);

static u32 to_wide(u16 *text, const char *name, u32 length)
{
	u32 units = etw_utf8_to_utf16(text, NAME_UNITS - 1, name, length);

	text[units++] = 0;
	return units * sizeof(u16);
}

/*
 * Whether a listener has a name that was recorded at a change of the listeners. A session that
 * overwrites may no longer have it.
 */
static bool has_name(const struct etw_listener *listener, u32 change)
{
	return etw_listened(listener, change) && !this_cpu_ptr(listener->rings)->overwrite;
}

/**
 * etw_file_name_is_recorded() - whether all sessions that want names have one
 * @change: number of the listeners' change when the name was recorded
 *
 * Context: any but NMI.
 */
bool etw_file_name_is_recorded(u32 change)
{
	const struct etw_listeners *listeners;
	bool all = true;
	u32 i;

	preempt_disable_notrace();
	listeners = etw_listeners_of(&etw_source_file_name);
	for (i = 0; all && listeners && i < listeners->count; i++)
		all = has_name(&listeners->listener[i], change);
	preempt_enable_notrace();
	return all;
}

/**
 * etw_file_name_record() - write a file name to all listeners that want names
 * @hook_id: PERFINFO_LOG_TYPE_FILENAME_CREATE or _DELETE
 * @claim: the claimed slot with the name, which does not change now; notes the record
 * @length: bytes of the name
 *
 * Listeners that had the name when the claim notes its last record do not get it again.
 * A name belongs to no process, so only hook filters leave it out. An interrupt that finds
 * its CPU's buffer in use writes nothing; the rundown contains the name.
 *
 * Context: any but NMI.
 */
void etw_file_name_record(u16 hook_id, struct etw_file_claim *claim, u32 length)
{
	struct etw_event event = {
		.hook_id = hook_id,
		.version = PERFINFO_FILENAME_VERSION,
		.no_process = true,
		.wanted = ETW_WANTED_ANY,
	};
	const struct etw_listeners *listeners;
	const struct etw_listener *listener = NULL;
	struct name_scratch *scratch;
	u64 key;

	preempt_disable_notrace();
	listeners = etw_listeners_of(&etw_source_file_name);
	scratch = this_cpu_ptr(&name_scratch);
	if (!listeners || scratch->busy)
		goto out;
	scratch->busy = true;
	barrier();	/* an interrupt sees busy before the text changes */
	event.payload = (struct etw_payload){
		.data = &key, .size = sizeof(key), .more = scratch->text,
		.more_size = to_wide(scratch->text, claim->name, length),
	};
	while ((listener = etw_next_wanting(listeners, listener, &event))) {
		if (claim->recorded && has_name(listener, claim->change))
			continue;
		key = etw_file_id_key(listener->sink, &claim->id);
		etw_write(listener, &event);
	}
	barrier();	/* busy stays set until the text has been read */
	scratch->busy = false;
	claim->recorded = true;
	claim->change = listeners->change;
out:
	preempt_enable_notrace();
}

#ifdef CONFIG_KPROBES

/* Every open calls this with its path, before the file system's own open(). */
static int on_open(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct file *file = (void *)regs_get_kernel_argument(regs, 0);

	etw_file_seen_at(etw_opened_inode(file, regs), etw_file_path(file));
	return 0;
}

/* An inode leaves memory. If it has no links, the file leaves its file system, too. */
static int on_clear_inode(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct inode *inode = (void *)regs_get_kernel_argument(regs, 0);

	if (!inode->i_nlink)
		etw_file_deleted(inode);
	return 0;
}

static struct etw_function_probe probes[] = {
	{ .symbol = "do_dentry_open", .entry = on_open },
	{ .symbol = "clear_inode", .entry = on_clear_inode },
};

#else
static struct etw_function_probe probes[0];
#endif

static int prepare(struct etw_source *source)
{
	return etw_file_names_get();
}

static void unprepare(struct etw_source *source)
{
	etw_file_names_put();
}

/* Files to visit before the process's locks are released, and where to continue */
struct file_walk {
	u32 left;
	unsigned int from;
};

/* Return: the descriptor to continue at, or 0. */
static int know_file(const void *data, struct file *file, unsigned int fd)
{
	struct file_walk *walk = (struct file_walk *)data;

	etw_file_known(file);
	return --walk->left ? 0 : fd + 1;
}

static int know_files(struct files_struct *files, void *data)
{
	const struct file_walk *walk = data;

	return iterate_fd(files, walk->from, know_file, walk);
}

/* Return: whether all of them were visited. */
static bool know_open_files(struct etw_rundown *rundown, struct task_struct *task)
{
	int next = 0;

	do {
		struct file_walk walk = { .left = FILES_AT_ONCE, .from = next };

		if (!etw_rundown_goes_on(rundown))
			return false;
		next = etw_process_files(task, know_files, &walk);
	} while (next);
	return true;
}

/* A step of etw_space_walk() */
static int know_some_mapped(struct etw_rundown *rundown, struct etw_space_walk *space)
{
	struct vma_iterator iterator;
	struct vm_area_struct *vma;
	u32 visited = 0;

	if (!etw_mm_lock(rundown, space->mm))
		return -ETIME;
	vma_iter_init(&iterator, space->mm, space->from);
	for_each_vma(iterator, vma) {
		if (visited++ == ETW_SPACE_STEP)
			break;
		space->from = vma->vm_end;
		if (vma->vm_file)
			etw_file_known(vma->vm_file);
	}
	up_read(&space->mm->mmap_lock);
	return vma ? 0 : -ENOENT;
}

/* Note the names of files that processes have open or mapped; writes no records. */
static void learn_names(struct etw_rundown *rundown)
{
	struct etw_space_walk space;
	struct etw_task_list list;
	u32 first, end;

	if (etw_task_list_take(&list)) {
		pr_warn("no memory to look for open files\n");
		return;
	}
	for (first = 0; first < list.count && etw_rundown_goes_on(rundown); first = end) {
		const struct etw_task_entry *entry = &list.entries[first];

		end = etw_task_list_process(&list, first);
		if (etw_is_kthread(entry->task))
			continue;
		if (!know_open_files(rundown, entry->task))
			break;
		etw_space_walk(rundown, &space, entry, end - first, know_some_mapped);
	}
	etw_rundown_cut(rundown, list.count - first);
	etw_task_list_drop(&list);
}

struct name_payload {
	u64 key;
	u16 text[NAME_UNITS];
};

/* Write all known names */
static void write_names(struct etw_rundown *rundown, u16 hook_id)
{
	struct etw_file_table *table = etw_file_table_get();
	struct {
		struct etw_file_entry entry;
		struct name_payload payload;
	} *work;
	u32 at = 0, size;

	if (!table)
		return;
	work = kmalloc(sizeof(*work), GFP_KERNEL);
	if (!work)
		pr_warn("session %u: no memory for names of files\n", rundown->sink->id);
	while (work && etw_file_table_next(table, &at, &work->entry)) {
		if (!etw_rundown_goes_on(rundown)) {
			etw_rundown_cut(rundown, 1);
			continue;
		}
		work->payload.key = etw_file_id_key(rundown->sink, &work->entry.id);
		size = to_wide(work->payload.text, work->entry.name, work->entry.length);
		etw_rundown_write(rundown, hook_id, PERFINFO_FILENAME_VERSION,
				  ETW_RUNDOWN_PERFINFO, &work->payload, sizeof(u64) + size);
	}
	kfree(work);
	etw_file_table_put(table);
}

/* Further names are written when first seen. The set need not be complete: names may go. */
static int rundown(struct etw_rundown *rundown, enum etw_rundown_phase phase)
{
	if (!etw_rundown_wants(rundown, PERF_FILENAME))
		return 0;
	if (phase == ETW_RUNDOWN_START) {
		learn_names(rundown);
		write_names(rundown, PERFINFO_LOG_TYPE_FILENAME);
	} else if (phase == ETW_RUNDOWN_END_NAMES) {
		write_names(rundown, PERFINFO_LOG_TYPE_FILENAME_RUNDOWN);
	}
	return 0;
}

ETW_SOURCE(ETW_ORDER_NAMES, file_name) = {
	.name = "file name",
	.groups = ETW_GROUPS(PERF_FILENAME),
	.hooks = ETW_HOOKS(PERFINFO_LOG_TYPE_FILENAME, PERFINFO_LOG_TYPE_FILENAME_CREATE,
			   PERFINFO_LOG_TYPE_FILENAME_DELETE, PERFINFO_LOG_TYPE_FILENAME_RUNDOWN),
	.functions = probes,
	.nr_functions = ARRAY_SIZE(probes),
	.prepare = prepare,
	.unprepare = unprepare,
	.rundown_groups = ETW_GROUPS(PERF_FILENAME),
	.rundown = rundown,
};
