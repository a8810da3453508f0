// SPDX-License-Identifier: GPL-2.0
/* The text of a message: its format with the record's arguments in it. */
#include <string.h>
#include "message_text.h"

/* What a width or a precision may be: a trace says some of them */
#define WIDEST		8192

static const struct value *find_value(const struct rendering *r, unsigned int number)
{
	unsigned int i;

	for (i = 0; i < r->message->count; i++)
		if (r->value[i].argument->number == number)
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

/* What the record says of itself */
static void put_own(struct rendering *r, unsigned int number)
{
	switch (number) {
	case 1:
		return text_put_string(r, r->message->provider);
	case 2:
		return text_put_string(r, r->message->source);
	case 3:
		return text_put_printf(r, "%u", r->record->thread_id);
	case 7:
		return text_put_printf(r, "%u", r->record->sequence);
	case 8:
		return text_put_printf(r, "%u", r->record->process_id);
	}
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
		put_own(r, number);
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
	while (*at) {
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

/* Return: false when the record ends inside; what there is of it is taken */
static bool take_argument(struct value *value, const uint8_t **at, uint32_t *left,
			  unsigned int pointer)
{
	const struct tmf_item *item = value->argument->item;
	uint32_t size = item->class == TMF_POINTER ? pointer : item->size, taken, length;
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
	} else {
		whole = *left >= 2;
		length = whole ? (*at)[0] | (*at)[1] << 8 : 0;
		value->missing = !whole;
		value->at += whole ? 2 : 0;
		whole = whole && length <= *left - 2;
		value->size = value->missing ? 0 : whole ? length : *left - 2;
		taken = value->missing ? *left : value->size + 2;
	}
	*at += taken;
	*left -= taken;
	return whole;
}

static bool is_known(const struct tmf_message *message)
{
	unsigned int i;

	for (i = 0; i < message->count; i++)
		if (message->arguments[i].item->class == TMF_UNKNOWN)
			return false;
	return true;
}

static void put_if(struct fields *fields, const char *name, const char *text)
{
	if (*text)
		fields_string(fields, name, text);
}

bool tmf_decode(const struct tmf *tmf, const struct etl_record *record, struct fields *fields)
{
	uint32_t left = record->payload_size;
	const uint8_t *at = record->payload;
	static struct rendering r;
	unsigned int i;

	if (record->header != ETL_MESSAGE)
		return false;
	r.message = tmf_find(tmf, &record->guid, record->id);
	if (!r.message || !is_known(r.message))
		return false;
	r.record = record;
	for (i = 0; i < r.message->count; i++) {
		r.value[i] = (struct value){ .argument = &r.message->arguments[i] };
		if (!take_argument(&r.value[i], &at, &left, record->pointer_size))
			fields->truncated = true;
	}
	render(&r);
	fields_string(fields, "Text", r.text);
	put_if(fields, "Provider", r.message->provider);
	put_if(fields, "Source", r.message->source);
	put_if(fields, "Function", r.message->function);
	put_if(fields, "Level", r.message->level);
	put_if(fields, "Flags", r.message->flags);
	if (left)
		fields_dump(fields, "Rest", at, left);
	return true;
}
