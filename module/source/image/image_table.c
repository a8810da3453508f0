// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A table of images by address space and file that probes may read and write. */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>
#include "compat.h"
#include "ring/ring.h"
#include "image_table.h"
#include "image_user.h"

/*
 * When a mapping is removed, its neighbours may already be gone, so only this table still
 * has the image's base. An image is within WINDOW slots from where the hash of its address
 * space and its file points. If a program has mapped one file in more places than that,
 * further images use a hash that includes the code's address. Only a mapping that still
 * begins with its code finds these. That hash may point to full windows, of this file in many
 * address spaces, so its window is four times as large.
 *
 * The entries of an address space change under its mmap_lock: for writing when a mapping is
 * added or removed (for reading after it was detached), for reading in a rundown. The
 * address space of a new child or of an exec is not in use yet. So only empty slots are
 * contended, and are claimed by cmpxchg. Two rundowns may enter an image twice; both entries
 * are removed together.
 *
 * When a quarter of the newest table is in use, a table of four times its size is put in
 * front of it. Images don't move: a lookup searches all tables that have images. The bound of
 * all tables is a part of the machine's memory. The images of that many slots need far more
 * memory themselves, for their mappings and page tables. An image without a slot counts as a
 * lost event, because its end cannot be recorded.
 */
#define LEAST_BITS	14U
#define MOST_BITS	24U
#define GROWTH_BITS	2U
#define MEMORY_PART	128U	/* of the newest table; that of all tables is below half as many */
#define WINDOW		32U
#define WINDOW_BY_CODE	(4 * WINDOW)
#define OWNER_NONE	0UL
#define OWNER_BUSY	1UL

/**
 * struct image_slot - an image
 * @inode: of the file; NULL: the vDSO
 * @text: start of its first executable mapping
 * @image: values of its records
 */
struct image_slot {
	const struct inode *inode;
	unsigned long text;
	struct etw_image image;
};

/**
 * struct image_table - a table of images
 * @older: the next smaller table, which keeps its images; or NULL
 * @bits: log2 of the number of slots
 * @used: slots in use
 * @crowded: a larger table was requested
 * @spread: some images use the hash with the code's address
 * @slot: values of each image
 * @owner: of each slot: address of the address space, OWNER_NONE, or OWNER_BUSY
 *	while it is filled in. A separate array, because every file mapping that is removed is
 *	looked up and most are not found: so a lookup reads few cache lines
 */
struct image_table {
	struct image_table *older;
	u32 bits;
	atomic_t used;
	bool crowded;
	bool spread;
	struct image_slot *slot;
	unsigned long owner[];
};

/* The newest. Set while the image source has listeners; a rundown may continue without it. */
static struct image_table __rcu *tables;
static DEFINE_MUTEX(tables_lock);	/* changes of tables */
static u32 most_bits;			/* of this machine; under tables_lock */
static atomic64_t without_place;	/* images without a slot, since load */

static void grow(struct work_struct *work);
static DECLARE_WORK(grow_work, grow);

/**
 * struct window - the slots that an image may be in
 * @first: the first slot; after the last slot of the table, the window continues at slot 0
 * @size: number of slots
 */
struct window {
	u32 first;
	u32 size;
};

static struct window window_of(const struct image_table *images, const struct mm_struct *mm,
			       const struct inode *inode)
{
	unsigned long key = (unsigned long)mm ^ ((unsigned long)inode >> 3);

	return (struct window){ hash_64(key, images->bits), WINDOW };
}

static struct window window_by_code(const struct image_table *images, const struct mm_struct *mm,
				    const struct inode *inode, unsigned long text)
{
	unsigned long key = (unsigned long)mm ^ ((unsigned long)inode >> 3);

	return (struct window){ hash_64(key + text, images->bits), WINDOW_BY_CODE };
}

static u32 place(const struct image_table *images, struct window window, u32 i)
{
	return (window.first + i) & (BIT(images->bits) - 1);
}

/* Slots come into use before their images can be looked up, so 0 is never too early. */
static bool is_used(const struct image_table *images)
{
	return atomic_read(&images->used);
}

/*
 * The next slot of a window, from its slot @i on, that an address space has; window.size if there
 * is none. Most lookups find none, and each mapping of a file that is removed has one.
 */
static u32 next_of(const struct image_table *images, struct window window, u32 i,
		   const struct mm_struct *mm)
{
	const unsigned long *end = images->owner + BIT(images->bits);
	const unsigned long *owner = images->owner + place(images, window, i);

	for (; i < window.size; i++) {
		if (READ_ONCE(*owner) == (unsigned long)mm) {
			smp_acquire__after_ctrl_dep();	/* pairs with the release in fill() */
			break;
		}
		if (++owner == end)
			owner = images->owner;
	}
	return i;
}

