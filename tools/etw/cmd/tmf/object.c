// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Trace points of objects: programs, shared and relocatable ones, archives. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "libetl/array.h"
#include "etw.h"
#include "trace_points.h"

#ifdef ETW_HAVE_ELF
#include <gelf.h>

/**
 * struct object - an object that is being read
 * @name: for messages
 * @elf: it
 * @relocatable: its addresses are in relocations
 * @width: bytes of an address
 * @entries: the section of trace points
 * @index: its index
 * @bytes: what is in it
 * @relocations: of this section; NULL: none
 * @rela: they have addends of their own
 * @nr_relocations: how many
 * @next: where the last one was found: they are in order
 * @symbols: what they refer to
 */
struct object {
	const char *name;
	Elf *elf;
	bool relocatable;
	unsigned int width;
	Elf_Scn *entries;
	size_t index;
	const Elf_Data *bytes;
	Elf_Data *relocations;
	bool rela;
	size_t nr_relocations;
	size_t next;
	Elf_Data *symbols;
};

bool wpp_can_read(void)
{
	return true;
}

static uint64_t number_at(const uint8_t *at, unsigned int bytes)
{
	uint64_t value = 0;

	while (bytes--)
		value = value << 8 | at[bytes];
	return value;
}

static int damaged(const struct object *object, const char *what)
{
	failed("%s: %s: %s", object->name, ETW_WPP_SECTION, what);
	return -1;
}

/* A string in a section. Return: NULL when it has no end */
static char *string_in(Elf_Scn *section, uint64_t at)
{
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;

	if (!data || !data->d_buf || at >= data->d_size ||
	    !memchr((char *)data->d_buf + at, 0, data->d_size - at))
		return NULL;
	return strdup((char *)data->d_buf + at);
}

static char *string_at(const struct object *object, uint64_t address)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(object->elf, section)))
		if (gelf_getshdr(section, &header) && (header.sh_flags & SHF_ALLOC) &&
		    header.sh_type == SHT_PROGBITS && address >= header.sh_addr &&
		    address - header.sh_addr < header.sh_size)
			return string_in(section, address - header.sh_addr);
	return NULL;
}

static bool relocation(const struct object *object, size_t i, GElf_Rela *to)
{
	GElf_Rel rel;

	if (object->rela)
		return gelf_getrela(object->relocations, i, to);
	if (!gelf_getrel(object->relocations, i, &rel))
		return false;
	to->r_offset = rel.r_offset;
	to->r_info = rel.r_info;
	/* it is where the address will be */
	to->r_addend = number_at((uint8_t *)object->bytes->d_buf + rel.r_offset, object->width);
	return true;
}

/* The string that the relocation at @offset refers to */
static char *string_of_relocation(struct object *object, uint64_t offset)
{
	GElf_Rela found;
	GElf_Sym symbol;
	size_t i, n;

	for (n = 0; n < object->nr_relocations; n++) {
		i = (object->next + n) % object->nr_relocations;
		if (!relocation(object, i, &found) || found.r_offset != offset)
			continue;
		object->next = i;
		if (!object->symbols ||
		    !gelf_getsym(object->symbols, GELF_R_SYM(found.r_info), &symbol) ||
		    symbol.st_shndx >= SHN_LORESERVE)
			return NULL;
		return string_in(elf_getscn(object->elf, symbol.st_shndx),
				 symbol.st_value + found.r_addend);
	}
	return NULL;
}

static struct wpp_entry *add(struct wpp_list *list)
{
	if (!array_grow((void **)&list->entries, &list->room, list->count + 1,
			sizeof(*list->entries)))
		return NULL;
	memset(&list->entries[list->count], 0, sizeof(*list->entries));
	return &list->entries[list->count];
}

static void entry_free(struct wpp_entry *entry)
{
	unsigned int i;

	for (i = 0; i < ETW_WPP_NR_STRINGS; i++)
		free(entry->string[i]);
}

/* Return: 0, also when the linker threw its function away; -1 after an error */
static int read_entry(struct object *object, size_t at, struct wpp_list *list)
{
	const uint8_t *bytes = (const uint8_t *)object->bytes->d_buf + at;
	struct wpp_entry *entry = add(list);
	unsigned int i;

	if (!entry)
		return damaged(object, strerror(ENOMEM));
	for (i = 0; i < ETW_WPP_NR_STRINGS; i++) {
		size_t where = ETW_WPP_OFFSET_STRINGS + i * object->width;
		uint64_t address = number_at(bytes + where, object->width);

		if (!object->relocatable && !address) {
			entry_free(entry);
			return 0;
		}
		entry->string[i] = object->relocatable ?
				   string_of_relocation(object, at + where) :
				   string_at(object, address);
		if (!entry->string[i]) {
			entry_free(entry);
			return damaged(object, "an entry names a string that is not there");
		}
	}
	entry->number = number_at(bytes + ETW_WPP_OFFSET_NUMBER, 4);
	entry->line = number_at(bytes + ETW_WPP_OFFSET_LINE, 4);
	entry->level = number_at(bytes + ETW_WPP_OFFSET_LEVEL, 4);
	entry->flags = number_at(bytes + ETW_WPP_OFFSET_FLAGS, 4);
	entry->types = number_at(bytes + ETW_WPP_OFFSET_TYPES, 8);
	etw_wpp_message_guid(bytes + ETW_WPP_OFFSET_CONTROL, entry->string[ETW_WPP_UNIT],
			     &entry->guid);
	list->count++;
	return 0;
}

