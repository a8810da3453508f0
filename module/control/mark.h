/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Marks. */
#ifndef ETW_MARK_H
#define ETW_MARK_H

#include <linux/types.h>

struct etw_session;

int etw_mark_log(struct etw_session *session, const char *text, u32 size);

#endif /* ETW_MARK_H */
