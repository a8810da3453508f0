// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Where libetw maps the pages of events: with each size of a page, wherever the area is. */
#include <stdint.h>
#include "tests/lib/guest/check.h"
#include "tools/libetw/event_page.h"

#define FIRST	0x10000000ul

static void check_size(size_t page)
{
	const size_t bytes = event_page_bytes(page);
	uintptr_t area, place;
	int bad = 0;

	for (area = FIRST; area < FIRST + EVENT_PAGE_MOST; area += EVENT_PAGE_LEAST) {
		place = event_page_place(area, page);
		bad += place % page || place < area || place + bytes > area + EVENT_AREA_SIZE;
	}
	printf("# pages of %zu bytes: %zu bytes\n", page, bytes);
	check_that(!bad, "the place is aligned to a page and within the area");
	check_that(!(bytes % page) && bytes >= sizeof(struct etw_event_page) &&
		   bytes - page < sizeof(struct etw_event_page),
		   "its size is whole pages, and the fewest that hold all entries");
}

int main(void)
{
	size_t page;

	for (page = EVENT_PAGE_LEAST; page <= EVENT_PAGE_MOST; page *= 2)
		check_size(page);
	check_that(event_page_place(FIRST, EVENT_PAGE_MOST) == FIRST,
		   "an aligned area is used from its start");
	check_that(!event_page_place(FIRST, EVENT_PAGE_MOST * 2) &&
		   !event_page_place(FIRST, 2048) && !event_page_place(FIRST, 12288) &&
		   !event_page_place(FIRST, 0) && !event_page_place(FIRST, (size_t)-1),
		   "other sizes have no place");
	return failures != 0;
}
