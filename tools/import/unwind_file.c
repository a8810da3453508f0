// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Programs and libraries in unwound stacks. */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "unwind.h"

#define MOST_HEADERS	128
#define MOST_NOTES	4096

static bool read_at(int fd, void *to, size_t size, uint64_t at)
{
	return at <= INT64_MAX && pread(fd, to, size, at) == (ssize_t)size;
}

/* @notes: a segment of notes */
static bool has_id(const uint8_t *notes, size_t size, const struct perf_build_id *id)
{
	Elf64_Nhdr note;
	size_t at = 0, name, data;

	while (size - at >= sizeof(note)) {
		memcpy(&note, notes + at, sizeof(note));
		at += sizeof(note);
		name = ((size_t)note.n_namesz + 3) & ~(size_t)3;
		data = ((size_t)note.n_descsz + 3) & ~(size_t)3;
		if (name > size - at || data > size - at - name)
			return false;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp(notes + at, "GNU", 4))
			return note.n_descsz == id->size &&
			       !memcmp(notes + at + name, id->id, id->size);
		at += name + data;
	}
	return false;
}

static bool is_wanted(int fd, const Elf64_Phdr *headers, size_t count,
		      const struct perf_build_id *id)
{
	uint8_t notes[MOST_NOTES];
	size_t i, size;

	/* without an id, the file of that name is the one that perf would use */
	if (!id || !id->size)
		return true;
	for (i = 0; i < count; i++) {
		size = headers[i].p_filesz < sizeof(notes) ? headers[i].p_filesz : sizeof(notes);
		if (headers[i].p_type == PT_NOTE &&
		    read_at(fd, notes, size, headers[i].p_offset) && has_id(notes, size, id))
			return true;
	}
	return false;
}

/* perf maps the code: its segment has the difference between offsets and addresses. */
static bool find_bias(struct unwind_file *file, const Elf64_Ehdr *head, const Elf64_Phdr *headers,
		      uint64_t base)
{
	size_t i;

	file->machine = head->e_machine;
	for (i = 0; i < head->e_phnum; i++) {
		if (headers[i].p_type != PT_LOAD || !(headers[i].p_flags & PF_X))
			continue;
		file->bias = head->e_type == ET_EXEC ? 0 :
			     base + headers[i].p_offset - headers[i].p_vaddr;
		return true;
	}
	return false;
}

static bool read_file(struct unwind_file *file, uint64_t base, const struct perf_build_id *id)
{
	Elf64_Phdr headers[MOST_HEADERS];
	Elf64_Ehdr head;
	struct stat stat_;

	if (fstat(file->fd, &stat_) || !S_ISREG(stat_.st_mode) ||
	    !read_at(file->fd, &head, sizeof(head), 0) ||
	    memcmp(head.e_ident, ELFMAG, SELFMAG) || head.e_ident[EI_CLASS] != ELFCLASS64 ||
	    head.e_phentsize != sizeof(*headers) || head.e_phnum > MOST_HEADERS)
		return false;
	return read_at(file->fd, headers, head.e_phnum * sizeof(*headers), head.e_phoff) &&
	       is_wanted(file->fd, headers, head.e_phnum, id) &&
	       find_bias(file, &head, headers, base);
}

static bool open_one(struct unwind_file *file, const char *path, uint64_t base,
		     const struct perf_build_id *id)
{
	struct stat stat_;

	/* a crafted recording may name a device, and to open one may have an effect */
	if (stat(path, &stat_) || !S_ISREG(stat_.st_mode))
		return false;
	file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file->fd < 0)
		return false;
	if (read_file(file, base, id))
		return true;
	close(file->fd);
	return false;
}

/* perf keeps copies in ~/.debug */
static bool open_copy(struct unwind_file *file, uint64_t base, const struct perf_build_id *id)
{
	const char *home = getenv("HOME");
	char text[2 * PERF_BUILD_ID + 1], path[4096];
	unsigned int i;

	if (!id || !id->size || !home)
		return false;
	for (i = 0; i < id->size; i++)
		snprintf(text + 2 * i, 3, "%02x", id->id[i]);
	snprintf(path, sizeof(path), "%s/.debug/.build-id/%.2s/%s/elf", home, text, text + 2);
	return open_one(file, path, base, id);
}

bool unwind_file_open(struct unwind_file *file, const char *path, uint64_t base,
		      const struct perf_build_id *id)
{
	return (path[0] == '/' && open_one(file, path, base, id)) || open_copy(file, base, id);
}
