// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* EventWrite() and its variants, EventEnabled(), activity ids, and what is refused. */
#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include "event_provider.h"
#include "include/evntcons.h"

#define WRITE_FLAGS	(EVENT_WRITE_FLAG_NO_FAULTING | EVENT_WRITE_FLAG_INPRIVATE)

/* Set in handlers of signals, where a loaded library's must not be allocated at first use */
static __thread GUID activity __attribute__((tls_model("initial-exec")));

BOOLEAN EventProviderEnabled(REGHANDLE RegHandle, UCHAR Level, ULONGLONG Keyword)
{
	return event_provider_wanted(RegHandle, Level, Keyword) > 0;
}

BOOLEAN EventEnabled(REGHANDLE RegHandle, PCEVENT_DESCRIPTOR EventDescriptor)
{
	return EventDescriptor && event_provider_wanted(RegHandle, EventDescriptor->Level,
							EventDescriptor->Keyword) > 0;
}

/* Return: the errno @err of event_call(); ENOENT: the kernel knows no such registration */
static int judge(struct event_provider *provider, uint64_t attachment, int fd, int err)
{
	if (etw_provider_lost(fd, err))
		return ENOENT;
	if (err == ENOENT)
		event_provider_detach(provider, attachment);
	return err;
}

/* Return: 0 or as judge() */
static int write_once(struct event_provider *provider, struct etw_write_event *event)
{
	uint64_t attachment = event_provider_attachment(provider);
	int fd = etw_provider_fd(), err;

	if (!(uint32_t)attachment || fd < 0)
		return 0;
	event->index = (uint32_t)attachment - 1;
	err = event_call(fd, event);
	return err ? judge(provider, attachment, fd, err) : 0;
}

/* The node may be another one, where the registration is not known yet. @fd: -1: none is open */
static __attribute__((noinline)) ULONG write_again(struct event_provider *provider,
						   uint64_t attachment, int fd,
						   struct etw_write_event *event, int err)
{
	int saved = errno, tries;

	err = fd < 0 ? ENOENT : judge(provider, attachment, fd, err);
	for (tries = 1; err == ENOENT && tries < 3; tries++)
		err = write_once(provider, event);
	errno = saved;
	if (!err)
		return ERROR_SUCCESS;
	return err == ENOENT ? ERROR_INVALID_HANDLE : etw_provider_error(-err);
}

/* @attachment: a registration in the kernel that was the current one when the event was wanted */
static inline ULONG write_to_module(struct event_provider *provider, uint64_t attachment,
				    struct etw_write_event *event)
{
	int fd = __atomic_load_n(&etw_provider_node.fd, __ATOMIC_ACQUIRE), err = 0;

	event->index = (uint32_t)attachment - 1;
	if (__builtin_expect(fd >= 0, 1)) {
		err = event_call(fd, event);
		if (__builtin_expect(!err, 1))
			return ERROR_SUCCESS;
	}
	return write_again(provider, attachment, fd, event, err);
}

/*
 * The session may be another one by now, so it decides once more, as the module's sessions do. One
 * that has ended meanwhile does not want the event any more.
 */
static ULONG write_to_own(const struct event_provider *provider,
			  const struct etw_write_event *event)
{
	const struct private_wish *own = __atomic_load_n(&provider->own, __ATOMIC_ACQUIRE);
	ULONG error;

	if (!own || !etw_event_mask_has(&own->mask, event->descriptor.level,
					event->descriptor.keyword))
		return ERROR_SUCCESS;
	error = private_write_event(own->session, event,
				    __atomic_load_n(&own->names, __ATOMIC_ACQUIRE));
	return error == ERROR_INVALID_HANDLE ? ERROR_SUCCESS : error;
}

/* @by: EVENT_WANTED*. A session that can't record the event keeps no other from it. */
static inline ULONG write_event(struct event_provider *provider, uint64_t attachment,
				struct etw_write_event *event, int by)
{
	const struct provider_traits *traits = __atomic_load_n(&provider->traits,
								__ATOMIC_ACQUIRE);
	ULONG error = ERROR_SUCCESS, own;

	memcpy(&event->provider, &provider->guid, sizeof(event->provider));
	if (__atomic_load_n(&provider->types, __ATOMIC_RELAXED))
		event->flags |= ETW_WRITE_TYPES;
	if (traits) {
		event->traits = (uintptr_t)traits->bytes;
		event->traits_size = traits->size;
	}
	if (by & EVENT_WANTED)
		error = write_to_module(provider, attachment, event);
	if (__builtin_expect(!(by & EVENT_WANTED_OWN), 1))
		return error;
	own = write_to_own(provider, event);
	return error ? error : own;
}

