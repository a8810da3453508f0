/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Which memory that a process got it still has, from the events of virtual memory. */
#ifndef ETW_STAT_MEMORY_H
#define ETW_STAT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct memory_change - memory that a process got or gave back
 * @process: index in the lifetimes + 1; 0: unknown
 * @from: first byte
 * @to: behind the last byte
 * @time: session clock
 * @tid: thread
 * @freed: given back
 * @kept: of what it got: bytes that no later change covers
 */
struct memory_change {
	uint64_t process;
	uint64_t from;
	uint64_t to;
	uint64_t time;
	uint32_t tid;
	bool freed;
	uint64_t kept;
};

/* Sets @kept of all changes, which are in the order of time. Return: false: no memory */
bool memory_find_kept(struct memory_change *change, size_t count);

#endif /* ETW_STAT_MEMORY_H */
