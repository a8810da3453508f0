// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What events of a .nettrace refer to: stacks, threads, labels. */
#include <stdlib.h>
#include "libetl/messages.h"
#include "nettrace.h"

/* The element of the key, which may be a new one. Return: NULL after a message: no memory */
static void *element_of(struct map *map, void **array, size_t size, uint64_t key)
{
	size_t known = map->count, i = MAP_NONE;

	if (map_make_room(array, known, size))
		i = map_add(map, key);
	if (i == MAP_NONE) {
		no_memory();
		return NULL;
	}
	memset((uint8_t *)*array + i * size, 0, size);
	return (uint8_t *)*array + i * size;
}

int nettrace_read_stacks(struct nettrace *nettrace, struct piece *block)
{
	struct nettrace_tables *tables = &nettrace->tables;
	uint32_t id = piece_u32(block), count = piece_u32(block), size;
	struct piece *stack;
	const uint8_t *at;

	for (; count; count--, id++) {
		size = piece_u32(block);
		at = piece_take(block, size);
		if (!at)
			return 0;
		stack = element_of(&tables->stack_ids, (void **)&tables->stacks, sizeof(*stack),
				   id);
		if (!stack)
			return -1;
		*stack = (struct piece){ .at = at, .left = size };
	}
	return 0;
}

static void read_thread(struct piece *row, struct nettrace_thread *thread)
{
	while (row->left && !row->bad) {
		switch (piece_u8(row)) {
		case 1:
			nettrace_text(row, NULL);
			break;
		case 2:
			thread->pid = nettrace_var(row);
			break;
		case 3:
			thread->tid = nettrace_var(row);
			break;
		case 4:
			nettrace_text(row, NULL);
			nettrace_text(row, NULL);
			break;
		default:
			return;
		}
	}
}

int nettrace_read_threads(struct nettrace *nettrace, struct piece *block)
{
	struct nettrace_tables *tables = &nettrace->tables;
	struct nettrace_thread *thread;
	struct piece row;
	uint64_t index;

	while (block->left && !block->bad) {
		row.left = nettrace_u16(block);
		row.at = piece_take(block, row.left);
		row.bad = block->bad;
		if (row.bad)
			break;
		index = nettrace_var(&row);
		if (row.bad) {
			block->bad = true;
			break;
		}
		thread = element_of(&tables->thread_ids, (void **)&tables->threads,
				    sizeof(*thread), index);
		if (!thread)
			return -1;
		thread->pid = nettrace->file.pid;
		read_thread(&row, thread);
		block->bad |= row.bad;
	}
	return 0;
}

static void take_guid(struct piece *block, struct etw_guid *guid)
{
	const uint8_t *at = piece_take(block, sizeof(*guid));

	if (at)
		memcpy(guid, at, sizeof(*guid));
}

/* Return: false: the length of a label of that kind is unknown */
static bool read_label(struct piece *block, uint8_t kind, struct nettrace_labels *labels)
{
	switch (kind) {
	case 1:
		take_guid(block, &labels->activity);
		return true;
	case 2:
		take_guid(block, &labels->related);
		return true;
	case 3:
		return piece_take(block, 16);
	case 4:
		return piece_take(block, 8);
	case 5:
		nettrace_text(block, NULL);
		nettrace_text(block, NULL);
		return true;
	case 6:
		nettrace_text(block, NULL);
		nettrace_var(block);
		return true;
	case 7:
		labels->opcode = piece_u8(block);
		labels->has_opcode = true;
		return true;
	case 8:
		labels->keywords = piece_u64(block);
		labels->has_keywords = true;
		return true;
	case 9:
		labels->level = piece_u8(block);
		labels->has_level = true;
		return true;
	case 10:
		labels->version = piece_u8(block);
		labels->has_version = true;
		return true;
	}
	return false;
}

int nettrace_read_labels(struct nettrace *nettrace, struct piece *block)
{
	struct nettrace_tables *tables = &nettrace->tables;
	uint32_t index = piece_u32(block), count = piece_u32(block);
	struct nettrace_labels *labels;
	uint8_t kind = 0;

	for (; count && block->left && !block->bad; count--, index++) {
		labels = element_of(&tables->label_ids, (void **)&tables->labels,
				    sizeof(*labels), index);
		if (!labels)
			return -1;
		do {
			kind = piece_u8(block);
			if (!block->bad && !read_label(block, kind & 0x7F, labels))
				block->bad = true;
		} while (!block->bad && !(kind & 0x80));
	}
	return 0;
}

static void empty(struct map *map, void **array)
{
	map_free(map);
	*map = (struct map){ };
	free(*array);
	*array = NULL;
}

static void free_kinds(struct nettrace_tables *tables)
{
	empty(&tables->kind_ids, (void **)&tables->kind_of);
	while (tables->kinds_known)
		free(tables->kinds[--tables->kinds_known].schema);
	free(tables->kinds);
	tables->kinds = NULL;
}

void nettrace_forget(struct nettrace *nettrace, bool threads, bool metadata)
{
	struct nettrace_tables *tables = &nettrace->tables;

	empty(&tables->stack_ids, (void **)&tables->stacks);
	empty(&tables->label_ids, (void **)&tables->labels);
	if (threads) {
		empty(&tables->thread_ids, (void **)&tables->threads);
		empty(&nettrace->counted, (void **)&nettrace->sequences);
	}
	if (metadata)
		free_kinds(tables);
}

void nettrace_tables_free(struct nettrace_tables *tables)
{
	empty(&tables->stack_ids, (void **)&tables->stacks);
	empty(&tables->label_ids, (void **)&tables->labels);
	empty(&tables->thread_ids, (void **)&tables->threads);
	free_kinds(tables);
}
