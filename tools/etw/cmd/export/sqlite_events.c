// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export --sqlite: a row for each event, in the table of its kind. */
#include <stdlib.h>
#include <string.h>
#include "cmd/dump/dump.h"
#include "cmd/stat/disk.h"
#include "cmd/stat/interrupts.h"
#include "common/print_fields.h"
#include "etw.h"
#include "etw_hooks.h"
#include "libetl/events/events.h"
#include "libetl/guids.h"
#include "libetl/losses.h"
#include "libetl/text.h"
#include "sqlite.h"

/* Groups of hook ids */
enum {
	GROUP_FILE = 0x04,
	GROUP_TCP = 0x06,
	GROUP_UDP = 0x08,
	GROUP_STACK = 0x18,
};

/* Of Windows alone */
#define GUARD_FAULT	0x020D

#define TYPED_COLUMNS	8

/**
 * struct walk - while the events go by
 * @line: the event at hand
 * @place: of the event in the order of time. It finds the threads and processes, because a program
 *	may make up the time of an event, and times in any order make searches of owners long
 * @running: the thread of each processor
 */
struct walk {
	struct sqlite_export *export;
	struct line line;
	uint64_t place;
	struct running running;
};

/**
 * struct typed - a table whose rows are events with the same fields
 * @field: names of the fields in the order of the columns; two names: the one that is there
 */
static const struct typed {
	enum sqlite_table table;
	const char *field[TYPED_COLUMNS][2];
} typed[] = {
	{ TABLE_IMAGES, { { "ImageBase" }, { "ImageSize" }, { "FileName" } } },
	{ TABLE_FAULTS, { { "VirtualAddress" }, { "ProgramCounter" } } },
	{ TABLE_HARD_FAULTS, { { "VirtualAddress" }, { "FileObject" }, { "ReadOffset" },
			       { "ByteCount" } } },
	{ TABLE_FILE_IO, { { "Irp" }, { "FileObject" }, { "FileKey" }, { "Offset" }, { "IoSize" },
			   { "OpenPath", "FileName" }, { "NtStatus" } } },
	{ TABLE_NETWORK, { { "Size" }, { "SourceAddress" }, { "SourcePort" },
			   { "DestinationAddress" }, { "DestinationPort" }, { "ConnectionId" } } },
	{ TABLE_SYSCALLS, { { "SysCallAddress" }, { "SysCallNtStatus" } } },
};

static const struct typed *typed_of(enum sqlite_table table)
{
	const struct typed *found = typed;

	while (found->table != table)
		found++;
	return found;
}

void sqlite_maybe(struct sqlite_export *export, bool known, int64_t value)
{
	if (known)
		database_number(&export->database, value);
	else
		database_none(&export->database);
}

void sqlite_thread(struct sqlite_export *export, uint32_t tid, uint64_t time)
{
	const struct thread *thread = tid == ETW_NO_THREAD ? NULL :
		lifetimes_thread(export->statistics->lifetimes, tid, time);

	sqlite_maybe(export, thread, thread ? thread->life.index : 0);
}

static void put_field(struct sqlite_export *export, const struct field *field)
{
	if (!field)
		database_none(&export->database);
	else if (field->kind == FIELD_STRING || field->kind == FIELD_LIST)
		database_text(&export->database, field->string);
	else if (field->kind == FIELD_REAL)
		database_real(&export->database, field->real);
	else
		database_number(&export->database, field->number);
}

static void begin_row(struct walk *walk, enum sqlite_table table)
{
	struct database *database = &walk->export->database;

	database_row(database, table);
	database_number(database, etl_nanoseconds(&walk->line.trace->log,
						  walk->line.record->time));
	database_number(database, walk->line.buffer->processor);
}

