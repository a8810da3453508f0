// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Calls the consumer's functions for an event, and for a buffer that is done. */
#include <time.h>
#include "libetl/losses.h"
#include "libetl/text.h"
#include "consume.h"
#include "tdh_private.h"

/* Classic events that report to a consumer that something is missing */
static const struct etw_guid lost_guid = {
	0x6a399ae0, 0x4bc6, 0x4de9, { 0x87, 0x0b, 0x36, 0x57, 0xf8, 0x94, 0x7e, 0x7e }
};
#define LOST_EVENT	32
#define LOST_BUFFER	33

static bool wants_raw(const struct consumer *consumer)
{
	return consumer->logfile.a.ProcessTraceMode & PROCESS_TRACE_MODE_RAW_TIMESTAMP;
}

static void call_record(const struct consume_cursor *cursor, uint64_t time)
{
	EVENT_TRACE_LOGFILEA *logfile = &cursor->consumer->logfile.a;
	struct consume_event event;

	if (logfile->BufferCallback)
		consume_event_trace(cursor, time, &logfile->CurrentEvent);
	if (!logfile->EventRecordCallback)
		return;
	consume_event_record(cursor, time, &event);
	logfile->EventRecordCallback(&event.record);
}

static void call_trace(const struct consume_cursor *cursor, uint64_t time)
{
	EVENT_TRACE_LOGFILEA *logfile = &cursor->consumer->logfile.a;
	EVENT_TRACE event;

	consume_event_trace(cursor, time, &event);
	logfile->CurrentEvent = event;
	if (logfile->EventCallback)
		logfile->EventCallback(&event);
	consume_class_callbacks(&cursor->record, &event);
}

static void call(const struct consume_cursor *cursor)
{
	uint64_t time = wants_raw(cursor->consumer) ? cursor->record.time : cursor->time;

	if (consume_is_monotonic(cursor->consumer))
		time = live_clock_record(cursor->consumer, &cursor->record);
	if (consume_wants_records(cursor->consumer))
		call_record(cursor, time);
	else
		call_trace(cursor, time);
}

/* Made up here, as on Windows: a classic event without data before what came after */
static void deliver_loss(struct consume_cursor *cursor, uint8_t type)
{
	struct etl_record record = cursor->record;

	cursor->record = (struct etl_record){
		.at = record.at, .size = sizeof(EVENT_TRACE_HEADER), .header = ETL_SMALL,
		.type = TRACE_HEADER_TYPE_FULL_HEADER64, .pointer_size = 8, .has_time = true,
		.time = record.time, .opcode = type, .guid = lost_guid,
		.payload = record.payload,
	};
	call(cursor);
	cursor->record = record;
}

static void deliver_losses(struct consume_cursor *cursor)
{
	uint16_t lost = cursor->lost;

	cursor->lost = 0;
	if (lost & ETW_BUFFER_FLAG_EVENTS_LOST)
		deliver_loss(cursor, LOST_EVENT);
	if (lost & ETW_BUFFER_FLAG_BUFFER_LOST)
		deliver_loss(cursor, LOST_BUFFER);
}

/*
 * The header event of a stream, and of a file that was not closed, was written before anything
 * was lost.
 */
static void count_losses(const struct consume_cursor *cursor)
{
	struct etw_loss loss;

	if (loss_of(&cursor->record, &loss))
		cursor->consumer->logfile.a.EventsLost += loss.count;
}

/* As a FILETIME, signed: damaged stamps may be before 1601. */
static bool is_between(const struct consume_run *run, uint64_t time)
{
	return (int64_t)time >= (int64_t)run->start && (int64_t)time <= (int64_t)run->end;
}

void consume_deliver(struct consume_run *run, struct consume_cursor *cursor, bool always)
{
	if (cursor->consumer->is_stream || !cursor->consumer->log.end_time)
		count_losses(cursor);
	tdh_note(&cursor->record);
	if (!always && !is_between(run, cursor->time))
		return;
	if (cursor->lost)
		deliver_losses(cursor);
	call(cursor);
}

static uint64_t filetime_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return FILETIME_OF_UNIX + now.tv_sec * 10000000ULL + now.tv_nsec / 100;
}

void consume_buffer_done(struct consume_run *run, struct consume_cursor *cursor)
{
	struct consumer *consumer = cursor->consumer;
	EVENT_TRACE_LOGFILEA *logfile = &consumer->logfile.a;
	ULONG more;

	logfile->BuffersRead++;
	if (!logfile->BufferCallback)
		return;
	logfile->CurrentTime = filetime_now();
	logfile->Filled = cursor->buffer->end;
	if (consumer->wide)
		more = consumer->logfile.w.BufferCallback(&consumer->logfile.w);
	else
		more = logfile->BufferCallback(logfile);
	if (!more)
		run->result = ERROR_CANCELLED;
}
