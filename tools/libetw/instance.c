// SPDX-License-Identifier: GPL-2.0
/* Classes of events, their instances, and TraceEventInstance(). */
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include "libetw.h"

#define MAX_CLASSES	4096u

/**
 * struct event_class - a class that RegisterTraceGuids() was given
 * @guid: its GUID
 * @generation: odd while in use; with the index it makes the handle
 * @last: number of its last instance
 */
struct event_class {
	struct etw_guid guid;
	uint32_t generation;
	uint32_t last;
};

static struct event_class classes[MAX_CLASSES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* No address: a wrong one can't be followed anywhere. */
static HANDLE handle_of(uint32_t index)
{
	return (HANDLE)(uintptr_t)((classes[index].generation << 12 | index) & 0x7FFFFFFF);
}

static struct event_class *find(HANDLE handle)
{
	uint32_t index = (uintptr_t)handle & (MAX_CLASSES - 1);

	if (!(classes[index].generation & 1) || handle != handle_of(index))
		return NULL;
	return &classes[index];
}

HANDLE etw_class_add(const GUID *guid)
{
	HANDLE handle = NULL;
	uint32_t i;

	pthread_mutex_lock(&lock);
	for (i = 0; i < MAX_CLASSES && (classes[i].generation & 1); i++)
		;
	if (i < MAX_CLASSES) {
		memcpy(&classes[i].guid, guid, sizeof(*guid));
		classes[i].last = 0;
		classes[i].generation++;
		handle = handle_of(i);
	}
	pthread_mutex_unlock(&lock);
	return handle;
}

void etw_class_remove(HANDLE handle)
{
	struct event_class *class;

	pthread_mutex_lock(&lock);
	class = find(handle);
	if (class)
		class->generation++;
	pthread_mutex_unlock(&lock);
}

int etw_class_guid(HANDLE handle, struct etw_guid *guid)
{
	struct event_class *class;

	pthread_mutex_lock(&lock);
	class = find(handle);
	if (class)
		*guid = class->guid;
	pthread_mutex_unlock(&lock);
	return class ? 0 : -EINVAL;
}

static uint32_t next_instance(HANDLE handle)
{
	struct event_class *class;
	uint32_t id = 0;

	pthread_mutex_lock(&lock);
	class = find(handle);
	if (class)
		id = ++class->last;
	pthread_mutex_unlock(&lock);
	return id;
}

ULONG CreateTraceInstanceId(HANDLE handle, PEVENT_INSTANCE_INFO info)
{
	EVENT_INSTANCE_INFO made = { .RegHandle = handle };

	if (!info)
		return etw_result(ERROR_INVALID_PARAMETER);
	made.InstanceId = next_instance(handle);
	if (!made.InstanceId)
		return etw_result(ERROR_INVALID_PARAMETER);
	return etw_result(etw_error(etw_copy_out(info, &made, sizeof(made))));
}

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

/* Of the class and the number of an instance; without one, of the parent: nothing */
static int take_info(const EVENT_INSTANCE_INFO *from, struct etw_guid *guid, uint32_t *id)
{
	EVENT_INSTANCE_INFO info;
	int err = etw_copy_in(&info, from, sizeof(info));

	if (!err)
		err = etw_class_guid(info.RegHandle, guid);
	if (!err)
		*id = info.InstanceId;
	return err;
}

static int take_header(struct instance_event *event, const EVENT_INSTANCE_HEADER *from)
{
	EVENT_INSTANCE_HEADER given;
	int err = etw_copy_in(&given, from, sizeof(given));

	if (err)
		return err;
	if (given.Size < sizeof(given))
		return -EINVAL;
	/* up to the GUID the two are the same */
	memcpy(&event->header, &given, offsetof(EVENT_INSTANCE_HEADER, RegHandle));
	event->header.event.client_context = given.EventId;
	event->header.event.flags = (given.Flags & ~WNODE_FLAG_USE_GUID_PTR) |
				    WNODE_FLAG_TRACED_GUID;
	event->data = from + 1;
	event->size = given.Size - sizeof(given);
	if (!(given.Flags & WNODE_FLAG_USE_MOF_PTR))
		return 0;
	if (event->size > ETW_MAX_MOF_BYTES)
		return -E2BIG;
	err = etw_copy_in(event->fields, event->data, event->size);
	event->data = event->fields;
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

/* The one edit of the caller's header that persists; an event could not be taken back. */
static int leave_handle(TRACEHANDLE handle, EVENT_INSTANCE_HEADER *given)
{
	return etw_copy_out((char *)given + offsetof(EVENT_INSTANCE_HEADER, ThreadId), &handle,
			    sizeof(handle));
}

static ULONG send(TRACEHANDLE handle, struct instance_event *event)
{
	struct etw_trace_event argument = {
		.size = sizeof(argument), .flags = ETW_TRACE_INSTANCE, .session_handle = handle,
		.event = (uintptr_t)&event->header,
	};

	if (handle & ETW_HANDLE_PRIVATE)
		return private_trace_instance(handle, &event->header, event->data, event->size);
	point_at_data(event);
	return etw_provider_error(etw_provider_ioctl(ETW_PROVIDER_TRACE_EVENT, &argument));
}

ULONG TraceEventInstance(TRACEHANDLE handle, PEVENT_INSTANCE_HEADER given,
			 PEVENT_INSTANCE_INFO info, PEVENT_INSTANCE_INFO parent)
{
	struct instance_event event = { };
	struct event_instance_guid_header *header = &event.header;
	int err;

	if (!given || !info)
		return etw_result(ERROR_INVALID_PARAMETER);
	err = take_header(&event, given);
	if (!err)
		err = take_info(info, &header->event.guid, &header->instance_id);
	if (!err && parent)
		err = take_info(parent, &header->parent_guid, &header->parent_instance_id);
	if (!err)
		err = leave_handle(handle, given);
	return etw_result(err ? etw_error(err) : send(handle, &event));
}
