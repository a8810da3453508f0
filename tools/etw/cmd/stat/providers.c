// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw stat FILE providers: events and bytes by provider and by event, and losses by cause. */
#include <stdio.h>
#include <string.h>
#include "libetl/guids.h"
#include "libetl/text.h"
#include "libetl/tracelogging.h"
#include "etw.h"
#include "keyed.h"

/* Causes of losses that have a row; the last one is all others, and overwritten events */
#define CAUSES	32

/**
 * struct sum - of a provider or an event
 * @name: of it
 * @guid: of the provider
 * @provider: of an event: its provider's index
 * @events: how many
 * @bytes: of their records
 */
struct sum {
	char name[EVENT_NAME];
	struct etw_guid guid;
	size_t provider;
	uint64_t events;
	uint64_t bytes;
};

/**
 * struct providers - all of them
 * @providers: struct sum by GUID and name
 * @events: struct sum by provider and name
 * @kinds: index in @events + 1 by event_kind()
 * @losses: by cause
 */
struct providers {
	const struct trace *trace;
	struct keyed providers;
	struct keyed events;
	struct keyed kinds;
	struct losses losses[CAUSES];
};

/* The names of events are "PROVIDER/EVENT"; only an event that describes itself has them apart */
static void provider_name(const struct etl_record *record, const char *event,
			  char to[EVENT_NAME])
{
	struct tracelogging_names names;
	const char *end = record->header == ETL_MESSAGE ? strrchr(event, '/') : strchr(event, '/');

	if (tracelogging_names(record, &names) && names.provider)
		text_from_bytes_marked(names.provider, names.provider_size, to, EVENT_NAME);
	else
		snprintf(to, EVENT_NAME, "%.*s", end ? (int)(end - event) : (int)strlen(event),
			 event);
}

static void set_guid(const struct etl_record *record, struct etw_guid *guid)
{
	const struct etw_guid *class = NULL;

	if (!etl_has_hook(record))
		*guid = record->guid;
	else
		class = guid_of_hook(record->hook_id);
	if (class)
		*guid = *class;
}

/* Return: the index of the sums with a key; MAP_NONE: no memory */
static size_t sum_of(struct keyed *sums, uint64_t key, const char *name)
{
	struct sum *sum = keyed_of(sums, key);

	if (!sum)
		return MAP_NONE;
	memcpy(sum->name, name, sizeof(sum->name));
	return map_find(&sums->map, key);
}

/* Return: the index in @events of a kind of events that is new; MAP_NONE: no memory */
static size_t add_kind(struct providers *providers, const struct etl_record *record)
{
	char event[EVENT_NAME] = "", name[EVENT_NAME] = "";
	struct etw_guid guid = { };
	size_t provider, i;
	struct sum *sum;
	uint64_t key;

	event_name(record, event, sizeof(event));
	provider_name(record, event, name);
	set_guid(record, &guid);
	key = map_mix(map_mix(MAP_MIX, &guid, sizeof(guid)), name, strlen(name));
	provider = sum_of(&providers->providers, key, name);
	i = sum_of(&providers->events, map_mix(key, event, strlen(event)), event);
	if (provider == MAP_NONE || i == MAP_NONE)
		return MAP_NONE;
	sum = keyed_at(&providers->providers, provider);
	sum->guid = guid;
	sum = keyed_at(&providers->events, i);
	sum->provider = provider;
	return i;
}

static void add(struct sum *sum, const struct etl_record *record)
{
	sum->events++;
	sum->bytes += record->size;
}

static int note(struct providers *providers, const struct etl_record *record)
{
	size_t *kind = keyed_of(&providers->kinds, event_kind(record));
	struct sum *event;
	size_t i;

	if (!kind)
		return -1;
	if (!*kind) {
		i = add_kind(providers, record);
		if (i == MAP_NONE)
			return -1;
		*kind = i + 1;
	}
	event = keyed_at(&providers->events, *kind - 1);
	add(event, record);
	add(keyed_at(&providers->providers, event->provider), record);
	return 0;
}

static int note_loss(struct providers *providers, const struct etl_record *record)
{
	struct etw_loss loss;
	uint32_t cause;

	if (!loss_of(record, &loss))
		return 0;
	cause = loss.cause < CAUSES - 1 ? loss.cause : CAUSES - 1;
	return losses_note(&providers->losses[cause], record, &providers->trace->log);
}

