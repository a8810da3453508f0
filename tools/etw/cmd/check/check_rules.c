// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The rules of etw check, and how findings are printed. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "export/export.h"
#include "check.h"

/* Findings of one rule that are printed without --all */
#define SHOWN	20

enum severity {
	ALWAYS,		/* a violation in any file */
	HOUSE,		/* a violation in our files, a note in others */
	NOTE,
};

struct rule {
	enum severity severity;
	const char *text;
};

static const struct rule rules[RULES] = {
	[RULE_FIRST_BUFFER] = { ALWAYS, "the file starts with a buffer header" },
	[RULE_HEADER_BUFFER_TYPE] = { ALWAYS, "the first buffer is a header buffer" },
	[RULE_HEADER_BUFFER_CLEAR] = { ALWAYS, "the header buffer is not compressed" },
	[RULE_HEADER_BUFFER_WHOLE] = { ALWAYS, "the header buffer is whole" },
	[RULE_HEADER_BUFFER_END] = {
		HOUSE, "SavedOffset of the header buffer is the end of its records"
	},
	[RULE_FIRST_RECORD_SYSTEM] = { ALWAYS, "the first record is a SYSTEM record" },
	[RULE_FIRST_RECORD] = { ALWAYS, "the first record is the header event" },
	[RULE_HEADER_EVENT_VERSION] = {
		ALWAYS, "the header event has version 2, or 0 in the file of a private logger"
	},
	[RULE_HEADER_EVENT_STRINGS] = { ALWAYS, "the header event holds two terminated strings" },
	[RULE_POINTER_SIZE] = { ALWAYS, "PointerSize is that of the record" },
	[RULE_FREQUENCIES] = { HOUSE, "PerfFreq and CpuSpeedInMHz are not 0" },
	[RULE_PROCESSORS] = { ALWAYS, "NumberOfProcessors is above every processor index" },
	[RULE_BUFFERS_WRITTEN] = { ALWAYS, "BuffersWritten is the number of buffers" },
	[RULE_COMPRESSED_MODE] = { ALWAYS, "LogFileMode says whether buffers are compressed" },
	[RULE_END_TIME] = { ALWAYS, "EndTime is not before StartTime" },
	[RULE_HEADER_EVENT_TIME] = { HOUSE, "the header event has a time stamp" },
	[RULE_CLOCK_TYPE] = { ALWAYS, "the clock type is 1, 2 or 3" },
	[RULE_BUFFERS_FOLLOW] = { ALWAYS, "buffers follow each other to the end of the file" },
	[RULE_BUFFER_SIZE] = { HOUSE, "all buffers have the size in the header event" },
	[RULE_BUFFER_OFFSET] = { ALWAYS, "Offset is inside the buffer and a multiple of 8" },
	[RULE_SEQUENCE_INCREASES] = {
		HOUSE, "SequenceNumber increases per processor, up to BuffersWritten"
	},
	[RULE_PROCESSOR_FLAG] = { HOUSE, "the processor index is flagged as one" },
	[RULE_BUFFER_EMPTY] = { HOUSE, "no buffer is empty" },
	[RULE_TIME_ORDER] = { HOUSE, "the records of a processor are in order of time" },
	[RULE_BUFFER_FILL] = { HOUSE, "0xFF from Offset to the end of the buffer" },
	[RULE_RECORDS_END] = { ALWAYS, "records end exactly at Offset" },
	[RULE_RECORD_FLAG] = { ALWAYS, "the flag byte of a record is C0, or 9x" },
	[RULE_RECORD_TYPE] = { ALWAYS, "the header type of a record is known" },
	[RULE_MESSAGES] = { NOTE, "MESSAGE records: some readers don't know them" },
	[RULE_RECORD_ROOM] = { ALWAYS, "a record has room for its header and fits the buffer" },
	[RULE_ITEMS_ANNOUNCED] = {
		HOUSE, "version words announce inline items of PERFINFO records only"
	},
	[RULE_ITEM_CHAIN] = { ALWAYS, "the chain of extended items is whole" },
	[RULE_HOOK_GROUP] = { HOUSE, "hook ids are of known groups" },
	[RULE_OFFSETS_EQUAL] = { HOUSE, "SavedOffset = CurrentOffset = Offset" },
	[RULE_BUFFER_STATE] = { HOUSE, "ReferenceCount is 0 and State 3" },
	[RULE_BUFFER_UNUSED] = { HOUSE, "the unused words of buffer headers are 0" },
	[RULE_SEQUENCE_DENSE] = {
		HOUSE, "SequenceNumber is dense: 0 in the header buffer, then 1, 2, ..."
	},
	[RULE_BUFFER_TIME] = {
		HOUSE, "TimeStamp of buffers never decreases, and is 0 in the header buffer"
	},
	[RULE_BUFFER_FLAGS] = { HOUSE, "BufferFlag and BufferType are as they must be" },
	[RULE_LOGGER_ID] = { HOUSE, "LoggerId is one and the same" },
	[RULE_HEADER_EVENT_OURS] = { HOUSE, "the header event's fields are those of our streams" },
	[RULE_KNOWN_EVENT] = { HOUSE, "known events have their header, version and size" },
	[RULE_PROCESS_RECORD] = { HOUSE, "process records parse to their end" },
	[RULE_STRING_END] = { HOUSE, "strings end with the payload" },
	[RULE_SWITCH_CHAIN] = { HOUSE, "each context switch goes on from the one before" },
	[RULE_SWITCH_THREADS] = { NOTE, "threads of context switches are known" },
	[RULE_HAND_OVER] = { NOTE, "records are not later than their buffer's hand-over" },
	[RULE_OUR_EVENT_SIZE] = { HOUSE, "events of our provider have their size" },
	[RULE_EVENTS_LOST] = { NOTE, "EventsLost agrees with the loss records" },
	[RULE_CLOSED] = { NOTE, "the file is closed" },
	[RULE_SCHEDULER_VALUES] = { HOUSE, "values of scheduler events are in range" },
	[RULE_START_TIME] = { HOUSE, "records are not earlier than the start" },
	[RULE_FLUSH_MARKER] = { NOTE, "the last buffer of a closed file has the FLUSH_MARKER" },
	[RULE_COUNTERS_NUMBER] = {
		HOUSE, "the records of a hook carry one number of counters, or none"
	},
	[RULE_COUNTERS_ORDER] = {
		HOUSE, "the counters of a processor's context swaps never go back"
	},
	[RULE_COUNTERS_NAMES] = { HOUSE, "0x0F30 names each of the counters that records carry" },
	[RULE_PEBS] = { HOUSE, "PEBS indexes are in context swaps only and never go back" },
	[RULE_GIVEN_TIME] = { NOTE, "time stamps that a program may have given are in order" },
	[RULE_SYSTEM_PATHS] = {
		HOUSE, "SystemWindowsDirectory has two characters or more and ends with a separator"
	},
	[RULE_DESCRIBED] = { NOTE, "events have the payload that the file describes" },
};

