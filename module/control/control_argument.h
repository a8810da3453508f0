/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Arguments of the control node's ioctls: for control_ioctl.c only. */
#ifndef ETW_CONTROL_ARGUMENT_H
#define ETW_CONTROL_ARGUMENT_H

#include <linux/compiler.h>
#include <linux/types.h>

struct etw_session;

/* An ioctl's work on its session; @given is the ioctl's argument */
typedef int etw_session_action(struct etw_session *session, void *given);

int etw_argument_get(void *to, u32 known, u32 least, void __user *from);
int etw_argument_put(void __user *to, const void *from, u32 known);
int etw_on_session(u32 logger_id, etw_session_action *action, void *given);
int etw_on_running(u32 logger_id, etw_session_action *action, void *given);

#endif /* ETW_CONTROL_ARGUMENT_H */
