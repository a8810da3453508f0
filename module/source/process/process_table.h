/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Image names of processes, for records that are written when the image is gone. */
#ifndef ETW_PROCESS_TABLE_H
#define ETW_PROCESS_TABLE_H

#include <linux/atomic.h>
#include <linux/limits.h>
#include <linux/types.h>
#include "record/process.h"

/* Instead of a self_exec_id: the old image's end and the new image are being recorded */
#define ETW_EXECS_CHANGING	U32_MAX

int etw_process_table_prepare(void);
void etw_process_table_unprepare(void);
void etw_process_table_change(u32 process_id);
void etw_process_table_set(u32 process_id, const char *name, u32 execs);
void etw_process_table_learn(u32 process_id, const char *name, u32 execs);
bool etw_process_table_get(u32 process_id, char name[ETW_IMAGE_NAME]);
bool etw_process_table_recorded(u32 process_id, char name[ETW_IMAGE_NAME], u32 *execs);
void etw_process_table_thread_start(u32 process_id);
bool etw_process_table_thread_end(u32 process_id, const atomic_t *live);
bool etw_process_table_end(u32 process_id, u64 filetime);
u64 etw_process_table_ended(u32 process_id);

#endif /* ETW_PROCESS_TABLE_H */
