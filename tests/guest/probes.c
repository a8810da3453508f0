// SPDX-License-Identifier: GPL-2.0
/* Tell whether a tracepoint has probes, by the kernel's own static key of it. */
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

/* Functions are in every kallsyms, the tracepoints themselves only in some. */
static uint64_t address_of(const char *prefix, const char *name)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	char line[512], symbol[256];
	unsigned long long address;
	size_t n = strlen(prefix);

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%llx %*c %255s", &address, symbol) == 2 &&
		    !strncmp(symbol, prefix, n) && !strcmp(symbol + n, name)) {
			fclose(file);
			return address;
		}
	}
	return 0;
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

static int find_tracepoint(const char *name, struct tracepoint *tp)
{
	uint64_t iterator = address_of("__traceiter_", name);
	uint64_t at = address_of("__tracepoint_", name);
	Elf64_Phdr image;

	if (!at)
		return search_image(name, iterator, tp);
	if (find_segment(at, &image) || peek(&image, at, tp, sizeof(*tp)) != sizeof(*tp))
		return -1;
	return tp->iterator == iterator && is_named(&image, tp, name) ? 0 : -1;
}

int main(int argc, char **argv)
{
	struct tracepoint tp;

	if (argc != 2) {
		fprintf(stderr, "probes TRACEPOINT: prints 1 when it has probes, else 0\n");
		return 2;
	}
	kcore = open("/proc/kcore", O_RDONLY);
	if (kcore < 0 || find_tracepoint(argv[1], &tp)) {
		fprintf(stderr, "probes: %s cannot be found\n", argv[1]);
		return 1;
	}
	printf("%d\n", tp.enabled);
	return 0;
}
