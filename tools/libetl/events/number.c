// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Numbers of an event by the names of their fields, without decoding the rest. */
#include "events.h"

static const struct form *newest(uint16_t hook_id)
{
	const struct etl_event *event = event_of_hook(hook_id);
	const struct event_version *of = event ? event->versions : NULL;
	const struct form *forms = NULL;

	for (; of && of->forms; of++)
		forms = of->forms;
	return forms;
}

void event_number_find(struct event_number *number, uint16_t hook_id, const char *name)
{
	const struct form *forms = newest(hook_id);

	*number = (struct event_number){ };
	form_place(forms, name, 4, &number->with4);
	form_place(forms, name, 8, &number->with8);
}

bool event_number(const struct event_number *number, const struct etl_record *record,
		  uint64_t *value)
{
	const struct form_place *place = record->pointer_size == 4 ? &number->with4 :
								     &number->with8;
	const uint8_t *at = record->payload + place->at;

	if (record->payload_size < (uint32_t)place->at + place->bytes)
		return false;
	switch (place->bytes) {
	case 1:
		*value = *at;
		return true;
	case 2:
		*value = get16(at);
		return true;
	case 4:
		*value = get32(at);
		return true;
	case 8:
		*value = get64(at);
		return true;
	}
	return false;
}
