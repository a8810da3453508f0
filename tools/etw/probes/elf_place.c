// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Places in ELF files, as offsets in the file, by which tracefs names them. */
#include "elf_place.h"
#ifdef ETW_HAVE_ELF
#include <errno.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>
#include "common/suggestion.h"
#include "symbols/elf_file.h"

#define STAPSDT_TYPE	3
#define BUILD_ID	64
/* Bytes of all notes of probes */
#define NOTES_MOST	(16u << 20)
#define NOT_LOADED	"it is in no segment of the file"

bool elf_offset_of(Elf *elf, uint64_t address, uint64_t *offset)
{
	GElf_Phdr phdr;
	size_t i, n = 0;

	elf_getphdrnum(elf, &n);
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, i, &phdr) || phdr.p_type != PT_LOAD ||
		    address < phdr.p_vaddr || address - phdr.p_vaddr >= phdr.p_filesz)
			continue;
		*offset = address - phdr.p_vaddr + phdr.p_offset;
		return true;
	}
	return false;
}

/* Versions stand behind a name: malloc@@GLIBC_2.2.5 */
static bool is_name(const char *symbol, const char *name)
{
	size_t length = strlen(name);

	return !strncmp(symbol, name, length) && (!symbol[length] || symbol[length] == '@');
}

static bool is_function(const GElf_Sym *symbol)
{
	unsigned int type = GELF_ST_TYPE(symbol->st_info);

	return symbol->st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_NOTYPE);
}

/* Adds a place, if it has no other name of the same address */
static void add_place(struct elf_places *places, Elf *elf, uint64_t address)
{
	uint64_t offset;
	unsigned int i;

	for (i = 0; i < places->count && i < ELF_PLACES; i++)
		if (places->addresses[i] == address)
			return;
	if (i < ELF_PLACES) {
		if (!elf_offset_of(elf, address, &offset)) {
			places->not_loaded = true;
			return;
		}
		places->addresses[i] = address;
		places->offsets[i] = offset;
	}
	places->count++;
}

/* @elf: with the segments; the section may be of its debug file */
static void find_in_section(Elf *elf, Elf *symbols, Elf_Scn *section, const GElf_Shdr *header,
			    struct elf_places *places)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t i, n = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;
	const char *symbol_name;
	GElf_Sym symbol;

	for (i = 0; i < n; i++) {
		if (!gelf_getsym(data, i, &symbol) || !is_function(&symbol))
			continue;
		symbol_name = elf_strptr(symbols, header->sh_link, symbol.st_name);
		if (!symbol_name || !symbol_name[0])
			continue;
		if (is_name(symbol_name, places->name))
			add_place(places, elf, symbol.st_value);
		else
			suggestion_try(places->suggestion, symbol_name);
	}
}

static void find_function(Elf *elf, Elf *symbols, struct elf_places *places)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(symbols, section)))
		if (gelf_getshdr(section, &header) &&
		    (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
			find_in_section(elf, symbols, section, &header, places);
}

bool elf_debug_file(Elf *elf, const char *path, char *to, size_t room)
{
	uint8_t id[BUILD_ID];
	unsigned int bytes = build_id_of_elf(elf, id, sizeof(id));

	return debug_file_by_id("", id, bytes, to, room) ||
	       debug_file_by_link(elf, "", path, to, room);
}

/*
 * Its addresses are those of the file that it was made of. Functions that are not exported are
 * only there.
 */
static void find_in_debug_file(Elf *elf, const char *path, struct elf_places *places)
{
	char debug[4096];
	Elf *other;
	int fd;

	if (!elf_debug_file(elf, path, debug, sizeof(debug)))
		return;
	other = elf_open(debug, &fd);
	if (other)
		find_function(elf, other, places);
	elf_end(other);
	if (fd >= 0)
		close(fd);
}

static const char *find(Elf *elf, const char *path, struct elf_places *places)
{
	if (!elf || elf_kind(elf) != ELF_K_ELF)
		return "no ELF file";
	find_function(elf, elf, places);
	find_in_debug_file(elf, path, places);
	if (places->count)
		return NULL;
	return places->not_loaded ? NOT_LOADED : "the file has no such function";
}

const char *elf_functions(const char *path, struct elf_places *places)
{
	const char *why;
	int fd;
	Elf *elf = elf_open(path, &fd);

	if (fd < 0)
		return strerror(errno);
	why = find(elf, path, places);
	elf_end(elf);
	close(fd);
	return why;
}

bool elf_address_of(Elf *elf, uint64_t offset, uint64_t *address)
{
	GElf_Phdr phdr;
	size_t i, n = 0;

	elf_getphdrnum(elf, &n);
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, i, &phdr) || phdr.p_type != PT_LOAD ||
		    offset < phdr.p_offset || offset - phdr.p_offset >= phdr.p_filesz)
			continue;
		*address = offset - phdr.p_offset + phdr.p_vaddr;
		return true;
	}
	return false;
}