/* The thread that the event names, that of its header, or the running one */
static uint32_t thread_of(const struct walk *walk, bool faults)
{
	const struct field *field = fields_find(&walk->line.fields, "ThreadId");
	const struct etl_record *record = walk->line.record;
	uint32_t tid;

	if (field)
		return field->number;
	if (record->has_ids)
		return record->thread_id;
	/* without a thread in its header, a fault is counted for no thread */
	return !faults && running_get(&walk->running, walk->line.buffer, record, &tid) ?
		tid : ETW_NO_THREAD;
}

/* Columns of all kinds of events; the fields are decoded */
static void put_head(struct walk *walk, enum sqlite_table table)
{
	const struct field *pid = fields_find(&walk->line.fields, "ProcessId");
	struct lifetimes *lifetimes = walk->export->statistics->lifetimes;
	const struct etl_record *record = walk->line.record;
	uint32_t tid = thread_of(walk, table == TABLE_FAULTS);
	const struct process *process = NULL;
	const struct thread *thread;

	begin_row(walk, table);
	thread = tid == ETW_NO_THREAD ? NULL : lifetimes_thread(lifetimes, tid, walk->place);
	if (pid)
		process = lifetimes_process(lifetimes, pid->number, walk->place);
	else if (table != TABLE_HARD_FAULTS && record->has_ids && record->process_id != NO_ID)
		process = lifetimes_process(lifetimes, record->process_id, walk->place);
	else if (thread)
		process = thread->process;
	sqlite_maybe(walk->export, thread, thread ? thread->life.index : 0);
	sqlite_maybe(walk->export, process, process ? process->life.index : 0);
	database_text(&walk->export->database, walk->line.name);
}

static void put_typed(struct walk *walk, enum sqlite_table table)
{
	const struct fields *fields = &walk->line.fields;
	const struct etl_logfile *log = &walk->line.trace->log;
	const struct typed *columns = typed_of(table);
	const struct field *field;
	int64_t ns;
	size_t i;

	put_head(walk, table);
	for (i = 0; i < TYPED_COLUMNS && columns->field[i][0]; i++) {
		field = fields_find(fields, columns->field[i][0]);
		if (!field && columns->field[i][1])
			field = fields_find(fields, columns->field[i][1]);
		put_field(walk->export, field);
	}
	if (table == TABLE_HARD_FAULTS) {
		field = fields_find(fields, "InitialTime");
		ns = field ? etl_nanoseconds(log, walk->line.record->time) -
			     etl_nanoseconds(log, field->number) : 0;
		sqlite_maybe(walk->export, field, ns > 0 ? ns : 0);
	}
	database_end_row(&walk->export->database);
}

static void put_json(struct walk *walk)
{
	json_t *object = json_object();
	char *text;

	fields_json(&walk->line.fields, object);
	text = json_dumps(object, JSON_COMPACT);
	if (!text)
		walk->export->database.failed = no_memory();
	database_text(&walk->export->database, text);
	free(text);
	json_decref(object);
}

static void put_guid(struct walk *walk, bool known, const struct etw_guid *guid)
{
	static const struct etw_guid none;
	char text[GUID_TEXT];

	text_from_guid(guid, text);
	database_text(&walk->export->database,
		      known && !etl_guid_equal(guid, &none) ? text : NULL);
}

static void put_other(struct walk *walk)
{
	const struct etl_record *record = walk->line.record;
	bool hook = etl_has_hook(record), event = record->header == ETL_EVENT;
	bool classic = record->header == ETL_FULL || record->header == ETL_INSTANCE;

	put_head(walk, TABLE_EVENTS);
	put_guid(walk, !hook, &record->guid);
	sqlite_maybe(walk->export, !hook, classic ? record->opcode : record->id);
	sqlite_maybe(walk->export, event || classic, record->level);
	sqlite_maybe(walk->export, event || classic, record->opcode);
	sqlite_maybe(walk->export, event, record->keyword);
	put_guid(walk, event, &record->activity);
	put_json(walk);
	database_end_row(&walk->export->database);
}

