// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Prints the rows of all events, and the flags that enable them, as JSON, a line each. */
#include <stdio.h>
#include <string.h>
#include "tools/libetl/cursor.h"
#include "tools/libetl/events/enable_flags.h"
#include "tools/libetl/events/events.h"

/* Enough of a payload for what functions decode */
static const uint8_t zeros[512];

/* Names that a function gives to what it finds, each once */
static void print_called(const struct form *form)
{
	static struct fields fields;
	struct cursor cursor = {
		.at = zeros, .left = sizeof(zeros), .fields = &fields, .pointer = 8,
	};
	unsigned int i;

	fields_reset(&fields);
	form->call(&cursor);
	for (i = 0; i < fields.count; i++)
		if (fields_find(&fields, fields.field[i].name) == &fields.field[i])
			printf("\"%s\",", fields.field[i].name);
}

/* At least; @vary: it may be more */
static unsigned int least_of(const struct form *form, unsigned int pointer, int *vary)
{
	switch (form->kind) {
	case FORM_MAY_END:
		return 0;
	case FORM_TOKEN:
		*vary = 1;
		return 4;
	case FORM_UTF16:
		*vary = 1;
		return 2;
	case FORM_BYTES:
		*vary = 1;
		return 1;
	default:
		*vary |= !form_bytes(form, pointer);
		return form_bytes(form, pointer);
	}
}

/* "ends": least sizes of all places where it may end, with pointers of 8 bytes */
static void print_forms(const struct form *forms)
{
	unsigned int size = 0;
	const struct form *form;
	int vary = 0;

	printf("\"ends\":[");
	for (form = forms; form->kind != FORM_END; form++) {
		if (form->kind == FORM_MAY_END)
			printf("%u,", size);
		size += least_of(form, 8, &vary);
	}
	printf("%u],\"varies\":%s,\"fields\":[", size, vary ? "true" : "false");
	for (form = forms; form->kind != FORM_END; form++) {
		if (form->kind == FORM_CALL)
			print_called(form);
		else if (form->name)
			printf("\"%s\",", form->name);
	}
	printf("null]");
}

static void print_row(const struct etl_event *event, const char *table)
{
	const struct event_version *of;

	printf("{\"table\":\"%s\",\"id\":%u,\"name\":\"%s\",\"stack_name\":\"%s\",\"tells\":%u,"
	       "\"found\":%s,", table, event->id, event->name,
	       event->stack_name ? event->stack_name : "", event->has,
	       event_of_hook(event->id) == event ? "true" : "false");
	printf("\"ours\":{\"version\":%u,\"headers\":%u,\"least\":%u,\"most\":%u},\"versions\":[",
	       event->ours.version, event->ours.headers, event->ours.least, event->ours.most);
	for (of = event->versions; of && of->forms; of++) {
		printf("{\"from\":%u,\"to\":%u,", of->from, of->to);
		print_forms(of->forms);
		printf("},");
	}
	puts("null]}");
}

int main(void)
{
	const struct etl_event *const *table, *event;
	const struct enable_flag *flag;

	for_each_event(table, event)
		print_row(event, "hooks");
	for (event = events_linux; event->name; event++)
		print_row(event, "linux");
	for (flag = enable_flags; flag->name; flag++)
		printf("{\"table\":\"flags\",\"name\":\"%s\",\"mask\":%u,\"ours\":%s}\n",
		       flag->name,
		       flag->mask, flag->what ? "true" : "false");
	return 0;
}
