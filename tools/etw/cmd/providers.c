// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw providers: registered providers, and the sessions that enabled them. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "libetl/reader.h"
#include "libetl/text.h"
#include "control/control_calls.h"
#include "common/verb_options.h"
#include "etw.h"

static const char help[] =
	"providers [--json]\n\n"
	"Lists the control GUIDs that programs and modules have registered or that sessions have\n"
	"enabled: GUID, registrations, and id, level and flags of each session that enabled them.\n"
	"The providers get level and flags of the first session of their GUID.\n\n";

static const struct verb_option options[] = {
	{ .code = OPTION_JSON },
	{ }
};

static void print_text(const struct etw_provider_info *info, uint32_t count)
{
	char guid[GUID_TEXT];
	uint32_t i;

	for (i = 0; i < count; i++) {
		text_from_guid(&info[i].guid, guid);
		printf("%s registered %u", guid, info[i].registrations);
		if (info[i].logger_id)
			printf(" session %u level %u flags 0x%x", info[i].logger_id,
			       info[i].level, info[i].enable_flags);
		putchar('\n');
	}
}

static bool is_next(const struct etw_provider_info *info, uint32_t i)
{
	return !i || !etl_guid_equal(&info[i].guid, &info[i - 1].guid);
}

/* One object a GUID, with the sessions that listen, the newest first */
static void print_json(const struct etw_provider_info *info, uint32_t count)
{
	json_t *all = json_array(), *sessions = NULL, *to;
	char guid[GUID_TEXT];
	uint32_t i;

	for (i = 0; i < count; i++) {
		if (is_next(info, i)) {
			text_from_guid(&info[i].guid, guid);
			sessions = json_array();
			to = json_object();
			json_object_set_new(to, "guid", json_string(guid));
			json_object_set_new(to, "registrations",
					    json_integer(info[i].registrations));
			json_object_set_new(to, "sessions", sessions);
			json_array_append_new(all, to);
		}
		if (!info[i].logger_id)
			continue;
		to = json_object();
		json_object_set_new(to, "id", json_integer(info[i].logger_id));
		json_object_set_new(to, "level", json_integer(info[i].level));
		json_object_set_new(to, "flags", json_integer(info[i].enable_flags));
		json_array_append_new(sessions, to);
	}
	json_dumpf(all, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(all);
}

static int providers(int argc, char **argv)
{
	struct etw_provider_info *info;
	bool json = false;
	uint32_t count;
	int c, fd, err;

	while ((c = next_verb_option(&verb_providers, argc, argv)) != -1) {
		if (c == '?')
			return EXIT_USAGE;
		if (c == OPTION_HELP)
			return print_help(&verb_providers);
		json = true;
	}
	if (argc != optind)
		return usage_error(&verb_providers, "providers: no argument is needed");
	fd = control_open();
	if (fd < 0)
		return EXIT_FAILED;
	err = control_try_providers(fd, &info, &count);
	close(fd);
	if (err)
		return failed("providers: %s", err == -ENOTTY ?
			      "the module that is loaded can't do it; it is older than the tool" :
			      strerror(-err));
	if (json)
		print_json(info, count);
	else
		print_text(info, count);
	free(info);
	return EXIT_OK;
}

const struct verb verb_providers = {
	.name = "providers", .summary = "list providers, and the sessions that enabled them",
	.help = help, .options = options, .run = providers,
};
