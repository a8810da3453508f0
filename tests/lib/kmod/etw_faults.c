// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A device with pages that take a while to come: hard page faults without a disk. */
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include "compat.h"

static unsigned int delay_us = 2000;
module_param(delay_us, uint, 0644);
MODULE_PARM_DESC(delay_us, "how long a page takes");

/*
 * Even pages come as those of files do: the first try waits without locks, the
 * second one finds the page. Odd ones come at the first try.
 */
static vm_fault_t come(struct vm_fault *vmf)
{
	bool twice = !(vmf->pgoff & 1);
	struct page *page;

	if (twice && fault_flag_allow_retry_first(vmf->flags) &&
	    !(vmf->flags & FAULT_FLAG_RETRY_NOWAIT)) {
		etw_fault_unlock(vmf);
		usleep_range(delay_us, 2 * delay_us);
		return VM_FAULT_MAJOR | VM_FAULT_RETRY;
	}
	if (!twice)
		usleep_range(delay_us, 2 * delay_us);
	page = alloc_page(GFP_HIGHUSER_MOVABLE | __GFP_ZERO);
	if (!page)
		return VM_FAULT_OOM;
	vmf->page = page;
	return twice ? 0 : VM_FAULT_MAJOR;
}

static const struct vm_operations_struct pages = { .fault = come };

static int map(struct file *file, struct vm_area_struct *vma)
{
	vma->vm_ops = &pages;
	return 0;
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.mmap = map,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "etw-faults",
	.fops = &operations,
};

module_misc_device(device);
MODULE_DESCRIPTION("Hard page faults for tests");
MODULE_LICENSE("GPL");
