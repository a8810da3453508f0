/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A session's statistics: where its events are, and how many it lost. */
#ifndef ETW_STATISTICS_H
#define ETW_STATISTICS_H

#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/types.h>

struct etw_session;
struct etw_statistics;
struct wmi_logger_information;

/**
 * etw_count_32() - a count for a dword of Windows
 * @count: a count
 *
 * Return: @count, at most U32_MAX, because a truncated count would look small.
 */
static inline u32 etw_count_32(u64 count)
{
	return min_t(u64, count, U32_MAX);
}

u64 etw_session_lost(struct etw_session *session);
int etw_session_statistics(struct etw_session *session, struct etw_statistics *statistics);
void etw_session_query(struct etw_session *session, struct wmi_logger_information *info);

#endif /* ETW_STATISTICS_H */
