// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* TRACE_EVENT and write(): an event, copied once, checked in the copy; declared in provider.h. */
#include <linux/compat.h>
#include <linux/cred.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "compat.h"
#include "record/event.h"
#include "record/event_input.h"
#include "ring/reserve.h"
#include "provider.h"
#include "writable.h"

/* Larger events are copied to allocated memory instead of the stack. */
#define SMALL_EVENT	512

/* The 64 bits at offset 0x08 of a header: the session handle on input */
#define HANDLE_AT	offsetof(struct event_trace_header, thread_id)

/**
 * struct given_event - an event being written
 * @file: the provider node it came through
 * @handle: session handle
 * @version: of the file's rules; read once, because another thread may change them
 * @instance: ETW_TRACE_INSTANCE was set
 * @shape: result of etw_event_check()
 * @copy: copy of the header and of what follows it
 * @from: address in user memory, if not all of it is copied yet
 * @data: data of the record, in @copy or elsewhere
 * @size: bytes of @data
 */
struct given_event {
	const struct etw_provider_file *file;
	u64 handle;
	u32 version;
	bool instance;
	struct etw_event_shape shape;
	struct event_trace_header *copy;
	void __user *from;
	const void *data;
	u32 size;
};

static __always_inline int write_record(const struct given_event *event,
					const struct etw_event_parts *parts)
{
	const struct etw_writable *writable;
	struct etw_writer writer __uninitialized;
	struct etw_ring *ring;
	struct etw_reservation at;
	u32 size = etw_event_record_size(parts);
	u32 needs = 0;
	int err;

	if (parts->stamped)
		needs |= ETW_PROVIDER_TIMESTAMPS;
	if (parts->wnode)
		needs |= ETW_PROVIDER_WNODES;
	etw_writer_current(&writer);
	if (in_compat_syscall())
		writer.bits = 32;
	/* a program's handle has level and flags in its upper half, and no generation */
	writable = etw_writable_enter((u32)event->handle, &event->file->caller, size, needs, &err);
	if (!writable)
		return err;
	ring = this_cpu_ptr(writable->rings);
	if (likely(etw_reserve(ring, size, &at, ETW_RESERVE_COUNT))) {
		etw_encode_event(at.data, parts, &writer, at.tick);
		etw_commit(ring, &at, size);
	} else {
		err = -ENOBUFS;
	}
	etw_writable_leave();
	return err;
}

/* The whole event is in kernel memory now. */
static noinline int trace(const struct given_event *event)
{
	const struct event_trace_header *header = event->copy;
	const struct etw_event_parts parts = {
		.header = header,
		.instance = event->instance,
		.wnode = event->shape.wnode,
		/* 5.0 has no such flag */
		.stamped = event->version >= ETW_RULES_5_1 &&
			   (header->flags & WNODE_FLAG_USE_TIMESTAMP),
		.data = event->data,
		.size = event->size,
	};

	if (unlikely(etw_guid_is_reserved(&header->guid)) && !event->file->caller.control)
		return -EACCES;
	return write_record(event, &parts);
}

/* Return: bytes of all fields, or -EMSGSIZE */
static int fields_size(const struct given_event *event, const struct mof_field *field)
{
	u64 size = 0;
	u32 i;

	for (i = 0; i < event->shape.mof_fields; i++)
		size += field[i].length;
	return size > ETW_MAX_RECORD - event->shape.header ? -EMSGSIZE : size;
}

/* Copy all fields first, so that a fault is found before anything is written. */
static int copy_fields(const struct given_event *event, const struct mof_field *field, u8 *to)
{
	u32 i;

	for (i = 0; i < event->shape.mof_fields; i++) {
		if (copy_from_user(to, u64_to_user_ptr(field[i].data_ptr), field[i].length))
			return -EFAULT;
		to += field[i].length;
	}
	return 0;
}

static noinline int trace_fields(struct given_event *event)
{
	u8 small[SMALL_EVENT] __aligned(8) __uninitialized;
	const struct mof_field *field = (void *)event->copy + event->shape.header;
	int err, size = fields_size(event, field);
	u8 *data = small;

	if (size < 0)
		return size;
	if (size > sizeof(small)) {
		data = kvmalloc(size, GFP_KERNEL_ACCOUNT);
		if (!data)
			return -ENOMEM;
	}
	event->data = data;
	event->size = size;
	err = copy_fields(event, field, data);
	if (!err)
		err = trace(event);
	if (data != small)
		kvfree(data);
	return err;
}

/* A WNODE_HEADER is recorded unchanged, pointers included, with the handle in it. */
static __always_inline int trace_copy(struct given_event *event)
{
	struct event_trace_header *header = event->copy;
	u32 flags = event->shape.wnode ? 0 : header->flags;

	if (event->shape.wnode)
		memcpy((void *)header + HANDLE_AT, &event->handle, sizeof(event->handle));
	if ((flags & WNODE_FLAG_USE_GUID_PTR) &&
	    copy_from_user(&header->guid, u64_to_user_ptr(header->guid_ptr), sizeof(header->guid)))
		return -EFAULT;
	if (flags & WNODE_FLAG_USE_MOF_PTR)
		return trace_fields(event);
	event->data = (void *)header + event->shape.header;
	event->size = event->shape.given - event->shape.header;
	return trace(event);
}

