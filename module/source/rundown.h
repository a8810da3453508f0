/* SPDX-License-Identifier: GPL-2.0 */
/* What the parts of a rundown share. */
#ifndef ETW_RUNDOWN_H
#define ETW_RUNDOWN_H

#include <linux/jiffies.h>
#include <linux/types.h>

/* What a slow reader may make who waits for rundowns wait, in all */
#define ETW_RUNDOWN_DEADLINE	(10 * HZ)

struct etw_ring;
struct etw_session;

/* Trace headers of what a rundown writes */
enum etw_rundown_header { ETW_RUNDOWN_PERFINFO, ETW_RUNDOWN_SYSTEM };

/**
 * struct etw_rundown - a rundown under way
 * @session: for whom
 * @ring: where to; NULL: the current CPU's, whose reader has to make room.
 *	Nobody else writes to @ring, and it grows
 * @losses: with @ring, who counts what doesn't fit there; nobody writes to it
 * @hopeless: no buffer came free for as long as we may wait: wait no more
 * @unhurried: nobody waits for its end, but for a STOP that comes
 * @limited: it had to wait once, and has
 * @limit: until then
 */
struct etw_rundown {
	struct etw_session *session;
	struct etw_ring *ring;
	struct etw_ring *losses;
	bool hopeless;
	bool unhurried;
	bool limited;
	unsigned long limit;
};

/**
 * struct etw_rundown_record - what to tell
 * @hook_id: hook id
 * @version: of the payload
 * @header: trace header
 * @payload: payload
 * @size: bytes of it
 * @still: whether it is still so, or NULL: it always is. Called with interrupts off,
 *	in the instant before the record has its stamp
 * @what: for @still
 */
struct etw_rundown_record {
	u16 hook_id;
	u8 version;
	enum etw_rundown_header header;
	const void *payload;
	u32 size;
	bool (*still)(const void *what);
	const void *what;
};

void etw_rundown_wait(struct etw_rundown *rundown);
int etw_rundown_tell(struct etw_rundown *rundown, const struct etw_rundown_record *record);
int etw_rundown_write(struct etw_rundown *rundown, u16 hook_id, u8 version,
		      enum etw_rundown_header header, const void *payload, u32 size);

/* Programs' own memory: virtual_rundown.c */

struct perfinfo_groupmask;

int etw_rundown_memory(struct etw_rundown *rundown, const struct perfinfo_groupmask *masks,
		       bool end);

/* What keys of stacks stand for: stack_keys.c */

struct etw_decoration;

void etw_rundown_stack_keys(struct etw_rundown *rundown, struct etw_decoration *decoration);

/* Tasks as a rundown goes through them: rundown_tasks.c */

struct mm_struct;
struct task_struct;

/**
 * struct etw_task_entry - a task
 * @key: order: kernel threads, then by process id; leaders first, then by
 *	thread id
 * @task: with a reference
 */
struct etw_task_entry {
	u64 key;
	struct task_struct *task;
};

/**
 * struct etw_task_list - all tasks but the idle ones, in order
 * @entries: them
 * @count: how many
 */
struct etw_task_list {
	struct etw_task_entry *entries;
	u32 count;
};

int etw_task_list_take(struct etw_task_list *list);
void etw_task_list_drop(struct etw_task_list *list);
u32 etw_task_list_process(const struct etw_task_list *list, u32 first);
void etw_task_comm(struct task_struct *task, char *name, u32 size);
struct mm_struct *etw_process_mm(struct task_struct *task);
int etw_process_files(struct task_struct *task, int (*look)(struct files_struct *files, void *data),
		      void *data);
u32 etw_command_line(struct mm_struct *mm, char *to);

#endif /* ETW_RUNDOWN_H */