static void put_switch(struct walk *walk)
{
	struct database *database = &walk->export->database;
	const struct etl_record *record = walk->line.record;
	struct wmi_contextswap swap;

	memcpy(&swap, record->payload, sizeof(swap));
	begin_row(walk, TABLE_SWITCHES);
	sqlite_thread(walk->export, swap.new_thread_id, walk->place);
	sqlite_thread(walk->export, swap.old_thread_id, walk->place);
	database_number(database, (int8_t)record->payload[8]);
	database_number(database, (int8_t)record->payload[9]);
	database_text(database, thread_state_name(swap.old_thread_state));
	database_text(database, wait_reason_name(swap.old_thread_wait_reason));
	database_end_row(database);
}

static void put_ready(struct walk *walk)
{
	const struct etl_record *record = walk->line.record;

	begin_row(walk, TABLE_READY);
	sqlite_thread(walk->export, get32(record->payload), walk->place);
	database_number(&walk->export->database,
			record->payload[offsetof(struct wmi_ready_thread, flag)] & 1);
	database_end_row(&walk->export->database);
}

/* Return: SQLITE_TABLES: the event has its rows elsewhere, or none */
static enum sqlite_table table_of(const struct etl_record *record)
{
	const struct etl_event *event;
	uint16_t hook;

	if (!hook_of(record, &hook))
		return TABLE_EVENTS;
	event = event_of_hook(hook);
	if (event_has(event, EVENT_HAS_IMAGE))
		return TABLE_IMAGES;
	if (event_has(event, EVENT_HAS_PROCESS | EVENT_HAS_THREAD | EVENT_HAS_THREAD_NAME |
			     EVENT_HAS_FILE_NAME) || hook >> 8 == GROUP_STACK)
		return SQLITE_TABLES;
	switch (hook) {
	case PERFINFO_LOG_TYPE_TRANSITIONFAULT:
	case PERFINFO_LOG_TYPE_DEMANDZEROFAULT:
	case PERFINFO_LOG_TYPE_COPYONWRITE:
	case PERFINFO_LOG_TYPE_HARDFAULT:
	case PERFINFO_LOG_TYPE_ACCESSVIOLATION:
	case GUARD_FAULT:
		return TABLE_FAULTS;
	case PERFINFO_LOG_TYPE_HARDPAGEFAULT:
		return TABLE_HARD_FAULTS;
	case PERFINFO_LOG_TYPE_SYSCALL_ENTER:
	case PERFINFO_LOG_TYPE_SYSCALL_EXIT:
		return TABLE_SYSCALLS;
	case PERFINFO_LOG_TYPE_READYTHREAD:
		return record->payload_size < sizeof(struct wmi_ready_thread) ? TABLE_EVENTS :
		       TABLE_READY;
	case PERFINFO_LOG_TYPE_CONTEXTSWAP:
		return is_context_swap(record) ? TABLE_SWITCHES : TABLE_EVENTS;
	case PERFINFO_LOG_TYPE_SAMPLED_PROFILE:
	case PERFINFO_LOG_TYPE_PMC_INTERRUPT:
		return SQLITE_TABLES;
	}
	if (is_interrupt_hook(hook) || is_disk_hook(hook))
		return SQLITE_TABLES;
	return hook >> 8 == GROUP_FILE ? TABLE_FILE_IO :
	       hook >> 8 == GROUP_TCP || hook >> 8 == GROUP_UDP ? TABLE_NETWORK : TABLE_EVENTS;
}

static void take_event(struct walk *walk)
{
	struct line *line = &walk->line;
	enum sqlite_table table = table_of(line->record);

	if (table == SQLITE_TABLES)
		return;
	if (table == TABLE_SWITCHES) {
		put_switch(walk);
		return;
	}
	if (table == TABLE_READY) {
		put_ready(walk);
		return;
	}
	event_name(line->record, line->name, sizeof(line->name));
	fields_reset(&line->fields);
	if (table == TABLE_EVENTS)
		dump_header_fields(line);
	decode_payload(line->record, &line->fields);
	if (table == TABLE_EVENTS)
		put_other(walk);
	else
		put_typed(walk, table);
}

