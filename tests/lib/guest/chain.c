// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Known chains of calls: threads that burn, wait and fault in them, and broken chains. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "chain.h"

/* A walk by frame pointers has to find each of these functions. */
#pragma GCC optimize("no-omit-frame-pointer", "no-optimize-sibling-calls")

static const char usage[] =
	"chain burn SECONDS    samples in chain_burn(), for as long at least\n"
	"chain sleep|futex|read N   N waits in chain_...(), and how many sleeps that took\n"
	"chain touch N         N page faults in chain_touch()\n"
	"chain deep N DEPTH    N sleeps below DEPTH calls of chain_down()\n"
	"chain broken N        N sleeps and some burning for each kind of broken frame pointer\n"
	"chain park SECONDS    one long sleep in chain_park()\n"
	"chain worker N        N workers that the kernel makes in us (etw_worker.ko), a line each\n"
	"chain twins SECONDS   we and our child, on one processor, yield to each other, with frames at\n"
	"                      the same addresses; a line for the child, too\n"
	"chain null N DEPTH    N empty system calls below DEPTH calls of chain_down(); their price\n"
	"Prints a line \"chain VERB PID TID\" first; the chain is chain_LEAF, chain_4 to\n"
	"chain_1, main, or another thread's chain_begin.\n";

static long count;		/* how often the leaf does it */
static int pipes[2];

/*
 * Samples are compared when they are here: the frame is whole. On a machine that stands still at
 * times, and samples with it, the seconds are longer.
 */
static CHAIN void chain_burn(void)
{
	uint64_t end = chain_now() + count * 1000000000ULL;
	long rounds;

	for (rounds = 0; rounds < 100 * count || chain_now() < end; rounds++)
		chain_loop(1000000);
}

static inline __attribute__((always_inline)) struct rusage chain_usage(void)
{
	struct rusage usage;

	chain_call(SYS_getrusage, RUSAGE_THREAD, (long)&usage, 0, 0);
	return usage;
}

/* How often this thread has waited: on a slow kernel a sleep may be over before it begins */
static inline __attribute__((always_inline)) long chain_waits(void)
{
	return chain_usage().ru_nvcsw;
}

static CHAIN void chain_sleep(void)
{
	struct timespec t = { 0, 1000000 };
	struct rusage begin = chain_usage(), end;
	long sleeps;

	for (sleeps = 0; chain_waits() < begin.ru_nvcsw + count; sleeps++)
		chain_call(SYS_nanosleep, (long)&t, 0, 0, 0);
	end = chain_usage();
	printf("sleeps %ld\nwaits %ld\npreempted %ld\n", sleeps, end.ru_nvcsw - begin.ru_nvcsw,
	       end.ru_nivcsw - begin.ru_nivcsw);
}

static CHAIN void chain_park(void)
{
	struct timespec t = { count, 0 };

	chain_call(SYS_nanosleep, (long)&t, 0, 0, 0);
}

static int workers;

static CHAIN void chain_worker(void)
{
	uint32_t tid;
	long i;

	for (i = 0; i < count; i++)
		if (chain_call(SYS_read, workers, (long)&tid, sizeof(tid), 0) == sizeof(tid))
			printf("worker %u\n", tid);
}

static CHAIN void chain_futex(void)
{
	struct timespec t = { 0, 1000000 };
	long end = chain_waits() + count;
	int word = 0;

	while (chain_waits() < end)
		chain_call(SYS_futex, (long)&word, FUTEX_WAIT_PRIVATE, 0, (long)&t);
}

/* Another thread writes, a millisecond after this one began to wait. */
static CHAIN void chain_read(void)
{
	char byte;
	long i;

	for (i = 0; i < count; i++)
		chain_call(SYS_read, pipes[0], (long)&byte, 1, 0);
}

