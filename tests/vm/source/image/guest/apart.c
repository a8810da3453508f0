// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * A program that says where it is, by what its C library knows: apart [stay]. It is linked as
 * lld does it, also as apart_far (tests/lib/guest/Makefile): no offset is its code's address.
 */
#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <unistd.h>

/* The first one is the program itself. */
static int find_base(struct dl_phdr_info *info, size_t size, void *base)
{
	unsigned long low = -1UL;
	int i;

	(void)size;
	for (i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_vaddr < low)
			low = info->dlpi_phdr[i].p_vaddr;
	*(unsigned long *)base = info->dlpi_addr + low;
	return 1;
}

int main(int argc, char **argv)
{
	unsigned long base;

	dl_iterate_phdr(find_base, &base);
	printf("load %d %lx %s\n", getpid(), base, argv[0]);
	fflush(stdout);
	while (argc > 1)
		pause();
	printf("unload %d %lx %s\n", getpid(), base, argv[0]);
	return 0;
}
