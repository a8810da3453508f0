// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw dump: XML as tracerpt writes it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "libetl/event_info.h"
#include "libetl/guids.h"
#include "libetl/text.h"
#include "dump.h"
#include "etw_abi.h"
#include "common/print_fields.h"

#define EVENT_SPACE	"http://schemas.microsoft.com/win/2004/08/events/event"
#define TRACE_SPACE	"http://schemas.microsoft.com/win/2004/08/events/trace"

static void put_escaped(const char *text)
{
	text_print_xml(text, strlen(text), stdout);
}

static void put_time(const struct line *line)
{
	uint64_t filetime = etl_filetime(&line->trace->log, line->record->time);
	int64_t units = (int64_t)(filetime - FILETIME_OF_UNIX);
	time_t seconds = units / 10000000;
	struct tm tm;
	char date[32];

	if (units < 0 || !gmtime_r(&seconds, &tm) ||
	    !strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm))
		snprintf(date, sizeof(date), "1601-01-01T00:00:00");
	printf("\t\t<TimeCreated SystemTime=\"%s.%09" PRId64 "Z\" />\n", date,
	       units < 0 ? 0 : units % 10000000 * 100);
}

static void put_guid(const struct etw_guid *guid)
{
	char text[GUID_TEXT];

	text_from_guid(guid, text);
	printf("{%s}", text);
}

/* What stands before the last slash of the event's name; a description has task and opcode */
static int provider_length(const struct line *line)
{
	bool described = event_info_of(line->record);
	const char *slash = described ? strchr(line->name, '/') : strrchr(line->name, '/');

	return slash ? slash - line->name : (int)strlen(line->name);
}

static void put_provider(const struct line *line, const struct etw_guid *class)
{
	char name[EVENT_NAME];

	snprintf(name, sizeof(name), "%.*s", provider_length(line), line->name);
	printf("\t\t<Provider Name=\"");
	put_escaped(class ? "MSNT_SystemTrace" : name);
	printf("\" Guid=\"");
	put_guid(class ? &system_trace_guid : &line->record->guid);
	puts("\" />");
}

static void put_execution(const struct line *line)
{
	const struct etl_record *record = line->record;
	/* kernel events without ids: consumers see -1 */
	uint32_t pid = record->has_ids ? record->process_id : NO_ID;
	uint32_t tid = record->has_ids ? record->thread_id : NO_ID;

	printf("\t\t<Execution ProcessID=\"%u\" ThreadID=\"%u\" ProcessorID=\"%u\" ", pid, tid,
	       line->buffer->processor);
	/* a private logger's two words are one number (format.rst 3.7) */
	if (line->trace->log.log_file_mode & EVENT_TRACE_PRIVATE_LOGGER_MODE)
		printf("ProcessorTime=\"%" PRIu64 "\" />\n",
		       record->kernel_time | (uint64_t)record->user_time << 32);
	else
		printf("KernelTime=\"%u\" UserTime=\"%u\" />\n", record->kernel_time,
		       record->user_time);
}

static void put_system(const struct line *line, const struct etw_guid *class, unsigned int opcode)
{
	const struct etl_record *record = line->record;
	static const struct etw_guid none;

	puts("\t<System>");
	put_provider(line, class);
	printf("\t\t<EventID>%u</EventID>\n\t\t<Version>%u</Version>\n\t\t<Level>%u</Level>\n"
	       "\t\t<Task>%u</Task>\n\t\t<Opcode>%u</Opcode>\n\t\t<Keywords>0x%" PRIx64
	       "</Keywords>\n", record->id, record->version, record->level, record->task, opcode,
	       record->keyword);
	put_time(line);
	printf("\t\t<Correlation ActivityID=\"");
	put_guid(record->header == ETL_EVENT ? &record->activity : &none);
	puts("\" />");
	put_execution(line);
	puts("\t\t<Channel />\n\t\t<Computer />\n\t</System>");
}

static void put_data(const struct line *line)
{
	const struct field *field = line->fields.field;
	char *text = NULL;
	size_t size = 0;
	unsigned int i;
	FILE *memory;

	puts("\t<EventData>");
	for (i = 0; i < line->fields.count; i++, field++) {
		memory = open_memstream(&text, &size);
		if (!memory)
			break;
		field_value(field, memory);
		fclose(memory);
		printf("\t\t<Data Name=\"");
		put_escaped(field->name);
		printf("\">");
		text_print_xml(text, size, stdout);
		puts("</Data>");
		free(text);
	}
	puts("\t</EventData>");
}

static void put_rendering(const struct line *line, const struct etw_guid *class)
{
	int length = provider_length(line);
	char name[EVENT_NAME];

	snprintf(name, sizeof(name), "%.*s", length, line->name);
	printf("\t<RenderingInfo Culture=\"en-US\">\n\t\t<Opcode>");
	put_escaped(line->name + length + (line->name[length] == '/'));
	printf("</Opcode>\n\t\t<Provider>MSNT_SystemTrace</Provider>\n\t\t"
	       "<EventName xmlns=\"" TRACE_SPACE "\">");
	put_escaped(name);
	printf("</EventName>\n\t</RenderingInfo>\n\t<ExtendedTracingInfo xmlns=\"" TRACE_SPACE
	       "\">\n\t\t<EventGuid>");
	put_guid(class);
	puts("</EventGuid>\n\t</ExtendedTracingInfo>");
}

void dump_print_xml(struct line *line)
{
	const struct etw_guid *class = NULL;
	unsigned int opcode = line->record->opcode;
	uint16_t hook_id;

	if (hook_of(line->record, &hook_id)) {
		class = guid_of_hook(hook_id);
		opcode = hook_id & 0xFF;
		/* classes without a group, and groups without a class */
		if (!class)
			class = &line->record->guid;
	}
	puts("<Event xmlns=\"" EVENT_SPACE "\">");
	put_system(line, class, opcode);
	put_data(line);
	if (class)
		put_rendering(line, class);
	puts("</Event>");
}

void dump_xml_head(void)
{
	puts("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Events>");
}

void dump_xml_tail(void)
{
	puts("</Events>");
}
