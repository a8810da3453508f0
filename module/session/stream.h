/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Streams: the data that a reader of a session node gets. */
#ifndef ETW_STREAM_H
#define ETW_STREAM_H

#include <linux/fs.h>

struct etw_session;

extern const struct file_operations etw_stream_fops;
bool etw_session_readable(struct etw_session *session);
struct file *etw_stream_file(struct etw_session *session, const char *name);

#endif /* ETW_STREAM_H */
