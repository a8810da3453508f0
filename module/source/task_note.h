/* SPDX-License-Identifier: GPL-2.0 */
/* What a thread's next event has to know of the one before: few threads at a time. */
#ifndef ETW_TASK_NOTE_H
#define ETW_TASK_NOTE_H

#include <linux/types.h>

#define ETW_TASK_NOTES		1024
#define ETW_TASK_NOTE_VALUES	3

/**
 * struct etw_task_notes - notes, at most one a thread
 * @owner: thread, 0: free, or ETW_TASK_NOTE_BUSY while somebody reads or writes it
 * @value: what its user puts there
 *
 * A note is an improvement, not a must: when the places where it could stand are
 * all taken, an old one gives way, which may be of a thread that is gone.
 */
struct etw_task_notes {
	struct {
		u32 owner;
		u64 value[ETW_TASK_NOTE_VALUES];
	} note[ETW_TASK_NOTES];
};

void etw_task_note_put(struct etw_task_notes *notes, u32 thread_id, const u64 *value);
bool etw_task_note_take(struct etw_task_notes *notes, u32 thread_id, u64 *value);

#endif /* ETW_TASK_NOTE_H */
