// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw update: events, filters, flushing and the maximum of buffers of a running session. */
#include <getopt.h>
#include <string.h>
#include <unistd.h>
#include "control/group_masks.h"
#include "options/session_options.h"
#include "options/spelling.h"
#include "probes/probe_guard.h"

static const char help[] =
	"update NAME|ID [options]\n\n"
	"Changes settings of a running session; all other settings stay.\n\n";

static void print_options(void)
{
	session_options_help(FOR_UPDATE);
}

static void copy_kind(struct etw_items *to, const struct etw_items *from, enum etw_item_kind kind)
{
	switch (kind) {
	case ETW_ITEM_PIDS:
		to->nr_pids = from->nr_pids;
		memcpy(to->pids, from->pids, sizeof(to->pids));
		break;
	case ETW_ITEM_STACKWALK_FILTER:
		to->nr_stackwalk = from->nr_stackwalk;
		memcpy(to->stackwalk, from->stackwalk, sizeof(to->stackwalk));
		break;
	case ETW_ITEM_POOLTAG_FILTER:
		to->nr_pool_tags = from->nr_pool_tags;
		memcpy(to->pool_tags, from->pool_tags, sizeof(to->pool_tags));
		break;
	case ETW_ITEM_STACK_CACHING:
		to->caching = from->caching;
		break;
	case ETW_ITEM_HOOK_FILTER:
		to->nr_hooks = from->nr_hooks;
		memcpy(to->hooks, from->hooks, sizeof(to->hooks));
		break;
	default:
		break;
	}
	to->present &= ~KIND(kind);
	to->present |= from->present & KIND(kind);
}

/* Its bits are options of their own: those that were not said stay. */
static void merge_filters(struct etw_items *items, const struct session_options *options)
{
	const struct etw_items *said = &options->request.items;

	if (!etw_items_have(items, ETW_ITEM_FILTER_OPTIONS))
		items->filter_options = 0;
	items->filter_options &= ~options->filters;
	items->filter_options |= said->filter_options & options->filters;
	items->present &= ~KIND(ETW_ITEM_FILTER_OPTIONS);
	if (items->filter_options)
		items_say(items, ETW_ITEM_FILTER_OPTIONS);
}

/* Seconds or ms is part of the mode, which is fixed: an item has ms always. */
static void set_timer(struct wmi_logger_information *info, struct etw_items *items,
		      uint32_t flush_ms)
{
	bool ms = info->log_file_mode & EVENT_TRACE_USE_MS_FLUSH_TIMER;

	if (etw_items_have(items, ETW_ITEM_BUFFER_SETTINGS))
		items->buffers.flush_timer = 0;
	if (ms || flush_ms % 1000 == 0) {
		info->flush_timer = ms ? flush_ms : flush_ms / 1000;
		return;
	}
	if (!etw_items_have(items, ETW_ITEM_BUFFER_SETTINGS))
		memset(&items->buffers, 0, sizeof(items->buffers));
	items_say(items, ETW_ITEM_BUFFER_SETTINGS);
	items->buffers.flush_timer = flush_ms;
}

static void set_maximum(struct wmi_logger_information *info, struct etw_items *items,
			uint32_t maximum)
{
	info->maximum_buffers = maximum;
	if (etw_items_have(items, ETW_ITEM_BUFFER_SETTINGS))
		items->buffers.maximum_buffers = 0;
}

/*
 * The block as QUERY gave it, with what the options say: the old extension is
 * cut off, or left where it is when names follow it; nothing points at it then.
 */
static int change(struct session_information *session, const struct session_options *options)
{
	struct wmi_logger_information *info = &session->block.info;
	struct etw_items *items = &session->items;
	struct trace_enable_flag_extension extension;
	enum etw_item_kind kind;
	int code;

	for (kind = 0; kind < ETW_ITEM_KINDS; kind++)
		if (options->given & KIND(kind) & ~KIND(ETW_ITEM_FILTER_OPTIONS))
			copy_kind(items, &options->request.items, kind);
	merge_filters(items, options);
	if (options->events)
		session->masks = options->request.masks;
	code = counting_intervals(options, items, &session->masks);
	if (code)
		return code;
	if (options->timer)
		set_timer(info, items, options->flush_ms);
	if (options->maximum)
		set_maximum(info, items, options->request.maximum_buffers);
	memcpy(&extension, &info->enable_flags, sizeof(extension));
	if ((extension.flag & ETW_EXT_FLAG) &&
	    extension.offset >= info->logger_name.buffer + info->logger_name.length &&
	    extension.offset >= info->log_file_name.buffer + info->log_file_name.length)
		session->block.size = extension.offset;
	block_put_events(&session->block, &session->masks, items, options->request.linux_events);
	return 0;
}

static int send_update(const struct session_options *options, const char *name)
{
	static struct session_information session;
	int fd = control_open(), code = EXIT_FAILED;
	uint32_t id;

	if (fd < 0)
		return EXIT_FAILED;
	if (!control_find(fd, "update", name, &id) && !control_query(fd, id, &session)) {
		code = change(&session, options);
		if (code)
			;
		else if (options->dry_run)
			code = dry_run(&session.block, 0);
		else if (control_update(fd, id, &session.block))
			code = EXIT_FAILED;
		else if (options->given & KIND(ETW_ITEM_PIDS))
			filter_check("update", &session.items);
	}
	close(fd);
	return code;
}

static int update(int argc, char **argv)
{
	struct session_options options = { .verb = &verb_update, .for_verb = FOR_UPDATE };
	int code;

	argv = spelling_of_verb(&argc, argv, FOR_UPDATE);
	code = session_options_parse(&options, argc, argv);
	if (code)
		return code < 0 ? print_help(&verb_update) : code;
	if (argc - optind != 1)
		return usage_error(&verb_update, "update: exactly one session is needed");
	code = send_update(&options, argv[optind]);
	/* the session may have let go of older probes */
	if (!code && !options.dry_run) {
		probes_leave(false);
		probes_sweep();
	}
	return code;
}

const struct verb verb_update = {
	.name = "update", .summary = "change what a running session records", .help = help,
	.run = update, .print_options = print_options,
};
