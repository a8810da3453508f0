// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A format of printf in the words of TMF, checked against the arguments' types. */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "tmf/tmf.h"
#include "trace_points.h"

/**
 * struct conversion - one of printf's, and where the format goes on
 * @at: behind the % first, then behind it
 * @flags: its flags, width and precision, as given
 * @stars: of them that take arguments
 * @length: hh h l ll ... as given
 * @letter: what kind it is
 */
struct conversion {
	const char *at;
	char flags[48];
	unsigned int stars;
	char length[4];
	char letter;
};

static bool __attribute__((format(printf, 2, 3))) wrong(struct tmf_format *format,
							const char *why, ...)
{
	va_list arguments;

	va_start(arguments, why);
	vsnprintf(format->wrong, sizeof(format->wrong), why, arguments);
	va_end(arguments);
	return false;
}

static bool __attribute__((format(printf, 2, 3))) put(struct tmf_format *format,
						      const char *text, ...)
{
	size_t used = strlen(format->text), room = sizeof(format->text) - used;
	va_list arguments;
	int n;

	va_start(arguments, text);
	n = vsnprintf(format->text + used, room, text, arguments);
	va_end(arguments);
	return (size_t)n < room || wrong(format, "the format is longer than %d", TMF_FORMAT);
}

static unsigned int type_of(uint64_t types, unsigned int argument)
{
	unsigned int type = argument < ETW_WPP_ARGUMENTS ? types >> 4 * argument & 0xF : 0;

	return type == ETW_WPP_TEXT ? ETW_WPP_STRING :
	       type == ETW_WPP_TEXT16 ? ETW_WPP_STRING16 :
	       type == ETW_WPP_GUID_VALUE ? ETW_WPP_GUID : type;
}

static const char *type_name(unsigned int type)
{
	static const char *const name[] = {
		"nothing", "an integer of 4 bytes", "an integer of 8 bytes", "a double",
		"an address", "a string", "a string of UTF-16", "a GUID", "bytes",
	};

	return type < sizeof(name) / sizeof(name[0]) ? name[type] : "something unknown";
}

/* Return: false when it is none that we know */
static bool split(struct conversion *conversion, const char *at)
{
	size_t n = strspn(at, "-+ #0'123456789.*"), i, length;

	if (n >= sizeof(conversion->flags))
		return false;
	memset(conversion, 0, sizeof(*conversion));
	memcpy(conversion->flags, at, n);
	for (i = 0; i < n; i++)
		conversion->stars += at[i] == '*';
	at += n;
	length = strspn(at, "hlLqjzt");
	if (length >= sizeof(conversion->length) || !isalpha((unsigned char)at[length]))
		return false;
	memcpy(conversion->length, at, length);
	conversion->letter = at[length];
	conversion->at = at + length + 1;
	return true;
}

static const char *integer_item(char letter, unsigned int type)
{
	if (type == ETW_WPP_INT32)
		return "ItemLong";
	switch (letter) {
	case 'd':
	case 'i':
		return "ItemLongLong";
	case 'u':
		return "ItemULongLong";
	case 'x':
		return "ItemLongLongX";
	case 'X':
		return "ItemLongLongXX";
	}
	return "ItemLongLongO";
}

/* %pU, %pW and %ph are ours: to the compiler these are an address and a letter */
static const char *pointer_item(struct conversion *conversion, unsigned int type)
{
	static const struct {
		char letter;
		unsigned int type;
		const char *item;
	} ours[] = {
		{ 'U', ETW_WPP_GUID, "ItemGuid" }, { 'W', ETW_WPP_STRING16, "ItemWString" },
		{ 'h', ETW_WPP_BYTES, "ItemHEXDump" },
	};
	size_t i;

	if (type == ETW_WPP_POINTER)
		return "ItemPtr";
	for (i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
		if (ours[i].letter != *conversion->at || ours[i].type != type)
			continue;
		conversion->at++;
		conversion->letter = 's';
		return ours[i].item;
	}
	return NULL;
}

/* Return: the item; NULL: that conversion has no such argument */
static const char *item_of(struct conversion *conversion, unsigned int type)
{
	bool plain = !conversion->length[0];

	if (strchr("diuoxX", conversion->letter))
		return type == ETW_WPP_INT32 || type == ETW_WPP_INT64 ?
		       integer_item(conversion->letter, type) : NULL;
	if (strchr("eEfFgGaA", conversion->letter))
		return type == ETW_WPP_DOUBLE ? "ItemDouble" : NULL;
	if (conversion->letter == 'c')
		return type == ETW_WPP_INT32 && plain ? "ItemLong" : NULL;
	if (conversion->letter == 's')
		return type == ETW_WPP_STRING && plain ? "ItemString" : NULL;
	if (conversion->letter == 'p')
		return pointer_item(conversion, type);
	return NULL;
}

/* What stands before the letter there: sizes are the item's, but for those that cut */
static const char *length_of(const struct conversion *conversion, unsigned int type)
{
	if (type == ETW_WPP_INT64)
		return "I64";
	return type == ETW_WPP_INT32 && conversion->length[0] == 'h' ? conversion->length : "";
}

static bool put_conversion(struct tmf_format *format, struct conversion *conversion,
			   uint64_t types)
{
	unsigned int i, type, first = format->count;
	char letter = conversion->letter;
	const char *item;

	for (i = 0; i < conversion->stars; i++) {
		if (type_of(types, format->count) != ETW_WPP_INT32)
			return wrong(format, "argument %u: * needs an int", format->count + 1);
		format->item[format->count++] = "ItemLong";
	}
	type = type_of(types, format->count);
	item = item_of(conversion, type);
	if (!item)
		return wrong(format, "argument %u: %%%s%c can't print %s%s", format->count + 1,
			     conversion->length, letter, type_name(type),
			     type == ETW_WPP_STRING ? ": cast it to (void *) for %p" : "");
	format->item[format->count++] = item;
	return put(format, "%%%u!%s%s%c!", TMF_FIRST_ARGUMENT + first, conversion->flags,
		   length_of(conversion, type), conversion->letter);
}

bool tmf_format_make(const char *printf_format, uint64_t types, struct tmf_format *format)
{
	struct conversion conversion;
	const char *at = printf_format;
	size_t n;

	memset(format, 0, sizeof(*format));
	if (!put(format, "%%0"))
		return false;
	while (*at) {
		n = strcspn(at, "%");
		if (!put(format, "%.*s", (int)n, at))
			return false;
		at += n;
		if (at[0] == '%' && at[1] == '%') {
			if (!put(format, "%%%%"))
				return false;
			at += 2;
		} else if (*at == '%') {
			if (!split(&conversion, at + 1))
				return wrong(format, "can't understand \"%.20s\"", at);
			if (!put_conversion(format, &conversion, types))
				return false;
			at = conversion.at;
		}
	}
	if (type_of(types, format->count))
		return wrong(format, "there are more arguments than the format has");
	return true;
}
