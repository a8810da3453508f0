// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw status: all numbers of a session. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "libetl/event_names.h"
#include "common/verb_options.h"
#include "etw.h"
#include "common/failure_note.h"
#include "status.h"

/* Of etw_statistics.reach: an hour, and a second */
#define REACH_PER_HOUR	36000000000.0
#define REACH_LEAST	10000000

static const char help[] =
	"status [--json] [--cpu] [NAME|ID]\n\n"
	"Shows the settings and the numbers of a session, or of all.\n\n";

static const struct verb_option options[] = {
	{ 'c', 0, "cpu", NULL, "the numbers of every processor too" },
	{ .code = OPTION_JSON },
	{ }
};

const char *status_state(const struct status *status)
{
	return status->statistics.state == ETW_SESSION_RUNNING ? "running" :
	       status->statistics.state == ETW_SESSION_STOPPED ? "stopped" : "unknown";
}

const char *status_mode(const struct status *status)
{
	uint32_t mode = status->session.info.log_file_mode;

	if (mode & EVENT_TRACE_BUFFERING_MODE)
		return "buffering";
	if (mode & EVENT_TRACE_FILE_MODE_CIRCULAR)
		return "circular";
	if (mode & EVENT_TRACE_FILE_MODE_NEWFILE)
		return "newfile";
	return mode & EVENT_TRACE_REAL_TIME_MODE ? "realtime" : "sequential";
}

/* An item says it in ms, and goes before what the block says. */
uint64_t status_flush_ms(const struct status *status)
{
	const struct wmi_logger_information *info = &status->session.info;
	const struct etw_items *items = &status->session.items;

	if (etw_items_have(items, ETW_ITEM_BUFFER_SETTINGS) && items->buffers.flush_timer)
		return items->buffers.flush_timer;
	return info->flush_timer *
	       (info->log_file_mode & EVENT_TRACE_USE_MS_FLUSH_TIMER ? 1ULL : 1000ULL);
}

/*
 * All its memory reaches back that far; before anything was overwritten, only the buffers that are
 * used do. A buffer that is being filled counts as a whole one.
 */
uint64_t status_hour_bytes(const struct status *status)
{
	const struct etw_statistics *n = &status->statistics;
	uint64_t used = n->buffers > n->buffers_free ? n->buffers - n->buffers_free : 0;

	if (n->reach < REACH_LEAST || !(status->session.info.log_file_mode & EVENT_TRACE_BUFFERING_MODE))
		return 0;
	return (double)used * n->buffer_size * REACH_PER_HOUR / n->reach;
}

void status_cause(unsigned int cause, char *to, size_t room)
{
	const char *name = loss_cause_name(cause);

	if (name)
		snprintf(to, room, "%s", name);
	else
		snprintf(to, room, "cause %u", cause);
}

/* @all: NULL: as text */
static int show_session(struct status *status, json_t *all)
{
	if (control_query(status->fd, status->id, &status->session) ||
	    control_statistics(status->fd, status->id, ETW_ALL_PROCESSORS, &status->statistics))
		return EXIT_FAILED;
	if (control_try_counting(status->fd, status->id, ETW_ALL_PROCESSORS, &status->counting))
		memset(&status->counting, 0, sizeof(status->counting));
	if (all)
		json_array_append_new(all, status_json(status));
	else
		status_print(status);
	return EXIT_OK;
}

static int show_all(struct status *status, const char *name, bool json)
{
	json_t *all = json ? json_array() : NULL;
	uint64_t loggers = 0;
	uint32_t id;
	int code = EXIT_OK;

	if (name) {
		if (control_find(status->fd, "status", name, &id))
			code = EXIT_FAILED;
		else
			loggers = 1ULL << (id - 1);
	} else if (control_list(status->fd, &loggers)) {
		code = EXIT_FAILED;
	}
	for (id = 1; id <= ETW_MAX_LOGGERS; id++) {
		status->id = id;
		if (loggers >> (id - 1) & 1)
			code |= show_session(status, all);
	}
	if (!json && !name && !code)
		failure_notes_print();
	if (json && !code) {
		json_dumpf(all, stdout, JSON_INDENT(2));
		putchar('\n');
	}
	json_decref(all);
	return code;
}

static int run_status(int argc, char **argv)
{
	static struct status status;
	bool json = false;
	int c, code;

	while ((c = next_verb_option(&verb_status, argc, argv)) != -1) {
		if (c == '?')
			return EXIT_USAGE;
		if (c == OPTION_HELP)
			return print_help(&verb_status);
		if (c == OPTION_JSON)
			json = true;
		else
			status.cpus = true;
	}
	if (argc - optind > 1)
		return usage_error(&verb_status, "status: at most one session");
	status.fd = control_open();
	if (status.fd < 0)
		return EXIT_FAILED;
	code = show_all(&status, argv[optind], json);
	close(status.fd);
	return code;
}

const struct verb verb_status = {
	.name = "status", .summary = "show the numbers of sessions",
	.help = help, .options = options, .run = run_status,
};
