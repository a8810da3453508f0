/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* The ioctls of /dev/etw/provider, write() to it, and the page it maps. */
#ifndef _UAPI_ETW_PROVIDER_H
#define _UAPI_ETW_PROVIDER_H

#include <linux/ioctl.h>
#include <linux/types.h>
#include "etw_trace_headers.h"

/*
 * Structures begin with their size, as those of etw_abi.h, but each has only
 * one valid size; any other is EINVAL. Addresses are 64 bits wide for every
 * caller.
 *
 * write() takes exactly one self-contained EVENT_TRACE_HEADER with its data:
 * no pointer flags; the session handle is at offset 0x08, and nothing is
 * written back. It returns the record's Size.
 */

/**
 * struct etw_trace_event - argument of TRACE_EVENT
 * @size: sizeof(struct etw_trace_event)
 * @flags: ETW_TRACE_INSTANCE
 * @session_handle: its low 16 bits are the logger id
 * @event: address of a struct event_trace_header (or, with ETW_TRACE_INSTANCE,
 *	event_instance_guid_header) and its data; the session handle is stored
 *	at its offset 0x08 when flags and Size are those of a header, and stays
 *	there, even if the event is refused
 *
 * Errors, in the order of the checks:
 *
 * - EBADF: the file is open for reading only
 * - EINVAL: no event; unknown flags
 * - EFAULT
 * - EBADRQC: 5.0: neither TRACED_GUID nor LOG_WNODE
 * - EINVAL: Size is less than the header
 * - EFAULT: offset 0x08
 * - EBADF: logger id 0, 0xFFFF or with ETW_HANDLE_PRIVATE
 * - EOPNOTSUPP: LOG_WNODE out of place
 * - EMSGSIZE: over 64 KB
 * - E2BIG: MOF array
 * - EMSGSIZE: its items are over 64 KB
 * - ENOMEM
 * - EFAULT: addresses in the event
 * - EACCES: reserved GUID
 * - EBADF: no such running session
 * - EACCES: the session does not take this caller's events, time stamps or WNODEs
 * - EDQUOT: rate limit; counted as lost
 * - EMSGSIZE: larger than a buffer; counted as lost
 * - ENOBUFS: no buffer; counted as lost
 */
struct etw_trace_event {
	__u32 size;
	__u32 flags;
	__u64 session_handle;
	__u64 event;
};

ETW_ASSERT_SIZE(struct etw_trace_event, 24);
#define ETW_TRACE_INSTANCE	0x1U

/**
 * struct etw_message_argument - one argument of a message
 * @data: address
 * @length: bytes; 0 adds nothing
 */
struct etw_message_argument {
	__u64 data;
	__u64 length;
};

#define ETW_MAX_MESSAGE_ARGUMENTS	128

/**
 * struct etw_trace_message - argument of TRACE_MESSAGE
 * @size: sizeof(struct etw_trace_message)
 * @message_flags: TRACE_MESSAGE_*, of TRACE_MESSAGE_CALLER_FLAGS
 * @session_handle: its low 16 bits are the logger id
 * @message_guid: address of a GUID or of a 32-bit component id, according to
 *	the flags; ignored without these flags
 * @arguments: address of struct etw_message_argument
 * @nr_arguments: number of arguments, up to ETW_MAX_MESSAGE_ARGUMENTS
 * @message_number: the message's number
 * @reserved: 0
 *
 * Errors: EINVAL (size, flags, reserved, too many arguments), EBADF (as
 * TRACE_EVENT), EFAULT, EMSGSIZE (over 64 KB), ENOMEM, then as TRACE_EVENT.
 */
struct etw_trace_message {
	__u32 size;
	__u32 message_flags;
	__u64 session_handle;
	__u64 message_guid;
	__u64 arguments;
	__u32 nr_arguments;
	__u16 message_number;
	__u16 reserved;
};

ETW_ASSERT_SIZE(struct etw_trace_message, 40);

/**
 * struct etw_event_data - EVENT_DATA_DESCRIPTOR: one piece of an event's data
 * @data: address
 * @size: bytes; 0 adds nothing
 * @type: ETW_DATA_*; ignored without ETW_WRITE_TYPES
 * @reserved: ignored
 */
struct etw_event_data {
	__u64 data;
	__u32 size;
	__u8 type;
	__u8 reserved[3];
};

