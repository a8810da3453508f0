// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export --chrome: disk requests, interrupts, and all events that have no other place. */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "libetl/decode.h"
#include "libetl/event_names.h"
#include "libetl/text.h"
#include "etw_hooks.h"
#include "export.h"

static void put_real(FILE *to, double real)
{
	/* JSON has no other numbers */
	if (isfinite(real))
		fprintf(to, "%.17g", real);
	else
		fputs("null", to);
}

/* A trace's own descriptions can have several fields of one name: the second is "name#2" */
static void put_name(FILE *to, const struct fields *fields, unsigned int at)
{
	const char *name = fields->field[at].name;
	unsigned int i, n = 1;
	char other[256];

	for (i = 0; i < at; i++)
		n += !strcmp(fields->field[i].name, name);
	if (n > 1) {
		snprintf(other, sizeof(other), "%.*s#%u", (int)text_fit(name, 240), name, n);
		name = other;
	}
	export_string(to, name);
	putc(':', to);
}

static void put_value(FILE *to, const struct field *field)
{
	switch (field->kind) {
	case FIELD_UNSIGNED:
	case FIELD_TIME:
		fprintf(to, "%" PRIu64, field->number);
		break;
	case FIELD_SIGNED:
		fprintf(to, "%" PRId64, (int64_t)field->number);
		break;
	case FIELD_HEX:
		fprintf(to, "\"0x%" PRIx64 "\"", field->number);
		break;
	case FIELD_REAL:
		put_real(to, field->real);
		break;
	case FIELD_STRING:
		export_text(to, field->string, field->size);
		break;
	case FIELD_LIST:
		export_string(to, field->string);
		break;
	}
}

/* @more: members behind the time, with a comma before each */
static void put_event(struct export *export, const char *phase, const char *name,
		      const char *category, uint32_t pid, uint32_t tid, int64_t ns,
		      const char *more)
{
	const struct fields *fields = &export->fields;
	unsigned int i;

	export_event(export, phase, name, pid, tid, ns);
	fprintf(export->to, ",\"cat\":\"%s\"%s,\"args\":{", category, more);
	for (i = 0; phase[0] != 'e' && i < fields->count; i++) {
		fputs(i ? "," : "", export->to);
		put_name(export->to, fields, i);
		put_value(export->to, &fields->field[i]);
	}
	putc('}', export->to);
	export_end_event(export);
}

/* What began before its record: requests overlap, and interrupts are within each other */
static void put_span(struct export *export, const struct etl_record *record, uint64_t begin,
		     const char *category, const char *name, uint32_t cpu)
{
	uint32_t pid, tid;
	char id[40];

	export_track_of_cpu(export, cpu, &pid, &tid);
	snprintf(id, sizeof(id), ",\"id\":\"%s%" PRIu64 "\"", category, ++export->spans);
	put_event(export, "b", name, category, pid, tid, export_ns(export, begin), id);
	put_event(export, "e", name, category, pid, tid, export_ns(export, record->time), id);
}

/* By the function that ran, if the caller knows the functions */
static void put_interrupt(struct export *export, const struct etl_record *record,
			  uint64_t begin, const char *name, uint32_t cpu)
{
	const struct field *routine = fields_find(&export->fields, "Routine");
	char text[EVENT_NAME];

	if (routine && routine->number && export->name_address)
		name = export->name_address(export->names, routine->number, record->time, text,
					    sizeof(text));
	put_span(export, record, begin, "interrupt", name, cpu);
}

static int put_instant(struct export *export, const struct etl_record *record,
		       const char *category, const char *name, uint32_t cpu)
{
	const struct chain_cpu *running = &export->chains.cpu[cpu];
	bool mark = !strcmp(category, "mark");
	const struct field *text = mark ? fields_find(&export->fields, "Text") : NULL;
	uint32_t pid, tid, id = 0;
	struct export_thread *thread;

	export_track_of_cpu(export, cpu, &pid, &tid);
	if (record->has_ids && record->thread_id != UINT32_MAX)
		id = record->thread_id;
	else if (running->seen && !running->hole)
		id = running->running;
	if (id && !mark) {
		thread = export_thread_of(export, id);
		if (!thread)
			return -1;
		export_track_of_thread(export, thread, &pid, &tid);
	}
	put_event(export, "i", text && text->string && text->string[0] ? text->string : name,
		  category, pid, tid, export_ns(export, record->time),
		  mark ? ",\"s\":\"g\"" : ",\"s\":\"t\"");
	return 0;
}

int export_instant(struct export *export, const struct etl_record *record, uint32_t cpu)
{
	const char *category = export_category(record);
	const struct field *begin, *took;
	char name[EVENT_NAME];

	if (!category || !record->has_time)
		return 0;
	event_name(record, name, sizeof(name));
	fields_reset(&export->fields);
	decode_payload(record, &export->fields);
	begin = fields_find(&export->fields, "InitialTime");
	took = fields_find(&export->fields, "HighResResponseTime");
	if (!etl_has_hook(record))
		return put_instant(export, record, category, name, cpu);
	if (took && took->number <= record->time)
		put_span(export, record, record->time - took->number, category, name, cpu);
	else if (export_is_interrupt(record->hook_id) && begin && begin->number <= record->time)
		put_interrupt(export, record, begin->number, name, cpu);
	else
		return put_instant(export, record, category, name, cpu);
	return 0;
}
