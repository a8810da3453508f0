// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw close: completes the header of a saved stream. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include "libetl/final_header.h"
#include "libetl/losses.h"
#include "libetl/origin.h"
#include "libetl/ring_file.h"
#include "libetl/trace.h"
#include "common/verb_options.h"
#include "etw.h"
#include "etw_abi.h"

static const char help[] =
	"close [--ours] FILE\n\n"
	"Closes the saved stream of a running session, or what is left of one: sets EndTime,\n"
	"BuffersWritten, EventsLost and the last buffer's marker from what the file holds. A\n"
	"torn last buffer is cut off; a circular file is put in order. A closed file stays as\n"
	"it is, and so does one that has no event of ours, or is damaged behind its last buffer.\n\n";

static const struct verb_option options[] = {
	{ .code = OPTION_OURS },
	{ }
};

static int add_losses(const struct trace *trace, struct final_header *final)
{
	struct losses losses = { };
	struct etl_record record;
	uint32_t at;
	int err = 0;
	size_t i;

	for (i = 0; !err && i < trace->count; i++)
		for (at = ETL_FIRST_RECORD;
		     !err &&
		     etl_record_at(&trace->buffers[i], at, &record) == ETL_RECORD_OK;
		     at = etl_next_record(&record))
			err = losses_note(&losses, &record, &trace->log);
	final->events_lost = losses_with(&losses, final->events_lost);
	losses_free(&losses);
	return err ? no_memory() : 0;
}

static bool is_closed(const struct trace *trace)
{
	return !trace->torn && trace->log.end_time &&
	       trace->log.buffers_written == trace->count;
}

static int patch(const struct trace *trace, const struct final_header *final)
{
	int fd = open(trace->name, O_RDWR | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return failed("%s: %s", trace->name, strerror(errno));
	if (trace->end < trace->size) {
		warn("%s: the last %" PRIu64 " bytes are no whole buffer: cut off", trace->name,
		     trace->size - trace->end);
		if (ftruncate(fd, trace->end))
			err = -errno;
	}
	if (!err)
		err = final_header_write(fd, final);
	close(fd);
	return err ? failed("%s: %s", trace->name, strerror(-err)) : EXIT_OK;
}

/* Cutting is for what broke off: what was written and is damaged may be read in another way. */
static int refuse_damaged(const struct trace *trace)
{
	if (trace->torn && !trace_breaks_off(trace))
		return failed("%s: the %" PRIu64 " bytes at 0x%" PRIx64 " are damaged, and did not "
			      "break off: nothing is cut", trace->name, trace->size - trace->end,
			      trace->end);
	if (trace->gaps && trace->log.end_time && trace->log.buffers_written)
		return failed("%s: it is closed, and damaged at 0x%" PRIx64, trace->name,
			      trace->gap_at);
	return EXIT_OK;
}

static int close_trace(const struct trace *trace)
{
	const struct etl_buffer *last = &trace->buffers[trace->count - 1];
	struct final_header final = {
		.end_time = final_header_end_time(&trace->log, last->header.time_stamp),
		.buffers_written = trace->count,
		.events_lost = trace->log.events_lost,
		.buffers_lost = trace->log.buffers_lost,
		.last_buffer = last->at,
	};

	if (is_closed(trace)) {
		printf("%s: already closed\n", trace->name);
		return EXIT_OK;
	}
	if (refuse_damaged(trace))
		return EXIT_FAILED;
	if (add_losses(trace, &final) || patch(trace, &final))
		return EXIT_FAILED;
	printf("%s: closed, %zu buffers, %u events lost\n", trace->name, trace->count,
	       final.events_lost);
	return EXIT_OK;
}

/* A header buffer, and a part of another buffer of unknown origin: nothing is moved. */
static bool is_header_alone(const struct trace *trace)
{
	return trace->count == 1 && !trace->gaps && trace->log.provider_version == ETW_OS_BUILD &&
	       trace->size - trace->end <= trace->log.buffer_size;
}

/* Looks at the file only: of others' files it is not known what closing them takes. */
static int refuse_others(const char *name, bool ours)
{
	struct trace trace;
	int code = EXIT_OK;

	if (trace_open(&trace, name))
		return EXIT_FAILED;
	if (trace.log.pointer_size != 8)
		code = failed("%s: a trace of a 32-bit system; only our own can be closed", name);
	else if (!ours && !is_closed(&trace) && !is_header_alone(&trace) && !trace_is_ours(&trace))
		code = failed("%s: no event in it is of ours, so it is left as it is; --ours says "
			      "that the module wrote it", name);
	trace_close(&trace);
	return code;
}

static int put_in_order(const char *name, int fd)
{
	uint64_t dropped = 0;
	int err = ring_recover(fd, &dropped);

	if (err)
		return failed("%s: putting it in order: %s", name, err != -EBADMSG ?
			      strerror(-err) :
			      "the header event has another BufferSize, or it is over 64 MB");
	if (dropped)
		warn("%s: %" PRIu64 " places held no whole buffer: gone", name, dropped);
	return 0;
}

/* Puts a circular file in order if its writer did not finish */
static int recover(const char *name, bool ours)
{
	int fd = open(name, O_RDWR | O_CLOEXEC), code;

	/* a file without write permission is reported when there is something to write */
	if (fd < 0)
		return refuse_others(name, ours);
	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
		close(fd);
		return failed("%s: it is being written; 'etw stop' closes it", name);
	}
	code = refuse_others(name, ours);
	if (!code)
		code = put_in_order(name, fd);
	close(fd);
	return code;
}

static int close_verb(int argc, char **argv)
{
	bool ours = false;
	struct trace trace;
	int c, code;

	while ((c = next_verb_option(&verb_close, argc, argv)) != -1) {
		if (c != OPTION_OURS)
			return c == OPTION_HELP ? print_help(&verb_close) : EXIT_USAGE;
		ours = true;
	}
	if (argc - optind != 1 || !strcmp(argv[optind], "-"))
		return usage_error(&verb_close, "close: exactly one file is needed");
	if (recover(argv[optind], ours) || trace_open(&trace, argv[optind]))
		return EXIT_FAILED;
	code = close_trace(&trace);
	trace_close(&trace);
	return code;
}

const struct verb verb_close = {
	.name = "close", .summary = "complete the header of a saved stream",
	.help = help, .options = options, .run = close_verb,
};
