// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Which event of Linux a record is: those that reports need, found by name once. */
#include <string.h>
#include "linux_kind.h"

void linux_kinds_begin(struct linux_kinds *kinds, const char *const *names, unsigned int count)
{
	*kinds = (struct linux_kinds){
		.names = names, .count = count, .kinds.size = sizeof(uint8_t),
	};
}

static bool matches(const char *name, const char *event)
{
	const char *star = strchr(name, '*');

	return star ? !strncmp(name, event, star - name) : !strcmp(name, event);
}

/* Return: index in @names, or @count */
static unsigned int find(const struct linux_kinds *kinds, const struct etl_record *record)
{
	char event[EVENT_NAME];
	unsigned int i;

	event_name(record, event, sizeof(event));
	for (i = 0; i < kinds->count; i++)
		if (matches(kinds->names[i], event))
			break;
	return i;
}

int linux_kind_of(struct linux_kinds *kinds, const struct etl_record *record)
{
	uint8_t *kind;

	/* only an event that describes itself has such a name */
	if (record->header != ETL_EVENT || etl_is_ours(record))
		return kinds->count;
	kind = keyed_of(&kinds->kinds, event_kind(record));
	if (!kind)
		return -1;
	if (!*kind)
		*kind = find(kinds, record) + 1;
	return *kind - 1;
}

bool linux_kind_is_in(const struct statistics *statistics, const char *name)
{
	size_t i;

	for (i = 0; i < statistics->types.nr; i++)
		if (matches(name, statistics->types.count[i].name))
			return true;
	return false;
}

void linux_kinds_end(struct linux_kinds *kinds)
{
	keyed_free(&kinds->kinds);
}
