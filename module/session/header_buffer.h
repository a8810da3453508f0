/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The header buffer of a stream. */
#ifndef ETW_HEADER_BUFFER_H
#define ETW_HEADER_BUFFER_H

#include <linux/types.h>

struct etw_session;

void etw_fill_header_buffer(struct etw_session *session, void *buffer, u32 buffers_written);

#endif /* ETW_HEADER_BUFFER_H */
