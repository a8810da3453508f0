// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The running kernel's vDSO as a file, because no file system has it. */
#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>
#include "vdso_file.h"

/* The kernel maps the whole file; its section headers are behind its segments */
static size_t size_of(const void *vdso)
{
	const ElfW(Ehdr) *head = vdso;
	const ElfW(Phdr) *segment = (const void *)((const char *)vdso + head->e_phoff);
	size_t size = head->e_shoff + (size_t)head->e_shnum * head->e_shentsize, end;
	int i;

	for (i = 0; i < head->e_phnum; i++) {
		end = segment[i].p_offset + segment[i].p_filesz;
		if (segment[i].p_type == PT_LOAD && end > size)
			size = end;
	}
	return size;
}

static int make_file(void)
{
	const ElfW(Ehdr) *head = (const void *)getauxval(AT_SYSINFO_EHDR);
	int fd = head ? memfd_create("vdso", MFD_CLOEXEC) : -1;
	size_t size;

	if (fd < 0)
		return -1;
	size = size_of(head);
	if (write(fd, head, size) == (ssize_t)size)
		return fd;
	close(fd);
	return -1;
}

bool is_vdso(const char *path)
{
	return !strcmp(path, "[vdso]");
}

const char *vdso_file(void)
{
	static char path[32];
	int fd;

	if (!path[0]) {
		fd = make_file();
		if (fd < 0)
			return NULL;
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	return path;
}
