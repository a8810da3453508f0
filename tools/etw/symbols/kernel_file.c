// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The kernel's file with symbols, which distributions have in packages of its own. */
#include "kernel_file.h"
#ifdef ETW_HAVE_ELF
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "elf_file.h"

/* Where Debian, Fedora, SUSE and a kernel's own build have it; below --sysroot */
static const char *const places[] = {
	"/usr/lib/debug/boot/vmlinux-*", "/usr/lib/debug/lib/modules/*/vmlinux",
	"/usr/lib/debug/usr/lib/modules/*/vmlinux", "/lib/modules/*/build/vmlinux",
	"/lib/modules/*/vmlinux", "/boot/vmlinux-*",
};

/*
 * The kernel is not mapped from offset 0 of its file, and variables of processors are at
 * address 0. What the trace has as base is "_text", where the code begins.
 */
static void move_to_text(struct elf_layout *layout)
{
	uint64_t text = layout->start[0];
	size_t i;

	for (i = 1; i < layout->segments; i++)
		if (layout->lowest + layout->start[i] < layout->lowest + text)
			text = layout->start[i];
	for (i = 0; i < layout->segments; i++)
		layout->start[i] -= text;
	layout->lowest += text;
}

static bool is_kernel(const char *path, const uint8_t *id, unsigned int bytes,
		      struct elf_layout *layout)
{
	uint8_t found[ELF_LAYOUT_ID];

	if (build_id_of_file(path, found, sizeof(found)) < bytes || memcmp(found, id, bytes) ||
	    elf_layout_read(path, layout))
		return false;
	move_to_text(layout);
	return true;
}

/* A sysroot is no pattern. Return: bytes of its text, which may be cut */
static size_t escape_pattern(const char *text, char *to, size_t room)
{
	size_t at = 0;

	for (; *text && at + 2 < room; text++) {
		if (strchr("*?[\\", *text))
			to[at++] = '\\';
		to[at++] = *text;
	}
	to[at] = '\0';
	return at;
}

static bool find_in(const char *pattern, const char *sysroot, const uint8_t *id,
		    unsigned int bytes, char *path, size_t room, struct elf_layout *layout)
{
	char full[2 * 4096];
	glob_t found;
	size_t i;

	i = escape_pattern(sysroot, full, sizeof(full));
	snprintf(full + i, sizeof(full) - i, "%s", pattern);
	if (glob(full, 0, NULL, &found))
		return false;
	for (i = 0; i < found.gl_pathc; i++)
		if (is_kernel(found.gl_pathv[i], id, bytes, layout))
			break;
	if (i < found.gl_pathc)
		snprintf(path, room, "%s", found.gl_pathv[i]);
	globfree(&found);
	return i < found.gl_pathc;
}

bool kernel_file_find(const char *sysroot, const uint8_t *id, unsigned int bytes, char *path,
		      size_t room, struct elf_layout *layout)
{
	char pattern[256];
	unsigned int k;
	size_t i;
	int at;

	/* by build-id, of which the trace has the first bytes */
	at = snprintf(pattern, sizeof(pattern), "/usr/lib/debug/.build-id/%02x/", id[0]);
	for (k = 1; k < bytes; k++)
		at += snprintf(pattern + at, sizeof(pattern) - at, "%02x", id[k]);
	snprintf(pattern + at, sizeof(pattern) - at, "*.debug");
	if (find_in(pattern, sysroot, id, bytes, path, room, layout))
		return true;
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (find_in(places[i], sysroot, id, bytes, path, room, layout))
			return true;
	return false;
}

struct symbol_table *kernel_file_symbols(const char *path, const struct elf_layout *layout)
{
	struct symbol_table *table = symbol_table_new();
	int fd;
	Elf *elf = elf_open(path, &fd);

	if (table && elf)
		elf_take_symbols(table, elf, layout->lowest);
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	if (table && table->count && !table->no_memory) {
		symbol_table_ready(table);
		return table;
	}
	symbol_table_free(table);
	return NULL;
}
#else
bool kernel_file_find(const char *sysroot, const uint8_t *id, unsigned int bytes, char *path,
		      size_t room, struct elf_layout *layout)
{
	(void)sysroot, (void)id, (void)bytes, (void)path, (void)room, (void)layout;
	return false;
}

struct symbol_table *kernel_file_symbols(const char *path, const struct elf_layout *layout)
{
	(void)path, (void)layout;
	return NULL;
}
#endif
