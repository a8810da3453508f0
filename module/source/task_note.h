/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Data that a thread's event leaves for its next one; for few threads at a time. */
#ifndef ETW_TASK_NOTE_H
#define ETW_TASK_NOTE_H

#include <linux/atomic.h>
#include <linux/types.h>

#define ETW_TASK_NOTES		1024
#define ETW_TASK_NOTE_VALUES	3

/**
 * struct etw_task_notes - notes, at most one a thread
 * @used: entries that are not free, so that a thread need not search if there are none
 * @owner: thread; 0: free; BUSY (task_note.c) while a thread reads or writes the note
 * @value: the user's data
 *
 * Notes may be lost: if all entries for a new note are taken, an old note is dropped,
 * which may be of a thread that has ended.
 */
struct etw_task_notes {
	atomic_t used;
	struct {
		u32 owner;
		u64 value[ETW_TASK_NOTE_VALUES];
	} note[ETW_TASK_NOTES];
};

void etw_task_note_put(struct etw_task_notes *notes, u32 thread_id, const u64 *value);
bool etw_task_note_take(struct etw_task_notes *notes, u32 thread_id, u64 *value);

#endif /* ETW_TASK_NOTE_H */
