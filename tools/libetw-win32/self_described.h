/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Descriptions of TraceLogging events, in the form in which TraceEvent reads them from files. */
#ifndef LIBETW_SELF_DESCRIBED_H
#define LIBETW_SELF_DESCRIBED_H

#include <pthread.h>
#include "libetl/map.h"
#include "libetw/include/evntcons.h"

/**
 * struct self_described - the kinds of TraceLogging events that a reader has got
 * @lock: a program may give two threads one callback
 * @kinds: by provider, opcode and metadata
 * @providers: by GUID
 * @last_id: the number that the latest kind of each provider got
 */
struct self_described {
	pthread_mutex_t lock;
	struct map kinds;
	struct map providers;
	USHORT *last_id;
};

/**
 * struct event_description - an event that describes another one
 * @event: the event
 * @info: its data, from malloc()
 * @room: of @info
 */
struct event_description {
	EVENT_RECORD event;
	BYTE *info;
	ULONG room;
};

/* Describes @event, if it is the first of its kind. Return: whether it is */
BOOL self_described_take(struct self_described *described, EVENT_RECORD *event,
			 struct event_description *description);
void self_described_free(struct self_described *described);

#endif /* LIBETW_SELF_DESCRIBED_H */
