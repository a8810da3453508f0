// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* WRITE_EVENT: an event for all sessions that want it, copied once; declared in provider.h. */
#include <linux/compat.h>
#include <linux/cred.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/user_namespace.h>
#include "context/stack_capture.h"
#include "record/event_names.h"
#include "record/event_record.h"
#include "ring/reserve.h"
#include "source/process_values.h"
#include "container.h"
#include "provider.h"
#include "user_copy.h"
#include "writable.h"

/* Larger events, and those of more pieces, are copied to allocated memory. */
#define SMALL_RECORD	(sizeof(struct etw_event_header) + 384)
#define FEW_PIECES	8
#define MOST_DATA	(ETW_MAX_RECORD - sizeof(struct etw_event_header))
/* Larger records are copied by memcpy(): its call costs less then. */
#define FEW_UNITS	32
#define HEADER_UNITS	(sizeof(struct etw_event_header) / sizeof(u64))

/**
 * struct written_event - an event on its way to sessions
 * @request: copy of the caller's
 * @pieces: copy of the caller's list
 * @few: memory for a short list
 * @layout: where the pieces go
 * @writer: the caller
 * @size: bytes of the record, without what sessions add
 * @copy: the record with zeros up to the next multiple of 8, complete but for its time stamp
 * @small: memory for a small record
 */
struct written_event {
	struct etw_write_event request;
	struct etw_event_data *pieces;
	struct etw_event_data few[FEW_PIECES];
	struct etw_event_body layout;
	struct etw_writer writer;
	u32 size;
	struct etw_event_header *copy;
	u8 small[SMALL_RECORD] __aligned(8);
};

static u8 *body_of(const struct written_event *event)
{
	return (u8 *)(event->copy + 1);
}

static int copy_request(struct etw_write_event *request, const void __user *arg)
{
	if (etw_user_copy_object((u8 *)request, arg, sizeof(*request)))
		return -EFAULT;
	if (request->size != sizeof(*request) || (request->flags & ~ETW_WRITE_FLAGS) ||
	    request->nr_data > ETW_MAX_EVENT_DATA || request->reserved)
		return -EINVAL;
	return 0;
}

/* A long list, or one that the kernel can't read piece by piece at little cost */
static noinline int copy_list(struct written_event *event)
{
	const void __user *from = u64_to_user_ptr(event->request.data);
	u32 n = event->request.nr_data;

	if (n > FEW_PIECES) {
		event->pieces = kmalloc_array(n, sizeof(*event->pieces), GFP_KERNEL_ACCOUNT);
		if (!event->pieces)
			return -ENOMEM;
	}
	return copy_from_user(event->pieces, from, n * sizeof(*event->pieces)) ? -EFAULT : 0;
}

static int copy_pieces(struct written_event *event)
{
	const struct etw_event_data __user *from = u64_to_user_ptr(event->request.data);
	u32 n = event->request.nr_data, i;

	if (!ETW_OPENS_USER_MEMORY || unlikely(n > FEW_PIECES))
		return copy_list(event);
	for (i = 0; i < n; i++)
		if (etw_user_copy_object((u8 *)&event->few[i], (const u8 __user *)&from[i],
					 sizeof(*from)))
			return -EFAULT;
	return 0;
}

static int add_up(struct written_event *event)
{
	const struct etw_event_data *piece = event->pieces, *end = piece + event->request.nr_data;
	const bool types = event->request.flags & ETW_WRITE_TYPES;
	u32 *size = event->layout.size, all = 0;

	for (; piece < end; piece++) {
		if (types && piece->type > ETW_DATA_TRAITS)
			return -EINVAL;
		if (piece->size > ETW_MAX_RECORD)
			return -EOVERFLOW;
		if (types)
			size[piece->type] += piece->size;
		else
			all += piece->size;
	}
	size[ETW_DATA_USER] += all;
	return 0;
}

/* Adds up the pieces, which the caller can't change any more. */
static int lay_out(struct written_event *event)
{
	u32 *size = event->layout.size;
	int err;

	memset(&event->layout, 0, sizeof(event->layout));
	err = add_up(event);
	if (err)
		return err;
	if (size[ETW_DATA_TRAITS])
		event->request.traits = 0;
	else if (event->request.traits)
		size[ETW_DATA_TRAITS] = event->request.traits_size;
	event->layout.related = !!event->request.related;
	if (event->layout.related || size[ETW_DATA_TRAITS] || size[ETW_DATA_SCHEMA])
		return etw_event_body_layout(&event->layout);
	event->layout.bytes = size[ETW_DATA_USER];
	return event->layout.bytes > MOST_DATA ? -EOVERFLOW : 0;
}