static int collect(struct providers *providers, const struct event_filter *filter)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;
	int err = 0;

	if (merge_begin(&merge, providers->trace, false))
		return -1;
	while (!err && merge_next(&merge, &record, &buffer)) {
		err = note_loss(providers, record);
		if (!err && event_filter_selects(filter, &merge, buffer, record))
			err = note(providers, record);
	}
	merge_end(&merge);
	return err;
}

static uint64_t share_of(uint64_t part, uint64_t all)
{
	return all ? ((__int128)part * 10000 + all / 2) / all : 0;
}

static void fill_providers(const struct providers *providers, struct sheet *sheet)
{
	size_t events = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "events");
	size_t bytes = sheet_column(sheet, SHEET_BYTES, SHEET_EVERYWHERE, "bytes");
	size_t share = sheet_column(sheet, SHEET_PERCENT, SHEET_EVERYWHERE, "% of bytes");
	size_t guid = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "guid");
	size_t name = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "provider"), i;
	const struct sum *sum;
	char text[GUID_TEXT];
	uint64_t all = 0;

	for (i = 0; i < providers->providers.map.count; i++) {
		sum = keyed_at(&providers->providers, i);
		all += sum->bytes;
	}
	for (i = 0; i < providers->providers.map.count; i++) {
		sum = keyed_at(&providers->providers, i);
		sheet_row(sheet);
		sheet_number(sheet, events, sum->events);
		sheet_number(sheet, bytes, sum->bytes);
		sheet_number(sheet, share, share_of(sum->bytes, all));
		text_from_guid(&sum->guid, text);
		sheet_text(sheet, guid, text);
		sheet_text(sheet, name, sum->name);
	}
	sheet_sort(sheet, events);
}

static void fill_events(const struct providers *providers, struct sheet *sheet)
{
	size_t events = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "events");
	size_t bytes = sheet_column(sheet, SHEET_BYTES, SHEET_EVERYWHERE, "bytes");
	size_t name = sheet_column(sheet, SHEET_TEXT, SHEET_IN_EXPORT, "provider");
	size_t event = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "event"), i;
	const struct sum *sum, *provider;

	for (i = 0; i < providers->events.map.count; i++) {
		sum = keyed_at(&providers->events, i);
		provider = keyed_at(&providers->providers, sum->provider);
		sheet_row(sheet);
		sheet_number(sheet, events, sum->events);
		sheet_number(sheet, bytes, sum->bytes);
		sheet_text(sheet, name, provider->name);
		sheet_text(sheet, event, sum->name);
	}
	sheet_sort(sheet, events);
}

/* No record names the provider of an event that was lost */
static void fill_losses(const struct providers *providers, struct sheet *sheet)
{
	size_t lost = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "lost");
	size_t over = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "overwritten");
	size_t cause = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "cause"), i;
	uint64_t events, overwritten;
	const char *name;

	for (i = 0; i < CAUSES; i++) {
		events = losses_sum(&providers->losses[i]);
		overwritten = losses_overwritten(&providers->losses[i]);
		if (!events && !overwritten)
			continue;
		name = loss_cause_name(i);
		sheet_row(sheet);
		sheet_number(sheet, lost, events);
		sheet_number(sheet, over, overwritten);
		sheet_text(sheet, cause, name ? name : events ? "other" : "overwritten");
	}
	sheet_sort(sheet, lost);
}

static int print(const struct providers *providers, const struct stat_options *options)
{
	struct sheet by_provider = { .name = "providers" }, by_event = { .name = "events" };
	struct sheet losses = { .name = "losses" };
	struct sheet *const all[] = { &by_provider, &by_event, &losses };
	size_t count;

	fill_providers(providers, &by_provider);
	fill_events(providers, &by_event);
	fill_losses(providers, &losses);
	/* an empty table is of use to programs only */
	count = losses.rows || options->as == AS_JSON ? 3 : 2;
	if (count == 2)
		sheet_free(&losses);
	return sheets_report(all, count, options);
}

int stat_providers(const struct trace *trace, const struct statistics *statistics,
		   const struct stat_options *options)
{
	struct providers providers = {
		.trace = trace,
		.providers.size = sizeof(struct sum),
		.events.size = sizeof(struct sum),
		.kinds.size = sizeof(size_t),
	};
	int code = EXIT_FAILED;
	size_t i;

	if (collect(&providers, statistics->filter))
		no_memory();
	else
		code = print(&providers, options);
	keyed_free(&providers.providers);
	keyed_free(&providers.events);
	keyed_free(&providers.kinds);
	for (i = 0; i < CAUSES; i++)
		losses_free(&providers.losses[i]);
	return code;
}
