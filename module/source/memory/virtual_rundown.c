// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Programs' own memory that exists when a session starts or stops: 0280, 0281. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/container_of.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/hugetlb.h>
#include <linux/mm.h>
#include <linux/mount.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/string.h>
#include "context/sink.h"
#include "record/thread_ids.h"
#include "source/rundown/rundown_space.h"
#include "source/rundown/rundown_tasks.h"
#include "virtual_rundown.h"

/* Mappings that are written while the lock is held */
#define STEP	16

/**
 * struct virtual_walk - a rundown of memory
 * @space: position in the address space
 * @hook_id: DCStart or DCEnd
 */
struct virtual_walk {
	struct etw_space_walk space;
	u16 hook_id;
};

/**
 * etw_has_own_huge_pages() - whether a mapping is of anonymous huge pages
 * @vma: a mapping; the caller holds its lock
 *
 * Such a mapping has an internal file without a path. Context: any.
 */
bool etw_has_own_huge_pages(struct vm_area_struct *vma)
{
	const struct file *file = vma->vm_file;

	return is_vm_hugetlb_page(vma) && file && file->f_path.mnt->mnt_flags & MNT_INTERNAL &&
	       !strcmp(file->f_path.dentry->d_name.name, HUGETLB_ANON_FILE);
}

/* As for 0262: private and anonymous */
static bool is_own(struct vm_area_struct *vma)
{
	return !(vma->vm_flags & VM_SHARED) && (!vma->vm_ops || etw_has_own_huge_pages(vma));
}

static bool is_there(const void *space)
{
	return etw_space_is_there(space);
}

static int write_area(struct etw_rundown *rundown, const struct virtual_walk *walk,
		      const struct vm_area_struct *vma)
{
	const struct perfinfo_virtual_alloc found = {
		.base = vma->vm_start,
		.size = vma->vm_end - vma->vm_start,
		.process_id = etw_process_id(walk->space.task),
		.flags = ETW_MEM_RESERVE | ETW_MEM_COMMIT,
		.commit_size = vma->vm_flags & (VM_READ | VM_WRITE | VM_EXEC) ?
			       vma->vm_end - vma->vm_start : 0,
	};
	const struct etw_rundown_record record = {
		.hook_id = walk->hook_id,
		.version = PERFINFO_VIRTUAL_ALLOC_VERSION,
		.header = ETW_RUNDOWN_SYSTEM,
		.payload = &found,
		.size = sizeof(found),
		.still = is_there,
		.what = &walk->space,
	};

	return etw_rundown_write_record(rundown, &record);
}

/*
 * Writes the next few. Holds the lock, so that a free is recorded after it; does not wait
 * for free space meanwhile.
 */
static int write_some(struct etw_rundown *rundown, struct etw_space_walk *space)
{
	const struct virtual_walk *walk = container_of(space, struct virtual_walk, space);
	struct vma_iterator iterator;
	struct vm_area_struct *vma;
	u32 count = 0, visited = 0;
	int err = 0;

	if (!etw_mm_lock(rundown, space->mm))
		return -ETIME;
	vma_iter_init(&iterator, space->mm, space->from);
	for_each_vma(iterator, vma) {
		if (count == STEP || visited++ == ETW_SPACE_STEP)
			break;
		if (!is_own(vma)) {
			space->from = vma->vm_end;
			continue;
		}
		count++;
		err = write_area(rundown, walk, vma);
		if (err == -EAGAIN || err == -ESTALE)
			break;
		space->from = vma->vm_end;
	}
	up_read(&space->mm->mmap_lock);
	if (err == -ESTALE)
		return -ESRCH;
	return vma ? 0 : -ENOENT;
}

/**
 * etw_virtual_rundown() - write programs' memory
 * @rundown: destination
 * @phase: phase of the rundown
 *
 * Context: process; sleeps. Return: 0; -ENOMEM.
 */
int etw_virtual_rundown(struct etw_rundown *rundown, enum etw_rundown_phase phase)
{
	struct virtual_walk walk = {
		.hook_id = phase == ETW_RUNDOWN_START ? PERFINFO_LOG_TYPE_VIRTUAL_ALLOC_DC_START :
							PERFINFO_LOG_TYPE_VIRTUAL_ALLOC_DC_END,
	};
	struct etw_task_list list;
	u32 first, end;
	int err;

	if (phase == ETW_RUNDOWN_END_NAMES || !etw_rundown_wants(rundown, PERF_VIRTUAL_ALLOC))
		return 0;
	err = etw_task_list_take(&list);
	if (err) {
		pr_warn("session %u: no memory for the rundown\n", rundown->sink->id);
		return err;
	}
	for (first = 0; first < list.count && etw_rundown_goes_on(rundown); first = end) {
		end = etw_task_list_process(&list, first);
		if (!etw_is_kthread(list.entries[first].task))
			etw_space_walk(rundown, &walk.space, &list.entries[first], end - first,
				       write_some);
	}
	etw_rundown_cut(rundown, list.count - first);
	etw_task_list_drop(&list);
	return 0;
}
