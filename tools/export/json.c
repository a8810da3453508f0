// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export: events in the syntax of the Trace Event Format. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/event_names.h"
#include "libetl/text.h"
#include "export.h"

void export_text(FILE *to, const char *text, size_t size)
{
	const char *end = text + size;

	putc('"', to);
	for (; text < end; text++) {
		unsigned char c = *text;

		if (c == '"' || c == '\\')
			fprintf(to, "\\%c", c);
		else if (c < ' ' || c == 0x7F)
			fprintf(to, "\\u%04x", c);
		else
			putc(c, to);
	}
	putc('"', to);
}

void export_string(FILE *to, const char *text)
{
	export_text(to, text, strlen(text));
}

/* Not by floating point: after 104 days a double has no ns any more. */
void export_microseconds(FILE *to, int64_t ns)
{
	uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

	fprintf(to, "%s%" PRIu64 ".%03" PRIu64, ns < 0 ? "-" : "", size / 1000, size % 1000);
}

int64_t export_ns(const struct export *export, uint64_t time)
{
	const struct etl_logfile *log = &export->trace->log;
	uint64_t ns = (uint64_t)etl_nanoseconds(log, time) -
		      (uint64_t)etl_nanoseconds(log, export->begin);

	/* only a damaged stamp is before the oldest record, and viewers refuse negative ones */
	return (int64_t)ns < 0 ? 0 : ns;
}

void export_event(struct export *export, const char *phase, const char *name, uint32_t pid,
		  uint32_t tid, int64_t ns)
{
	fputs(export->events++ ? ",\n{\"ph\":\"" : "\n{\"ph\":\"", export->to);
	fputs(phase, export->to);
	fputs("\",\"name\":", export->to);
	export_string(export->to, name);
	fprintf(export->to, ",\"pid\":%u,\"tid\":%u,\"ts\":", pid, tid);
	export_microseconds(export->to, ns);
}

void export_end_event(struct export *export)
{
	putc('}', export->to);
}

static void text_member(struct export *export, const char *name, const char *value)
{
	export_string(export->to, name);
	putc(':', export->to);
	export_string(export->to, value);
	putc(',', export->to);
}

void export_head(struct export *export)
{
	const struct etl_logfile *log = &export->trace->log;
	char text[3 * 256 + 1] = "";

	fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{", export->to);
	if (log->name)
		text_from_utf16(export->trace->bytes + log->name, log->name_size - 2, text,
				sizeof(text));
	text_member(export, "session", text);
	text_from_filetime(etl_filetime(log, export->begin), text, sizeof(text));
	text_member(export, "started (UTC)", text);
	text_member(export, "clock", clock_name(log->clock_type) ? clock_name(log->clock_type) :
		    "unknown");
	fprintf(export->to, "\"ticks per second\":%" PRIu64 ",\"processors\":%u,"
		"\"events lost\":%u,\"buffers lost\":%u},\n\"traceEvents\":[", etl_frequency(log),
		log->number_of_processors, export->events_lost, log->buffers_lost);
}

void export_tail(struct export *export)
{
	fputs("\n]", export->to);
	if (export->put_frames)
		export->put_frames(export->stacks, export->to);
	fputs("}\n", export->to);
}
