// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Touch memory in known ways, each in a process of its own, and say what comes of it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Prints, for tests/vm/source/memory/faults.py:
 *  page PID HOOK ADDRESS FROM TO	a fault that must come, by an instruction there
 *  file PID ADDRESS OFFSET		it is hard: where in the file
 *  child NAME PID MINFLT MAJFLT	a process's end, as wait4() reports it
 */
#define PAGES		48
#define HUGE		4
#define THREADS		4

#define ALONE		__attribute__((__noinline__, __aligned__(64)))

static size_t page_size, huge_size;
static char *shared_with_parent, *huge_with_parent;
static const char *file_path;

static void die(const char *what)
{
	fprintf(stderr, "faults: %s: %s\n", what, strerror(errno));
	_exit(125);
}

/* One store, one load: between the function's begin and 64 bytes on */
static ALONE void poke(char *at)
{
	__atomic_store_n(at, 1, __ATOMIC_RELAXED);
}

static ALONE char peek(const char *at)
{
	return __atomic_load_n(at, __ATOMIC_RELAXED);
}

static void expect(unsigned int hook, const char *at, const void *by)
{
	printf("page %d %x %lx %lx %lx\n", getpid(), hook, (unsigned long)at,
	       (unsigned long)by, (unsigned long)by + 64);
}

static char *map(size_t pages, int protection, int flags, int fd)
{
	char *at = mmap(NULL, pages * page_size, protection, flags, fd, 0);

	if (at == MAP_FAILED)
		die("mmap");
	madvise(at, pages * page_size, MADV_NOHUGEPAGE);
	return at;
}

