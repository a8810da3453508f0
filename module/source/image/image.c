// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Load and unload of programs, libraries and modules: 030A, 1402. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/binfmts.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/sched/signal.h>
#include <trace/events/module.h>
#include <trace/events/sched.h>
#include "compat.h"
#include "context/unwind_spaces.h"
#include "context/unwind_walk.h"
#include "source/function_probe.h"
#include "image_kernel.h"
#include "image_table.h"
#include "image_user.h"
#include "source/probe.h"
#include "source/process_values.h"
#include "source/source.h"
#include "source/write.h"

ETW_SOURCE_DECLARE(image);

/**
 * struct image_scratch - buffers for a probe's records
 * @path: of a file
 * @payload: the payload under way
 *
 * One per CPU is enough: all probes here run in task context with preemption off. Neither
 * what they call nor an interrupt maps anything.
 */
struct image_scratch {
	char path[PATH_MAX];
	u8 payload[ETW_IMAGE_PAYLOAD] __aligned(8);
};

static DEFINE_PER_CPU(struct image_scratch *, image_scratch);

/* Address spaces that were locked when their images were to be recorded */
static atomic64_t busy;

/**
 * struct image_record - an image record
 * @hook_id: hook id
 * @ids: of the thread in the header
 * @image: values
 * @kernel: a kernel image: only for sessions that may see addresses, whatever the process
 */
struct image_record {
	u16 hook_id;
	struct etw_system_ids ids;
	struct etw_image image;
	bool kernel;
};

/* Preemption is off. */
static void write_event(const struct image_record *record, const char *name)
{
	u8 *to = (*this_cpu_ptr(&image_scratch))->payload;
	struct etw_event event = {
		.hook_id = record->hook_id,
		.version = WMI_IMAGE_VERSION,
		.no_process = record->kernel,
		.wanted = ETW_WANTED_ANY,
		.process_id = record->image.process_id,
		.ids = &record->ids,
		.payload = { .data = to },
	};
	const struct etw_listeners *listeners = etw_listeners_of(&etw_source_image);
	const struct etw_listener *listener = NULL;

	while ((listener = etw_next_wanting(listeners, listener, &event))) {
		u32 space = min_t(u32, ETW_IMAGE_PAYLOAD, etw_sink_payload_limit(listener->sink));

		if (record->kernel && !listener->sink->addresses)
			continue;
		event.payload.size = etw_image_layout(to, space, &record->image, name);
		etw_write(listener, &event);
	}
}

static void write_of_file(const struct image_record *record, const struct file *file)
{
	struct image_scratch *scratch = *this_cpu_ptr(&image_scratch);

	write_event(record, etw_user_image_name(file, scratch->path));
}

/*
 * mmap_lock is held for writing, or no other thread uses the address space yet. The load of an
 * image without a place in the table is lost: otherwise it would be recorded again at the next
 * change of the mapping, and the image would seem to stay until its process ends.
 *
 * @unknown: the caller has looked for the image in the table, and it is not there
 */
static void load(struct mm_struct *mm, struct etw_user_image *found,
		 const struct etw_system_ids *ids, bool unknown)
{
	struct image_record record = { .hook_id = WMI_LOG_TYPE_PROCESS_LOAD_IMAGE, .ids = *ids };

	found->image.process_id = ids->process_id;
	if (!(unknown ? etw_image_table_add_new(mm, found) : etw_image_table_add(mm, found)))
		return;
	record.image = found->image;
	write_of_file(&record, found->file);
}

/*
 * A mapping is new, or has new access rights. During exec, the old program's end is still
 * to be recorded: the new images follow after Process Start.
 */
static int at_mapping(struct kprobe *probe, struct pt_regs *regs)
{
	struct vm_area_struct *vma = (void *)regs_get_kernel_argument(regs, 0);
	struct etw_user_image found;
	struct etw_system_ids ids;

	if (!(vma->vm_flags & VM_EXEC) || !vma->vm_file || current->in_execve)
		return 0;
	etw_unwind_mapping_changed(vma->vm_mm, false);
	if (!etw_listeners_of(&etw_source_image) || !etw_user_image_of(vma, &found) ||
	    etw_image_table_has(vma->vm_mm, &found))
		return 0;
	etw_system_ids_current(&ids);
	load(vma->vm_mm, &found, &ids, true);
	return 0;
}

/* The file still exists. The thread that unmaps, or ends, records it for the image's process. */
static void unload(struct vm_area_struct *vma)
{
	struct image_record record = { .hook_id = WMI_LOG_TYPE_IMAGE_UNLOAD };
	const struct inode *inode = vma->vm_file ? file_inode(vma->vm_file) : NULL;
	bool more = true;

	if (!etw_may_be_image(vma))
		return;
	if (vma->vm_flags & VM_EXEC)
		etw_unwind_mapping_changed(vma->vm_mm, true);
	while (more && etw_image_table_take(vma->vm_mm, inode, vma->vm_start, vma->vm_end,
					    &record.image, &more)) {
		etw_system_ids_current(&record.ids);
		write_of_file(&record, vma->vm_file);
	}
}