ETW_ASSERT_SIZE(struct etw_event_data, 16);
#define ETW_MAX_EVENT_DATA	128
#define ETW_DATA_USER		0U	/* the event's data */
#define ETW_DATA_SCHEMA		1U	/* describes the data: item ETW_EXTENDED_SCHEMA */
#define ETW_DATA_TRAITS		2U	/* describes the provider: item ETW_EXTENDED_TRAITS */

/**
 * struct etw_write_event - argument of WRITE_EVENT: an event for all sessions that want it
 * @size: sizeof(struct etw_write_event)
 * @flags: ETW_WRITE_*
 * @index: as returned by REGISTER
 * @nr_data: number of pieces at @data, up to ETW_MAX_EVENT_DATA
 * @provider: the GUID that @index was registered with
 * @descriptor: kind of the event
 * @activity: address of the activity's GUID, or 0
 * @related: address of the related activity's GUID, or 0
 * @data: address of struct etw_event_data
 * @traits: address of the provider's traits, if no piece contains them; or 0
 * @traits_size: bytes of the traits
 * @reserved: 0
 *
 * Each session that enabled @provider decides by its level and keywords. If no session
 * wants the event, the call returns 0 and reads nothing else. If one of several sessions
 * can't record it, the others do, and the first error is returned.
 *
 * Errors, in the order of the checks:
 *
 * - EBADF: the file is open for reading only
 * - EFAULT
 * - EINVAL: size, flags, @nr_data, @reserved
 * - ENOENT: @index is not registered with @provider
 * - EACCES: reserved GUID
 * - EFAULT: @data
 * - EINVAL: unknown type of a piece
 * - EOVERFLOW: over 64 KB
 * - ENOMEM
 * - EFAULT: addresses in the event
 * - EACCES, EDQUOT, EMSGSIZE, ENOBUFS: as TRACE_EVENT, of a session
 */
struct etw_write_event {
	__u32 size;
	__u32 flags;
	__u32 index;
	__u32 nr_data;
	struct etw_guid provider;
	struct etw_event_descriptor descriptor;
	__u64 activity;
	__u64 related;
	__u64 data;
	__u64 traits;
	__u32 traits_size;
	__u32 reserved;
};

ETW_ASSERT_SIZE(struct etw_write_event, 88);
#define ETW_WRITE_TYPES		0x1U	/* @type of the pieces is valid */
#define ETW_WRITE_STRING	0x2U	/* the data are a string */
#define ETW_WRITE_FLAGS		(ETW_WRITE_TYPES | ETW_WRITE_STRING)

/**
 * struct etw_provider_rules - argument of SET_RULES: Windows version that this fd follows
 * @size: sizeof(struct etw_provider_rules)
 * @version: ETW_RULES_*
 */
struct etw_provider_rules {
	__u32 size;
	__u32 version;
};

ETW_ASSERT_SIZE(struct etw_provider_rules, 8);
#define ETW_RULES_5_0	0x0500U		/* Windows 2000 */
#define ETW_RULES_5_1	0x0501U		/* Windows XP: the default */

/**
 * struct etw_provider_register - argument of REGISTER
 * @size: sizeof(struct etw_provider_register)
 * @index: out: its entry in the page
 * @guid: control GUID; the same one may be registered by any number of fds
 *
 * Errors: EINVAL (size), EFAULT, ENOSPC (ETW_MAX_REGISTRATIONS by this fd), EDQUOT
 * (ETW_MAX_USER_REGISTRATIONS by all fds of the user), EINTR (killed), ENOMEM.
 */
struct etw_provider_register {
	__u32 size;
	__u32 index;
	struct etw_guid guid;
};

ETW_ASSERT_SIZE(struct etw_provider_register, 24);

/**
 * struct etw_provider_unregister - argument of UNREGISTER
 * @size: sizeof(struct etw_provider_unregister)
 * @index: as returned by REGISTER
 *
 * Errors: EINVAL (size, not registered), EFAULT.
 */
struct etw_provider_unregister {
	__u32 size;
	__u32 index;
};

ETW_ASSERT_SIZE(struct etw_provider_unregister, 8);

