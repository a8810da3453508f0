/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Memory of rings: private_memory.c. */
#ifndef ETW_SHIM_MM_H
#define ETW_SHIM_MM_H

#include <stddef.h>
#include <linux/minmax.h>

/*
 * Whole pages from mmap() and back: a signal handler may write the first event
 * of its thread, and malloc() might be what it interrupted.
 */
void *kvmalloc_node(size_t size, int flags, int node);
void *kvcalloc(size_t n, size_t size, int flags);
void kvfree(const void *memory);

static inline void *kvzalloc_node(size_t size, int flags, int node)
{
	(void)node;
	return kvcalloc(1, size, flags);
}

#endif /* ETW_SHIM_MM_H */