/* Return: NULL for the vDSO */
static const struct inode *inode_of(const struct etw_user_image *image)
{
	return image->file ? file_inode(image->file) : NULL;
}

static bool has_in(const struct image_table *images, struct window window,
		   const struct mm_struct *mm, const struct etw_user_image *image)
{
	const struct inode *inode = inode_of(image);
	u32 i;

	for (i = 0; (i = next_of(images, window, i, mm)) < window.size; i++) {
		const struct image_slot *slot = &images->slot[place(images, window, i)];

		if (slot->inode == inode && slot->image.base == image->image.base)
			return true;
	}
	return false;
}

static bool has(const struct image_table *images, const struct mm_struct *mm,
		const struct etw_user_image *image)
{
	const struct inode *inode = inode_of(image);

	for (; images; images = images->older) {
		if (!is_used(images))
			continue;
		if (has_in(images, window_of(images, mm, inode), mm, image))
			return true;
		if (READ_ONCE(images->spread) &&
		    has_in(images, window_by_code(images, mm, inode, image->text), mm, image))
			return true;
	}
	return false;
}

static void fill(struct image_table *images, u32 n, const struct mm_struct *mm,
		 const struct etw_user_image *image)
{
	images->slot[n] = (struct image_slot){
		.inode = inode_of(image),
		.text = image->text,
		.image = image->image,
	};
	/* a CPU that reads the owner also reads the rest */
	smp_store_release(&images->owner[n], (unsigned long)mm);
}

/**
 * etw_image_table_has() - whether an image was recorded
 * @mm: address space
 * @image: an image in it
 *
 * Context: any; lock-free; see above.
 */
bool etw_image_table_has(const struct mm_struct *mm, const struct etw_user_image *image)
{
	bool known;

	rcu_read_lock();
	known = has(rcu_dereference(tables), mm, image);
	rcu_read_unlock();
	return known;
}

static bool add_in(struct image_table *images, struct window window,
		   const struct mm_struct *mm, const struct etw_user_image *image)
{
	u32 i;

	for (i = 0; i < window.size; i++) {
		u32 n = place(images, window, i);

		if (READ_ONCE(images->owner[n]) == OWNER_NONE &&
		    cmpxchg(&images->owner[n], OWNER_NONE, OWNER_BUSY) == OWNER_NONE) {
			fill(images, n, mm, image);
			return true;
		}
	}
	return false;
}

static bool add_to(struct image_table *images, const struct mm_struct *mm,
		   const struct etw_user_image *image)
{
	const struct inode *inode = inode_of(image);

	atomic_inc(&images->used);
	if (add_in(images, window_of(images, mm, inode), mm, image))
		return true;
	/* a lookup of this image has, or had, a lock of its address space after us */
	WRITE_ONCE(images->spread, true);
	if (add_in(images, window_by_code(images, mm, inode, image->text), mm, image))
		return true;
	atomic_dec(&images->used);
	return false;
}

static bool add(struct image_table *newest, const struct mm_struct *mm,
		const struct etw_user_image *image)
{
	struct image_table *images;

	/* early, because more images come until the larger table is ready */
	if (atomic_read(&newest->used) >= BIT(newest->bits) / 4 && !READ_ONCE(newest->crowded)) {
		WRITE_ONCE(newest->crowded, true);
		queue_work(etw_unbound_wq, &grow_work);
	}
	for (images = newest; images; images = images->older)
		if (add_to(images, mm, image))
			return true;
	return false;
}

static bool note(const struct mm_struct *mm, const struct etw_user_image *image, bool is_new)
{
	struct image_table *images;
	bool added;

	rcu_read_lock();
	images = rcu_dereference(tables);
	added = !images || (!is_new && has(images, mm, image)) || add(images, mm, image);
	rcu_read_unlock();
	if (!added)
		atomic64_inc(&without_place);
	return added;
}

/**
 * etw_image_table_add() - note an image that is being recorded
 * @mm: address space
 * @image: an image in it
 *
 * Context: any; lock-free; see above.
 * Return: false if there is no slot for it, which counts as a lost event. True if there are
 * no tables: then no session listens.
 */
bool etw_image_table_add(const struct mm_struct *mm, const struct etw_user_image *image)
{
	return note(mm, image, false);
}

/**
 * etw_image_table_add_new() - etw_image_table_add() of an image that is not in the table
 * @mm: address space; since the caller looked, no image of it was added
 * @image: an image in it
 *
 * Context and return: as etw_image_table_add().
 */
bool etw_image_table_add_new(const struct mm_struct *mm, const struct etw_user_image *image)
{
	return note(mm, image, true);
}

/**
 * etw_image_table_missed() - number of images that found no slot, since load
 *
 * Context: any.
 */
