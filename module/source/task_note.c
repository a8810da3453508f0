// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Notes of threads: a lock-free hash of fixed size. */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/string.h>
#include "task_note.h"

/* No thread has this id: PID_MAX_LIMIT is 2^22. */
#define BUSY	U32_MAX

/* Entries that may hold a thread's note */
#define WAYS	8

/*
 * Only a thread itself puts and takes its note, but other threads may compete for the
 * same entry. The thread that changes owner to BUSY has the entry for itself; threads
 * that find it BUSY try another entry instead of waiting.
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
	/* a thread that claims the entry sees the values; pairs with claim() */
	smp_store_release(&notes->note[place].owner, thread_id);
}

/* Claim the thread's own entry, else a free one, else drop another thread's note. */
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
		if (claim(notes, *place, 0)) {
			atomic_inc(&notes->used);
			return true;
		}
	}
	for (i = 0; i < WAYS; i++) {
		*place = first + (oldest + i) % WAYS;
		owner = READ_ONCE(notes->note[*place].owner);
		if (owner == BUSY || !claim(notes, *place, owner))
			continue;
		/* freed since the loop above */
		if (!owner)
			atomic_inc(&notes->used);
		return true;
	}
	return false;
}

/**
 * etw_task_note_put() - store a note of the current thread
 * @notes: notes
 * @thread_id: the current thread
 * @value: ETW_TASK_NOTE_VALUES values; they replace the thread's previous note
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
 * etw_task_note_take() - remove and return the note of the current thread
 * @notes: notes
 * @thread_id: the current thread
 * @value: out
 *
 * Context: any but NMI; preemption off. Return: whether there was a note.
 */
bool etw_task_note_take(struct etw_task_notes *notes, u32 thread_id, u64 *value)
{
	u32 i, place = first_place(thread_id);

	/* If the thread has a note, @used counts it, because a note is put after the increment. */
	if (!atomic_read(&notes->used))
		return false;
	for (i = 0; i < WAYS; i++, place++) {
		if (READ_ONCE(notes->note[place].owner) != thread_id ||
		    !claim(notes, place, thread_id))
			continue;
		memcpy(value, notes->note[place].value, sizeof(notes->note[place].value));
		/* read before the next owner writes; pairs with claim() */
		smp_store_release(&notes->note[place].owner, 0);
		atomic_dec(&notes->used);
		return true;
	}
	return false;
}
