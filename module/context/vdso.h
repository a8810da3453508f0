/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The mapping of the kernel's vDSO in a program. */
#ifndef ETW_VDSO_H
#define ETW_VDSO_H

#include <linux/types.h>

/* As in /proc/PID/maps */
#define ETW_VDSO_NAME	"[vdso]"

struct vm_area_struct;

bool etw_is_vdso(struct vm_area_struct *vma);

#endif /* ETW_VDSO_H */
