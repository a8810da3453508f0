// SPDX-License-Identifier: GPL-2.0
/* A table of images by address space and file that probes may read and write. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include "image_table.h"
#include "image_user.h"

/*
 * When a mapping is removed, its neighbours may already be gone, so only this table still
 * has the image's base. An image is within WINDOW slots from where the hash of its address
 * space and its file points. If a program has mapped one file in more places than that,
 * further images use a hash that includes the code's address. Only a mapping that still
 * begins with its code finds these. That hash may point to a full window, perhaps of the same
 * file, so its window is twice as large.
 *
 * The entries of an address space change under its mmap_lock: for writing when a mapping is
 * added or removed (for reading after it was detached), for reading in a rundown. The
 * address space of a new child or of an exec is not in use yet. So only empty slots are
 * contended, and are claimed by cmpxchg. Two rundowns may enter an image twice; both entries
 * are removed together.
 *
 * The size is fixed. An image that finds no slot is recorded, perhaps more than once, but
 * its end is not. Such images are counted.
 */
#define SLOT_BITS	16
#define SLOTS		BIT(SLOT_BITS)
#define WINDOW		32U
#define WINDOW_BY_CODE	(2 * WINDOW)
#define OWNER_NONE	0UL
#define OWNER_BUSY	1UL

/**
 * struct image_slot - an image
 * @inode: of the file
 * @text: start of its first executable mapping
 * @image: values of its records
 */
struct image_slot {
	const struct inode *inode;
	unsigned long text;
	struct etw_image image;
};

/**
 * struct image_table - all images
 * @owner: of each slot: address of the address space, OWNER_NONE, or OWNER_BUSY
 *	while it is filled in. A separate array, because every file mapping that is removed is
 *	looked up and most are not found: so a lookup reads few cache lines
 * @spread: some images use the hash with the code's address
 * @slot: values of each image
 */
struct image_table {
	unsigned long owner[SLOTS];
	bool spread;
	struct image_slot slot[SLOTS];
};

/* Set while the image source has listeners; a rundown may continue without it. */
static struct image_table __rcu *table;
static atomic64_t without_place;

/**
 * struct window - the slots that an image may be in
 * @first: the first slot; after the last slot of the table, the window continues at slot 0
 * @size: number of slots
 */
struct window {
	u32 first;
	u32 size;
};

static struct window window_of(const struct mm_struct *mm, const struct inode *inode)
{
	unsigned long key = (unsigned long)mm ^ ((unsigned long)inode >> 3);

	return (struct window){ hash_64(key, SLOT_BITS), WINDOW };
}

static struct window window_by_code(const struct mm_struct *mm, const struct inode *inode,
				    unsigned long text)
{
	unsigned long key = (unsigned long)mm ^ ((unsigned long)inode >> 3);

	return (struct window){ hash_64(key + text, SLOT_BITS), WINDOW_BY_CODE };
}

static bool is_of(const struct image_table *images, u32 n, const struct mm_struct *mm,
		  const struct inode *inode)
{
	/* pairs with the release in fill() */
	return smp_load_acquire(&images->owner[n]) == (unsigned long)mm &&
	       images->slot[n].inode == inode;
}

static bool has_in(const struct image_table *images, struct window window,
		   const struct mm_struct *mm, const struct etw_user_image *image)
{
	const struct inode *inode = file_inode(image->file);
	u32 i;

	for (i = 0; i < window.size; i++) {
		u32 n = (window.first + i) % SLOTS;

		if (is_of(images, n, mm, inode) &&
		    images->slot[n].image.base == image->image.base)
			return true;
	}
	return false;
}

static bool has(const struct image_table *images, const struct mm_struct *mm,
		const struct etw_user_image *image)
{
	const struct inode *inode = file_inode(image->file);

	return has_in(images, window_of(mm, inode), mm, image) ||
	       (READ_ONCE(images->spread) &&
		has_in(images, window_by_code(mm, inode, image->text), mm, image));
}