/* Pieces of types: each goes behind the last one of its type. */
static int copy_typed(struct written_event *event)
{
	const struct etw_event_data *piece = event->pieces, *end = piece + event->request.nr_data;
	u8 *body = body_of(event);
	u32 at[] = {
		[ETW_DATA_USER] = event->layout.at[ETW_DATA_USER],
		[ETW_DATA_SCHEMA] = event->layout.at[ETW_DATA_SCHEMA],
		[ETW_DATA_TRAITS] = event->layout.at[ETW_DATA_TRAITS],
	};

	for (; piece < end; piece++) {
		if (etw_user_copy(body + at[piece->type], u64_to_user_ptr(piece->data),
				  piece->size))
			return -EFAULT;
		at[piece->type] += piece->size;
	}
	return 0;
}

static int copy_data(struct written_event *event)
{
	const struct etw_event_data *piece = event->pieces, *end = piece + event->request.nr_data;
	u8 *to = body_of(event) + event->layout.at[ETW_DATA_USER];

	if (event->request.flags & ETW_WRITE_TYPES)
		return copy_typed(event);
	for (; piece < end; piece++) {
		if (etw_user_copy(to, u64_to_user_ptr(piece->data), piece->size))
			return -EFAULT;
		to += piece->size;
	}
	return 0;
}

/* Those that no piece contains */
static int copy_traits(struct written_event *event)
{
	if (likely(!event->request.traits))
		return 0;
	return etw_user_copy(body_of(event) + event->layout.at[ETW_DATA_TRAITS],
			     u64_to_user_ptr(event->request.traits),
			     event->layout.size[ETW_DATA_TRAITS]);
}

static int copy_guids(struct written_event *event)
{
	const struct etw_write_event *request = &event->request;
	struct etw_guid *activity = &event->copy->activity_id;

	memset(activity, 0, sizeof(*activity));
	if (request->activity &&
	    etw_user_copy(activity, u64_to_user_ptr(request->activity), sizeof(*activity)))
		return -EFAULT;
	if (request->related)
		return etw_user_copy(body_of(event) + event->layout.related_at,
				     u64_to_user_ptr(request->related), sizeof(*activity));
	return 0;
}

/* Called before copy_data(), because it sets the last word to 0, where data may be, too. */
static void put_header(struct written_event *event)
{
	const struct etw_write_event *request = &event->request;
	struct etw_event_header *header = event->copy;
	u16 flags = request->flags & ETW_WRITE_STRING ? ETW_EVENT_HEADER_STRING_ONLY : 0;

	etw_writer_current(&event->writer);
	if (in_compat_syscall())
		event->writer.bits = 32;
	if (event->layout.at[ETW_DATA_USER])
		flags |= ETW_EVENT_HEADER_EXTENDED_INFO;
	etw_put_event_header(header, event->size, flags, &event->writer);
	header->provider_id = request->provider;
	etw_put_event_descriptor(header, &request->descriptor);
	if (event->layout.at[ETW_DATA_USER])
		etw_event_body_put_items(header + 1, &event->layout);
}

/* Everything that can fail for all sessions alike */
static int copy_event(struct written_event *event)
{
	int err = copy_pieces(event) ?: lay_out(event);

	if (err)
		return err;
	event->size = sizeof(struct etw_event_header) + event->layout.bytes;
	if (event->size > SMALL_RECORD) {
		event->copy = kvmalloc(ALIGN(event->size, ETW_RECORD_ALIGN), GFP_KERNEL_ACCOUNT);
		if (!event->copy) {
			event->copy = (void *)event->small;
			return -ENOMEM;
		}
	}
	err = copy_guids(event);
	if (err)
		return err;
	put_header(event);
	return copy_data(event) ?: copy_traits(event);
}

/* @units: at least those of a header, which are copied without a loop */
static __always_inline void put_units(u64 *to, const u64 *from, u32 units)
{
	if (unlikely(units > FEW_UNITS)) {
		memcpy(to, from, units * sizeof(*to));
		return;
	}
	*(struct etw_event_header *)to = *(const struct etw_event_header *)from;
	to += HEADER_UNITS;
	from += HEADER_UNITS;
	for (units -= HEADER_UNITS; units >= 4; units -= 4, to += 4, from += 4) {
		to[0] = from[0];
		to[1] = from[1];
		to[2] = from[2];
		to[3] = from[3];
	}
	while (units--)
		*to++ = *from++;
}

/*
 * @items: what the session adds; NULL: event->copy is written, and @record is not used.
 * @record: the event without items
 */
static __always_inline int write_record(const struct written_event *event,
					const struct etw_caller *caller, u64 handle,
					const struct etw_event_record *record,
					struct etw_event_items *items)
{
	const u32 size = event->size + (items ? etw_event_items_size(items) : 0);
	const struct etw_writable *writable;
	struct etw_reservation at __uninitialized;
	struct etw_ring *ring;
	int err;

