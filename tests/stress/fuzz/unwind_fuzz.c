// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Random unwind tables on random stacks: unwind_fuzz TABLES SEED; prints what was wrong. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "context/unwind_rows.h"
#include "context/unwind_step.h"

#define MOST_ROWS	2000
#define WORDS		96
#define STACK		0x7fff0000ULL	/* address of the first word */
#define CODE		0x400000ULL
#define USER_END	0x800000000000ULL
#define FRAMES		127

static __u64 state;
static struct etw_unwind_scratch scratch;
static struct etw_unwind_row rows[MOST_ROWS], packed_from[MOST_ROWS];
static __u64 *stack;

static __u64 any(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

static __s16 any_offset(void)
{
	switch (any() % 8) {
	case 0:
		return any();
	case 1:
		return 0x7fff;
	default:
		return (__s16)(any() % 40) * 8 - 96;
	}
}

static __u64 any_word(void)
{
	switch (any() % 4) {
	case 0:
		return any();
	case 1:
		return CODE + any() % 512;
	default:
		return STACK + 8 * (any() % WORDS) + (any() % 16 ? 0 : any() % 8);
	}
}

/* Most tables are good; some have a bad row anywhere. Return: number of rows */
static __u32 make_rows(void)
{
	__u32 nr = any() % 256 ? 1 + any() % 40 : 1 + any() % MOST_ROWS, i, offset = any() % 64;
	bool bad = any() % 8 == 0;

	if (any() % 16 == 0)
		offset = (__u32)any();
	for (i = 0; i < nr; i++) {
		rows[i] = (struct etw_unwind_row){
			offset, any_offset(), any() % ETW_UNWIND_CFAS, 0, any_offset(), any_offset(),
		};
		if (bad && any() % 8 == 0)
			memset(&rows[i], any(), 1 + any() % sizeof(rows[i]));
		offset += 1 + any() % 24;
	}
	return nr;
}

static bool is_good_row(__u32 i)
{
	return rows[i].cfa < ETW_UNWIND_CFAS && !rows[i].flags &&
	       (!i || rows[i].offset > rows[i - 1].offset);
}

/* The rule of the last row that begins at or before an offset */
static __u64 model_find(__u32 nr, __u32 offset)
{
	union etw_unwind_rule rule = { .known = 1 };
	__u32 i = 0;

	while (i < nr && rows[i].offset <= offset)
		i++;
	if (!i--)
		return rule.word;
	rule.cfa = rows[i].cfa;
	if (rule.cfa != ETW_UNWIND_NONE && rule.cfa != ETW_UNWIND_END &&
	    rule.cfa != ETW_UNWIND_SIGNAL) {
		rule.cfa_offset = rows[i].cfa_offset;
		rule.ra_offset = rows[i].ra_offset;
		rule.fp_offset = rows[i].fp_offset;
	}
	return rule.word;
}

/* The stack has exactly its size on the heap, so that the sanitizer sees what is outside. */
static bool read_word(void *data, __u64 at, __u64 *word)
{
	__u64 *words = data;

	if (at % 8 || at < STACK || at - STACK >= WORDS * sizeof(*words))
		return false;
	*word = words[(at - STACK) / 8];
	return true;
}

/* Return: in words, what is wrong, or NULL */
static const char *walk(const struct etw_unwind_rows *table, bool is_arm64)
{
	const struct etw_unwind_machine machine = { .user_end = USER_END, .arm64 = is_arm64 };
	struct etw_unwind_frame f = {
		.ip = CODE + any() % 512, .sp = any_word(), .fp = any_word(), .lr = any_word(),
		.exact = true, .has_sp = true,
	};
	enum etw_unwind_end end = ETW_UNWIND_GOES_ON;
	int n;

	for (n = 0; n < FRAMES && !end; n++) {
		const __u64 sp = f.sp;
		const bool exact = f.exact;
		const __u64 at = etw_unwind_look_at(&f) - CODE;

		end = etw_unwind_step(&f, at <= UINT32_MAX ? etw_unwind_find(table, at) : 0,
				      &machine, read_word, stack);
		if (end >= ETW_UNWIND_ENDS)
			return "a step ends for no known reason";
		if (!f.ip || f.ip >= machine.user_end)
			return "a frame is no address of the program";
		/* a signal may lead to another stack */
		if (!end && !f.exact && (f.sp < sp || (f.sp == sp && !exact)))
			return "a step goes down";
	}
	return NULL;
}

static const char *check_find(const struct etw_unwind_rows *table, __u32 nr)
{
	int i;

	for (i = 0; i < 8; i++) {
		const struct etw_unwind_row *row = &rows[any() % nr];
		const __u32 offset = any() % 4 ? row->offset + any() % 9 - 4 : (__u32)any();

		if (etw_unwind_find(table, offset) != model_find(nr, offset))
			return "another rule is found";
	}
	return NULL;
}

static const char *try_table(void)
{
	struct etw_unwind_rows table;
	__u32 nr = make_rows(), first, stay;
	const char *why;
	void *block;

	for (first = 0; first < nr && is_good_row(first); first++)
		;
	if (etw_unwind_refused_row(rows, nr) != (first < nr ? first + 1 : 0))
		return "another row is refused";
	if (first < nr)
		return NULL;
	memcpy(packed_from, rows, nr * sizeof(*rows));
	memset(scratch.place, 0, sizeof(scratch.place));
	scratch.nr = 0;
	scratch.factor = any() | 1;
	stay = etw_unwind_merge(packed_from, nr, &scratch);
	if (!stay || stay > nr)
		return "a good table is not merged";
	block = malloc(etw_unwind_rows_bytes(stay, scratch.nr));
	if (!block)
		exit(2);
	etw_unwind_pack(&table, block, packed_from, stay, &scratch);
	why = check_find(&table, nr);
	if (!why)
		why = walk(&table, false);
	if (!why)
		why = walk(&table, true);
	free(block);
	return why;
}

int main(int argc, char **argv)
{
	unsigned long tables = argc == 3 ? strtoul(argv[1], NULL, 10) : 0, i;
	const char *why = NULL;
	__u64 before = 0;
	int n;

	state = (argc == 3 ? strtoull(argv[2], NULL, 10) : 0) * 0x9E3779B97F4A7C15ULL + 1;
	stack = malloc(WORDS * sizeof(*stack));
	if (!stack || !tables)
		return 2;
	for (i = 0; i < tables && !why; i++) {
		before = state;
		for (n = i % 4 ? WORDS : 0; n < WORDS; n++)
			stack[n] = any_word();
		why = try_table();
	}
	free(stack);
	if (why)
		printf("table %lu, state %llu: %s\n", i, (unsigned long long)before, why);
	else
		printf("%lu tables\n", tables);
	return !!why;
}
