// SPDX-License-Identifier: GPL-2.0
/* etw close: completes the header of a saved stream. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include "../libetl/final_header.h"
#include "../libetl/losses.h"
#include "../libetl/ring_file.h"
#include "../libetl/trace.h"
#include "etw.h"
#include "etw_abi.h"

static const char help[] =
	"close FILE\n\n"
	"Closes the saved stream of a running session, or what is left of one: sets EndTime,\n"
	"BuffersWritten, EventsLost and the last buffer's marker from what the file holds. A\n"
	"torn last buffer is cut off; a circular file is put in order. A closed file stays as\n"
	"it is.\n\n"
	"  -h, --help   this text\n";

static const struct option options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ }
};

static void add_losses(const struct trace *trace, struct final_header *final)
{
	static struct losses losses;
	struct etl_record record;
	struct etw_loss loss;
	uint64_t lost;
	uint32_t at;
	size_t i;

	for (i = 0; i < trace->count; i++)
		for (at = ETL_FIRST_RECORD;
		     etl_record_at(&trace->buffers[i], at, &record) == ETL_RECORD_OK;
		     at = etl_next_record(&record))
			if (loss_of(&record, &loss))
				losses_add(&losses, &loss);
	lost = losses_sum(&losses);
	if (lost > final->events_lost)
		final->events_lost = lost > UINT32_MAX ? UINT32_MAX : lost;
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

	if (trace->log.pointer_size != 8)
		return failed("%s: a trace of a 32-bit system; only our own can be closed",
			      trace->name);
	if (is_closed(trace)) {
		printf("%s: already closed\n", trace->name);
		return EXIT_OK;
	}
	add_losses(trace, &final);
	if (patch(trace, &final))
		return EXIT_FAILED;
	printf("%s: closed, %zu buffers, %u events lost\n", trace->name, trace->count,
	       final.events_lost);
	return EXIT_OK;
}

/* A circular file whose writer did not come to its end */
static int recover(const char *name)
{
	int fd = open(name, O_RDWR | O_CLOEXEC);
	int err;

	/* who can't write it will be told when there is something to write */
	if (fd < 0)
		return 0;
	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
		close(fd);
		return failed("%s: it is being written; 'etw stop' closes it", name);
	}
	err = ring_recover(fd);
	close(fd);
	return err ? failed("%s: putting it in order: %s", name, strerror(-err)) : 0;
}

static int close_verb(int argc, char **argv)
{
	struct trace trace;
	int c, code;

	while ((c = next_option(&verb_close, argc, argv, ":h", options)) != -1)
		return c == 'h' ? print_help(&verb_close) : EXIT_USAGE;
	if (argc - optind != 1 || !strcmp(argv[optind], "-"))
		return usage_error(&verb_close, "close: exactly one file is needed");
	if (recover(argv[optind]) || trace_open(&trace, argv[optind]))
		return EXIT_FAILED;
	code = close_trace(&trace);
	trace_close(&trace);
	return code;
}

const struct verb verb_close = {
	.name = "close", .summary = "complete the header of a saved stream",
	.help = help, .run = close_verb,
};
