// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* CreateTraceInstanceId() and TraceEventInstance(). */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include "instance.h"
#include "record/event_input.h"

ULONG CreateTraceInstanceId(HANDLE handle, PEVENT_INSTANCE_INFO info)
{
	EVENT_INSTANCE_INFO made = { .RegHandle = handle };

	if (!info)
		return etw_result(ERROR_INVALID_PARAMETER);
	made.InstanceId = etw_class_next_instance(handle);
	if (!made.InstanceId)
		return etw_result(ERROR_INVALID_PARAMETER);
	return etw_result(etw_error(etw_copy_out(info, &made, sizeof(made))));
}

/**
 * struct given - what the caller's structures said when they were copied
 * @header: the event's
 * @info: which instance
 * @parent: the instance that it is a part of
 */
struct given {
	EVENT_INSTANCE_HEADER header;
	EVENT_INSTANCE_INFO info;
	EVENT_INSTANCE_INFO parent;
};

static int take_given(struct given *given, const struct instance_call *call)
{
	const struct etw_piece pieces[ETW_PIECES] = {
		{ &given->header, call->event, sizeof(given->header) },
		{ &given->info, call->info, sizeof(given->info) },
		{ &given->parent, call->parent, sizeof(given->parent) },
	};

	return call->copy(pieces, call->parent ? 3 : 2);
}

static int take_header(struct instance_event *event, const struct instance_call *call,
		       const EVENT_INSTANCE_HEADER *given)
{
	struct etw_piece fields = { .to = event->fields, .from = call->event + 1 };

	if (given->Size < sizeof(*given))
		return -EINVAL;
	if (!(given->Flags & WNODE_FLAG_TRACED_GUID))
		return -EBADRQC;
	/* up to the GUID the two are the same */
	memcpy(&event->header, given, offsetof(EVENT_INSTANCE_HEADER, RegHandle));
	event->header.event.client_context = given->EventId;
	event->header.event.flags = given->Flags & ~WNODE_FLAG_USE_GUID_PTR;
	event->data = call->event + 1;
	event->size = given->Size - sizeof(*given);
	if (!(given->Flags & WNODE_FLAG_USE_MOF_PTR))
		return 0;
	if (event->size > ETW_MAX_MOF_BYTES)
		return -E2BIG;
	fields.size = event->size;
	event->data = event->fields;
	return call->copy(&fields, 1);
}

/* Of the class and the number of an instance */
static int take_info(const EVENT_INSTANCE_INFO *info, struct etw_guid *guid, uint32_t *id)
{
	*id = info->InstanceId;
	return etw_class_guid(info->RegHandle, guid);
}

/* The one edit of the caller's header that persists; an event could not be taken back. */
int instance_leave_handle(const struct instance_call *call)
{
	const struct etw_piece handle = {
		(char *)call->event + offsetof(EVENT_INSTANCE_HEADER, ThreadId), &call->handle,
		sizeof(call->handle),
	};

	return call->copy(&handle, 1);
}

int instance_take(struct instance_event *event, const struct instance_call *call)
{
	struct event_instance_guid_header *header = &event->header;
	struct given given;
	int err = take_given(&given, call);

	memset(header, 0, sizeof(*header));
	if (!err)
		err = take_header(event, call, &given.header);
	if (!err)
		err = take_info(&given.info, &header->event.guid, &header->instance_id);
	/* without one, of the parent: nothing */
	if (!err && call->parent)
		err = take_info(&given.parent, &header->parent_guid, &header->parent_instance_id);
	return err;
}

/* The longer header stands in our memory, the data where they are: one field says so. */
static void point_at_data(struct instance_event *event)
{
	event->header.event.size = sizeof(event->header);
	if (event->data == event->fields) {
		event->header.event.size += event->size;
	} else if (event->size) {
		event->fields[0] = (struct mof_field){
			.data_ptr = (uintptr_t)event->data, .length = event->size,
		};
		event->header.event.size += sizeof(event->fields[0]);
		event->header.event.flags |= WNODE_FLAG_USE_MOF_PTR;
	}
}

/* As TraceEvent(): a good header is edited, whatever becomes of the event. */
static int check(const struct instance_event *event, const struct instance_call *call)
{
	static const struct etw_event_rules rules = { .version = ETW_RULES_5_1, .instance = 1 };
	struct etw_event_shape shape;
	int err = etw_event_check(&event->header.event, call->handle, &rules, &shape);

	if (shape.valid && instance_leave_handle(call))
		return -EFAULT;
	return err;
}

static ULONG trace_kernel(struct instance_call *call)
{
	struct instance_event event;
	struct etw_trace_event argument = {
		.size = sizeof(argument), .flags = ETW_TRACE_INSTANCE,
		.session_handle = call->handle, .event = (uintptr_t)&event.header,
	};
	int err;

	call->copy = etw_copy;
	err = instance_take(&event, call);
	if (err)
		return etw_error(err);
	point_at_data(&event);
	err = check(&event, call);
	if (err)
		return etw_error(err);
	return etw_provider_error(etw_provider_ioctl(ETW_PROVIDER_TRACE_EVENT, &argument));
}

ULONG TraceEventInstance(TRACEHANDLE handle, PEVENT_INSTANCE_HEADER event,
			 PEVENT_INSTANCE_INFO info, PEVENT_INSTANCE_INFO parent)
{
	struct instance_call call = {
		.handle = handle, .event = event, .info = info, .parent = parent,
	};

	if (!event || !info)
		return etw_result(ERROR_INVALID_PARAMETER);
	if (handle & ETW_HANDLE_PRIVATE)
		return etw_result(private_trace_instance(&call));
	return etw_result(trace_kernel(&call));
}
