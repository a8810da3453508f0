// SPDX-License-Identifier: GPL-2.0
/* Tell whether a tracepoint has probes, by the kernel's own static key of it. */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Address of struct tracepoint __tracepoint_NAME */
static uint64_t address_of(const char *name)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	char line[512], symbol[256];
	unsigned long long address;

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%llx %*c %255s", &address, symbol) == 2 &&
		    !strncmp(symbol, "__tracepoint_", 13) && !strcmp(symbol + 13, name))
			return address;
	}
	return 0;
}

/* Kernel memory, as /proc/kcore shows it */
static int peek(uint64_t address, void *to, size_t size)
{
	int i, fd = open("/proc/kcore", O_RDONLY);
	Elf64_Ehdr elf;
	Elf64_Phdr segment;

	if (fd < 0 || pread(fd, &elf, sizeof(elf), 0) != sizeof(elf))
		return -1;
	for (i = 0; i < elf.e_phnum; i++) {
		if (pread(fd, &segment, sizeof(segment), elf.e_phoff + i * sizeof(segment)) !=
		    sizeof(segment))
			return -1;
		if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
		    address + size <= segment.p_vaddr + segment.p_memsz)
			return pread(fd, to, size, segment.p_offset + address -
				     segment.p_vaddr) == (ssize_t)size ? 0 : -1;
	}
	return -1;
}

int main(int argc, char **argv)
{
	uint64_t address;
	int enabled;

	if (argc != 2) {
		fprintf(stderr, "probes TRACEPOINT: prints 1 when it has probes, else 0\n");
		return 2;
	}
	address = address_of(argv[1]);
	/* const char *name; struct static_key { atomic_t enabled; ... } key; ... */
	if (!address || peek(address + 8, &enabled, sizeof(enabled))) {
		fprintf(stderr, "probes: %s cannot be read\n", argv[1]);
		return 1;
	}
	printf("%d\n", enabled);
	return 0;
}