u64 etw_image_table_missed(void)
{
	return atomic64_read(&without_place);
}

/**
 * struct leaving - a mapping that is removed
 * @mm: address space
 * @inode: its file
 * @start: first address
 * @end: address after the last
 * @more: out: another image is in it, too
 */
struct leaving {
	const struct mm_struct *mm;
	const struct inode *inode;
	unsigned long start;
	unsigned long end;
	bool more;
};

static bool take_from(struct image_table *images, struct window window, struct leaving *leaving,
		      struct etw_image *image, bool found)
{
	u32 i;

	for (i = 0; (i = next_of(images, window, i, leaving->mm)) < window.size; i++) {
		u32 n = place(images, window, i);
		const struct image_slot *slot = &images->slot[n];

		if (slot->inode != leaving->inode ||
		    slot->text < leaving->start || slot->text >= leaving->end)
			continue;
		/* take further copies of the same image, entered by a second rundown, too */
		if (found && slot->image.base != image->base) {
			leaving->more = true;
			continue;
		}
		*image = slot->image;
		found = true;
		/* from now on another CPU may claim the slot */
		smp_store_release(&images->owner[n], OWNER_NONE);
		atomic_dec(&images->used);
	}
	return found;
}

/**
 * etw_image_table_take() - find and remove an image by a removed mapping of its code
 * @mm: address space
 * @inode: file of the mapping; NULL: the vDSO
 * @start: first address
 * @end: address after the last
 * @image: out
 * @more: out: the mapping has a further image
 *
 * Context: any; lock-free; see above. Return: whether there was one.
 */
bool etw_image_table_take(const struct mm_struct *mm, const struct inode *inode,
			  unsigned long start, unsigned long end, struct etw_image *image,
			  bool *more)
{
	struct leaving leaving = { mm, inode, start, end };
	struct image_table *images;
	bool found = false;

	rcu_read_lock();
	for (images = rcu_dereference(tables); images; images = images->older) {
		if (!is_used(images))
			continue;
		found = take_from(images, window_of(images, mm, inode), &leaving, image, found);
		if (READ_ONCE(images->spread))
			found = take_from(images, window_by_code(images, mm, inode, start),
					  &leaving, image, found);
	}
	rcu_read_unlock();
	*more = leaving.more;
	return found;
}

static struct image_table *new_table(u32 bits, struct image_table *older)
{
	struct image_table *images;
	size_t owners = struct_size(images, owner, BIT(bits));

	images = kvzalloc(size_add(owners, array_size(BIT(bits), sizeof(*images->slot))),
			  ETW_GFP_BUFFER);
	if (!images)
		return NULL;
	images->bits = bits;
	images->older = older;
	images->slot = (void *)images + owners;
	return images;
}

/* Without memory, the next image requests a larger table again. */
static void grow(struct work_struct *work)
{
	struct image_table *newest, *larger;

	mutex_lock(&tables_lock);
	newest = rcu_dereference_protected(tables, lockdep_is_held(&tables_lock));
	if (newest && newest->bits < most_bits) {
		larger = new_table(min(newest->bits + GROWTH_BITS, most_bits), newest);
		if (larger)
			rcu_assign_pointer(tables, larger);
		else
			WRITE_ONCE(newest->crowded, false);
	}
	mutex_unlock(&tables_lock);
}

static u32 bits_of_machine(void)
{
	u64 slots = ((u64)totalram_pages() << PAGE_SHIFT) / MEMORY_PART /
		    (sizeof(struct image_slot) + sizeof(unsigned long));

	return clamp_t(u32, ilog2(slots | 1), LEAST_BITS, MOST_BITS);
}

/**
 * etw_image_table_prepare() - make the table, before the first probe
 *
 * Context: process; sleeps. Return: 0 or -ENOMEM.
 */
int etw_image_table_prepare(void)
{
	struct image_table *images = new_table(LEAST_BITS, NULL);

	mutex_lock(&tables_lock);
	most_bits = bits_of_machine();
	rcu_assign_pointer(tables, images);
	mutex_unlock(&tables_lock);
	return images ? 0 : -ENOMEM;
}

/**
 * etw_image_table_unprepare() - free the tables, after the last probe
 *
 * Context: process; sleeps until no rundown reads the tables.
 */
void etw_image_table_unprepare(void)
{
	struct image_table *images, *older;

	mutex_lock(&tables_lock);
	images = rcu_replace_pointer(tables, NULL, lockdep_is_held(&tables_lock));
	mutex_unlock(&tables_lock);
	synchronize_rcu();
	/* neither a probe nor a rundown can queue the work now */
	cancel_work_sync(&grow_work);
	for (; images; images = older) {
		older = images->older;
		kvfree(images);
	}
}
