/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The session that an ioctl of the control node names: for control_ioctl.c only. */
#ifndef ETW_CONTROL_SESSION_H
#define ETW_CONTROL_SESSION_H

#include <linux/types.h>

struct etw_session;

/* An ioctl's work on its session; @given is the ioctl's argument */
typedef int etw_session_action(struct etw_session *session, void *given);

int etw_on_session(u32 logger_id, etw_session_action *action, void *given);
int etw_on_running(u32 logger_id, etw_session_action *action, void *given);

#endif /* ETW_CONTROL_SESSION_H */
