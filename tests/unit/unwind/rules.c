// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Unwind tables: what is refused, how rows are packed and found, single steps, any bytes. */
#include <stdio.h>
#include <string.h>
#include "rows.h"

#define WORDS		64
#define STACK		0x7fff0000ULL	/* address of the first word */
#define CODE		0x400000ULL
#define USER_END	0x800000000000ULL

static const struct etw_unwind_machine x86 = { .user_end = USER_END };
static const struct etw_unwind_machine arm64 = { .user_end = USER_END, .arm64 = true };
static __u64 stack[WORDS];
static int failed;

static void check(bool good, const char *name)
{
	printf("%s - %s\n", good ? "ok" : "not ok", name);
	failed |= !good;
}

static bool read_word(void *data, __u64 at, __u64 *word)
{
	__u64 *words = data;

	if (at % 8 || at < STACK || at - STACK >= sizeof(stack))
		return false;
	*word = words[(at - STACK) / 8];
	return true;
}

static __u64 at(int word)
{
	return STACK + 8 * word;
}

static __u64 rule(__u8 cfa, __s16 cfa_offset, __s16 ra, __s16 fp)
{
	const union etw_unwind_rule made = {
		.cfa = cfa, .known = 1, .cfa_offset = cfa_offset, .ra_offset = ra, .fp_offset = fp,
	};

	return made.word;
}

static void check_refused(void)
{
	struct etw_unwind_row rows[3] = { { .offset = 1 }, { .offset = 2 }, { .offset = 3 } };

	check(!etw_unwind_refused_row(rows, 3), "ascending rows are accepted");
	rows[2].offset = 2;
	check(etw_unwind_refused_row(rows, 3) == 3, "an equal offset is refused");
	rows[2].offset = 1;
	check(etw_unwind_refused_row(rows, 3) == 3, "a descending offset is refused");
	rows[1].cfa = ETW_UNWIND_CFAS;
	check(etw_unwind_refused_row(rows, 3) == 2, "an unknown rule is refused");
	rows[0].flags = 1;
	check(etw_unwind_refused_row(rows, 3) == 1, "a flag is refused");
}

static void check_packed(void)
{
	struct etw_unwind_row rows[] = {
		{ 16, 8, ETW_UNWIND_SP, 0, -8, ETW_UNWIND_FP_SAME },
		{ 20, 8, ETW_UNWIND_SP, 0, -8, ETW_UNWIND_FP_SAME },
		{ 24, 16, ETW_UNWIND_SP, 0, -8, -16 },
		{ 40, 1, ETW_UNWIND_NONE, 0, 2, 3 },
		{ 44, 0, ETW_UNWIND_NONE, 0, 0, 0 },
		{ 48, 8, ETW_UNWIND_SP, 0, -8, ETW_UNWIND_FP_SAME },
	};
	const __u64 a = rule(ETW_UNWIND_SP, 8, -8, ETW_UNWIND_FP_SAME);
	const __u64 b = rule(ETW_UNWIND_SP, 16, -8, -16);
	const __u64 none = rule(ETW_UNWIND_NONE, 0, 0, 0);
	struct etw_unwind_rows packed;

	check(pack_rows(&packed, rows, 6) && packed.nr == 4 && packed.nr_rules == 3,
	      "rows that repeat the one before are dropped");
	check(etw_unwind_find(&packed, 0) == none && etw_unwind_find(&packed, 15) == none,
	      "there is no rule before the first row");
	check(etw_unwind_find(&packed, 16) == a && etw_unwind_find(&packed, 23) == a &&
	      etw_unwind_find(&packed, 24) == b && etw_unwind_find(&packed, 39) == b &&
	      etw_unwind_find(&packed, 40) == none && etw_unwind_find(&packed, 47) == none &&
	      etw_unwind_find(&packed, 48) == a && etw_unwind_find(&packed, ~0U) == a,
	      "an instruction has the rule of the last row that begins before it");
	free(packed.rule);
}

static void check_many_rules(void)
{
	const __u32 nr = ETW_UNWIND_RULES + 1;
	struct etw_unwind_row *rows = calloc(nr, sizeof(*rows));
	struct etw_unwind_rows packed;
	bool good, found = true;
	__u32 i;

	for (i = 0; i < nr; i++)
		rows[i] = (struct etw_unwind_row){ i, i, ETW_UNWIND_SP, 0, i >> 16, 0 };
	good = pack_rows(&packed, rows, nr - 1);
	for (i = 0; good && i < nr - 1; i++)
		found &= etw_unwind_find(&packed, i) == rule(ETW_UNWIND_SP, i, 0, 0);
	check(good && found, "65,536 different rules are kept");
	if (good)
		free(packed.rule);
	check(!pack_rows(&packed, rows, nr), "65,537 different rules are refused");
	free(rows);
}

static struct etw_unwind_frame start_at(int sp, int fp)
{
	return (struct etw_unwind_frame){
		.ip = CODE, .sp = at(sp), .fp = at(fp), .exact = true, .has_sp = true,
	};
}

