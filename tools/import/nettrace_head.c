// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Heads of events in the blocks of a .nettrace: plain, or as differences to the event before. */
#include "nettrace.h"

#define COMPRESSED		1
/* Which fields of a compressed head follow */
#define HAS_METADATA		0x01
#define HAS_CAPTURE		0x02
#define HAS_THREAD		0x04
#define HAS_STACK		0x08
#define HAS_ACTIVITY		0x10
#define HAS_LABELS		0x10	/* version 6 */
#define HAS_RELATED		0x20
#define IS_SORTED		0x40
#define HAS_SIZE		0x80
/* Bit of the metadata id of a plain head: the event is not sorted */
#define NOT_SORTED		0x80000000u

bool nettrace_begin_events(struct piece *block)
{
	uint16_t size = nettrace_u16(block), flags = nettrace_u16(block);

	if (size < 4)
		block->bad = true;
	else
		piece_take(block, size - 4);
	return flags & COMPRESSED;
}

void nettrace_end_event(const struct nettrace_file *file, struct piece *block, bool compressed)
{
	uint64_t padding = -(block->at - file->bytes) & 3;

	if (!compressed && file->version < 6)
		piece_take(block, padding < block->left ? padding : block->left);
}

static void take_guid(struct piece *block, struct etw_guid *guid)
{
	const uint8_t *at = piece_take(block, sizeof(*guid));

	if (at)
		memcpy(guid, at, sizeof(*guid));
}

static void read_plain(const struct nettrace_file *file, struct piece *block,
		       struct nettrace_head *head)
{
	*head = (struct nettrace_head){ };
	/* size of head and payload */
	piece_u32(block);
	head->metadata = piece_u32(block);
	head->sorted = !(head->metadata & NOT_SORTED);
	head->metadata &= ~NOT_SORTED;
	head->sequence = piece_u32(block);
	head->thread = piece_u64(block);
	head->capture = piece_u64(block);
	head->processor = piece_u32(block);
	head->stack = piece_u32(block);
	head->time = piece_u64(block);
	if (file->version < 6) {
		take_guid(block, &head->activity);
		take_guid(block, &head->related);
	} else {
		head->labels = piece_u32(block);
	}
	head->size = piece_u32(block);
}

static void read_compressed(const struct nettrace_file *file, struct piece *block,
			    struct nettrace_head *head)
{
	uint8_t flags = piece_u8(block);

	if (flags & HAS_METADATA)
		head->metadata = nettrace_var(block);
	if (flags & HAS_CAPTURE) {
		head->sequence += nettrace_var(block);
		head->capture = nettrace_var(block);
		head->processor = nettrace_var(block);
	}
	if (head->metadata || file->version >= 6)
		head->sequence++;
	if (flags & HAS_THREAD)
		head->thread = nettrace_var(block);
	if (flags & HAS_STACK)
		head->stack = nettrace_var(block);
	head->time += nettrace_var(block);
	if (file->version >= 6 && flags & HAS_LABELS)
		head->labels = nettrace_var(block);
	if (file->version < 6 && flags & HAS_ACTIVITY)
		take_guid(block, &head->activity);
	if (file->version < 6 && flags & HAS_RELATED)
		take_guid(block, &head->related);
	head->sorted = flags & IS_SORTED;
	if (flags & HAS_SIZE)
		head->size = nettrace_var(block);
}

bool nettrace_read_head(const struct nettrace_file *file, struct piece *block, bool compressed,
			struct nettrace_head *head)
{
	if (!block->left || block->bad)
		return false;
	if (compressed)
		read_compressed(file, block, head);
	else
		read_plain(file, block, head);
	if (head->size > block->left)
		block->bad = true;
	return !block->bad;
}
