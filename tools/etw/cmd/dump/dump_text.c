// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw dump: lines of text, of JSON and of CSV. */
#include <stdio.h>
#include <stdlib.h>
#include "libetl/guids.h"
#include "libetl/text.h"
#include "dump.h"
#include "common/print_fields.h"

/* Exact to the nanosecond where a double is not. @width: at least so many characters */
static void put_seconds(struct text_out *out, const struct line *line, size_t width)
{
	int64_t ns = etl_nanoseconds(&line->trace->log, line->record->time);
	uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	uint32_t rest = size % 1000000000;
	char text[TEXT_NUMBER + 12];
	size_t n = 0, i;

	if (ns < 0)
		text[n++] = '-';
	n += text_from_unsigned(size / 1000000000, text + n);
	text[n++] = '.';
	for (i = 9; i-- > 0; rest /= 10)
		text[n + i] = '0' + rest % 10;
	for (n += 9; width > n; width--)
		text_out_char(out, ' ');
	text_out_bytes(out, text, n);
}

/* Of a process or a thread; @none: what stands for an id that the record does not have */
static void put_id(struct text_out *out, const char *before, uint32_t id, const char *none)
{
	text_out_string(out, before);
	if (id == NO_ID)
		text_out_string(out, none);
	else
		text_out_unsigned(out, id);
}

void dump_print_text(struct line *line)
{
	unsigned int processor = line->buffer->processor;
	struct text_out out;

	text_out_begin(&out, stdout);
	put_seconds(&out, line, 14);
	text_out_string(&out, processor < 10 ? "   " : processor < 100 ? "  " : " ");
	text_out_unsigned(&out, processor);
	text_out_char(&out, ' ');
	text_out_event(&out, line->name);
	if (line->record->has_ids) {
		put_id(&out, " [", line->record->process_id, "-");
		put_id(&out, "/", line->record->thread_id, "-");
		text_out_char(&out, ']');
	}
	text_out_fields(&out, &line->fields);
	text_out_string(&out, line->fields.truncated ? " (payload too short)\n" : "\n");
	text_out_flush(&out);
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
	struct text_out out;
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);

	if (!memory)
		return;
	fields_print(&line->fields, memory);
	fclose(memory);
	text_out_begin(&out, stdout);
	put_seconds(&out, line, 0);
	put_id(&out, ",", line->buffer->processor, "");
	put_id(&out, ",", has_ids ? line->record->process_id : NO_ID, "");
	put_id(&out, ",", has_ids ? line->record->thread_id : NO_ID, "");
	text_out_char(&out, ',');
	text_out_flush(&out);
	text_print_event_csv(line->name, stdout);
	putchar(',');
	text_print_csv(text + (*text == ' '), stdout);
	putchar('\n');
	free(text);
}
