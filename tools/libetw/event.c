// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* TraceEvent(), TraceMessage() and TraceMessageVa(). */
#include "libetw.h"

/*
 * The kernel reads the header, once, and stores the handle at its offset 8: the
 * one edit that persists. FieldTypeFlags and TRACED_GUID it sets in its copy.
 */
ULONG TraceEvent(TRACEHANDLE handle, PEVENT_TRACE_HEADER event)
{
	struct etw_trace_event argument = {
		.size = sizeof(argument), .session_handle = handle, .event = (uintptr_t)event,
	};

	if (!event)
		return etw_result(ERROR_INVALID_PARAMETER);
	if (handle & ETW_HANDLE_PRIVATE)
		return etw_result(private_trace_event(handle, event));
	return etw_result(etw_provider_error(etw_provider_ioctl(ETW_PROVIDER_TRACE_EVENT,
								&argument)));
}

/* Return: number of arguments, or -1: more than a message can have */
static int take_arguments(va_list list, struct etw_message_argument *arguments)
{
	const void *data;
	ULONG length;
	int i;

	for (i = 0; ; i++) {
		data = va_arg(list, const void *);
		if (!data)
			return i;
		length = va_arg(list, ULONG);
		if (i == ETW_MAX_MESSAGE_ARGUMENTS)
			return -1;
		arguments[i].data = (uintptr_t)data;
		arguments[i].length = length;
	}
}

ULONG TraceMessageVa(TRACEHANDLE handle, ULONG flags, LPCGUID guid, USHORT number, va_list list)
{
	struct etw_message_argument arguments[ETW_MAX_MESSAGE_ARGUMENTS];
	struct etw_trace_message message = {
		.size = sizeof(message), .message_flags = flags, .session_handle = handle,
		.message_guid = (uintptr_t)guid, .arguments = (uintptr_t)arguments,
		.message_number = number,
	};
	int count = take_arguments(list, arguments);

	if (count < 0)
		return etw_result(ERROR_INVALID_PARAMETER);
	if (handle & ETW_HANDLE_PRIVATE)
		return etw_result(private_trace_message(handle, flags, guid, number, arguments,
							count));
	message.nr_arguments = count;
	return etw_result(etw_provider_error(etw_provider_ioctl(ETW_PROVIDER_TRACE_MESSAGE,
								&message)));
}

ULONG TraceMessage(TRACEHANDLE handle, ULONG flags, LPCGUID guid, USHORT number, ...)
{
	va_list list;
	ULONG error;

	va_start(list, number);
	error = TraceMessageVa(handle, flags, guid, number, list);
	va_end(list);
	return error;
}
