// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* EVENT_HEADER events of kernel modules; declared in etw_kernel.h. */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include "etw_kernel.h"
#include "record/event_names.h"
#include "record/event_record.h"
#include "ring/reserve.h"
#include "enable.h"
#include "provider.h"
#include "writable.h"

/**
 * struct given_event - an event of a module
 * @record: header; the body is put together in the buffer
 * @layout: where the pieces go
 * @related: activity, or NULL
 * @data: pieces
 * @nr_data: entries of @data
 * @schema: the first piece that describes the data, or NULL
 */
struct given_event {
	struct etw_event_record record;
	struct etw_event_body layout;
	const struct etw_guid *related;
	const struct etw_event_data *data;
	u32 nr_data;
	const struct etw_event_data *schema;
};

static const void *address_of(const struct etw_event_data *piece)
{
	return (const void *)(unsigned long)piece->data;
}

static int lay_out(struct given_event *event)
{
	const struct etw_event_data *piece = event->data;
	u32 *size = event->layout.size;

	if (event->nr_data > ETW_MAX_EVENT_DATA)
		return -EINVAL;
	for (; piece < event->data + event->nr_data; piece++) {
		if (piece->type > ETW_DATA_TRAITS)
			return -EINVAL;
		if (piece->size > ETW_MAX_RECORD)
			return -EMSGSIZE;
		if (piece->type == ETW_DATA_SCHEMA && !event->schema)
			event->schema = piece;
		size[piece->type] += piece->size;
	}
	event->layout.related = !!event->related;
	if (etw_event_body_layout(&event->layout))
		return -EMSGSIZE;
	event->record.size = event->layout.bytes;
	if (event->layout.at[ETW_DATA_USER])
		event->record.flags = ETW_EVENT_HEADER_EXTENDED_INFO;
	return 0;
}

static void put_body(u8 *to, const struct given_event *event)
{
	const struct etw_event_data *piece = event->data;
	u32 at[3];

	memcpy(at, event->layout.at, sizeof(at));
	for (; piece < event->data + event->nr_data; piece++) {
		memcpy(to + at[piece->type], address_of(piece), piece->size);
		at[piece->type] += piece->size;
	}
	if (event->related)
		memcpy(to + event->layout.related_at, event->related, sizeof(*event->related));
	etw_event_body_put_items(to, &event->layout);
}

static int write_record(const struct given_event *event, const struct etw_writer *writer,
			u64 handle)
{
	const u32 size = sizeof(struct etw_event_header) + event->record.size;
	const struct etw_writable *writable;
	struct etw_reservation at;
	struct etw_ring *ring;
	int err = 0;

	writable = etw_writable_enter(handle, NULL, size, 0, &err);
	if (!writable)
		return err;
	ring = this_cpu_ptr(writable->rings);
	if (etw_reserve(ring, size, &at, ETW_RESERVE_COUNT)) {
		put_body(etw_encode_event_header(at.data, &event->record, writer, at.tick), event);
		etw_commit(ring, &at, size);
	} else {
		err = -ENOBUFS;
	}
	etw_writable_leave();
	return err;
}

/* Context: preemption off. Return: number of @listeners */
static int find_listeners(const struct etw_control_guid *guid, const struct given_event *event,
			  struct etw_event_listener *listeners)
{
	int n = etw_guid_listeners(guid, "", &event->record.descriptor, NULL, listeners);
	struct etw_event_name name = { };

	if (likely(!(n & ETW_LISTENERS_BY_NAME)))
		return n;
	if (event->schema)
		name = etw_event_name_of(address_of(event->schema), event->schema->size);
	return etw_guid_listeners(guid, "", &event->record.descriptor, &name, listeners) &
	       ~ETW_LISTENERS_BY_NAME;
}

static int write_all(const struct given_event *event, const struct etw_event_listener *listeners,
		     int n)
{
	struct etw_writer writer;
	int i, err, first = 0;

	etw_writer_current(&writer);
	for (i = 0; i < n; i++) {
		err = write_record(event, &writer, listeners[i].handle);
		/* a session that has stopped meanwhile does not want the event any more */
		if (err != -EBADF)
			first = first ?: err;
	}
	return first;
}

/**
 * etw_event_write() - write an event to all sessions that want it
 * @provider: of etw_provider_add()
 * @event: kind of the event; each session decides by its level and keyword
 * @activity: GUID of the activity, or NULL
 * @related: GUID of the related activity, or NULL
 * @nr_data: number of pieces at @data, up to ETW_MAX_EVENT_DATA
 * @data: pieces, with addresses of kernel memory; their types are valid. The list must not change
 *	during the call, because it is read before and after the record is reserved
 *
 * Check etw_event_enabled() first. The filters of sessions apply; a module has no executable, and
 * the process is the current one, also in an interrupt. A name is in the first piece of
 * ETW_DATA_SCHEMA. Events of modules have no items that ENABLE's properties ask for. If a
 * session can't record the event, the others do, and the first error is returned.
 *
 * Context: any, NMI included; takes no lock and never sleeps.
 *
 * Return: 0, also if no session wants the event; -ENOENT: @provider is not registered; -EINVAL:
 * too many pieces, or an unknown type; -EMSGSIZE: more than 64 KB, or, counted as lost, more than a
 * buffer; -ENOBUFS: there is no buffer, counted as lost.
 */
int etw_event_write(const struct etw_provider *provider, const struct etw_event_descriptor *event,
		    const struct etw_guid *activity, const struct etw_guid *related, u32 nr_data,
		    const struct etw_event_data *data)
{
	struct given_event given = {
		.record.provider = provider->guid, .record.descriptor = *event,
		.related = related, .data = data, .nr_data = nr_data,
	};
	struct etw_event_listener listeners[ETW_MAX_LISTENERS];
	const struct etw_control_guid *guid;
	int n = -ENOENT, err;

	if (activity)
		given.record.activity = *activity;
	err = lay_out(&given);
	if (err)
		return err;
	preempt_disable_notrace();
	guid = rcu_dereference_sched(provider->control);
	if (guid)
		n = find_listeners(guid, &given, listeners);
	preempt_enable_notrace();
	return n <= 0 ? n : write_all(&given, listeners, n);
}
EXPORT_SYMBOL_GPL(etw_event_write);
