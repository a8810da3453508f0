// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw status: the providers that a session listens to. */
#include <stdio.h>
#include <stdlib.h>
#include "libetl/text.h"
#include "status.h"

/* Calls @put for each of the session's; a module before this call has none. */
static void each(const struct status *status, void *to,
		 void (*put)(void *to, const struct etw_provider_info *info, const char *guid))
{
	struct etw_provider_info *info;
	char guid[GUID_TEXT];
	uint32_t i, count;
	bool first;

	if (control_try_providers(status->fd, &info, &count, &first))
		return;
	for (i = 0; i < count; i++) {
		if (info[i].logger_id != status->id)
			continue;
		text_from_guid(&info[i].guid, guid);
		put(to, &info[i], guid);
	}
	free(info);
}

static void print(void *to, const struct etw_provider_info *info, const char *guid)
{
	fprintf(to, "  provider %s: level %u, flags 0x%x, registered %u\n", guid, info->level,
		info->enable_flags, info->registrations);
}

void status_providers_print(const struct status *status)
{
	each(status, stdout, print);
}

static void append(void *to, const struct etw_provider_info *info, const char *guid)
{
	json_t *one = json_object();

	json_object_set_new(one, "guid", json_string(guid));
	json_object_set_new(one, "level", json_integer(info->level));
	json_object_set_new(one, "flags", json_integer(info->enable_flags));
	json_object_set_new(one, "registrations", json_integer(info->registrations));
	json_array_append_new(to, one);
}

void status_providers_json(json_t *to, const struct status *status)
{
	json_t *providers = json_array();

	each(status, providers, append);
	json_object_set_new(to, "providers", providers);
}
