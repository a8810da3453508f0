/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Arrays that grow. */
#ifndef ETW_ARRAY_H
#define ETW_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

bool array_enlarge(void **array, size_t *room, size_t needed, size_t bytes);

/**
 * array_grow() - make room in an array
 * @array: the array, from malloc(); NULL before its first use
 * @room: in elements; updated
 * @needed: elements that it must have room for
 * @bytes: size of an element
 *
 * The room doubles, and new elements are zero.
 *
 * Return: false: no memory; the array is as it was
 */
static inline bool array_grow(void **array, size_t *room, size_t needed, size_t bytes)
{
	return (*room && needed <= *room) || array_enlarge(array, room, needed, bytes);
}

#endif /* ETW_ARRAY_H */