static bool is_at(const struct etw_unwind_frame *f, __u64 ip, int sp, __u64 fp)
{
	return f->ip == ip && f->sp == at(sp) && f->fp == fp && !f->exact && f->has_sp;
}

static enum etw_unwind_end step(struct etw_unwind_frame *f, __u64 of)
{
	return etw_unwind_step(f, of, &x86, read_word, stack);
}

static void check_steps(void)
{
	struct etw_unwind_frame f = start_at(4, 20);

	stack[9] = CODE + 1;
	stack[8] = at(30);
	check(!step(&f, rule(ETW_UNWIND_SP, 48, -8, -16)) && is_at(&f, CODE + 1, 10, at(30)),
	      "a frame is found by the stack pointer");
	stack[21] = CODE + 2;
	f = start_at(4, 20);
	check(!step(&f, rule(ETW_UNWIND_FP, 16, -8, ETW_UNWIND_FP_SAME)) &&
	      is_at(&f, CODE + 2, 22, at(20)), "a frame is found by the frame pointer");
	stack[4] = CODE + 3;
	stack[5] = CODE + 4;
	f = start_at(4, 20);
	f.ip = CODE + 10;
	check(!step(&f, rule(ETW_UNWIND_PLT, 11, -8, ETW_UNWIND_FP_SAME)) &&
	      is_at(&f, CODE + 3, 5, at(20)),
	      "a PLT entry has pushed nothing before its 11th byte");
	f = start_at(4, 20);
	f.ip = CODE + 11;
	check(!step(&f, rule(ETW_UNWIND_PLT, 11, -8, ETW_UNWIND_FP_SAME)) &&
	      is_at(&f, CODE + 4, 6, at(20)),
	      "a PLT entry has pushed a word from its 11th byte on");
	stack[19] = at(26);
	stack[25] = CODE + 5;
	f = start_at(4, 20);
	check(!step(&f, rule(ETW_UNWIND_FP_DEREF, -8, -8, ETW_UNWIND_FP_SAME)) &&
	      is_at(&f, CODE + 5, 26, at(20)),
	      "a frame is found by a word below the frame pointer");
	f = start_at(17, 0);
	check(!step(&f, rule(ETW_UNWIND_SP_DEREF, 16, -8, ETW_UNWIND_FP_SAME)) &&
	      is_at(&f, CODE + 5, 26, at(0)), "a frame is found by a word above the stack pointer");
	stack[20] = at(24);
	f = start_at(4, 20);
	check(!step(&f, 0) && is_at(&f, CODE + 2, 22, at(24)),
	      "without a table, frame pointers are followed");
	check(!step(&f, 0) && f.ip == CODE + 5, "without a table, they are followed again");
}

static void check_ends(void)
{
	struct etw_unwind_frame f = start_at(4, 2);

	check(step(&f, rule(ETW_UNWIND_END, 0, 0, 0)) == ETW_UNWIND_END_COMPLETE,
	      "the outermost function completes the stack");
	check(step(&f, 0) == ETW_UNWIND_END_NO_TABLE,
	      "a frame pointer below the stack pointer is not followed");
	check(step(&f, rule(ETW_UNWIND_NONE, 0, 0, 0)) == ETW_UNWIND_END_RULE,
	      "an unknown rule is not a missing table");
	check(step(&f, rule(ETW_UNWIND_SP, -8, 0, 0)) == ETW_UNWIND_END_RULE,
	      "a CFA below the stack pointer is refused");
	check(step(&f, rule(ETW_UNWIND_SP, 12, -8, 0)) == ETW_UNWIND_END_RULE,
	      "a CFA that is no multiple of a word is refused");
	f = start_at(4, 2);
	f.exact = false;
	check(step(&f, rule(ETW_UNWIND_SP, 0, 0, 0)) == ETW_UNWIND_END_RULE,
	      "a caller's CFA lies above its stack pointer");
	check(step(&f, rule(ETW_UNWIND_SP, 16, ETW_UNWIND_RA_REGISTER, 0)) == ETW_UNWIND_END_RULE,
	      "x86_64 has no link register");
	check(step(&f, rule(ETW_UNWIND_SP, 8 * WORDS, -8, 0)) == ETW_UNWIND_END_NOT_PRESENT,
	      "a word that is not in memory ends the stack");
	f.sp = USER_END - 16;
	check(step(&f, rule(ETW_UNWIND_SP, 16, -8, 0)) == ETW_UNWIND_END_RULE,
	      "a CFA at the end of user addresses is refused");
	f = start_at(4, 2);
	stack[5] = USER_END;
	check(step(&f, rule(ETW_UNWIND_SP, 16, -8, 0)) == ETW_UNWIND_END_RULE,
	      "a return address of the kernel is refused");
}

