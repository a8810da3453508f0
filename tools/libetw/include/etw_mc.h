/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Support for the headers that "etw mc" makes of manifests. */
#ifndef ETW_MC_H
#define ETW_MC_H

#include "etw_tl_provider.h"

/* Any number of files of a program may include the header; the linker keeps one of each object */
#define ETW_MC_GLOBAL	__attribute__((weak, visibility("hidden")))
/* In C++ a constant belongs to its file unless it is declared otherwise */
#ifdef __cplusplus
#define ETW_MC_CONSTANT	EXTERN_C ETW_MC_GLOBAL
#else
#define ETW_MC_CONSTANT	ETW_MC_GLOBAL
#endif

/* A provider that is registered stays as it is */
static inline ULONG EtwMcRegister(struct _tlgProvider_t *context)
{
	if (context->handle)
		return ERROR_SUCCESS;
	return EventRegister(context->id, etw_tl_changed, context, &context->handle);
}

static inline ULONG EtwMcUnregister(struct _tlgProvider_t *context)
{
	TraceLoggingUnregister(context);
	return ERROR_SUCCESS;
}

FORCEINLINE void EtwMcString(PEVENT_DATA_DESCRIPTOR piece, LPCSTR text)
{
	if (!text)
		text = "NULL";
	EventDataDescCreate(piece, text, (ULONG)strlen(text) + 1);
}

FORCEINLINE void EtwMcWideString(PEVENT_DATA_DESCRIPTOR piece, LPCWSTR text)
{
	static const WCHAR none[] = { 'N', 'U', 'L', 'L', 0 };
	ULONG length = 0;

	if (!text)
		text = none;
	while (text[length])
		length++;
	EventDataDescCreate(piece, text, (length + 1) * (ULONG)sizeof(*text));
}

/* 8 bytes, and 4 for each of as many subordinate authorities as the second byte contains */
FORCEINLINE void EtwMcSid(PEVENT_DATA_DESCRIPTOR piece, const VOID *sid)
{
	EventDataDescCreate(piece, sid, 8 + 4u * ((const UCHAR *)sid)[1]);
}

#endif /* ETW_MC_H */
