// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The functions of an ELF file: its own symbols, or those of its debug file. */
#ifdef ETW_HAVE_ELF
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "elf_file.h"

#define BUILD_ID_MOST	64
/* Bytes of a file: a sparse one can have any size, and what is read of it takes memory. */
#define FILE_MOST	(4LL << 30)
/* Bytes of a name: a file can have one of any length, and many symbols with that name. */
#define NAME_MOST	0x10000
/* Bytes of the names of all sections, and of all notes, likewise */
#define SECTION_NAMES_MOST	(16u << 20)
#define NOTES_MOST	(1u << 20)

/*
 * More sections than a header can count: no program or library has them, and libelf allocates
 * memory for each. Such numbers are 0 and 0xFFFF in the header, in both byte orders.
 */
static bool has_long_tables(int fd)
{
	union {
		unsigned char ident[EI_NIDENT];
		Elf32_Ehdr narrow;
		Elf64_Ehdr wide;
	} header;

	if (pread(fd, &header, sizeof(header), 0) != sizeof(header))
		return false;
	if (header.ident[EI_CLASS] == ELFCLASS32)
		return (!header.narrow.e_shnum && header.narrow.e_shoff) ||
		       header.narrow.e_phnum == PN_XNUM;
	return (!header.wide.e_shnum && header.wide.e_shoff) || header.wide.e_phnum == PN_XNUM;
}

Elf *elf_open(const char *path, int *fd)
{
	struct stat file;

	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (*fd < 0 || fstat(*fd, &file) || !S_ISREG(file.st_mode) || file.st_size > FILE_MOST ||
	    has_long_tables(*fd))
		return NULL;
	elf_version(EV_CURRENT);
	return elf_begin(*fd, ELF_C_READ, NULL);
}

unsigned int build_id_of_notes(const void *notes, size_t size, uint8_t *id, unsigned int room)
{
	const uint8_t *at = notes;
	Elf64_Nhdr note;
	size_t name, data;

	/* both widths have the same head; parts are padded to 4 bytes */
	while (size >= sizeof(note)) {
		memcpy(&note, at, sizeof(note));
		at += sizeof(note);
		size -= sizeof(note);
		name = ((size_t)note.n_namesz + 3) & ~(size_t)3;
		data = ((size_t)note.n_descsz + 3) & ~(size_t)3;
		if (name > size || note.n_descsz > size - name)
			return 0;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && note.n_descsz &&
		    !memcmp(at, "GNU", 4)) {
			if (note.n_descsz < room)
				room = note.n_descsz;
			memcpy(id, at + name, room);
			return room;
		}
		if (data > size - name)
			return 0;
		at += name + data;
		size -= name + data;
	}
	return 0;
}

/* Notes of the segments, for a stripped file; those of the sections, for an object */
unsigned int build_id_of_elf(Elf *elf, uint8_t *id, unsigned int room)
{
	uint64_t left = NOTES_MOST;
	Elf_Scn *section = NULL;
	unsigned int found = 0;
	GElf_Shdr header;
	Elf_Data *data;
	GElf_Phdr phdr;
	size_t i, n = 0;

	elf_getphdrnum(elf, &n);
	for (i = 0; !found && i < n; i++) {
		if (!gelf_getphdr(elf, i, &phdr) || phdr.p_type != PT_NOTE || phdr.p_filesz > left)
			continue;
		left -= phdr.p_filesz;
		data = elf_getdata_rawchunk(elf, phdr.p_offset, phdr.p_filesz, ELF_T_BYTE);
		if (data && data->d_buf)
			found = build_id_of_notes(data->d_buf, data->d_size, id, room);
	}
	while (!found && (section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE ||
		    header.sh_size > left)
			continue;
		left -= header.sh_size;
		data = elf_rawdata(section, NULL);
		if (data && data->d_buf)
			found = build_id_of_notes(data->d_buf, data->d_size, id, room);
	}
	return found;
}

Elf_Scn *elf_section_named(Elf *elf, const char *name)
{
	Elf_Scn *section = NULL;
	const char *found;
	GElf_Shdr header;
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings) ||
	    !gelf_getshdr(elf_getscn(elf, strings), &header) ||
	    header.sh_size > SECTION_NAMES_MOST)
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header))
			continue;
		found = elf_strptr(elf, strings, header.sh_name);
		if (found && !strcmp(found, name))
			return section;
	}
	return NULL;
}

