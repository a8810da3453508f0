// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Bytes of process and thread payloads: no kernel objects. */
#include <linux/stddef.h>
#include <linux/string.h>
#include "process.h"
#include "utf16.h"

/* Fields behind the first string stand at odd addresses. */
struct cursor {
	u8 *to;
	u32 used;
	u32 space;
};

static void put(struct cursor *at, const void *bytes, u32 size)
{
	memcpy(at->to + at->used, bytes, size);
	at->used += size;
}

/* @reserve bytes stay free for what follows the text and its terminator */
static void put_wide(struct cursor *at, const char *text, u32 length, u32 reserve)
{
	static const u8 terminator[2];
	u32 units = (at->space - at->used - reserve - sizeof(terminator)) / 2;

	at->used += 2 * etw_utf8_to_utf16(at->to + at->used, units, text, length);
	put(at, terminator, sizeof(terminator));
}

/**
 * etw_put_user_sid() - S-1-22-1-UID, as Samba has it for a user
 * @to: out: ETW_USER_SID bytes: revision, count, authority (big endian), sub-authorities
 * @uid: of the user
 *
 * Context: any.
 */
void etw_put_user_sid(void *to, u32 uid)
{
	static const u8 unix_user[12] = { 1, 2, 0, 0, 0, 0, 0, 22, 1 };

	memcpy(to, unix_user, sizeof(unix_user));
	memcpy(to + sizeof(unix_user), &uid, sizeof(uid));
}

/* TOKEN_USER: parsers take its first u32 as "a SID follows". Then the SID. */
static void put_sid(struct cursor *at, const struct etw_process_fields *process)
{
	static const u8 token_user[16] = { 1 };
	static const u8 local_system[12] = { 1, 1, 0, 0, 0, 0, 0, 5, 18 };
	u8 user[ETW_USER_SID];

	put(at, token_user, sizeof(token_user));
	if (process->system) {
		put(at, local_system, sizeof(local_system));
		return;
	}
	etw_put_user_sid(user, process->uid);
	put(at, user, sizeof(user));
}

/**
 * etw_process_layout() - payload of 0301..0304 version 4 and 0327 version 5
 * @to: destination
 * @space: bytes at @to; the command line is cut to fit
 * @process: values
 *
 * PackageFullName and ApplicationId are empty. (kernel-events.rst 4.2, 5.2)
 *
 * Context: any.
 * Return: bytes written, 0 when not even an empty command line fits.
 */
u32 etw_process_layout(void *to, u32 space, const struct etw_process_fields *process)
{
	struct cursor at = { .to = to, .space = space };
	u32 exit_size = process->defunct ? sizeof(process->exit_time) : 0;

	if (space < ETW_PROCESS_FRAME + ETW_IMAGE_NAME)
		return 0;
	put(&at, &process->fixed, sizeof(process->fixed));
	put_sid(&at, process);
	put(&at, process->image, strnlen(process->image, ETW_IMAGE_NAME - 1));
	put(&at, "", 1);
	put_wide(&at, process->command, process->command_length, 2 * 2 + exit_size);
	put_wide(&at, "", 0, 2 + exit_size);
	put_wide(&at, "", 0, exit_size);
	if (process->defunct)
		put(&at, &process->exit_time, exit_size);
	return at.used;
}

/**
 * etw_thread_layout() - payload of 0501..0504 version 3
 * @to: where to
 * @space: bytes there; the name is cut to fit
 * @fixed: values
 * @name: ThreadName, UTF-8
 *
 * (kernel-events.rst 5.3)
 *
 * Context: any.
 * Return: bytes written, 0 when not even an empty name fits.
 */
u32 etw_thread_layout(void *to, u32 space, const struct wmi_thread_information *fixed,
		      const char *name)
{
	struct cursor at = { .to = to, .space = space };

	if (space < sizeof(*fixed) + 2)
		return 0;
	put(&at, fixed, sizeof(*fixed));
	put_wide(&at, name, strlen(name), 0);
	return at.used;
}

/**
 * etw_thread_name_layout() - payload of 0548 version 2
 * @to: where to
 * @space: bytes there; the name is cut to fit
 * @process_id: of the thread
 * @thread_id: the thread
 * @name: its new name, UTF-8
 *
 * (kernel-events.rst 5.3)
 *
 * Context: any.
 * Return: bytes written, 0 when not even an empty name fits.
 */
u32 etw_thread_name_layout(void *to, u32 space, u32 process_id, u32 thread_id,
			   const char *name)
{
	struct cursor at = { .to = to, .space = space };

	if (space < 2 * sizeof(u32) + 2)
		return 0;
	put(&at, &process_id, sizeof(process_id));
	put(&at, &thread_id, sizeof(thread_id));
	put_wide(&at, name, strlen(name), 0);
	return at.used;
}
