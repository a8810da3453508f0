/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Names of events and of the values in them. */
#ifndef ETW_EVENT_NAMES_H
#define ETW_EVENT_NAMES_H

#include <stddef.h>
#include "reader.h"

/* Room for it; a longer one, which a program may choose, is cut, and marked */
#define EVENT_NAME	512

/* The event's name, such as Thread/CSwitch; always some text */
void event_name(const struct etl_record *record, char *to, size_t room);

void hook_name(uint16_t hook_id, char *to, size_t room);
bool hook_from_name(const char *name, uint16_t *hook_id);

/* NULL for values without a name */
const char *wait_reason_name(unsigned int reason);
const char *thread_state_name(unsigned int state);
const char *anchor_reason_name(unsigned int reason);
const char *loss_cause_name(unsigned int cause);
const char *clock_name(unsigned int clock);
const char *header_name(enum etl_header header);

#endif /* ETW_EVENT_NAMES_H */
