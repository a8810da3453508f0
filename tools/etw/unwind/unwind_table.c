// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The unwind table of an executable file. */
#include "unwind_table.h"
#ifdef ETW_HAVE_ELF
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "symbols/elf_file.h"
#include "cfi_plt.h"
#include "cfi_start.h"
#include "unwind_rows.h"

/*
 * .eh_frame and .debug_frame of the file, .debug_frame of its debug file, linkage tables, and the
 * entry point
 */
#define MOST_SECTIONS	5

/*
 * Bytes of a section: a sparse file of any user can have one of any size, and what is read of it
 * takes memory. cc1plus has 3 MB.
 */
#define MOST_SECTION	(64u << 20)

/**
 * struct table_reading - a table while it is made
 * @elf: the file
 * @debug: its debug file; NULL: it has none
 * @debug_fd: descriptor of @debug
 * @machine: its processor
 * @start: its entry point
 * @section: call frame information
 * @sections: number of these
 * @entries: of all sections, by address
 */
struct table_reading {
	Elf *elf;
	Elf *debug;
	int debug_fd;
	const struct cfi_machine *machine;
	uint64_t start;
	struct cfi_section section[MOST_SECTIONS];
	size_t sections;
	struct cfi_entries entries;
};

static int segments_by_offset(const void *left, const void *right)
{
	const struct unwind_segment *a = left, *b = right;

	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* Segments that share bytes of the file would give an offset two rules. */
static const char *check_segments(const struct unwind_table *table)
{
	const struct unwind_segment *segment = table->segment;
	size_t i;

	for (i = 0; i < table->segments; i++)
		if (segment[i].size > UINT32_MAX || segment[i].offset > UINT32_MAX ||
		    segment[i].offset + segment[i].size > UINT32_MAX ||
		    segment[i].address + segment[i].size < segment[i].address)
			return "an executable segment is outside of the file";
		else if (i && segment[i].offset < segment[i - 1].offset + segment[i - 1].size)
			return "its executable segments overlap";
	return table->segments ? NULL : "it has no executable segment";
}

static const char *read_segments(const struct table_reading *reading, struct unwind_table *table)
{
	struct unwind_segment *segment = table->segment;
	size_t i, n = 0, *at = &table->segments;
	const char *why;
	GElf_Phdr phdr;

	elf_getphdrnum(reading->elf, &n);
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(reading->elf, i, &phdr) || phdr.p_type != PT_LOAD ||
		    !(phdr.p_flags & PF_X) || !phdr.p_filesz)
			continue;
		if (*at == UNWIND_SEGMENTS)
			return "it has more than 32 executable segments";
		segment[(*at)++] = (struct unwind_segment){
			.address = phdr.p_vaddr, .offset = phdr.p_offset, .size = phdr.p_filesz,
		};
	}
	qsort(segment, *at, sizeof(*segment), segments_by_offset);
	why = check_segments(table);
	for (i = 0; !why && i < *at; i++) {
		table->text += segment[i].size;
		table->end = segment[i].offset + segment[i].size;
	}
	return why;
}

/* Return: the content of a section, decompressed, or NULL: there is none */
static Elf_Data *section_content(Elf *elf, const char *name, GElf_Shdr *header)
{
	Elf_Scn *section = elf ? elf_section_named(elf, name) : NULL;
	GElf_Chdr packed;
	Elf_Data *data;

	if (!section || !gelf_getshdr(section, header) || header->sh_type == SHT_NOBITS ||
	    header->sh_size > MOST_SECTION)
		return NULL;
	if ((header->sh_flags & SHF_COMPRESSED) &&
	    (!gelf_getchdr(section, &packed) || packed.ch_size > MOST_SECTION ||
	     elf_compress(section, 0, 0) < 0))
		return NULL;
	data = elf_rawdata(section, NULL);
	return data && data->d_buf && data->d_size ? data : NULL;
}

/* Return: false: no memory */
static bool read_section(struct table_reading *reading, Elf *elf, const char *name, bool debug)
{
	struct cfi_section *section = &reading->section[reading->sections];
	GElf_Shdr header;
	Elf_Data *data = section_content(elf, name, &header);

	if (!data)
		return true;
	*section = (struct cfi_section){
		.bytes = data->d_buf, .size = data->d_size, .address = header.sh_addr,
		.debug = debug, .machine = reading->machine,
	};
	reading->sections++;
	return cfi_section_read(section, &reading->entries);
}

static const char *const plt_names[] = { ".plt", ".plt.got", ".plt.sec", ".iplt" };

/* What the linker did not describe. Return: false: no memory */
static bool add_linkage(struct table_reading *reading)
{
	struct cfi_section *section = &reading->section[reading->sections];
	struct cfi_plt plt[sizeof(plt_names) / sizeof(plt_names[0])];
	size_t i, count = 0;
	GElf_Shdr header;
	Elf_Data *data;

	for (i = 0; i < sizeof(plt_names) / sizeof(plt_names[0]); i++) {
		data = section_content(reading->elf, plt_names[i], &header);
		if (data && header.sh_flags & SHF_EXECINSTR)
			plt[count++] = (struct cfi_plt){ data->d_buf, data->d_size, header.sh_addr };
	}
	*section = (struct cfi_section){ .machine = reading->machine };
	reading->sections++;
	return cfi_plt_add(section, plt, count, &reading->entries);
}