/* The first name of a file or a disk stays: its key is the table's */
static void take_name(struct walk *walk)
{
	const struct etl_record *record = walk->line.record;
	struct fields *fields = &walk->line.fields;
	const struct field *key, *name;
	bool disk;
	uint16_t hook;

	if (!hook_of(record, &hook))
		return;
	disk = hook == WMI_LOG_TYPE_CONFIG_PHYSICALDISK;
	if (!disk && !event_has(event_of_hook(hook), EVENT_HAS_FILE_NAME))
		return;
	fields_reset(fields);
	decode_payload(record, fields);
	key = fields_find(fields, disk ? "DiskNumber" : "FileKey");
	name = fields_find(fields, disk ? "Manufacturer" : "FileName");
	if (!key || !name || !name->string || !name->string[0])
		return;
	database_row(&walk->export->database, disk ? TABLE_DISKS : TABLE_FILES);
	database_number(&walk->export->database, key->number);
	database_text(&walk->export->database, name->string);
	database_end_row(&walk->export->database);
}

/* Clocks and losses are those of the whole trace. Return: whether the record has a row */
static bool take_clock_or_loss(struct walk *walk)
{
	struct database *database = &walk->export->database;
	const struct etl_record *record = walk->line.record;
	struct etw_anchor anchor;
	struct etw_loss loss;

	if (loss_of(record, &loss)) {
		begin_row(walk, TABLE_LOSSES);
		database->column--;
		database_number(database, loss.processor);
		database_text(database, loss_cause_name(loss.cause));
		database_number(database, loss.count);
		database_number(database, loss.total);
		database_end_row(database);
		return true;
	}
	if (!etl_is_ours(record) || record->id != ETW_LINUX_EVENT_ANCHOR ||
	    record->payload_size < sizeof(anchor))
		return false;
	memcpy(&anchor, record->payload, sizeof(anchor));
	begin_row(walk, TABLE_CLOCKS);
	database->column--;
	database_text(database, anchor_reason_name(anchor.reason));
	database_number(database, anchor.filetime);
	database_number(database, anchor.monotonic);
	database_number(database, anchor.monotonic_raw);
	database_number(database, anchor.boottime);
	database_end_row(database);
	return true;
}

static void walk_events(struct walk *walk, struct merge *merge)
{
	const struct event_filter *filter = walk->export->statistics->filter;
	struct line *line = &walk->line;
	uint16_t processor = 0;
	size_t broken = merge->broken;

	while (!walk->export->database.failed &&
	       merge_next(merge, &line->record, &line->buffer)) {
		/* the step on from the record before came over what can't be read */
		if (merge->broken != broken)
			running_hole(&walk->running, processor);
		broken = merge->broken;
		processor = line->buffer->processor;
		walk->place = merge_time(merge);
		running_note(&walk->running, line->buffer, line->record);
		take_name(walk);
		if (!take_clock_or_loss(walk) &&
		    event_filter_selects(filter, merge, line->buffer, line->record))
			take_event(walk);
	}
}

int sqlite_events(struct sqlite_export *export)
{
	struct walk *walk = calloc(1, sizeof(*walk));
	struct merge merge;

	if (!walk)
		return no_memory();
	walk->export = export;
	walk->line.trace = export->trace;
	if (running_begin(&walk->running, export->trace) ||
	    merge_begin(&merge, export->trace, false)) {
		running_end(&walk->running);
		free(walk);
		return -1;
	}
	walk_events(walk, &merge);
	merge_end(&merge);
	running_end(&walk->running);
	free(walk);
	return export->database.failed ? -1 : 0;
}
