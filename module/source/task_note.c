// SPDX-License-Identifier: GPL-2.0
/* Notes of threads: a hash of fixed size, without locks. */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/string.h>
#include "task_note.h"

/* No thread has this id: PID_MAX_LIMIT is 2^22. */
#define BUSY	U32_MAX

/* Places where a thread's note may stand */
#define WAYS	8

/*
 * Only a thread itself puts and takes its note, so two never fight for one
 * owner's. Others may want its place: who changes owner to BUSY has the place to
 * itself, and who finds it BUSY looks elsewhere; nobody waits.
 */
static u32 first_place(u32 thread_id)
{
	return hash_32(thread_id, ilog2(ETW_TASK_NOTES / WAYS)) * WAYS;
}

static bool claim(struct etw_task_notes *notes, u32 place, u32 owner)
{
	return cmpxchg_acquire(&notes->note[place].owner, owner, BUSY) == owner;
}

static void write_note(struct etw_task_notes *notes, u32 place, u32 thread_id, const u64 *value)
{
	memcpy(notes->note[place].value, value, sizeof(notes->note[place].value));
	/* whoever claims the place finds the values; pairs with claim() */
	smp_store_release(&notes->note[place].owner, thread_id);
}

/* A place that is the thread's, or free, or whose note gives way */
static bool claim_any(struct etw_task_notes *notes, u32 thread_id, u32 *place)
{
	const u32 first = first_place(thread_id), oldest = thread_id / 3 % WAYS;
	u32 i, owner;

	for (i = 0; i < WAYS; i++) {
		*place = first + i;
		if (claim(notes, *place, thread_id))
			return true;
	}
	for (i = 0; i < WAYS; i++) {
		*place = first + i;
		if (claim(notes, *place, 0))
			return true;
	}
	for (i = 0; i < WAYS; i++) {
		*place = first + (oldest + i) % WAYS;
		owner = READ_ONCE(notes->note[*place].owner);
		if (owner != BUSY && claim(notes, *place, owner))
			return true;
	}
	return false;
}

/**
 * etw_task_note_put() - keep something for the current thread
 * @notes: where
 * @thread_id: the current thread
 * @value: ETW_TASK_NOTE_VALUES of them; what it had put before goes
 *
 * Context: any but NMI; preemption off.
 */
void etw_task_note_put(struct etw_task_notes *notes, u32 thread_id, const u64 *value)
{
	u32 place;

	if (claim_any(notes, thread_id, &place))
		write_note(notes, place, thread_id, value);
}

/**
 * etw_task_note_take() - what was kept for the current thread
 * @notes: where
 * @thread_id: the current thread
 * @value: out
 *
 * Context: any but NMI; preemption off. Return: whether there was something.
 */
bool etw_task_note_take(struct etw_task_notes *notes, u32 thread_id, u64 *value)
{
	u32 i, place = first_place(thread_id);

	for (i = 0; i < WAYS; i++, place++) {
		if (READ_ONCE(notes->note[place].owner) != thread_id ||
		    !claim(notes, place, thread_id))
			continue;
		memcpy(value, notes->note[place].value, sizeof(notes->note[place].value));
		/* read before the next owner writes; pairs with claim() */
		smp_store_release(&notes->note[place].owner, 0);
		return true;
	}
	return false;
}
