/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What happened when, in bounded memory: for the timeline of the page. */
#ifndef ETW_REPORT_ITEMS_H
#define ETW_REPORT_ITEMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct item - something at a time, or from a time on
 * @at: ns since the start
 * @length: ns; 0: a moment
 * @thread: index of the thread, or what its owner uses instead
 * @what: which kind, by its owner
 * @weight: what it counts; of a time its ns, which is less than @length after merging
 */
struct item {
	int64_t at;
	int64_t length;
	uint32_t thread;
	uint32_t what;
	uint64_t weight;
};

/* Items of one array, unless it has as many kinds: 40 bytes each */
#define ITEMS_MOST	400000
/* Places where recent items are found, a power of two */
#define ITEMS_RECENT	8192

/**
 * struct items - an array of them
 * @item: @count of them, room for @room
 * @most: it is merged when it has so many; 0 at first
 * @grain: ns; 0: every item is as it came. Otherwise what is shorter than @grain was merged, by
 *	thread and kind, with others between the same two multiples of it
 * @recent: by thread and kind: index + 1 of the last merged item; NULL without a @grain
 */
struct items {
	struct item *item;
	size_t count;
	size_t room;
	size_t most;
	int64_t grain;
	uint32_t *recent;
};

/* Merges when there are too many. Return: 0, or -1: no memory */
int items_add(struct items *items, const struct item *item);
/* When all are there: by kind, then time. Return: 0, or -1: no memory */
int items_finish(struct items *items);
/* {"grain":..,"at":[..],...}: a time is the difference from the one before */
void items_json(const struct items *items, FILE *to);
void items_free(struct items *items);

#endif /* ETW_REPORT_ITEMS_H */
