/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A session is given unwind tables. */
#ifndef ETW_SESSION_UNWIND_H
#define ETW_SESSION_UNWIND_H

#include <linux/types.h>

struct etw_session;
struct etw_unwind_row;
struct file;

int etw_session_unwind_table(struct etw_session *session, const struct file *file,
			     struct etw_unwind_row *rows, u32 nr);

#endif /* ETW_SESSION_UNWIND_H */
