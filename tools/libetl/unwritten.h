/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Events that a file could not take: counted by processor, and reported by loss records. */
#ifndef ETW_UNWRITTEN_H
#define ETW_UNWRITTEN_H

#include <stdbool.h>
#include <stdint.h>

struct unwritten_cpu;

/**
 * struct unwritten - what is missing in a file, because writing it failed
 * @events: sum; without the session's records about itself
 * @buffers: that hold @events
 * @cpu: by processor; NULL: nothing was counted
 * @trailer: the last buffer of the stream, which the file could not take; or NULL
 */
struct unwritten {
	uint64_t events;
	uint64_t buffers;
	struct unwritten_cpu *cpu;
	uint8_t *trailer;
};

/* Counts the events of a buffer, and keeps the stream's last one as @trailer. */
void unwritten_count(struct unwritten *unwritten, const uint8_t *buffer, uint32_t size);
/*
 * Counts what the loss records of a buffer count, for a reader that adds up loss records. A file's
 * losses are the last totals, which a later loss record has, too.
 */
void unwritten_count_losses(struct unwritten *unwritten, const uint8_t *buffer, uint32_t size);
/* Counts events. If @time is 0, the loss record has its own time for them. */
void unwritten_add(struct unwritten *unwritten, uint32_t processor, uint64_t events, uint64_t time);
/*
 * Makes @buffer the last buffer of a file: the trailer, or a buffer that continues the one that
 * @buffer holds, with a loss record for each processor.
 */
void unwritten_report(const struct unwritten *unwritten, uint8_t *buffer, uint32_t size);
/* For a stream that goes on: bytes of a buffer for unwritten_report() that has no trailer */
uint32_t unwritten_size(const struct unwritten *unwritten);
/* And what was reported is not reported again */
void unwritten_continue(struct unwritten *unwritten);
void unwritten_free(struct unwritten *unwritten);

#endif /* ETW_UNWRITTEN_H */
