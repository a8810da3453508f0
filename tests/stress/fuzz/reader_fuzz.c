// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * libFuzzer target: any bytes as a trace, read and printed as etw dump does.
 *
 * The input is the file: nothing of it is anything else. What holds for all
 * that is read is checked on the way: views lie inside the file or inside what
 * was decompressed, and the merge ends. Messages of one GUID are known, by numbers
 * 0 to 9. What is no trace is read as a TMF file, and its messages get arguments out of it; or as
 * a binary template of a manifest, or a PE file with one, whose events get data out of it.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmd/dump/dump.h"
#include "etw.h"
#include "manifest/wevt.h"
#include "tmf/tmf.h"
#include "must.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The tool's messages: a fuzzer makes too many. */
int failed(const char *format, ...)
{
	(void)format;
	return EXIT_FAILED;
}

void warn(const char *format, ...)
{
	(void)format;
}

static const char messages[] =
	"03020100-0504-0706-0809-0a0b0c0d0e0f fuzz // SRC=a.c\n"
	"#typev a_c1 0 \"%0%10!*.*d! %13!-*x! %15!hho! %16!c!\" // LEVEL=x FLAGS=y FUNC=f\n{\n"
	"A, ItemLong -- 10\nA, ItemLong -- 11\nA, ItemLong -- 12\nA, ItemLong -- 13\n"
	"A, ItemLongLongX -- 14\nA, ItemShort -- 15\nA, ItemUChar -- 16\n}\n"
	"#typev a_c2 1 \"%10!s! %11!-20.3s! %12!s! %13!.*s!\"\n{\n"
	"A, ItemString -- 10\nA, ItemWString -- 11\nA, ItemPString -- 12\nA, ItemLong -- 13\n"
	"A, ItemString -- 14\n}\n"
	"#typev a_c3 2 \"%10!*.*f! %13!a! %14!g!\"\n{\n"
	"A, ItemLong -- 10\nA, ItemLong -- 11\nA, ItemDouble -- 12\nA, ItemDouble -- 13\n"
	"A, ItemFloat -- 14\n}\n"
	"#typev a_c4 3 \"%10!p! %11!20p! %12!s! %13!s! %1 %2 %3 %7 %8 %!FUNC!\"\n{\n"
	"A, ItemPtr -- 10\nA, ItemPtr -- 11\nA, ItemHEXDump -- 12\nA, ItemGuid -- 13\n}\n"
	"#typev a_c5 4 \"%10!s! %11!s! %12!s! %13!s! %14!s! %15!d!\"\n{\n"
	"A, ItemListLong(A,B) -- 10\nA, ItemNTSTATUS -- 11\nA, ItemIPAddr -- 12\n"
	"A, ItemPort -- 13\nA, ItemTimestamp -- 14\nA, ItemPWString -- 15\n}\n"
	"#typev a_c6 5 \"%10!s!%10!s!%10!s!%10!s!%10!s!%10!s!\"\n{\nA, ItemWString -- 10\n}\n"
	"#typev a_c7 6 \"%99!d! %10 %11! %!x %\"\n{\nA, ItemULong -- 10\n}\n"
	"#typev a_c8 7 \"%10!d! %11!s!\"\n{\nA, ItemLong -- 10\nA, ItemMystery -- 11\n}\n"
	"#typev a_c9 8 \"%10!s! %11!S! %12!s! %13!x! %14!-9s!\"\n{\n"
	"A, ItemSetLong(A,B=9) -- 10\nA, ItemSetByte(C) -- 11\nA, ItemEnum(_E) -- 12\n"
	"A, ItemFlagsEnum(_E) -- 13\nA, ItemFlagsEnum(_E) -- 14\n}\n"
	"#enumv _E\n{\nZERO,0x0\nTHREE,0x3\nLAST,0xFFFFFFFF\n}\n"
	"#typev a_c10 9 \"%10!s! %11!s! %12!s! %13!s! %14!c! [%9!d!]%8!04X!.%3!04X!::%4!s! %7!S!\"\n"
	"{\nA, ItemSid -- 10\nA, ItemTimeDelta -- 11\nA, ItemChar4 -- 12\nA, ItemMACAddr -- 13\n"
	"A, ItemIPV6Addr -- 14\n}\n";
static struct tmf known;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	FILE *from = fmemopen((void *)messages, strlen(messages), "r");

	(void)argc;
	(void)argv;
	MUST(freopen("/dev/null", "w", stdout));
	MUST(from && tmf_parse(&known, from, "fuzz"));
	fclose(from);
	tmf_ready(&known);
	MUST(known.count == 10 && known.nr_enumerations == 1);
	return 0;
}

/* A record at least every 8 bytes of what is there, decompressed */
static uint64_t most_records(const struct trace *trace)
{
	uint64_t bytes = 0;
	size_t i;

	for (i = 0; i < trace->count; i++)
		bytes += decompressed_size(&trace->buffers[i]) + trace->buffers[i].header.buffer_size;
	return bytes / 8;
}

