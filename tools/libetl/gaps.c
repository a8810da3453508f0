// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Where context swaps of a trace are missing, or seem to be, as it says itself. */
#include <stdlib.h>
#include <string.h>
#include "etw_hooks.h"
#include "buffer_writer.h"
#include "gaps.h"
#include "losses.h"
#include "messages.h"

/*
 * The module loses a context swap only while it has no buffer to write to, that is
 * between two buffers of a CPU: a buffer is closed before the first loss. So two
 * records of one buffer have nothing missing between them, and two of neighbouring
 * buffers only if the CPU lost something between their times. Loss records contain these
 * times. The flag of a buffer is less precise: it covers the time up to the hand-over, which
 * may be long after the last record. An import writes a loss record between two swaps of one
 * buffer, see gaps_reports().
 */

/**
 * struct gap_span - a time in which something is missing
 * @processor: where; pauses are of all: 0
 * @cause: of a report
 * @session: of a report, see loss_session()
 * @total: of a report, in this session
 * @from: its begin; of a report, the first loss of the session
 * @to: its end; of a pause, UINT64_MAX while nothing says that they are on again; sorted, the
 *	latest of this and of those before it
 */
struct gap_span {
	uint32_t processor;
	uint32_t cause;
	uint64_t session;
	uint64_t total;
	uint64_t from;
	uint64_t to;
};

/* Room is for a power of two of them */
static int add_span(struct gap_span **list, size_t *count, const struct gap_span *span)
{
	struct gap_span *more;

	if (!(*count & (*count - 1))) {
		more = reallocarray(*list, *count ? 2 * *count : 1, sizeof(*more));
		if (!more)
			return no_memory();
		*list = more;
	}
	(*list)[(*count)++] = *span;
	return 0;
}

static int by_begin(const void *left, const void *right)
{
	const struct gap_span *a = left, *b = right;

	if (a->processor != b->processor)
		return a->processor < b->processor ? -1 : 1;
	return a->from < b->from ? -1 : a->from > b->from;
}

static void sort_spans(struct gap_span *spans, size_t count)
{
	size_t i;

	if (count)
		qsort(spans, count, sizeof(*spans), by_begin);
	for (i = 1; i < count; i++)
		if (spans[i].processor == spans[i - 1].processor && spans[i].to < spans[i - 1].to)
			spans[i].to = spans[i - 1].to;
}

/* Of sorted ones: whether one that begins by @to ends at @from or later */
static bool any_between(const struct gap_span *spans, size_t count, uint32_t processor,
			uint64_t from, uint64_t to)
{
	const struct gap_span last = { .processor = processor, .from = to };
	size_t low = 0, high = count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (by_begin(&spans[middle], &last) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low && spans[low - 1].processor == processor && spans[low - 1].to >= from;
}

static enum gap_masks masks_of(const struct etl_record *record)
{
	const uint32_t switches = PERF_MASK_BITS(PERF_CONTEXT_SWITCH);

	if (record->payload_size < sizeof(struct etw_kernel_header_extension))
		return MASKS_NONE;
	return get32(record->payload + 4 * PERF_MASK_INDEX(PERF_CONTEXT_SWITCH)) & switches ?
	       MASKS_ON : MASKS_OFF;
}

/*
 * Masks do not say of which session they are, and a merged file has those of several. But a
 * session says which end before those that begin: only where these two differ did one change.
 */
static bool is_change(struct gaps *gaps, enum gap_masks masks)
{
	enum gap_masks ended = gaps->ended;

	if (!(gaps->trace->log.log_file_mode & EVENT_TRACE_RELOG_MODE))
		return true;
	gaps->ended = MASKS_NONE;
	return ended != MASKS_NONE && ended != masks;
}

static int note_masks(struct gaps *gaps, const struct etl_record *record)
{
	struct gap_span *last = gaps->nr_pauses ? &gaps->pauses[gaps->nr_pauses - 1] : NULL;
	bool paused = last && last->to == UINT64_MAX;
	enum gap_masks masks = masks_of(record);

	if (masks == MASKS_NONE || !is_change(gaps, masks))
		return 0;
	if (masks == MASKS_ON) {
		if (paused)
			last->to = record->time;
		return 0;
	}
	if (paused)
		return 0;
	return add_span(&gaps->pauses, &gaps->nr_pauses,
			&(struct gap_span){ .from = record->time, .to = UINT64_MAX });
}

/* What can't be a context swap, or is flagged in the buffers, is of no interest. */
static bool is_of_switches(uint32_t cause)
{
	return cause != ETW_LOSS_OVERWRITTEN && cause != ETW_LOSS_TOO_LARGE &&
	       cause != ETW_LOSS_NMI && cause != ETW_LOSS_RATE && cause != ETW_LOSS_MISSED &&
	       cause != ETW_LOSS_RUNDOWN;
}

int gaps_note(struct gaps *gaps, uint16_t processor, const struct etl_record *record)
{
	struct etw_loss loss;

	if (etl_is_ours(record)) {
		gaps->ours |= gaps->trace->log.provider_version == ETW_OS_BUILD;
		if (!loss_of(record, &loss) || !is_of_switches(loss.cause))
			return 0;
		return add_span(&gaps->reports, &gaps->nr_reports, &(struct gap_span){
			.processor = loss.processor, .cause = loss.cause,
			.session = loss_session(record, &gaps->trace->log), .total = loss.total,
			.from = loss.first, .to = loss.last });
	}
	if (record->header == ETL_PERFINFO || record->header == ETL_SYSTEM) {
		if (record->hook_id == WMI_LOG_TYPE_HEADER_EXTENSION)
			return note_masks(gaps, record);
		if (record->hook_id == WMI_LOG_TYPE_GROUP_MASKS_END)
			gaps->ended = masks_of(record);
	}
	return execs_note(&gaps->execs, processor, record) ? no_memory() : 0;
}

static int survey_all(struct gaps *gaps)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;
	int err = 0;

	if (merge_begin(&merge, gaps->trace, false))
		return -1;
	while (!err && merge_next(&merge, &record, &buffer))
		err = gaps_note(gaps, buffer->processor, record);
	merge_end(&merge);
	return err;
}

