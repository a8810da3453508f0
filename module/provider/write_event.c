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
#include "provider.h"
#include "writable.h"

/* Larger events, and those of more pieces, are copied to allocated memory. */
#define SMALL_BODY	384
#define FEW_PIECES	8

/**
 * struct written_event - an event on its way to sessions
 * @request: copy of the caller's
 * @pieces: copy of the caller's list
 * @few: memory for a short list
 * @layout: where the pieces go
 * @record: header and body
 * @body: items and data
 * @small: memory for a small body
 */
struct written_event {
	struct etw_write_event request;
	struct etw_event_data *pieces;
	struct etw_event_data few[FEW_PIECES];
	struct etw_event_body layout;
	struct etw_event_record record;
	u8 *body;
	u8 small[SMALL_BODY] __aligned(8);
};

static int copy_request(struct etw_write_event *request, const void __user *arg)
{
	if (copy_from_user(request, arg, sizeof(*request)))
		return -EFAULT;
	if (request->size != sizeof(*request) || (request->flags & ~ETW_WRITE_FLAGS) ||
	    request->nr_data > ETW_MAX_EVENT_DATA || request->reserved)
		return -EINVAL;
	return 0;
}

static int copy_pieces(struct written_event *event)
{
	const void __user *from = u64_to_user_ptr(event->request.data);
	u32 n = event->request.nr_data;

	if (n > FEW_PIECES) {
		event->pieces = kmalloc_array(n, sizeof(*event->pieces), GFP_KERNEL_ACCOUNT);
		if (!event->pieces)
			return -ENOMEM;
	}
	return n && copy_from_user(event->pieces, from, n * sizeof(*event->pieces)) ? -EFAULT : 0;
}

static u32 type_of(const struct written_event *event, const struct etw_event_data *piece)
{
	return event->request.flags & ETW_WRITE_TYPES ? piece->type : ETW_DATA_USER;
}

/* Adds up the pieces, which the caller can't change any more. */
static int lay_out(struct written_event *event)
{
	u32 *size = event->layout.size, i, type;

	memset(&event->layout, 0, sizeof(event->layout));
	for (i = 0; i < event->request.nr_data; i++) {
		type = type_of(event, &event->pieces[i]);
		if (type > ETW_DATA_TRAITS)
			return -EINVAL;
		if (event->pieces[i].size > ETW_MAX_RECORD)
			return -EOVERFLOW;
		size[type] += event->pieces[i].size;
	}
	if (size[ETW_DATA_TRAITS])
		event->request.traits = 0;
	else if (event->request.traits)
		size[ETW_DATA_TRAITS] = event->request.traits_size;
	event->layout.related = !!event->request.related;
	return etw_event_body_layout(&event->layout);
}

static int copy_data(struct written_event *event)
{
	const struct etw_event_body *layout = &event->layout;
	u32 at[3] = { layout->at[0], layout->at[1], layout->at[2] }, i, type;
	const struct etw_event_data *piece;

	for (i = 0; i < event->request.nr_data; i++) {
		piece = &event->pieces[i];
		type = type_of(event, piece);
		if (copy_from_user(event->body + at[type], u64_to_user_ptr(piece->data),
				   piece->size))
			return -EFAULT;
		at[type] += piece->size;
	}
	if (event->request.traits &&
	    copy_from_user(event->body + at[ETW_DATA_TRAITS],
			   u64_to_user_ptr(event->request.traits), layout->size[ETW_DATA_TRAITS]))
		return -EFAULT;
	return 0;
}

static int copy_guids(struct written_event *event)
{
	const struct etw_write_event *request = &event->request;
	struct etw_guid *activity = &event->record.activity;

	memset(activity, 0, sizeof(*activity));
	if (request->activity &&
	    copy_from_user(activity, u64_to_user_ptr(request->activity), sizeof(*activity)))
		return -EFAULT;
	if (request->related &&
	    copy_from_user(event->body + event->layout.related_at,
			   u64_to_user_ptr(request->related), sizeof(*activity)))
		return -EFAULT;
	return 0;
}

