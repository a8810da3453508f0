// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Executable mappings as processes make them, reported by perf. */
#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "mapping_watch.h"

/* Of each CPU, in pages: 64 KB take some 400 mappings. */
#define DATA_PAGES	16

/**
 * struct mapping_watch - an event of perf on each CPU
 * @cpus: number of events
 * @poll: the caller's descriptor, and that of each event; ~descriptor, which poll() leaves out, of
 *	an event that has ended
 * @page: control page of each event, with the ring of records behind it
 * @page_size: bytes of a page
 * @record: a record, because the end of the ring may divide it
 */
struct mapping_watch {
	unsigned int cpus;
	struct pollfd *poll;
	struct perf_event_mmap_page **page;
	size_t page_size;
	union {
		struct perf_event_header header;
		uint8_t bytes[1 << 16];
	} record;
};

/* PERF_RECORD_MMAP2; the path is behind it */
struct mapping_record {
	struct perf_event_header header;
	uint32_t pid;
	uint32_t tid;
	uint64_t address;
	uint64_t size;
	uint64_t offset;
	uint32_t major;
	uint32_t minor;
	uint64_t inode;
	uint64_t generation;
	uint32_t protection;
	uint32_t flags;
};

/* Wakes the reader at each record */
static int open_event(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY, .mmap = 1, .mmap2 = 1, .exclude_kernel = 1,
		.watermark = 1, .wakeup_watermark = 1,
	};

	return syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Return: false: mappings on this CPU would not be seen. A CPU that is off line makes none. */
static bool add_cpu(struct mapping_watch *watch, int cpu)
{
	int fd = open_event(cpu);
	void *page;

	if (fd < 0)
		return errno == ENODEV;
	page = mmap(NULL, (1 + DATA_PAGES) * watch->page_size, PROT_READ | PROT_WRITE,
		    MAP_SHARED, fd, 0);
	if (page == MAP_FAILED) {
		close(fd);
		return false;
	}
	watch->page[watch->cpus++] = page;
	watch->poll[watch->cpus] = (struct pollfd){ .fd = fd, .events = POLLIN };
	return true;
}

struct mapping_watch *mapping_watch_open(void)
{
	struct mapping_watch *watch = calloc(1, sizeof(*watch));
	long cpu, cpus = sysconf(_SC_NPROCESSORS_CONF);

	if (!watch || cpus <= 0) {
		free(watch);
		return NULL;
	}
	watch->page_size = sysconf(_SC_PAGESIZE);
	watch->page = calloc(cpus, sizeof(*watch->page));
	watch->poll = calloc(cpus + 1, sizeof(*watch->poll));
	/* without all of them, the caller looks for processes itself */
	for (cpu = 0; watch->page && watch->poll && cpu < cpus; cpu++)
		if (!add_cpu(watch, cpu))
			break;
	if (watch->cpus && cpu == cpus)
		return watch;
	mapping_watch_close(watch);
	return NULL;
}

void mapping_watch_wait(struct mapping_watch *watch, int fd, int ms)
{
	unsigned int i;

	watch->poll[0] = (struct pollfd){ .fd = fd, .events = POLLIN };
	if (poll(watch->poll, 1 + watch->cpus, ms) <= 0)
		return;
	/* otherwise poll() would return at once each time */
	for (i = 1; i <= watch->cpus; i++)
		if (watch->poll[i].revents & (POLLERR | POLLHUP | POLLNVAL))
			watch->poll[i].fd = ~watch->poll[i].fd;
}

static void copy(const struct mapping_watch *watch, const struct perf_event_mmap_page *page,
		 uint64_t from, void *to, size_t size)
{
	const size_t room = DATA_PAGES * watch->page_size;
	const uint8_t *ring = (const uint8_t *)page + watch->page_size;
	size_t at = from % room, first = size < room - at ? size : room - at;

	memcpy(to, ring + at, first);
	memcpy((uint8_t *)to + first, ring, size - first);
}

static void take_mapping(struct mapping_watch *watch,
			 void (*found)(void *context, const struct new_mapping *mapping),
			 void *context)
{
	const struct mapping_record *record = (const void *)watch->record.bytes;
	const char *path = (const char *)(record + 1);

	watch->record.bytes[sizeof(watch->record) - 1] = '\0';
	if (record->header.size <= sizeof(*record) || path[0] != '/' || !record->inode)
		return;
	found(context, &(struct new_mapping){
		.pid = record->pid, .start = record->address,
		.end = record->address + record->size,
		.device = (uint64_t)record->major << 32 | record->minor,
		.inode = record->inode, .generation = record->generation, .path = path,
	});
}

bool mapping_watch_read(struct mapping_watch *watch,
			void (*found)(void *context, const struct new_mapping *mapping),
			void *context)
{
	struct perf_event_header *header = &watch->record.header;
	unsigned int i;
	bool all = true;

	for (i = 0; i < watch->cpus; i++) {
		struct perf_event_mmap_page *page = watch->page[i];
		uint64_t tail = page->data_tail;
		uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);

		while (head - tail >= sizeof(*header)) {
			copy(watch, page, tail, header, sizeof(*header));
			if (header->size < sizeof(*header) || header->size > head - tail)
				break;
			copy(watch, page, tail, watch->record.bytes, header->size);
			tail += header->size;
			__atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
			if (header->type == PERF_RECORD_MMAP2)
				take_mapping(watch, found, context);
			else if (header->type == PERF_RECORD_LOST)
				all = false;
		}
	}
	return all;
}

void mapping_watch_close(struct mapping_watch *watch)
{
	unsigned int i;

	if (!watch)
		return;
	for (i = 0; i < watch->cpus; i++) {
		munmap(watch->page[i], (1 + DATA_PAGES) * watch->page_size);
		close(watch->poll[1 + i].fd < 0 ? ~watch->poll[1 + i].fd : watch->poll[1 + i].fd);
	}
	free(watch->page);
	free(watch->poll);
	free(watch);
}