static void fill(struct image_table *images, u32 n, const struct mm_struct *mm,
		 const struct etw_user_image *image)
{
	images->slot[n] = (struct image_slot){
		.inode = file_inode(image->file),
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
	const struct image_table *images;
	bool known;

	rcu_read_lock();
	images = rcu_dereference(table);
	known = images && has(images, mm, image);
	rcu_read_unlock();
	return known;
}

static bool add_in(struct image_table *images, struct window window,
		   const struct mm_struct *mm, const struct etw_user_image *image)
{
	u32 i;

	for (i = 0; i < window.size; i++) {
		u32 n = (window.first + i) % SLOTS;

		if (READ_ONCE(images->owner[n]) == OWNER_NONE &&
		    cmpxchg(&images->owner[n], OWNER_NONE, OWNER_BUSY) == OWNER_NONE) {
			fill(images, n, mm, image);
			return true;
		}
	}
	return false;
}

static bool add(struct image_table *images, const struct mm_struct *mm,
		const struct etw_user_image *image)
{
	const struct inode *inode = file_inode(image->file);

	if (add_in(images, window_of(mm, inode), mm, image))
		return true;
	/* a lookup of this image has, or had, a lock of its address space after us */
	WRITE_ONCE(images->spread, true);
	return add_in(images, window_by_code(mm, inode, image->text), mm, image);
}

/**
 * etw_image_table_add() - note an image that is being recorded
 * @mm: address space
 * @image: an image in it
 *
 * Context: any; lock-free; see above.
 */
void etw_image_table_add(const struct mm_struct *mm, const struct etw_user_image *image)
{
	struct image_table *images;

	rcu_read_lock();
	images = rcu_dereference(table);
	if (images && !has(images, mm, image) && !add(images, mm, image))
		atomic64_inc(&without_place);
	rcu_read_unlock();
}

/**
 * struct leaving - a mapping that is removed
 * @mm: address space
 * @inode: its file
 * @start: first address
 * @end: address after the last
 */
struct leaving {
	const struct mm_struct *mm;
	const struct inode *inode;
	unsigned long start;
	unsigned long end;
};

static bool take_from(struct image_table *images, struct window window,
		      const struct leaving *leaving, struct etw_image *image, bool found)
{
	u32 i;

	for (i = 0; i < window.size; i++) {
		u32 n = (window.first + i) % SLOTS;
		const struct image_slot *slot = &images->slot[n];

		if (!is_of(images, n, leaving->mm, leaving->inode) ||
		    slot->text < leaving->start || slot->text >= leaving->end)
			continue;
		/* take further copies of the same image, entered by a second rundown, too */
		if (found && slot->image.base != image->base)
			continue;
		*image = slot->image;
		found = true;
		/* from now on another CPU may claim the slot */
		smp_store_release(&images->owner[n], OWNER_NONE);
	}
	return found;
}

/**
 * etw_image_table_take() - find and remove an image by a removed mapping of its code
 * @mm: address space
 * @inode: file of the mapping
 * @start: first address
 * @end: address after the last
 * @image: out
 *
 * Context: any; lock-free; see above. Return: whether there was one.
 */
bool etw_image_table_take(const struct mm_struct *mm, const struct inode *inode,
			  unsigned long start, unsigned long end, struct etw_image *image)
{
	const struct leaving leaving = { mm, inode, start, end };
	struct image_table *images;
	bool found = false;

	rcu_read_lock();
	images = rcu_dereference(table);
	if (images)
		found = take_from(images, window_of(mm, inode), &leaving, image, false);
	if (images && READ_ONCE(images->spread))
		found = take_from(images, window_by_code(mm, inode, start), &leaving, image,
				  found);
	rcu_read_unlock();
	return found;
}

/**
 * etw_image_table_prepare() - make the table, before the first probe
 *
 * Context: process; sleeps. Return: 0 or -ENOMEM.
 */
int etw_image_table_prepare(void)
{
	struct image_table *images = kvzalloc(sizeof(*images), GFP_KERNEL);

	atomic64_set(&without_place, 0);
	rcu_assign_pointer(table, images);
	return images ? 0 : -ENOMEM;
}

/**
 * etw_image_table_unprepare() - free the table, after the last probe
 *
 * Context: process; sleeps until no rundown reads the table.
 */
void etw_image_table_unprepare(void)
{
	struct image_table *images = rcu_dereference_protected(table, true);
	s64 missed = atomic64_read(&without_place);

	RCU_INIT_POINTER(table, NULL);
	synchronize_rcu();
	kvfree(images);
	if (missed)
		pr_info("images: %lld did not fit into the table: their ends are missing\n",
			missed);
}
