/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Stand-ins of libetw's calls: each event becomes one line of hexadecimal text. */
#ifndef CAPTURE_H
#define CAPTURE_H

#include <stdio.h>
#include <windows.h>
#include <evntprov.h>

#ifdef __cplusplus
extern "C" {
#endif

static PENABLECALLBACK capture_callback;
static PVOID capture_context;
static GUID capture_provider;
static ULONG capture_result;

static void capture_hex(const void *from, size_t size)
{
	const unsigned char *bytes = (const unsigned char *)from;
	size_t i;

	for (i = 0; i < size; i++)
		printf("%02x", bytes[i]);
}

static void capture_guid(LPCGUID id)
{
	printf(" ");
	if (id)
		capture_hex(id, sizeof(*id));
	else
		printf("-");
}

ULONG EventRegister(LPCGUID id, PENABLECALLBACK callback, PVOID context, PREGHANDLE handle)
{
	capture_provider = *id;
	capture_callback = callback;
	capture_context = context;
	if (!capture_result)
		*handle = 77;
	return capture_result;
}

ULONG EventUnregister(REGHANDLE handle)
{
	printf("unregister %llu\n", handle);
	return ERROR_SUCCESS;
}

ULONG EventSetInformation(REGHANDLE handle, EVENT_INFO_CLASS kind, PVOID data, ULONG size)
{
	printf("information %llu %d ", handle, (int)kind);
	capture_hex(data, size);
	printf("\n");
	return ERROR_SUCCESS;
}

ULONG EventWriteTransfer(REGHANDLE handle, PCEVENT_DESCRIPTOR event, LPCGUID activity,
			 LPCGUID related, ULONG count, PEVENT_DATA_DESCRIPTOR pieces)
{
	ULONG i;

	printf("event %llu ", handle);
	capture_hex(event, sizeof(*event));
	capture_guid(activity);
	capture_guid(related);
	for (i = 0; i < count; i++) {
		printf(" %u:", pieces[i].Reserved);
		capture_hex((const void *)(UINT_PTR)pieces[i].Ptr, pieces[i].Size);
	}
	printf("\n");
	return ERROR_SUCCESS;
}

/* New ids are 1, 2, ...; the thread's is 0xff to begin with */
ULONG EventActivityIdControl(ULONG code, LPGUID id)
{
	static GUID thread = { 0xff, 0, 0, { 0 } };
	static UINT32 last;
	const GUID before = thread;

	if (code == EVENT_ACTIVITY_CTRL_CREATE_ID) {
		id->Data1 = ++last;
		return ERROR_SUCCESS;
	}
	thread = *id;
	if (code == EVENT_ACTIVITY_CTRL_GET_SET_ID)
		*id = before;
	else
		printf("thread %x\n", thread.Data1);
	return ERROR_SUCCESS;
}

/* As sessions do */
static inline void capture_enable(ULONG on, UCHAR level, ULONGLONG any, ULONGLONG all)
{
	capture_callback(&capture_provider, on, level, any, all, NULL, capture_context);
}

#ifdef __cplusplus
}
#endif

#endif /* CAPTURE_H */