/**
 * struct etw_provider_state - whether a session has a registration enabled
 * @sequence: odd while the kernel changes the entry; grows with each change
 * @enabled: 0 or 1: a program checks it before it makes an event
 * @level: as given to the session's ENABLE
 * @logger_id: the session; 0 if none
 * @flags: as given to the session's ENABLE
 * @registered: 0: a free entry
 * @reserved: 0
 *
 * Describes one session, as RegisterTraceGuids: the one that enabled the provider last.
 * When that session disables it or stops, an older session that still has it enabled.
 */
struct etw_provider_state {
	__u32 sequence;
	__u8 enabled;
	__u8 level;
	__u16 logger_id;
	__u32 flags;
	__u8 registered;
	__u8 reserved[3];
};

ETW_ASSERT_SIZE(struct etw_provider_state, 16);

/*
 * mmap() of one page, read-only, shared: struct etw_provider_page. poll() returns
 * POLLPRI when @changes differs from the value of the last ETW_PROVIDER_ACK of
 * this fd.
 */
#define ETW_MAX_REGISTRATIONS	255
#define ETW_MAX_USER_REGISTRATIONS	65536	/* of all fds of a user */

/**
 * struct etw_provider_page - all registrations of an fd
 * @changes: grows with each change of any entry
 * @version: 1
 * @reserved: 0
 * @state: by index
 */
struct etw_provider_page {
	__u32 changes;
	__u32 version;
	__u64 reserved;
	struct etw_provider_state state[ETW_MAX_REGISTRATIONS];
};

ETW_ASSERT_SIZE(struct etw_provider_page, 4096);

/**
 * struct etw_event_state - what sessions want of a registration's events (WRITE_EVENT)
 * @match_any: any of these keywords
 * @match_all: all of these keywords
 * @sequence: odd while the kernel changes the entry; grows with each change
 * @captures: number of requests for the provider's state
 * @level: up to this level
 * @sessions: number of sessions; if 0, the fields above are 0, except for @sequence and
 *	@captures
 * @keyword_0: 1 if a session wants events without keywords
 * @reserved: 0
 *
 * Combines all sessions: an event that one of them wants meets all conditions here. The kernel
 * decides for each session. Fields read without a look at @sequence are good for that
 * check, too: an event that was wanted before and after a change passes during it.
 */
struct etw_event_state {
	__u64 match_any;
	__u64 match_all;
	__u32 sequence;
	__u32 captures;
	__u8 level;
	__u8 sessions;
	__u8 keyword_0;
	__u8 reserved[5];
};

ETW_ASSERT_SIZE(struct etw_event_state, 32);

/*
 * mmap() of ETW_EVENT_PAGE_SIZE bytes from offset ETW_EVENT_PAGE_OFFSET, read-only, shared:
 * struct etw_event_page. It changes with the page above and counts its changes there.
 * On kernels with larger pages, the offset is one page, sysconf(_SC_PAGESIZE).
 */
#define ETW_EVENT_PAGE_OFFSET	4096
#define ETW_EVENT_PAGE_SIZE	8192

/**
 * struct etw_event_page - all registrations of an fd, as WRITE_EVENT knows them
 * @version: 1
 * @reserved: 0
 * @state: by index
 */
struct etw_event_page {
	__u32 version;
	__u32 reserved[7];
	struct etw_event_state state[ETW_MAX_REGISTRATIONS];
};

ETW_ASSERT_SIZE(struct etw_event_page, ETW_EVENT_PAGE_SIZE);

#define ETW_PROVIDER_MAGIC		0xE8
#define ETW_PROVIDER_TRACE_EVENT	_IO(ETW_PROVIDER_MAGIC, 0x01)
#define ETW_PROVIDER_TRACE_MESSAGE	_IO(ETW_PROVIDER_MAGIC, 0x02)
#define ETW_PROVIDER_SET_RULES		_IO(ETW_PROVIDER_MAGIC, 0x03)
#define ETW_PROVIDER_REGISTER		_IO(ETW_PROVIDER_MAGIC, 0x04)
#define ETW_PROVIDER_UNREGISTER		_IO(ETW_PROVIDER_MAGIC, 0x05)
/* arg: the value of @changes that the program has handled */
#define ETW_PROVIDER_ACK		_IO(ETW_PROVIDER_MAGIC, 0x06)
#define ETW_PROVIDER_WRITE_EVENT	_IO(ETW_PROVIDER_MAGIC, 0x07)

#endif /* _UAPI_ETW_PROVIDER_H */
