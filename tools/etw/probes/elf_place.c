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

static bool offset_of(Elf *elf, uint64_t address, uint64_t *offset)
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

static bool find_in_section(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, const char *name,
			    uint64_t *address, struct suggestion *suggestion)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t i, n = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;
	const char *symbol_name;
	GElf_Sym symbol;

	for (i = 0; i < n; i++) {
		if (!gelf_getsym(data, i, &symbol) || !is_function(&symbol))
			continue;
		symbol_name = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (!symbol_name || !symbol_name[0])
			continue;
		if (is_name(symbol_name, name)) {
			*address = symbol.st_value;
			return true;
		}
		suggestion_try(suggestion, symbol_name);
	}
	return false;
}

static bool find_function(Elf *elf, const char *name, uint64_t *address,
			  struct suggestion *suggestion)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) &&
		    (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM) &&
		    find_in_section(elf, section, &header, name, address, suggestion))
			return true;
	return false;
}

/* Its addresses are those of the file that it was made of. */
static bool find_in_debug_file(Elf *elf, const char *path, const char *name, uint64_t *address,
			       struct suggestion *suggestion)
{
	uint8_t id[BUILD_ID];
	unsigned int bytes = build_id_of_elf(elf, id, sizeof(id));
	char debug[4096];
	bool found;
	Elf *other;
	int fd;

	if (!debug_file_by_id("", id, bytes, debug, sizeof(debug)) &&
	    !debug_file_by_link(elf, "", path, debug, sizeof(debug)))
		return false;
	other = elf_open(debug, &fd);
	found = other && find_function(other, name, address, suggestion);
	elf_end(other);
	if (fd >= 0)
		close(fd);
	return found;
}

static const char *find(Elf *elf, const char *path, const char *name, uint64_t *offset,
			struct suggestion *suggestion)
{
	uint64_t address;

	if (!elf || elf_kind(elf) != ELF_K_ELF)
		return "no ELF file";
	if (!find_function(elf, name, &address, suggestion) &&
	    !find_in_debug_file(elf, path, name, &address, suggestion))
		return "the file has no such function";
	return offset_of(elf, address, offset) ? NULL : NOT_LOADED;
}

const char *elf_function_offset(const char *path, const char *name, uint64_t *offset,
				struct suggestion *suggestion)
{
	const char *why;
	int fd;
	Elf *elf = elf_open(path, &fd);

	if (fd < 0)
		return strerror(errno);
	why = find(elf, path, name, offset, suggestion);
	elf_end(elf);
	close(fd);
	return why;
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
	       offset_of(notes->elf, place + moved, &note->offset) &&
	       (!counter || offset_of(notes->elf, counter + moved, &note->counter));
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

const char *elf_function_offset(const char *path, const char *name, uint64_t *offset,
				struct suggestion *suggestion)
{
	(void)path, (void)name, (void)offset, (void)suggestion;
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
