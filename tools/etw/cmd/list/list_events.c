// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw list events GLOB: the events that the kernel offers in tracefs, with their fields. */
#include <jansson.h>
#include <stdio.h>
#include "etw.h"
#include "import/trace_schema.h"
#include "libetl/tracelogging_form.h"
#include "libetl/typed.h"
#include "linux_events/linux_events.h"
#include "list.h"

static void type_text(const struct trace_field *field, char *to, size_t room)
{
	const struct trace_type type = trace_type_of(field);
	const unsigned int bits = 8 * (field->kind == TRACE_NUMBER ? field->size : field->element);
	const char *as = type.out == OUT_HEX ? " hex" : type.out == OUT_PID ? " pid" :
			 type.out == OUT_BOOLEAN ? " bool" : "";
	char array[16] = "";

	if (type.in == IN_BYTES) {
		snprintf(to, room, "string");
		return;
	}
	if (type.counting == TL_COUNT_CONSTANT)
		snprintf(array, sizeof(array), "[%u]", type.count);
	else if (type.counting)
		snprintf(array, sizeof(array), "[]");
	snprintf(to, room, "%s%u%s%s", field->is_signed ? "int" : "uint", bits, array, as);
}

static void print_fields(const struct trace_format *format)
{
	char type[64];
	size_t i;

	for (i = 0; i < format->count; i++) {
		type_text(&format->fields[i], type, sizeof(type));
		printf("    %-24s %s\n", format->fields[i].name, type);
	}
}

static json_t *fields_json(const struct trace_format *format)
{
	json_t *all = json_array(), *one;
	char type[64];
	size_t i;

	for (i = 0; i < format->count; i++) {
		type_text(&format->fields[i], type, sizeof(type));
		one = json_object();
		json_object_set_new(one, "name", json_string(format->fields[i].name));
		json_object_set_new(one, "type", json_string(type));
		json_array_append_new(all, one);
	}
	return all;
}

/* Return: 0, or an exit code after a message. An event that cannot be read ends nothing. */
static int list_one(const char *name, bool fields, json_t *all)
{
	struct trace_formats formats = { };
	const struct trace_format *format;
	const char *why = NULL;
	json_t *entry;

	if (fields || all)
		why = linux_event_read(&formats, name, &format);
	if (why) {
		trace_formats_free(&formats);
		return failed("list: event %s: %s", name, why);
	}
	if (all) {
		entry = json_object();
		json_object_set_new(entry, "name", json_string(name));
		json_object_set_new(entry, "id", json_integer(format->id));
		json_object_set_new(entry, "provider", json_string(format->provider_name));
		json_object_set_new(entry, "fields", fields_json(format));
		json_array_append_new(all, entry);
	} else {
		puts(name);
		if (fields)
			print_fields(format);
	}
	trace_formats_free(&formats);
	return 0;
}

int linux_events_list(const char *glob, bool fields, bool json)
{
	json_t *all = json ? json_array() : NULL;
	struct tracefs_events events;
	int code = EXIT_OK, one;
	size_t i, found = 0;

	if (tracefs_list("list", &events))
		code = EXIT_FAILED;
	for (i = 0; i < events.count; i++) {
		if (!tracefs_matches(glob, events.names[i]))
			continue;
		found++;
		one = list_one(events.names[i], fields, all);
		code = one ? one : code;
	}
	if (!found && !code)
		code = failed("list: this kernel has no event '%s' ('*:*' lists all)", glob);
	if (json && found) {
		json_dumpf(all, stdout, JSON_INDENT(2));
		putchar('\n');
	}
	json_decref(all);
	tracefs_free(&events);
	return code;
}