static int read_entries(struct object *object, struct wpp_list *list)
{
	const size_t least = ETW_WPP_OFFSET_STRINGS + ETW_WPP_NR_STRINGS * object->width;
	const uint8_t *bytes = object->bytes->d_buf;
	size_t at, size;

	for (at = 0; at + least <= object->bytes->d_size; at += (size + 7) & ~(size_t)7) {
		size = number_at(bytes + at, 4);
		/* what the linker put between two files' */
		if (!size) {
			size = 8;
			continue;
		}
		if (number_at(bytes + at + 4, 4) != ETW_WPP_MAGIC)
			return damaged(object, "of another version, or no trace points at all");
		if (size < least || size > object->bytes->d_size - at)
			return damaged(object, "an entry has a wrong size");
		if (read_entry(object, at, list))
			return -1;
	}
	return 0;
}

static void find_relocations(struct object *object)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(object->elf, section))) {
		if (!gelf_getshdr(section, &header) || header.sh_info != object->index ||
		    (header.sh_type != SHT_RELA && header.sh_type != SHT_REL) ||
		    !header.sh_entsize)
			continue;
		object->relocations = elf_getdata(section, NULL);
		object->rela = header.sh_type == SHT_RELA;
		object->nr_relocations = header.sh_size / header.sh_entsize;
		section = elf_getscn(object->elf, header.sh_link);
		object->symbols = section ? elf_getdata(section, NULL) : NULL;
		return;
	}
}

static bool is_wanted(const struct object *object, Elf_Scn *section)
{
	GElf_Shdr header;
	size_t names;
	char *name;

	if (elf_getshdrstrndx(object->elf, &names) || !gelf_getshdr(section, &header))
		return false;
	name = elf_strptr(object->elf, names, header.sh_name);
	return name && !strcmp(name, ETW_WPP_SECTION) && header.sh_type == SHT_PROGBITS;
}

static int read_object(Elf *elf, const char *name, struct wpp_list *list)
{
	struct object object = { .name = name, .elf = elf };
	Elf_Scn *section = NULL;
	GElf_Ehdr header;

	if (!gelf_getehdr(elf, &header))
		return damaged(&object, elf_errmsg(-1));
	if (header.e_ident[EI_DATA] != ELFDATA2LSB)
		return damaged(&object, "not of a little-endian machine");
	object.relocatable = header.e_type == ET_REL;
	object.width = header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
	while ((section = elf_nextscn(elf, section))) {
		if (!is_wanted(&object, section))
			continue;
		object.index = elf_ndxscn(section);
		object.bytes = elf_getdata(section, NULL);
		object.nr_relocations = 0;
		if (object.relocatable)
			find_relocations(&object);
		if (object.bytes && read_entries(&object, list))
			return -1;
	}
	return 0;
}

static int read_file(int fd, const char *name, struct wpp_list *list)
{
	Elf *file = elf_begin(fd, ELF_C_READ, NULL), *elf;
	Elf_Cmd next = ELF_C_READ;
	int err = 0;

	if (file && elf_kind(file) == ELF_K_ELF) {
		err = read_object(file, name, list);
	} else if (file && elf_kind(file) == ELF_K_AR) {
		while (!err && (elf = elf_begin(fd, next, file))) {
			if (elf_kind(elf) == ELF_K_ELF)
				err = read_object(elf, name, list);
			next = elf_next(elf);
			elf_end(elf);
		}
	} else {
		failed("%s: no ELF object", name);
		err = -1;
	}
	elf_end(file);
	return err;
}

int wpp_read_object(const char *name, struct wpp_list *list)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0) {
		failed("%s: %s", name, strerror(errno));
		return -1;
	}
	elf_version(EV_CURRENT);
	err = read_file(fd, name, list);
	close(fd);
	return err;
}

#else

bool wpp_can_read(void)
{
	return false;
}

int wpp_read_object(const char *name, struct wpp_list *list)
{
	(void)list;
	failed("%s: this tool was built without libelf, which reads objects", name);
	return -1;
}

#endif
