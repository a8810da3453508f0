// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Formats an argument of a message, by its type and its format specification. */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include "libetl/text.h"
#include "message_text.h"

void text_put(struct rendering *r, const char *from, size_t bytes)
{
	if (bytes > sizeof(r->text) - 1 - r->used)
		bytes = sizeof(r->text) - 1 - r->used;
	memcpy(r->text + r->used, from, bytes);
	r->used += bytes;
	r->text[r->used] = 0;
}

void text_put_string(struct rendering *r, const char *from)
{
	text_put(r, from, strlen(from));
}

void text_put_printf(struct rendering *r, const char *format, ...)
{
	size_t room = sizeof(r->text) - r->used;
	va_list arguments;
	int n;

	va_start(arguments, format);
	n = vsnprintf(r->text + r->used, room, format, arguments);
	va_end(arguments);
	if (n > 0)
		r->used += (size_t)n < room ? (size_t)n : room - 1;
}

uint64_t value_number(const struct value *value)
{
	uint64_t number = 0;
	uint32_t i = value->size < 8 ? value->size : 8;

	while (i--)
		number = number << 8 | value->at[i];
	return number;
}

int64_t value_signed(uint64_t number, unsigned int bytes)
{
	unsigned int bits = 8 * (bytes && bytes < 8 ? bytes : 8);

	return (int64_t)(number << (64 - bits)) >> (64 - bits);
}

static uint64_t cut_unsigned(uint64_t number, unsigned int bytes)
{
	return bytes && bytes < 8 ? number & ((1ull << 8 * bytes) - 1) : number;
}

/* "%", flags, "*.*", size and letter: width and precision are always given */
static const char *make_format(const struct spec *spec, const char *size, char letter)
{
	static char format[24];

	snprintf(format, sizeof(format), "%%%s*.*%s%c", spec->flags, size, letter);
	return format;
}

void text_put_padded(struct rendering *r, const struct spec *spec, const char *text)
{
	const struct spec plain = {
		.flags = { strchr(spec->flags, '-') ? '-' : 0 },
	};

	text_put_printf(r, make_format(&plain, "", 's'), spec->width < 0 ? 0 : spec->width,
			spec->precision, text);
}

void text_put_number(struct rendering *r, uint64_t number, unsigned int bytes,
		     enum tmf_class class, const struct spec *spec)
{
	int width = spec->width < 0 ? 0 : spec->width;
	char letter = spec->letter;

	bytes = spec->cut ? spec->cut : bytes;
	/* a letter for something else would make printf() read another argument */
	if (!letter || !strchr("diouxXc", letter))
		letter = class == TMF_SIGNED ? 'd' : class == TMF_HEX ? 'x' : 'u';
	if (letter == 'c' && !(number & 0xFF))
		text_put_padded(r, spec, "");	/* a NUL would end the text */
	else if (letter == 'c')
		text_put_printf(r, make_format(spec, "", 'c'), width, spec->precision, (int)number);
	else if (letter == 'd' || letter == 'i')
		text_put_printf(r, make_format(spec, "j", letter), width, spec->precision,
				(intmax_t)value_signed(number, bytes));
	else
		text_put_printf(r, make_format(spec, "j", letter), width, spec->precision,
				(uintmax_t)cut_unsigned(number, bytes));
}

static void put_integer(struct rendering *r, const struct value *value, const struct spec *spec)
{
	text_put_number(r, value_number(value), value->size, value->argument->item->class, spec);
}

/* As glibc prints an address */
static void put_pointer(struct rendering *r, const struct value *value, const struct spec *spec)
{
	struct spec hex = *spec;
	uint64_t number = value_number(value);

	if (spec->letter && spec->letter != 'p' && spec->letter != 's')
		return put_integer(r, value, spec);
	if (!number) {
		hex.precision = -1;
		return text_put_padded(r, &hex, "(nil)");
	}
	if (!strchr(hex.flags, '#') && strlen(hex.flags) + 1 < sizeof(hex.flags))
		strcat(hex.flags, "#");
	text_put_printf(r, make_format(&hex, "j", 'x'), spec->width < 0 ? 0 : spec->width,
		   spec->precision, (uintmax_t)number);
}

static void put_real(struct rendering *r, const struct value *value, const struct spec *spec)
{
	double real = 0;
	float small = 0;

	if (value->size == sizeof(real)) {
		memcpy(&real, value->at, sizeof(real));
	} else {
		memcpy(&small, value->at, sizeof(small));
		real = small;
	}
	text_put_printf(r, make_format(spec, "", spec->letter && strchr("eEfFgGaA", spec->letter) ?
				  spec->letter : 'g'),
		   spec->width < 0 ? 0 : spec->width, spec->precision, real);
}

static void put_bytes(struct rendering *r, const struct value *value)
{
	uint32_t i;

	for (i = 0; i < value->size && r->used + 4 < sizeof(r->text); i++)
		text_put_printf(r, "%s%02x", i ? " " : "", value->at[i]);
}

/* Converts only the printed part, because a format may print an argument thousands of times. */
static void put_wide(struct rendering *r, const struct value *value, const struct spec *spec)
{
	size_t room = sizeof(r->text) - r->used;
	static char text[TEXT_ROOM];

	if (spec->precision >= 0 && (size_t)spec->precision < room)
		room = spec->precision + 1;
	text_from_utf16(value->at, value->size, text, room);
	text_put_padded(r, spec, text);
}

/* Copies the bytes; the caller converts the whole text. */
static void put_narrow(struct rendering *r, const struct value *value, const struct spec *spec)
{
	static char text[ETW_MAX_RECORD + 1];
	uint32_t size = value->size < ETW_MAX_RECORD ? value->size : ETW_MAX_RECORD;

	memcpy(text, value->at, size);
	text[size] = 0;
	text_put_padded(r, spec, text);
}

void text_put_value(struct rendering *r, const struct value *value, const struct spec *spec)
{
	if (value->missing)
		return text_put_string(r, "<?>");
	switch (value->argument->item->class) {
	case TMF_SIGNED:
	case TMF_UNSIGNED:
	case TMF_HEX:
		return put_integer(r, value, spec);
	case TMF_POINTER:
		return put_pointer(r, value, spec);
	case TMF_REAL:
		return put_real(r, value, spec);
	case TMF_STRING:
	case TMF_COUNTED:
		return put_narrow(r, value, spec);
	case TMF_STRING16:
	case TMF_COUNTED16:
		return put_wide(r, value, spec);
	case TMF_BYTES:
		return put_bytes(r, value);
	case TMF_LIST:
	case TMF_SET:
	case TMF_ENUM:
	case TMF_FLAGS:
		return text_put_names(r, value, spec);
	default:
		return text_put_special(r, value, spec);
	}
}
