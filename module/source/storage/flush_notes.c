// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A hash of fixed size of flushes under way; declared in flush_notes.h. */
#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/string.h>
#include "file_calls.h"
#include "flush_notes.h"

/* A power of two that leaves a third free, and the notes that a task finds by its hash */
#define NOTES	2048
#define WAYS	16
#define BUCKETS	(NOTES / WAYS)

static_assert(NOTES * 2 / 3 >= ETW_FILE_ASKED_FLUSHES);

/**
 * struct etw_flush_note - a flush under way
 * @task: the task, or NULL: free. A note with the current task in it was written by this
 *	task, and no other task changes it
 * @file: the file
 */
struct etw_flush_note {
	const struct task_struct *task;
	const struct file *file;
};

static struct etw_flush_note notes[NOTES];

/* By bucket: notes that found no place in it. Only then the whole table is searched. */
static atomic_t spilled[BUCKETS];

static u32 bucket_of(const struct task_struct *task)
{
	return hash_ptr(task, ilog2(BUCKETS));
}

/* The nth place for a note of a bucket: first those of the bucket, then all others */
static struct etw_flush_note *place(u32 bucket, u32 n)
{
	return &notes[(bucket * WAYS + n) % NOTES];
}

/**
 * etw_flush_notes_clear() - forget all flushes
 *
 * Context: process; no probe runs.
 */
void etw_flush_notes_clear(void)
{
	memset(notes, 0, sizeof(notes));
	memset(spilled, 0, sizeof(spilled));
}

/**
 * etw_flush_is_noted() - whether a task is flushing a file
 * @task: the current task
 * @file: the file
 *
 * Context: any but NMI.
 */
bool etw_flush_is_noted(const struct task_struct *task, const struct file *file)
{
	u32 n, bucket = bucket_of(task);
	u32 places = atomic_read(&spilled[bucket]) ? NOTES : WAYS;
	const struct etw_flush_note *note;

	for (n = 0; n < places; n++) {
		note = place(bucket, n);
		if (READ_ONCE(note->task) == task && note->file == file)
			return true;
	}
	return false;
}

/**
 * etw_flush_note() - a task begins to flush a file
 * @task: the current task
 * @file: the file
 *
 * Context: any but NMI. Return: for etw_flush_forget(); NULL if there is no place.
 */
struct etw_flush_note *etw_flush_note(const struct task_struct *task, const struct file *file)
{
	u32 n, bucket = bucket_of(task);
	struct etw_flush_note *note;

	for (n = 0; n < NOTES; n++) {
		note = place(bucket, n);
		if (READ_ONCE(note->task) || cmpxchg(&note->task, NULL, task))
			continue;
		note->file = file;
		if (n >= WAYS)
			atomic_inc(&spilled[bucket]);
		return note;
	}
	return NULL;
}

/**
 * etw_flush_forget() - a flush has ended
 * @note: of etw_flush_note()
 *
 * Context: any but NMI.
 */
void etw_flush_forget(struct etw_flush_note *note)
{
	u32 bucket = bucket_of(note->task);

	if ((note - notes) / WAYS != bucket)
		atomic_dec(&spilled[bucket]);
	WRITE_ONCE(note->task, NULL);
}
