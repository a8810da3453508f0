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
	"enabled: GUID, registrations, and id, level and flags of each session that enabled them,\n"
	"then keywords that differ from the flags, items that events get, and types of filters.\n"
	"The providers get level and flags of the first session of their GUID.\n\n";

static const struct verb_option options[] = {
	{ .code = OPTION_JSON },
	{ }
};

/**
 * struct bit - a bit of properties or filters, and its name
 */
struct bit {
	uint32_t bit;
	const char *name;
};

static const struct bit properties[] = {
	{ ETW_ENABLE_SID, "sid" }, { ETW_ENABLE_STACK, "stack" },
	{ ETW_ENABLE_IGNORE_KEYWORD_0, "ignore-keyword-0" },
	{ ETW_ENABLE_PROCESS_KEY, "process-key" }, { ETW_ENABLE_CONTAINER_ID, "container-id" }, { }
};

static const struct bit filters[] = {
	{ ETW_FILTER_PID, "pid" }, { ETW_FILTER_EXECUTABLE, "exe" },
	{ ETW_FILTER_EVENT_ID, "event" }, { ETW_FILTER_EVENT_NAME, "event-name" },
	{ ETW_FILTER_STACK, "stack-event" }, { ETW_FILTER_STACK_NAME, "stack-name" },
	{ ETW_FILTER_STACK_LEVEL, "stack-level" }, { }
};

/* All filters have the highest bit */
static bool has_bit(uint32_t bits, const struct bit *bit)
{
	return (bits & bit->bit) == bit->bit;
}

static void print_bits(const char *what, uint32_t bits, const struct bit *bit)
{
	const char *before = "";

	if (bits)
		printf(" %s ", what);
	for (; bits && bit->bit; bit++)
		if (has_bit(bits, bit)) {
			printf("%s%s", before, bit->name);
			before = ",";
		}
}

static json_t *json_bits(uint32_t bits, const struct bit *bit)
{
	json_t *to = json_array();

	for (; bit->bit; bit++)
		if (has_bit(bits, bit))
			json_array_append_new(to, json_string(bit->name));
	return to;
}

static void print_session(const struct etw_provider_info *info)
{
	printf(" session %u level %u flags 0x%x", info->logger_id, info->level,
	       info->enable_flags);
	if (info->match_any != info->enable_flags)
		printf(" keywords 0x%llx", info->match_any);
	if (info->match_all)
		printf(" all-keywords 0x%llx", info->match_all);
	print_bits("properties", info->properties, properties);
	print_bits("filters", info->filters, filters);
}

static void print_text(const struct etw_provider_info *info, uint32_t count)
{
	char guid[GUID_TEXT];
	uint32_t i;

	for (i = 0; i < count; i++) {
		text_from_guid(&info[i].guid, guid);
		printf("%s registered %u", guid, info[i].registrations);
		if (info[i].logger_id)
			print_session(&info[i]);
		putchar('\n');
	}
}

static bool is_next(const struct etw_provider_info *info, uint32_t i)
{
	return !i || !etl_guid_equal(&info[i].guid, &info[i - 1].guid);
}

/*
 * Keywords have 64 bits, more than many readers of JSON take as a number. @first: what the older
 * module does not know is left out.
 */
static json_t *json_session(const struct etw_provider_info *info, bool first)
{
	json_t *to = json_object();

	json_object_set_new(to, "id", json_integer(info->logger_id));
	json_object_set_new(to, "level", json_integer(info->level));
	json_object_set_new(to, "flags", json_integer(info->enable_flags));
	if (first)
		return to;
	json_object_set_new(to, "keywords", json_sprintf("0x%016llx", info->match_any));
	json_object_set_new(to, "all_keywords", json_sprintf("0x%016llx", info->match_all));
	json_object_set_new(to, "properties", json_bits(info->properties, properties));
	json_object_set_new(to, "filters", json_bits(info->filters, filters));
	return to;
}

/* One object a GUID, with the sessions that listen, the newest first */
static void print_json(const struct etw_provider_info *info, uint32_t count, bool first)
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
		if (info[i].logger_id)
			json_array_append_new(sessions, json_session(&info[i], first));
	}
	json_dumpf(all, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(all);
}

static int providers(int argc, char **argv)
{
	struct etw_provider_info *info;
	bool json = false, first;
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
	err = control_try_providers(fd, &info, &count, &first);
	close(fd);
	if (err)
		return failed("providers: %s", err == -ENOTTY ?
			      "the module that is loaded can't do it; it is older than the tool" :
			      strerror(-err));
	if (first)
		warn("providers: the module that is loaded is older than the tool: keywords, properties "
		     "and filters are missing");
	if (json)
		print_json(info, count, first);
	else
		print_text(info, count);
	free(info);
	return EXIT_OK;
}

const struct verb verb_providers = {
	.name = "providers", .summary = "list providers, and the sessions that enabled them",
	.help = help, .options = options, .run = providers,
};
