// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The private logger's memory: of the process, of its child, of rings. */
#include <errno.h>
#include <linux/mm.h>
#include <sys/mman.h>
#include <unistd.h>
#include "private.h"

__thread struct private_stream *private_self
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

static struct private_memory *the_memory;

/*
 * Return: what private_new_memory() made in this process, or NULL.
 * Context: any thread, any signal handler.
 */
struct private_memory *private_memory(void)
{
	struct private_memory *memory = __atomic_load_n(&the_memory, __ATOMIC_ACQUIRE);

	return memory && READ_ONCE(memory->pid) ? memory : NULL;
}

/* In an event, too: errno is the program's. */
static void *pages(size_t bytes, int more_flags)
{
	int saved = errno;
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | more_flags, -1, 0);

	errno = saved;
	return memory == MAP_FAILED ? NULL : memory;
}

/*
 * Whatever way a child comes to be (fork(), _Fork(), clone()), it finds zeros:
 * no session, streams without owners. What it had is never used again: the
 * thread that forked may hold a pointer to its stream.
 */
static struct private_memory *make_memory(void)
{
	struct private_memory *memory = pages(sizeof(*memory), 0);
	u32 i;

	if (!memory)
		return NULL;
	if (madvise(memory, sizeof(*memory), MADV_WIPEONFORK)) {
		munmap(memory, sizeof(*memory));
		return NULL;
	}
	for (i = 0; i < PRIVATE_STREAMS; i++)
		memory->stream[i].index = i + 1;
	pthread_mutex_init(&memory->lock, NULL);
	private_barrier_init(memory);
	memory->pid = getpid();
	return memory;
}

/* Return: that of this process, which is made when there is none; NULL without memory */
struct private_memory *private_new_memory(void)
{
	struct private_memory *old = __atomic_load_n(&the_memory, __ATOMIC_ACQUIRE), *new;

	if (old && READ_ONCE(old->pid))
		return old;
	new = make_memory();
	if (!new)
		return NULL;
	if (__atomic_compare_exchange_n(&the_memory, &old, new, false, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE))
		return new;
	munmap(new, sizeof(*new));
	return old;
}

/* Before every piece of memory, in a page of its own: buffers begin on a page */
struct extent {
	size_t bytes;
};

static size_t page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

void *kvmalloc_node(size_t size, int flags, int node)
{
	size_t page = page_size(), bytes = page + size;
	/* all of a buffer is written at once: that is cheaper than a fault for each page */
	struct extent *extent = pages(bytes, MAP_POPULATE);

	(void)flags;
	(void)node;
	if (!extent)
		return NULL;
	extent->bytes = bytes;
	return (u8 *)extent + page;
}

void *kvcalloc(size_t n, size_t size, int flags)
{
	return kvmalloc_node(n * size, flags, -1);
}

void kvfree(const void *memory)
{
	struct extent *extent;

	if (!memory)
		return;
	extent = (struct extent *)((u8 *)memory - page_size());
	munmap(extent, extent->bytes);
}
