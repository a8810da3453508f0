// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What a symbol store needs of an ELF file besides its functions. */
#include "elf_layout.h"
#ifdef ETW_HAVE_ELF
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "elf_file.h"

static const char *read_segments(Elf *elf, struct elf_layout *layout)
{
	size_t i, n = 0, *at = &layout->segments;
	GElf_Phdr phdr;

	layout->lowest = elf_lowest_address(elf);
	elf_getphdrnum(elf, &n);
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, i, &phdr) || phdr.p_type != PT_LOAD ||
		    !(phdr.p_flags & PF_X))
			continue;
		if (*at == ELF_LAYOUT_SEGMENTS)
			return "it has more than 32 executable segments";
		layout->start[*at] = phdr.p_vaddr - layout->lowest;
		layout->size[(*at)++] = phdr.p_memsz;
	}
	return *at ? NULL : "it has no executable segment";
}

static const char *read_layout(Elf *elf, struct elf_layout *layout)
{
	GElf_Ehdr header;

	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header))
		return "no ELF file";
	layout->machine = header.e_machine;
	layout->id_bytes = build_id_of_elf(elf, layout->id, sizeof(layout->id));
	return read_segments(elf, layout);
}

const char *elf_layout_read(const char *path, struct elf_layout *layout)
{
	const char *why;
	int fd;
	Elf *elf = elf_open(path, &fd);

	*layout = (struct elf_layout){ };
	if (fd < 0)
		return strerror(errno);
	why = read_layout(elf, layout);
	elf_end(elf);
	close(fd);
	return why;
}

/* Whether the file itself has what a debug file would be downloaded for */
static bool is_complete(Elf *elf, bool lines)
{
	return (elf_section_named(elf, ".symtab") || elf_section_named(elf, ".gnu_debugdata")) &&
	       (!lines || elf_section_named(elf, ".debug_line") ||
		elf_section_named(elf, ".zdebug_line"));
}

void elf_layout_find_debug(const char *path, const char *sysroot, bool lines,
			   struct elf_layout *layout)
{
	int fd;
	Elf *elf = elf_open(path, &fd);
	size_t room = sizeof(layout->debug);

	if (!elf ||
	    (!debug_file_by_id(sysroot, layout->id, layout->id_bytes, layout->debug, room) &&
	     !debug_file_by_link(elf, sysroot, path, layout->debug, room) &&
	     (is_complete(elf, lines) ||
	      !debug_file_from_server(layout->id, layout->id_bytes, layout->debug, room))))
		layout->debug[0] = '\0';
	elf_end(elf);
	if (fd >= 0)
		close(fd);
}
#else
const char *elf_layout_read(const char *path, struct elf_layout *layout)
{
	(void)path;
	*layout = (struct elf_layout){ };
	return "this etw was built without libelf";
}

void elf_layout_find_debug(const char *path, const char *sysroot, bool lines,
			   struct elf_layout *layout)
{
	(void)path, (void)sysroot, (void)lines, (void)layout;
}
#endif
