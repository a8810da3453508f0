// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Names in tracefs of the probes that etw makes, and of the providers that their events get. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "probe_group.h"

#define PREFIX	"etw_"

static const char *const words[PROBE_KINDS] = {
	[PROBE_KERNEL] = "kprobes", [PROBE_USER] = "uprobes", [PROBE_USDT] = "usdt",
};

void probe_group_name(const struct probe_group *group, char to[PROBE_GROUP_NAME])
{
	int used = snprintf(to, PROBE_GROUP_NAME, PREFIX "%s_%" PRIu32 "_%" PRIx64,
			    words[group->kind], group->pid, group->start);

	if (group->kind == PROBE_USDT)
		snprintf(to + used, PROBE_GROUP_NAME - used, "_%s", group->provider);
}

/* Digits that end with an underscore or the end. Return: behind the underscore; NULL: none */
static const char *take_number(const char *at, int base, uint64_t *number)
{
	static const char digits[] = "0123456789abcdef";
	char *end;

	*number = strtoull(at, &end, base);
	if (end == at || !memchr(digits, *at, base) || (*end && *end != '_'))
		return NULL;
	return *end ? end + 1 : end;
}

bool probe_group_parse(const char *name, struct probe_group *group)
{
	const char *at = name + strlen(PREFIX);
	uint64_t pid;
	size_t length = 0;

	if (strncmp(name, PREFIX, strlen(PREFIX)))
		return false;
	*group = (struct probe_group){ };
	for (; group->kind < PROBE_KINDS; group->kind++) {
		length = strlen(words[group->kind]);
		if (!strncmp(at, words[group->kind], length) && at[length] == '_')
			break;
	}
	if (group->kind == PROBE_KINDS)
		return false;
	at = take_number(at + length + 1, 10, &pid);
	if (!at || !pid || pid > INT32_MAX)
		return false;
	group->pid = pid;
	at = take_number(at, 16, &group->start);
	if (!at || !*at != (group->kind != PROBE_USDT))
		return false;
	snprintf(group->provider, sizeof(group->provider), "%s", at);
	return true;
}

void probe_group_provider(const struct probe_group *group, const char *event, char *to,
			  size_t room)
{
	snprintf(to, room, "Linux.%s.%s", words[group->kind],
		 group->kind == PROBE_USDT ? group->provider : event);
}

void probe_group_label(const struct probe_group *group, const char *event, char *to, size_t room)
{
	const bool usdt = group->kind == PROBE_USDT;

	snprintf(to, room, "%s:%s%s%s", words[group->kind], group->provider, usdt ? ":" : "",
		 event);
}
