// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Marks, losses and programs' own events on the timeline (declared in report.h). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "export/export.h"
#include "libetl/guids.h"
#include "libetl/losses.h"
#include "libetl/text.h"
#include "etw.h"
#include "etw_hooks.h"
#include "items.h"
#include "report.h"

/* Texts of marks, and names of events, that the page keeps */
#define NAMES_MOST	4096

/**
 * struct moments - what is on the timeline
 * @items: @what is the index of the name
 * @names: hashes of the names
 * @name: by index, @named of them
 * @unnamed: events with names that have no room
 */
struct moments {
	struct items items;
	struct map names;
	char **name;
	size_t named;
	uint64_t unnamed;
};

/* "!" before losses, "#" before marks, "=" before other names */
static bool name_of(const struct etl_record *record, char text[EVENT_NAME])
{
	struct etw_loss loss;
	uint16_t hook;

	if (loss_of(record, &loss)) {
		snprintf(text, EVENT_NAME, "!%s", loss_cause_name(loss.cause) ?
						  loss_cause_name(loss.cause) : "lost");
		return true;
	}
	if (etl_is_ours(record))
		return false;
	if (hook_of(record, &hook)) {
		if (hook != PERFINFO_LOG_TYPE_MARK)
			return false;
		text[0] = '#';
		text_from_bytes(record->payload, record->payload_size, text + 1, EVENT_NAME - 1);
		return true;
	}
	if (record->header != ETL_EVENT && record->header != ETL_MESSAGE &&
	    record->header != ETL_FULL && record->header != ETL_INSTANCE)
		return false;
	text[0] = '=';
	event_name(record, text + 1, EVENT_NAME - 1);
	return true;
}

/* Return: index of the name, MAP_NONE: there is no room, or no memory */
static size_t index_of(struct moments *moments, const char *text)
{
	uint64_t key = map_mix(MAP_MIX, text, strlen(text));
	size_t known = moments->names.count, i = map_find(&moments->names, key);

	if (i != MAP_NONE || known == NAMES_MOST)
		return i;
	i = map_add(&moments->names, key);
	if (i == MAP_NONE || !map_make_room((void **)&moments->name, i, sizeof(*moments->name)))
		return MAP_NONE;
	moments->name[i] = strdup(text);
	moments->named = i + 1;
	return moments->name[i] ? i : MAP_NONE;
}

static int note(struct moments *moments, struct page *page, const struct etl_record *record,
		uint64_t time)
{
	char text[EVENT_NAME];
	const struct thread *thread;
	struct item item = {
		.at = etl_nanoseconds(&page->trace->log, time), .thread = UINT32_MAX, .weight = 1,
	};
	size_t name;

	if (!name_of(record, text))
		return 0;
	name = index_of(moments, text);
	if (name == MAP_NONE) {
		moments->unnamed++;
		return moments->names.count == NAMES_MOST ? 0 : -1;
	}
	item.what = name;
	if (record->has_ids) {
		thread = lifetimes_thread(page->statistics->lifetimes, record->thread_id, time);
		if (!thread)
			return -1;
		item.thread = thread->life.index;
	}
	return items_add(&moments->items, &item);
}

static int walk(struct moments *moments, struct page *page)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;
	int err = 0;

	if (merge_begin(&merge, page->trace, false))
		return -1;
	while (!err && merge_next(&merge, &record, &buffer))
		if (event_filter_selects(page->statistics->filter, &merge, buffer, record) &&
		    note(moments, page, record, merge_time(&merge)))
			err = no_memory();
	merge_end(&merge);
	if (!err && items_finish(&moments->items))
		err = no_memory();
	return err;
}

int page_events(struct page *page)
{
	struct moments moments = { };
	int err = walk(&moments, page);
	size_t i;

	page_section(page, "events");
	fprintf(page->data, "{\"unnamed\":%" PRIu64 ",\"names\":[", moments.unnamed);
	for (i = 0; !err && i < moments.names.count; i++) {
		fputs(i ? "," : "", page->data);
		export_string(page->data, moments.name[i]);
	}
	fputs("],\"items\":", page->data);
	items_json(&moments.items, page->data);
	putc('}', page->data);
	for (i = 0; i < moments.named; i++)
		free(moments.name[i]);
	free(moments.name);
	map_free(&moments.names);
	items_free(&moments.items);
	return err;
}

void page_threads(struct page *page)
{
	const struct lifetimes *lifetimes = page->statistics->lifetimes;
	const struct thread *thread;
	size_t i;

	page_section(page, "threads");
	putc('[', page->data);
	for (i = 0; i < lifetimes->threads.count; i++) {
		thread = lifetimes_thread_at(lifetimes, i);
		fputs(i ? ",\n[" : "[", page->data);
		if (thread->process)
			fprintf(page->data, "%u", thread->process->life.id);
		else
			fputs("null", page->data);
		fprintf(page->data, ",%u,", thread->life.id);
		export_string(page->data, process_name(thread->process));
		putc(',', page->data);
		export_string(page->data, thread_name(thread));
		putc(']', page->data);
	}
	putc(']', page->data);
}