static inline bool has_activity(void)
{
	uint64_t words[2];

	memcpy(words, &activity, sizeof(words));
	return words[0] || words[1];
}

/* @provider, @attachment, @by: of event_provider_choose() */
static inline __attribute__((always_inline)) ULONG
write_wanted(REGHANDLE handle, struct event_provider *provider, uint64_t attachment, int by,
	     const EVENT_DESCRIPTOR *descriptor, struct etw_write_event *event)
{
	ULONG error;

	if (!event_provider_keep(provider, handle))
		return ERROR_INVALID_HANDLE;
	memcpy(&event->descriptor, descriptor, sizeof(event->descriptor));
	/* without one the kernel need not read zeros */
	if (!event->activity && has_activity())
		event->activity = (uintptr_t)&activity;
	error = write_event(provider, attachment, event, by);
	event_provider_put(provider, handle);
	return error;
}

/* Not inlined: one function for all variants, which only pass their arguments on. */
static __attribute__((noinline)) ULONG write_data(REGHANDLE handle,
						  const EVENT_DESCRIPTOR *descriptor,
						  const GUID *activity_id, const GUID *related,
						  ULONG count, const EVENT_DATA_DESCRIPTOR *data)
{
	struct event_provider *provider;
	struct etw_write_event event;
	uint64_t attachment;
	int by;

	if (!descriptor || count > ETW_MAX_EVENT_DATA || (count && !data))
		return etw_result(event_provider_find(handle) ? ERROR_INVALID_PARAMETER :
								ERROR_INVALID_HANDLE);
	by = event_provider_choose(handle, descriptor->Level, descriptor->Keyword, &provider,
				   &attachment);
	if (by <= 0)
		return etw_result(by ? ERROR_INVALID_HANDLE : ERROR_SUCCESS);
	/* member by member: write_wanted() fills in the others, so zeros first would cost twice */
	event.size = sizeof(event);
	event.flags = 0;
	event.nr_data = count;
	event.activity = (uintptr_t)activity_id;
	event.related = (uintptr_t)related;
	event.data = (uintptr_t)data;
	event.traits = 0;
	event.traits_size = 0;
	event.reserved = 0;
	return etw_result(write_wanted(handle, provider, attachment, by, descriptor, &event));
}

/**
 * EventWriteEx() - writes an event to all sessions that want it
 * @RegHandle: of EventRegister()
 * @EventDescriptor: kind of the event
 * @Filter: 0; no session has filters with an instance here
 * @Flags: EVENT_WRITE_FLAG_*; both have no effect
 * @ActivityId: NULL: that of the thread
 * @RelatedActivityId: NULL: none
 * @UserDataCount: number of pieces at @UserData
 * @UserData: the data
 *
 * Context: any thread, any signal handler; also in a child of fork().
 *
 * The process's own session gets it last.
 *
 * Return: ERROR_INVALID_HANDLE; ERROR_INVALID_PARAMETER; ERROR_NOT_SUPPORTED: @Filter; of the
 * first session that can't record the event: ERROR_NOACCESS: a bad address; ERROR_MORE_DATA:
 * larger than a buffer; ERROR_ARITHMETIC_OVERFLOW: over 64 KB; ERROR_NOT_ENOUGH_MEMORY: no
 * buffer is free; ERROR_NOT_ENOUGH_QUOTA: rate limit; ERROR_ACCESS_DENIED.
 */
ULONG EventWriteEx(REGHANDLE RegHandle, PCEVENT_DESCRIPTOR EventDescriptor, ULONG64 Filter,
		   ULONG Flags, LPCGUID ActivityId, LPCGUID RelatedActivityId,
		   ULONG UserDataCount, PEVENT_DATA_DESCRIPTOR UserData)
{
	if (Flags & ~WRITE_FLAGS)
		return etw_result(ERROR_INVALID_PARAMETER);
	if (Filter)
		return etw_result(ERROR_NOT_SUPPORTED);
	return write_data(RegHandle, EventDescriptor, ActivityId, RelatedActivityId, UserDataCount,
			  UserData);
}

ULONG EventWriteTransfer(REGHANDLE RegHandle, PCEVENT_DESCRIPTOR EventDescriptor,
			 LPCGUID ActivityId, LPCGUID RelatedActivityId, ULONG UserDataCount,
			 PEVENT_DATA_DESCRIPTOR UserData)
{
	return write_data(RegHandle, EventDescriptor, ActivityId, RelatedActivityId, UserDataCount,
			  UserData);
}

