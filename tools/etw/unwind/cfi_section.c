// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Records of .eh_frame and .debug_frame; declared in cfi.h. */
#include <elf.h>
#include "cfi.h"
#include "libetl/array.h"

/* Encodings of pointers in .eh_frame */
#define PE_ABSOLUTE	0x00
#define PE_ULEB		0x01
#define PE_U2		0x02
#define PE_U4		0x03
#define PE_U8		0x04
#define PE_SLEB		0x09
#define PE_S2		0x0A
#define PE_S4		0x0B
#define PE_S8		0x0C
#define PE_RELATIVE	0x10
#define PE_OMITTED	0xFF

#define LONGEST_AUGMENTATION	16

/* A small file can contain many, compressed, and each takes memory. */
#define MOST_CIES	0x40000
#define MOST_ENTRIES	0x200000

const struct cfi_machine *cfi_machine_find(uint16_t elf)
{
	static const struct cfi_machine machines[] = {
		{ .elf = EM_X86_64, .name = "x86_64", .sp = 7, .fp = 6, .ra = 16 },
		{ .elf = EM_AARCH64, .name = "arm64", .sp = 31, .fp = 29, .ra = 30,
		  .link = true },
	};
	size_t i;

	for (i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].elf == elf)
			return &machines[i];
	return NULL;
}

/* The number of an encoded pointer, without what it is relative to */
static uint64_t encoded_number(struct dwarf_bytes *bytes, uint8_t encoding)
{
	switch (encoding & 0x0F) {
	case PE_ULEB:
		return dwarf_uleb(bytes);
	case PE_U2:
		return dwarf_number(bytes, 2);
	case PE_U4:
		return dwarf_number(bytes, 4);
	case PE_ABSOLUTE:
	case PE_U8:
	case PE_S8:
		return dwarf_number(bytes, 8);
	case PE_SLEB:
		return dwarf_sleb(bytes);
	case PE_S2:
		return dwarf_signed(bytes, 2);
	case PE_S4:
		return dwarf_signed(bytes, 4);
	default:
		bytes->bad = true;
		return 0;
	}
}

static uint64_t encoded_address(const struct cfi_section *section, struct dwarf_bytes *bytes,
				uint8_t encoding)
{
	uint64_t place = section->address + (bytes->at - section->bytes);
	uint64_t number = encoded_number(bytes, encoding);

	switch (encoding & 0xF0) {
	case PE_ABSOLUTE:
		return number;
	case PE_RELATIVE:
		return place + number;
	default:
		bytes->bad = true;
		return 0;
	}
}

static bool take_augmentation(struct cfi_cie *cie, const char *letters, struct dwarf_bytes *bytes)
{
	struct dwarf_bytes data = *bytes;
	uint64_t size = dwarf_uleb(&data);

	*bytes = data;
	if (!dwarf_skip(bytes, size))
		return false;
	data.end = bytes->at;
	cie->augmented = true;
	for (; *letters; letters++) {
		switch (*letters) {
		case 'R':
			cie->encoding = dwarf_number(&data, 1);
			break;
		case 'P':
			encoded_number(&data, dwarf_number(&data, 1) & 0x0F);
			break;
		case 'L':
			dwarf_number(&data, 1);
			break;
		case 'S':
			cie->signal = true;
			break;
		/* arm64: the return address is signed with the B key; memory is tagged */
		case 'B':
		case 'G':
			break;
		default:
			return false;
		}
	}
	return !data.bad && cie->encoding != PE_OMITTED;
}

/* @bytes: behind the record's id */
static bool read_cie(const struct cfi_section *section, struct cfi_cie *cie,
		     struct dwarf_bytes bytes)
{
	uint64_t version = dwarf_number(&bytes, 1), ra;
	const char *letters = (const char *)bytes.at;
	size_t length = strnlen(letters, bytes.end - bytes.at);

	if (length > LONGEST_AUGMENTATION || !dwarf_skip(&bytes, length + 1) ||
	    (version != 1 && version != 3 && version != 4))
		return false;
	/* sizes of addresses and of segment selectors */
	if (version == 4 && (dwarf_number(&bytes, 1) != 8 || dwarf_number(&bytes, 1)))
		return false;
	cie->code_align = dwarf_uleb(&bytes);
	cie->data_align = dwarf_sleb(&bytes);
	ra = version == 1 ? dwarf_number(&bytes, 1) : dwarf_uleb(&bytes);
	if (letters[0] == 'z') {
		if (!take_augmentation(cie, letters + 1, &bytes))
			return false;
	} else if (letters[0]) {
		return false;
	}
	return !bytes.bad && ra == section->machine->ra &&
	       cfi_run_initial(section->machine, cie, bytes);
}