/*
 * Where offset 0 of the file would be mapped (kernel-events.rst 12.1). Below 0, modulo 2^64, where
 * a segment's offset is above its address: what is loaded elsewhere has it there.
 */
uint64_t elf_lowest_address(Elf *elf)
{
	uint64_t lowest = UINT64_MAX, base = 0;
	GElf_Phdr phdr;
	size_t i, n = 0;

	elf_getphdrnum(elf, &n);
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, i, &phdr) || phdr.p_type != PT_LOAD ||
		    phdr.p_vaddr >= lowest)
			continue;
		lowest = phdr.p_vaddr;
		base = phdr.p_vaddr - phdr.p_offset;
	}
	return base;
}

/* What people call a function, of several names of one: as perf chooses, roughly */
static uint32_t rank_of(const GElf_Sym *symbol, const char *name)
{
	static const uint32_t bind[] = { [STB_LOCAL] = 1, [STB_GLOBAL] = 3, [STB_WEAK] = 2 };
	unsigned int binding = GELF_ST_BIND(symbol->st_info);
	uint32_t rank = 0;

	if (symbol->st_size)
		rank += 64;
	if (GELF_ST_TYPE(symbol->st_info) != STT_NOTYPE)
		rank += 32;
	rank += 8 * (binding < 3 ? bind[binding] : 0);
	return rank + (name[0] == '_' ? name[1] == '_' ? 0 : 1 : 2);
}

static bool is_code(Elf *elf, const GElf_Sym *symbol)
{
	unsigned int type = GELF_ST_TYPE(symbol->st_info);
	GElf_Shdr header;

	if (symbol->st_shndx == SHN_UNDEF)
		return false;
	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		return true;
	/* labels of assembler code */
	if (type != STT_NOTYPE || symbol->st_shndx >= SHN_LORESERVE)
		return false;
	return gelf_getshdr(elf_getscn(elf, symbol->st_shndx), &header) &&
	       (header.sh_flags & SHF_EXECINSTR);
}

static void take_symbol(struct symbol_table *table, Elf *elf, const GElf_Sym *symbol,
			const char *name, uint64_t lowest)
{
	const char *version;
	size_t length;

	/* marks between code and data of arm64 */
	if (!name || !name[0] || name[0] == '$' || (int64_t)(symbol->st_value - lowest) < 0 ||
	    !is_code(elf, symbol))
		return;
	/* .symtab has versions behind its names where linkers leave them */
	length = strnlen(name, NAME_MOST);
	version = memchr(name, '@', length);
	symbol_table_add(table, &(struct function){
		.address = symbol->st_value - lowest, .size = symbol->st_size,
		.rank = rank_of(symbol, name),
		.name = symbol_table_text(table, name, version && version > name ?
					  (size_t)(version - name) : length),
	});
}

/* Return: symbols in all sections of the type */
static size_t take_section(struct symbol_table *table, Elf *elf, uint32_t type, uint64_t lowest)
{
	Elf_Scn *section = NULL;
	size_t i, n, all = 0;
	GElf_Shdr header;
	Elf_Data *data;
	GElf_Sym symbol;

	while (!table->no_memory && (section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header) || header.sh_type != type ||
		    !header.sh_entsize)
			continue;
		data = elf_getdata(section, NULL);
		n = data ? data->d_size / header.sh_entsize : 0;
		for (i = 0; i < n && !table->no_memory; i++)
			if (gelf_getsym(data, i, &symbol))
				take_symbol(table, elf, &symbol,
					    elf_strptr(elf, header.sh_link, symbol.st_name),
					    lowest);
		all += n;
	}
	return all;
}

static void say_from(struct symbol_table *table, const char *path)
{
	free(table->from);
	table->from = strdup(path);
}

/* Of a debug file: its addresses are those of the file that it was made of. */
static bool take_debug_file(struct symbol_table *table, const char *path, uint64_t lowest)
{
	int fd;
	Elf *elf = elf_open(path, &fd);
	bool taken = elf && take_section(table, elf, SHT_SYMTAB, lowest);

	if (taken)
		say_from(table, path);
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	return taken;
}

