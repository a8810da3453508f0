// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The bytes of code, from a program's file or the running kernel's memory. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "code_bytes.h"

/* Program headers that are looked at; the running kernel's memory has one for each piece */
#define HEADERS_MOST	4096

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define THIS_ORDER	ELFDATA2LSB
#else
#define THIS_ORDER	ELFDATA2MSB
#endif

static const char *read_header(int fd, Elf64_Ehdr *header)
{
	if (pread(fd, header, sizeof(*header), 0) != sizeof(*header) ||
	    memcmp(header->e_ident, ELFMAG, SELFMAG))
		return "no ELF file";
	if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != THIS_ORDER)
		return "no ELF file of 64 bits in this machine's byte order";
	return header->e_phentsize == sizeof(Elf64_Phdr) ? NULL : "it has no program headers";
}

static const char *read_code(int fd, uint64_t address, uint8_t *to, size_t size,
			     uint16_t *machine)
{
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	const char *why = read_header(fd, &header);
	uint64_t offset;
	unsigned int i;

	for (i = 0; !why && i < header.e_phnum && i < HEADERS_MOST; i++) {
		if (pread(fd, &segment, sizeof(segment),
			  (off_t)(header.e_phoff + i * sizeof(segment))) != sizeof(segment))
			return "its program headers can't be read";
		offset = address - segment.p_vaddr;
		if (segment.p_type != PT_LOAD || address < segment.p_vaddr ||
		    offset > segment.p_filesz || size > segment.p_filesz - offset)
			continue;
		*machine = header.e_machine;
		return pread(fd, to, size, (off_t)(segment.p_offset + offset)) == (ssize_t)size ?
		       NULL : "its code can't be read";
	}
	return why ? why : "it has no code at the function's address";
}

const char *code_bytes_read(const char *path, uint64_t address, uint8_t *to, size_t size,
			    uint16_t *machine)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat file;
	const char *why;

	if (fd < 0)
		return strerror(errno);
	if (fstat(fd, &file) || !S_ISREG(file.st_mode))
		why = "no ordinary file";
	else
		why = read_code(fd, address, to, size, machine);
	close(fd);
	return why;
}