static void check_line(const struct line *line)
{
	const struct etl_record *record = line->record;
	const uint8_t *begin = line->buffer->bytes, *end = begin + line->buffer->end;

	MUST(record->payload >= begin && record->payload <= end);
	MUST(record->payload_size <= (size_t)(end - record->payload));
	MUST(record->size <= ETW_MAX_RECORD && record->nr_counters <= ETL_MAX_COUNTERS);
	MUST(line->fields.count <= MAX_FIELDS && line->fields.used <= FIELD_TEXT);
	MUST(memchr(line->name, 0, sizeof(line->name)));
}

static void print(struct line *line, unsigned int how)
{
	static void (*const prints[])(struct line *line) = {
		dump_print_text, dump_print_json, dump_print_csv, dump_print_xml,
	};

	event_name(line->record, line->name, sizeof(line->name));
	fields_reset(&line->fields);
	dump_header_fields(line);
	if (!tmf_decode(&known, line->record, &line->trace->log, line->buffer->processor,
			&line->fields))
		decode_payload(line->record, &line->fields);
	check_line(line);
	prints[how % 4](line);
}

static void read_trace(const struct trace *trace)
{
	static struct line line;
	uint64_t most = most_records(trace), records = 0;
	struct merge merge;

	line.trace = trace;
	MUST(!merge_begin(&merge, trace, trace->size & 1));
	while (merge_next(&merge, &line.record, &line.buffer)) {
		MUST(records++ < most);
		print(&line, records + most);
	}
	MUST(merge.room <= 1ull << 30);
	merge_warn(&merge);
	merge_end(&merge);
}

/* A record of the message with the end of the input as its arguments */
static void decode_message(const struct tmf *tmf, const struct tmf_message *message,
			   const uint8_t *data, size_t size)
{
	size_t length = size < 200 ? size : 200;
	uint8_t *payload = malloc(length);
	struct etl_record record = {
		.header = ETL_MESSAGE, .guid = message->guid, .id = message->number,
		.flags = 0xFF, .has_time = true, .has_ids = true, .pointer_size = 4 + 4 * (size & 1),
		.payload = payload, .payload_size = length,
	};
	static const struct etl_logfile log;
	static struct fields fields;

	memcpy(payload, data + size - length, length);
	fields_reset(&fields);
	MUST(tmf_decode(tmf, &record, &log, 1, &fields));
	MUST(fields.count && fields.count <= MAX_FIELDS && fields.used <= FIELD_TEXT);
	free(payload);
}

/* The messages that are read of it can be found, and print any arguments. */
static void read_tmf(const uint8_t *data, size_t size)
{
	FILE *from = fmemopen((void *)data, size, "r");
	struct tmf tmf = { };
	size_t i;

	MUST(from);
	MUST(tmf_parse(&tmf, from, "fuzz"));
	fclose(from);
	tmf_ready(&tmf);
	for (i = 0; i < tmf.count; i++) {
		MUST(tmf_find(&tmf, &tmf.messages[i].guid, tmf.messages[i].number));
		if (i < 8)
			decode_message(&tmf, &tmf.messages[i], data, size);
	}
	tmf_free(&tmf);
}

/* The end of the input is the data of the events that it describes. */
static void read_template(const uint8_t *bytes, size_t size)
{
	struct event_infos *infos = calloc(1, sizeof(*infos));
	struct etl_record record = {
		.header = ETL_EVENT, .has_time = true, .has_ids = true, .infos = infos,
		.pointer_size = 4 + 4 * (size & 1), .payload = bytes + size - (size < 60 ? size : 60),
		.payload_size = size < 60 ? size : 60,
	};
	static struct fields fields;
	char name[EVENT_NAME];
	size_t i;

	MUST(infos);
	wevt_read_bytes(infos, "fuzz", bytes, size);
	MUST(!event_infos_finish(infos));
	for (i = 0; i < infos->map.count && i < 16; i++) {
		record.guid = infos->info[i].provider;
		record.id = infos->info[i].id;
		record.version = infos->info[i].version;
		fields_reset(&fields);
		MUST(event_info_name(&record, name, sizeof(name)));
		MUST(event_info_decode(&record, &fields));
		MUST(fields.count <= MAX_FIELDS && fields.used <= FIELD_TEXT);
	}
	event_infos_free(infos);
}

/* In memory of its own, so that a byte too far is seen. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trace trace = { .name = "fuzz", .size = size, .bytes = malloc(size ? size : 1) };

	memcpy((void *)trace.bytes, data, size);
	if (!etl_logfile_of(trace.bytes, trace.size, &trace.log) && !trace_index(&trace)) {
		trace_warn(&trace);
		MUST(trace.count && trace.end <= trace.size);
		MUST(!trace_describe(&trace));
		read_trace(&trace);
	}
	if (size > 4 && (!memcmp(data, "MZ", 2) || !memcmp(data, "CRIM", 4)))
		read_template(trace.bytes, size);
	trace_close(&trace);
	if (size && memcmp(data, "\0", 1))
		read_tmf(data, size);
	return 0;
}
