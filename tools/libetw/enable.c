// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* EnableTrace() and EnumerateTraceGuids(). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/first_providers.h"
#include "session.h"

#define MAX_LEVEL	0xFFu

static ULONG enable_kernel(TRACEHANDLE handle, const GUID *guid,
			   const struct provider_settings *settings)
{
	/* the control codes are those of the kernel */
	struct etw_enable argument = {
		.size = sizeof(argument), .logger_id = ETW_HANDLE_LOGGER_ID(handle),
		.enabled = settings->code, .level = settings->level,
		.enable_flags = (uint32_t)settings->any, .match_any = settings->any,
		.match_all = settings->all, .properties = settings->properties,
		.nr_filters = settings->nr_filters,
		/* an older module accepts what it does not know only if it is 0 */
		.filters = settings->nr_filters ? (uintptr_t)settings->filter : 0,
	};
	int err;

	memcpy(&argument.guid, guid, sizeof(*guid));
	err = etw_control_ioctl(ETW_IOC_ENABLE, &argument);
	return err == -E2BIG ? ERROR_NOT_SUPPORTED : etw_error(err);
}

static ULONG find_private(TRACEHANDLE handle, TRACEHANDLE *session)
{
	EVENT_TRACE_PROPERTIES answer = { };
	ULONG error = private_control(handle, NULL, &answer, NULL, NULL,
				      EVENT_TRACE_CONTROL_QUERY);

	if (!error)
		*session = answer.Wnode.HistoricalContext;
	return error;
}

/*
 * The session must be there; its own providers are all that can be enabled. One that was
 * stopped meanwhile has perhaps left them before.
 */
static ULONG enable_private(TRACEHANDLE handle, const GUID *guid,
			    const struct provider_settings *settings)
{
	const bool enable = settings->code == EVENT_CONTROL_CODE_ENABLE_PROVIDER;
	TRACEHANDLE session = 0;
	ULONG error = find_private(handle, &session);

	if (!error)
		error = etw_enable_private(session, guid, settings);
	if (error || !enable)
		return error;
	error = find_private(session, &session);
	if (error)
		etw_leave_private(session);
	return error;
}

ULONG enable_provider(TRACEHANDLE handle, const GUID *control_guid,
		      const struct provider_settings *settings)
{
	ULONG error;
	int cancel;
	GUID guid;

	if (!control_guid || !handle || handle == INVALID_PROCESSTRACE_HANDLE)
		return ERROR_INVALID_PARAMETER;
	cancel = etw_cancel_disable();
	error = etw_error(etw_copy_in(&guid, control_guid, sizeof(guid)));
	if (!error)
		error = handle & ETW_HANDLE_PRIVATE ?
			enable_private(handle, &guid, settings) :
			enable_kernel(handle, &guid, settings);
	etw_cancel_restore(cancel);
	return error;
}

ULONG EnableTrace(ULONG enable, ULONG flags, ULONG level, LPCGUID control_guid,
		  TRACEHANDLE handle)
{
	const struct provider_settings settings = {
		.code = enable, .level = level, .any = flags,
	};

	if (enable > 1 || level > MAX_LEVEL)
		return etw_result(ERROR_INVALID_PARAMETER);
	return etw_result(enable_provider(handle, control_guid, &settings));
}

static int ask(struct etw_providers *argument)
{
	const struct etw_providers given = *argument;
	int err = etw_control_ioctl(ETW_IOC_PROVIDERS, argument);

	if (err != -E2BIG)
		return err;
	*argument = first_providers(&given);
	err = etw_control_ioctl(ETW_IOC_PROVIDERS, argument);
	if (!err && argument->count <= given.count)
		first_providers_widen((struct etw_provider_info *)(uintptr_t)given.providers,
				      argument->count);
	return err;
}

/* There may be more entries by the time that we ask with room for them. */
ULONG list_providers(struct etw_provider_info **infos, uint32_t *count)
{
	struct etw_providers argument;
	uint32_t room = 256;
	int err;

	for (;;) {
		*infos = calloc(room, sizeof(**infos));
		if (!*infos)
			return ERROR_NOT_ENOUGH_MEMORY;
		argument = (struct etw_providers){
			.size = sizeof(argument), .count = room,
			.providers = (uintptr_t)*infos, .entry_size = sizeof(**infos),
		};
		err = ask(&argument);
		*count = argument.count;
		if (!err && *count <= room)
			return ERROR_SUCCESS;
		free(*infos);
		*infos = NULL;
		if (err)
			return etw_error(err);
		room = *count + 16;
	}
}

static ULONG put_provider(TRACE_GUID_PROPERTIES **array, const struct etw_provider_info *info)
{
	TRACE_GUID_PROPERTIES listed = {
		.LoggerId = info->logger_id, .EnableLevel = info->level,
		.EnableFlags = info->enable_flags, .IsEnable = info->logger_id != 0,
	};
	TRACE_GUID_PROPERTIES *at;
	int err = etw_copy_in(&at, array, sizeof(at));

	memcpy(&listed.Guid, &info->guid, sizeof(listed.Guid));
	if (!err)
		err = etw_copy_out(at, &listed, sizeof(listed));
	return etw_error(err);
}

/*
 * Keeps one entry for each registered GUID: the first one, of the session that its providers
 * write to. Return: entries that are left
 */
static uint32_t keep_registered(struct etw_provider_info *infos, uint32_t count)
{
	uint32_t i, kept = 0;

	for (i = 0; i < count; i++)
		if (infos[i].registrations &&
		    (!kept || memcmp(&infos[kept - 1].guid, &infos[i].guid, sizeof(infos->guid))))
			infos[kept++] = infos[i];
	return kept;
}

ULONG EnumerateTraceGuids(PTRACE_GUID_PROPERTIES *array, ULONG room, PULONG count)
{
	struct etw_provider_info *infos = NULL;
	uint32_t found = 0, i;
	ULONG error;
	int cancel;

	if (!array || !room || !count)
		return etw_result(ERROR_INVALID_PARAMETER);
	cancel = etw_cancel_disable();
	error = list_providers(&infos, &found);
	if (!error)
		found = keep_registered(infos, found);
	for (i = 0; !error && i < found && i < room; i++)
		error = put_provider(&array[i], &infos[i]);
	free(infos);
	etw_cancel_restore(cancel);
	if (!error)
		error = etw_error(etw_copy_out(count, &found, sizeof(*count)));
	if (!error && found > room)
		error = ERROR_MORE_DATA;
	return etw_result(error);
}
