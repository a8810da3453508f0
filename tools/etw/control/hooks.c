// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Hook ids as options name them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "libetl/event_names.h"
#include "libetl/events/events.h"
#include "etw.h"
#include "hooks.h"

#define DECIMALS	"0123456789"

/* Four digits, as dump --json and the documentation write an id: 0524, 0f2e. */
static bool are_four_digits(const char *text)
{
	return strlen(text) == 4 && strspn(text, DECIMALS "abcdefABCDEF") == 4;
}

/* 1403 and 302 are decimal, but may have been meant as what they look like there. */
static void doubt_decimal(const char *text, uint16_t hook)
{
	bool decimal = strspn(text, DECIMALS) == strlen(text) && strlen(text) <= 4;
	const struct etl_event *other = decimal ? event_of_hook(strtoul(text, NULL, 16)) : NULL;

	if (other && !event_of_hook(hook))
		warn("hook %s is 0x%04x, of which no event is known; 0x%s is %s", text, hook, text,
		     other->name);
}

bool hook_parse(const char *text, uint16_t *hook)
{
	const struct etl_event *const *table, *event;
	uint32_t number;

	if (are_four_digits(text) && (*text == '0' || strspn(text, DECIMALS) < 4)) {
		*hook = strtoul(text, NULL, 16);
		return true;
	}
	if (parse_number(text, 0, 0xFFFF, &number)) {
		*hook = number;
		doubt_decimal(text, *hook);
		return true;
	}
	for_each_event(table, event) {
		if (!event->stack_name || strcasecmp(event->stack_name, text))
			continue;
		*hook = event->id;
		return true;
	}
	return hook_from_name(text, hook);
}

const char *hook_suggestion(const char *text, struct suggestion *suggestion)
{
	const struct etl_event *const *table, *event;

	suggestion_begin(suggestion, text);
	for_each_event(table, event) {
		if (event->stack_name)
			suggestion_try(suggestion, event->stack_name);
		if (event->name)
			suggestion_try(suggestion, event->name);
	}
	return suggestion_text(suggestion);
}

void hook_names_list(void)
{
	const struct etl_event *const *table, *event;

	for_each_event(table, event)
		if (event->stack_name)
			printf("%-22s 0x%04x  %s\n", event->stack_name, event->id, event->name);
}
