/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The event of TraceEventInstance(), on its way from the caller to a session. */
#ifndef LIBETW_INSTANCE_H
#define LIBETW_INSTANCE_H

#include "libetw.h"

/**
 * struct instance_event - an instance's event as the kernel takes it
 * @header: with GUIDs where the caller has handles
 * @fields: where its data are
 * @data: the caller's, or @fields when these are the caller's
 * @size: bytes of @data
 */
struct instance_event {
	struct event_instance_guid_header header;
	struct mof_field fields[ETW_MAX_MOF_FIELDS];
	const void *data;
	uint32_t size;
};

/**
 * struct instance_call - what TraceEventInstance() was given
 * @handle: of the session
 * @event: header, data behind it
 * @info: which instance
 * @parent: of it, or NULL
 * @copy: how its memory is read and written: 0 or -EFAULT
 */
struct instance_call {
	TRACEHANDLE handle;
	EVENT_INSTANCE_HEADER *event;
	const EVENT_INSTANCE_INFO *info;
	const EVENT_INSTANCE_INFO *parent;
	int (*copy)(const struct etw_piece *pieces, unsigned int count);
};

/* Makes an event of it. Context: any thread, any signal handler. Return: 0 or -errno */
int instance_take(struct instance_event *event, const struct instance_call *call);
/* Leaves the handle in the caller's header: when the event may be one, and before it is */
int instance_leave_handle(const struct instance_call *call);

/* private_write.c: the whole call, for the process's own session */
ULONG private_trace_instance(const struct instance_call *call);

#endif /* LIBETW_INSTANCE_H */