/* Return: false: no memory */
static bool add_start(struct table_reading *reading, const struct unwind_table *table)
{
	struct cfi_section *section = &reading->section[reading->sections];
	const struct unwind_segment *segment = table->segment;
	size_t i;

	for (i = 0; i < table->segments; i++, segment++)
		if (reading->start - segment->address < segment->size)
			break;
	if (i == table->segments)
		return true;
	*section = (struct cfi_section){ .machine = reading->machine };
	reading->sections++;
	return cfi_start_add(section, reading->start, segment->address + segment->size,
			     &reading->entries);
}

static int entries_by_address(const void *left, const void *right)
{
	const struct cfi_entry *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static void open_debug_file(struct table_reading *reading, const char *path,
			    const struct unwind_table *table)
{
	char debug[4096];

	if (debug_file_by_id("", table->id, table->id_bytes, debug, sizeof(debug)) ||
	    (path && debug_file_by_link(reading->elf, "", path, debug, sizeof(debug))))
		reading->debug = elf_open(debug, &reading->debug_fd);
}

static const char *read_sections(struct table_reading *reading, const char *path,
				 struct unwind_table *table)
{
	struct cfi_entries *entries = &reading->entries;
	size_t own;

	if (!read_section(reading, reading->elf, ".eh_frame", false) ||
	    !read_section(reading, reading->elf, ".debug_frame", true))
		return strerror(ENOMEM);
	own = entries->count;
	open_debug_file(reading, path, table);
	if (!read_section(reading, reading->debug, ".debug_frame", true))
		return strerror(ENOMEM);
	table->debug = entries->count != own;
	table->unreadable = entries->unreadable;
	if (!entries->count)
		return entries->unreadable ? "its call frame information cannot be read" :
		       "it has no call frame information";
	if (!add_linkage(reading) || !add_start(reading, table))
		return strerror(ENOMEM);
	qsort(entries->entry, entries->count, sizeof(*entries->entry), entries_by_address);
	return NULL;
}

static const char *read_header(struct table_reading *reading, struct unwind_table *table)
{
	GElf_Ehdr header;

	if (!reading->elf || elf_kind(reading->elf) != ELF_K_ELF ||
	    !gelf_getehdr(reading->elf, &header))
		return "no ELF file";
	if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
		return "it is neither a program nor a shared library";
	reading->machine = cfi_machine_find(header.e_machine);
	if (!reading->machine || header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    header.e_ident[EI_DATA] != ELFDATA2LSB)
		return "only files of 64-bit x86_64 and arm64 have unwind tables";
	reading->start = header.e_entry;
	table->machine = header.e_machine;
	table->id_bytes = build_id_of_elf(reading->elf, table->id, sizeof(table->id));
	return NULL;
}

static const char *make_table(struct table_reading *reading, const char *path,
			      struct unwind_table *table)
{
	const char *why = read_header(reading, table);
	size_t i;

	if (!why)
		why = read_segments(reading, table);
	if (!why)
		why = read_sections(reading, path, table);
	for (i = 0; !why && i < table->segments; i++)
		why = unwind_rows_add(table, &table->segment[i], &reading->entries);
	return why;
}

/* @name: where its debug file is looked for, or NULL */
static const char *read_table(const char *path, const char *name, struct unwind_table *table)
{
	struct table_reading reading = { .debug_fd = -1 };
	const char *why;
	size_t i;
	int fd;

	*table = (struct unwind_table){ };
	reading.elf = elf_open(path, &fd);
	if (fd < 0)
		return strerror(errno);
	why = make_table(&reading, name, table);
	for (i = 0; i < reading.sections; i++)
		free(reading.section[i].cie);
	free(reading.entries.entry);
	elf_end(reading.debug);
	if (reading.debug_fd >= 0)
		close(reading.debug_fd);
	elf_end(reading.elf);
	close(fd);
	return why;
}

const char *unwind_table_read(const char *path, struct unwind_table *table)
{
	return read_table(path, path, table);
}

const char *unwind_table_read_open(int fd, struct unwind_table *table)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return read_table(path, NULL, table);
}
#else
#include <stdlib.h>

const char *unwind_table_read(const char *path, struct unwind_table *table)
{
	(void)path;
	*table = (struct unwind_table){ };
	return "this etw was built without libelf";
}

const char *unwind_table_read_open(int fd, struct unwind_table *table)
{
	(void)fd;
	return unwind_table_read("", table);
}
#endif

/* The last row that begins at or before an offset */
static const struct etw_unwind_row *row_of(const struct unwind_table *table, uint64_t offset)
{
	size_t low = 0, high = table->rows, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (table->row[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &table->row[low - 1] : NULL;
}

const struct etw_unwind_row *unwind_table_row(const struct unwind_table *table, uint64_t address)
{
	const struct unwind_segment *segment = table->segment;
	size_t i;

	for (i = 0; i < table->segments; i++, segment++)
		if (address - segment->address < segment->size)
			return row_of(table, address - segment->address + segment->offset);
	return NULL;
}

void unwind_table_free(struct unwind_table *table)
{
	free(table->row);
	*table = (struct unwind_table){ };
}
