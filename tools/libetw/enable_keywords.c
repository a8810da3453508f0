// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* EnableTraceEx() and EnableTraceEx2(): level, keywords, properties and filters. */
#include <stdlib.h>
#include "include/evntcons.h"
#include "enable_filters.h"
#include "session.h"

#define SUPPORTED \
	(EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0 | EVENT_ENABLE_PROPERTY_SID | \
	 EVENT_ENABLE_PROPERTY_STACK_TRACE | EVENT_ENABLE_PROPERTY_PROCESS_START_KEY | \
	 EVENT_ENABLE_PROPERTY_SOURCE_CONTAINER_TRACKING)
/* Here every event is recorded, whatever container its process is in */
#define WITHOUT_EFFECT	EVENT_ENABLE_PROPERTY_ENABLE_SILOS

/**
 * struct request - what both calls have in common
 * @handle: the session
 * @guid: the provider
 * @code: EVENT_CONTROL_CODE_*
 * @level: of events
 * @any: MatchAnyKeyword
 * @all: MatchAllKeyword
 * @properties: EnableProperty
 * @filter: of the caller
 * @nr_filters: entries of @filter
 */
struct request {
	TRACEHANDLE handle;
	const GUID *guid;
	ULONG code;
	UCHAR level;
	ULONGLONG any;
	ULONGLONG all;
	ULONG properties;
	const EVENT_FILTER_DESCRIPTOR *filter;
	uint32_t nr_filters;
};

/* The process's own session adds no items to events. */
static ULONG check_enable(const struct request *request)
{
	const uint32_t items = SUPPORTED & ~EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0;

	if (request->properties & ~(WITHOUT_EFFECT | SUPPORTED))
		return ERROR_NOT_SUPPORTED;
	if (!(request->handle & ETW_HANDLE_PRIVATE))
		return ERROR_SUCCESS;
	return request->properties & items ? ERROR_NOT_SUPPORTED : ERROR_SUCCESS;
}

/* All events of the process's own session are of one process, and have no stacks. */
static ULONG check_filters(const struct request *request, const struct enable_filters *filters)
{
	uint32_t i;

	if (!(request->handle & ETW_HANDLE_PRIVATE))
		return ERROR_SUCCESS;
	for (i = 0; i < filters->count; i++)
		if (filters->filter[i].type != EVENT_FILTER_TYPE_EVENT_NAME)
			return ERROR_NOT_SUPPORTED;
	return ERROR_SUCCESS;
}

static ULONG enable(const struct request *request)
{
	struct provider_settings settings = {
		.code = request->code, .level = request->level, .any = request->any,
		.all = request->all, .properties = request->properties & SUPPORTED,
	};
	struct enable_filters *filters;
	ULONG error;

	if (!request->nr_filters)
		return enable_provider(request->handle, request->guid, &settings);
	filters = malloc(sizeof(*filters));
	if (!filters)
		return ERROR_NOT_ENOUGH_MEMORY;
	error = enable_filters_take(filters, request->filter, request->nr_filters);
	if (!error)
		error = check_filters(request, filters);
	settings.filter = filters->filter;
	settings.nr_filters = filters->count;
	if (!error)
		error = enable_provider(request->handle, request->guid, &settings);
	free(filters);
	return error;
}

static ULONG run(const struct request *request)
{
	const struct provider_settings none = { .code = EVENT_CONTROL_CODE_DISABLE_PROVIDER };
	ULONG error;

	if (request->code > EVENT_CONTROL_CODE_CAPTURE_STATE)
		return ERROR_INVALID_PARAMETER;
	if (request->code == EVENT_CONTROL_CODE_DISABLE_PROVIDER)
		return enable_provider(request->handle, request->guid, &none);
	error = check_enable(request);
	/* those of EVENT_CONTROL_CODE_CAPTURE_STATE are for the provider, as on Windows */
	if (!error && request->nr_filters && request->code == EVENT_CONTROL_CODE_CAPTURE_STATE)
		error = ERROR_NOT_SUPPORTED;
	return error ? error : enable(request);
}

