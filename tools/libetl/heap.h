/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A heap of pointers: the oldest of what they point to on top, wherever that comes from. */
#ifndef ETW_HEAP_H
#define ETW_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* Inlined, and so is what it is given: a step of a merge is little else */
#define HEAP_INLINE	static inline __attribute__((always_inline))

typedef bool (*heap_older_fn)(const void *a, const void *b);

/* @heap[@i] goes to its place below, among @live */
HEAP_INLINE void heap_down(void **heap, size_t live, size_t i, heap_older_fn older)
{
	void *moved = heap[i];
	size_t child;

	while ((child = 2 * i + 1) < live) {
		if (child + 1 < live && older(heap[child + 1], heap[child]))
			child++;
		if (!older(heap[child], moved))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = moved;
}

/* @heap[@i], the last one, goes to its place above */
HEAP_INLINE void heap_up(void **heap, size_t i, heap_older_fn older)
{
	void *moved = heap[i];

	while (i && older(moved, heap[(i - 1) / 2])) {
		heap[i] = heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	heap[i] = moved;
}

#endif /* ETW_HEAP_H */
