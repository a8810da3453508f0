// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Fields of tracepoints, from the format files of tracefs, which recordings contain, too. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#ifdef ETW_HAVE_TRACEEVENT
#include <traceevent/event-parse.h>
#endif
#include <unistd.h>
#include "import_limits.h"
#include "libetl/event_header.h"
#include "libetl/name_guid.h"
#include "libetl/typed.h"
#include "probe_group.h"
#include "trace_formats.h"

static const char magic[] = "\x17\x08\x44tracing";

#ifdef ETW_HAVE_TRACEEVENT

/* A field's data is in 64 KB; a format with more fields than this is none */
#define MOST_FIELDS	256

/* A format without its last part, which says how to print the fields and is not needed */
#define PRINT		"\nprint fmt:"
#define NO_PRINT	"\nprint fmt: \"\"\n"

static bool is_text(const char *type)
{
	return strstr(type, "char") && !strstr(type, "unsigned char");
}

/*
 * Bytes of an element of a dynamic array, or of one in a probe's event, where tracefs prints "u16
 * name[]"; its type may be all that libtraceevent knows of it
 */
static uint32_t element_of(const struct tep_format_field *from)
{
	static const struct {
		const char *word;
		uint32_t size;
	} types[] = {
		{ "64", 8 }, { "long long", 8 }, { "32", 4 }, { "16", 2 }, { "short", 2 },
		{ "unsigned int", 4 }, { " int[", 4 }, { "pid_t", 4 },
	};
	uint32_t word = tep_get_long_size(from->event->tep);
	size_t i;

	if (from->elementsize == 2 || from->elementsize == 4 || from->elementsize == 8)
		return from->elementsize;
	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strstr(from->type, types[i].word))
			return types[i].size;
	if (strstr(from->type, "long") || strstr(from->type, "cpumask") ||
	    strchr(from->type, '*'))
		return word == 4 ? 4 : 8;
	return 1;
}

static void classify(struct trace_field *field, const struct tep_format_field *from)
{
	bool array = from->flags & TEP_FIELD_IS_ARRAY;

	if (from->flags & TEP_FIELD_IS_DYNAMIC) {
		field->kind = field->size != 4 ? TRACE_NUMBERS :
			      from->flags & TEP_FIELD_IS_RELATIVE ? TRACE_FROM : TRACE_AT;
		field->text = is_text(from->type);
		field->element = field->text ? 1 : element_of(from);
	} else if (array && is_text(from->type)) {
		field->kind = TRACE_TEXT;
	} else if (!array && (field->size == 1 || field->size == 2 || field->size == 4 ||
			      field->size == 8)) {
		field->kind = TRACE_NUMBER;
	} else {
		field->kind = TRACE_NUMBERS;
		field->element = !array ? 1 : strstr(from->type, "[]") ? element_of(from) :
								 from->elementsize;
		if ((field->element != 2 && field->element != 4 && field->element != 8) ||
		    field->size % field->element)
			field->element = 1;
	}
}

static bool is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(name, *names))
			return true;
	return false;
}

static bool ends(const char *name, const char *end)
{
	size_t length = strlen(name), tail = strlen(end);

	return length >= tail && !strcmp(name + length - tail, end);
}

/* Whether addresses in the system's events are those of programs */
static bool is_of_programs(const char *system)
{
	struct probe_group group;

	return !strcmp(system, "syscalls") ||
	       (probe_group_parse(system, &group) && group.kind != PROBE_KERNEL);
}

/* Pointers and flags are shown in hexadecimal. Events contain addresses of code as numbers, too. */
static void choose_out(struct trace_field *field, const struct tep_format_field *from)
{
	static const char *const code[] = {
		"__probe_ip", "__probe_func", "__probe_ret_ip", "call_site", "caller", "caller_ip",
		"callsite", "callback", "function", "ip", "parent_ip", NULL
	};
	bool pointer, code_address;

	if (field->kind != TRACE_NUMBER)
		return;
	pointer = field->size >= 4 && from->flags & TEP_FIELD_IS_POINTER;
	code_address = field->size == 8 && is_one_of(field->name, code);
	field->is_address = (pointer || code_address) && !is_of_programs(from->event->system);
	if (pointer || code_address || ends(field->name, "flags"))
		field->out = OUT_HEX;
	else if (field->size == 1 && (!strcmp(from->type, "bool") || !strcmp(from->type, "_Bool")))
		field->out = OUT_BOOLEAN;
	else if (field->size == 4 && (!strcmp(from->type, "pid_t") ||
				      !strcmp(field->name, "pid") || ends(field->name, "_pid")))
		field->out = OUT_PID;
}

/* Return: false: it is none that a record can contain */
static bool read_field(const struct tep_format_field *from, struct trace_field *field)
{
	*field = (struct trace_field){ .is_signed = from->flags & TEP_FIELD_IS_SIGNED };
	if (from->offset < 0 || from->offset > 0xFFFF || from->size < 0 || from->size > 0xFFFF)
		return false;
	field->offset = from->offset;
	field->size = from->size;
	snprintf(field->name, sizeof(field->name), "%.63s", from->name);
	classify(field, from);
	choose_out(field, from);
	return field->name[0];
}

