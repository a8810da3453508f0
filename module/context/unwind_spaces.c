// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Spaces are built by a worker when a walk misses one, and dropped when their process ends. */
#include <linux/atomic.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include "compat.h"
#include "unwind_spaces.h"
#include "unwind_walk.h"
#include "vdso.h"

/*
 * A walk finds the space of its address space under RCU, so an NMI may walk. If there is none,
 * the walk leaves a request on its CPU and follows frame pointers. The request goes from the
 * walk to irq_work, because an NMI cannot queue work, and from there to a worker, which may
 * read mappings. The worker also finds the spaces of processes that have ended.
 */

#define HASH_BITS	10
/* Mappings of a space; those with higher addresses are left out */
#define MOST_RANGES	1024U
/* Mappings of all spaces: 9 MB; the oldest spaces give way */
#define ALL_RANGES	(128 * 1024U)
/*
 * A space is built again when a walk finds that it is old: BURST times at once, because a program
 * maps its libraries one after the other when it starts. Then at most once per PAUSE, until
 * nothing has changed for QUIET.
 */
#define BURST		16
#define PAUSE		(HZ / 20)
#define QUIET		HZ

DEFINE_MUTEX(etw_unwind_lock);	/* tables and spaces */

static struct hlist_head spaces[1 << HASH_BITS];	/* these four under etw_unwind_lock */
static LIST_HEAD(all);
static u64 last_id;
static u32 nr_ranges;

/* The address space that the worker reads, or NULL, and what has changed in it meanwhile */
static struct {
	const struct mm_struct *mm;
	bool changed;
	bool unmapped;
} reading;

/* Counts as a range, too */
static u32 weight(const struct etw_unwind_space *space)
{
	return space->nr + 1;
}

static struct hlist_head *head_of(const struct mm_struct *mm)
{
	return &spaces[hash_ptr(mm, HASH_BITS)];
}

/**
 * etw_unwind_space_of() - find a space
 * @mm: address space
 *
 * Context: any, NMI included; preemption off, or under etw_unwind_lock.
 */
struct etw_unwind_space *etw_unwind_space_of(const struct mm_struct *mm)
{
	struct etw_unwind_space *space;

	hlist_for_each_entry_rcu(space, head_of(mm), hash,
				 rcu_read_lock_sched_held() ||
				 lockdep_is_held(&etw_unwind_lock))
		if (space->mm == mm)
			return space;
	return NULL;
}

/**
 * etw_unwind_space_is_old() - whether a space has to be built again
 * @space: a space
 *
 * Context: any.
 */
bool etw_unwind_space_is_old(const struct etw_unwind_space *space)
{
	return (READ_ONCE(space->changed) ||
		READ_ONCE(space->mm->exec_vm) != space->executable) &&
	       (space->builds < BURST || time_after(jiffies, space->built + PAUSE));
}

/**
 * etw_unwind_mapping_changed() - an address space gets or loses executable code
 * @mm: address space
 * @unmapped: a mapping goes away; until the space is built again, it is not used
 *
 * Context: preemption off. Called by the image source; without it, only the amount of
 * executable memory shows a change.
 */
void etw_unwind_mapping_changed(const struct mm_struct *mm, bool unmapped)
{
	struct etw_unwind_space *space;

	if (!etw_unwind_is_on())
		return;
	if (READ_ONCE(reading.mm) == mm) {
		WRITE_ONCE(reading.changed, true);
		if (unmapped)
			WRITE_ONCE(reading.unmapped, true);
	}
	/* pairs with enter(): the worker sees the change, or the new space is found here */
	smp_mb();
	space = etw_unwind_space_of(mm);
	if (!space)
		return;
	WRITE_ONCE(space->changed, true);
	if (unmapped)
		WRITE_ONCE(space->unmapped, true);
}

static void drop(struct etw_unwind_space *space)
{
	nr_ranges -= weight(space);
	hlist_del_rcu(&space->hash);
	list_del(&space->list);
	mmdrop(space->mm);
	kvfree_rcu(space, rcu);
}

/* The worker looks at all spaces each time, so a process that ended holds little for long. */
static void drop_dead(u32 room)
{
	struct etw_unwind_space *space, *next;

	list_for_each_entry_safe(space, next, &all, list)
		if (!atomic_read(&space->mm->mm_users) || nr_ranges + room > ALL_RANGES)
			drop(space);
}

/* After its tables, so that no hint with this id is of an earlier table */
static void renew(struct etw_unwind_space *space)
{
	/* pairs with the acquire in walk() */
	smp_store_release(&space->id, ++last_id);
}

