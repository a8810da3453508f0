// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Get and give back virtual memory by known calls, and print what must be recorded. */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * Prints "virtual PID HOOK BASE SIZE FLAGS", in order. The first and the last
 * mapping have sizes that nothing else has: what stands between is the program's.
 */
#define FIRST	0x123000UL
#define LAST	0x124000UL
#define GOT	0x0262, 0x3000
#define GONE	0x0263, 0x8000
#define DROPPED	0x0263, 0x4000

static void die(const char *what)
{
	fprintf(stderr, "virtual: %s: %s\n", what, strerror(errno));
	exit(125);
}

static void logged(unsigned int hook, unsigned int flags, const void *base, size_t size)
{
	printf("virtual %d %x %lx %zx %x\n", getpid(), hook, (unsigned long)base, size, flags);
}

static char *map(size_t size, int protection, int flags)
{
	char *at = mmap(NULL, size, protection, flags | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		die("mmap");
	return at;
}

static char *get(size_t size, int protection)
{
	char *at = map(size, protection, MAP_PRIVATE);

	logged(GOT, at, (size + 0xFFF) & ~0xFFFUL);
	return at;
}

static void give(char *at, size_t size)
{
	if (munmap(at, size))
		die("munmap");
	logged(GONE, at, (size + 0xFFF) & ~0xFFFUL);
}

static void plain(void)
{
	char *at = get(0x5000, PROT_READ | PROT_WRITE);
	char *odd = get(5000, PROT_READ | PROT_WRITE);
	char *none = get(0x10000, PROT_NONE), *shared;

	if (madvise(at, 0x2000, MADV_DONTNEED) || madvise(at + 0x1000, 0x3000, MADV_FREE) ||
	    madvise(at, 0x2000, MADV_WILLNEED))
		die("madvise");
	logged(DROPPED, at, 0x2000);
	logged(DROPPED, at + 0x1000, 0x3000);
	shared = map(0x3000, PROT_READ | PROT_WRITE, MAP_SHARED);
	give(at + 0x1000, 0x1000);
	give(none, 0x10000);
	give(odd, 5000);
	give(shared, 0x3000);
	/* what fails is not printed */
	if (!munmap(at + 1, 0x1000) || mmap(NULL, 0, PROT_NONE, MAP_PRIVATE, -1, 0) != MAP_FAILED)
		die("a call that must fail");
}

static void moved(void)
{
	char *at = get(0x4000, PROT_READ | PROT_WRITE), *more;
	char *place = get(0x20000, PROT_NONE);

	more = mremap(at, 0x4000, 0x8000, MREMAP_MAYMOVE | MREMAP_FIXED, place);
	if (more != place)
		die("mremap");
	logged(GONE, at, 0x4000);
	logged(GOT, place, 0x8000);
	if (mremap(more, 0x8000, 0x3000, 0) != more)
		die("mremap");
	logged(GONE, more + 0x3000, 0x5000);
	if (mremap(more, 0x3000, 0x5000, 0) != more)
		die("mremap");
	logged(GOT, more + 0x3000, 0x2000);
}

static void heap(void)
{
	char *end = (char *)syscall(SYS_brk, 0);
	char *page = (char *)(((uintptr_t)end + 0xFFF) & ~0xFFFUL);

	if ((char *)syscall(SYS_brk, page + 0xA000) != page + 0xA000)
		die("brk");
	logged(GOT, page, 0xA000);
	syscall(SYS_brk, page + 0xA000 + 100);
	logged(GOT, page + 0xA000, 0x1000);
	syscall(SYS_brk, page + 0xA000 + 200);
	syscall(SYS_brk, page + 0x1000);
	logged(GONE, page + 0x1000, 0xA000);
	/* less than where it began */
	syscall(SYS_brk, 1);
}

/* The default size of a huge page in bytes; 0: none are reserved (vm.nr_hugepages) */
static size_t huge_page(void)
{
	FILE *file = fopen("/proc/meminfo", "r");
	size_t size = 0, number = 0;
	char line[256];

	while (file && fgets(line, sizeof(line), file)) {
		sscanf(line, "HugePages_Total: %zu", &number);
		sscanf(line, "Hugepagesize: %zu", &size);
	}
	if (file)
		fclose(file);
	return number ? size << 10 : 0;
}

/* Of the default size, and of one that is asked for: whole pages are got */
static void huge(size_t page)
{
	const int flags[] = { MAP_HUGETLB, MAP_HUGETLB | __builtin_ctzl(page) << MAP_HUGE_SHIFT };
	int i;

	for (i = 0; i < 2; i++) {
		char *at = map(5000, PROT_READ | PROT_WRITE, MAP_PRIVATE | flags[i]);

		logged(GOT, at, page);
		give(at, page);
	}
}

/* For the rundown: some that are of no file, some of one */
static void keep_huge(size_t page)
{
	int file = memfd_create("anon_hugepage", MFD_HUGETLB);

	map(page, PROT_READ, MAP_PRIVATE | MAP_HUGETLB);
	if (file < 0 || ftruncate(file, page) ||
	    mmap(NULL, page, PROT_READ, MAP_PRIVATE, file, 0) == MAP_FAILED)
		die("a file of huge pages");
}

#ifdef __x86_64__
static uint32_t call32(uint32_t number, uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e)
{
	uint32_t result;

	asm volatile("push %%rbp\n\txor %%ebp, %%ebp\n\tint $0x80\n\tpop %%rbp"
		     : "=a" (result) : "a" (number), "b" (a), "c" (b), "d" (c), "S" (d), "D" (e)
		     : "memory", "r8", "r9", "r10", "r11");
	return result;
}

static sigjmp_buf no_such_door;

static void caught(int signal)
{
	siglongjmp(no_such_door, signal);
}

/* The calls of a 32-bit program, where the kernel takes them; they need no such program */
static void narrow(void)
{
	uint32_t private = MAP_PRIVATE | MAP_ANONYMOUS, at, old;
	uint32_t *arguments;

	signal(SIGSEGV, caught);
	if (sigsetjmp(no_such_door, 1))
		return;
	at = call32(192, 0, 0x3000, PROT_READ | PROT_WRITE, private, -1);
	if (at == (uint32_t)-ENOSYS)
		return;
	if (at > (uint32_t)-4096)
		die("mmap2");
	logged(GOT, (void *)(uintptr_t)at, 0x3000);
	arguments = (uint32_t *)(uintptr_t)at;
	memcpy(arguments, (uint32_t []){ 0, 0x6000, PROT_READ, private, -1, 0 }, 24);
	old = call32(90, at, 0, 0, 0, 0);
	logged(GOT, (void *)(uintptr_t)old, 0x6000);
	if (call32(163, old, 0x6000, 0x4000, 0, 0) != old)
		die("mremap");
	logged(GONE, (void *)(uintptr_t)(old + 0x4000), 0x2000);
	if (call32(219, old, 0x1000, MADV_DONTNEED, 0, 0) || call32(91, old, 0x4000, 0, 0, 0))
		die("madvise, munmap");
	logged(DROPPED, (void *)(uintptr_t)old, 0x1000);
	logged(GONE, (void *)(uintptr_t)old, 0x4000);
	/* The heap stays, though its 64-bit end is above what the call can express. */
	call32(45, 0, 0, 0, 0, 0);
}
#else
static void narrow(void)
{
}
#endif

int main(int argc, char **argv)
{
	static char buffer[1 << 16];
	size_t page = huge_page();

	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	get(FIRST, PROT_NONE);
	plain();
	moved();
	heap();
	if (page)
		huge(page);
	narrow();
	get(LAST, PROT_NONE);
	fflush(stdout);
	/* with an argument it stays, for the rundown */
	(void)argv;
	if (argc > 1) {
		if (page)
			keep_huge(page);
		pause();
	}
	return 0;
}
