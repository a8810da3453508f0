// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Probes that etw makes: --probe, --uprobe, --usdt. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/suggestion.h"
#include "elf_place.h"
#include "etw.h"
#include "probe_guard.h"
#include "probe_owner.h"
#include "probe_text.h"
#include "probes.h"

/* What a line of kprobe_events may have */
#define LINE	4096

int probe_refuse(const struct probe_option *option, const char *format, ...)
{
	/* the kernel's reason is behind the line */
	char text[LINE + 256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	failed("%s: %s '%s': %s", option->verb, option->name, option->text, text);
	return EXIT_USAGE;
}

/* @err: of the write. Return: an exit code */
static int refuse_line(const struct probe_option *option, enum probe_kind kind, const char *line,
		       int err)
{
	char said[512];

	if (probe_error_text(line, said, sizeof(said))[0])
		return probe_refuse(option, "%s (%s)", said, strerror(err));
	if (err == ENOENT)
		probe_refuse(option, "tracefs has no %s (a kernel with CONFIG_%cPROBE_EVENTS)",
			     probe_file(kind), kind == PROBE_KERNEL ? 'K' : 'U');
	else if (err == EACCES || err == EPERM)
		probe_refuse(option, "%s in tracefs: %s (run as root)", probe_file(kind),
			     strerror(err));
	else
		return probe_refuse(option, "the kernel refuses '%s': %s", line, strerror(err));
	return EXIT_FAILED;
}

int probe_make(const struct probe_option *option, struct probe_group *group, const char *type,
	       const char *event, const char *place_and_arguments)
{
	char name[PROBE_GROUP_NAME], line[LINE];
	int code, err;

	code = probes_guard(option->verb);
	if (code)
		return code;
	if (!probe_owner_self(group))
		return failed("%s: /proc/self/stat: %s", option->verb, strerror(errno));
	probe_group_name(group, name);
	if (snprintf(line, sizeof(line), "%s:%s/%s %s", type, name, event, place_and_arguments) >=
	    (int)sizeof(line))
		return probe_refuse(option, "it is longer than the kernel's limit of 4 KB");
	err = tracefs_write_line(probe_file(group->kind), line);
	return err ? refuse_line(option, group->kind, line, err) : 0;
}

int probe_record(const struct probe_option *option, const struct probe_group *group,
		 const char *event)
{
	char name[LINUX_EVENT_NAME], system[PROBE_GROUP_NAME];

	probe_group_name(group, system);
	snprintf(name, sizeof(name), "%s:%s", system, event);
	return linux_events_add_name(option->events, option->verb, name);
}

static bool is_taken(const struct probe_option *option, const char *system, const char *event)
{
	char name[LINUX_EVENT_NAME];
	uint32_t i;

	snprintf(name, sizeof(name), "%s:%s", system, event);
	for (i = 0; i < option->events->count; i++)
		if (!strcmp(option->events->events[i].format->name, name))
			return true;
	return false;
}

void probe_free_name(const struct probe_option *option, const struct probe_group *group,
		     const char *name, char to[PROBE_EVENT_NAME])
{
	struct probe_group own = *group;
	char system[PROBE_GROUP_NAME];
	unsigned int number = 0;

	probe_owner_self(&own);
	probe_group_name(&own, system);
	snprintf(to, PROBE_EVENT_NAME, "%s", name);
	while (is_taken(option, system, to))
		snprintf(to, PROBE_EVENT_NAME, "%.56s_%u", name, ++number);
}

int probe_file_path(const struct probe_option *option, const char *file, char path[PATH_MAX])
{
	if (!realpath(file, path))
		return probe_refuse(option, "%s: %s", file, strerror(errno));
	/* at blanks tracefs divides a line, and # begins a comment */
	if (strpbrk(path, " \t\n#"))
		return probe_refuse(option, "%s: tracefs takes no file with blanks or # in its "
				    "path", path);
	return 0;
}

/* The offset in the file of a function, or of "0xOFFSET" */
static int find_function(const struct probe_option *option, const char *path, const char *function,
			 uint64_t *offset)
{
	struct suggestion suggestion;
	const char *why = NULL;
	char *end;

	suggestion_begin(&suggestion, function);
	if (strncmp(function, "0x", 2)) {
		why = elf_function_offset(path, function, offset, &suggestion);
	} else {
		*offset = strtoull(function, &end, 16);
		if (*end || end == function + 2)
			why = "the offset is no number";
	}
	return why ? probe_refuse(option, "%s: %s%s", path, why, suggestion_text(&suggestion)) : 0;
}

/* "FILE:FUNCTION[+OFFSET]" or "FILE:0xOFFSET" as "FILE:0xOFFSET", as tracefs needs it */
static int find_place(const struct probe_option *option, const char *place, char *to, size_t room)
{
	char file[PROBE_PLACE], path[PATH_MAX], *function, *end, *plus;
	uint64_t offset, more = 0;

	snprintf(file, sizeof(file), "%s", place);
	function = strrchr(file, ':');
	if (!function || !function[1])
		return probe_refuse(option, "a file and a function are needed "
				    "(FILE:FUNCTION[+OFFSET])");
	*function++ = 0;
	if (probe_file_path(option, file, path))
		return EXIT_USAGE;
	plus = strchr(function, '+');
	if (plus) {
		*plus++ = 0;
		more = strtoull(plus, &end, 0);
		if (*plus < '0' || *plus > '9' || *end)
			return probe_refuse(option, "the offset '%s' is no number", plus);
	}
	if (find_function(option, path, function, &offset))
		return EXIT_USAGE;
	if (__builtin_add_overflow(offset, more, &offset))
		return probe_refuse(option, "the offset '%s' is too large", plus);
	if (snprintf(to, room, "%s:0x%" PRIx64, path, offset) >= (int)room)
		return probe_refuse(option, "the file's path is too long");
	return 0;
}

static int add_one(const struct probe_option *option)
{
	struct probe_group group = { .kind = option->kind };
	char name[PROBE_EVENT_NAME], event[PROBE_EVENT_NAME], place[PROBE_PLACE], line[LINE];
	struct probe_text probe;
	const char *why = probe_text_parse(&probe, option->kind, option->text);
	int code = 0;

	if (why)
		return probe_refuse(option, "%s", why);
	if (option->kind == PROBE_USER)
		code = find_place(option, probe.place, place, sizeof(place));
	else
		snprintf(place, sizeof(place), "%s", probe.place);
	if (code)
		return code;
	probe_text_event(&probe, name);
	probe_free_name(option, &group, name, event);
	snprintf(line, sizeof(line), "%s%s%s", place, probe.arguments[0] ? " " : "",
		 probe.arguments);
	code = probe_make(option, &group, probe.type, event, line);
	return code ? code : probe_record(option, &group, event);
}

int probes_add(struct linux_events *events, const char *verb, enum probe_kind kind,
	       const char *text)
{
	static const char *const names[PROBE_KINDS] = {
		[PROBE_KERNEL] = "--probe", [PROBE_USER] = "--uprobe", [PROBE_USDT] = "--usdt",
	};
	const struct probe_option option = {
		.verb = verb, .name = names[kind], .text = text, .kind = kind, .events = events,
	};

	return kind == PROBE_USDT ? usdt_add(&option) : add_one(&option);
}
