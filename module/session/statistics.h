/* SPDX-License-Identifier: GPL-2.0 */
/* What a session can be asked for: where its events are, what it lost. */
#ifndef ETW_STATISTICS_H
#define ETW_STATISTICS_H

#include <linux/types.h>

struct etw_session;
struct etw_statistics;
struct wmi_logger_information;

u64 etw_session_lost(struct etw_session *session);
int etw_session_statistics(struct etw_session *session, struct etw_statistics *statistics);
void etw_session_query(struct etw_session *session, struct wmi_logger_information *info);

#endif /* ETW_STATISTICS_H */
