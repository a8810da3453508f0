// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Slots for file names: looking for them, adding levels of them. */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "ring/ring.h"
#include "file_levels.h"

#define WINDOW		32U

static u32 count_of(const struct etw_file_levels *levels)
{
	/* pairs with the release in etw_file_levels_add() */
	return smp_load_acquire(&levels->count);
}

/**
 * etw_file_levels_newest() - the newest level
 * @levels: with one level at least
 */
struct etw_file_level *etw_file_levels_newest(const struct etw_file_levels *levels)
{
	return levels->level[count_of(levels) - 1];
}

/**
 * etw_file_levels_find() - find a name
 * @levels: where
 * @tag: of the name
 * @place: out
 *
 * Context: any; lock-free, as all that find a slot.
 */
bool etw_file_levels_find(const struct etw_file_levels *levels, u64 tag,
			  struct etw_file_place *place)
{
	u32 left = count_of(levels), i;

	while (left--) {
		place->level = levels->level[left];
		for (i = 0; i < WINDOW; i++) {
			place->n = etw_file_nth(tag, place->level->bits, i);
			place->tag = READ_ONCE(place->level->tag[place->n]);
			if ((place->tag & ~ETW_TAG_USED) == tag)
				return true;
		}
	}
	return false;
}

/**
 * etw_file_levels_find_free() - find a free slot
 * @levels: where
 * @tag: of the name that will use the slot
 * @place: out
 */
bool etw_file_levels_find_free(const struct etw_file_levels *levels, u64 tag,
			       struct etw_file_place *place)
{
	u32 left = count_of(levels), i;

	place->tag = ETW_TAG_FREE;
	while (left--) {
		place->level = levels->level[left];
		for (i = 0; i < WINDOW; i++) {
			place->n = etw_file_nth(tag, place->level->bits, i);
			if (READ_ONCE(place->level->tag[place->n]) == ETW_TAG_FREE)
				return true;
		}
	}
	return false;
}

/* Whether a name is to give way rather than that of *oldest: unused ones do first */
static bool gives_way(const struct etw_file_place *place, const struct etw_file_place *oldest)
{
	u64 used = place->tag & ETW_TAG_USED;

	if (!oldest->level || used != (oldest->tag & ETW_TAG_USED))
		return !oldest->level || !used;
	return READ_ONCE(etw_file_slot_of(place->level, place->n)->order) <
	       READ_ONCE(etw_file_slot_of(oldest->level, oldest->n)->order);
}

/**
 * etw_file_levels_find_oldest() - choose the name that gives way
 * @levels: where
 * @tag: of the name that will use the slot
 * @oldest: out
 *
 * The other names in these windows count as unused from now on.
 */
bool etw_file_levels_find_oldest(const struct etw_file_levels *levels, u64 tag,
				 struct etw_file_place *oldest)
{
	u32 left = count_of(levels), i;
	struct etw_file_place place;

	oldest->level = NULL;
	while (left--) {
		place.level = levels->level[left];
		for (i = 0; i < WINDOW; i++) {
			place.n = etw_file_nth(tag, place.level->bits, i);
			place.tag = READ_ONCE(place.level->tag[place.n]);
			if (place.tag == ETW_TAG_FREE || place.tag == ETW_TAG_BUSY)
				continue;
			if (gives_way(&place, oldest))
				*oldest = place;
			if (place.tag & ETW_TAG_USED)
				cmpxchg64(&place.level->tag[place.n], place.tag,
					  place.tag & ~ETW_TAG_USED);
		}
	}
	if (oldest->level)
		oldest->tag &= ~ETW_TAG_USED;	/* as it has just become */
	return oldest->level;
}

/* The slot at a position that counts through all levels; NULL behind the last one */
static const struct etw_file_level *level_at(const struct etw_file_levels *in, u32 *at)
{
	u32 i, count = count_of(in);

	for (i = 0; i < count; i++) {
		if (*at < BIT(in->level[i]->bits))
			return in->level[i];
		*at -= BIT(in->level[i]->bits);
	}
	return NULL;
}

static bool copy_entry(const struct etw_file_level *level, u32 n, struct etw_file_entry *entry)
{
	const struct etw_file_slot *slot = etw_file_slot_of(level, n);
	u64 tag = smp_load_acquire(&level->tag[n]);	/* pairs with _publish() */
	u64 order = smp_load_acquire(&slot->order);	/* what follows is not older */

	if (tag == ETW_TAG_FREE || tag == ETW_TAG_BUSY)
		return false;
	/* racy copies: a change meanwhile is detected below */
	data_race(entry->id = slot->id);
	/* racy, as above */
	entry->length = data_race(min_t(u32, slot->length, sizeof(entry->name)));
	/* racy, as above */
	data_race(memcpy(entry->name, slot->name, entry->length));
	smp_rmb();	/* check for changes only after the copy */
	/* acquire: if the same file got the slot again, its order is read behind its tag */
	return (smp_load_acquire(&level->tag[n]) | ETW_TAG_USED) == (tag | ETW_TAG_USED) &&
	       READ_ONCE(slot->order) == order;
}

/**
 * etw_file_levels_copy() - copy the name at a position
 * @levels: where
 * @at: number of the slot, counted through all levels
 * @end: out: there is no slot at that position, nor behind it
 * @entry: out
 *
 * Context: any. Return: whether the slot has a name, which did not change meanwhile.
 */
bool etw_file_levels_copy(const struct etw_file_levels *levels, u32 at, bool *end,
			  struct etw_file_entry *entry)
{
	const struct etw_file_level *level = level_at(levels, &at);

	*end = !level;
	return level && copy_entry(level, at, entry);
}

static void free_level(struct etw_file_level *level)
{
	u32 i;

	for (i = 0; i < BIT(level->bits) / ETW_FILE_CHUNK; i++)
		kvfree(level->chunk[i]);
	kvfree(level->tag);
	kvfree(level);
}

/**
 * etw_file_levels_free() - free all levels
 * @levels: that no CPU uses
 */
void etw_file_levels_free(struct etw_file_levels *levels)
{
	u32 i;

	for (i = 0; i < levels->count; i++)
		free_level(levels->level[i]);
}

/**
 * etw_file_levels_add() - add a level
 * @levels: with space for one more
 * @bits: log2 of its slots
 *
 * Context: process; one caller at a time; sleeps. Return: 0 or -ENOMEM.
 */
int etw_file_levels_add(struct etw_file_levels *levels, u32 bits)
{
	u32 i, chunks = BIT(bits) / ETW_FILE_CHUNK;
	struct etw_file_level *level;

	level = kvzalloc(struct_size(level, chunk, chunks), ETW_GFP_BUFFER);
	if (!level)
		return -ENOMEM;
	level->bits = bits;
	level->tag = kvcalloc(BIT(bits), sizeof(*level->tag), ETW_GFP_BUFFER);
	for (i = 0; level->tag && i < chunks; i++) {
		level->chunk[i] = kvcalloc(ETW_FILE_CHUNK, sizeof(*level->chunk[i]),
					   ETW_GFP_BUFFER);
		if (!level->chunk[i])
			break;
	}
	if (i < chunks) {
		free_level(level);
		return -ENOMEM;
	}
	levels->level[levels->count] = level;
	/* a CPU that sees the number sees the level */
	smp_store_release(&levels->count, levels->count + 1);
	return 0;
}
