/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Buffers of a stream that are not in its file: their numbers are missing. */
#ifndef ETW_HOLES_H
#define ETW_HOLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace;

/**
 * struct holes - which sequence numbers there are
 * @sequence: those of all buffers, ascending
 * @count: of them
 */
struct holes {
	uint64_t *sequence;
	size_t count;
};

/* Return: 0, or -1 after a message */
int holes_find(struct holes *holes, const struct trace *trace);
/* Whether numbers between these two are missing; their CPU is not known. */
bool holes_between(const struct holes *holes, uint64_t a, uint64_t b);
void holes_free(struct holes *holes);

#endif /* ETW_HOLES_H */