static bool is_violation(const struct checker *checker, enum check_rule rule)
{
	enum severity severity = rules[rule].severity;

	return severity == ALWAYS || (severity == HOUSE && checker->ours);
}

static const char *severity_name(const struct checker *checker, enum check_rule rule)
{
	return is_violation(checker, rule) ? "violation" : "note";
}

/* Offsets are null for what concerns the whole file, or a whole buffer. */
static void finding_json(struct checker *checker, enum check_rule rule, const char *detail)
{
	printf("%s\n{\"severity\":\"%s\",\"rule\":%u,\"buffer\":", checker->printed++ ? "," : "",
	       severity_name(checker, rule), rule);
	if (checker->buffer)
		printf("%" PRIu64, checker->buffer->at);
	else
		fputs("null", stdout);
	if (checker->record_at)
		printf(",\"record\":%u,\"text\":", checker->record_at);
	else
		fputs(",\"record\":null,\"text\":", stdout);
	export_string(stdout, rules[rule].text);
	fputs(",\"detail\":", stdout);
	export_string(stdout, detail);
	putchar('}');
}

static void finding_text(const struct checker *checker, enum check_rule rule, const char *detail)
{
	printf("%s: rule %u: ", severity_name(checker, rule), rule);
	if (checker->buffer)
		printf("buffer 0x%" PRIx64 ": ", checker->buffer->at);
	if (checker->record_at)
		printf("record 0x%x: ", checker->record_at);
	printf("%s: %s\n", rules[rule].text, detail);
}

void finding(struct checker *checker, enum check_rule rule, const char *format, ...)
{
	bool violation = is_violation(checker, rule);
	char *detail = NULL;
	va_list arguments;

	if (violation)
		checker->violations++;
	else
		checker->notes++;
	if (++checker->of_rule[rule] > SHOWN && !checker->all)
		return;
	va_start(arguments, format);
	if (vasprintf(&detail, format, arguments) < 0)
		detail = NULL;
	va_end(arguments);
	if (checker->json)
		finding_json(checker, rule, detail ? detail : "");
	else
		finding_text(checker, rule, detail ? detail : "");
	free(detail);
}

void print_findings_left_out(const struct checker *checker)
{
	const char *before = "";
	unsigned int i;

	for (i = 0; i < RULES && !checker->all; i++) {
		if (checker->of_rule[i] <= SHOWN)
			continue;
		printf(checker->json ? "%s{\"severity\":\"%s\",\"rule\":%u,\"findings\":%" PRIu64 "}" :
				       "%s%s: rule %u: %" PRIu64 " more (--all shows them)\n",
		       before, severity_name(checker, i), i, checker->of_rule[i] - SHOWN);
		before = checker->json ? "," : "";
	}
}

static void print_rules_json(const char *const text[])
{
	const char *before = "[";
	unsigned int i;

	for (i = 0; i < RULES; i++) {
		if (!rules[i].text)
			continue;
		printf("%s{\"rule\":%u,\"severity\":\"%s\",\"text\":", before, i,
		       text[rules[i].severity]);
		export_string(stdout, rules[i].text);
		putchar('}');
		before = ",\n";
	}
	puts("]");
}

void print_rules(bool json)
{
	static const char *const text[] = {
		[ALWAYS] = "always", [HOUSE] = "ours", [NOTE] = "note",
	};
	unsigned int i;

	if (json) {
		print_rules_json(text);
		return;
	}
	for (i = 0; i < RULES; i++)
		if (rules[i].text)
			printf("%3u %-7s %s\n", i, text[rules[i].severity], rules[i].text);
}
