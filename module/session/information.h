/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The block that QUERY returns, and how a session counts. */
#ifndef ETW_INFORMATION_H
#define ETW_INFORMATION_H

#include <linux/types.h>

struct etw_counting;
struct etw_session;

/* More than the longest names and all items take */
#define ETW_INFORMATION_ROOM			12288

u32 etw_information_fill(struct etw_session *session, u8 *block);
int etw_session_counting(struct etw_session *session, struct etw_counting *counting);

#endif /* ETW_INFORMATION_H */