static bool is_same(const struct etw_unwind_file *a, const struct etw_unwind_file *b)
{
	return a->inode == b->inode && a->device == b->device && a->generation == b->generation;
}

static bool replace_in(struct etw_unwind_space *space, const struct etw_unwinding *old,
		       struct etw_unwinding *table)
{
	bool found = false;
	u32 i;

	for (i = 0; i < space->nr; i++) {
		struct etw_unwind_range *range = &space->range[i];
		const struct etw_unwinding *now =
			rcu_dereference_protected(range->table,
						  lockdep_is_held(&etw_unwind_lock));
		struct etw_unwinding *next = table;

		if (table ? !is_same(&range->file, &table->file) : now != old)
			continue;
		/* the file may have changed since the mappings were read, or before */
		if (table && range->file.changed != table->file.changed) {
			WRITE_ONCE(space->changed, true);
			next = NULL;
		}
		if (next == now)
			continue;
		rcu_assign_pointer(range->table, next);
		WRITE_ONCE(space->nr_tables, space->nr_tables + !!next - !!now);
		found = true;
	}
	return found;
}

/**
 * etw_unwind_spaces_replace() - enter or remove a table in all spaces
 * @old: table that goes, or NULL; it is of the same file as @table
 * @table: table that comes, or NULL. It takes the place of @old at once, so that no walk finds
 *	neither of them
 *
 * Context: under etw_unwind_lock. Walks may use @old until a grace period of RCU has ended.
 */
void etw_unwind_spaces_replace(const struct etw_unwinding *old, struct etw_unwinding *table)
{
	struct etw_unwind_space *space;

	lockdep_assert_held(&etw_unwind_lock);
	list_for_each_entry(space, &all, list)
		if (replace_in(space, old, table))
			renew(space);
}

/**
 * etw_unwind_spaces_note_use() - find out when each table was used last
 *
 * A table counts as used when an address space that has it mapped was walked.
 *
 * Context: under etw_unwind_lock.
 */
void etw_unwind_spaces_note_use(void)
{
	struct etw_unwind_space *space;
	u32 i;

	list_for_each_entry(space, &all, list) {
		unsigned long used = READ_ONCE(space->used);

		for (i = 0; i < space->nr; i++) {
			struct etw_unwinding *table =
				rcu_dereference_protected(space->range[i].table,
							  lockdep_is_held(&etw_unwind_lock));

			if (table && time_after(used, table->used))
				table->used = used;
		}
	}
}

static bool is_code(struct vm_area_struct *vma)
{
	return vma->vm_flags & VM_EXEC && (vma->vm_file || etw_is_vdso(vma));
}

static u32 count_ranges(struct mm_struct *mm)
{
	struct vm_area_struct *vma;
	u32 nr = 0;

	VMA_ITERATOR(vmi, mm, 0);

	for_each_vma(vmi, vma)
		if (is_code(vma) && ++nr == MOST_RANGES)
			break;
	return nr;
}

static void read_ranges(struct mm_struct *mm, struct etw_unwind_space *space, u32 nr)
{
	struct vm_area_struct *vma;

	VMA_ITERATOR(vmi, mm, 0);

	for_each_vma(vmi, vma) {
		if (!is_code(vma))
			continue;
		if (space->nr == nr)
			return;
		space->range[space->nr++] = (struct etw_unwind_range){
			.start = vma->vm_start,
			.end = vma->vm_end,
			.offset = (u64)vma->vm_pgoff << PAGE_SHIFT,
			.file = etw_unwind_file_of(vma->vm_file),
		};
	}
}

static struct etw_unwind_space *read_mappings(struct mm_struct *mm)
{
	struct etw_unwind_space *space;
	u32 nr = count_ranges(mm);

	space = kvzalloc(struct_size(space, range, nr),
			 GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN);
	if (!space)
		return NULL;
	space->mm = mm;
	space->executable = READ_ONCE(mm->exec_vm);
	space->built = jiffies;
	space->used = jiffies;
	read_ranges(mm, space, nr);
	return space;
}

static void publish(struct etw_unwind_space *space)
{
	u32 i;

	for (i = 0; i < space->nr; i++) {
		struct etw_unwind_range *range = &space->range[i];
		struct etw_unwinding *table = etw_unwind_table_of(&range->file);

		RCU_INIT_POINTER(range->table, table);
		space->nr_tables += !!table;
	}
	space->id = ++last_id;
	mmgrab(space->mm);
	nr_ranges += weight(space);
	list_add_tail(&space->list, &all);
	hlist_add_head_rcu(&space->hash, head_of(space->mm));
}

