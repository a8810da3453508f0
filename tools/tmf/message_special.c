// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Arguments of a message that have a form of their own, and values that have names. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include "libetl/text.h"
#include "message_text.h"

/* The longest text of these: a SID of 255 numbers */
#define SPECIAL_TEXT	4096

static void from_guid(const struct value *value, char *text)
{
	struct etw_guid guid;

	memcpy(&guid, value->at, sizeof(guid));
	text_from_guid(&guid, text);
}

static void from_sid(const struct value *value, char *text)
{
	if (value->size < 8)
		strcpy(text, "NULL");
	else
		text_from_sid(value->at, value->size, text, SPECIAL_TEXT);
}

/* Milliseconds as days~hours:minutes:seconds */
static void from_duration(const struct value *value, char *text)
{
	int64_t number = value_signed(value_number(value), value->size);
	uint64_t left = number < 0 ? -(uint64_t)number : (uint64_t)number, days = left / 86400000;
	unsigned int rest = left % 86400000;

	snprintf(text, SPECIAL_TEXT, "%s%" PRIu64 "~%u:%02u:%02u.%03u", number < 0 ? "-" : "",
		 days, rest / 3600000, rest / 60000 % 60, rest / 1000 % 60, rest % 1000);
}

/* Four of ASCII; those that are not printed become dots */
static void from_characters(const struct value *value, char *text)
{
	uint32_t i;

	for (i = 0; i < value->size; i++)
		text[i] = value->at[i] >= ' ' && value->at[i] < 0x7F ? value->at[i] : '.';
	text[i] = 0;
}

void text_put_special(struct rendering *r, const struct value *value, const struct spec *spec)
{
	const uint8_t *at = value->at;
	char text[SPECIAL_TEXT];

	switch (value->argument->item->class) {
	case TMF_GUID:
		from_guid(value, text);
		break;
	case TMF_SID:
		from_sid(value, text);
		break;
	case TMF_STATUS:
		snprintf(text, sizeof(text), "0x%08x", (uint32_t)value_number(value));
		break;
	case TMF_ADDRESS4:
		snprintf(text, sizeof(text), "%u.%u.%u.%u", at[0], at[1], at[2], at[3]);
		break;
	case TMF_ADDRESS6:
		inet_ntop(AF_INET6, at, text, sizeof(text));
		break;
	case TMF_MAC:
		snprintf(text, sizeof(text), "%02x:%02x:%02x:%02x:%02x:%02x", at[0], at[1], at[2],
			 at[3], at[4], at[5]);
		break;
	case TMF_PORT:
		snprintf(text, sizeof(text), "%u", at[0] << 8 | at[1]);
		break;
	case TMF_DURATION:
		from_duration(value, text);
		break;
	case TMF_CHARACTERS:
		from_characters(value, text);
		break;
	default:
		text_from_filetime(value_number(value), text, sizeof(text));
	}
	text_put_padded(r, spec, text);
}

static void __attribute__((format(printf, 3, 4))) append(char *text, size_t *used,
							 const char *format, ...)
{
	va_list arguments;
	int n;

	va_start(arguments, format);
	n = vsnprintf(text + *used, TEXT_ROOM - *used, format, arguments);
	va_end(arguments);
	if (n > 0)
		*used += (size_t)n < TEXT_ROOM - *used ? (size_t)n : TEXT_ROOM - *used - 1;
}

/* Each bit that is set, as [READ,WRITE,0x8] */
static void from_set(const struct tmf_names *names, uint64_t number, char *text)
{
	unsigned int bit;
	size_t used = 0;

	append(text, &used, "[");
	for (bit = 0; bit < 64; bit++) {
		const char *name = number >> bit & 1 ? tmf_names_find(names, bit) : NULL;

		if (name && *name) {
			append(text, &used, "%s%s", used > 1 ? "," : "", name);
			number &= ~(1ull << bit);
		}
	}
	if (number)
		append(text, &used, "%s0x%" PRIx64, used > 1 ? "," : "", number);
	append(text, &used, "]");
}

/* All flags that are set, then the value: READ | WRITE(0x3) */
static void from_flags(const struct tmf_names *names, uint64_t number, char *text)
{
	size_t used = 0, i;

	for (i = 0; names && i < names->count; i++) {
		const struct tmf_name *name = &names->name[i];

		if (number && !name->value)
			continue;
		if ((number & name->value) == name->value)
			append(text, &used, "%s%s", used ? " | " : "", name->text);
		if (!number)
			break;
	}
	append(text, &used, used ? "(0x%" PRIx64 ")" : "0x%" PRIx64, number);
}

void text_put_names(struct rendering *r, const struct value *value, const struct spec *spec)
{
	const struct tmf_argument *argument = value->argument;
	uint64_t number = value_number(value);
	static char text[TEXT_ROOM];
	const char *name;

	if (spec->letter && strchr("diouxX", spec->letter))
		return text_put_number(r, number, value->size, TMF_UNSIGNED, spec);
	if (argument->item->class == TMF_SET) {
		from_set(argument->names, number, text);
	} else if (argument->item->class == TMF_FLAGS) {
		from_flags(argument->names, number, text);
	} else {
		name = tmf_names_find(argument->names, number);
		if (name && *name)
			return text_put_padded(r, spec, name);
		snprintf(text, sizeof(text), "%" PRIu64, number);
	}
	text_put_padded(r, spec, text);
}
