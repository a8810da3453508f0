// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The layout of 0x0525: many context switches, packed. */
#include "libetl/cursor.h"
#include "events.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))
#define TABLE	16	/* threads of the table */

/**
 * struct part - some bits of a switch
 * @name: the published one, in the plural
 * @kinds: bit per kind of switch: those that have it
 * @from: first bit, in the order of enum kind
 * @bits: how many
 */
struct part {
	const char *name;
	uint8_t kinds;
	uint8_t from[4];
	uint8_t bits[4];
};

/* The lowest two bits of each switch: how long it is */
enum kind {
	KIND_IDLE_SHORT,
	KIND_IDLE,
	KIND_LITE,
	KIND_FULL,
};

static const uint8_t size_of[] = {
	[KIND_IDLE_SHORT] = 2, [KIND_IDLE] = 4, [KIND_LITE] = 4, [KIND_FULL] = 8,
};

static const struct part parts[] = {
	{ "DataTypes", 0xF, { 0, 0, 0, 0 }, { 2, 2, 2, 2 } },
	{ "TimeDeltas", 0xF, { 2, 2, 15, 2 }, { 14, 30, 17, 30 } },
	{ "OldThreadIdIndexes", 0xC, { 0, 0, 2, 32 }, { 0, 0, 4, 4 } },
	{ "OldThreadStateWaitReasons", 0xC, { 0, 0, 9, 36 }, { 0, 0, 6, 6 } },
	{ "OldThreadPriorityIncrements", 0x4, { 0, 0, 6, 0 }, { 0, 0, 3, 0 } },
	{ "OldThreadPriorities", 0x8, { 0, 0, 0, 42 }, { 0, 0, 0, 5 } },
	{ "NewThreadWaitTimes", 0x8, { 0, 0, 0, 47 }, { 0, 0, 0, 17 } },
};

/* One list of each part: its n-th number is that of the n-th switch which has it. */
static void list_part(struct cursor cursor, const struct part *part)
{
	unsigned int kind;
	uint64_t word;

	fields_list(cursor.fields, part->name);
	while (cursor.left) {
		kind = *cursor.at & 3;
		if (cursor.left < size_of[kind])
			return;
		word = take(&cursor, size_of[kind]);
		if (part->kinds >> kind & 1)
			fields_list_unsigned(cursor.fields, word >> part->from[kind] &
					     ((1ull << part->bits[kind]) - 1));
	}
}

static void call_packed_switches(struct cursor *cursor)
{
	size_t i;

	for (i = 0; i < COUNT(parts); i++)
		list_part(*cursor, &parts[i]);
	while (cursor->left && cursor->left >= size_of[*cursor->at & 3])
		skip(cursor, size_of[*cursor->at & 3]);
}

static void call_thread_table(struct cursor *cursor)
{
	int i;

	fields_list(cursor->fields, "ThreadIds");
	for (i = 0; i < TABLE; i++)
		fields_list_unsigned(cursor->fields, take(cursor, 4));
	fields_list(cursor->fields, "BasePriorities");
	for (i = 0; i < TABLE; i++)
		fields_list_signed(cursor->fields, (int8_t)take(cursor, 1));
}

const struct form layout_switch_batch[] = {
	F_U("FirstTimeStamp", 8), F_CALL(call_thread_table), F_CALL(call_packed_switches), F_END
};
