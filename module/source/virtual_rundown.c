// SPDX-License-Identifier: GPL-2.0
/* Programs' own memory that is there when a session starts or stops: 0280, 0281. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/fs.h>
#include <linux/hugetlb.h>
#include <linux/mm.h>
#include <linux/mount.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/string.h>
#include "../decorate/sink.h"
#include "../record/thread_ids.h"
#include "rundown_tasks.h"
#include "virtual_rundown.h"

/* Mappings that are looked at while the lock is held; on the stack */
#define STEP	16

/**
 * etw_has_own_huge_pages() - whether a mapping is of huge pages of no file
 * @vma: a mapping; the caller holds its lock
 *
 * They have a file all the same, which no path leads to. Context: any.
 */
bool etw_has_own_huge_pages(struct vm_area_struct *vma)
{
	const struct file *file = vma->vm_file;

	return is_vm_hugetlb_page(vma) && file && file->f_path.mnt->mnt_flags & MNT_INTERNAL &&
	       !strcmp(file->f_path.dentry->d_name.name, HUGETLB_ANON_FILE);
}

/* As 0262 has it: private, of no file */
static bool is_own(struct vm_area_struct *vma)
{
	return !(vma->vm_flags & VM_SHARED) && (!vma->vm_ops || etw_has_own_huge_pages(vma));
}

/*
 * The next few. The lock is not held while records are written, which may wait
 * for a reader, who may be this very process. Return: how many; @from: where to go
 * on, 0: nowhere.
 */
static u32 step(struct mm_struct *mm, unsigned long *from, struct perfinfo_virtual_alloc *found)
{
	struct vma_iterator iterator;
	struct vm_area_struct *vma;
	u32 count = 0;

	vma_iter_init(&iterator, mm, *from);
	*from = 0;
	if (!etw_mm_lock(mm))
		return 0;
	for_each_vma(iterator, vma) {
		if (!is_own(vma))
			continue;
		if (count == STEP) {
			*from = vma->vm_start;
			break;
		}
		found[count++] = (struct perfinfo_virtual_alloc){
			.base = vma->vm_start,
			.size = vma->vm_end - vma->vm_start,
			.flags = ETW_MEM_RESERVE | ETW_MEM_COMMIT,
			.commit_size = vma->vm_flags & (VM_READ | VM_WRITE | VM_EXEC) ?
				       vma->vm_end - vma->vm_start : 0,
		};
	}
	up_read(&mm->mmap_lock);
	return count;
}

static void one_process(struct etw_rundown *rundown, struct task_struct *task, u16 hook_id)
{
	struct perfinfo_virtual_alloc found[STEP];
	struct mm_struct *mm = etw_process_mm(task);
	unsigned long from = 0;
	u32 i, count;

	if (!mm)
		return;
	do {
		count = step(mm, &from, found);
		for (i = 0; i < count; i++) {
			found[i].process_id = etw_process_id(task);
			etw_rundown_write(rundown, hook_id, PERFINFO_VIRTUAL_ALLOC_VERSION,
					  ETW_RUNDOWN_SYSTEM, &found[i], sizeof(found[i]));
		}
	} while (from);
	mmput(mm);
}

/**
 * etw_virtual_rundown() - tell programs' memory
 * @rundown: where to
 * @phase: where in the rundown
 *
 * Context: process; sleeps. Return: 0; -ENOMEM.
 */
int etw_virtual_rundown(struct etw_rundown *rundown, enum etw_rundown_phase phase)
{
	const u16 hook_id = phase == ETW_RUNDOWN_START ? PERFINFO_LOG_TYPE_VIRTUAL_ALLOC_DC_START :
							 PERFINFO_LOG_TYPE_VIRTUAL_ALLOC_DC_END;
	struct etw_task_list list;
	int err;
	u32 i;

	if (phase == ETW_RUNDOWN_END_NAMES || !etw_rundown_wants(rundown, PERF_VIRTUAL_ALLOC))
		return 0;
	err = etw_task_list_take(&list);
	if (err) {
		pr_warn("session %u: no memory for the rundown\n", rundown->sink->id);
		return err;
	}
	for (i = 0; i < list.count; i = etw_task_list_process(&list, i))
		if (!etw_is_kthread(list.entries[i].task))
			one_process(rundown, list.entries[i].task, hook_id);
	etw_task_list_drop(&list);
	return 0;
}
