// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Options for the rights to read, to write, and to see kernel addresses. */
#include <stdlib.h>
#include <string.h>
#include "control/users.h"
#include "session_options.h"

static void say(struct session_options *options, enum etw_item_kind kind)
{
	options->given |= KIND(kind);
	items_say(&options->request.items, kind);
}

/* Without --reader-mode, the named user or group may read. */
int option_owner(struct session_options *options, const char *value)
{
	struct etw_ext_consumer *consumer = &options->request.items.consumer;
	char *user = strdup(value), *group;
	int code = 0;

	say(options, ETW_ITEM_CONSUMER);
	group = strchr(user, ':');
	if (group)
		*group++ = 0;
	consumer->gid = 0;
	if (!user_parse(user, &consumer->uid))
		code = option_error(options, "there is no user '%s'", user);
	else if (group && !group_parse(group, &consumer->gid))
		code = option_error(options, "there is no group '%s'", group);
	if (!options->reader_mode)
		consumer->mode = group ? 0440 : 0400;
	free(user);
	return code;
}

int option_reader_mode(struct session_options *options, const char *value)
{
	char *end;
	unsigned long mode = strtoul(value, &end, 8);

	if (value[0] < '0' || value[0] > '7' || *end || mode & ~0444ul)
		return option_error(options, "mode of the node '%s': octal, of 0444", value);
	say(options, ETW_ITEM_CONSUMER);
	options->request.items.consumer.mode = mode;
	options->reader_mode = true;
	return 0;
}

static int add_ids(struct session_options *options, const char *value, const char *what,
		   bool (*parse)(const char *text, uint32_t *id), uint32_t *ids, uint32_t *count)
{
	char *copy = strdup(value), *part, *rest = copy;
	int code = copy ? 0 : EXIT_FAILED;

	*count = 0;
	while (!code && (part = strsep(&rest, ","))) {
		if (*count == ETW_MAX_PROVIDERS)
			code = option_error(options, "at most %u %ss may write", ETW_MAX_PROVIDERS,
					    what);
		else if (!parse(part, &ids[*count]))
			code = option_error(options, "there is no %s '%s'", what, part);
		else
			(*count)++;
	}
	free(copy);
	return code;
}

int option_allow_user(struct session_options *options, const char *value)
{
	struct etw_items *items = &options->request.items;

	say(options, ETW_ITEM_PROVIDER_UIDS);
	return add_ids(options, value, "user", user_parse, items->provider_uids,
		       &items->nr_provider_uids);
}

int option_allow_group(struct session_options *options, const char *value)
{
	struct etw_items *items = &options->request.items;

	say(options, ETW_ITEM_PROVIDER_GIDS);
	return add_ids(options, value, "group", group_parse, items->provider_gids,
		       &items->nr_provider_gids);
}

static int add_provider(struct session_options *options, const char *name)
{
	struct etw_items *items = &options->request.items;
	bool group = name[0] == '@';
	uint32_t *count = group ? &items->nr_provider_gids : &items->nr_provider_uids;
	uint32_t *ids = group ? items->provider_gids : items->provider_uids;

	if (*count == ETW_MAX_PROVIDERS)
		return option_error(options, "at most %u %ss may write", ETW_MAX_PROVIDERS,
				    group ? "group" : "user");
	if (!(group ? group_parse(name + 1, &ids[*count]) : user_parse(name, &ids[*count])))
		return option_error(options, "there is no %s '%s'", group ? "group" : "user",
				    name + group);
	(*count)++;
	say(options, group ? ETW_ITEM_PROVIDER_GIDS : ETW_ITEM_PROVIDER_UIDS);
	return 0;
}

int option_providers(struct session_options *options, const char *value)
{
	char *copy = strdup(value), *part, *rest = copy;
	int code = copy ? 0 : EXIT_FAILED;

	options->request.items.nr_provider_uids = 0;
	options->request.items.nr_provider_gids = 0;
	while (!code && (part = strsep(&rest, ",")))
		code = add_provider(options, part);
	free(copy);
	return code;
}

int option_no_addresses(struct session_options *options, const char *value)
{
	(void)value;
	options->request.flags |= ETW_START_NO_ADDRESSES;
	return 0;
}
