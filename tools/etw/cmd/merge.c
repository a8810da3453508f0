// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw merge: several files of one machine and boot into one. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/merging_source.h"
#include "common/copy_progress.h"
#include "common/verb_options.h"
#include "etw.h"
#include "merge.h"
#include "common/unfinished.h"

static const char help[] =
	"merge -o OUT FILE FILE...\n\n"
	"Writes the events of several traces into one file, by time: of sessions that ran on\n"
	"one machine without a reboot between, with one kind of clock. The header is that of\n"
	"the first file, with the sums of what was lost. Events stay as they are, all of them;\n"
	"loss records get the id of their session.\n\n";

static const struct verb_option options[] = {
	{ .code = OPTION_OUTPUT, .help = "the file to write" },
	{ }
};

/* Of one boot: two readings of two clocks agree so well, in 100 ns */
#define TOLERANCE	10000000

/**
 * struct input - a file that is read
 * @merge: its records by time
 * @record: the next one; NULL: there are no more
 * @buffer: of @record
 * @source: where in the file that is
 */
struct input {
	struct merge merge;
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merging_source source;
};

static bool near(uint64_t a, uint64_t b)
{
	return a - b < TOLERANCE || b - a < TOLERANCE;
}

static int refuse(const struct trace *first, const struct trace *other, const char *why)
{
	return failed("%s and %s: %s", first->name, other->name, why);
}

/* A time stamp has to mean the same in both. */
static int compare(const struct trace *first, const struct trace *other)
{
	const struct etl_logfile *a = &first->log, *b = &other->log;
	/* of a .nettrace, whose clock does not count while the machine sleeps */
	bool imported = a->timer_resolution == ETL_NO_CPU_TIMES ||
			b->timer_resolution == ETL_NO_CPU_TIMES;

	if (a->pointer_size != b->pointer_size)
		return refuse(first, other, "one is of a 32-bit system, the other is not");
	if (a->clock_type != b->clock_type)
		return refuse(first, other, "their clocks are not of one kind");
	if (etl_frequency(a) != etl_frequency(b))
		return refuse(first, other, "their clocks differ in ticks per second");
	if (!imported && a->timer_resolution != b->timer_resolution)
		return refuse(first, other, "they count CPU time in different units");
	if (!near(etl_filetime(a, b->t0), b->start_time))
		return refuse(first, other, "their clocks did not start together: they are of two "
			      "machines or boots, or the time of day was set between");
	if (!imported && a->boot_time && b->boot_time && !near(a->boot_time, b->boot_time))
		return refuse(first, other, "they are of two machines or boots: BootTime differs");
	return 0;
}

static int check_input(const struct trace *trace)
{
	if (trace->compressed)
		return failed("%s: it is compressed; only what is not can be merged", trace->name);
	if (trace->gaps)
		return failed("%s: it is damaged at 0x%" PRIx64, trace->name, trace->gap_at);
	if (trace->torn && !trace_breaks_off(trace))
		return failed("%s: it is damaged at 0x%" PRIx64, trace->name, trace->end);
	trace_warn(trace);
	return 0;
}

static void next(struct input *input)
{
	if (!merge_next(&input->merge, &input->record, &input->buffer))
		input->record = NULL;
}

/* Few files: no heap. What has the same time stays in the order of the files. */
static struct input *oldest(struct input *inputs, int count)
{
	struct input *found = NULL;
	int64_t later = 0;
	int i;

	for (i = 0; i < count; i++) {
		if (found && inputs[i].record)
			later = merge_time(&inputs[i].merge) - merge_time(&found->merge);
		if (inputs[i].record && (!found || later < 0))
			found = &inputs[i];
	}
	return found;
}

static int take(struct merging *merging, struct input *input)
{
	if (merging_source_take(&input->source, merging, input->buffer,
				merge_time(&input->merge)))
		return -1;
	return merging_add(merging, input->buffer, input->record);
}

