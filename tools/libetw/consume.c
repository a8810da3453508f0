// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* ProcessTrace. */
#include <stdlib.h>
#include <string.h>
#include "consume.h"

/* Files, or one stream: another would have to wait for it. */
static ULONG check_kinds(const struct consume_run *run)
{
	size_t i, streams = 0;

	for (i = 0; i < run->nr_consumers; i++)
		streams += run->consumers[i]->is_stream;
	return streams && run->nr_consumers > 1 ? ERROR_INVALID_PARAMETER : ERROR_SUCCESS;
}

/* A session that was not there at OpenTrace(), was left by a ProcessTrace(), or closed by others */
static ULONG attach(struct consumer *consumer)
{
	if (consume_has_file(consumer))
		return ERROR_SUCCESS;
	consumer->fd = -1;
	return consumer->session ? consume_attach(consumer) : ERROR_INVALID_HANDLE;
}

/* Delivers the header event, which describes the trace, as the first event */
static void deliver_header(struct consume_run *run, struct consumer *consumer)
{
	struct consume_cursor *cursor = consume_cursor(run, consumer);

	if (!cursor) {
		run->result = ERROR_NOT_ENOUGH_MEMORY;
		return;
	}
	consumer->logfile.a.BuffersRead = 0;
	if (!consume_first(run, cursor))
		return;
	consume_deliver(run, cursor, true);
	consume_start(run, cursor);
}

static void start_processor(struct consume_run *run, struct consumer *consumer,
			    const struct consume_index *index, size_t from, size_t to)
{
	struct consume_cursor *cursor = consume_cursor(run, consumer);

	if (!cursor) {
		run->result = ERROR_NOT_ENOUGH_MEMORY;
		return;
	}
	cursor->index = index;
	cursor->place = from;
	cursor->end = to;
	consume_start(run, cursor);
}

/* A cursor for each processor: its buffers are together in the index. */
static void start_file(struct consume_run *run, struct consumer *consumer,
		       struct consume_index *index)
{
	size_t from, to;

	if (!consume_index(run, consumer, index))
		return;
	for (from = 0; from < index->count && !run->result; from = to) {
		for (to = from + 1; to < index->count; to++)
			if (index->places[to].processor != index->places[from].processor)
				break;
		start_processor(run, consumer, index, from, to);
	}
}

static void process_files(struct consume_run *run)
{
	size_t i;

	run->index = calloc(run->nr_consumers, sizeof(*run->index));
	if (!run->index) {
		run->result = ERROR_NOT_ENOUGH_MEMORY;
		return;
	}
	for (i = 0; i < run->nr_consumers && !run->result; i++)
		start_file(run, run->consumers[i], &run->index[i]);
	while (run->live && !run->result) {
		if (atomic_load(&consume_top(run)->consumer->closing)) {
			consume_drop(run);
			continue;
		}
		consume_deliver(run, consume_top(run), false);
		consume_advance(run);
	}
}

static void process(struct consume_run *run)
{
	size_t i;

	for (i = 0; i < run->nr_consumers && !run->result; i++)
		run->result = attach(run->consumers[i]);
	if (!run->result)
		run->result = check_kinds(run);
	for (i = 0; i < run->nr_consumers && !run->result; i++)
		deliver_header(run, run->consumers[i]);
	if (run->result)
		return;
	if (run->consumers[0]->is_stream)
		consume_stream(run, run->consumers[0]);
	else
		process_files(run);
}

/* The caller's, who may have none */
static int copy_time(const FILETIME *from, uint64_t *to)
{
	FILETIME time;
	int err;

	if (!from)
		return 0;
	err = etw_copy_in(&time, from, sizeof(time));
	if (!err)
		*to = (uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime;
	return err;
}

/* Also when a callback ended the thread, or the thread was cancelled */
static void end_run(void *argument)
{
	int cancel = etw_cancel_disable();
	struct consume_run *run = argument;
	size_t i;

	consume_stream_end(run->consumers[0]);
	consume_free_cursors(run);
	for (i = 0; run->index && i < run->nr_consumers; i++)
		free(run->index[i].places);
	free(run->index);
	consume_release(run->consumers, run->nr_consumers);
	etw_cancel_restore(cancel);
}

static ULONG run_all(const PROCESSTRACE_HANDLE *handles, size_t count, uint64_t start,
		     uint64_t end)
{
	struct consume_run run = { .nr_consumers = count, .start = start, .end = end };
	ULONG result = consume_acquire(handles, count, run.consumers);

	if (result)
		return result;
	pthread_cleanup_push(end_run, &run);
	process(&run);
	pthread_cleanup_pop(1);
	return !run.result && run.damaged ? ERROR_FILE_CORRUPT : run.result;
}

/**
 * ProcessTrace() - delivers the events of traces, merged by time
 * @HandleArray: of files, or of one session
 * @HandleCount: 1 to 64
 * @StartTime: nothing before it but the header events; NULL: from the start
 * @EndTime: nothing after it; NULL: to the end
 *
 * A thread that is cancelled here, or that a callback ends, closes nothing: the traces can be
 * processed again, or closed.
 *
 * Return: ERROR_SUCCESS at the end, or when CloseTrace() asked for it;
 * ERROR_CANCELLED: BufferCallback did; ERROR_FILE_CORRUPT: the end, but something
 * could not be read and was passed over; ERROR_BAD_LENGTH (@HandleCount);
 * ERROR_INVALID_HANDLE (also: the program closed the file, or stream, itself);
 * ERROR_INVALID_TIME; ERROR_INVALID_PARAMETER (no
 * @HandleArray; a session and something else); ERROR_BUSY (a handle is being
 * processed, or another consumer reads the session); ERROR_WMI_INSTANCE_NOT_FOUND (no
 * such session); ERROR_ACCESS_DENIED; ERROR_NOACCESS (a bad address);
 * ERROR_NOT_ENOUGH_MEMORY; ERROR_READ_FAULT.
 */
ULONG ProcessTrace(PROCESSTRACE_HANDLE *HandleArray, ULONG HandleCount, LPFILETIME StartTime,
		   LPFILETIME EndTime)
{
	uint64_t start = INT64_MIN, end = INT64_MAX;
	PROCESSTRACE_HANDLE handles[64];
	int err;

	if (!HandleArray)
		return etw_result(ERROR_INVALID_PARAMETER);
	if (!HandleCount || HandleCount > 64)
		return etw_result(ERROR_BAD_LENGTH);
	err = etw_copy_in(handles, HandleArray, HandleCount * sizeof(handles[0]));
	if (!err)
		err = copy_time(StartTime, &start);
	if (!err)
		err = copy_time(EndTime, &end);
	if (err)
		return etw_result(etw_error(err));
	if (StartTime && EndTime && end < start)
		return etw_result(ERROR_INVALID_TIME);
	return etw_result(run_all(handles, HandleCount, start, end));
}
