/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The rights of the current task. */
#ifndef ETW_ACCESS_H
#define ETW_ACCESS_H

#include <linux/types.h>

int etw_may_control(void);
int etw_may_record(void);
bool etw_has_control(void);
bool etw_may_see_addresses(void);

#endif /* ETW_ACCESS_H */
