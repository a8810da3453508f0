// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Images that exist when a session starts or stops: 1403, 1404, 1421. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/container_of.h>
#include <linux/errno.h>
#include <linux/file.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include "context/rundown.h"
#include "context/sink.h"
#include "record/thread_ids.h"
#include "image_kernel.h"
#include "image_rundown.h"
#include "image_table.h"
#include "image_user.h"
#include "source/kernel_address.h"
#include "source/process_values.h"
#include "source/rundown/rundown_space.h"
#include "source/rundown/rundown_tasks.h"

static int write_image(struct etw_rundown *rundown, struct etw_image_walk *walk,
		       enum etw_rundown_header header, const struct etw_image *image,
		       const char *name, bool (*still)(const void *walk))
{
	u32 limit = min_t(u32, ETW_IMAGE_PAYLOAD, etw_sink_payload_limit(rundown->sink));
	const struct etw_rundown_record record = {
		.hook_id = walk->end ? WMI_LOG_TYPE_IMAGE_DC_END : WMI_LOG_TYPE_IMAGE_DC_START,
		.version = WMI_IMAGE_VERSION,
		.header = header,
		.payload = walk->payload,
		.size = etw_image_layout(walk->payload, limit, image, name),
		.still = still,
		.what = walk,
	};

	return etw_rundown_write_record(rundown, &record);
}

static void write_kernel_image(struct etw_rundown *rundown, struct etw_image_walk *walk,
			       const struct etw_image *image, const char *name)
{
	write_image(rundown, walk, ETW_RUNDOWN_SYSTEM, image, name, NULL);
}

/*
 * The probe that records an image's end removes it from the table first. An image that the
 * table had no slot for has no end record. While the rundown holds a process's address
 * space, the process's end removes no image.
 */
static bool is_mapped(const void *what)
{
	const struct etw_image_walk *walk = what;

	return etw_space_is_there(&walk->space) &&
	       (!walk->known || etw_image_table_has(walk->space.mm, &walk->found));
}

/*
 * An image is entered in the table under the lock, so that its end is not missed.
 * @walk->found.file has a reference, if there is one. Returns as a step does; -EINPROGRESS: none
 * was found so far.
 */
static int find_image(struct etw_rundown *rundown, struct etw_image_walk *walk)
{
	struct etw_user_image *found = &walk->found;
	struct etw_space_walk *space = &walk->space;
	int err;

	if (!etw_mm_lock(rundown, space->mm))
		return -ETIME;
	err = etw_space_is_there(space) ?
	      etw_user_image_next(space->mm, &space->from, found, ETW_SPACE_STEP) : -ESRCH;
	if (!err) {
		found->image.process_id = etw_process_id(space->task);
		if (found->file)
			get_file(found->file);
		if (!walk->end)
			etw_image_table_add(space->mm, found);
		walk->known = etw_image_table_has(space->mm, found);
	}
	up_read(&space->mm->mmap_lock);
	return err;
}

/* An image that could not be recorded is looked for again. */
static int write_found(struct etw_rundown *rundown, struct etw_space_walk *space)
{
	struct etw_image_walk *walk = container_of(space, struct etw_image_walk, space);
	unsigned long from = space->from;
	int err = find_image(rundown, walk);

	if (err)
		return err == -EINPROGRESS ? 0 : err;
	err = write_image(rundown, walk, ETW_RUNDOWN_PERFINFO, &walk->found.image,
			  etw_user_image_name(walk->found.file, walk->path), is_mapped);
	if (walk->found.file)
		fput(walk->found.file);
	if (err != -EAGAIN && (err != -ESTALE || etw_space_is_there(space)))
		return 0;
	space->from = from;
	return err == -EAGAIN ? err : -ESRCH;
}

/**
 * etw_rundown_user_images() - write the images of a process
 * @rundown: destination
 * @walk: state of the rundown
 * @entry: threads of the process
 * @count: number of threads
 *
 * Context: process; sleeps.
 */
void etw_rundown_user_images(struct etw_rundown *rundown, struct etw_image_walk *walk,
			     const struct etw_task_entry *entry, u32 count)
{
	if (walk->wanted)
		etw_space_walk(rundown, &walk->space, entry, count, write_found);
}

/* If no module was unloaded since, this one is still loaded. */
static bool is_loaded(const void *what)
{
	const struct etw_image_walk *walk = what;

	return etw_modules_gone() == walk->gone;
}

static void write_module(struct etw_rundown *rundown, struct etw_image_walk *walk,
			 const struct etw_kernel_image *entry)
{
	int err;

	do {
		etw_rundown_wait(rundown);
		walk->gone = etw_modules_gone();
		if (!etw_module_is_loaded(entry))
			break;
		err = write_image(rundown, walk, ETW_RUNDOWN_SYSTEM, &entry->image, entry->name,
				  is_loaded);
	} while (err == -ESTALE || err == -EAGAIN);
}

static bool knows_system_calls(void)
{
	return etw_kernel_address(ETW_SYSTEM_CALLS) &&
	       (!IS_ENABLED(CONFIG_COMPAT) || etw_kernel_address(ETW_SYSTEM_CALLS_32));
}

/*
 * If function addresses of system calls are not available or not shown, system call numbers
 * replace them, and need an image to belong to. x86 no longer has a table for 32-bit
 * programs, only code.
 */
static void write_system_calls(struct etw_rundown *rundown, struct etw_image_walk *walk)
{
	static const struct etw_image image = {
		.base = ETW_SYSCALL_IMAGE,
		.size = 2 * (ETW_SYSCALL_IMAGE_COMPAT - ETW_SYSCALL_IMAGE),
	};

	if (!rundown->sink->addresses || !knows_system_calls())
		write_kernel_image(rundown, walk, &image, "syscalls");
}

static void write_vmlinux(struct etw_rundown *rundown, struct etw_image_walk *walk)
{
	struct etw_image image;

	if (!etw_vmlinux_image(&image))
		return;
	if (walk->end)
		etw_rundown_write(rundown, WMI_LOG_TYPE_IMAGE_KERNEL_BASE,
				  WMI_IMAGE_KERNEL_BASE_VERSION, ETW_RUNDOWN_PERFINFO,
				  &image.base, sizeof(image.base));
	write_kernel_image(rundown, walk, &image, "vmlinux");
}

/**
 * etw_rundown_kernel_images() - write the images of the kernel and its modules
 * @rundown: destination
 * @walk: state of the rundown
 *
 * They follow the threads of System, or precede them at the end. Only sessions
 * that show addresses get them, since an image at address 0 would be worse than none. If
 * memory is short, the modules are missing and the log contains a warning.
 *
 * Context: process; sleeps.
 */
void etw_rundown_kernel_images(struct etw_rundown *rundown, struct etw_image_walk *walk)
{
	struct etw_kernel_images images;
	u32 i;

	if (!walk->wanted)
		return;
	write_system_calls(rundown, walk);
	if (!rundown->sink->addresses)
		return;
	write_vmlinux(rundown, walk);
	if (etw_kernel_images_take(&images)) {
		pr_warn("session %u: no memory for the rundown of modules\n",
			rundown->sink->id);
		return;
	}
	for (i = 0; i < images.count && etw_rundown_goes_on(rundown); i++)
		write_module(rundown, walk, &images.entries[i]);
	etw_rundown_cut(rundown, images.count - i);
	etw_kernel_images_drop(&images);
}
