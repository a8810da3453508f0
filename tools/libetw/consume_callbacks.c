// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* SetTraceCallback: one more callback for the classic events of a class. */
#include <stdlib.h>
#include <string.h>
#include "consume.h"

/**
 * struct class_callback - what SetTraceCallback said
 * @next: another class
 * @guid: the class
 * @callback: gets its events; NULL: none any more
 *
 * Entries stay for ever, one for each class, so that no lock is needed: a callback may call
 * these functions, and so may a child of fork().
 */
struct class_callback {
	struct class_callback *next;
	GUID guid;
	_Atomic(PEVENT_CALLBACK) callback;
};

static _Atomic(struct class_callback *) callbacks;

static struct class_callback *find_from(struct class_callback *entry, const GUID *guid)
{
	while (entry && memcmp(&entry->guid, guid, sizeof(*guid)))
		entry = entry->next;
	return entry;
}

static struct class_callback *find(const GUID *guid)
{
	return find_from(atomic_load(&callbacks), guid);
}

/* Return: the class's one entry, which is made when there is none; NULL without memory */
static struct class_callback *entry_of(const GUID *guid)
{
	struct class_callback *first = atomic_load(&callbacks), *new, *entry;

	entry = find_from(first, guid);
	if (entry)
		return entry;
	new = calloc(1, sizeof(*new));
	if (!new)
		return NULL;
	new->guid = *guid;
	do {
		/* another thread may have been faster */
		entry = find_from(first, guid);
		if (entry) {
			free(new);
			return entry;
		}
		new->next = first;
	} while (!atomic_compare_exchange_weak(&callbacks, &first, new));
	return new;
}

/**
 * SetTraceCallback() - one more callback, for the classic events of one class
 * @pGuid: the class
 * @EventCallback: gets them after the EventCallback of their trace; replaces an
 *	earlier one of the class
 *
 * For handles without PROCESS_TRACE_MODE_EVENT_RECORD. Forgotten when the last
 * handle is closed.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER; ERROR_NOACCESS;
 * ERROR_NOT_ENOUGH_MEMORY.
 */
ULONG SetTraceCallback(LPCGUID pGuid, PEVENT_CALLBACK EventCallback)
{
	struct class_callback *entry;
	ULONG result;
	GUID guid;

	if (!pGuid || !EventCallback)
		return etw_result(ERROR_INVALID_PARAMETER);
	result = etw_error(etw_copy_in(&guid, pGuid, sizeof(guid)));
	if (result)
		return etw_result(result);
	entry = entry_of(&guid);
	if (!entry)
		return etw_result(ERROR_NOT_ENOUGH_MEMORY);
	atomic_store(&entry->callback, EventCallback);
	return etw_result(ERROR_SUCCESS);
}

/**
 * RemoveTraceCallback() - undoes SetTraceCallback()
 * @pGuid: the class
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER; ERROR_NOACCESS;
 * ERROR_WMI_GUID_NOT_FOUND.
 */
ULONG RemoveTraceCallback(LPCGUID pGuid)
{
	struct class_callback *entry;
	ULONG result;
	GUID guid;

	if (!pGuid)
		return etw_result(ERROR_INVALID_PARAMETER);
	result = etw_error(etw_copy_in(&guid, pGuid, sizeof(guid)));
	if (result)
		return etw_result(result);
	entry = find(&guid);
	if (!entry || !atomic_exchange(&entry->callback, NULL))
		return etw_result(ERROR_WMI_GUID_NOT_FOUND);
	return etw_result(ERROR_SUCCESS);
}

void consume_class_callbacks(const struct etl_record *record, EVENT_TRACE *event)
{
	struct class_callback *entry;
	PEVENT_CALLBACK callback;

	if (!atomic_load(&callbacks) || record->header == ETL_EVENT ||
	    record->header == ETL_MESSAGE)
		return;
	entry = find(&event->Header.Guid);
	callback = entry ? atomic_load(&entry->callback) : NULL;
	if (callback)
		callback(event);
}

void consume_forget_callbacks(void)
{
	struct class_callback *entry;

	for (entry = atomic_load(&callbacks); entry; entry = entry->next)
		atomic_store(&entry->callback, NULL);
}
