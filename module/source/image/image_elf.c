// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Reads the first page of an ELF file, which may contain any bytes. */
#include <linux/align.h>
#include <linux/elf.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/string.h>
#include "image_elf.h"

#define GNU_BUILD_ID	3

/* One segment, of either class */
struct segment {
	u32 type;
	u32 flags;
	u64 offset;
	u64 address;
	u64 file_size;
	u64 memory_size;
};

/**
 * etw_build_id_stamp() - read the first bytes of a build-id
 * @notes: ELF notes
 * @size: bytes of them
 *
 * Return: its first 4 bytes as stored, little endian; 0 without a build-id.
 */
u32 etw_build_id_stamp(const void *notes, u32 size)
{
	u32 at = 0, stamp;

	while (at < size && size - at >= sizeof(struct elf32_note)) {
		struct elf32_note note;
		u64 name, text, next;

		memcpy(&note, notes + at, sizeof(note));
		name = at + sizeof(note);
		text = name + ALIGN((u64)note.n_namesz, 4);
		next = text + ALIGN((u64)note.n_descsz, 4);
		if (text + note.n_descsz > size)
			break;
		if (note.n_type == GNU_BUILD_ID && note.n_namesz == sizeof("GNU") &&
		    !memcmp(notes + name, "GNU", sizeof("GNU")) &&
		    note.n_descsz >= sizeof(stamp)) {
			memcpy(&stamp, notes + text, sizeof(stamp));
			return stamp;
		}
		at = min_t(u64, next, size);
	}
	return 0;
}

static __always_inline struct segment segment_64(const void *at)
{
	struct elf64_phdr h;

	memcpy(&h, at, sizeof(h));
	return (struct segment){ h.p_type, h.p_flags, h.p_offset, h.p_vaddr, h.p_filesz,
				 h.p_memsz };
}

static __always_inline struct segment segment_32(const void *at)
{
	struct elf32_phdr h;

	memcpy(&h, at, sizeof(h));
	return (struct segment){ h.p_type, h.p_flags, h.p_offset, h.p_vaddr, h.p_filesz,
				 h.p_memsz };
}

/* The program headers: offset, number, and size of each */
static bool find_headers(const void *head, u32 size, bool wide, u64 *offset, u32 *count,
			 u32 *step)
{
	if (wide) {
		struct elf64_hdr e;

		if (size < sizeof(e))
			return false;
		memcpy(&e, head, sizeof(e));
		*offset = e.e_phoff;
		*count = e.e_phnum;
		*step = sizeof(struct elf64_phdr);
		return e.e_phentsize == *step;
	}
	if (size >= sizeof(struct elf32_hdr)) {
		struct elf32_hdr e;

		memcpy(&e, head, sizeof(e));
		*offset = e.e_phoff;
		*count = e.e_phnum;
		*step = sizeof(struct elf32_phdr);
		return e.e_phentsize == *step;
	}
	return false;
}

/**
 * struct reading - sums over the loadable segments
 * @at: file offset of the page that is looked for as code
 * @low: lowest address, rounded down to its page
 * @low_offset: file offset of the page at @low
 * @high: end of the highest segment
 * @code: address of @at as code
 * @has_code: @code is valid
 */
struct reading {
	u64 at;
	u64 low;
	u64 low_offset;
	u64 high;
	u64 code;
	bool has_code;
};

static void note_load(struct reading *reading, const struct segment *s)
{
	u64 address = s->address & PAGE_MASK, offset = s->offset & PAGE_MASK;

	if (!s->memory_size || s->address > S64_MAX || s->memory_size > S64_MAX - s->address)
		return;
	if (address < reading->low) {
		reading->low = address;
		reading->low_offset = offset;
	}
	reading->high = max(reading->high, s->address + s->memory_size);
	/* a page that two segments share counts for the segment that starts there */
	if ((s->flags & PF_X) && reading->at >= offset &&
	    reading->at - offset < min(s->file_size, s->memory_size) + offset_in_page(s->offset) &&
	    (!reading->has_code || reading->at == offset)) {
		reading->code = address + (reading->at - offset);
		reading->has_code = true;
	}
}

/**
 * etw_image_elf_read() - read the head of an ELF file
 * @head: first bytes of the file
 * @size: number of bytes
 * @offset: of a page of the file that is mapped as code
 * @elf: out
 *
 * Context: any. Return: whether it is an ELF file with loadable segments and with all its
 * program headers in @head.
 */
bool etw_image_elf_read(const void *head, u32 size, u64 offset, struct etw_image_elf *elf)
{
	struct reading reading = { .at = offset, .low = U64_MAX };
	const u8 *ident = head;
	u32 i, count, step;
	u64 headers;
	bool wide;

	*elf = (struct etw_image_elf){ };
	if (size < EI_NIDENT || memcmp(ident, ELFMAG, SELFMAG) ||
	    ident[EI_DATA] != ELFDATA2LSB)
		return false;
	wide = ident[EI_CLASS] == ELFCLASS64;
	if (!find_headers(head, size, wide, &headers, &count, &step) ||
	    headers > size || (u64)count * step > size - headers)
		return false;
	for (i = 0; i < count; i++) {
		const void *at = head + headers + i * step;
		struct segment s;

		/* most are of other types; the type comes first in both classes */
		memcpy(&s.type, at, sizeof(s.type));
		if (s.type != PT_LOAD && s.type != PT_NOTE)
			continue;
		s = wide ? segment_64(at) : segment_32(at);
		if (s.type == PT_LOAD)
			note_load(&reading, &s);
		else if (s.type == PT_NOTE && !elf->stamp && s.offset <= size &&
			 s.file_size <= size - s.offset)
			elf->stamp = etw_build_id_stamp(head + s.offset, s.file_size);
	}
	if (!reading.high)
		return false;
	elf->low = reading.low;
	elf->size = PAGE_ALIGN(reading.high - reading.low);
	elf->has_code = reading.has_code && !reading.low_offset;
	if (elf->has_code)
		elf->code = reading.code - reading.low;
	return true;
}
