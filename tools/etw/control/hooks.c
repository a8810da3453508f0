// SPDX-License-Identifier: GPL-2.0
/* Hook ids as options name them. */
#include <stdio.h>
#include <strings.h>
#include "../../libetl/event_names.h"
#include "../../libetl/events/events.h"
#include "../etw.h"
#include "hooks.h"

bool hook_parse(const char *text, uint16_t *hook)
{
	const struct etl_event *const *table, *event;
	uint32_t number;

	if (parse_number(text, 0, 0xFFFF, &number)) {
		*hook = number;
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

void hook_names_list(void)
{
	const struct etl_event *const *table, *event;

	for_each_event(table, event)
		if (event->stack_name)
			printf("%-22s 0x%04x  %s\n", event->stack_name, event->id, event->name);
}
