// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw dump: lines of text, of JSON and of CSV. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "libetl/guids.h"
#include "libetl/text.h"
#include "dump.h"
#include "common/print_fields.h"

/* Exact to the nanosecond where a double is not. */
static void put_seconds(const struct line *line, const char *format)
{
	int64_t ns = etl_nanoseconds(&line->trace->log, line->record->time);
	uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	char text[32];

	snprintf(text, sizeof(text), "%s%" PRIu64 ".%09" PRIu64, ns < 0 ? "-" : "",
		 size / 1000000000, size % 1000000000);
	printf(format, text);
}

/* Of a process or a thread; @none: what stands for an id that the record does not have */
static void put_id(const char *before, uint32_t id, const char *none)
{
	if (id == NO_ID)
		printf("%s%s", before, none);
	else
		printf("%s%u", before, id);
}

void dump_print_text(struct line *line)
{
	put_seconds(line, "%14s");
	printf(" %3u ", line->buffer->processor);
	text_print_event(line->name, stdout);
	if (line->record->has_ids) {
		put_id(" [", line->record->process_id, "-");
		put_id("/", line->record->thread_id, "-");
		putchar(']');
	}
	fields_print(&line->fields, stdout);
	puts(line->fields.truncated ? " (payload too short)" : "");
}

static void put_identity(json_t *event, const struct etl_record *record)
{
	char text[GUID_TEXT];
	uint16_t hook_id;

	if (hook_of(record, &hook_id)) {
		snprintf(text, sizeof(text), "%04x", hook_id);
		json_object_set_new(event, "hook", json_string(text));
	}
	if (record->header == ETL_SYSTEM || record->header == ETL_COMPACT ||
	    record->header == ETL_PERFINFO)
		return;
	text_from_guid(&record->guid, text);
	json_object_set_new(event, "provider", json_string(text));
	json_object_set_new(event, "id", json_integer(record->header == ETL_FULL ||
						      record->header == ETL_INSTANCE ?
						      record->opcode : record->id));
}

void dump_print_json(struct line *line)
{
	const struct etl_record *record = line->record;
	json_t *event = json_object(), *fields = json_object();

	json_object_set_new(event, "ns", json_integer(etl_nanoseconds(&line->trace->log,
								       record->time)));
	json_object_set_new(event, "cpu", json_integer(line->buffer->processor));
	json_object_set_new(event, "event", json_string(line->name));
	json_object_set_new(event, "header", json_string(header_name(record->header)));
	json_object_set_new(event, "bits", json_integer(8 * record->pointer_size));
	json_object_set_new(event, "version", json_integer(record->version));
	put_identity(event, record);
	if (record->has_ids && record->process_id != NO_ID)
		json_object_set_new(event, "pid", json_integer(record->process_id));
	if (record->has_ids && record->thread_id != NO_ID)
		json_object_set_new(event, "tid", json_integer(record->thread_id));
	fields_json(&line->fields, fields);
	json_object_set_new(event, "fields", fields);
	if (line->fields.truncated)
		json_object_set_new(event, "truncated", json_true());
	json_dumpf(event, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(event);
}

void dump_csv_head(void)
{
	puts("seconds,cpu,pid,tid,event,fields");
}

/* The fields of an event differ by kind: they share the last column. */
void dump_print_csv(struct line *line)
{
	bool has_ids = line->record->has_ids;
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);

	if (!memory)
		return;
	fields_print(&line->fields, memory);
	fclose(memory);
	put_seconds(line, "%s");
	printf(",%u", line->buffer->processor);
	put_id(",", has_ids ? line->record->process_id : NO_ID, "");
	put_id(",", has_ids ? line->record->thread_id : NO_ID, "");
	putchar(',');
	text_print_event_csv(line->name, stdout);
	putchar(',');
	text_print_csv(text + (*text == ' '), stdout);
	putchar('\n');
	free(text);
}
