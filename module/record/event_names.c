// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Names of TraceLogging events, and filters by name: see event_names.h. Pure. */
#include <linux/errno.h>
#include <linux/string.h>
#include "event_names.h"

/* The size that the metadata begin with: 16 bits, themselves included */
#define SIZE_BYTES	2
/* A byte of the event's tags with this bit is followed by another one. */
#define TAG_FOLLOWS	0x80

/**
 * etw_event_name_of() - find an event's name: size, tags, name, fields
 * @schema: the event's metadata
 * @size: bytes
 *
 * The size in the metadata does not count here: the kernel records what the caller gave.
 *
 * Context: any.
 */
struct etw_event_name etw_event_name_of(const void *schema, __u32 size)
{
	const __u8 *at = schema, *end;
	__u32 i = SIZE_BYTES;

	while (i < size && (at[i] & TAG_FOLLOWS))
		i++;
	i++;
	if (i >= size)
		return (struct etw_event_name){ };
	end = memchr(at + i, 0, size - i);
	if (!end)
		return (struct etw_event_name){ };
	return (struct etw_event_name){ (const char *)at + i, end - (at + i) };
}

/* Return: whether @text has @count names, none of them empty, and ends behind the last one */
static int is_list(const char *text, __u32 size, __u32 count)
{
	const char *const end = text + size;
	__u32 n = 0;

	for (; text < end && *text; n++) {
		text = memchr(text, 0, end - text);
		if (!text)
			return 0;
		text++;
	}
	return text == end && n && n == count;
}

/* see event_names.h */
int etw_event_names_take(struct etw_event_names *names, const void *data, __u32 size)
{
	const __u32 head = offsetof(struct etw_filter_event_names, names);
	const struct etw_filter_event_names *from = data;
	struct etw_enable enable = { };

	if (size <= head || size > sizeof(*from) || from->in > 1 ||
	    !is_list((const char *)data + head, size - head, from->count))
		return -EINVAL;
	enable.match_any = from->match_any;
	enable.match_all = from->match_all;
	enable.level = from->level;
	names->mask = etw_event_mask_of(&enable);
	names->in = from->in;
	names->text = (const char *)data + head;
	names->size = size - head;
	return 0;
}

static int is_listed(const struct etw_event_names *names, const struct etw_event_name *name)
{
	const char *at = names->text, *const end = at + names->size, *behind;

	if (!name->text)
		return 0;
	for (; at < end; at = behind + 1) {
		behind = memchr(at, 0, end - at);
		if (behind - at == name->length && !memcmp(at, name->text, name->length))
			return 1;
	}
	return 0;
}

/**
 * etw_event_names_keep() - whether an event is one of those that the filter keeps
 * @names: the filter
 * @event: the event
 * @name: the event's name
 *
 * Context: any.
 */
int etw_event_names_keep(const struct etw_event_names *names,
			 const struct etw_event_descriptor *event,
			 const struct etw_event_name *name)
{
	int has = etw_event_mask_has(&names->mask, event->level, event->keyword) &&
		  is_listed(names, name);

	return has == names->in;
}
