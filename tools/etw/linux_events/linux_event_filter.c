// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* --filter: comparisons of integer fields with numbers, as conditions of an event. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "etw.h"
#include "linux_events.h"

#define SUPPORTED	"comparisons FIELD OP NUMBER joined by &&; OP: == != < <= > >= &"

/**
 * struct expression - an expression that is parsed
 * @verb: for messages
 * @text: all of it
 * @at: the next character
 */
struct expression {
	const char *verb;
	const char *text;
	const char *at;
};

static int refuse(const struct expression *from, const char *what)
{
	failed("%s: --filter '%s': at character %zu: %s (" SUPPORTED ")", from->verb, from->text,
	       (size_t)(from->at - from->text) + 1, what);
	return EXIT_USAGE;
}

static void skip_blanks(struct expression *from)
{
	from->at += strspn(from->at, " \t");
}

static size_t word_length(const char *at)
{
	return strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

static int take_field(struct expression *from, const struct linux_event *event,
		      const struct trace_field **field)
{
	size_t length = word_length(from->at);
	char name[64], what[1024];

	if (!length)
		return refuse(from, "a field's name is expected");
	snprintf(name, sizeof(name), "%.*s", (int)length, from->at);
	*field = length < sizeof(name) ? trace_field_of(event->format, name) : NULL;
	if (!*field) {
		snprintf(what, sizeof(what), "event %s has no field '%s'; 'etw list events "
			 "--fields %s' shows them", event->format->name, name,
			 event->format->name);
		return refuse(from, what);
	}
	if ((*field)->kind != TRACE_NUMBER) {
		snprintf(what, sizeof(what), "field '%s' of event %s is no integer", name,
			 event->format->name);
		return refuse(from, what);
	}
	from->at += length;
	return 0;
}

static int take_operator(struct expression *from, uint8_t *test)
{
	/* the longer ones first */
	static const struct {
		const char *text;
		enum etw_field_test test;
	} operators[] = {
		{ "==", ETW_TEST_EQUAL }, { "!=", ETW_TEST_NOT_EQUAL },
		{ "<=", ETW_TEST_LESS_EQUAL }, { ">=", ETW_TEST_GREATER_EQUAL },
		{ "<", ETW_TEST_LESS }, { ">", ETW_TEST_GREATER }, { "&", ETW_TEST_BITS },
	};
	size_t i, length;

	skip_blanks(from);
	for (i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		length = strlen(operators[i].text);
		if (strncmp(from->at, operators[i].text, length))
			continue;
		/* && and << are no comparisons */
		if (length == 1 && from->at[1] == from->at[0])
			break;
		*test = operators[i].test;
		from->at += length;
		return 0;
	}
	return refuse(from, "a comparison is expected");
}

/* Whether a field of that many bytes can have the value */
static bool fits(uint64_t value, bool negative, const struct trace_field *field)
{
	unsigned int bits = 8 * field->size;

	if (!field->is_signed)
		return !negative && (bits == 64 || value >> bits == 0);
	if (negative)
		return -value <= UINT64_C(1) << (bits - 1);
	return value < UINT64_C(1) << (bits - 1);
}

/* @value: two's complement if it is negative */
static int take_number(struct expression *from, const struct trace_field *field, uint64_t *value)
{
	const char *digits;
	char what[128], *end;
	bool negative;

	skip_blanks(from);
	negative = *from->at == '-';
	digits = from->at + negative;
	errno = 0;
	*value = strtoull(digits, &end, 0);
	if (*digits < '0' || *digits > '9' || word_length(digits) != (size_t)(end - digits))
		return refuse(from, "a number is expected");
	if (negative)
		*value = -*value;
	if (errno || !fits(*value, negative && *value, field)) {
		snprintf(what, sizeof(what), "no value of field '%s', which has %u bytes and %s",
			 field->name, field->size, field->is_signed ? "a sign" : "no sign");
		return refuse(from, what);
	}
	from->at = end;
	return 0;
}

static int take_comparison(struct expression *from, struct linux_event *event)
{
	struct etw_linux_event_test *test = &event->tests[event->nr_tests];
	const struct trace_field *field;
	uint64_t value;
	char what[64];
	int code;

	if (event->nr_tests == ETW_MAX_LINUX_EVENT_TESTS) {
		snprintf(what, sizeof(what), "more than %u comparisons",
			 ETW_MAX_LINUX_EVENT_TESTS);
		return refuse(from, what);
	}
	*test = (struct etw_linux_event_test){ };
	code = take_field(from, event, &field);
	if (!code)
		code = take_operator(from, &test->test);
	if (!code)
		code = take_number(from, field, &value);
	if (code)
		return code;
	test->is_signed = field->is_signed;
	test->offset = field->offset;
	test->size = field->size;
	test->value_low = value;
	test->value_high = value >> 32;
	event->nr_tests++;
	skip_blanks(from);
	return 0;
}

int linux_event_add_tests(struct linux_event *event, const char *verb, const char *expression)
{
	struct expression from = { .verb = verb, .text = expression, .at = expression };
	int code;

	for (;;) {
		skip_blanks(&from);
		code = take_comparison(&from, event);
		if (code || !*from.at)
			return code;
		if (strncmp(from.at, "&&", 2))
			return refuse(&from, "&& or the end is expected");
		from.at += 2;
	}
}
