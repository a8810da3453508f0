/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* UNWIND_TABLE: a table is copied and checked. */
#ifndef ETW_UNWIND_TABLE_H
#define ETW_UNWIND_TABLE_H

#include "etw_unwind.h"

int etw_unwind_hand_over(struct etw_unwind_table *argument);

#endif /* ETW_UNWIND_TABLE_H */