static int take_all(struct merging *merging, struct input *inputs, int count)
{
	struct input *input;
	uint64_t all = 0;
	int i, err = 0;

	for (i = 0; i < count; i++) {
		all += inputs[i].merge.trace->count;
		next(&inputs[i]);
	}
	while (!err && (input = oldest(inputs, count))) {
		/* the first file's header buffer becomes that of the output as a whole */
		if (input != inputs || input->buffer->at)
			err = take(merging, input);
		merging_progress(merging, all, false);
		next(input);
	}
	merging_progress(merging, all, true);
	return err;
}

static int copy_records(struct merging *merging, struct input *inputs, int count)
{
	int i;

	if (take_all(merging, inputs, count))
		return -1;
	for (i = 0; i < count; i++) {
		merging_source_finish(&inputs[i].source, merging);
		merge_warn(&inputs[i].merge);
		if (inputs[i].merge.broken) {
			failed("%s: it is damaged", inputs[i].merge.trace->name);
			return -1;
		}
	}
	return 0;
}

static int write_merged(struct merging *merging, struct trace *traces, struct input *inputs,
			int count)
{
	int i, opened = 0, err = 0;

	merging->last = traces[0].log.t0;
	for (i = 0; !err && i < count; i++) {
		err = merging_source_begin(&inputs[i].source, &traces[i]);
		if (!err) {
			merging_source_pack(&inputs[i].source);
			err = merge_begin(&inputs[i].merge, &traces[i], false);
		}
		opened += !err;
	}
	if (!err)
		err = copy_records(merging, inputs, count);
	if (!err)
		err = merging_finish(merging, traces, count);
	for (i = 0; i < opened; i++)
		merge_end(&inputs[i].merge);
	for (i = 0; i < count; i++)
		merging_source_end(&inputs[i].source);
	return err;
}

static int merge_traces(struct trace *traces, int count, const char *output, bool quiet)
{
	struct input *inputs;
	struct merging merging;
	uint32_t size = merging_size(traces, count);
	int i, err;

	for (i = 0; i < count; i++)
		if (check_input(&traces[i]) || (i && compare(&traces[0], &traces[i])))
			return EXIT_FAILED;
	inputs = calloc(count, sizeof(*inputs));
	if (!inputs)
		return failed("%s", strerror(ENOMEM));
	unfinished_hold();
	err = merging_open(&merging, output, size, traces[0].buffers[0].header.logger_id);
	unfinished_begin(err ? NULL : output);
	if (!err) {
		err = write_merged(&merging, traces, inputs, count);
		err |= merging_close(&merging, err);
	}
	unfinished_end();
	free(inputs);
	if (err)
		return EXIT_FAILED;
	if (!quiet)
		printf("%s: %" PRIu64 " buffers of %u bytes\n", output, merging.buffers, size);
	return EXIT_OK;
}

int merge_files(int count, char **names, const char *output, bool quiet)
{
	struct trace *traces = calloc(count, sizeof(*traces));
	int i, code = EXIT_OK;

	if (!traces)
		return failed("%s", strerror(ENOMEM));
	for (i = 0; i < count; i++) {
		code = is_same_file(names[i], output) ?
			failed("%s: this is one of the files to read", output) :
			trace_open(&traces[i], names[i]) ? EXIT_FAILED : EXIT_OK;
		if (code)
			break;
	}
	if (!code)
		code = merge_traces(traces, count, output, quiet);
	while (i-- > 0)
		trace_close(&traces[i]);
	free(traces);
	return code;
}

static int merge_verb(int argc, char **argv)
{
	const char *output = NULL;
	int c;

	while ((c = next_verb_option(&verb_merge, argc, argv)) != -1) {
		if (c == OPTION_HELP)
			return print_help(&verb_merge);
		if (c != OPTION_OUTPUT)
			return EXIT_USAGE;
		output = optarg;
	}
	if (!output)
		return usage_error(&verb_merge, "merge: missing -o FILE");
	if (!strcmp(output, "-"))
		return usage_error(&verb_merge, "merge: -o needs a file, not standard output");
	if (argc - optind < 2)
		return usage_error(&verb_merge, "merge: at least two files are needed");
	return merge_files(argc - optind, argv + optind, output, false);
}

const struct verb verb_merge = {
	.name = "merge", .summary = "write several files into one, by time",
	.help = help, .options = options, .run = merge_verb,
};
