// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Messages of WPP: their properties are those that Windows has for all messages. Their values are
 * not in the payload; they are made from the record and a TMF file, one behind another.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "libetl/event_info_form.h"
#include "libetl/text.h"
#include "manifest/manifest.h"
#include "record_of.h"
#include "tdh_private.h"
#include "tdh_tmf.h"

/* Seconds from 1601, of FILETIME, to 1970 */
#define SECONDS_TO_UNIX	11644473600ull
#define FILETIME_SECOND	10000000ull
/* EVENT_HEADER: the record has no such id */
#define NO_ID		0xFFFFFFFFu

/* In the order in which put_values() writes the values */
static const struct {
	const char *name;
	USHORT in;
} properties[] = {
	{ "Version", TDH_INTYPE_UINT32 },
	{ "TraceGuid", TDH_INTYPE_GUID },
	{ "GuidName", TDH_INTYPE_UNICODESTRING },
	{ "GuidTypeName", TDH_INTYPE_UNICODESTRING },
	{ "ThreadId", TDH_INTYPE_UINT32 },
	{ "SystemTime", TDH_INTYPE_SYSTEMTIME },
	{ "UserTime", TDH_INTYPE_UINT32 },
	{ "KernelTime", TDH_INTYPE_UINT32 },
	{ "SequenceNum", TDH_INTYPE_UINT32 },
	{ "ProcessId", TDH_INTYPE_UINT32 },
	{ "CpuNumber", TDH_INTYPE_UINT32 },
	{ "Indent", TDH_INTYPE_UINT32 },
	{ "FlagsName", TDH_INTYPE_UNICODESTRING },
	{ "LevelName", TDH_INTYPE_UNICODESTRING },
	{ "FunctionName", TDH_INTYPE_UNICODESTRING },
	{ "ComponentName", TDH_INTYPE_UNICODESTRING },
	{ "SubComponentName", TDH_INTYPE_UNICODESTRING },
	{ "FormattedString", TDH_INTYPE_UNICODESTRING },
	{ "RawSystemTime", TDH_INTYPE_FILETIME },
	{ "ProviderGuid", TDH_INTYPE_GUID },
};

#define PROPERTIES	(sizeof(properties) / sizeof(properties[0]))

/**
 * struct wpp - a message that is being described
 * @event: the event
 * @contexts: of the caller
 * @message: what the TMF file has of it
 * @record: the event as the reader of files has it
 * @blob: the description, then the values
 * @good: there was memory so far
 */
struct wpp {
	const EVENT_RECORD *event;
	const struct tdh_contexts *contexts;
	const struct tmf_message *message;
	struct etl_record record;
	struct blob blob;
	bool good;
};

static void add(struct wpp *wpp, const void *from, size_t size)
{
	wpp->good = wpp->good && blob_add(&wpp->blob, from, size);
}

static void add_number(struct wpp *wpp, uint32_t number)
{
	add(wpp, &number, sizeof(number));
}

/* @place: of the text's offset */
static void add_text(struct wpp *wpp, const char *text, size_t place)
{
	wpp->good = wpp->good && blob_text(&wpp->blob, text, place);
}

/* A value, to which no offset refers. A character of UTF-8 has as many bytes as units, or more. */
static void add_string(struct wpp *wpp, const char *text)
{
	size_t units = strlen(text) + 1, at = wpp->blob.size;
	uint16_t *to;

	add(wpp, NULL, 2 * units);
	if (!wpp->good)
		return;
	to = (uint16_t *)(wpp->blob.bytes + at);
	wpp->blob.size = at + 2 * (text_to_utf16(text, to, units - 1) + 1);
}

/* A stamp outside the calendar is shown as zeros. */
static void add_system_time(struct wpp *wpp)
{
	uint64_t time = wpp->event->EventHeader.TimeStamp.QuadPart;
	time_t seconds = (time_t)(time / FILETIME_SECOND) - (time_t)SECONDS_TO_UNIX;
	uint16_t fields[8] = { };
	struct tm tm;

	if (wpp->contexts->gmt ? gmtime_r(&seconds, &tm) : localtime_r(&seconds, &tm)) {
		fields[0] = tm.tm_year + 1900;
		fields[1] = tm.tm_mon + 1;
		fields[2] = tm.tm_wday;
		fields[3] = tm.tm_mday;
		fields[4] = tm.tm_hour;
		fields[5] = tm.tm_min;
		fields[6] = tm.tm_sec;
		fields[7] = time % FILETIME_SECOND / 10000;
	}
	add(wpp, fields, sizeof(fields));
}

static uint32_t processor_of(const EVENT_RECORD *event)
{
	return event->EventHeader.Flags & EVENT_HEADER_FLAG_PROCESSOR_INDEX ?
	       event->BufferContext.ProcessorIndex : event->BufferContext.ProcessorNumber;
}

