// SPDX-License-Identifier: GPL-2.0
/* Images that are there when a session starts or stops: 1403, 1404, 1421. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/file.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include "../decorate/rundown.h"
#include "../decorate/sink.h"
#include "../record/thread_ids.h"
#include "image_kernel.h"
#include "image_rundown.h"
#include "image_table.h"
#include "image_user.h"
#include "kernel_address.h"
#include "process_values.h"
#include "rundown_tasks.h"

static int write_image(struct etw_rundown *rundown, struct etw_image_walk *walk,
		       enum etw_rundown_header header, const struct etw_image *image,
		       const char *name)
{
	u32 room = min_t(u32, ETW_IMAGE_PAYLOAD, etw_sink_room(rundown->sink));
	u16 hook_id = walk->end ? WMI_LOG_TYPE_IMAGE_DC_END : WMI_LOG_TYPE_IMAGE_DC_START;

	return etw_rundown_write(rundown, hook_id, WMI_IMAGE_VERSION, header, walk->payload,
				 etw_image_layout(walk->payload, room, image, name));
}

/*
 * The lock is held for a step only: writing a record may wait for a reader, who
 * may be this very process. What is told is entered in the table under the lock,
 * so that its end isn't missed; an end that comes before its record is in the
 * stream is told early. The file comes with a reference.
 */
static bool step(struct etw_image_walk *walk, struct task_struct *task, struct mm_struct *mm,
		 unsigned long *from, struct etw_user_image *found)
{
	bool more;

	if (!etw_mm_lock(mm))
		return false;
	more = etw_user_image_next(mm, from, found);
	if (more) {
		found->image.process_id = etw_process_id(task);
		get_file(found->file);
		if (!walk->end)
			etw_image_table_add(mm, found);
	}
	up_read(&mm->mmap_lock);
	return more;
}

static bool images_of(struct etw_rundown *rundown, struct etw_image_walk *walk,
		      struct task_struct *task)
{
	struct mm_struct *mm = get_task_mm(task);
	struct etw_user_image found;
	unsigned long from = 0;

	if (!mm)
		return false;
	while (step(walk, task, mm, &from, &found)) {
		write_image(rundown, walk, ETW_RUNDOWN_PERFINFO, &found.image,
			    etw_user_image_name(found.file, walk->path));
		fput(found.file);
	}
	mmput(mm);
	return true;
}

/**
 * etw_rundown_user_images() - images of a process
 * @rundown: where to
 * @walk: how
 * @entry: threads of the process
 * @count: how many
 *
 * Of the first thread that has an address space: others may have ended.
 * Context: process; sleeps.
 */
void etw_rundown_user_images(struct etw_rundown *rundown, struct etw_image_walk *walk,
			     const struct etw_task_entry *entry, u32 count)
{
	for (; walk->wanted && count; count--, entry++)
		if (images_of(rundown, walk, entry->task))
			break;
}

static bool knows_system_calls(void)
{
	return etw_kernel_address(ETW_SYSTEM_CALLS) &&
	       (!IS_ENABLED(CONFIG_COMPAT) || etw_kernel_address(ETW_SYSTEM_CALLS_32));
}

/*
 * Numbers of system calls stand for their functions' addresses where those can't be
 * had or aren't shown: something that is named has to be there. x86 has no table for
 * programs of 32 bits any more, only code.
 */
static void write_system_calls(struct etw_rundown *rundown, struct etw_image_walk *walk)
{
	static const struct etw_image image = {
		.base = ETW_SYSCALL_IMAGE,
		.size = 2 * (ETW_SYSCALL_IMAGE_COMPAT - ETW_SYSCALL_IMAGE),
	};

	if (!rundown->sink->addresses || !knows_system_calls())
		write_image(rundown, walk, ETW_RUNDOWN_SYSTEM, &image, "syscalls");
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
	write_image(rundown, walk, ETW_RUNDOWN_SYSTEM, &image, "vmlinux");
}

/**
 * etw_rundown_kernel_images() - the kernel and its modules
 * @rundown: where to
 * @walk: how
 *
 * They follow the threads of System, or at the end stand before them. Their
 * addresses are for sessions that show them; others get none of it, since an image
 * at 0 would be worse than none. Without memory the modules are missing, and the
 * log says so.
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
	for (i = 0; i < images.count; i++)
		write_image(rundown, walk, ETW_RUNDOWN_SYSTEM, &images.entries[i].image,
			    images.entries[i].name);
	etw_kernel_images_drop(&images);
}