static int at_unlink(struct kprobe *probe, struct pt_regs *regs)
{
	unload((void *)regs_get_kernel_argument(regs, 0));
	return 0;
}

static int at_unlink_batch(struct kprobe *probe, struct pt_regs *regs)
{
	unload((void *)regs_get_kernel_argument(regs, 1));
	return 0;
}

/*
 * Records all images of a process that has just begun or executed another program. No
 * other thread uses its address space yet, except readers of /proc and a vfork() parent.
 */
static void load_all(struct task_struct *task, struct mm_struct *mm)
{
	struct etw_user_image found;
	struct etw_system_ids ids;
	unsigned long from = 0;

	/* the worker mostly knows the mappings before the program's first stack */
	if (etw_unwind_is_on())
		etw_unwind_space_request(mm);
	if (!down_read_trylock(&mm->mmap_lock)) {
		atomic64_inc(&busy);
		return;
	}
	etw_system_ids_of(task, &ids);
	while (!etw_user_image_next(mm, &from, &found, U32_MAX))
		load(mm, &found, &ids, false);
	up_read(&mm->mmap_lock);
}

/* Called in the parent, before the child runs. The child begins with its parent's images. */
ETW_PROBE(sched_process_fork,
	  TP_PROTO(struct task_struct *parent, struct task_struct *child),
	  TP_ARGS(parent, child))
{
	if (!thread_group_leader(child) || etw_is_kthread(child) || !child->mm)
		return;
	if (etw_listeners_of(source))
		load_all(child, child->mm);
}

ETW_PROBE(sched_process_exec,
	  TP_PROTO(struct task_struct *task, pid_t old_pid, struct linux_binprm *bprm),
	  TP_ARGS(task, old_pid, bprm))
{
	if (etw_listeners_of(source) && task->mm)
		load_all(task, task->mm);
}

static void write_of_module(const struct module *module, u16 hook_id)
{
	struct image_record record = { .hook_id = hook_id, .kernel = true };
	char name[ETW_KERNEL_IMAGE_NAME];

	if (!etw_listeners_of(&etw_source_image))
		return;
	etw_module_image(module, &record.image, name);
	etw_system_ids_current(&record.ids);
	record.ids.process_id = 0;
	write_event(&record, name);
}

/* Called before the module's first function runs */
ETW_PROBE(module_load, TP_PROTO(struct module *module), TP_ARGS(module))
{
	write_of_module(module, WMI_LOG_TYPE_PROCESS_LOAD_IMAGE);
}

/* Called after the module's last function, also if its init failed */
ETW_PROBE(module_free, TP_PROTO(struct module *module), TP_ARGS(module))
{
	etw_module_goes();
	write_of_module(module, WMI_LOG_TYPE_IMAGE_UNLOAD);
}

/* One of the last two unlinks a mapping from its file, depending on the kernel version */
static struct etw_function_probe functions[] = {
	{ .symbol = "perf_event_mmap", .entry = at_mapping },
	{ .symbol = "unlink_file_vma", .entry = at_unlink, .one_of = true },
	{ .symbol = "unlink_file_vma_batch_add", .entry = at_unlink_batch, .one_of = true },
};

static void free_scratch(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		kvfree(per_cpu(image_scratch, cpu));
		per_cpu(image_scratch, cpu) = NULL;
	}
}

static void unprepare(struct etw_source *source)
{
	free_scratch();
	etw_image_table_unprepare();
	if (atomic64_read(&busy))
		pr_info("images: missing for %lld busy processes\n", atomic64_read(&busy));
}

static int make_scratch(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		per_cpu(image_scratch, cpu) = kvmalloc_node(sizeof(struct image_scratch),
							    GFP_KERNEL, cpu_to_node(cpu));
		if (!per_cpu(image_scratch, cpu)) {
			free_scratch();
			return -ENOMEM;
		}
	}
	return 0;
}

static u64 missed(const struct etw_source *source)
{
	return etw_image_table_missed();
}

static int prepare(struct etw_source *source)
{
	int err = etw_image_table_prepare();

	if (err)
		return err;
	atomic64_set(&busy, 0);
	err = make_scratch();
	if (err)
		etw_image_table_unprepare();
	return err;
}

ETW_SOURCE(ETW_ORDER_ANY, image) = {
	.name = "image",
	.groups = ETW_GROUPS(PERF_LOADER),
	.hooks = ETW_HOOKS(WMI_LOG_TYPE_PROCESS_LOAD_IMAGE, WMI_LOG_TYPE_IMAGE_UNLOAD),
	.functions = functions,
	.nr_functions = ARRAY_SIZE(functions),
	/* After the process probes, whichever is attached first: Process Start comes first */
	.points = ETW_POINTS({ .probe = &probe_sched_process_fork, .last = true },
			     { .probe = &probe_sched_process_exec, .last = true },
			     { .probe = &probe_module_load },
			     { .probe = &probe_module_free }),
	.prepare = prepare,
	.unprepare = unprepare,
	.missed = missed,
};
