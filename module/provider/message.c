// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* TRACE_MESSAGE: a message, copied once, checked in the copy, recorded; declared in provider.h. */
#include <linux/compat.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "compat.h"
#include "record/event_input.h"
#include "record/message.h"
#include "ring/reserve.h"
#include "provider.h"

#define FEW_ARGUMENTS	8
#define SMALL_DATA	256

/**
 * struct message - a message being written, copied from user memory
 * @m: the request
 * @arguments: addresses and sizes of its arguments; @few, or allocated
 * @parts: what is written
 * @size: bytes of the record
 * @data: the arguments; @small, or allocated
 * @few: enough arguments for most messages
 * @small: enough bytes for most messages
 */
struct message {
	struct etw_trace_message m;
	struct etw_message_argument *arguments;
	struct etw_message_parts parts;
	u32 size;
	u8 *data;
	struct etw_message_argument few[FEW_ARGUMENTS];
	u8 small[SMALL_DATA];
};

static int copy_request(struct message *message, const void __user *arg)
{
	const struct etw_trace_message *m = &message->m;

	if (copy_from_user(&message->m, arg, sizeof(*m)))
		return -EFAULT;
	if (m->size != sizeof(*m) || m->reserved ||
	    m->message_flags & ~TRACE_MESSAGE_CALLER_FLAGS ||
	    m->nr_arguments > ETW_MAX_MESSAGE_ARGUMENTS)
		return -EINVAL;
	message->parts.message_flags = m->message_flags;
	message->parts.message_number = m->message_number;
	return 0;
}

/* A component id takes precedence, because one argument can't be both. */
static int copy_guid(struct message *message)
{
	const void __user *from = u64_to_user_ptr(message->m.message_guid);
	struct etw_guid *to = &message->parts.guid;
	unsigned long left = 0;

	if (message->m.message_flags & TRACE_MESSAGE_COMPONENT_ID)
		left = copy_from_user(&to->data1, from, sizeof(to->data1));
	else if (message->m.message_flags & TRACE_MESSAGE_GUID)
		left = copy_from_user(to, from, sizeof(*to));
	return left ? -EFAULT : 0;
}

/* Consumers may identify events by GUID alone, regardless of the header. */
static bool is_forged(const struct message *message, const struct etw_caller *caller)
{
	const u32 ids = TRACE_MESSAGE_GUID | TRACE_MESSAGE_COMPONENT_ID;

	return !caller->control && (message->m.message_flags & ids) == TRACE_MESSAGE_GUID &&
	       etw_guid_is_reserved(&message->parts.guid);
}

/* Copies the list and adds up its lengths, which the caller can't change any more. */
static int copy_list(struct message *message)
{
	const void __user *from = u64_to_user_ptr(message->m.arguments);
	u32 n = message->m.nr_arguments, i;
	u64 size = 0;

	if (n > FEW_ARGUMENTS) {
		message->arguments = kmalloc_array(n, sizeof(*message->arguments),
						   GFP_KERNEL_ACCOUNT);
		if (!message->arguments)
			return -ENOMEM;
	}
	/* most messages have one argument: a constant size avoids usercopy checks */
	if (n == 1 ? copy_from_user(message->arguments, from, sizeof(*message->arguments)) :
	    n && copy_from_user(message->arguments, from, n * sizeof(*message->arguments)))
		return -EFAULT;
	for (i = 0; i < n; i++) {
		if (message->arguments[i].length > ETW_MAX_RECORD)
			return -EMSGSIZE;
		size += message->arguments[i].length;
	}
	message->parts.size = size;
	message->size = etw_message_record_size(&message->parts);
	return message->size > ETW_MAX_RECORD ? -EMSGSIZE : 0;
}

static int copy_arguments(struct message *message)
{
	const struct etw_message_argument *argument = message->arguments;
	const struct etw_message_argument *end = argument + message->m.nr_arguments;
	u8 *to;

	if (message->parts.size > SMALL_DATA) {
		message->data = kvmalloc(message->parts.size, GFP_KERNEL_ACCOUNT);
		if (!message->data)
			return -ENOMEM;
	}
	message->parts.data = message->data;
	for (to = message->data; argument < end; to += argument++->length)
		if (copy_from_user(to, u64_to_user_ptr(argument->data), argument->length))
			return -EFAULT;
	return 0;
}

static int copy_message(struct message *message, const void __user *arg)
{
	int err = copy_request(message, arg);

	if (err)
		return err;
	err = etw_handle_logger(message->m.session_handle);
	if (err < 0)
		return err;
	err = copy_guid(message) ?: copy_list(message);
	return err ?: copy_arguments(message);
}

/* Nothing fails after the reservation, so only recorded messages take a sequence number. */
static int write_message(const struct message *message, const struct etw_caller *caller)
{
	const struct etw_writer writer = {
		.thread_id = current->pid, .process_id = current->tgid,
		.bits = in_compat_syscall() ? 32 : 64,
	};
	const u32 size = message->size;
	const struct etw_writable *writable;
	struct etw_ring *ring;
	struct etw_reservation at;
	u32 sequence = 0;
	int err = 0;

	/* a program's handle has level and flags in its upper half, and no generation */
	writable = etw_writable_enter((u32)message->m.session_handle, caller, size, 0, &err);
	if (!writable)
		return err;
	ring = this_cpu_ptr(writable->rings);
	if (etw_reserve(ring, size, &at, ETW_RESERVE_COUNT)) {
		if (message->m.message_flags & TRACE_MESSAGE_SEQUENCE)
			sequence = etw_writable_sequence(writable);
		etw_encode_message(at.data, &message->parts, &writer, sequence, at.tick);
		etw_commit(ring, &at, size);
	} else {
		err = -ENOBUFS;
	}
	etw_writable_leave();
	return err;
}

/**
 * etw_provider_message() - TRACE_MESSAGE
 * @file: the provider node as it was opened
 * @arg: address of a struct etw_trace_message
 *
 * Context: process; may sleep while copying.
 * Return: 0 or an errno of struct etw_trace_message.
 */
int etw_provider_message(struct etw_provider_file *file, void __user *arg)
{
	struct message message __uninitialized;
	int err;

	message.arguments = message.few;
	message.data = message.small;
	err = copy_message(&message, arg);
	if (!err && is_forged(&message, &file->caller))
		err = -EACCES;
	if (!err)
		err = write_message(&message, &file->caller);
	if (message.data != message.small)
		kvfree(message.data);
	if (message.arguments != message.few)
		kfree(message.arguments);
	return err;
}
