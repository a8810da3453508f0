// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The text of a message: its format with the record's arguments in it. */
#include <string.h>
#include "etw_trace_headers.h"
#include "libetl/text.h"
#include "message_text.h"

/* What a width or a precision may be: a trace says some of them */
#define WIDEST		8192

static const struct value *find_value(const struct rendering *r, unsigned int number)
{
	const struct tmf_block *block = r->message->block;
	unsigned int i;

	for (i = 0; block && i < block->count; i++)
		if (block->argument[i].number == number)
			return &r->value[i];
	return NULL;
}

/* Digits, or a * that takes an argument; -1 without any */
static int take_width(const struct rendering *r, const char **at, unsigned int *number)
{
	const struct value *value;
	int64_t width = 0;

	if (**at == '*') {
		++*at;
		value = find_value(r, (*number)++);
		if (!value || value->missing || value->size > 4)
			return -1;
		width = value_signed(value_number(value), value->size);
	} else if (**at < '0' || **at > '9') {
		return -1;
	}
	for (; **at >= '0' && **at <= '9'; ++*at)
		width = width < WIDEST ? 10 * width + **at - '0' : WIDEST;
	return width > WIDEST ? WIDEST : width < -WIDEST ? -WIDEST : width;
}

/*
 * What is between the !, up to the second; *@number becomes that of the value. As
 * in FormatMessage(), a * takes one, and the value is the next.
 */
static const char *take_spec(const struct rendering *r, const char *at, unsigned int *number,
			     struct spec *spec)
{
	const char *end = strchr(at, '!');
	size_t n, used = 0;

	if (!end)
		return NULL;
	memset(spec, 0, sizeof(*spec));
	for (n = strspn(at, "-+ #0'"); n; n--, at++)
		if (used + 3 < sizeof(spec->flags) && !strchr(spec->flags, *at))
			spec->flags[used++] = *at;
	spec->width = take_width(r, &at, number);
	/* printf's: a negative width is the flag - */
	if (spec->width < -1 || (spec->width == -1 && at[-1] == '*')) {
		spec->width = spec->width == -1 ? 1 : -spec->width;
		if (!strchr(spec->flags, '-'))
			spec->flags[used] = '-';
	}
	spec->precision = -1;
	if (*at == '.') {
		at++;
		spec->precision = *at == '*' || (*at >= '0' && *at <= '9') ?
				  take_width(r, &at, number) : 0;
	}
	if (*at == 'h')
		spec->cut = at[1] == 'h' ? 1 : 2;
	if (!strncmp(at, "I64", 3) || !strncmp(at, "I32", 3))
		at += 3;
	at += strspn(at, "hlLqjztwI");
	if (at < end && strchr("diouxXcpsSeEfFgGaA", *at))
		spec->letter = *at;
	return end + 1;
}

/* Session and file time, if the record has one */
static void put_time(struct rendering *r, const struct spec *spec)
{
	char text[48];

	text_from_filetime(etl_filetime(r->log, r->record->time), text, sizeof(text));
	text_put_padded(r, spec, text);
}

/*
 * The values of tracefmt's prefix. A message has neither kernel nor user time (5 and 6), and the
 * flags of its session decide about the others.
 */
static void put_own(struct rendering *r, unsigned int number, const struct spec *spec)
{
	const struct etl_record *record = r->record;

	if (number == 1)
		text_put_padded(r, spec, r->message->provider);
	else if (number == 2)
		text_put_padded(r, spec, r->message->source);
	else if (number == 3 && record->has_ids)
		text_put_number(r, record->thread_id, 4, TMF_UNSIGNED, spec);
	else if (number == 4 && record->has_time)
		put_time(r, spec);
	else if (number == 7 && record->flags & TRACE_MESSAGE_SEQUENCE)
		text_put_number(r, record->sequence, 4, TMF_UNSIGNED, spec);
	else if (number == 8 && record->has_ids)
		text_put_number(r, record->process_id, 4, TMF_UNSIGNED, spec);
	else if (number == 9)
		text_put_number(r, r->processor, 4, TMF_UNSIGNED, spec);
	else
		text_put_string(r, "<?>");
}

/* Behind a %. Return: where the format goes on */
static const char *put_numbered(struct rendering *r, const char *at)
{
	struct spec spec = { .width = -1, .precision = -1 };
	const struct value *value;
	unsigned int number = 0;
	const char *next;

	for (; *at >= '0' && *at <= '9'; at++)
		number = number < 1000 ? 10 * number + *at - '0' : 1000;
	if (*at == '!') {
		next = take_spec(r, at + 1, &number, &spec);
		at = next ? next : at;
	}
	value = find_value(r, number);
	if (value)
		text_put_value(r, value, &spec);
	else if (number >= TMF_FIRST_ARGUMENT)
		text_put_string(r, "<?>");
	else
		put_own(r, number, &spec);
	return at;
}

/* %!FUNC! and the like */
static const char *put_named(struct rendering *r, const char *at)
{
	const struct {
		const char *name;
		const char *text;
	} names[] = {
		{ "FUNC!", r->message->function }, { "LEVEL!", r->message->level },
		{ "FLAGS!", r->message->flags }, { "FILE!", r->message->source },
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strncmp(at, names[i].name, strlen(names[i].name)))
			continue;
		text_put_string(r, names[i].text);
		return at + strlen(names[i].name);
	}
	text_put(r, "!", 1);
	return at;
}