/**
 * EnableTraceEx() - enables or disables a provider, or changes its level and flags
 * @ProviderId: the provider's control GUID
 * @SourceId: not used
 * @TraceHandle: the session
 * @IsEnabled: EVENT_CONTROL_CODE_ENABLE_PROVIDER or _DISABLE_PROVIDER
 * @Level: the provider's EnableLevel
 * @MatchAnyKeyword: events that have any of these; 0: all. Its lower half becomes the
 *	EnableFlags of providers of RegisterTraceGuids()
 * @MatchAllKeyword: only events that have all of these
 * @EnableProperty: EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0; _SID, _STACK_TRACE,
 *	_PROCESS_START_KEY and _SOURCE_CONTAINER_TRACKING, not in the process's own session;
 *	EVENT_ENABLE_PROPERTY_ENABLE_SILOS, which has no effect
 * @EnableFilterDesc: NULL, or one filter: EVENT_FILTER_TYPE_EVENT_NAME; _PID, _EXECUTABLE_NAME,
 *	_EVENT_ID, _STACKWALK, _STACKWALK_NAME and _STACKWALK_LEVEL_KW not in the process's own
 *	session
 *
 * Return: as EnableTrace(); ERROR_NOT_SUPPORTED for other properties and filters, and for
 * keywords that the session does not support.
 */
ULONG EnableTraceEx(LPCGUID ProviderId, LPCGUID SourceId, TRACEHANDLE TraceHandle,
		    ULONG IsEnabled, UCHAR Level, ULONGLONG MatchAnyKeyword,
		    ULONGLONG MatchAllKeyword, ULONG EnableProperty,
		    PEVENT_FILTER_DESCRIPTOR EnableFilterDesc)
{
	struct request request = {
		.handle = TraceHandle, .guid = ProviderId, .code = IsEnabled, .level = Level,
		.any = MatchAnyKeyword, .all = MatchAllKeyword, .properties = EnableProperty,
		.filter = EnableFilterDesc, .nr_filters = !!EnableFilterDesc,
	};

	(void)SourceId;
	if (IsEnabled > EVENT_CONTROL_CODE_ENABLE_PROVIDER)
		return etw_result(ERROR_INVALID_PARAMETER);
	return etw_result(run(&request));
}

/* The first version has at most one filter, and no count of them. */
static ULONG take_parameters(const ENABLE_TRACE_PARAMETERS *from, struct request *request)
{
	ENABLE_TRACE_PARAMETERS parameters = { };
	int err = etw_copy_in(&parameters, from, sizeof(ENABLE_TRACE_PARAMETERS_V1));

	if (!err && parameters.Version == ENABLE_TRACE_PARAMETERS_VERSION_2)
		err = etw_copy_in(&parameters, from, sizeof(parameters));
	if (err)
		return etw_error(err);
	if (parameters.Version != ENABLE_TRACE_PARAMETERS_VERSION &&
	    parameters.Version != ENABLE_TRACE_PARAMETERS_VERSION_2)
		return ERROR_INVALID_PARAMETER;
	if (parameters.ControlFlags ||
	    (parameters.FilterDescCount && !parameters.EnableFilterDesc))
		return ERROR_INVALID_PARAMETER;
	request->properties = parameters.EnableProperty;
	request->filter = parameters.EnableFilterDesc;
	request->nr_filters = parameters.Version == ENABLE_TRACE_PARAMETERS_VERSION ?
			      !!parameters.EnableFilterDesc : parameters.FilterDescCount;
	return ERROR_SUCCESS;
}

/**
 * EnableTraceEx2() - enables or disables a provider, or asks for its state
 * @TraceHandle: the session
 * @ProviderId: the provider's control GUID
 * @ControlCode: EVENT_CONTROL_CODE_*; with CAPTURE_STATE, which needs the provider enabled by
 *	the session, callbacks of EventRegister() are called, others are not
 * @Level: the provider's EnableLevel
 * @MatchAnyKeyword: see EnableTraceEx()
 * @MatchAllKeyword: see EnableTraceEx()
 * @Timeout: not used: callbacks of providers run soon after this call has returned
 * @EnableParameters: NULL, or properties and filters; see EnableTraceEx()
 *
 * Return: as EnableTraceEx(); ERROR_INVALID_PARAMETER for another version of @EnableParameters.
 */
ULONG EnableTraceEx2(TRACEHANDLE TraceHandle, LPCGUID ProviderId, ULONG ControlCode, UCHAR Level,
		     ULONGLONG MatchAnyKeyword, ULONGLONG MatchAllKeyword, ULONG Timeout,
		     PENABLE_TRACE_PARAMETERS EnableParameters)
{
	struct request request = {
		.handle = TraceHandle, .guid = ProviderId, .code = ControlCode, .level = Level,
		.any = MatchAnyKeyword, .all = MatchAllKeyword,
	};
	ULONG error = ERROR_SUCCESS;

	(void)Timeout;
	if (EnableParameters)
		error = take_parameters(EnableParameters, &request);
	return etw_result(error ? error : run(&request));
}
