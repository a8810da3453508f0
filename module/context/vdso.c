// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The mapping of the kernel's vDSO in a program. */
#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/mm_types.h>
#include <linux/string.h>
#include "vdso.h"

/**
 * etw_is_vdso() - whether a mapping is the vDSO of a 64-bit program
 * @vma: a mapping
 *
 * A 64-bit program's vDSO is next to its stack; below 4 GB, it is one of a 32-bit program. The
 * kernel's handlers of the mapping identify it, because a program may move or replace it.
 *
 * Context: any; with mmap_lock.
 */
bool etw_is_vdso(struct vm_area_struct *vma)
{
	const char *name;

	if (!vma->vm_ops || vma->vm_file || !vma->vm_ops->name || vma->vm_start <= U32_MAX)
		return false;
	name = vma->vm_ops->name(vma);
	return name && !strcmp(name, ETW_VDSO_NAME);
}
