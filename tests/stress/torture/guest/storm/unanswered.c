// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Storm: a reader with memory that never comes; only SIGKILL ends it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "storm.h"

#define PAGE	4096UL
#define PAGES	16UL

/**
 * can_stay_away() - whether this kernel has memory that comes when a program says so
 *
 * Return: 0: it has not, which is printed; else 1.
 */
int can_stay_away(void)
{
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC);

	if (fd < 0) {
		printf("storm: NO USERFAULTFD: %s: no reader's memory stays away\n",
		       strerror(errno));
		return 0;
	}
	close(fd);
	return 1;
}

/* All but the first pages; NULL without memory. The faults are not read, so none is answered. */
static char *absent_memory(struct random *random)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	unsigned long there = any(random, 4) * PAGE;
	int faults = syscall(SYS_userfaultfd, O_CLOEXEC);
	char *memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (faults < 0 || memory == MAP_FAILED)
		return NULL;
	range.range = (struct uffdio_range){ (unsigned long)memory + there, PAGES * PAGE - there };
	if (ioctl(faults, UFFDIO_API, &api) || ioctl(faults, UFFDIO_REGISTER, &range)) {
		if (errno != ENOMEM)
			storm_fail("userfaultfd: %s", strerror(errno));
		return NULL;
	}
	return memory;
}

/**
 * read_unanswered() - read until that does not come back
 * @fd: the session's node
 * @random: the reader's
 * @seen: what it reads is not looked at: no more exact
 */
void read_unanswered(int fd, struct random *random, struct seen *seen)
{
	char *memory = absent_memory(random);
	ssize_t n = 1;

	seen->exact = 0;
	if (!memory)
		return;
	add(C_UNANSWERED, 1);
	__atomic_store_n(&seen->busy, 1, __ATOMIC_RELEASE);
	/* until a read reaches what is not there */
	while (n > 0 || errno == EINTR || errno == ENOMEM) {
		errno = 0;
		n = read(fd, memory, PAGES * PAGE);
		step();
		if (!n)
			break;
	}
	/* the stream came to its end before, and the session is gone */
	seen->ended = !n;
	seen->final.size = 0;
	if (n < 0)
		storm_fail("a read into memory that is not there: %s", strerror(errno));
}
