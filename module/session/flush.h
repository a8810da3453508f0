/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Flush on request and by timer. */
#ifndef ETW_FLUSH_H
#define ETW_FLUSH_H

#include <linux/types.h>

struct etw_ring;
struct etw_session;
struct work_struct;

int etw_session_flush(struct etw_session *session);
int etw_flush_wait(struct etw_ring *ring, u64 ordinal);
void etw_flush_work(struct work_struct *work);

#endif /* ETW_FLUSH_H */
