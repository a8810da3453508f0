// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw list: the sessions, or the events that can be asked for. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "control/control_calls.h"
#include "control/counter.h"
#include "control/group_masks.h"
#include "control/hooks.h"
#include "common/verb_options.h"
#include "etw.h"
#include "list.h"
#include "options/session_options.h"

static const char help[] =
	"list [--json] | list [--json] counters | list events|groups|hooks|profiles\n"
	"       etw list events [--fields] [--json] GLOB\n\n"
	"Lists the sessions: id, state, events lost, name. Or what options take: events for -e,\n"
	"groups of them as xperf knows them, hooks for --hook and --stackwalk, profiles for -p,\n"
	"counters for -c, --sample and --pebs: name, whether this machine counts it, where the\n"
	"name is from (perf, Windows, a PMU of this machine, libpfm4), the event. Counters that\n"
	"this machine counts come first. With a GLOB: the events of Linux that match, as -e takes\n"
	"them, by SYSTEM:NAME, SYSTEM or NAME; '*:*': all.\n\n";

static const struct verb_option options[] = {
	{ 'F', 'F', "fields", NULL, "events of a GLOB with their fields" },
	{ .code = OPTION_JSON, .help = "sessions, counters or events of a GLOB as JSON" },
	{ }
};

static void list_session(int fd, uint32_t id, json_t *all)
{
	static struct session_information session;
	struct etw_statistics statistics;
	const char *state;
	json_t *entry;

	/* It may have ended since it was listed. */
	if (control_try_query(fd, id, &session) ||
	    control_try_statistics(fd, id, ETW_ALL_PROCESSORS, &statistics))
		return;
	state = statistics.state == ETW_SESSION_RUNNING ? "running" : "stopped";
	if (!all) {
		printf("%2u %s %u lost %s\n", id, state, session.info.events_lost, session.name);
		return;
	}
	entry = json_object();
	json_object_set_new(entry, "id", json_integer(id));
	json_object_set_new(entry, "name", json_string(session.name));
	json_object_set_new(entry, "state", json_string(state));
	json_object_set_new(entry, "events_lost", json_integer(session.info.events_lost));
	json_array_append_new(all, entry);
}

static int list_sessions(bool json)
{
	json_t *all = json ? json_array() : NULL;
	int fd = control_open();
	uint64_t loggers;
	uint32_t id;
	int code = EXIT_FAILED;

	if (fd >= 0 && !control_list(fd, &loggers)) {
		for (id = 1; id <= ETW_MAX_LOGGERS; id++)
			if (loggers >> (id - 1) & 1)
				list_session(fd, id, all);
		if (json) {
			json_dumpf(all, stdout, JSON_INDENT(2));
			putchar('\n');
		}
		code = EXIT_OK;
	}
	if (fd >= 0)
		close(fd);
	json_decref(all);
	return code;
}

static const struct {
	const char *name;
	void (*list)(void);
} names[] = {
	{ "events", events_list }, { "groups", event_groups_list },
	{ "hooks", hook_names_list }, { "profiles", profiles_list },
};

static int list(int argc, char **argv)
{
	bool json = false, fields = false;
	size_t i;
	int c;

	while ((c = next_verb_option(&verb_list, argc, argv)) != -1) {
		if (c == '?')
			return EXIT_USAGE;
		if (c == OPTION_HELP)
			return print_help(&verb_list);
		if (c == 'F')
			fields = true;
		else
			json = true;
	}
	if (argc - optind == 2 && !strcmp(argv[optind], "events"))
		return linux_events_list(argv[optind + 1], fields, json);
	if (fields)
		return usage_error(&verb_list, "list: --fields: of events only "
				   "(etw list events --fields GLOB)");
	if (optind == argc)
		return list_sessions(json);
	if (argc - optind == 1 && !strcmp(argv[optind], "counters"))
		return counters_list(json);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (argc - optind != 1 || strcmp(argv[optind], names[i].name))
			continue;
		if (json)
			return usage_error(&verb_list,
					   "list: --json: of sessions and counters, or of events "
					   "of a GLOB, only");
		names[i].list();
		return EXIT_OK;
	}
	if (argc - optind > 1)
		return usage_error(&verb_list, "list: a second argument: of events only (etw list "
				   "events GLOB)");
	return usage_error(&verb_list, "list: there is no list '%s' (events [GLOB], groups, hooks, "
			   "counters or profiles; without a word: sessions)", argv[optind]);
}

const struct verb verb_list = {
	.name = "list", .summary = "list sessions, or events",
	.help = help, .options = options, .run = list,
};
