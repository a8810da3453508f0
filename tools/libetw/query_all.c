// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* QueryAllTraces(). */
#include <stdlib.h>
#include "session.h"

/**
 * struct answer - the caller's array, filled one by one
 * @array: it
 * @room: entries of it
 * @wide: names are UTF-16
 * @count: sessions so far
 * @block: for one of the module's
 */
struct answer {
	EVENT_TRACE_PROPERTIES **array;
	ULONG room;
	bool wide;
	ULONG count;
	struct block block;
};

/* The next one's properties, or NULL when there are more sessions than entries */
static ULONG next_properties(struct answer *answer, struct properties **properties)
{
	EVENT_TRACE_PROPERTIES *at;
	ULONG error;

	*properties = NULL;
	if (answer->count++ >= answer->room)
		return ERROR_SUCCESS;
	error = etw_error(etw_copy_in(&at, &answer->array[answer->count - 1], sizeof(at)));
	return error ? error : properties_new(at, answer->wide, false, properties);
}

static ULONG put_out(struct properties *properties)
{
	ULONG error = properties_put(properties);

	free(properties);
	return error == ERROR_MORE_DATA ? ERROR_SUCCESS : error;
}

static ULONG add_kernel(struct answer *answer, uint32_t id)
{
	struct properties *properties;
	ULONG error;

	/* one that ended meanwhile */
	if (kernel_query(id, &answer->block))
		return ERROR_SUCCESS;
	writer_add_counts(id, &answer->block);
	error = next_properties(answer, &properties);
	if (!properties)
		return error;
	block_to_properties(&answer->block, properties);
	return put_out(properties);
}

/* Of its own process only */
static ULONG add_private(struct answer *answer)
{
	struct properties *properties = calloc(1, sizeof(*properties));
	struct properties *found;
	ULONG error;

	if (!properties)
		return ERROR_NOT_ENOUGH_MEMORY;
	error = private_control(ETW_HANDLE_PRIVATE, NULL, &properties->fixed, properties->name,
				properties->file, EVENT_TRACE_CONTROL_QUERY);
	free(properties);
	if (error)
		return ERROR_SUCCESS;
	error = next_properties(answer, &found);
	if (!found)
		return error;
	private_control(ETW_HANDLE_PRIVATE, NULL, &found->fixed, found->name, found->file,
			EVENT_TRACE_CONTROL_QUERY);
	return put_out(found);
}

static ULONG fill(struct answer *answer)
{
	ULONG error = ERROR_SUCCESS;
	uint64_t loggers = 0;
	uint32_t id;
	int err = kernel_list(&loggers);

	for (id = 1; !error && id <= ETW_MAX_LOGGERS; id++)
		if (loggers >> (id - 1) & 1)
			error = add_kernel(answer, id);
	if (!error)
		error = add_private(answer);
	/* without the module, or the right to ask it, there may still be our own */
	if (!error && err && !answer->count)
		error = etw_error(err);
	return error;
}

static ULONG query_all(EVENT_TRACE_PROPERTIES **array, ULONG room, ULONG *count, bool wide)
{
	struct answer *answer;
	ULONG error;
	int cancel;

	if (!count || !array || !room || room > ETW_MAX_LOGGERS)
		return ERROR_INVALID_PARAMETER;
	answer = calloc(1, sizeof(*answer));
	if (!answer)
		return ERROR_NOT_ENOUGH_MEMORY;
	cancel = etw_cancel_disable();
	answer->array = array;
	answer->room = room;
	answer->wide = wide;
	error = fill(answer);
	if (!error)
		error = etw_error(etw_copy_out(count, &answer->count, sizeof(*count)));
	if (!error && answer->count > room)
		error = ERROR_MORE_DATA;
	free(answer);
	etw_cancel_restore(cancel);
	return error;
}

ULONG QueryAllTracesA(PEVENT_TRACE_PROPERTIES *array, ULONG room, PULONG count)
{
	return etw_result(query_all(array, room, count, false));
}

ULONG QueryAllTracesW(PEVENT_TRACE_PROPERTIES *array, ULONG room, PULONG count)
{
	return etw_result(query_all(array, room, count, true));
}
