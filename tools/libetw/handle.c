// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What a control callback asks of its buffer: session, level, flags. */
#include "libetw.h"

/* 0 and 0xFFFF name no session */
static bool is_logger(TRACEHANDLE handle)
{
	return (uint16_t)handle && (uint16_t)handle != 0xFFFF;
}

TRACEHANDLE GetTraceLoggerHandle(PVOID buffer)
{
	WNODE_HEADER header;
	ULONG error = ERROR_INVALID_PARAMETER;

	if (buffer)
		error = etw_error(etw_copy_in(&header, buffer, sizeof(header)));
	if (!error && header.BufferSize < sizeof(header))
		error = ERROR_BAD_LENGTH;
	if (!error && !is_logger(header.HistoricalContext))
		error = ERROR_INVALID_HANDLE;
	return etw_result(error) ? INVALID_PROCESSTRACE_HANDLE : header.HistoricalContext;
}

UCHAR GetTraceEnableLevel(TRACEHANDLE handle)
{
	if (etw_result(is_logger(handle) ? ERROR_SUCCESS : ERROR_INVALID_HANDLE))
		return 0;
	return handle >> 16;
}

ULONG GetTraceEnableFlags(TRACEHANDLE handle)
{
	if (etw_result(is_logger(handle) ? ERROR_SUCCESS : ERROR_INVALID_HANDLE))
		return 0;
	return handle >> 32;
}
