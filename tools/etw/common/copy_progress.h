/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Copies of a stream or of traces: progress and summary on a terminal. */
#ifndef ETW_COPY_PROGRESS_H
#define ETW_COPY_PROGRESS_H

#include "libetl/buffer_writer.h"
#include "libetl/stream_copy.h"

void copy_progress_show(struct stream_copy *copy);
/* After each record, and at the end with @last; @all: buffers of the traces that are read */
void merging_progress(const struct merging *merging, uint64_t all, bool last);

/* After each of @addresses whose name was looked up, and at the end with @last */
void names_progress(uint64_t addresses, bool last);

#endif /* ETW_COPY_PROGRESS_H */