/* Copies what follows the first @have bytes, which are in @event->copy. */
static __always_inline int trace_rest(struct given_event *event, u32 have)
{
	if (copy_from_user((void *)event->copy + have, event->from + have,
			   event->shape.given - have))
		return -EFAULT;
	return trace_copy(event);
}

static noinline int trace_large(struct given_event event)
{
	struct event_trace_header *copy = kvmalloc(event.shape.given, GFP_KERNEL_ACCOUNT);
	int err;

	if (!copy)
		return -ENOMEM;
	*copy = *event.copy;
	event.copy = copy;
	err = trace_rest(&event, sizeof(*copy));
	kvfree(copy);
	return err;
}

static __always_inline int trace_given(struct given_event *event)
{
	u8 small[SMALL_EVENT] __aligned(8) __uninitialized;
	const struct etw_event_rules rules = {
		.version = event->version,
		.instance = event->instance,
	};
	int err;

	event->copy = (void *)small;
	if (copy_from_user(small, event->from, sizeof(*event->copy)))
		return -EFAULT;
	err = etw_event_check(event->copy, event->handle, &rules, &event->shape);
	if (unlikely(err) && !event->shape.valid)
		return err;
	/* first, because a written event can't be undone; the handle stays if the event fails */
	if (put_user(event->handle, (u64 __user *)(event->from + HANDLE_AT)))
		return -EFAULT;
	if (err)
		return err;
	if (event->shape.given > sizeof(small))
		return trace_large(*event);
	return trace_rest(event, sizeof(*event->copy));
}

/**
 * etw_provider_event() - TRACE_EVENT
 * @file: an open provider node
 * @arg: struct etw_trace_event
 *
 * Context: process; sleeps. Return: 0 or an errno of struct etw_trace_event.
 */
int etw_provider_event(struct etw_provider_file *file, void __user *arg)
{
	struct etw_trace_event request __uninitialized;
	struct given_event event __uninitialized;

	if (copy_from_user(&request, arg, sizeof(request)))
		return -EFAULT;
	if (request.size != sizeof(request) || (request.flags & ~ETW_TRACE_INSTANCE) ||
	    !request.event)
		return -EINVAL;
	event.file = file;
	event.handle = request.session_handle;
	event.version = READ_ONCE(file->version);
	event.instance = request.flags & ETW_TRACE_INSTANCE;
	event.from = u64_to_user_ptr(request.event);
	return trace_given(&event);
}

/* The bytes must be exactly one event. */
static __always_inline int trace_written(struct given_event *event, u32 size)
{
	const struct etw_event_rules rules = {
		.version = event->version, .self_contained = 1,
	};
	int err;

	memcpy(&event->handle, (void *)event->copy + HANDLE_AT, sizeof(event->handle));
	err = etw_event_check(event->copy, event->handle, &rules, &event->shape);
	if (!err && event->shape.given != size)
		err = -EINVAL;
	return err ?: trace_copy(event);
}

/*
 * Confused-deputy guard: a more privileged program that inherited this file descriptor
 * must not create events by writing to it.
 */
static bool is_opener(const struct etw_provider_file *file)
{
	const struct cred *now = current_cred(), *then = file->caller.cred;

	/* capabilities are relative to a user namespace */
	return now == then ||
	       (now->user_ns == then->user_ns && uid_eq(now->uid, then->uid) &&
		uid_eq(now->euid, then->euid) && uid_eq(now->suid, then->suid) &&
		gid_eq(now->gid, then->gid) && gid_eq(now->egid, then->egid) &&
		gid_eq(now->sgid, then->sgid) &&
		/* fsuid, fsgid and all groups */
		!cred_fscmp(now, then) &&
		!memcmp(&now->cap_permitted, &then->cap_permitted, sizeof(now->cap_permitted)) &&
		!memcmp(&now->cap_effective, &then->cap_effective, sizeof(now->cap_effective)));
}

/**
 * etw_provider_write() - write(): a struct event_trace_header and its data
 * @file: an open provider node
 * @from: the event
 * @size: bytes, which the header must contain, too
 *
 * Context: process; sleeps.
 * Return: @size; -EPERM; or an errno of struct etw_trace_event.
 */
ssize_t etw_provider_write(struct etw_provider_file *file, const char __user *from, size_t size)
{
	u8 small[SMALL_EVENT] __aligned(8) __uninitialized;
	struct given_event event __uninitialized;
	int err = -EFAULT;

	if (!is_opener(file))
		return -EPERM;
	if (size < sizeof(*event.copy))
		return -EINVAL;
	if (size > ETW_MAX_RECORD)
		return -EMSGSIZE;
	event.file = file;
	event.version = READ_ONCE(file->version);
	event.instance = false;
	event.copy = (void *)small;
	if (size > sizeof(small)) {
		event.copy = kvmalloc(size, GFP_KERNEL_ACCOUNT);
		if (!event.copy)
			return -ENOMEM;
	}
	if (!copy_from_user(event.copy, from, size))
		err = trace_written(&event, size);
	if (size > sizeof(small))
		kvfree(event.copy);
	return err ?: size;
}
