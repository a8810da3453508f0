/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Programs' own memory: its definition, and its part of a rundown. */
#ifndef ETW_VIRTUAL_RUNDOWN_H
#define ETW_VIRTUAL_RUNDOWN_H

#include "context/rundown.h"

struct vm_area_struct;

bool etw_has_own_huge_pages(struct vm_area_struct *vma);
int etw_virtual_rundown(struct etw_rundown *rundown, enum etw_rundown_phase phase);

#endif /* ETW_VIRTUAL_RUNDOWN_H */
