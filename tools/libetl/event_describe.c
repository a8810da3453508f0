// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Makes TRACE_EVENT_INFO of an event's layout. */
#include <stdio.h>
#include <string.h>
#include "decode.h"
#include "event_describe.h"
#include "event_info.h"
#include "event_info_form.h"
#include "events/events.h"
#include "guids.h"
#include "text.h"
#include "typed.h"

/* Name of the provider of all kernel events, system_trace_guid */
#define KERNEL_PROVIDER_NAME	"MSNT_SystemTrace"
/* Of texts that 'etw log' writes: there is no event in a table, because their type is free */
#define LOG_PROVIDER_NAME	"etw"
#define LOG_NAME		"Log/Text"

/**
 * struct walk - the fields of a layout, one after another
 * @form: the next one
 * @skipped: bytes of it that have a property already, if it is FORM_SKIP
 * @reserved: properties for skipped bytes
 * @name: of the last one of these
 */
struct walk {
	const struct form *form;
	uint16_t skipped;
	unsigned int reserved;
	char name[16];
};

/* A property; @length: bytes or units, where the type has no size of its own */
struct described {
	const char *name;
	uint16_t in;
	uint16_t out;
	uint16_t length;
};

/**
 * struct description - while it is made
 * @bytes: of it
 * @size: of these
 * @full: it has no room
 */
struct description {
	uint8_t *bytes;
	uint32_t size;
	bool full;
};

/* Numbers of 1, 2, 4 and 8 bytes have types of which every second one is signed. */
static bool number_type(struct described *to, uint16_t bytes, uint16_t in, uint16_t out)
{
	static const uint16_t step[9] = { [1] = 0, [2] = 2, [4] = 4, [8] = 6 };

	if (!bytes || bytes > 8 || bytes & (bytes - 1))
		return false;
	to->in = in + step[bytes];
	to->out = out + step[bytes];
	return true;
}

static bool hex_type(struct described *to, uint16_t bytes)
{
	static const uint16_t types[9][2] = {
		[1] = { IN_UINT8, TDH_OUT_HEX8 }, [2] = { IN_UINT16, TDH_OUT_HEX16 },
		[4] = { IN_HEX32, TDH_OUT_HEX32 }, [8] = { IN_HEX64, TDH_OUT_HEX64 },
	};

	if (bytes > 8 || !types[bytes][0])
		return false;
	to->in = types[bytes][0];
	to->out = types[bytes][1];
	return true;
}

/* Types that need no more than their number */
static bool simple_type(const struct form *form, struct described *to)
{
	static const struct {
		uint16_t in;
		uint16_t out;
		uint16_t length;
	} types[] = {
		[FORM_POINTER] = { IN_POINTER, TDH_OUT_NULL, 0 },
		[FORM_SIZE] = { IN_POINTER, TDH_OUT_NULL, 0 },
		[FORM_UTF16] = { IN_UTF16, TDH_OUT_STRING, 0 },
		[FORM_BYTES] = { IN_BYTES, TDH_OUT_STRING, 0 },
		[FORM_ADDRESS4] = { IN_UINT32, TDH_OUT_IPV4, 0 },
		[FORM_ADDRESS6] = { IN_BINARY, TDH_OUT_IPV6, 16 },
		[FORM_PORT] = { IN_UINT16, TDH_OUT_PORT, 0 },
		[FORM_GUID] = { IN_GUID, TDH_OUT_GUID, 0 },
		[FORM_TAG] = { IN_UINT32, TDH_OUT_HEX32, 0 },
		[FORM_TIME] = { IN_FILETIME, TDH_OUT_DATETIME, 0 },
	};

	if (form->kind >= sizeof(types) / sizeof(types[0]) || !types[form->kind].in)
		return false;
	to->in = types[form->kind].in;
	to->out = types[form->kind].out;
	to->length = types[form->kind].length;
	return true;
}

static bool type_of(const struct form *form, struct described *to)
{
	*to = (struct described){ .name = form->name };
	switch (form->kind) {
	case FORM_UNSIGNED:
	case FORM_NAMED:
		return number_type(to, form->size, IN_UINT8, TDH_OUT_UNSIGNED_BYTE);
	case FORM_SIGNED:
		return number_type(to, form->size, IN_INT8, TDH_OUT_BYTE);
	case FORM_HEX:
		return hex_type(to, form->size);
	default:
		return simple_type(form, to);
	}
}

/* Skipped bytes become numbers, because a property of another one may lie behind them. */
static bool next_reserved(struct walk *walk, struct described *to)
{
	uint16_t left = walk->form->size - walk->skipped, bytes = 8;

	while (bytes > left)
		bytes /= 2;
	*to = (struct described){ .name = walk->name };
	snprintf(walk->name, sizeof(walk->name), "Reserved%u", ++walk->reserved);
	walk->skipped += bytes;
	if (walk->skipped == walk->form->size) {
		walk->skipped = 0;
		walk->form++;
	}
	return hex_type(to, bytes);
}

/* Return: false: there is none, or it has no type of TDH */
static bool next_property(struct walk *walk, struct described *to)
{
	if (walk->form->kind == FORM_SKIP)
		return next_reserved(walk, to);
	return type_of(walk->form++, to);
}

