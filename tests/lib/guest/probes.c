// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Print whether a tracepoint has probes, by the kernel's own static key of it. */
#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHUNK	(1UL << 20)

/* The part of the kernel's struct tracepoint that is the same in 6.1 to 6.12 */
struct tracepoint {
	uint64_t name;
	int32_t enabled;	/* of its static key */
	uint64_t key;
	uint64_t static_call_key;
	uint64_t static_call_tramp;
	uint64_t iterator;
};

static int kcore;

/**
 * struct symbols - of one tracepoint, 0 where there is none
 * @name: of the tracepoint
 * @iterator: functions are in every kallsyms
 * @tracepoint: the tracepoints themselves only in some
 */
struct symbols {
	const char *name;
	uint64_t iterator;
	uint64_t tracepoint;
};

static void take_symbol(struct symbols *symbols, int n, const char *name, size_t offset,
			uint64_t address)
{
	int i;

	for (i = 0; i < n; i++)
		if (!strcmp(symbols[i].name, name))
			*(uint64_t *)((char *)&symbols[i] + offset) = address;
}

/* In one go: the list is long */
static void read_symbols(struct symbols *symbols, int n)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	char line[512], *name;

	while (file && fgets(line, sizeof(line), file)) {
		name = strstr(line, " __trace");
		if (!name)
			continue;
		line[strcspn(line, "\n")] = 0;
		if (!strncmp(name, " __traceiter_", 13))
			take_symbol(symbols, n, name + 13, offsetof(struct symbols, iterator),
				    strtoull(line, NULL, 16));
		else if (!strncmp(name, " __tracepoint_", 14))
			take_symbol(symbols, n, name + 14, offsetof(struct symbols, tracepoint),
				    strtoull(line, NULL, 16));
	}
	if (file)
		fclose(file);
}

/* The segment of /proc/kcore that holds an address */
static int find_segment(uint64_t address, Elf64_Phdr *segment)
{
	Elf64_Ehdr elf;
	int i;

	if (pread(kcore, &elf, sizeof(elf), 0) != sizeof(elf))
		return -1;
	for (i = 0; i < elf.e_phnum; i++) {
		if (pread(kcore, segment, sizeof(*segment), elf.e_phoff + i * sizeof(*segment)) !=
		    sizeof(*segment))
			return -1;
		if (segment->p_type == PT_LOAD && address >= segment->p_vaddr &&
		    address - segment->p_vaddr < segment->p_memsz)
			return 0;
	}
	return -1;
}

static ssize_t peek(const Elf64_Phdr *segment, uint64_t address, void *to, size_t size)
{
	return pread(kcore, to, size, segment->p_offset + address - segment->p_vaddr);
}

static int is_named(const Elf64_Phdr *image, const struct tracepoint *tp, const char *name)
{
	char text[128] = "";

	return tp->name >= image->p_vaddr && tp->name - image->p_vaddr < image->p_memsz &&
	       peek(image, tp->name, text, sizeof(text) - 1) > 0 && !strcmp(text, name);
}

/*
 * Without its symbol, the tracepoint is where the kernel's image holds a
 * pointer to its iterator, and, before that, one to its name. Where the gaps
 * between the image's sections are freed and used anew (x86), they may hold a
 * page that an earlier run of this program read the tracepoint into: so this
 * is for kernels that don't list the symbol, arm64's, which unmap theirs.
 */
static int search_image(const char *name, uint64_t iterator, struct tracepoint *tp)
{
	uint64_t at, value;
	char *chunk = malloc(CHUNK);
	Elf64_Phdr image;
	ssize_t n, i;

	if (!chunk || !iterator || find_segment(iterator, &image))
		return -1;
	for (at = image.p_vaddr; at < image.p_vaddr + image.p_memsz; at += CHUNK) {
		n = peek(&image, at, chunk, CHUNK);
		for (i = 0; i + 8 <= n; i += 8) {
			memcpy(&value, chunk + i, sizeof(value));
			if (value != iterator)
				continue;
			if (peek(&image, at + i - offsetof(struct tracepoint, iterator), tp,
				 sizeof(*tp)) == sizeof(*tp) && is_named(&image, tp, name))
				return 0;
		}
	}
	return -1;
}

static int find_tracepoint(const struct symbols *symbols, struct tracepoint *tp)
{
	uint64_t at = symbols->tracepoint;
	Elf64_Phdr image;

	if (!at)
		return search_image(symbols->name, symbols->iterator, tp);
	if (find_segment(at, &image) || peek(&image, at, tp, sizeof(*tp)) != sizeof(*tp))
		return -1;
	return tp->iterator == symbols->iterator && is_named(&image, tp, symbols->name) ? 0 : -1;
}

int main(int argc, char **argv)
{
	struct symbols *symbols = calloc(argc, sizeof(*symbols));
	int i, bad = argc < 2;
	struct tracepoint tp;

	if (bad || !symbols)
		fprintf(stderr, "probes TRACEPOINT: prints 1 when it has probes, else 0\n"
			"probes TRACEPOINT...: likewise, a line for each that can be found\n");
	kcore = open("/proc/kcore", O_RDONLY);
	for (i = 1; symbols && i < argc; i++)
		symbols[i].name = argv[i];
	if (symbols)
		read_symbols(symbols + 1, argc - 1);
	for (i = 1; symbols && i < argc; i++) {
		if (kcore < 0 || find_tracepoint(&symbols[i], &tp)) {
			fprintf(stderr, "probes: %s cannot be found\n", argv[i]);
			bad = 1;
		} else if (argc == 2) {
			printf("%d\n", tp.enabled);
		} else {
			printf("%s: %d\n", argv[i], tp.enabled);
		}
	}
	return bad;
}
