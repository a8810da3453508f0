// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Which image was at an address of a process at a time, once all are collected. */
#include <stdlib.h>
#include <string.h>
#include "images.h"

static uint64_t place_of(uint32_t pid, uint64_t base, uint64_t time)
{
	return (base * 0x9E3779B97F4A7C15ULL ^ pid) + time * 0xC2B2AE3D27D4EB4FULL;
}

/*
 * An id belongs to the image of the record at the same time: another program may be at the
 * same place later, after exec. An image without an id has the id of its file elsewhere.
 */
static void give_ids(struct images *images)
{
	struct map places = { };
	size_t i, k;

	/* the k-th key is of the first id of its place: later ones say the same */
	for (i = k = 0; i < images->nr_ids; i++) {
		const struct id_note *note = &images->ids[i];

		if (map_add(&places, place_of(note->pid, note->base, note->time)) == k)
			images->ids[k++] = *note;
	}
	for (i = 0; i < images->count; i++) {
		const struct image *image = &images->list[i];
		struct module *module = &images->module[image->module];

		if (module->has_id)
			continue;
		k = map_find(&places, place_of(image->pid, image->base, image->named));
		if (k == MAP_NONE)
			continue;
		memcpy(module->id, images->ids[k].id, IMAGE_ID_BYTES);
		module->has_id = true;
	}
	map_free(&places);
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_place(const void *left, const void *right)
{
	const struct image *a = left, *b = right;
	int order = compare(a->pid, b->pid);

	if (!order)
		order = compare(a->base, b->base);
	if (!order)
		order = compare(a->from, b->from);
	return order ? order : compare(a->to, b->to);
}

void images_ready(struct images *images)
{
	struct image *image = images->list;
	size_t i;

	give_ids(images);
	if (images->count)
		qsort(images->list, images->count, sizeof(*images->list), by_place);
	for (i = 0; i < images->count; i++, image++) {
		image->reach = image->end;
		image->first = i;
		if (!i || image[-1].pid != image->pid)
			continue;
		if (image[-1].reach > image->reach)
			image->reach = image[-1].reach;
		if (image[-1].base == image->base)
			image->first = image[-1].first;
	}
}

/* The first image that is behind the address */
static size_t behind(const struct images *images, uint32_t pid, uint64_t address)
{
	size_t low = 0, high = images->count, middle;

	while (low < high) {
		const struct image *image = &images->list[middle = low + (high - low) / 2];

		if (image->pid < pid || (image->pid == pid && image->base <= address))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Of some with one base: the first that begins later, or as early and ends later */
static size_t later(const struct images *images, size_t low, size_t high, uint64_t from,
		    uint64_t to)
{
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct image *image = &images->list[middle];

		if (image->from < from || (image->from == from && image->to <= to))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * A library may come to one base and go any number of times. Each ends before the next one
 * begins; only those that are there from the beginning, as far as is known, may overlap.
 */
static const struct image *find_at_base(const struct images *images, size_t first, size_t end,
					uint64_t address, uint64_t time)
{
	size_t i = later(images, first, end, time, UINT64_MAX);
	const struct image *image;

	if (i == first)
		return NULL;
	image = &images->list[i - 1];
	if (image->from && time < image->to && address < image->end)
		return image;
	for (i = later(images, first, end, 0, time); i < end; i++) {
		image = &images->list[i];
		if (image->from)
			break;
		if (address < image->end)
			return image;
	}
	return NULL;
}

const struct image *images_find(const struct images *images, uint32_t pid, uint64_t address,
				uint64_t time)
{
	size_t end = behind(images, pid, address);
	const struct image *image, *here, *found = NULL;

	for (; end; end = image->first) {
		image = &images->list[end - 1];
		if (image->pid != pid || image->reach <= address)
			break;
		here = find_at_base(images, image->first, end, address, time);
		if (here && (!found || here->from > found->from))
			found = here;
	}
	return found;
}

bool images_ever(const struct images *images, uint32_t pid, uint64_t address)
{
	size_t i = behind(images, pid, address);

	return i && images->list[i - 1].pid == pid && images->list[i - 1].reach > address;
}
