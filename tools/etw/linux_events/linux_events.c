// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events of Linux (tracepoints, probes) that a session records, as -e and --filter choose them. */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include "common/suggestion.h"
#include "etw.h"
#include "etw_abi.h"
#include "import/probe_group.h"
#include "libetl/event_header.h"
#include "linux_events.h"

/* What a block may have, without the rest of it: names, and all other items */
#define LARGEST_EXTENSION	0x3FFFCu
#define OTHER_ITEMS		0x4000u
#define MOST_BYTES \
	((ETW_MAX_INFORMATION < LARGEST_EXTENSION ? ETW_MAX_INFORMATION : LARGEST_EXTENSION) - \
	 OTHER_ITEMS)

bool linux_events_is_name(const char *part)
{
	return strchr(part, ':');
}

/*
 * An array without a size is none of the record's fixed part, nor does it name its bytes. Behind an
 * EventHeader, all bytes of the record count.
 */
static void drop_endless(struct trace_format *format)
{
	size_t i, kept = 0;

	for (i = 0; i < format->count; i++)
		if (format->fields[i].size || !strcmp(format->fields[i].name, EVENT_HEADER_DATA))
			format->fields[kept++] = format->fields[i];
	format->count = kept;
}

const char *linux_event_read(struct trace_formats *formats, const char *name,
			     const struct trace_format **format)
{
	size_t count = formats->count;
	char system[LINUX_EVENT_NAME];
	const char *why;
	char *text;

	text = tracefs_read(name, "format");
	if (!text)
		return strerror(errno);
	snprintf(system, sizeof(system), "%.*s", (int)strcspn(name, ":"), name);
	why = trace_formats_add_text(formats, system, text, strlen(text));
	free(text);
	if (why)
		return why;
	if (formats->count == count)
		return "its format in tracefs cannot be parsed";
	drop_endless(formats->formats[count]);
	*format = formats->formats[count];
	return linux_event_refusal(*format);
}

static int refuse_name(const struct linux_events *events, const char *verb, const char *glob)
{
	struct suggestion suggestion;
	size_t i;

	suggestion_begin(&suggestion, glob);
	for (i = 0; i < events->known.count; i++)
		suggestion_try(&suggestion, events->known.names[i]);
	failed("%s: this kernel has no event '%s'%s ('etw list events \"*:*\"' lists them)", verb,
	       glob, suggestion_text(&suggestion));
	return EXIT_USAGE;
}

static struct linux_event *find(const struct linux_events *events, const char *name)
{
	uint32_t i;

	for (i = 0; i < events->count; i++)
		if (!strcmp(events->events[i].format->name, name))
			return &events->events[i];
	return NULL;
}

int linux_events_add_name(struct linux_events *events, const char *verb, const char *name)
{
	struct linux_event *event = find(events, name);
	const struct trace_format *format;
	const char *why;

	if (event) {
		event->given = events->given;
		return 0;
	}
	if (events->count == ETW_MAX_LINUX_EVENTS) {
		failed("%s: more than %u events of Linux (a narrower glob)", verb,
		       ETW_MAX_LINUX_EVENTS);
		return EXIT_USAGE;
	}
	why = linux_event_read(&events->formats, name, &format);
	if (why)
		return failed("%s: event %s: %s", verb, name, why);
	if (!map_make_room((void **)&events->events, events->count, sizeof(*event)))
		return failed("%s: out of memory", verb);
	events->events[events->count++] = (struct linux_event){
		.format = format, .given = events->given,
	};
	return 0;
}

int linux_events_add(struct linux_events *events, const char *verb, const char *glob)
{
	bool found = false;
	int code = 0;
	size_t i;

	if (!events->known.count && tracefs_list(verb, &events->known))
		return EXIT_FAILED;
	for (i = 0; !code && i < events->known.count; i++) {
		if (!tracefs_matches(glob, events->known.names[i]))
			continue;
		found = true;
		code = linux_events_add_name(events, verb, events->known.names[i]);
	}
	return found ? code : refuse_name(events, verb, glob);
}

/* Probes of etw match by the name for users, as "kprobes:NAME" */
static bool matches(const char *glob, const struct trace_format *format)
{
	char system[LINUX_EVENT_NAME], label[2 * LINUX_EVENT_NAME];
	struct probe_group group;

	snprintf(system, sizeof(system), "%.*s", (int)strcspn(format->name, ":"), format->name);
	if (!probe_group_parse(system, &group))
		return tracefs_matches(glob, format->name);
	probe_group_label(&group, trace_event_name(format), label, sizeof(label));
	return !fnmatch(glob, label, 0);
}

int linux_events_add_stack(struct linux_events *events, const char *verb, const char *glob)
{
	bool found = false;
	uint32_t i;

	for (i = 0; i < events->count; i++) {
		if (!matches(glob, events->events[i].format))
			continue;
		events->events[i].stack = true;
		found = true;
	}
	if (found)
		return 0;
	failed("%s: --stackwalk %s: no -e before it names such an event of Linux", verb, glob);
	return EXIT_USAGE;
}

int linux_events_filter(struct linux_events *events, const char *verb, const char *expression)
{
	int code = 0;
	uint32_t i;

	if (!events->given) {
		failed("%s: --filter '%s': no -e before it names an event of Linux "
		       "(-e SYSTEM:NAME --filter EXPRESSION)", verb, expression);
		return EXIT_USAGE;
	}
	for (i = 0; !code && i < events->count; i++)
		if (events->events[i].given == events->given)
			code = linux_event_add_tests(&events->events[i], verb, expression);
	return code;
}

int linux_events_check_size(const struct linux_events *events, const char *verb)
{
	uint32_t size = linux_events_encode(events, NULL, 0);

	if (size <= MOST_BYTES)
		return 0;
	failed("%s: -e: the descriptions of %u events of Linux have %u bytes, at most %u are "
	       "possible (name fewer events, or record them by several sessions)", verb,
	       events->count, size, MOST_BYTES);
	return EXIT_USAGE;
}
