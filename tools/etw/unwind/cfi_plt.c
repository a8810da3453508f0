// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Entries for procedure linkage tables that the linker did not describe; declared in cfi_plt.h. */
#include <stdlib.h>
#include <string.h>
#include "libetl/array.h"
#include "cfi_plt.h"

/*
 * GNU ld writes no call frame information for the tables of arm64, and for those of static
 * programs; LLVM's linker writes none at all. Functions that depend on the processor (memcpy) are
 * called through these tables also in static programs.
 */

/* arm64: the first entry is 32 bytes; it begins, behind a landing pad, with stp x16, x30 */
#define ARM64_HEAD	32
#define ARM64_BTI	0xD503245Fu
#define ARM64_PUSH	0xA9BF7BF0u
/* x86_64: the first entry is 16 bytes; it begins with push from memory */
#define X86_HEAD	16
#define X86_ENDBR	0xFA1E0FF3u

/* Factors of all programs here */
#define CODE_ALIGN	1
#define DATA_ALIGN	(-8)

/* arm64: advance 4 or 8; CFA offset 16; return address at CFA - 8 */
static const uint8_t arm64_head[] = { 0x44, 0x0E, 0x10, 0x9E, 0x01 };
static const uint8_t arm64_head_bti[] = { 0x48, 0x0E, 0x10, 0x9E, 0x01 };
/* x86_64: rsp + 8, and 8 more behind the push of an entry: as GNU ld describes them */
static const uint8_t x86_lazy[] = {
	0x0F, 0x0B, 0x77, 0x08, 0x80, 0x00, 0x3F, 0x1A, 0x3B, 0x2A, 0x33, 0x24, 0x22,
};
static const uint8_t x86_lazy_ibt[] = {
	0x0F, 0x0B, 0x77, 0x08, 0x80, 0x00, 0x3F, 0x1A, 0x39, 0x2A, 0x33, 0x24, 0x22,
};

static uint32_t word_at(const struct cfi_plt *plt, size_t at)
{
	uint32_t word = 0;

	if (at + sizeof(word) <= plt->size)
		memcpy(&word, plt->bytes + at, sizeof(word));
	return word;
}

/* The rules at the begin of a function */
static bool make_cie(struct cfi_section *section)
{
	const struct cfi_machine *machine = section->machine;
	struct cfi_state *initial;

	section->cie = calloc(1, sizeof(*section->cie));
	if (!section->cie)
		return false;
	section->cies = 1;
	section->cie->usable = true;
	section->cie->code_align = CODE_ALIGN;
	section->cie->data_align = DATA_ALIGN;
	initial = &section->cie->initial;
	initial->reg = machine->sp;
	initial->offset = machine->link ? 0 : 8;
	if (!machine->link)
		initial->ra = (struct cfi_register){ CFI_OFFSET, true, -8 };
	return true;
}

static bool is_described(const struct cfi_plt *plt, const struct cfi_entries *entries, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (entries->entry[i].start < plt->address + plt->size &&
		    entries->entry[i].end > plt->address)
			return true;
	return false;
}

static bool add(const struct cfi_section *section, struct cfi_entries *entries, uint64_t start,
		uint64_t end, const uint8_t *program, size_t size)
{
	if (start >= end)
		return true;
	if (!array_grow((void **)&entries->entry, &entries->room, entries->count + 1,
			sizeof(*entries->entry)))
		return false;
	entries->entry[entries->count] = (struct cfi_entry){
		.start = start, .end = end, .section = section, .order = entries->count,
		.program = { program, program + size, false },
	};
	entries->count++;
	return true;
}

static bool add_arm64(const struct cfi_section *section, const struct cfi_plt *plt,
		      struct cfi_entries *entries)
{
	bool bti = word_at(plt, 0) == ARM64_BTI;
	uint64_t start = plt->address, end = start + plt->size;

	if (word_at(plt, bti ? 4 : 0) == ARM64_PUSH && plt->size >= ARM64_HEAD) {
		if (!add(section, entries, start, start + ARM64_HEAD,
			 bti ? arm64_head_bti : arm64_head, sizeof(arm64_head)))
			return false;
		start += ARM64_HEAD;
	}
	return add(section, entries, start, end, NULL, 0);
}

/* Entries without a first one push nothing. */
static bool add_x86(const struct cfi_section *section, const struct cfi_plt *plt,
		    struct cfi_entries *entries)
{
	uint64_t start = plt->address, end = start + plt->size;
	bool ibt = word_at(plt, X86_HEAD) == X86_ENDBR;

	if ((word_at(plt, 0) & 0xFFFF) != 0x35FF)
		return add(section, entries, start, end, NULL, 0);
	/* the rule counts from a multiple of 16 */
	if (start % X86_HEAD)
		return true;
	return add(section, entries, start + X86_HEAD, end, ibt ? x86_lazy_ibt : x86_lazy,
		   sizeof(x86_lazy));
}

bool cfi_plt_add(struct cfi_section *section, const struct cfi_plt *plt, size_t count,
		 struct cfi_entries *entries)
{
	const size_t described = entries->count;
	size_t i;

	if (!make_cie(section))
		return false;
	for (i = 0; i < count; i++, plt++) {
		if (plt->size > UINT32_MAX || plt->address > UINT64_MAX - plt->size ||
		    is_described(plt, entries, described))
			continue;
		if (!(section->machine->link ? add_arm64 : add_x86)(section, plt, entries))
			return false;
	}
	return true;
}
