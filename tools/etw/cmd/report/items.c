// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What happened when, in bounded memory (declared in items.h). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/array.h"
#include "libetl/map.h"
#include "items.h"

/* Merging by this grain first: what a page of 2,048 pixels shows of two seconds */
#define FIRST_GRAIN	1000000
/* A coarser grain shows nothing of a trace any more */
#define LAST_GRAIN	(FIRST_GRAIN * ((int64_t)1 << 22))
/* ns; what damaged files have beyond is moved there: sums of two must not overflow */
#define FARTHEST	((int64_t)1 << 61)

static int64_t floor_to(int64_t at, int64_t grain)
{
	int64_t rest = at % grain;

	return at - (rest < 0 ? rest + grain : rest);
}

static int compare(const struct item *a, const struct item *b)
{
	if (a->what != b->what)
		return a->what < b->what ? -1 : 1;
	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	if (a->length != b->length)
		return a->length < b->length ? -1 : 1;
	return a->thread < b->thread ? -1 : a->thread > b->thread;
}

static int by_kind(const void *left, const void *right)
{
	return compare(left, right);
}

static int append(struct items *items, const struct item *item)
{
	if (!array_grow((void **)&items->item, &items->room, items->count + 1, sizeof(*item)))
		return -1;
	items->item[items->count++] = *item;
	return 0;
}

/* A time across a multiple of the grain becomes two, each with its own part. Return: whether */
static bool split(int64_t grain, struct item *item, struct item *rest)
{
	int64_t border = floor_to(item->at, grain) + grain;

	if (!item->length || item->length >= grain || item->at + item->length <= border)
		return false;
	*rest = *item;
	rest->at = border;
	rest->length = item->at + item->length - border;
	rest->weight = rest->length;
	item->length = border - item->at;
	item->weight = item->length;
	return true;
}

/* What is shorter than the grain begins at a multiple of it, and is as long. */
static void round_to(int64_t grain, struct item *item)
{
	if (item->length >= grain)
		return;
	item->at = floor_to(item->at, grain);
	if (item->length)
		item->length = grain;
}

static int split_all(struct items *items)
{
	size_t i, count = items->count;
	struct item rest;

	for (i = 0; i < count; i++)
		if (split(items->grain, &items->item[i], &rest) && append(items, &rest))
			return -1;
	return 0;
}

/* Each part of the key is mixed into the hash of those before */
static size_t hash_of(const struct item *item, uint64_t seed)
{
	uint64_t hash = map_hash(seed, (uint64_t)item->what << 32 | item->thread);

	hash = map_hash(seed, item->at + hash * MAP_MIX);
	return map_hash(seed, item->length + hash * MAP_MIX);
}

/*
 * Equal items are found by a hash: merging is needed for each doubling of the grain, and sorting
 * would take several times as long. Their order is not kept.
 */
static int merge(struct items *items)
{
	uint64_t seed = map_seed();
	size_t i, at, kept = 0, room = 256;
	struct item *item;
	uint32_t *slots;

	if (split_all(items))
		return -1;
	while (room < 2 * items->count)
		room *= 2;
	slots = calloc(room, sizeof(*slots));
	if (!slots)
		return -1;
	for (i = 0; i < items->count; i++) {
		item = &items->item[i];
		round_to(items->grain, item);
		at = hash_of(item, seed) & (room - 1);
		while (slots[at] && compare(&items->item[slots[at] - 1], item))
			at = (at + 1) & (room - 1);
		if (slots[at]) {
			items->item[slots[at] - 1].weight += item->weight;
		} else {
			items->item[kept++] = *item;
			slots[at] = kept;
		}
	}
	free(slots);
	items->count = kept;
	return 0;
}

static int64_t bounded(int64_t ns)
{
	return ns > FARTHEST ? FARTHEST : ns < -FARTHEST ? -FARTHEST : ns;
}

/*
 * By the grain that there is, if that does; to half of the room, so that merging is rare. Different
 * kinds never merge: for very many of them the room has to grow instead.
 */
static int shrink(struct items *items)
{
	/* the items move */
	if (!items->recent)
		items->recent = calloc(ITEMS_RECENT, sizeof(*items->recent));
	else
		memset(items->recent, 0, ITEMS_RECENT * sizeof(*items->recent));
	if (!items->recent)
		return -1;
	for (;;) {
		if (items->grain && merge(items))
			return -1;
		if (items->count < items->most / 2)
			return 0;
		if (items->grain >= LAST_GRAIN)
			break;
		items->grain = items->grain ? 2 * items->grain : FIRST_GRAIN;
	}
	items->most = 2 * items->count;
	return 0;
}

/* Once there is a grain, most items belong to one that came shortly before */
static int add_rounded(struct items *items, struct item *added)
{
	uint32_t *recent = &items->recent[(added->thread * 31 + added->what) & (ITEMS_RECENT - 1)];
	struct item *item = *recent ? &items->item[*recent - 1] : NULL;

	round_to(items->grain, added);
	if (item && !compare(item, added)) {
		item->weight += added->weight;
		return 0;
	}
	if (append(items, added))
		return -1;
	*recent = items->count;
	return 0;
}

int items_add(struct items *items, const struct item *item)
{
	struct item added = *item, rest;
	bool both = false;

	added.at = bounded(added.at);
	added.length = bounded(added.length);
	if (items->grain)
		both = split(items->grain, &added, &rest);
	if (items->grain ? add_rounded(items, &added) : append(items, &added))
		return -1;
	if (both && add_rounded(items, &rest))
		return -1;
	if (!items->most)
		items->most = ITEMS_MOST;
	return items->count >= items->most ? shrink(items) : 0;
}

int items_finish(struct items *items)
{
	if (items->grain && merge(items))
		return -1;
	if (items->count)
		qsort(items->item, items->count, sizeof(*items->item), by_kind);
	return 0;
}

void items_json(const struct items *items, FILE *to)
{
	int64_t before = 0;
	size_t i;

	fprintf(to, "{\"grain\":%" PRId64 ",\"at\":[", items->grain);
	for (i = 0; i < items->count; i++) {
		fprintf(to, i ? ",%" PRId64 : "%" PRId64, items->item[i].at - before);
		before = items->item[i].at;
	}
	fputs("],\"length\":[", to);
	for (i = 0; i < items->count; i++)
		fprintf(to, i ? ",%" PRId64 : "%" PRId64, items->item[i].length);
	fputs("],\"weight\":[", to);
	for (i = 0; i < items->count; i++)
		fprintf(to, i ? ",%" PRIu64 : "%" PRIu64, items->item[i].weight);
	fputs("],\"thread\":[", to);
	for (i = 0; i < items->count; i++)
		fprintf(to, i ? ",%d" : "%d", (int32_t)items->item[i].thread);
	fputs("],\"what\":[", to);
	for (i = 0; i < items->count; i++)
		fprintf(to, i ? ",%u" : "%u", items->item[i].what);
	fputs("]}", to);
}

void items_free(struct items *items)
{
	free(items->item);
	free(items->recent);
	*items = (struct items){ };
}
