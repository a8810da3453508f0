// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* An entry for the first code of a program, if nothing describes it. */
#include <stdlib.h>
#include "libetl/array.h"
#include "cfi_start.h"

/*
 * The dynamic loader of glibc for x86_64 begins with assembler code without directives, and so do
 * musl's programs. Bytes of this code at most; the next described function ends it, too.
 */
#define MOST_BYTES	128

bool cfi_start_add(struct cfi_section *section, uint64_t start, uint64_t end,
		   struct cfi_entries *entries)
{
	size_t i;

	if (end - start > MOST_BYTES)
		end = start + MOST_BYTES;
	for (i = 0; i < entries->count; i++) {
		const struct cfi_entry *entry = &entries->entry[i];

		if (entry->start <= start && entry->end > start)
			return true;
		if (entry->start > start && entry->start < end)
			end = entry->start;
	}
	section->cie = calloc(1, sizeof(*section->cie));
	if (!section->cie)
		return false;
	section->cies = 1;
	section->cie->usable = true;
	section->cie->code_align = 1;
	section->cie->initial.ra = (struct cfi_register){ CFI_UNDEFINED, true, 0 };
	if (!array_grow((void **)&entries->entry, &entries->room, entries->count + 1,
			sizeof(*entries->entry)))
		return false;
	entries->entry[entries->count] = (struct cfi_entry){
		.start = start, .end = end, .section = section, .order = entries->count,
	};
	entries->count++;
	return true;
}
