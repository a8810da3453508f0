// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The messages that are known: their memory, and which one a record is. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "tmf.h"

/**
 * struct tmf_piece - memory that is freed with all the others
 * @next: the piece that was made before
 * @bytes: what it is for
 */
struct tmf_piece {
	struct tmf_piece *next;
	max_align_t bytes[];
};

void *tmf_keep(struct tmf *tmf, const void *from, size_t bytes)
{
	struct tmf_piece *piece = calloc(1, sizeof(*piece) + bytes);

	if (!piece)
		return NULL;
	piece->next = tmf->pieces;
	tmf->pieces = piece;
	if (from && bytes)
		memcpy(piece->bytes, from, bytes);
	return piece->bytes;
}

const char *tmf_keep_text(struct tmf *tmf, const char *from, size_t bytes)
{
	char *text = tmf_keep(tmf, NULL, bytes + 1);

	if (text)
		memcpy(text, from, bytes);
	return text;
}

void *tmf_grow(void *array, size_t count, size_t *room, size_t size)
{
	size_t more = *room ? 2 * *room : 64;

	if (count < *room)
		return array;
	array = reallocarray(array, more, size);
	if (array)
		*room = more;
	return array;
}

static int compare_key(const struct tmf_message *message, const struct etw_guid *guid,
		       uint32_t number)
{
	int order = memcmp(&message->guid, guid, sizeof(*guid));

	if (order)
		return order;
	return message->number < number ? -1 : message->number > number;
}

static int compare(const void *a, const void *b)
{
	const struct tmf_message *left = a, *right = b;
	int order = compare_key(left, &right->guid, right->number);

	return order ? order : left->order < right->order ? -1 : 1;
}

static int compare_place(const struct tmf_enumeration *enumeration, const char *name, uint32_t file)
{
	int order = strcmp(enumeration->name, name);

	return order ? order : enumeration->file < file ? -1 : enumeration->file > file;
}

static int compare_enumeration(const void *a, const void *b)
{
	const struct tmf_enumeration *left = a, *right = b;
	int order = compare_place(left, right->name, right->file);

	return order ? order : left->order < right->order ? -1 : 1;
}

/* The last enumeration of that name in the file, or in those before */
static const struct tmf_enumeration *last_until(const struct tmf *tmf, const char *name,
						uint32_t file)
{
	size_t low = 0, high = tmf->nr_enumerations, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (compare_place(&tmf->enumerations[middle], name, file) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low && !strcmp(tmf->enumerations[low - 1].name, name) ?
	       &tmf->enumerations[low - 1] : NULL;
}

/* Programs may have different enumerations of one name: that of the argument's file counts */
static const struct tmf_names *find_enumeration(const struct tmf *tmf, const char *name,
						uint32_t file)
{
	const struct tmf_enumeration *found = last_until(tmf, name, file);

	if (!found || found->file != file)
		found = last_until(tmf, name, UINT32_MAX);
	return found ? &found->names : NULL;
}

void tmf_ready(struct tmf *tmf)
{
	struct tmf_block *block;
	unsigned int i;

	if (tmf->count)
		qsort(tmf->messages, tmf->count, sizeof(*tmf->messages), compare);
	if (tmf->nr_enumerations)
		qsort(tmf->enumerations, tmf->nr_enumerations, sizeof(*tmf->enumerations),
		      compare_enumeration);
	for (block = tmf->blocks; block; block = block->next)
		for (i = 0; i < block->count; i++)
			if (block->argument[i].enumeration)
				block->argument[i].names =
					find_enumeration(tmf, block->argument[i].enumeration,
							 block->file);
}

/* The last message of several that are the same: that of a file that was given later */
const struct tmf_message *tmf_find(const struct tmf *tmf, const struct etw_guid *guid,
				   uint32_t number)
{
	size_t low = 0, high = tmf->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (compare_key(&tmf->messages[middle], guid, number) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low && !compare_key(&tmf->messages[low - 1], guid, number) ?
	       &tmf->messages[low - 1] : NULL;
}

void tmf_free(struct tmf *tmf)
{
	struct tmf_piece *piece;

	while ((piece = tmf->pieces)) {
		tmf->pieces = piece->next;
		free(piece);
	}
	free(tmf->messages);
	free(tmf->enumerations);
	memset(tmf, 0, sizeof(*tmf));
}
