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
#include "probe_variables.h"
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

/* @err: errno of tracefs, without a message, or 0. Return: 0, or an exit code after a message */
static int write_probe(const struct probe_option *option, struct probe_group *group,
		       const char *type, const char *event, const char *place_and_arguments,
		       char line[LINE], int *err)
{
	char name[PROBE_GROUP_NAME];
	int code = probes_guard(option->verb);

	if (code)
		return code;
	if (!probe_owner_self(group))
		return failed("%s: /proc/self/stat: %s", option->verb, strerror(errno));
	probe_group_name(group, name);
	if (snprintf(line, LINE, "%s:%s/%s %s", type, name, event, place_and_arguments) >= LINE)
		return probe_refuse(option, "it is longer than the kernel's limit of 4 KB");
	*err = tracefs_write_line(probe_file(group->kind), line);
	return 0;
}

int probe_make(const struct probe_option *option, struct probe_group *group, const char *type,
	       const char *event, const char *place_and_arguments)
{
	char line[LINE];
	int err, code = write_probe(option, group, type, event, place_and_arguments, line, &err);

	if (code)
		return code;
	return err ? refuse_line(option, group->kind, line, err) : 0;
}

int probe_try(const struct probe_option *option, struct probe_group *group, const char *type,
	      const char *event, const char *place_and_arguments, int *err)
{
	char line[LINE];

	return write_probe(option, group, type, event, place_and_arguments, line, err);
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

/* One of several places that a name or a line has can be chosen by its offset. */
static int refuse_ambiguous(const struct probe_option *option, const char *what,
			    const uint64_t *offsets, unsigned int count, unsigned int most)
{
	char list[512] = "";
	unsigned int i;

	for (i = 0; i < count && i < most; i++)
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s0x%" PRIx64,
			 i ? ", " : "", offsets[i]);
	return probe_refuse(option, "%s has %s%u places: %s%s (choose one: FILE:0xOFFSET)", what,
			    count > most ? "more than " : "", count > most ? most : count, list,
			    count > most ? ", ..." : "");
}

/* The offset in the file of a function, or of "0xOFFSET" */
static int find_function(const struct probe_option *option, const char *path, const char *function,
			 uint64_t *offset)
{
	struct suggestion suggestion;
	struct elf_places places = { .name = function, .suggestion = &suggestion };
	const char *why = NULL;
	char *end;

	suggestion_begin(&suggestion, function);
	if (!strncmp(function, "0x", 2)) {
		*offset = strtoull(function, &end, 16);
		return *end || end == function + 2 ?
		       probe_refuse(option, "%s: the offset is no number", path) : 0;
	}
	why = elf_functions(path, &places);
	if (why)
		return probe_refuse(option, "%s: %s%s", path, why, suggestion_text(&suggestion));
	if (places.count > 1)
		return refuse_ambiguous(option, function, places.offsets, places.count, ELF_PLACES);
	*offset = places.offsets[0];
	return 0;
}

/* "FUNCTION[+OFFSET]" */
static int find_in_function(const struct probe_option *option, const char *path, char *function,
			    uint64_t *offset)
{
	char *plus = strchr(function, '+'), *end;
	uint64_t more = 0;

	if (plus) {
		*plus++ = 0;
		more = strtoull(plus, &end, 0);
		if (*plus < '0' || *plus > '9' || *end)
			return probe_refuse(option, "the offset '%s' is no number", plus);
	}
	if (find_function(option, path, function, offset))
		return EXIT_USAGE;
	if (__builtin_add_overflow(*offset, more, offset))
		return probe_refuse(option, "the offset '%s' is too large", plus);
	return 0;
}

static bool is_return(const struct probe_text *probe)
{
	return probe->type[0] == 'r';
}