static bool is_in_header(const struct trace_field *field)
{
	return !strcmp(field->name, "common_type") || !strcmp(field->name, "common_pid");
}

static bool add_field(struct trace_format *format, const struct trace_field *field)
{
	struct trace_field *more;

	if (is_in_header(field) || format->count == MOST_FIELDS)
		return true;
	more = reallocarray(format->fields, format->count + 1, sizeof(*more));
	if (!more)
		return false;
	format->fields = more;
	more[format->count++] = *field;
	return true;
}

static bool add_fields(struct trace_format *format, const struct tep_format_field *from)
{
	struct trace_field field;

	for (; from; from = from->next)
		if (read_field(from, &field) && !add_field(format, &field))
			return false;
	return true;
}

/*
 * An event of user_events with an EventHeader goes on behind its fields, of which the last one is
 * the level: LinuxTracepoints writes names, types and values there.
 */
static bool add_event_header(struct trace_format *format, const char *system)
{
	const struct trace_field *last = format->count ? &format->fields[format->count - 1] : NULL;
	struct trace_field field = {
		.name = EVENT_HEADER_DATA, .element = 1, .kind = TRACE_NUMBERS,
	};

	if (!last || strcmp(system, "user_events") || strcmp(last->name, "level") ||
	    !trace_field_of(format, EVENT_HEADER_FLAGS))
		return true;
	field.offset = last->offset + last->size;
	return add_field(format, &field);
}

static void name_provider(struct trace_format *format, const struct tep_event *event)
{
	struct probe_group group;

	if (probe_group_parse(event->system, &group))
		probe_group_provider(&group, event->name, format->provider_name,
				     sizeof(format->provider_name));
	else
		snprintf(format->provider_name, sizeof(format->provider_name), "Linux.%.60s",
			 event->system);
	format->provider = guid_of_name(format->provider_name);
}

/* Return: NULL, or why not */
static const char *add_format(struct trace_formats *formats, const struct tep_event *event)
{
	struct trace_format *format;
	size_t i = map_add(&formats->ids, event->id);

	/* of two formats with one id, the first counts */
	if (i < formats->count)
		return NULL;
	if (i == MAP_NONE || !map_make_room((void **)&formats->formats, i, sizeof(format)))
		return "out of memory";
	format = calloc(1, sizeof(*format));
	if (!format)
		return "out of memory";
	formats->formats[formats->count++] = format;
	format->id = event->id;
	snprintf(format->name, sizeof(format->name), "%.60s:%.255s", event->system, event->name);
	name_provider(format, event);
	return add_fields(format, event->format.common_fields) &&
	       add_fields(format, event->format.fields) &&
	       add_event_header(format, event->system) ? NULL : "out of memory";
}

/*
 * The last field of events of ftrace itself goes on to the end of the record, whatever its format
 * says: a text, or addresses of a stack.
 */
static void extend_last(struct trace_format *format, const char *system)
{
	struct trace_field *last = format->count ? &format->fields[format->count - 1] : NULL;

	if (last && !strcmp(system, "ftrace") &&
	    (last->kind == TRACE_TEXT || last->kind == TRACE_NUMBERS))
		last->size = 0;
}

const struct trace_format *trace_formats_add_event(struct trace_formats *formats,
						   const struct tep_event *event)
{
	struct trace_format *format;
	size_t i;

	if (add_format(formats, event))
		return NULL;
	i = map_find(&formats->ids, event->id);
	if (i >= formats->count)
		return NULL;
	format = formats->formats[i];
	extend_last(format, event->system);
	return format;
}

/* Return: NULL, or why not. libtraceevent keeps the event. */
static const char *read_format(struct trace_formats *formats, struct tep_handle *tep,
			       const char *system, const char *text, size_t size)
{
	const char *end = memmem(text, size, PRINT, sizeof(PRINT) - 1), *why = NULL;
	size_t length = end ? (size_t)(end - text) : size;
	struct tep_event *event = NULL;
	char *format;

	/* zeros end the text for libtraceevent, which would read on behind them */
	length = strnlen(text, length);
	format = malloc(length + sizeof(NO_PRINT));
	if (!format)
		return "out of memory";
	memcpy(format, text, length);
	memcpy(format + length, NO_PRINT, sizeof(NO_PRINT));
	tep_parse_format(tep, &event, format, length + sizeof(NO_PRINT) - 1, system);
	if (event && event->id && event->name && event->system)
		why = add_format(formats, event);
	free(format);
	return why;
}

const char *trace_formats_add_text(struct trace_formats *formats, const char *system,
				   const char *text, size_t size)
{
	struct tep_handle *tep = tep_alloc();
	const char *why;

	if (!tep)
		return "out of memory";
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(tep, sizeof(long));
	why = read_format(formats, tep, system, text, size);
	tep_free(tep);
	return why;
}