static void check_signal(void)
{
	struct etw_unwind_frame f = start_at(4, 2);

	stack[4 + ETW_UNWIND_X86_IP / 8] = CODE + 7;
	stack[4 + ETW_UNWIND_X86_SP / 8] = at(1);
	stack[4 + ETW_UNWIND_X86_BP / 8] = 5;
	f.exact = false;
	check(!step(&f, rule(ETW_UNWIND_SIGNAL, 0, 0, 0)) && f.ip == CODE + 7 && f.sp == at(1) &&
	      f.fp == 5 && f.exact && f.has_sp,
	      "a signal frame has all registers, on any stack");
}

static void check_arm64(void)
{
	struct etw_unwind_frame f = start_at(4, 20);

	f.lr = 0x00aa000000000000ULL | (CODE + 8);
	check(!etw_unwind_step(&f, rule(ETW_UNWIND_SP, 0, ETW_UNWIND_RA_REGISTER,
					ETW_UNWIND_FP_SAME), &arm64, read_word, stack) &&
	      is_at(&f, CODE + 8, 4, at(20)),
	      "arm64: a leaf has its return address in the link register, signed");
	check(etw_unwind_step(&f, rule(ETW_UNWIND_SP, 16, ETW_UNWIND_RA_REGISTER, 0), &arm64,
			      read_word, stack) == ETW_UNWIND_END_RULE,
	      "arm64: a caller has no link register");
	f = start_at(4, 20);
	stack[20] = at(40);
	stack[21] = CODE + 9;
	check(!etw_unwind_step(&f, 0, &arm64, read_word, stack) && f.ip == CODE + 9 && !f.has_sp &&
	      f.fp == at(40), "arm64: a frame record does not contain the stack pointer");
	stack[40] = 0;
	stack[41] = CODE + 10;
	check(!etw_unwind_step(&f, rule(ETW_UNWIND_SP, 16, -8, 0), &arm64, read_word, stack) &&
	      f.ip == CODE + 10, "arm64: without a stack pointer, frame records are followed");
}

static __u64 seed = 1;

static __u64 any(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	return seed ^= seed << 17;
}

static __s16 any_offset(void)
{
	return any() % 4 ? (__s16)(any() % 32) * 8 - 64 : (any() % 2 ? 0x7fff : (__s16)any());
}

static __u64 any_word(void)
{
	switch (any() % 4) {
	case 0:
		return any();
	case 1:
		return CODE + any() % 256;
	default:
		return at(any() % WORDS) + (any() % 16 ? 0 : any() % 8);
	}
}

/* Return: false if a walk went down without a signal, or did not end. */
static bool walk_any(const struct etw_unwind_rows *packed, const struct etw_unwind_machine *m)
{
	struct etw_unwind_frame f = {
		.ip = CODE, .sp = any_word(), .fp = any_word(), .lr = any_word(), .exact = true,
		.has_sp = true,
	};
	enum etw_unwind_end end = ETW_UNWIND_GOES_ON;
	__u64 sp;
	int n;

	for (n = 0; n < 127 && !end; n++) {
		bool was_exact = f.exact;

		sp = f.sp;
		end = etw_unwind_step(&f, any() % 8 ? etw_unwind_find(packed, f.ip - CODE) : 0, m,
				      read_word, stack);
		if (end >= ETW_UNWIND_ENDS || f.ip >= m->user_end)
			return false;
		if (!end && !f.exact && (f.sp < sp || (f.sp == sp && !was_exact)))
			return false;
	}
	return true;
}

static void check_any(unsigned int times)
{
	struct etw_unwind_row rows[16], *row;
	struct etw_unwind_rows packed = { };
	bool good = true;
	unsigned int i, nr;

	for (i = 0; i < times && good; i++) {
		__u32 offset = 0;

		nr = 1 + any() % 16;
		for (row = rows; row < rows + nr; row++) {
			offset += any() % 16;
			*row = (struct etw_unwind_row){
				offset, any_offset(), any() % (ETW_UNWIND_CFAS + (any() % 64 == 0)),
				any() % 64 == 0, any_offset(), any_offset(),
			};
		}
		if (i % 4 == 0)
			for (nr = 0; nr < WORDS; nr++)
				stack[nr] = any_word();
		nr = row - rows;
		if (etw_unwind_refused_row(rows, nr))
			for (nr = 0, row = rows; row < rows + 16; row++, nr++)
				*row = (struct etw_unwind_row){ nr, any_offset(), nr % 8, 0,
								any_offset(), any_offset() };
		/* one block for all: packing has its own check */
		if (i % 512 == 0) {
			free(packed.rule);
			good = pack_rows(&packed, rows, nr);
		}
		good = good && walk_any(&packed, &x86) && walk_any(&packed, &arm64);
	}
	free(packed.rule);
	check(good, "any table on any stack ends, and only goes up");
}

int main(int argc, char **argv)
{
	check_refused();
	check_packed();
	check_many_rules();
	check_steps();
	check_ends();
	check_signal();
	check_arm64();
	check_any(argc > 1 ? strtoul(argv[1], NULL, 10) : 1000);
	return failed;
}