static void render(struct rendering *r)
{
	const char *at = r->message->format;
	size_t n;

	r->used = 0;
	r->text[0] = 0;
	while (*at && r->used + 1 < sizeof(r->text)) {
		n = strcspn(at, "%");
		text_put(r, at, n);
		at += n;
		if (!*at++)
			break;
		if (*at == '0') {	/* no end of line */
			at++;
		} else if (*at >= '1' && *at <= '9') {
			at = put_numbered(r, at);
		} else if (*at == '!') {
			at = put_named(r, at + 1);
		} else if (*at) {
			text_put(r, *at == 'n' ? "\n" : *at == 't' ? "\t" : *at == 'r' ? "\r" : at, 1);
			at++;
		}
	}
}

/* Bytes of a string without what ends it; *@taken with it. Return: false: it has no end */
static bool measure(const uint8_t *at, uint32_t left, unsigned int unit, uint32_t *size,
		    uint32_t *taken)
{
	for (*size = 0; *size + unit <= left; *size += unit) {
		if (at[*size] || (unit == 2 && at[*size + 1]))
			continue;
		*taken = *size + unit;
		return true;
	}
	*taken = left;
	return false;
}

/* A size of two bytes, then what it counts */
static bool measure_counted(struct value *value, uint32_t left, uint32_t *taken)
{
	uint32_t length;

	value->missing = left < 2;
	*taken = left;
	if (value->missing)
		return false;
	length = value->at[0] | value->at[1] << 8;
	value->at += 2;
	value->size = length <= left - 2 ? length : left - 2;
	*taken = value->size + 2;
	return length <= left - 2;
}

/*
 * A SID has its revision, 1, then how many numbers of 4 bytes there are behind its first 8. WPP
 * writes the text NULL for what is no SID.
 */
static bool measure_sid(struct value *value, uint32_t left, uint32_t *taken)
{
	const uint8_t *at = value->at;

	value->size = left >= 5 && !memcmp(at, "NULL", 5) ? 5 : left >= 2 ? 8 + 4 * at[1] : 8;
	value->missing = value->size > left;
	*taken = value->missing ? left : value->size;
	return !value->missing;
}

/* Return: false when the record ends inside; what there is of it is taken */
static bool take_argument(struct value *value, const uint8_t **at, uint32_t *left,
			  unsigned int pointer)
{
	const struct tmf_item *item = value->argument->item;
	uint32_t size = item->class == TMF_POINTER ? pointer : item->size, taken;
	bool whole;

	value->at = *at;
	if (size) {
		whole = size <= *left;
		value->missing = !whole;
		taken = whole ? size : *left;
		value->size = size;
	} else if (item->class == TMF_STRING || item->class == TMF_STRING16) {
		whole = measure(*at, *left, item->class == TMF_STRING ? 1 : 2, &value->size,
				&taken);
		value->missing = !whole && !*left;
	} else if (item->class == TMF_SID) {
		whole = measure_sid(value, *left, &taken);
	} else {
		whole = measure_counted(value, *left, &taken);
	}
	*at += taken;
	*left -= taken;
	return whole;
}

/*
 * Finds the arguments in the record; *@at: what is left of it. Nothing can be said of arguments that
 * follow one of an unknown type. Return: false: the record is cut
 */
static bool take_arguments(struct rendering *r, const uint8_t **at, uint32_t *left)
{
	const struct tmf_block *block = r->message->block;
	bool whole = true, known = true;
	unsigned int i;

	for (i = 0; block && i < block->count; i++) {
		r->value[i] = (struct value){ .argument = &block->argument[i] };
		known = known && block->argument[i].item->class != TMF_UNKNOWN;
		if (!known)
			r->value[i].missing = true;
		else if (!take_argument(&r->value[i], at, left, r->record->pointer_size))
			whole = false;
	}
	return whole;
}

static void put_if(struct fields *fields, const char *name, const char *text)
{
	if (*text)
		fields_string(fields, name, text);
}

const char *tmf_text(const struct tmf_message *message, const struct etl_record *record,
		     const struct etl_logfile *log, unsigned int processor, struct tmf_rest *rest)
{
	static struct rendering r;

	r.message = message;
	r.record = record;
	r.log = log;
	r.processor = processor;
	*rest = (struct tmf_rest){ .at = record->payload, .size = record->payload_size };
	rest->truncated = !take_arguments(&r, &rest->at, &rest->size);
	render(&r);
	rest->truncated |= r.used + 1 == sizeof(r.text);
	return r.text;
}

bool tmf_decode(const struct tmf *tmf, const struct etl_record *record,
		const struct etl_logfile *log, unsigned int processor, struct fields *fields)
{
	const struct tmf_message *message;
	struct tmf_rest rest;

	if (record->header != ETL_MESSAGE)
		return false;
	message = tmf_find(tmf, &record->guid, record->id);
	if (!message)
		return false;
	fields_string(fields, "Text", tmf_text(message, record, log, processor, &rest));
	fields->truncated |= rest.truncated;
	put_if(fields, "Provider", message->provider);
	put_if(fields, "Source", message->source);
	put_if(fields, "Function", message->function);
	put_if(fields, "Level", message->level);
	put_if(fields, "Flags", message->flags);
	if (rest.size)
		fields_dump(fields, "Rest", rest.at, rest.size);
	return true;
}
