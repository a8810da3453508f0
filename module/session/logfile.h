/* SPDX-License-Identifier: GPL-2.0 */
/* The header buffer of a stream. */
#ifndef ETW_LOGFILE_H
#define ETW_LOGFILE_H

#include <linux/types.h>

struct etw_session;

void etw_logfile_header(struct etw_session *session, void *buffer, u32 buffers_written);

#endif /* ETW_LOGFILE_H */
