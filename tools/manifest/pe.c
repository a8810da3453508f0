// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Resources of a PE file: the binary template, and the message table. */
#include <string.h>
#include "libetl/messages.h"
#include "wevt.h"

#define DOS_HEAD	0x40
#define DOS_NEXT	0x3C
/* PE, the COFF header, and where it has the number of sections and the optional header's size */
#define PE_HEAD		24
#define PE_SECTIONS	6
#define PE_OPTIONAL	20
#define MAGIC_32	0x10B
#define MAGIC_64	0x20B
/* Resources are the third directory; a directory is an address and a size */
#define DIRECTORIES_32	96
#define DIRECTORIES_64	112
#define RESOURCES	(2 * 8)
#define SECTION_SIZE	40

#define TREE_HEAD	16
#define TREE_ENTRY	8
#define TREE_FLAG	0x80000000u
#define DATA_ENTRY	16
#define TYPE_MESSAGES	11

/**
 * struct pe - a PE file
 * @wevt: for messages
 * @sections: offset of the first one
 * @count: sections
 * @tree: the resources
 */
struct pe {
	struct wevt *wevt;
	size_t sections;
	uint32_t count;
	struct wevt_part tree;
};

static bool inside(const struct pe *pe, uint64_t at, uint64_t size, const char *what)
{
	const struct wevt_part *file = &pe->wevt->file;

	if (at <= file->size && size <= file->size - at)
		return true;
	return wevt_wrong(pe->wevt, file, at < file->size ? at : file->size,
			  "%s: behind the end of the file", what);
}

/* What is at an address, up to the end of its section. Return: false after a message */
static bool at_address(const struct pe *pe, uint32_t address, struct wevt_part *part)
{
	const uint8_t *bytes = pe->wevt->file.bytes, *section = bytes + pe->sections;
	uint32_t i, begin, raw, size;

	for (i = 0; i < pe->count; i++, section += SECTION_SIZE) {
		begin = get32(section + 12);
		size = get32(section + 16);
		raw = get32(section + 20);
		if (address < begin || address - begin >= size)
			continue;
		if (!inside(pe, raw, size, "a section"))
			return false;
		address -= begin;
		*part = (struct wevt_part){
			bytes + raw + address, size - address, (size_t)raw + address,
		};
		return true;
	}
	return wevt_wrong(pe->wevt, &pe->wevt->file, pe->sections,
			  "address 0x%x is in no section", address);
}

/* Return: false after a message: no PE file */
static bool read_headers(struct pe *pe, uint32_t *resources)
{
	const uint8_t *bytes = pe->wevt->file.bytes;
	size_t at, optional, directories;

	*resources = 0;
	if (!inside(pe, 0, DOS_HEAD, "the header"))
		return false;
	at = get32(bytes + DOS_NEXT);
	if (!inside(pe, at, PE_HEAD + 2, "the PE header"))
		return false;
	if (memcmp(bytes + at, "PE\0", 4))
		return wevt_wrong(pe->wevt, &pe->wevt->file, at, "no PE file");
	pe->count = get16(bytes + at + PE_SECTIONS);
	optional = get16(bytes + at + PE_OPTIONAL);
	pe->sections = at + PE_HEAD + optional;
	if (!inside(pe, pe->sections, (uint64_t)pe->count * SECTION_SIZE, "the sections"))
		return false;
	directories = get16(bytes + at + PE_HEAD) == MAGIC_64 ? DIRECTORIES_64 : DIRECTORIES_32;
	if (optional >= directories + RESOURCES + 8)
		*resources = get32(bytes + at + PE_HEAD + directories + RESOURCES);
	return true;
}

/* Whether an entry of the tree has this name, or this number if @name is NULL */
static bool is_called(const struct pe *pe, uint32_t entry, const char *name, uint32_t number)
{
	const size_t length = name ? strlen(name) : 0;
	const uint8_t *at;
	size_t i;

	if (!name)
		return entry == number;
	entry &= ~TREE_FLAG;
	if (entry > pe->tree.size || pe->tree.size - entry < 2 + 2 * length)
		return false;
	at = pe->tree.bytes + entry;
	if (get16(at) != length)
		return false;
	for (i = 0; i < length; i++)
		if (get16(at + 2 + 2 * i) != (uint8_t)name[i])
			return false;
	return true;
}

/*
 * Goes down from a node of the tree: to the entry with the name or number, or to the first one if
 * @any. Return: false: there is none
 */
static bool go_down(const struct pe *pe, uint32_t *node, const char *name, uint32_t number,
		    bool any)
{
	const uint8_t *at = pe->tree.bytes + (*node & ~TREE_FLAG);
	const size_t left = pe->tree.size;
	uint32_t i, names, count;

	if (!(*node & TREE_FLAG) || (*node & ~TREE_FLAG) > left ||
	    left - (*node & ~TREE_FLAG) < TREE_HEAD)
		return false;
	names = get16(at + 12);
	count = names + get16(at + 14);
	if (count > (left - (*node & ~TREE_FLAG) - TREE_HEAD) / TREE_ENTRY)
		return false;
	for (i = 0; i < count; i++) {
		at = pe->tree.bytes + (*node & ~TREE_FLAG) + TREE_HEAD + TREE_ENTRY * i;
		if (any || (!name == !(get32(at) & TREE_FLAG) &&
			    is_called(pe, get32(at), name, number))) {
			*node = get32(at + 4);
			return true;
		}
	}
	return false;
}

/* The first language of the first resource of a type. Return: false after a message */
static bool find_resource(const struct pe *pe, const char *name, uint32_t number,
			  struct wevt_part *part)
{
	uint32_t node = TREE_FLAG, size;

	*part = (struct wevt_part){ };
	if (!go_down(pe, &node, name, number, false) || !go_down(pe, &node, NULL, 0, true) ||
	    !go_down(pe, &node, NULL, 0, true))
		return true;
	if (node > pe->tree.size || pe->tree.size - node < DATA_ENTRY)
		return wevt_wrong(pe->wevt, &pe->wevt->file, pe->tree.base,
				  "a broken tree of resources");
	size = get32(pe->tree.bytes + node + 4);
	if (!at_address(pe, get32(pe->tree.bytes + node), part))
		return false;
	if (size > part->size)
		return wevt_wrong(pe->wevt, &pe->wevt->file, pe->tree.base + node,
				  "a resource of %u bytes, but its section has %zu", size,
				  part->size);
	part->size = size;
	return true;
}

bool wevt_open_pe(struct wevt *wevt)
{
	struct pe pe = { .wevt = wevt };
	uint32_t resources;

	if (!read_headers(&pe, &resources))
		return false;
	if (resources) {
		if (!at_address(&pe, resources, &pe.tree) ||
		    !find_resource(&pe, "WEVT_TEMPLATE", 0, &wevt->template) ||
		    !find_resource(&pe, NULL, TYPE_MESSAGES, &wevt->messages))
			return false;
	} else {
		wevt->template.size = 0;
	}
	if (!wevt->template.size) {
		failed("%s: no WEVT_TEMPLATE: the file describes no events", wevt->name);
		return false;
	}
	return true;
}