/* Everything that can fail for all sessions alike */
static noinline int copy_event(struct written_event *event)
{
	int err = copy_pieces(event) ?: lay_out(event);

	if (err)
		return err;
	if (event->layout.bytes > SMALL_BODY) {
		event->body = kvmalloc(event->layout.bytes, GFP_KERNEL_ACCOUNT);
		if (!event->body) {
			event->body = event->small;
			return -ENOMEM;
		}
	}
	err = copy_data(event) ?: copy_guids(event);
	if (err)
		return err;
	etw_event_body_put_items(event->body, &event->layout);
	event->record.provider = event->request.provider;
	event->record.descriptor = event->request.descriptor;
	event->record.flags = event->request.flags & ETW_WRITE_STRING ?
			      ETW_EVENT_HEADER_STRING_ONLY : 0;
	if (event->layout.at[ETW_DATA_USER])
		event->record.flags |= ETW_EVENT_HEADER_EXTENDED_INFO;
	event->record.body = event->body;
	event->record.size = event->layout.bytes;
	return 0;
}

/* @items: what the session adds, or NULL */
static int write_record(const struct written_event *event, const struct etw_caller *caller,
			const struct etw_writer *writer, u64 handle, struct etw_event_items *items)
{
	const u32 size = sizeof(struct etw_event_header) + event->record.size +
			 (items ? etw_event_items_size(items) : 0);
	const struct etw_writable *writable;
	struct etw_reservation at;
	struct etw_ring *ring;
	int err = 0;

	writable = etw_writable_enter(handle, caller, size, 0, &err);
	if (!writable)
		return err;
	ring = this_cpu_ptr(writable->rings);
	if (items && (items->wanted & ETW_ENABLE_PROCESS_KEY))
		items->process_key = etw_process_key_current(writable->key);
	if (likely(etw_reserve(ring, size, &at, ETW_RESERVE_COUNT))) {
		etw_encode_event_record(at.data, &event->record, items, writer, at.tick);
		etw_commit(ring, &at, size);
	} else {
		err = -ENOBUFS;
	}
	etw_writable_leave();
	return err;
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
				     const struct etw_writer *writer,
				     const struct etw_event_listener *listeners, int n)
{
	unsigned long frame[ETW_STACK_USER_FRAMES] __uninitialized;
	struct etw_event_items items = {
		.uid = from_kuid(&init_user_ns, current_uid()), .frame = frame,
		.bits = writer->bits,
	};
	bool captured = false;
	int i, err, first = 0;

	for (i = 0; i < n; i++) {
		items.wanted = listeners[i].items;
		if ((items.wanted & ETW_ENABLE_STACK) && !captured) {
			items.nr_frames = capture(frame);
			captured = true;
		}
		err = write_record(event, caller, writer, listeners[i].handle, &items);
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
static noinline int write_all(const struct written_event *event, const struct etw_caller *caller,
			      const struct etw_event_listener *listeners, int n)
{
	struct etw_writer writer __uninitialized;
	int i, err, first = 0;

	etw_writer_current(&writer);
	if (in_compat_syscall())
		writer.bits = 32;
	if (unlikely(has_items(listeners, n)))
		return write_with_items(event, caller, &writer, listeners, n);
	for (i = 0; i < n; i++) {
		err = write_record(event, caller, &writer, listeners[i].handle, NULL);
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
	const u8 *schema = event->body + layout->at[ETW_DATA_SCHEMA];
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
	struct etw_event_listener listeners[ETW_MAX_LISTENERS];
	int n, err;

	err = copy_request(&event.request, arg);
	if (err)
		return err;
	n = etw_registration_listeners(file, &event.request, NULL, listeners);
	if (n <= 0)
		return n;
	event.pieces = event.few;
	event.body = event.small;
	err = copy_event(&event);
	if (!err && unlikely(n & ETW_LISTENERS_BY_NAME)) {
		n = choose_by_name(file, &event, listeners);
		err = min(n, 0);
	}
	if (!err)
		err = write_all(&event, &file->caller, listeners, n);
	if (event.body != event.small)
		kvfree(event.body);
	if (event.pieces != event.few)
		kfree(event.pieces);
	return err;
}