static char *map_anonymous(size_t pages)
{
	return map(pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

static void zero(void)
{
	char *at = map_anonymous(PAGES);
	size_t i;

	for (i = 0; i < PAGES; i++)
		expect(0x020B, at + i * page_size + 5, poke);
	for (i = 0; i < PAGES; i++)
		poke(at + i * page_size + 5);
}

static void zero_page(void)
{
	char *at = map_anonymous(PAGES);
	size_t i;

	for (i = 0; i < PAGES; i++)
		expect(0x020B, at + i * page_size, peek);
	for (i = 0; i < PAGES; i++)
		expect(0x020C, at + i * page_size + 9, poke);
	for (i = 0; i < PAGES; i++)
		peek(at + i * page_size);
	for (i = 0; i < PAGES; i++)
		poke(at + i * page_size + 9);
}

/* Pages that may be written, but were made clean: only to be marked, if not by the processor */
static void made_clean(void)
{
	char *at = map_anonymous(PAGES);
	size_t i, round;

	for (i = 0; i < PAGES; i++)
		expect(0x020B, at + i * page_size, poke);
#ifdef __aarch64__
	for (i = 0; i < PAGES; i++)
		expect(0x020A, at + i * page_size, poke);
#endif
	for (round = 0; round < 2; round++) {
		for (i = 0; i < PAGES; i++)
			poke(at + i * page_size);
		if (madvise(at, PAGES * page_size, MADV_FREE))
			die("madvise");
	}
}

static void after_fork(void)
{
	size_t i;

	for (i = 0; i < PAGES; i++)
		expect(0x020C, shared_with_parent + i * page_size + 1, poke);
	for (i = 0; i < PAGES; i++)
		poke(shared_with_parent + i * page_size + 1);
}

static char *map_huge(void)
{
	char *at = mmap(NULL, HUGE * huge_size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);

	if (at == MAP_FAILED)
		die("huge pages");
	return at;
}

/* Each is touched first, by reading too, and what was read only is then to be written. */
static void huge_pages(void)
{
	char *at = map_huge();
	size_t i;

	for (i = 0; i < HUGE; i++) {
		expect(0x020B, at + i * huge_size + 70000, i & 1 ? (void *)peek : poke);
		if (i & 1)
			expect(0x020C, at + i * huge_size + 9, poke);
	}
	for (i = 0; i < HUGE; i++) {
		if (i & 1)
			peek(at + i * huge_size + 70000);
		else
			poke(at + i * huge_size + 70000);
		poke(at + i * huge_size + 9);
	}
}

static void huge_after_fork(void)
{
	size_t i;

	for (i = 0; i < HUGE; i++)
		expect(0x020C, huge_with_parent + i * huge_size + 1, poke);
	for (i = 0; i < HUGE; i++)
		poke(huge_with_parent + i * huge_size + 1);
}

/* A file of tmpfs is in memory; its pages are shared, or copied at the first write. */
static void file_in_memory(void)
{
	char *mine, *ours;
	size_t i;
	int fd = open("/tmp/faults", O_RDWR | O_CREAT | O_TRUNC, 0600);

	for (i = 0; i < PAGES; i++)
		if (pwrite(fd, "x", 1, i * page_size) != 1)
			die("/tmp/faults");
	mine = map(PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd);
	ours = map(PAGES, PROT_READ | PROT_WRITE, MAP_SHARED, fd);
	for (i = 0; i < PAGES; i++) {
		expect(0x020C, mine + i * page_size, poke);
		expect(0x020A, ours + i * page_size, poke);
	}
	for (i = 0; i < PAGES; i++) {
		poke(mine + i * page_size);
		poke(ours + i * page_size);
	}
}

/* No process has had these pages: they are new, full of zeros. The second mapping finds them. */
static void touch_shared(int flags, int fd)
{
	char *first = map(PAGES, PROT_READ | PROT_WRITE, MAP_SHARED | flags, fd), *second;
	size_t i;

	/* the same memory once more */
	second = mremap(first, 0, PAGES * page_size, MREMAP_MAYMOVE);
	if (second == MAP_FAILED)
		die("mremap");
	for (i = 0; i < PAGES; i++) {
		expect(0x020B, first + i * page_size, i & 1 ? (void *)peek : poke);
		expect(0x020A, second + i * page_size, poke);
	}
	for (i = 0; i < PAGES; i++) {
		if (i & 1)
			peek(first + i * page_size);
		else
			poke(first + i * page_size);
		poke(second + i * page_size);
	}
}

static void shared_anonymous(void)
{
	touch_shared(MAP_ANONYMOUS, -1);
}

static void hole_of_tmpfs(void)
{
	int fd = open("/tmp/hole", O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || ftruncate(fd, PAGES * page_size))
		die("/tmp/hole");
	touch_shared(0, fd);
}

static void hard(int fd)
{
	char *at = map(PAGES, PROT_READ, MAP_SHARED, fd);
	size_t i;

	/* no page but the one that is asked for */
	madvise(at, PAGES * page_size, MADV_RANDOM);
	for (i = 0; i < PAGES; i++) {
		expect(0x020E, at + i * page_size + 3, peek);
		printf("file %d %lx %lx\n", getpid(), (unsigned long)(at + i * page_size + 3),
		       i * page_size);
	}
	for (i = 0; i < PAGES; i++)
		peek(at + i * page_size + 3);
}

static void slow_device(void)
{
	int fd = open("/dev/etw-faults", O_RDWR);

	if (fd < 0)
		die("/dev/etw-faults");
	hard(fd);
}

static void file_on_disk(void)
{
	int fd = open(file_path, O_RDONLY);

	if (fd < 0)
		die(file_path);
	hard(fd);
}

static sigjmp_buf back;

static void caught(int signal)
{
	siglongjmp(back, signal);
}

static void violations(void)
{
	char *at = map(PAGES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	static size_t i;	/* siglongjmp() leaves it alone */

	if (munmap(at + PAGES / 2 * page_size, PAGES / 2 * page_size))
		die("munmap");
	signal(SIGSEGV, caught);
	for (i = 0; i < PAGES; i++)
		expect(0x020F, at + i * page_size + 7, i & 1 ? (void *)peek : poke);
	/* kill() is no access */
	if (!sigsetjmp(back, 1))
		raise(SIGSEGV);
	for (i = 0; i < PAGES; i++) {
		if (sigsetjmp(back, 1))
			continue;
		if (i & 1)
			peek(at + i * page_size + 7);
		else
			poke(at + i * page_size + 7);
	}
}

static void *one_thread(void *arg)
{
	size_t i;

	for (i = 0; i < PAGES; i++)
		poke((char *)arg + i * page_size);
	return NULL;
}

static void threads(void)
{
	char *at = map_anonymous(THREADS * PAGES);
	pthread_t thread[THREADS];
	size_t i;

	for (i = 0; i < THREADS * PAGES; i++)
		expect(0x020B, at + i * page_size, poke);
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, one_thread, at + i * PAGES * page_size))
			die("thread");
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

/* The kernel touches pages for the program, too: read() into fresh memory */
static void system_calls(void)
{
	char *at = map_anonymous(PAGES);
	int fd = open("/dev/zero", O_RDONLY);
	size_t i;

	for (i = 0; i < PAGES; i++)
		expect(0x020B, at + i * page_size, NULL);
	for (i = 0; i < PAGES; i++)
		if (read(fd, at + i * page_size, 1) != 1)
			die("/dev/zero");
}

static void run(const char *name, void (*what)(void))
{
	struct rusage usage;
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		what();
		fflush(stdout);
		_exit(0);
	}
	if (wait4(pid, &status, 0, &usage) != pid || status)
		die(name);
	printf("child %s %d %ld %ld\n", name, pid, usage.ru_minflt, usage.ru_majflt);
}

int main(int argc, char **argv)
{
	size_t i;

	page_size = sysconf(_SC_PAGESIZE);
	shared_with_parent = map_anonymous(PAGES);
	for (i = 0; i < PAGES; i++)
		poke(shared_with_parent + i * page_size);
	run("zero", zero);
	run("zero-page", zero_page);
	run("made-clean", made_clean);
	run("after-fork", after_fork);
	run("file-in-memory", file_in_memory);
	run("shared-anonymous", shared_anonymous);
	run("hole-of-tmpfs", hole_of_tmpfs);
	run("slow-device", slow_device);
	run("violations", violations);
	run("threads", threads);
	run("system-calls", system_calls);
	/* the size of huge pages, which not every kernel has */
	huge_size = argc > 1 ? atoi(argv[1]) * 1024UL : 0;
	if (huge_size) {
		huge_with_parent = map_huge();
		for (i = 0; i < HUGE; i++)
			poke(huge_with_parent + i * huge_size);
		run("huge-pages", huge_pages);
		run("huge-after-fork", huge_after_fork);
	}
	if (argc > 2) {
		file_path = argv[2];
		run("file-on-disk", file_on_disk);
	}
	return 0;
}
