// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* EnableTraceEx() and EnableTraceEx2(), for providers with a level and 32 flags. */
#include <stdlib.h>
#include <string.h>
#include "include/evntcons.h"
#include "session.h"

/* The upper half of a MatchAnyKeyword that stands for all keywords */
#define ALL_UPPER	0xFFFFFFFFu
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
 * @has_filters: the caller passed a filter
 */
struct request {
	TRACEHANDLE handle;
	const GUID *guid;
	ULONG code;
	UCHAR level;
	ULONGLONG any;
	ULONGLONG all;
	ULONG properties;
	bool has_filters;
};

/* A provider has 32 flags; no session has filters for its events. */
static ULONG check_enable(const struct request *request)
{
	uint32_t upper = request->any >> 32;

	if ((upper && upper != ALL_UPPER) || request->all || request->has_filters ||
	    (request->properties & ~WITHOUT_EFFECT))
		return ERROR_NOT_SUPPORTED;
	return ERROR_SUCCESS;
}

static bool is_enabled_by(const struct etw_provider_info *infos, uint32_t count, const GUID *guid,
			  uint32_t logger)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		if (infos[i].logger_id == logger && !memcmp(&infos[i].guid, guid, sizeof(*guid)))
			return true;
	return false;
}

/*
 * Providers with a WMIDPREQUEST callback have no request for their state, so a provider that
 * the session has enabled gets none, as on Windows.
 */
static ULONG capture_state(const struct request *request)
{
	struct etw_provider_info *infos = NULL;
	uint32_t count = 0;
	ULONG error;
	int cancel;
	GUID guid;

	if (!request->guid || !request->handle)
		return ERROR_INVALID_PARAMETER;
	if (request->handle & ETW_HANDLE_PRIVATE)
		return ERROR_NOT_SUPPORTED;
	cancel = etw_cancel_disable();
	error = etw_error(etw_copy_in(&guid, request->guid, sizeof(guid)));
	if (!error)
		error = list_providers(&infos, &count);
	if (!error && !is_enabled_by(infos, count, &guid, ETW_HANDLE_LOGGER_ID(request->handle)))
		error = ERROR_WMI_INSTANCE_NOT_FOUND;
	free(infos);
	etw_cancel_restore(cancel);
	return error;
}

static ULONG run(const struct request *request)
{
	ULONG error;

	switch (request->code) {
	case EVENT_CONTROL_CODE_DISABLE_PROVIDER:
		return enable_provider(request->handle, request->guid, false, 0, 0);
	case EVENT_CONTROL_CODE_ENABLE_PROVIDER:
		error = check_enable(request);
		return error ? error : enable_provider(request->handle, request->guid, true,
						       request->level, request->any);
	case EVENT_CONTROL_CODE_CAPTURE_STATE:
		error = check_enable(request);
		return error ? error : capture_state(request);
	default:
		return ERROR_INVALID_PARAMETER;
	}
}

/**
 * EnableTraceEx() - enables or disables a provider, or changes its level and flags
 * @ProviderId: the provider's control GUID
 * @SourceId: not used
 * @TraceHandle: the session
 * @IsEnabled: EVENT_CONTROL_CODE_ENABLE_PROVIDER or _DISABLE_PROVIDER
 * @Level: the provider's EnableLevel
 * @MatchAnyKeyword: its lower half becomes the EnableFlags; the upper half must be 0, or all ones
 * @MatchAllKeyword: must be 0
 * @EnableProperty: must be 0, or EVENT_ENABLE_PROPERTY_ENABLE_SILOS, which has no effect
 * @EnableFilterDesc: must be NULL
 *
 * Return: as EnableTrace(); ERROR_NOT_SUPPORTED for keywords, properties and filters that no
 * provider of the module has.
 */
ULONG EnableTraceEx(LPCGUID ProviderId, LPCGUID SourceId, TRACEHANDLE TraceHandle,
		    ULONG IsEnabled, UCHAR Level, ULONGLONG MatchAnyKeyword,
		    ULONGLONG MatchAllKeyword, ULONG EnableProperty,
		    PEVENT_FILTER_DESCRIPTOR EnableFilterDesc)
{
	struct request request = {
		.handle = TraceHandle, .guid = ProviderId, .code = IsEnabled, .level = Level,
		.any = MatchAnyKeyword, .all = MatchAllKeyword, .properties = EnableProperty,
		.has_filters = EnableFilterDesc,
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
	request->has_filters = parameters.EnableFilterDesc &&
		(parameters.FilterDescCount || parameters.Version == ENABLE_TRACE_PARAMETERS_VERSION);
	return ERROR_SUCCESS;
}

/**
 * EnableTraceEx2() - enables or disables a provider, or changes its level and flags
 * @TraceHandle: the session
 * @ProviderId: the provider's control GUID
 * @ControlCode: EVENT_CONTROL_CODE_*; CAPTURE_STATE succeeds if the session has the provider
 *	enabled, and no provider gets a request
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