/* EVENT_RECORD has the number of a message in an item. */
static void take_sequence(struct wpp *wpp)
{
	const EVENT_RECORD *event = wpp->event;
	EVENT_EXTENDED_ITEM_INSTANCE instance;
	USHORT i;

	for (i = 0; event->ExtendedData && i < event->ExtendedDataCount; i++) {
		const EVENT_HEADER_EXTENDED_DATA_ITEM *item = &event->ExtendedData[i];

		if (item->ExtType != EVENT_HEADER_EXT_TYPE_INSTANCE_INFO ||
		    item->DataSize < sizeof(instance))
			continue;
		memcpy(&instance, (const void *)(uintptr_t)item->DataPtr, sizeof(instance));
		wpp->record.sequence = instance.InstanceId;
		wpp->record.flags |= TRACE_MESSAGE_SEQUENCE;
	}
}

static void take_record(struct wpp *wpp)
{
	const EVENT_HEADER *header = &wpp->event->EventHeader;

	record_of(wpp->event, &wpp->record);
	if (wpp->contexts->pointer_size)
		wpp->record.pointer_size = wpp->contexts->pointer_size;
	wpp->record.thread_id = header->ThreadId;
	wpp->record.process_id = header->ProcessId;
	wpp->record.has_ids = header->ThreadId != NO_ID || header->ProcessId != NO_ID;
	wpp->record.time = header->TimeStamp.QuadPart;
	wpp->record.has_time = true;
	take_sequence(wpp);
}

/* The stamp of an event is a FILETIME already. */
static void add_message_text(struct wpp *wpp)
{
	const struct etl_logfile log = {
		.t0 = wpp->record.time, .start_time = wpp->record.time,
	};
	struct tmf_rest rest;
	const char *bytes = tmf_text(wpp->message, &wpp->record, &log, processor_of(wpp->event),
				     &rest);
	size_t room = 2 * strlen(bytes) + 1;
	char *text = malloc(room);

	wpp->good = wpp->good && text;
	if (!wpp->good)
		return free(text);
	text_from_bytes((const uint8_t *)bytes, strlen(bytes), text, room);
	add_string(wpp, text);
	free(text);
}

static void put_values(struct wpp *wpp)
{
	const EVENT_HEADER *header = &wpp->event->EventHeader;
	const struct tmf_message *message = wpp->message;

	add_number(wpp, 0);
	add(wpp, &header->ProviderId, sizeof(header->ProviderId));
	add_string(wpp, message->provider);
	add_string(wpp, message->source);
	add_number(wpp, header->ThreadId);
	add_system_time(wpp);
	add_number(wpp, 0);
	add_number(wpp, 0);
	add_number(wpp, wpp->record.sequence);
	add_number(wpp, header->ProcessId);
	add_number(wpp, processor_of(wpp->event));
	add_number(wpp, 0);
	add_string(wpp, message->flags);
	add_string(wpp, message->level);
	add_string(wpp, message->function);
	add_string(wpp, "");
	add_string(wpp, "");
	add_message_text(wpp);
	add(wpp, &header->TimeStamp, sizeof(header->TimeStamp));
	add(wpp, NULL, sizeof(GUID));
}

static void put_description(struct wpp *wpp)
{
	const size_t head = INFO_PROPERTIES + PROPERTIES * PROPERTY_SIZE;
	const EVENT_HEADER *header = &wpp->event->EventHeader;
	EVENT_PROPERTY_INFO *property;
	TRACE_EVENT_INFO *info;
	size_t i, place;

	add(wpp, NULL, head);
	if (!wpp->good)
		return;
	info = (TRACE_EVENT_INFO *)wpp->blob.bytes;
	info->EventGuid = header->ProviderId;
	info->EventDescriptor = header->EventDescriptor;
	info->DecodingSource = DecodingSourceWPP;
	info->PropertyCount = PROPERTIES;
	info->TopLevelPropertyCount = PROPERTIES;
	for (i = 0; i < PROPERTIES; i++) {
		property = &info->EventPropertyInfoArray[i];
		property->nonStructType.InType = properties[i].in;
		property->count = 1;
	}
	add_text(wpp, wpp->message->provider, INFO_PROVIDER_NAME);
	add_text(wpp, wpp->message->source, INFO_OPCODE_NAME);
	for (i = 0; i < PROPERTIES; i++) {
		place = INFO_PROPERTIES + i * PROPERTY_SIZE +
			offsetof(EVENT_PROPERTY_INFO, NameOffset);
		add_text(wpp, properties[i].name, place);
	}
}

/* Under tdh_lock(), because a message's text is made in memory that all threads share. */
static ULONG describe(struct wpp *wpp, struct tdh_info *info)
{
	ULONG err = tdh_tmf_find(wpp->event, wpp->contexts, &wpp->message);

	if (err)
		return err;
	take_record(wpp);
	put_description(wpp);
	info->size = wpp->blob.size;
	put_values(wpp);
	if (!wpp->good) {
		free(wpp->blob.bytes);
		return ERROR_OUTOFMEMORY;
	}
	info->bytes = wpp->blob.bytes;
	info->values = wpp->blob.size - info->size;
	return ERROR_SUCCESS;
}

ULONG tdh_describe_message(const EVENT_RECORD *event, const struct tdh_contexts *contexts,
			   struct tdh_info *info)
{
	struct wpp wpp = { .event = event, .contexts = contexts, .good = true };
	ULONG err;

	tdh_lock();
	err = describe(&wpp, info);
	tdh_unlock();
	return err;
}
