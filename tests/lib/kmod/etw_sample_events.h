/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* For etw_sample: events of etw_event_write(), to a session that wants some of them. */
#ifndef ETW_SAMPLE_EVENTS_H
#define ETW_SAMPLE_EVENTS_H

static void put_piece(struct etw_event_data *piece, u8 type, const void *data, u32 size)
{
	*piece = (struct etw_event_data){
		.data = (unsigned long)data, .size = size, .type = type,
	};
}

/* Two pieces, from any context; as a session with level 4 wants it */
static int write_modern(const struct etw_provider *provider, const struct sample_data *from,
			const u8 *pattern)
{
	const struct etw_event_descriptor event = { .id = from->form, .level = 4, .keyword = 1 };
	struct etw_event_data data[2];

	put_piece(&data[0], ETW_DATA_USER, from, sizeof(*from));
	put_piece(&data[1], ETW_DATA_USER, pattern, from->length);
	return etw_event_write(provider, &event, NULL, NULL, 2, data);
}

/* @name: one character. Return: as etw_event_write(), if it is enabled */
static int try_write(const struct etw_provider *provider, u8 level, u64 keyword, char name)
{
	static const struct etw_guid activity = SAMPLE_ACTIVITY, related = SAMPLE_RELATED;
	const struct etw_event_descriptor event = {
		.id = SAMPLE_CHECKED, .version = 1, .channel = 11, .level = level, .opcode = 2,
		.task = 3, .keyword = keyword,
	};
	const u8 schema[] = { 5, 0, 0, name, 0 };
	struct etw_event_data data[4];

	put_piece(&data[0], ETW_DATA_USER, "ab", 2);
	put_piece(&data[1], ETW_DATA_SCHEMA, schema, sizeof(schema));
	put_piece(&data[2], ETW_DATA_USER, NULL, 0);
	put_piece(&data[3], ETW_DATA_USER, "cde", 3);
	return etw_event_write(provider, &event, &activity, &related, 4, data);
}

static int try_pieces(const struct etw_provider *provider, u32 count, u32 size, u8 type)
{
	static const struct etw_event_descriptor event = {
		.id = SAMPLE_CHECKED, .level = 3, .keyword = 2,
	};
	static struct etw_event_data data[ETW_MAX_EVENT_DATA + 1];
	static u8 bytes[0x8000];
	u32 i;

	for (i = 0; i < count; i++)
		put_piece(&data[i], type, bytes, size);
	return etw_event_write(provider, &event, NULL, NULL, count, data);
}

/* The session wants level 3, keyword 2 or 4 with 2, and no event that is called L. */
static void check_modern(const struct etw_provider *provider)
{
	struct etw_provider none = { .guid = SAMPLE_GUID };

	result("no record: etw_event_enabled() compares level and keyword",
	       etw_event_enabled(provider, 3, 2) && etw_event_enabled(provider, 0, 6) &&
	       etw_event_enabled(provider, 3, 0) && !etw_event_enabled(provider, 4, 2) &&
	       !etw_event_enabled(provider, 3, 4) && !etw_event_enabled(provider, 3, 1) &&
	       !etw_event_enabled(&none, 3, 2), true);
	result("no record: a request for the provider's state is counted",
	       provider->events.captures > 0, true);
	result("etw_event_write(): activities, metadata, data in pieces",
	       try_write(provider, 3, 2, 'S'), 0);
	result("an event without keywords", try_write(provider, 1, 0, 'S'), 0);
	result("no record: an event above the level", try_write(provider, 4, 2, 'S'), 0);
	result("no record: an event without all keywords", try_write(provider, 3, 4, 'S'), 0);
	result("no record: an event that the filter by name excludes",
	       try_write(provider, 3, 2, 'L'), 0);
	result("a provider that is not registered: ENOENT", try_write(&none, 3, 2, 'S'), -ENOENT);
	result("too many pieces: EINVAL",
	       try_pieces(provider, ETW_MAX_EVENT_DATA + 1, 0, ETW_DATA_USER), -EINVAL);
	result("a piece of an unknown type: EINVAL", try_pieces(provider, 1, 1, 3), -EINVAL);
	result("a piece over 64 KB: EMSGSIZE", try_pieces(provider, 1, 0x10000, ETW_DATA_USER),
	       -EMSGSIZE);
	result("pieces over 64 KB: EMSGSIZE", try_pieces(provider, 2, 0x8000, ETW_DATA_USER),
	       -EMSGSIZE);
	result("an event larger than a buffer: EMSGSIZE, counted",
	       try_pieces(provider, 1, 0x8000, ETW_DATA_USER), -EMSGSIZE);
}

#endif /* ETW_SAMPLE_EVENTS_H */