	writable = etw_writable_enter(handle, caller, size, 0, &err);
	if (!writable)
		return err;
	ring = this_cpu_ptr(writable->rings);
	if (items && (items->wanted & ETW_ENABLE_PROCESS_KEY))
		items->process_key = etw_process_key_current(writable->key);
	if (unlikely(!etw_reserve(ring, size, &at, ETW_RESERVE_COUNT))) {
		etw_writable_leave();
		return -ENOBUFS;
	}
	if (items) {
		etw_encode_event_record(at.data, record, items, &event->writer, at.tick);
	} else {
		put_units(at.data, (const u64 *)event->copy, etw_units(size));
		((struct etw_event_header *)at.data)->time_stamp = at.tick;
	}
	etw_commit(ring, &at, size);
	etw_writable_leave();
	return 0;
}

/* A walk by tables reads them under RCU, and counts on this CPU. */
static u32 capture(unsigned long *frame)
{
	u32 n;

	preempt_disable_notrace();
	n = etw_stack_user_frames(frame, NULL);
	preempt_enable_notrace();
	return n;
}

/* A stack is captured once, for all sessions, and before anything is reserved. */
static noinline int write_with_items(const struct written_event *event,
				     const struct etw_caller *caller,
				     const struct etw_event_listener *listeners, int n)
{
	const struct etw_event_record record = {
		.provider = event->copy->provider_id, .activity = event->copy->activity_id,
		.descriptor = event->request.descriptor, .flags = event->copy->flags,
		.body = body_of(event), .size = event->layout.bytes,
	};
	unsigned long frame[ETW_STACK_USER_FRAMES] __uninitialized;
	struct etw_event_items items = {
		.uid = from_kuid(&init_user_ns, current_uid()), .frame = frame,
		.bits = event->writer.bits,
	};
	struct etw_container container = { };
	bool captured = false;
	int i, err, first = 0;

	for (i = 0; i < n; i++) {
		items.wanted = listeners[i].items;
		if ((items.wanted & ETW_ENABLE_STACK) && !captured) {
			items.nr_frames = capture(frame);
			captured = true;
		}
		if (items.wanted & ETW_ENABLE_CONTAINER_ID)
			items.container = etw_container_current(&container);
		err = write_record(event, caller, listeners[i].handle, &record, &items);
		if (err != -EBADF)
			first = first ?: err;
	}
	return first;
}

static bool has_items(const struct etw_event_listener *listeners, int n)
{
	u32 items = 0;
	int i;

	for (i = 0; i < n; i++)
		items |= listeners[i].items;
	return items;
}

/*
 * A session that can't record the event keeps no other session from it. A session that has
 * stopped meanwhile (EBADF) does not want the event any more.
 */
static int write_all(const struct written_event *event, const struct etw_caller *caller,
		     const struct etw_event_listener *listeners, int n)
{
	int i, err, first = 0;

	if (unlikely(has_items(listeners, n)))
		return write_with_items(event, caller, listeners, n);
	for (i = 0; i < n; i++) {
		err = write_record(event, caller, listeners[i].handle, NULL, NULL);
		if (err != -EBADF)
			first = first ?: err;
	}
	return first;
}

/*
 * The name is in the event's metadata, so filters by name are applied to the copy. Return: number
 * of @listeners, or a negative errno
 */
static noinline int choose_by_name(const struct etw_provider_file *file,
				   const struct written_event *event,
				   struct etw_event_listener *listeners)
{
	const struct etw_event_body *layout = &event->layout;
	const u8 *schema = body_of(event) + layout->at[ETW_DATA_SCHEMA];
	const struct etw_event_name name = etw_event_name_of(schema, layout->size[ETW_DATA_SCHEMA]);
	int n = etw_registration_listeners(file, &event->request, &name, listeners);

	return n < 0 ? n : n & ~ETW_LISTENERS_BY_NAME;
}

/**
 * etw_provider_write_event() - WRITE_EVENT
 * @file: an open provider node
 * @arg: struct etw_write_event
 *
 * Context: process; sleeps. Return: 0 or an errno of struct etw_write_event.
 */
int etw_provider_write_event(struct etw_provider_file *file, const void __user *arg)
{
	struct written_event event __uninitialized;
	struct etw_event_listener listeners[ETW_MAX_LISTENERS] __uninitialized;
	int n, err;

	err = copy_request(&event.request, arg);
	if (err)
		return err;
	n = etw_registration_listeners(file, &event.request, NULL, listeners);
	if (n <= 0)
		return n;
	event.pieces = event.few;
	event.copy = (void *)event.small;
	err = copy_event(&event);
	if (!err && unlikely(n & ETW_LISTENERS_BY_NAME)) {
		n = choose_by_name(file, &event, listeners);
		err = min(n, 0);
	}
	if (!err)
		err = write_all(&event, &file->caller, listeners, n);
	if ((u8 *)event.copy != event.small)
		kvfree(event.copy);
	if (event.pieces != event.few)
		kfree(event.pieces);
	return err;
}