/* The best that there is: .symtab has all; then a debug file, the small one in the file last */
static void take_all(struct symbol_table *table, Elf *elf, const char *path,
		     const struct symbol_request *request)
{
	uint64_t lowest = elf_lowest_address(elf);
	uint8_t id[BUILD_ID_MOST];
	unsigned int bytes = build_id_of_elf(elf, id, sizeof(id));
	char debug[4096];

	say_from(table, path);
	table->lowest = lowest;
	if (take_section(table, elf, SHT_SYMTAB, lowest))
		return;
	take_section(table, elf, SHT_DYNSYM, lowest);
	if (debug_file_by_id(request->sysroot, id, bytes, debug, sizeof(debug)) &&
	    take_debug_file(table, debug, lowest))
		return;
	if (debug_file_by_link(elf, request->sysroot, path, debug, sizeof(debug)) &&
	    take_debug_file(table, debug, lowest))
		return;
	if (take_minidebuginfo(table, elf, lowest))
		return;
	if (!request->no_server && debug_file_from_server(id, bytes, debug, sizeof(debug)))
		take_debug_file(table, debug, lowest);
}

size_t elf_take_symbols(struct symbol_table *table, Elf *elf, uint64_t lowest)
{
	return take_section(table, elf, SHT_SYMTAB, lowest);
}

/* Return: in words, why the file is not the one that was mapped; NULL: it may be */
static const char *compare_id(Elf *elf, const struct symbol_request *request)
{
	uint8_t id[BUILD_ID_MOST] = { };
	unsigned int bytes;

	if (!request->id_bytes)
		return NULL;
	/* a shorter one has zeros behind it in the trace */
	bytes = build_id_of_elf(elf, id, sizeof(id));
	if (!bytes)
		return "the file has no build-id, the one in the trace has";
	return memcmp(id, request->id, request->id_bytes) ? "the file has another build-id" : NULL;
}

/* Where such a file is, no image event can say: the base would be below 0. */
static bool is_placed_below_offsets(Elf *elf)
{
	GElf_Ehdr header;

	return gelf_getehdr(elf, &header) && header.e_type == ET_EXEC &&
	       (int64_t)elf_lowest_address(elf) < 0;
}

static struct symbol_table *read_elf(Elf *elf, const char *path,
				     const struct symbol_request *request, const char **why)
{
	struct symbol_table *table;

	*why = elf && elf_kind(elf) == ELF_K_ELF ? compare_id(elf, request) : "no ELF file";
	if (!*why && is_placed_below_offsets(elf))
		*why = "it is linked to addresses below its offsets";
	if (*why)
		return NULL;
	table = symbol_table_new();
	if (!table)
		return NULL;
	take_all(table, elf, path, request);
	if (!table->count || table->no_memory) {
		*why = "it has no symbols";
		symbol_table_free(table);
		return NULL;
	}
	symbol_table_ready(table);
	return table;
}

struct symbol_table *symbols_of_elf(const struct symbol_request *request, const char **why)
{
	struct symbol_table *table;
	char path[4096];
	Elf *elf;
	int fd;

	snprintf(path, sizeof(path), "%s%s", request->sysroot, request->path);
	elf = elf_open(path, &fd);
	if (fd < 0) {
		*why = "the file is not here";
		return NULL;
	}
	table = read_elf(elf, path, request, why);
	elf_end(elf);
	close(fd);
	return table;
}

unsigned int build_id_of_file(const char *path, uint8_t *id, unsigned int room)
{
	unsigned int found = 0;
	int fd;
	Elf *elf = elf_open(path, &fd);

	if (elf && elf_kind(elf) == ELF_K_ELF)
		found = build_id_of_elf(elf, id, room);
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	return found;
}
#else /* !ETW_HAVE_ELF */
#include "symbol_table.h"

struct symbol_table *symbols_of_elf(const struct symbol_request *request, const char **why)
{
	(void)request;
	*why = "this etw was built without libelf";
	return NULL;
}

unsigned int build_id_of_file(const char *path, uint8_t *id, unsigned int room)
{
	(void)path, (void)id, (void)room;
	return 0;
}

unsigned int build_id_of_notes(const void *notes, size_t size, uint8_t *id, unsigned int room)
{
	(void)notes, (void)size, (void)id, (void)room;
	return 0;
}
#endif
