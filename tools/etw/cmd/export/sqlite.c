// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export --sqlite: a database of a trace. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "cmd/stat/summary.h"
#include "common/manifest_option.h"
#include "common/unfinished.h"
#include "etw.h"
#include "generated/sqlite_text.h"
#include "libetl/output_file.h"
#include "libetl/text.h"
#include "sqlite.h"

static const char *const tables[SQLITE_TABLES] = {
	[TABLE_META] = "meta", [TABLE_CLOCKS] = "clocks", [TABLE_EVENT_COUNTS] = "event_counts",
	[TABLE_LOSSES] = "losses", [TABLE_PROCESSES] = "processes", [TABLE_THREADS] = "threads",
	[TABLE_IMAGES] = "images", [TABLE_FILES] = "files", [TABLE_DISKS] = "disks",
	[TABLE_SWITCHES] = "switches", [TABLE_READY] = "ready", [TABLE_STATES] = "states",
	[TABLE_CPUS] = "cpus", [TABLE_WAITS] = "waits", [TABLE_SAMPLES] = "samples",
	[TABLE_OFF_CPU] = "off_cpu", [TABLE_STACKS] = "stacks", [TABLE_FRAMES] = "frames",
	[TABLE_DISK] = "disk", [TABLE_INTERRUPTS] = "interrupts", [TABLE_FAULTS] = "faults",
	[TABLE_HARD_FAULTS] = "hard_faults", [TABLE_FILE_IO] = "file_io",
	[TABLE_NETWORK] = "network", [TABLE_SYSCALLS] = "syscalls", [TABLE_EVENTS] = "events",
};

static int make_tables(struct sqlite_export *export)
{
	unsigned int i;

	if (database_run(&export->database, sqlite_tables))
		return -1;
	for (i = 0; i < SQLITE_TABLES; i++)
		if (database_table(&export->database, i, tables[i]))
			return -1;
	return 0;
}

static void put_number(struct sqlite_export *export, const char *name, int64_t value)
{
	database_row(&export->database, TABLE_META);
	database_text(&export->database, name);
	database_number(&export->database, value);
	database_end_row(&export->database);
}

static void put_text(struct sqlite_export *export, const char *name, const char *text)
{
	database_row(&export->database, TABLE_META);
	database_text(&export->database, name);
	database_text(&export->database, text);
	database_end_row(&export->database);
}

/* The names are those of etw stat --json */
static void put_meta(struct sqlite_export *export)
{
	const struct statistics *statistics = export->statistics;
	const struct etl_logfile *log = &export->trace->log;
	char text[SUMMARY_NAME];

	put_text(export, "etw_version", ETW_VERSION);
	put_text(export, "file", export->trace->name);
	summary_name(export->trace, text);
	put_text(export, "session", text);
	text_from_filetime(log->start_time, text, sizeof(text));
	put_text(export, "started", text);
	put_number(export, "started_filetime", log->start_time);
	put_number(export, "boot_filetime", log->boot_time);
	put_number(export, "closed", !!log->end_time);
	put_number(export, "duration_ns", summary_duration(export->trace, statistics));
	put_number(export, "buffers", export->trace->count);
	put_number(export, "buffer_bytes", log->buffer_size);
	put_number(export, "events", statistics->events);
	put_number(export, "events_lost", losses_with(&statistics->losses, log->events_lost));
	put_number(export, "buffers_lost", log->buffers_lost);
	put_number(export, "events_overwritten", losses_overwritten(&statistics->losses));
	put_number(export, "build", log->provider_version);
	put_number(export, "processors", log->number_of_processors);
	put_number(export, "pointer_bits", 8 * log->pointer_size);
	put_text(export, "clock", clock_name(log->clock_type));
	put_number(export, "clock_hz", etl_frequency(log));
}

static void put_counts(struct sqlite_export *export)
{
	const struct event_counts *types = &export->statistics->types;
	size_t i;

	for (i = 0; i < types->nr; i++) {
		database_row(&export->database, TABLE_EVENT_COUNTS);
		database_text(&export->database, types->count[i].name);
		database_number(&export->database, types->count[i].events);
		database_end_row(&export->database);
	}
}

static int write_rows(struct sqlite_export *export)
{
	const struct statistics *statistics = export->statistics;

	if (make_tables(export))
		return -1;
	put_meta(export);
	put_counts(export);
	if (sqlite_events(export) || sqlite_disk(export) || sqlite_interrupts(export) ||
	    sqlite_states(export))
		return -1;
	if (export->switches && (sqlite_waits(export) || sqlite_off_cpu(export)))
		return -1;
	if ((statistics->perf.timer_samples || statistics->perf.counter_samples) &&
	    sqlite_samples(export))
		return -1;
	/* last: the other parts add threads that no record describes */
	return sqlite_names(export) ? -1 : database_run(&export->database, sqlite_views);
}

static int write_trace(const struct trace *trace, const char *output,
		       struct stat_options *options)
{
	static struct statistics statistics;
	struct sqlite_export export = {
		.trace = trace, .statistics = &statistics, .options = options,
	};
	int err;

	err = statistics_collect(&statistics, trace, true, &options->filter) ||
	      database_open(&export.database, output) || write_rows(&export);
	err = database_close(&export.database) || err;
	statistics_free(&statistics);
	return err ? EXIT_FAILED : EXIT_OK;
}

/* What is not whole does not stay */
static int write_file(const struct trace *trace, const char *output, struct stat_options *options)
{
	int fd = output_open(output, O_WRONLY | O_TRUNC, NULL), code;

	if (fd < 0)
		return failed("%s: %s", output, strerror(-fd));
	close(fd);
	unfinished_begin(output);
	code = write_trace(trace, output, options);
	if (code)
		unfinished_remove();
	unfinished_end();
	return code;
}

int export_sqlite(const char *name, const char *output, struct stat_options *options)
{
	struct trace trace;
	int code;

	if (is_same_file(name, output))
		return failed("%s: this is the trace itself", output);
	if (database_library(output) || trace_open(&trace, name))
		return EXIT_FAILED;
	trace_warn(&trace);
	manifest_option_give(&options->infos, &trace);
	code = trace_describe(&trace) ? EXIT_FAILED : write_file(&trace, output, options);
	trace_close(&trace);
	return code;
}