static bool add_cie(struct cfi_section *section, uint64_t at, struct dwarf_bytes bytes)
{
	struct cfi_cie *cie;

	/* its entries cannot be read */
	if (section->cies == MOST_CIES)
		return true;
	if (!array_grow((void **)&section->cie, &section->room, section->cies + 1,
			sizeof(*section->cie)))
		return false;
	cie = &section->cie[section->cies++];
	*cie = (struct cfi_cie){ .at = at };
	cie->usable = read_cie(section, cie, bytes);
	return true;
}

/* Return: the number of CIEs: there is none */
static size_t find_cie(const struct cfi_section *section, uint64_t at)
{
	size_t low = 0, high = section->cies, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (section->cie[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < section->cies && section->cie[low].at == at ? low : section->cies;
}

static bool read_entry(const struct cfi_section *section, struct cfi_entry *entry,
		       struct dwarf_bytes bytes)
{
	const struct cfi_cie *cie = &section->cie[entry->cie];
	uint64_t size;

	if (!cie->usable)
		return false;
	entry->start = encoded_address(section, &bytes, cie->encoding);
	size = encoded_number(&bytes, cie->encoding & 0x0F);
	entry->end = entry->start + size;
	if (cie->augmented) {
		size = dwarf_uleb(&bytes);
		dwarf_skip(&bytes, size);
	}
	entry->program = bytes;
	return !bytes.bad && entry->end >= entry->start;
}

/* Linkers move the functions that they discard to address 0, and leave them no bytes. */
static bool add_entry(struct cfi_section *section, uint64_t cie, struct dwarf_bytes bytes,
		      struct cfi_entries *entries)
{
	struct cfi_entry entry = { .section = section, .cie = find_cie(section, cie) };

	if (entries->count == MOST_ENTRIES || entry.cie == section->cies ||
	    !read_entry(section, &entry, bytes)) {
		entries->unreadable++;
		return true;
	}
	if (!entry.start || entry.start == entry.end)
		return true;
	if (!array_grow((void **)&entries->entry, &entries->room, entries->count + 1,
			sizeof(*entries->entry)))
		return false;
	entry.order = entries->count;
	entries->entry[entries->count++] = entry;
	return true;
}

/**
 * struct record - head of a CIE or an entry
 * @at: its place in the section
 * @cie: place of the CIE of an entry
 * @is_cie: it is one
 * @rest: what follows the head
 */
struct record {
	uint64_t at;
	uint64_t cie;
	bool is_cie;
	struct dwarf_bytes rest;
};

/* Return: false: this is the end, or the section is damaged: @bytes->bad is set */
static bool next_record(const struct cfi_section *section, struct dwarf_bytes *bytes,
			struct record *record)
{
	uint64_t length, id, place;
	size_t width = 4;

	record->at = bytes->at - section->bytes;
	if (bytes->at == bytes->end)
		return false;
	length = dwarf_number(bytes, 4);
	if (length == 0xFFFFFFFF) {
		width = 8;
		length = dwarf_number(bytes, 8);
	}
	/* the linker ends .eh_frame by a length of 0 */
	if (!length)
		return false;
	record->rest = *bytes;
	if (!dwarf_skip(bytes, length))
		return false;
	record->rest.end = bytes->at;
	/* pointers of .eh_frame have 4 bytes in records of both widths */
	if (!section->debug)
		width = 4;
	place = record->rest.at - section->bytes;
	id = dwarf_number(&record->rest, width);
	if (section->debug) {
		record->is_cie = id == (width == 4 ? 0xFFFFFFFF : UINT64_MAX);
		record->cie = id;
	} else {
		record->is_cie = !id;
		record->cie = place - id;
	}
	return true;
}

bool cfi_section_read(struct cfi_section *section, struct cfi_entries *entries)
{
	struct dwarf_bytes bytes = { section->bytes, section->bytes + section->size, false };
	struct record record;
	bool added = true;

	while (added && next_record(section, &bytes, &record))
		added = record.is_cie ? add_cie(section, record.at, record.rest) :
			add_entry(section, record.cie, record.rest, entries);
	entries->unreadable += bytes.bad;
	return added;
}