static u32 builds_after(const struct etw_unwind_space *old)
{
	if (time_after(jiffies, old->built + QUIET))
		return 1;
	return min_t(u32, old->builds + 1, BURST);
}

/* Two CPUs may have asked for the same space. */
static bool is_wanted(const struct mm_struct *mm)
{
	const struct etw_unwind_space *space = etw_unwind_space_of(mm);

	return !space || etw_unwind_space_is_old(space);
}

static void enter(struct etw_unwind_space *space)
{
	struct etw_unwind_space *old;

	mutex_lock(&etw_unwind_lock);
	drop_dead(weight(space));
	old = etw_unwind_space_of(space->mm);
	if (old)
		space->builds = builds_after(old);
	/* walks find the new one first */
	publish(space);
	if (old)
		drop(old);
	/* pairs with etw_unwind_mapping_changed() */
	smp_mb();
	if (READ_ONCE(reading.changed))
		WRITE_ONCE(space->changed, true);
	if (READ_ONCE(reading.unmapped))
		WRITE_ONCE(space->unmapped, true);
	mutex_unlock(&etw_unwind_lock);
}

/*
 * A program can keep mmap_lock as long as it likes, for example by a page fault in a file of
 * FUSE. STOP waits for the worker, so the worker does not wait: a later walk asks again.
 */
static struct etw_unwind_space *try_to_read(struct mm_struct *mm)
{
	struct etw_unwind_space *space;

	if (!mmap_read_trylock(mm))
		return NULL;
	space = read_mappings(mm);
	mmap_read_unlock(mm);
	return space;
}

/* One at a time: the worker runs on one CPU */
static void build(struct mm_struct *mm)
{
	struct etw_unwind_space *space;
	bool wanted;

	mutex_lock(&etw_unwind_lock);
	wanted = is_wanted(mm);
	mutex_unlock(&etw_unwind_lock);
	if (!wanted || !mmget_not_zero(mm))
		return;
	WRITE_ONCE(reading.changed, false);
	WRITE_ONCE(reading.unmapped, false);
	/* before the mappings are read; what changes from now on is noted */
	smp_store_release(&reading.mm, mm);
	space = try_to_read(mm);
	if (space)
		enter(space);
	WRITE_ONCE(reading.mm, NULL);
	mmput_async(mm);
}

/* What a CPU asks the worker for; NMIs nest in other contexts */
struct request {
	struct irq_work irq;
	struct mm_struct *mm;
};

static void answer(struct work_struct *work);
static DECLARE_WORK(worker, answer);

static void pass_on(struct irq_work *irq)
{
	queue_work(system_unbound_wq, &worker);
}

static DEFINE_PER_CPU(struct request, requests);

static struct mm_struct *take_request(int cpu)
{
	return xchg(&per_cpu(requests, cpu).mm, NULL);
}

static void answer(struct work_struct *work)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct mm_struct *mm = take_request(cpu);

		if (!mm)
			continue;
		build(mm);
		mmdrop(mm);
	}
}

/**
 * etw_unwind_space_request() - ask for the space of an address space
 * @mm: of the current thread, or of a child that the current thread makes
 *
 * If this CPU has an earlier request, a later walk has to ask again.
 *
 * Context: any, NMI included; preemption off.
 */
void etw_unwind_space_request(struct mm_struct *mm)
{
	struct request *request = this_cpu_ptr(&requests);

	if (READ_ONCE(request->mm))
		return;
	mmgrab(mm);
	if (cmpxchg(&request->mm, NULL, mm))
		mmdrop(mm);	/* not the last reference */
	else
		irq_work_queue(&request->irq);
}

/**
 * etw_unwind_spaces_begin() - prepare requests
 *
 * Not by an initialiser: the kernel does not relocate the per-CPU data of modules.
 *
 * Context: any; no walk asks for a space yet.
 */
void etw_unwind_spaces_begin(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(requests, cpu).irq = IRQ_WORK_INIT_HARD(pass_on);
}

/**
 * etw_unwind_spaces_end() - drop all spaces
 *
 * Context: process; sleeps. No walk is under way or begins.
 */
void etw_unwind_spaces_end(void)
{
	struct etw_unwind_space *space, *next;
	struct mm_struct *mm;
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu(requests, cpu).irq);
	cancel_work_sync(&worker);
	for_each_possible_cpu(cpu) {
		mm = take_request(cpu);
		if (mm)
			mmdrop(mm);
	}
	mutex_lock(&etw_unwind_lock);
	list_for_each_entry_safe(space, next, &all, list)
		drop(space);
	mutex_unlock(&etw_unwind_lock);
}