static CHAIN void chain_touch(void)
{
	volatile char *page = mmap(NULL, count * 4096, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long i;

	for (i = 0; page != MAP_FAILED && i < count; i++)
		page[i * 4096] = 1;
}

static CHAIN void chain_null(void)
{
	uint64_t ns = chain_now(), ticks = chain_tick();
	long i;

	for (i = 0; i < count; i++)
		chain_call(SYS_getppid, 0, 0, 0, 0);
	ticks = chain_tick() - ticks;
	ns = chain_now() - ns;
	printf("eventcost calls=%ld failed=0 ns=%llu ticks=%llu\n", count,
	       (unsigned long long)ns, (unsigned long long)ticks);
}

static long depth;
static void (*deepest)(void) = chain_sleep;

static CHAIN void chain_down(long left)
{
	if (left)
		chain_down(left - 1);
	else
		deepest();
	/* what stands behind the call keeps it from being the last one */
	asm volatile("" : : "r" (left));
}

static CHAIN void chain_deep(void)
{
	chain_down(depth - 1);
}

static CHAIN void chain_broken(void)
{
	long end, kind;

	for (kind = 0; chain_break(kind); kind++) {
		fflush(stdout);
		end = chain_waits() + count;
		while (chain_waits() < end)
			chain_broken_sleep(chain_break(kind), 1000000);
		chain_broken_loop(chain_break(kind), 100000000);
	}
	printf("kinds %ld\n", kind);
}

static CHAIN void chain_yield(void)
{
	uint64_t end = chain_now() + count * 1000000000ULL;
	int i;

	while (chain_now() < end)
		for (i = 0; i < 100; i++)
			chain_call(SYS_sched_yield, 0, 0, 0, 0);
}

static CHAIN void chain_elder(void)
{
	chain_yield();
	asm volatile("" : : : "memory");
}

static CHAIN void chain_younger(void)
{
	chain_yield();
	asm volatile("" : : : "memory");
}

static CHAIN void chain_twins(void)
{
	unsigned long first = 1;
	pid_t child;

	chain_call(SYS_sched_setaffinity, 0, sizeof(first), (long)&first, 0);
	child = fork();
	if (!child) {
		printf("chain younger %d %ld\n", getpid(), syscall(SYS_gettid));
		fflush(stdout);
		chain_younger();
		_exit(0);
	}
	chain_elder();
	waitpid(child, NULL, 0);
}

static void (*leaf)(void);

static CHAIN void chain_4(void)
{
	leaf();
	asm volatile("" : : : "memory");
}

static CHAIN void chain_3(void)
{
	chain_4();
	asm volatile("" : : : "memory");
}

static CHAIN void chain_2(void)
{
	chain_3();
	asm volatile("" : : : "memory");
}

static CHAIN void chain_1(void)
{
	chain_2();
	asm volatile("" : : : "memory");
}

/* Whether the first thread sleeps */
static int is_waiting(int stat)
{
	char line[64] = "";

	return pread(stat, line, sizeof(line) - 1, 0) > 0 && strstr(line, ") S ");
}

static void *write_slowly(void *arg)
{
	struct timespec t = { 0, 1000000 };
	int stat = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	long i;

	if (stat < 0) {
		perror("/proc/self/stat");
		exit(1);
	}
	for (i = 0; i < count; i++) {
		while (!is_waiting(stat))
			nanosleep(&t, NULL);
		/* it says so before it goes */
		nanosleep(&t, NULL);
		if (write(pipes[1], "", 1) != 1)
			break;
	}
	return arg;
}

static const struct {
	const char *name;
	void (*leaf)(void);
} verbs[] = {
	{ "burn", chain_burn }, { "sleep", chain_sleep }, { "futex", chain_futex },
	{ "read", chain_read }, { "touch", chain_touch }, { "deep", chain_deep },
	{ "broken", chain_broken }, { "park", chain_park }, { "null", chain_deep },
	{ "worker", chain_worker }, { "twins", chain_twins },
};

int main(int argc, char **argv)
{
	pthread_t thread;
	size_t i;

	for (i = 0; argc > 2 && i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (!strcmp(argv[1], verbs[i].name))
			leaf = verbs[i].leaf;
	if (!leaf || pipe(pipes)) {
		fputs(usage, stderr);
		return 2;
	}
	count = atol(argv[2]);
	depth = argc > 3 ? atol(argv[3]) : 1;
	if (!strcmp(argv[1], "null"))
		deepest = chain_null;
	printf("chain %s %d %ld\n", argv[1], getpid(), syscall(SYS_gettid));
	fflush(stdout);
	workers = open("/dev/etw-worker", O_RDONLY | O_CLOEXEC);
	if (leaf == chain_read)
		pthread_create(&thread, NULL, write_slowly, NULL);
	/* the C library has no frame pointers: below main() there is nothing to be seen */
	chain_bottom(chain_1);
	return 0;
}
