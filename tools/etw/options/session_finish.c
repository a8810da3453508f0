// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Defaults and conflicts that depend on all options of a session. */
#include <string.h>
#include "config/config.h"
#include "libetl/text.h"
#include "control/group_masks.h"
#include "session_options.h"

/* Exactly one %d, where the number of the file goes, and no other % */
static bool is_pattern(const char *name)
{
	const char *percent = strchr(name, '%');

	return percent && percent[1] == 'd' && !strchr(percent + 1, '%');
}

static void choose_target(struct session_options *options)
{
	if (options->target)
		return;
	if (options->flight)
		options->target = EVENT_TRACE_BUFFERING_MODE;
	else if (options->request.maximum_file_mb ||
		 (options->file && options->for_verb == FOR_START))
		options->target = EVENT_TRACE_FILE_MODE_SEQUENTIAL;
	else
		options->target = EVENT_TRACE_REAL_TIME_MODE;
}

static int check_file(const struct session_options *options)
{
	bool newfile = options->target == EVENT_TRACE_FILE_MODE_NEWFILE;

	if (!newfile && options->target != EVENT_TRACE_FILE_MODE_CIRCULAR)
		return 0;
	if (!options->request.maximum_file_mb)
		return option_error(options, "this mode needs a size: --max-file");
	if (!options->file)
		return option_error(options, "this mode needs a file: -f");
	/* the newest overwrites the oldest, and at the end all is put in order */
	if (!newfile && !strcmp(options->file, "-"))
		return option_error(options, "this mode needs a file: not standard output");
	if (newfile && !is_pattern(options->file))
		return option_error(options, "file '%s': mode newfile needs one %%d in the name",
				    options->file);
	return 0;
}

/* A block would hold a part of it: another name, or none of the files that there will be */
static int check_name(const struct session_options *options, const char *what, const char *name,
		      uint32_t limit)
{
	uint16_t units[ETW_MAX_LOG_FILE_NAME + 2];

	if (!name || text_to_utf16(name, units, limit + 1) <= limit)
		return 0;
	return option_error(options, "%s has more than %u characters", what, limit);
}

static int check_names(const struct session_options *options)
{
	int code = check_name(options, "the session's name", options->request.name,
			      ETW_MAX_LOGGER_NAME);

	return code ? code : check_name(options, "the file's path", options->file,
					ETW_MAX_LOG_FILE_NAME);
}

static int apply_flight(struct session_options *options)
{
	struct start_request *request = &options->request;
	uint32_t kb = request->buffer_kb ? request->buffer_kb : ETW_DEFAULT_BUFFER_KB;
	uint64_t buffers = options->flight / (kb * 1024);

	if (!options->flight)
		return 0;
	if (options->target != EVENT_TRACE_BUFFERING_MODE)
		return option_error(options, "--flight: the mode must be buffering");
	if (options->maximum || request->minimum_buffers)
		return option_error(options,
				    "--flight and the number of buffers are mutually exclusive");
	if (!buffers || buffers > UINT32_MAX)
		return option_error(options, "--flight: the size is less than a buffer of %u KB or "
				    "too large (a size like 64M)", kb);
	request->maximum_buffers = buffers;
	return 0;
}

static int check_filters(const struct session_options *options)
{
	const struct etw_items *items = &options->request.items;

	if ((items->filter_options & ETW_FILTER_CHILDREN) &&
	    !etw_items_have(items, ETW_ITEM_PIDS))
		return option_error(options, "--children needs --pid PID,...");
	if (options->request.maximum_buffers &&
	    options->request.minimum_buffers > options->request.maximum_buffers)
		return option_error(options, "the minimum of %u buffers is above the maximum of %u",
				    options->request.minimum_buffers,
				    options->request.maximum_buffers);
	return 0;
}

int session_options_finish(struct session_options *options)
{
	struct start_request *request = &options->request;
	int code;

	choose_target(options);
	code = check_names(options);
	if (!code)
		code = check_file(options);
	if (!code)
		code = apply_flight(options);
	if (!code)
		code = check_filters(options);
	if (code)
		return code;
	if (!options->timer)
		options->flush_ms = 1000;
	request->mode = options->target | options->sequence |
			(providers_only(options) ? 0 : EVENT_TRACE_SYSTEM_LOGGER_MODE) |
			(options->timer_in_ms ? EVENT_TRACE_USE_MS_FLUSH_TIMER : 0);
	request->flush_timer = options->flush_ms / (options->timer_in_ms ? 1 : 1000);
	if (!request->clock)
		request->clock = ETW_CLOCK_QPC;
	/* events of Linux need the names of processes, and no others that were not asked for */
	if (!options->events && !providers_only(options))
		events_parse(verb_word(), request->linux_events ? "PROC_THREAD" :
			     "PROC_THREAD+CSWITCH+DISPATCHER", &request->masks);
	providers_finish(options);
	code = counting_finish(options);
	if (code)
		return code;
	request->file = options->file;
	/* What stays in memory has no file, says the module as Windows does. */
	if (options->target == EVENT_TRACE_BUFFERING_MODE ||
	    (options->file && !strcmp(options->file, "-")))
		request->file = NULL;
	return 0;
}
