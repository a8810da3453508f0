// SPDX-License-Identifier: GPL-2.0
/* SetTraceCallback: one more callback for the classic events of a class. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "consume.h"

/**
 * struct class_callback - what SetTraceCallback said
 * @next: another class
 * @guid: the class
 * @callback: who gets its events; NULL: nobody any more
 *
 * Entries stay for ever, one for each class, so that readers need no lock while a
 * callback runs, and a callback may call these functions.
 */
struct class_callback {
	struct class_callback *next;
	GUID guid;
	_Atomic(PEVENT_CALLBACK) callback;
};

static _Atomic(struct class_callback *) callbacks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct class_callback *find(const GUID *guid)
{
	struct class_callback *entry = atomic_load(&callbacks);

	while (entry && memcmp(&entry->guid, guid, sizeof(*guid)))
		entry = entry->next;
	return entry;
}

/* Under the lock */
static ULONG set_callback(const GUID *guid, PEVENT_CALLBACK callback)
{
	struct class_callback *entry = find(guid);

	if (!entry) {
		entry = calloc(1, sizeof(*entry));
		if (!entry)
			return ERROR_NOT_ENOUGH_MEMORY;
		entry->guid = *guid;
		entry->next = atomic_load(&callbacks);
		atomic_store(&callbacks, entry);
	}
	atomic_store(&entry->callback, callback);
	return ERROR_SUCCESS;
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
	ULONG result;
	GUID guid;

	if (!pGuid || !EventCallback)
		return etw_result(ERROR_INVALID_PARAMETER);
	result = etw_error(etw_copy_in(&guid, pGuid, sizeof(guid)));
	if (result)
		return etw_result(result);
	pthread_mutex_lock(&lock);
	result = set_callback(&guid, EventCallback);
	pthread_mutex_unlock(&lock);
	return etw_result(result);
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