static uint32_t properties_of(const struct form *forms)
{
	struct walk walk = { .form = forms };
	struct described property;
	uint32_t count = 0;

	while (next_property(&walk, &property))
		count++;
	return count;
}

static void put16(uint8_t *to, uint16_t value)
{
	memcpy(to, &value, sizeof(value));
}

static void put32(uint8_t *to, uint32_t value)
{
	memcpy(to, &value, sizeof(value));
}

/* Return: the offset of the text, in UTF-16 with a terminator */
static uint32_t put_text(struct description *description, const char *text, size_t bytes)
{
	uint32_t at = description->size;
	char part[128];
	uint16_t units[128];
	size_t n;

	snprintf(part, sizeof(part), "%.*s", (int)bytes, text);
	n = text_to_utf16(part, units, sizeof(units) / sizeof(units[0]) - 1);
	units[n++] = 0;
	if (at + 2 * n > EVENT_DESCRIPTION) {
		description->full = true;
		return 0;
	}
	memcpy(description->bytes + at, units, 2 * n);
	description->size += 2 * n;
	return at;
}

static void put_properties(struct description *description, const struct form *forms)
{
	struct walk walk = { .form = forms };
	uint8_t *at = description->bytes + INFO_PROPERTIES;
	struct described property;

	for (; next_property(&walk, &property); at += PROPERTY_SIZE) {
		put32(at, property.length ? PROPERTY_FIXED_LENGTH : 0);
		put32(at + 4, put_text(description, property.name, strlen(property.name)));
		put16(at + 8, property.in);
		put16(at + 10, property.out);
		put16(at + 16, 1);
		put16(at + 18, property.length);
	}
}

/**
 * struct class_names - of a classic event
 * @provider: GUID of the provider
 * @class: GUID of the class
 * @opcode: of the event
 * @provider_name: of @provider
 * @name: "Task/Opcode"
 */
struct class_names {
	const struct etw_guid *provider;
	const struct etw_guid *class;
	uint8_t opcode;
	const char *provider_name;
	const char *name;
};

/* A kernel event has a class and an opcode, and so has a text of 'etw log' */
static void put_class(struct description *description, const struct class_names *names)
{
	const char *name = names->name, *slash = strchr(name, '/');
	uint8_t *bytes = description->bytes;

	memcpy(bytes, names->provider, sizeof(*names->provider));
	memcpy(bytes + INFO_CLASS, names->class, sizeof(*names->class));
	bytes[INFO_OPCODE] = names->opcode;
	put32(bytes + INFO_SOURCE, SOURCE_MOF);
	put32(bytes + INFO_PROVIDER_NAME, put_text(description, names->provider_name, 64));
	put32(bytes + INFO_TASK_NAME, put_text(description, name, slash - name));
	put32(bytes + INFO_OPCODE_NAME, put_text(description, slash + 1, strlen(slash + 1)));
}

/* An event of the module's provider has an id, and is named "Provider/Task" */
static void put_provider(struct description *description, const struct etl_record *record,
			 const char *name)
{
	const char *slash = strchr(name, '/');
	uint8_t *bytes = description->bytes;

	memcpy(bytes, &record->guid, sizeof(record->guid));
	put16(bytes + INFO_ID, record->id);
	put32(bytes + INFO_PROVIDER_NAME, put_text(description, name, slash - name));
	put32(bytes + INFO_TASK_NAME, put_text(description, slash + 1, strlen(slash + 1)));
}

/* Return: false: there is no room, also for its names */
static bool begin(struct description *description, const struct form *forms, uint8_t version)
{
	uint32_t count = properties_of(forms);
	uint8_t *bytes = description->bytes;

	description->size = INFO_PROPERTIES + PROPERTY_SIZE * count;
	if (description->size > EVENT_DESCRIPTION)
		return false;
	memset(bytes, 0, description->size);
	bytes[INFO_VERSION] = version;
	put32(bytes + INFO_COUNT, count);
	put32(bytes + INFO_TOP, count);
	put_properties(description, forms);
	return true;
}

static void put_log(struct description *description, const struct etl_record *record)
{
	const struct class_names names = {
		.provider = &record->guid, .class = &record->guid, .opcode = record->opcode,
		.provider_name = LOG_PROVIDER_NAME, .name = LOG_NAME,
	};

	put_class(description, &names);
}

static void put_kernel(struct description *description, uint16_t hook_id, const char *name)
{
	const struct class_names names = {
		.provider = &system_trace_guid, .class = guid_of_hook(hook_id), .opcode = hook_id,
		.provider_name = KERNEL_PROVIDER_NAME, .name = name,
	};

	put_class(description, &names);
}

size_t event_describe(const struct etl_record *record, uint8_t to[EVENT_DESCRIPTION])
{
	const struct form *log = decode_log_text(record), *forms;
	const struct etl_event *event = event_of(record);
	struct description description = { .bytes = to };
	uint16_t hook_id;
	bool is_class = hook_of(record, &hook_id);

	forms = log ? log : event_forms(event, record->version);
	if (!forms || (!log && !strchr(event->name, '/')) || (is_class && !guid_of_hook(hook_id)) ||
	    !begin(&description, forms, record->version))
		return 0;
	if (log)
		put_log(&description, record);
	else if (is_class)
		put_kernel(&description, hook_id, event->name);
	else
		put_provider(&description, record, event->name);
	return description.full ? 0 : description.size;
}