ULONG EventWrite(REGHANDLE RegHandle, PCEVENT_DESCRIPTOR EventDescriptor, ULONG UserDataCount,
		 PEVENT_DATA_DESCRIPTOR UserData)
{
	return write_data(RegHandle, EventDescriptor, NULL, NULL, UserDataCount, UserData);
}

/* @String: with its terminator in the record, as on Windows */
ULONG EventWriteString(REGHANDLE RegHandle, UCHAR Level, ULONGLONG Keyword, PCWSTR String)
{
	const EVENT_DESCRIPTOR descriptor = { .Level = Level, .Keyword = Keyword };
	struct etw_event_data data = { .data = (uintptr_t)String };
	struct etw_write_event event = {
		.size = sizeof(event), .flags = ETW_WRITE_STRING, .nr_data = 1,
		.data = (uintptr_t)&data,
	};
	struct event_provider *provider;
	uint64_t attachment;
	size_t length = 0;
	int by;

	if (!String)
		return etw_result(ERROR_INVALID_PARAMETER);
	by = event_provider_choose(RegHandle, Level, Keyword, &provider, &attachment);
	if (by <= 0)
		return etw_result(by ? ERROR_INVALID_HANDLE : ERROR_SUCCESS);
	/* one that is too long for a record is refused as such */
	while (length < 0xFFFF && String[length])
		length++;
	data.size = (length + 1) * sizeof(*String);
	return etw_result(write_wanted(RegHandle, provider, attachment, by, &descriptor, &event));
}

/* A random GUID, RFC 4122 version 4 */
static ULONG create_id(GUID *id)
{
	int saved = errno;
	ssize_t n = getrandom(id, sizeof(*id), 0);

	errno = saved;
	if (n != sizeof(*id))
		return ERROR_NO_SYSTEM_RESOURCES;
	id->Data3 = (id->Data3 & 0x0FFF) | 0x4000;
	id->Data4[0] = (id->Data4[0] & 0x3F) | 0x80;
	return ERROR_SUCCESS;
}

static ULONG control_id(ULONG code, GUID *id)
{
	GUID before = activity, new;
	ULONG error = ERROR_SUCCESS;

	switch (code) {
	case EVENT_ACTIVITY_CTRL_GET_ID:
		*id = before;
		return ERROR_SUCCESS;
	case EVENT_ACTIVITY_CTRL_SET_ID:
		activity = *id;
		return ERROR_SUCCESS;
	case EVENT_ACTIVITY_CTRL_CREATE_ID:
		return create_id(id);
	case EVENT_ACTIVITY_CTRL_GET_SET_ID:
		activity = *id;
		*id = before;
		return ERROR_SUCCESS;
	case EVENT_ACTIVITY_CTRL_CREATE_SET_ID:
		error = create_id(&new);
		if (!error) {
			activity = new;
			*id = before;
		}
		return error;
	default:
		return ERROR_INVALID_PARAMETER;
	}
}

/**
 * EventActivityIdControl() - creates an activity's id, or gets or sets that of the thread
 * @ControlCode: EVENT_ACTIVITY_CTRL_*
 * @ActivityId: in or out; with GET_SET_ID and CREATE_SET_ID out: the thread's id before
 *
 * Context: any thread, any signal handler.
 *
 * Return: ERROR_INVALID_PARAMETER; ERROR_NO_SYSTEM_RESOURCES: no random numbers.
 */
ULONG EventActivityIdControl(ULONG ControlCode, LPGUID ActivityId)
{
	return etw_result(ActivityId ? control_id(ControlCode, ActivityId) :
				       ERROR_INVALID_PARAMETER);
}

/* Rights belong to sessions here, which name the users that may write to them. */
ULONG EventAccessControl(LPGUID Guid, ULONG Operation, PSID Sid, ULONG Rights,
			 BOOLEAN AllowOrDeny)
{
	(void)Guid;
	(void)Operation;
	(void)Sid;
	(void)Rights;
	(void)AllowOrDeny;
	return etw_result(ERROR_NOT_SUPPORTED);
}

ULONG EventAccessQuery(LPGUID Guid, PSECURITY_DESCRIPTOR Buffer, PULONG BufferSize)
{
	(void)Guid;
	(void)Buffer;
	(void)BufferSize;
	return etw_result(ERROR_NOT_SUPPORTED);
}

ULONG EventAccessRemove(LPGUID Guid)
{
	(void)Guid;
	return etw_result(ERROR_NOT_SUPPORTED);
}
