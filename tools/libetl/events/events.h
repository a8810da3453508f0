/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What is known of each event: one row, which everything that reads traces goes by. */
#ifndef ETW_EVENTS_H
#define ETW_EVENTS_H

#include "libetl/layout.h"
#include "libetl/reader.h"

/* What an event contains, for code that looks for the content and for no event by name */
enum event_has {
	EVENT_HAS_PROCESS = 0x01,	/* ProcessId, ParentId, ImageFileName, ... */
	EVENT_HAS_THREAD = 0x02,	/* ProcessId and ThreadId come first, in every version */
	EVENT_HAS_THREAD_NAME = 0x04, /* ProcessId and ThreadId come first, and maybe ThreadName */
	EVENT_HAS_IMAGE = 0x08,	/* ImageBase, ImageSize, ProcessId, FileName, ... */
	EVENT_HAS_FILE_NAME = 0x10,	/* FileKey, FileName */
	EVENT_HAS_NO_THREAD = 0x20,	/* though it is the running thread's */
	EVENT_HAS_SYSTEM_PATHS = 0x40, /* SystemDirectory, SystemWindowsDirectory */
	EVENT_HAS_NO_CLASS = 0x80, /* TraceEvent has no class for it; etw finalize describes it */
};

/* What an event reports of a process, thread or image: its begin, its end or its presence */
enum event_phase {
	PHASE_NONE,
	PHASE_BEGIN,
	PHASE_END,
	PHASE_GONE,	/* a later record of its end, which was at ExitTime */
	PHASE_RUNDOWN_BEGIN,
	PHASE_RUNDOWN_END,
};

/**
 * struct event_version - the payload in some versions
 * @from: first version
 * @to: last version
 * @forms: its fields; NULL: there are no more versions
 */
struct event_version {
	uint8_t from;
	uint8_t to;
	const struct form *forms;
};

/**
 * struct event_ours - how the module and this tool write it
 * @version: of the payload
 * @headers: bit per enum etl_header that it may have; 0: etw check does not look at it
 * @least: bytes of the payload, where pointers have 8
 * @most: likewise; EVENT_ANY_SIZE: there are strings in it
 */
struct event_ours {
	uint8_t version;
	uint16_t headers;
	uint16_t least;
	uint16_t most;
};

#define EVENT_ANY_SIZE	0xFFFF

/**
 * struct etl_event - an event
 * @id: hook id: group and type; classes that have no group: see GROUP_ of guids.h. Of
 *	events_linux and events_universal, the event id
 * @name: that of the published Windows tools; NULL ends a table
 * @versions: payloads
 * @stack_name: as xperf -help stackwalk names it; NULL: it does not
 * @has: enum event_has
 * @phase: enum event_phase
 * @ours: where files of ours have it
 */
struct etl_event {
	uint16_t id;
	const char *name;
	const struct event_version *versions;
	const char *stack_name;
	uint8_t has;
	uint8_t phase;
	struct event_ours ours;
};

/* Short hands for the tables: EVENT(id, name, { from, to, forms }...) */
#define EVENT(hook_id, text, ...) \
	.id = hook_id, .name = text, \
	.versions = (const struct event_version[]){ __VA_ARGS__, { } }
#define IN_SYSTEM	(1 << ETL_SYSTEM)
#define IN_PERFINFO	(1 << ETL_PERFINFO)
#define IN_ANY		(IN_SYSTEM | IN_PERFINFO | 1 << ETL_COMPACT)
#define EXACTLY(bytes)	(bytes), (bytes)
#define AT_LEAST(bytes)	(bytes), EVENT_ANY_SIZE

/* All but those of providers; behind the last one NULL. As they stand is how they are listed. */
extern const struct etl_event *const event_tables[];

#define for_each_event(table, event) \
	for ((table) = event_tables; *(table); (table)++) \
		for ((event) = *(table); (event)->name; (event)++)

/*
 * Rows by hook id, and the row that stands for hook ids of no event; NULL: not searched yet. Each
 * record needs its row, and a table is long. Threads may search at the same time, because each of
 * them stores the same row.
 */
extern const struct etl_event *event_rows[1 << 16];
extern const struct etl_event event_row_of_none;
const struct etl_event *event_search_row(uint16_t hook_id);

/* NULL: no known event has this hook id */
static inline const struct etl_event *event_of_hook(uint16_t hook_id)
{
	const struct etl_event *event = __atomic_load_n(&event_rows[hook_id], __ATOMIC_RELAXED);

	if (!event)
		event = event_search_row(hook_id);
	return event == &event_row_of_none ? NULL : event;
}

/* Whatever its header is, by hook id, class, or id of our provider */
const struct etl_event *event_of(const struct etl_record *record);
/* NULL: the payload of that version is unknown; @event may be NULL, too */
const struct form *event_forms(const struct etl_event *event, uint8_t version);

/**
 * struct event_number - where a number stands in the newest layout of an event
 * @with4: where pointers have 4 bytes
 * @with8: where they have 8
 */
struct event_number {
	struct form_place with4;
	struct form_place with8;
};

/* To be found once; a field that has no place of its own gives numbers of no record */
void event_number_find(struct event_number *number, uint16_t hook_id, const char *name);
/* Return: false: the payload ends before it */
bool event_number(const struct event_number *number, const struct etl_record *record,
		  uint64_t *value);

static inline bool event_has(const struct etl_event *event, unsigned int has)
{
	return event && event->has & has;
}

static inline bool event_is_end(const struct etl_event *event)
{
	return event->phase == PHASE_END || event->phase == PHASE_GONE;
}

/* The tables, by topic */
extern const struct etl_event events_header[], events_process[], events_thread[],
	events_image[], events_perf[], events_stack[], events_disk[], events_memory[],
	events_file[], events_network[], events_config[], events_other[], events_merged[];
/* Of the module's own provider, by event id */
extern const struct etl_event events_linux[];
/* Of the provider Universal.System, by event id */
extern const struct etl_event events_universal[];
/* The payload of 0x0525, packed in a way of its own */
extern const struct form layout_switch_batch[];

#endif /* ETW_EVENTS_H */
