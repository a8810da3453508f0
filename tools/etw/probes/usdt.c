// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* --usdt: the probes that SystemTap's sys/sdt.h has put into a file. */
#include <fnmatch.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/suggestion.h"
#include "elf_place.h"
#include "etw.h"
#include "libetl/array.h"
#include "probes.h"
#include "usdt_argument.h"

#define NAMES	256
/* The kernel compares each new probe with all others */
#define PLACES	4096

/**
 * struct usdt_event - an event, which may have several places
 * @group: with its provider
 * @name: "PROVIDER:NAME" of the note
 * @event: in tracefs
 * @types: of its arguments; places with other types are another event
 */
struct usdt_event {
	struct probe_group group;
	char name[NAMES];
	char event[PROBE_EVENT_NAME];
	char types[NAMES];
};

/**
 * struct usdt - an option under way
 * @option: it
 * @path: of the file
 * @pattern: "PROVIDER:NAME"
 * @events: those that are made
 * @count: entries of @events
 * @places: of all of them
 * @room: likewise
 * @suggestion: names that are like @pattern
 * @code: exit code after a message
 */
struct usdt {
	const struct probe_option *option;
	char path[PATH_MAX];
	const char *pattern;
	struct usdt_event *events;
	size_t count;
	unsigned int places;
	size_t room;
	struct suggestion suggestion;
	int code;
};

/* @to: behind the place; @types: "arg1:s32 arg3:u64" */
static void put_arguments(const struct usdt *usdt, const struct usdt_note *note,
			  unsigned int machine, char *to, size_t room, char *types)
{
	const char *at = note->arguments;
	struct usdt_argument argument;
	size_t used = 0, length = 0;
	unsigned int i;

	to[0] = types[0] = 0;
	for (i = 1; i <= USDT_ARGUMENTS && usdt_argument_take(&at, machine, &argument); i++) {
		if (!argument.fetch[0]) {
			warn("%s: %s '%s': %s:%s: argument %u is not recorded, because tracefs "
			     "cannot fetch '%s'", usdt->option->verb, usdt->option->name,
			     usdt->option->text, note->provider, note->name, i, argument.text);
			continue;
		}
		used += snprintf(to + used, room - used, " arg%u=%s:%s", i, argument.fetch,
				 argument.type);
		length += snprintf(types + length, NAMES - length, " arg%u:%s", i, argument.type);
	}
}

static struct usdt_event *find_event(const struct usdt *usdt, const struct usdt_event *like)
{
	struct usdt_event *event;
	size_t i;

	for (i = 0; i < usdt->count; i++) {
		event = &usdt->events[i];
		if (!strcmp(event->name, like->name) && !strcmp(event->types, like->types))
			return event;
	}
	return NULL;
}

static int make_place(struct usdt *usdt, struct usdt_event *event,
		      const struct usdt_note *note, const char *arguments)
{
	char line[PATH_MAX + 2048], counter[32] = "";

	if (usdt->places++ == PLACES)
		return probe_refuse(usdt->option, "%s: more than %u places (a narrower glob)",
				    usdt->path, PLACES);
	if (note->counter)
		snprintf(counter, sizeof(counter), "(0x%" PRIx64 ")", note->counter);
	snprintf(line, sizeof(line), "%s:0x%" PRIx64 "%s%s", usdt->path, note->offset, counter,
		 arguments);
	return probe_make(usdt->option, &event->group, "p", event->event, line);
}

static int add_note(struct usdt *usdt, const struct usdt_note *note, unsigned int machine)
{
	struct usdt_event event = { .group.kind = PROBE_USDT }, *known;
	char arguments[2048], name[PROBE_EVENT_NAME];
	int code;

	probe_identifier(note->provider, strlen(note->provider), event.group.provider, 32);
	probe_identifier(note->name, strlen(note->name), name, 49);
	snprintf(event.name, sizeof(event.name), "%s:%s", note->provider, note->name);
	put_arguments(usdt, note, machine, arguments, sizeof(arguments), event.types);
	known = find_event(usdt, &event);
	if (known)
		return make_place(usdt, known, note, arguments);
	if (!array_grow((void **)&usdt->events, &usdt->room, usdt->count + 1, sizeof(event)))
		return failed("%s: out of memory", usdt->option->verb);
	probe_free_name(usdt->option, &event.group, name, event.event);
	code = make_place(usdt, &event, note, arguments);
	if (code)
		return code;
	usdt->events[usdt->count++] = event;
	return probe_record(usdt->option, &event.group, event.event);
}

static int take_note(void *context, const struct usdt_note *note, unsigned int machine)
{
	struct usdt *usdt = context;
	char name[NAMES];

	snprintf(name, sizeof(name), "%s:%s", note->provider, note->name);
	if (fnmatch(usdt->pattern, name, 0))
		suggestion_try(&usdt->suggestion, name);
	else
		usdt->code = add_note(usdt, note, machine);
	return usdt->code;
}

/* "FILE:PROVIDER:NAME" */
static int split(struct usdt *usdt, char *text)
{
	char *name = strrchr(text, ':'), *provider = NULL;

	if (name) {
		*name = 0;
		provider = strrchr(text, ':');
		*name = ':';
	}
	if (!provider || provider == text || provider + 1 == name || !name[1])
		return probe_refuse(usdt->option, "a file, a provider and a name are needed "
				    "(FILE:PROVIDER:NAME)");
	*provider = 0;
	usdt->pattern = provider + 1;
	return probe_file_path(usdt->option, text, usdt->path);
}

int usdt_add(const struct probe_option *option)
{
	struct usdt usdt = { .option = option };
	char *text = strdup(option->text);
	const char *why;

	if (!text)
		return failed("%s: out of memory", option->verb);
	usdt.code = split(&usdt, text);
	if (!usdt.code) {
		suggestion_begin(&usdt.suggestion, usdt.pattern);
		why = elf_usdt_notes(usdt.path, take_note, &usdt);
		if (!usdt.code && why)
			usdt.code = probe_refuse(option, "%s: %s", usdt.path, why);
		else if (!usdt.code && !usdt.count)
			usdt.code = probe_refuse(option, "%s: the file has no such USDT probe%s",
						 usdt.path, suggestion_text(&usdt.suggestion));
	}
	free(usdt.events);
	free(text);
	return usdt.code;
}
