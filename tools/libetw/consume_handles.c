// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Handles of open traces, and CloseTrace. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include "consume.h"

/*
 * A handle is a number that is used once, so one that was closed is never taken
 * for another. ProcessTrace() owns a trace while it runs; CloseTrace() then only asks it to end.
 *
 * Session handles have 32 bits. Programs such as TraceEvent's sessions pass one to CloseTrace(),
 * which must refuse it; a trace with the same number would be closed instead.
 */
static struct consumer *consumers;
static PROCESSTRACE_HANDLE last_handle = UINT32_MAX;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The program may have closed it, and the number be another file's. */
static void close_ours(int fd, const struct descriptor *what)
{
	if (descriptor_is(fd, what))
		close(fd);
}

static void leave_to_parent(int *fd, const struct descriptor *what)
{
	close_ours(*fd, what);
	*fd = -1;
}

/*
 * The parent's traces are none of the child's: to ask one to close would wake the parent's
 * ProcessTrace(), and a session has one reader, which would be there as long as the child. The
 * thread that held the lock may be none of the child's; the list is whole at any time. What it
 * takes is not freed, since this may be in a callback, or in a handler over free().
 */
static void in_child(void)
{
	struct consumer *consumer;

	for (consumer = consumers; consumer; consumer = consumer->next) {
		leave_to_parent(&consumer->fd, &consumer->what);
		leave_to_parent(&consumer->wake[0], &consumer->wake_is);
		leave_to_parent(&consumer->wake[1], &consumer->wake_is);
	}
	consumers = NULL;
	pthread_mutex_init(&lock, NULL);
}

__attribute__((constructor)) static void watch_forks(void)
{
	pthread_atfork(NULL, NULL, in_child);
}

PROCESSTRACE_HANDLE consume_add(struct consumer *consumer)
{
	pthread_mutex_lock(&lock);
	consumer->handle = ++last_handle;
	consumer->next = consumers;
	consumers = consumer;
	pthread_mutex_unlock(&lock);
	return consumer->handle;
}

/* Under the lock. Return: where it hangs in the list; NULL: nowhere */
static struct consumer **find(PROCESSTRACE_HANDLE handle)
{
	struct consumer **at;

	for (at = &consumers; *at; at = &(*at)->next)
		if ((*at)->handle == handle && !atomic_load(&(*at)->closing))
			return at;
	return NULL;
}

/* Under the lock */
static ULONG acquire(const PROCESSTRACE_HANDLE *handles, size_t count, struct consumer *to[],
		     size_t *taken)
{
	struct consumer **at;

	for (*taken = 0; *taken < count; (*taken)++) {
		at = find(handles[*taken]);
		if (!at)
			return ERROR_INVALID_HANDLE;
		if ((*at)->processing)
			return ERROR_BUSY;
		(*at)->processing = true;
		to[*taken] = *at;
	}
	return ERROR_SUCCESS;
}

ULONG consume_acquire(const PROCESSTRACE_HANDLE *handles, size_t count,
		      struct consumer *consumers_out[])
{
	size_t taken;
	ULONG result;

	pthread_mutex_lock(&lock);
	result = acquire(handles, count, consumers_out, &taken);
	while (result && taken)
		consumers_out[--taken]->processing = false;
	pthread_mutex_unlock(&lock);
	return result;
}

void consume_free(struct consumer *consumer)
{
	consume_detach(consumer);
	close_ours(consumer->wake[0], &consumer->wake_is);
	close_ours(consumer->wake[1], &consumer->wake_is);
	free(consumer->first);
	free(consumer->names[0]);
	free(consumer->names[1]);
	free(consumer->session);
	free(consumer->file);
	free(consumer);
}

/* Under the lock: out of the list, and away with it; but for one that is the parent's */
static void remove_consumer(struct consumer *consumer)
{
	struct consumer **at = &consumers;

	while (*at && *at != consumer)
		at = &(*at)->next;
	if (!*at)
		return;
	*at = consumer->next;
	consume_free(consumer);
	if (!consumers)
		consume_forget_callbacks();
}

void consume_release(struct consumer *taken[], size_t count)
{
	size_t i;

	pthread_mutex_lock(&lock);
	for (i = 0; i < count; i++) {
		taken[i]->processing = false;
		if (atomic_load(&taken[i]->closing))
			remove_consumer(taken[i]);
	}
	pthread_mutex_unlock(&lock);
}

void consume_lost(struct consume_run *run, const struct consumer *consumer)
{
	if (!atomic_load(&consumer->closing))
		run->result = ERROR_INVALID_HANDLE;
}

/* Under the lock. @wake stays as it is, because a waiting thread may use it */
static ULONG close_trace(PROCESSTRACE_HANDLE handle)
{
	struct consumer **at = find(handle);

	if (!at)
		return ERROR_INVALID_HANDLE;
	if (!(*at)->processing) {
		remove_consumer(*at);
		return ERROR_SUCCESS;
	}
	atomic_store(&(*at)->closing, true);
	close_ours((*at)->wake[1], &(*at)->wake_is);
	return ERROR_CTX_CLOSE_PENDING;
}

/**
 * CloseTrace() - ends what OpenTrace() began
 * @TraceHandle: from there
 *
 * From any thread, callbacks included. While ProcessTrace() runs it is asked to
 * end: of a file nothing more is delivered, of a session what was read by then.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_HANDLE; ERROR_CTX_CLOSE_PENDING:
 * ProcessTrace() runs, ends soon and then closes it.
 */
ULONG CloseTrace(PROCESSTRACE_HANDLE TraceHandle)
{
	int cancel = etw_cancel_disable();
	ULONG result;

	pthread_mutex_lock(&lock);
	result = close_trace(TraceHandle);
	pthread_mutex_unlock(&lock);
	etw_cancel_restore(cancel);
	return etw_result(result);
}