static int find_line(const struct probe_option *option, const char *path, const char *source,
		     const char *line, uint64_t *offset)
{
	const unsigned long number = strtoul(line, NULL, 10);
	struct line_places places;
	char what[PROBE_PLACE];
	const char *why;

	if (!number || number > INT_MAX)
		return probe_refuse(option, "the line '%s' is no number of a line", line);
	why = program_find_line(path, source, number, &places);
	if (why && places.next)
		return probe_refuse(option, "%s: %s, the next one with code is %u", path, why,
				    places.next);
	if (why)
		return probe_refuse(option, "%s: %s", path, why);
	if (places.count > 1) {
		snprintf(what, sizeof(what), "%s:%s", source, line);
		return refuse_ambiguous(option, what, places.offsets, places.count, LINE_PLACES);
	}
	*offset = places.offsets[0];
	return 0;
}

/* "FILE:FUNCTION[+OFFSET]", "FILE:0xOFFSET" or "FILE:SOURCE:LINE" */
static int find_place(const struct probe_option *option, const struct probe_text *probe,
		      char path[PATH_MAX], uint64_t *offset)
{
	char file[PROBE_PLACE], *last, *source = NULL;
	int code;

	snprintf(file, sizeof(file), "%s", probe->place);
	last = strrchr(file, ':');
	if (!last || !last[1])
		return probe_refuse(option, "a file and a function are needed "
				    "(FILE:FUNCTION[+OFFSET] or FILE:SOURCE:LINE)");
	*last++ = 0;
	if (probe_text_is_line(last))
		source = strrchr(file, ':');
	/* the kernel would replace a word of the function's stack as its return address */
	if (source && is_return(probe))
		return probe_refuse(option, "a source line has no return (FILE:FUNCTION%%return)");
	if (source)
		*source++ = 0;
	code = probe_file_path(option, file, path);
	if (code)
		return code;
	return source ? find_line(option, path, source, last, offset) :
	       find_in_function(option, path, last, offset);
}

/* Other values are in the registers by then. */
static const char *refuse_variable(void *context, const char *name, struct probe_variable *variable)
{
	(void)context, (void)name, (void)variable;
	return "at the return of a function, no argument is known ($retval is its result)";
}

static const char *replace_variables(struct probe_text *probe, struct program_place *place,
				     char arguments[PROBE_ARGUMENTS], char wrong[64])
{
	probe_variable_find *find = program_find_variable;
	void *context = place;

	if (!place->path) {
		find = btf_find_argument;
		context = probe->place;
	} else if (is_return(probe)) {
		find = refuse_variable;
	}
	return probe_variables_replace(probe->arguments, find, context, arguments, PROBE_ARGUMENTS,
				       wrong);
}

/*
 * The place and the arguments as tracefs takes them: of a program "FILE:0xOFFSET ARGUMENT...".
 */
static int print_place(const struct probe_option *option, struct probe_text *probe, char *to,
		       size_t room)
{
	struct program_place place = { };
	char path[PATH_MAX], arguments[PROBE_ARGUMENTS], wrong[64];
	const bool is_program = option->kind == PROBE_USER;
	const char *why;
	size_t used;
	int code = 0;

	if (is_program) {
		place.path = path;
		code = find_place(option, probe, path, &place.offset);
	}
	if (code)
		return code;
	why = replace_variables(probe, &place, arguments, wrong);
	if (why && wrong[0])
		return probe_refuse(option, "%s: %s", wrong, why);
	if (why)
		return probe_refuse(option, "%s", why);
	if (is_program)
		used = snprintf(to, room, "%s:0x%" PRIx64, path, place.offset);
	else
		used = snprintf(to, room, "%s", probe->place);
	if (used < room)
		used += snprintf(to + used, room - used, "%s%s", arguments[0] ? " " : "",
				 arguments);
	return used < room ? 0 : probe_refuse(option, "its path and its arguments are too long");
}

static int add_one(const struct probe_option *option)
{
	struct probe_group group = { .kind = option->kind };
	char name[PROBE_EVENT_NAME], event[PROBE_EVENT_NAME], line[LINE];
	struct probe_text probe;
	const char *why = probe_text_parse(&probe, option->kind, option->text);
	int code;

	if (why)
		return probe_refuse(option, "%s", why);
	code = print_place(option, &probe, line, sizeof(line));
	if (code)
		return code;
	probe_text_event(&probe, name);
	probe_free_name(option, &group, name, event);
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
