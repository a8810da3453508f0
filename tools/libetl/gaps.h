/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Where context swaps of a trace are missing, or seem to be, as it says itself. */
#ifndef ETW_GAPS_H
#define ETW_GAPS_H

#include "execs.h"
#include "holes.h"
#include "trace.h"

/* Group masks in the stream: none, without context switches, with context switches */
enum gap_masks { MASKS_NONE, MASKS_OFF, MASKS_ON };

struct gap_span;

/**
 * struct gaps - what is missing
 * @trace: of which file
 * @losses: times between which a CPU lost records, @nr_losses; by processor and begin
 * @reports: of the loss records: what became @losses, @nr_reports
 * @pauses: times between which context switches were off, @nr_pauses; by begin
 * @execs: threads that exec renamed: nothing is missing there
 * @holes: numbers of buffers that are missing
 * @ended: of merged files: the group masks of which the stream said last that they end
 * @ours: the module wrote it: sequence numbers are dense
 * @anywhere: something was lost, nothing says where
 * @tail: buffers were lost without a flag: in a file of ours, a writer without room lost
 *	buffers behind the last ones
 */
struct gaps {
	const struct trace *trace;
	struct gap_span *losses;
	size_t nr_losses;
	struct gap_span *reports;
	size_t nr_reports;
	struct gap_span *pauses;
	size_t nr_pauses;
	struct execs execs;
	struct holes holes;
	enum gap_masks ended;
	bool ours;
	bool anywhere;
	bool tail;
};

/* Return: 0, or -1 after a message, when nothing is left to be freed */
int gaps_find(struct gaps *gaps, const struct trace *trace);
/* The same in steps, for a caller that reads all records: begin, each record in order, end */
void gaps_begin(struct gaps *gaps, const struct trace *trace);
int gaps_note(struct gaps *gaps, uint16_t processor, const struct etl_record *record);
int gaps_end(struct gaps *gaps);
/*
 * Whether a context swap may have been lost between two records of one CPU. The first is in
 * buffer @a at time @from, the second in the next buffer @b at time @to.
 */
bool gaps_lost(const struct gaps *gaps, const struct etl_buffer *a, const struct etl_buffer *b,
	       uint64_t from, uint64_t to);
/*
 * Whether the record reports that the processor lost context swaps at @time or later. Such a
 * record in the buffer of the swap of @time explains a break before the next swap: an import writes
 * it there.
 */
bool gaps_reports(const struct etl_record *record, uint16_t processor, uint64_t time);
/* Whether the session did not record context switches at some time between */
bool gaps_paused(const struct gaps *gaps, uint64_t from, uint64_t to);
void gaps_free(struct gaps *gaps);

#endif /* ETW_GAPS_H */