/**
 * struct notes - a file with notes to read
 * @elf: it
 * @wide: its addresses have 64 bits
 * @machine: of its header
 * @base: address of .stapsdt.base; 0: it has none
 */
struct notes {
	Elf *elf;
	bool wide;
	unsigned int machine;
	uint64_t base;
};

static uint64_t take_address(const struct notes *notes, const char **at)
{
	uint64_t wide;
	uint32_t narrow;

	if (notes->wide) {
		memcpy(&wide, *at, sizeof(wide));
		*at += sizeof(wide);
		return wide;
	}
	memcpy(&narrow, *at, sizeof(narrow));
	*at += sizeof(narrow);
	return narrow;
}

/* A string that ends before @end. Return: NULL: it does not */
static const char *take_text(const char **at, const char *end)
{
	const char *text = *at, *zero = memchr(text, 0, end - text);

	*at = zero ? zero + 1 : end;
	return zero ? text : NULL;
}

/* Return: false: the note is damaged, or its place is not in the file */
static bool read_note(const struct notes *notes, const char *at, size_t size,
		      struct usdt_note *note)
{
	const char *end = at + size;
	uint64_t place, base, counter, moved;

	if (size < (notes->wide ? 24 : 12))
		return false;
	place = take_address(notes, &at);
	base = take_address(notes, &at);
	counter = take_address(notes, &at);
	note->provider = take_text(&at, end);
	note->name = take_text(&at, end);
	note->arguments = take_text(&at, end);
	/* prelink moves the sections, but not the addresses in notes */
	moved = notes->base ? notes->base - base : 0;
	note->counter = 0;
	return note->provider && note->name && note->arguments &&
	       elf_offset_of(notes->elf, place + moved, &note->offset) &&
	       (!counter || elf_offset_of(notes->elf, counter + moved, &note->counter));
}

static const char *read_notes(const struct notes *notes, Elf_Data *data,
			      int (*found)(void *context, const struct usdt_note *note,
					   unsigned int machine), void *context)
{
	size_t at = 0, name, content;
	struct usdt_note note;
	GElf_Nhdr header;

	while ((at = gelf_getnote(data, at, &header, &name, &content))) {
		if (header.n_type != STAPSDT_TYPE || header.n_namesz != sizeof("stapsdt") ||
		    memcmp((char *)data->d_buf + name, "stapsdt", sizeof("stapsdt")))
			continue;
		if (!read_note(notes, (char *)data->d_buf + content, header.n_descsz, &note))
			return "a note of .note.stapsdt is damaged";
		if (found(context, &note, notes->machine))
			break;
	}
	return NULL;
}

static const char *walk_notes(Elf *elf, int (*found)(void *context, const struct usdt_note *note,
						     unsigned int machine), void *context)
{
	struct notes notes = { .elf = elf };
	GElf_Shdr header;
	GElf_Ehdr ehdr;
	Elf_Scn *section;
	Elf_Data *data;

	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &ehdr))
		return "no ELF file";
	if (ehdr.e_ident[EI_DATA] != ELFDATA2LSB)
		return "it is big-endian";
	notes.wide = ehdr.e_ident[EI_CLASS] == ELFCLASS64;
	notes.machine = ehdr.e_machine;
	section = elf_section_named(elf, ".stapsdt.base");
	if (section && gelf_getshdr(section, &header))
		notes.base = header.sh_addr;
	section = elf_section_named(elf, ".note.stapsdt");
	if (!section || !gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE)
		return "it has no USDT probes (no section .note.stapsdt)";
	if (header.sh_size > NOTES_MOST)
		return "its section .note.stapsdt has more than 16 MB";
	data = elf_getdata(section, NULL);
	return data ? read_notes(&notes, data, found, context) : "its .note.stapsdt is damaged";
}

const char *elf_usdt_notes(const char *path,
			   int (*found)(void *context, const struct usdt_note *note,
					unsigned int machine), void *context)
{
	const char *why;
	int fd;
	Elf *elf = elf_open(path, &fd);

	if (fd < 0)
		return strerror(errno);
	why = walk_notes(elf, found, context);
	elf_end(elf);
	close(fd);
	return why;
}
#else
static const char without[] = "this etw was built without libelf";

const char *elf_functions(const char *path, struct elf_places *places)
{
	(void)path, (void)places;
	return without;
}

const char *elf_usdt_notes(const char *path,
			   int (*found)(void *context, const struct usdt_note *note,
					unsigned int machine), void *context)
{
	(void)path, (void)found, (void)context;
	return without;
}
#endif
