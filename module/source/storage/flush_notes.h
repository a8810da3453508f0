/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Which tasks are flushing which files; for flushes that are recorded at an outer call. */
#ifndef ETW_FLUSH_NOTES_H
#define ETW_FLUSH_NOTES_H

#include <linux/types.h>

struct etw_flush_note;
struct file;
struct task_struct;

void etw_flush_notes_clear(void);
bool etw_flush_is_noted(const struct task_struct *task, const struct file *file);
struct etw_flush_note *etw_flush_note(const struct task_struct *task, const struct file *file);
void etw_flush_forget(struct etw_flush_note *note);

#endif /* ETW_FLUSH_NOTES_H */
