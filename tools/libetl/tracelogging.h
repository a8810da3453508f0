/* SPDX-License-Identifier: GPL-2.0 */
/* Events that describe themselves: TraceLogging. */
#ifndef ETW_TRACELOGGING_H
#define ETW_TRACELOGGING_H

#include "fields.h"
#include "reader.h"

/* Adds the payload's fields. Return: false when the event does not describe itself */
bool tracelogging_decode(const struct etl_record *record, struct fields *fields);
/* "Provider/Event" as the event says it. Return: false when it does not */
bool tracelogging_name(const struct etl_record *record, char *to, size_t room);

#endif /* ETW_TRACELOGGING_H */
