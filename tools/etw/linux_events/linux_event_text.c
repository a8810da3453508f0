// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Entries of the item ETW_EXT_VND_LINUX_EVENTS in words. */
#include <stdio.h>
#include <string.h>
#include "linux_events.h"

/**
 * struct entry - an entry of the item
 * @head: its fixed part
 * @provider: "Linux.SYSTEM"
 * @name: of the event
 */
struct entry {
	struct etw_ext_linux_event head;
	const char *provider;
	const char *name;
};

/* The item is one of linux_events_encode(). Return: false: there is no further entry */
static bool take(const uint8_t *item, uint32_t size, uint32_t at, struct entry *entry)
{
	const struct etw_ext_linux_event *head = &entry->head;
	uint32_t traits;

	if (at >= size || size - at < sizeof(entry->head))
		return false;
	memcpy(&entry->head, item + at, sizeof(entry->head));
	if (head->size < sizeof(*head) || head->size > size - at)
		return false;
	traits = at + sizeof(*head) + head->nr_tests * sizeof(struct etw_linux_event_test) +
		 head->nr_fields * sizeof(struct etw_linux_event_field);
	entry->provider = (const char *)item + traits + 2;
	entry->name = (const char *)item + traits + head->traits_size + 3;
	return true;
}

static const char *system_of(const struct entry *entry)
{
	return entry->provider + strlen("Linux.");
}

static const char *plural(uint32_t count)
{
	return count == 1 ? "" : "s";
}

void linux_events_print(const uint8_t *item, uint32_t size)
{
	struct entry entry;
	uint32_t at;

	for (at = 0; take(item, size, at, &entry); at += entry.head.size) {
		printf("  event %s:%s: id %u, %u field%s", system_of(&entry), entry.name,
		       entry.head.id, entry.head.nr_fields, plural(entry.head.nr_fields));
		if (entry.head.nr_tests)
			printf(", %u condition%s", entry.head.nr_tests,
			       plural(entry.head.nr_tests));
		puts(entry.head.flags & ETW_LINUX_EVENT_STACK ? ", with stacks" : "");
	}
}

bool linux_events_name_at(const uint8_t *item, uint32_t size, uint32_t offset, char *to,
			  size_t room)
{
	struct entry entry;
	uint32_t at;

	for (at = 0; take(item, size, at, &entry); at += entry.head.size) {
		if (offset < at || offset - at >= entry.head.size)
			continue;
		snprintf(to, room, "%s:%s", system_of(&entry), entry.name);
		return true;
	}
	return false;
}
