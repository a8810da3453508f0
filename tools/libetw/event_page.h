/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Where struct etw_event_page is mapped, with pages of any size up to 64 KB. */
#ifndef LIBETW_EVENT_PAGE_H
#define LIBETW_EVENT_PAGE_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
#include "etw_provider.h"

#define EVENT_PAGE_LEAST	4096u
#define EVENT_PAGE_MOST		65536u

/* The place begins within the first page of the area, and takes one page or ETW_EVENT_PAGE_SIZE. */
#define EVENT_AREA_SIZE		(2 * EVENT_PAGE_MOST)

/* @page: bytes of a page. Return: bytes that a mapping takes, whole pages */
static inline size_t event_page_bytes(size_t page)
{
	return (ETW_EVENT_PAGE_SIZE + page - 1) & ~(page - 1);
}

/*
 * @area: EVENT_AREA_SIZE bytes, aligned to EVENT_PAGE_LEAST: a linker or loader may not align data
 * to larger pages. Return: address of the mapping; 0: no page has such a size
 */
static inline uintptr_t event_page_place(uintptr_t area, size_t page)
{
	if (page < EVENT_PAGE_LEAST || page > EVENT_PAGE_MOST || (page & (page - 1)))
		return 0;
	return (area + page - 1) & ~((uintptr_t)page - 1);
}

/* @fd: the node; its second page is mapped, whatever the size. Return: where, or MAP_FAILED */
static inline void *event_page_map(void *area, int fd)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	void *place = (void *)event_page_place((uintptr_t)area, page);

	errno = EINVAL;
	return place ? mmap(place, event_page_bytes(page), PROT_READ, MAP_SHARED | MAP_FIXED, fd,
			    page) : MAP_FAILED;
}

#endif /* LIBETW_EVENT_PAGE_H */