static const char *read_systems(struct trace_formats *formats, struct tep_handle *tep,
				struct piece *piece)
{
	uint32_t systems = piece_u32(piece), events;
	const char *system, *why;
	const uint8_t *text;
	uint64_t size;

	while (systems--) {
		system = piece_string(piece);
		for (events = piece_u32(piece); events--;) {
			size = piece_u64(piece);
			text = piece_take(piece, size);
			if (!text || !system)
				return "a format of a tracepoint is cut";
			why = read_format(formats, tep, system, (const char *)text, size);
			if (why)
				return why;
		}
		if (piece->bad)
			return "the list of tracepoints is cut";
	}
	return NULL;
}

static const char *read_all(struct trace_formats *formats, struct piece *piece)
{
	struct tep_handle *tep;
	const char *why;
	uint32_t files;
	uint8_t size;

	piece_string(piece);
	if (piece_u8(piece))
		return "the tracing data is big-endian";
	size = piece_u8(piece);
	/* size of a page, "header_page", "header_event" */
	piece_u32(piece);
	piece_string(piece);
	piece_take(piece, piece_u64(piece));
	piece_string(piece);
	piece_take(piece, piece_u64(piece));
	for (files = piece_u32(piece); files-- && !piece->bad;)
		piece_take(piece, piece_u64(piece));
	if (piece->bad)
		return "the tracing data is cut";
	tep = tep_alloc();
	if (!tep)
		return "out of memory";
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(tep, size);
	why = read_systems(formats, tep, piece);
	tep_free(tep);
	return why;
}

/* In the child: a crash ends it at once, also where a sanitizer or a fuzzer has handlers. */
static void default_signals(void)
{
	static const int fatal[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE };
	size_t i;

	for (i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		signal(fatal[i], SIG_DFL);
}

/*
 * libtraceevent 1.7 crashes on some damaged formats, and others may take all time or memory. So a
 * child process reads them first.
 */
static bool can_be_read(struct trace_formats *formats, struct piece piece)
{
	pid_t child = fork();
	int status = 0;

	if (!child) {
		default_signals();
		import_limit_library(piece.left);
		read_all(formats, &piece);
		_exit(0);
	}
	while (child > 0 && waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return child > 0 && !status;
}

const char *trace_formats_read(struct trace_formats *formats, struct piece *piece)
{
	const uint8_t *begin = piece_take(piece, sizeof(magic) - 1);

	if (formats->count)
		return "the file has tracing data before";
	if (!begin || memcmp(begin, magic, sizeof(magic) - 1))
		return "the tracing data has no magic number";
	if (!can_be_read(formats, *piece))
		return "libtraceevent crashes on the formats of the tracepoints, or does not come to an end";
	return read_all(formats, piece);
}

#else

static const char without[] =
	"this etw was built without libtraceevent (Debian: libtraceevent-dev)";

const char *trace_formats_read(struct trace_formats *formats, struct piece *piece)
{
	(void)formats;
	(void)piece;
	return without;
}

const char *trace_formats_add_text(struct trace_formats *formats, const char *system,
				   const char *text, size_t size)
{
	(void)formats;
	(void)system;
	(void)text;
	(void)size;
	return without;
}

#endif

const struct trace_format *trace_format_of(const struct trace_formats *formats, uint64_t id)
{
	size_t i = map_find(&formats->ids, id);

	return i < formats->count ? formats->formats[i] : NULL;
}

const char *trace_event_name(const struct trace_format *format)
{
	const char *colon = format->provider_name[0] ? strchr(format->name, ':') : NULL;

	return colon ? colon + 1 : format->name;
}

bool trace_formats_begin(const uint8_t *bytes, uint64_t size)
{
	return size >= sizeof(magic) - 1 && !memcmp(bytes, magic, sizeof(magic) - 1);
}

const struct trace_format *trace_formats_add(struct trace_formats *formats, const char *name,
					     const struct trace_field *fields, size_t count)
{
	size_t i = map_add(&formats->ids, formats->count + 1);
	struct trace_format *format;

	if (i != formats->count || !map_make_room((void **)&formats->formats, i, sizeof(format)))
		return NULL;
	format = calloc(1, sizeof(*format));
	if (!format)
		return NULL;
	formats->formats[formats->count++] = format;
	format->id = formats->count;
	snprintf(format->name, sizeof(format->name), "%s", name);
	format->fields = calloc(count + 1, sizeof(*fields));
	if (!format->fields)
		return NULL;
	memcpy(format->fields, fields, count * sizeof(*fields));
	format->count = count;
	return format;
}

void trace_formats_free(struct trace_formats *formats)
{
	size_t i;

	for (i = 0; i < formats->count; i++) {
		free(formats->formats[i]->fields);
		free(formats->formats[i]);
	}
	free(formats->formats);
	map_free(&formats->ids);
	*formats = (struct trace_formats){ };
}
