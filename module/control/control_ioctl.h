/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The control node. */
#ifndef ETW_CONTROL_IOCTL_H
#define ETW_CONTROL_IOCTL_H

int etw_control_init(void);
void etw_control_exit(void);

#endif /* ETW_CONTROL_IOCTL_H */