static int by_total(const void *left, const void *right)
{
	const struct gap_span *a = left, *b = right;

	if (a->processor != b->processor)
		return a->processor < b->processor ? -1 : 1;
	if (a->cause != b->cause)
		return a->cause < b->cause ? -1 : 1;
	if (a->session != b->session)
		return a->session < b->session ? -1 : 1;
	return a->total < b->total ? -1 : a->total > b->total;
}

/* A report is of what was lost after the last one of its session that is in the file. */
static int losses_from_reports(struct gaps *gaps)
{
	const struct gap_span *last = NULL;
	struct gap_span loss;
	size_t i;

	if (gaps->nr_reports)
		qsort(gaps->reports, gaps->nr_reports, sizeof(*gaps->reports), by_total);
	for (i = 0; i < gaps->nr_reports; i++) {
		loss = gaps->reports[i];
		if (last && last->processor == loss.processor && last->cause == loss.cause &&
		    last->session == loss.session) {
			if (last->total == loss.total)
				continue;
			loss.from = last->to;
		}
		last = &gaps->reports[i];
		if (add_span(&gaps->losses, &gaps->nr_losses, &loss))
			return -1;
	}
	return 0;
}

static int by_processor(const void *left, const void *right)
{
	const struct gap_span *a = left, *b = right;

	return a->processor < b->processor ? -1 : a->processor > b->processor;
}

static bool is_reported(const struct gaps *gaps, uint32_t processor)
{
	const struct gap_span wanted = { .processor = processor };

	return gaps->nr_reports && bsearch(&wanted, gaps->reports, gaps->nr_reports,
					   sizeof(wanted), by_processor);
}

/* Of a CPU that no loss record speaks of: the file may have been cut. */
static int losses_from_flags(struct gaps *gaps)
{
	uint64_t handed[ETL_PROCESSORS] = { };
	const struct trace *trace = gaps->trace;
	const struct etl_buffer *buffer;
	struct gap_span loss;
	uint16_t flags = 0;
	size_t i;

	for (i = 1; i < trace->count; i++) {
		buffer = &trace->buffers[i];
		flags |= buffer->header.buffer_flag & ETL_BUFFER_LOST;
		loss = (struct gap_span){ .processor = buffer->processor,
					  .from = handed[buffer->processor % ETL_PROCESSORS],
					  .to = buffer->header.time_stamp };
		handed[buffer->processor % ETL_PROCESSORS] = buffer->header.time_stamp;
		if ((buffer->header.buffer_flag & ETW_BUFFER_FLAG_EVENTS_LOST) &&
		    !is_reported(gaps, buffer->processor) &&
		    add_span(&gaps->losses, &gaps->nr_losses, &loss))
			return -1;
	}
	gaps->tail = trace->log.buffers_lost && !(flags & ETW_BUFFER_FLAG_BUFFER_LOST);
	gaps->anywhere = (trace->log.events_lost && !flags && !gaps->nr_reports) ||
			 (!gaps->ours && (trace->gaps || gaps->tail));
	return 0;
}

void gaps_begin(struct gaps *gaps, const struct trace *trace)
{
	memset(gaps, 0, sizeof(*gaps));
	gaps->trace = trace;
}

int gaps_end(struct gaps *gaps)
{
	if (losses_from_reports(gaps) || losses_from_flags(gaps))
		return -1;
	sort_spans(gaps->losses, gaps->nr_losses);
	/* One that does not end is the stop: what comes after the masks is all there. */
	if (gaps->nr_pauses && gaps->pauses[gaps->nr_pauses - 1].to == UINT64_MAX)
		gaps->nr_pauses--;
	sort_spans(gaps->pauses, gaps->nr_pauses);
	return holes_find(&gaps->holes, gaps->trace);
}

int gaps_find(struct gaps *gaps, const struct trace *trace)
{
	gaps_begin(gaps, trace);
	if (!survey_all(gaps) && !gaps_end(gaps))
		return 0;
	gaps_free(gaps);
	return -1;
}

bool gaps_lost(const struct gaps *gaps, const struct etl_buffer *a, const struct etl_buffer *b,
	       uint64_t from, uint64_t to)
{
	if (gaps->anywhere || ((a->header.buffer_flag | b->header.buffer_flag) & ETL_BUFFER_LOST) ||
	    (gaps->ours && holes_between(&gaps->holes, a->header.sequence_number,
					 b->header.sequence_number)))
		return true;
	return any_between(gaps->losses, gaps->nr_losses, b->processor, from, to);
}

bool gaps_reports(const struct etl_record *record, uint16_t processor, uint64_t time)
{
	struct etw_loss loss;

	return loss_of(record, &loss) && loss.processor == processor && loss.last >= time &&
	       is_of_switches(loss.cause);
}

bool gaps_paused(const struct gaps *gaps, uint64_t from, uint64_t to)
{
	return gaps->ours && any_between(gaps->pauses, gaps->nr_pauses, 0, from, to);
}

void gaps_free(struct gaps *gaps)
{
	free(gaps->losses);
	free(gaps->reports);
	free(gaps->pauses);
	holes_free(&gaps->holes);
	execs_free(&gaps->execs);
	memset(gaps, 0, sizeof(*gaps));
}
