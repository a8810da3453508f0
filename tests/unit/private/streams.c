// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Streams of a session: each thread has one; those of threads that ended are taken back. */
#include <pthread.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "one.h"

static pid_t raw_tid;

static void *end_rawly(void *argument)
{
	static __thread struct event mine;

	event_fill(&mine, 1, 4);
	*(ULONG *)argument |= TraceEvent(handle, &mine.header);
	__atomic_store_n(&raw_tid, gettid(), __ATOMIC_RELEASE);
	syscall(SYS_exit, 0);
	return NULL;
}

/*
 * Few buffers, and none that becomes full: an event that is lost lacked a stream, however
 * late the flush thread comes.
 */
static void start_streams(const char *name)
{
	session_clear(&session, file_of(name));
	session.fixed.BufferSize = 64;
	session.fixed.MinimumBuffers = 2;
	session.fixed.MaximumBuffers = 8;
	session_start(&session, &handle);
}

/* The kernel knows the thread a little longer than pthread_join() does. */
static void run_one_to_its_end(ULONG *errors)
{
	pthread_t thread;

	pthread_create(&thread, NULL, end_rawly, errors);
	pthread_join(thread, NULL);
	while (!syscall(SYS_tgkill, getpid(), raw_tid, 0))
		usleep(100);
}

static __thread bool holds;
static pid_t held_tid;
static bool was_held, is_found;
long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

/*
 * Also for the library's calls. A thread that looks for threads that have ended waits until the
 * flush thread, which looks at the streams in their order, has reached the last stream, its own.
 */
long __wrap_syscall(long number, ...)
{
	long a[6];
	va_list list;
	int i;

	va_start(list, number);
	for (i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_tgkill && holds) {
		was_held = true;
		while (!__atomic_load_n(&is_found, __ATOMIC_ACQUIRE))
			usleep(1000);
	} else if (number == SYS_tgkill && (pid_t)a[1] ==
					   __atomic_load_n(&held_tid, __ATOMIC_ACQUIRE)) {
		__atomic_store_n(&is_found, true, __ATOMIC_RELEASE);
	}
	return __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static void *write_held(void *argument)
{
	event_fill(&event, 1, 4);
	holds = true;
	__atomic_store_n(&held_tid, gettid(), __ATOMIC_RELEASE);
	*(ULONG *)argument |= TraceEvent(handle, &event.header);
	holds = false;
	__atomic_store_n(&held_tid, 0, __ATOMIC_RELEASE);
	return NULL;
}

/* Four threads that have ended have all of eight buffers; the fifth thread finds none. */
static bool race_for_streams(ULONG *errors)
{
	pthread_t thread;
	int i;

	is_found = false;
	start_streams("raced");
	for (i = 0; i < 4; i++)
		run_one_to_its_end(errors);
	pthread_create(&thread, NULL, write_held, errors);
	pthread_join(thread, NULL);
	stop();
	return was_held;
}

/* When the flush thread was there before, nothing was held: once more */
static void test_raced_streams(void)
{
	ULONG errors = 0;
	int i;

	for (i = 0; i < 100 && !race_for_streams(&errors); i++)
		;
	check("a thread waits while the flush thread takes back what others left", was_held);
	check("it gets one of these streams", !errors);
}

static pthread_barrier_t barrier;

static void *write_and_wait(void *argument)
{
	struct event *mine = malloc(sizeof(*mine));

	event_fill(mine, 1, 4);
	pthread_barrier_wait(&barrier);
	if (TraceEvent(handle, &mine->header))
		__atomic_add_fetch((uint32_t *)argument, 1, __ATOMIC_RELAXED);
	pthread_barrier_wait(&barrier);
	free(mine);
	return NULL;
}

/* MaximumBuffers 8, two for each thread: four at a time */
static void test_streams(void)
{
	uint32_t i, refused = 0;
	struct records *records;
	pthread_t thread[10];
	ULONG errors = 0;

	start_streams("streams");
	for (i = 0; i < 300; i++)
		run_one_to_its_end(&errors);
	check("threads that end by the system call alone give their streams back", !errors);
	pthread_barrier_init(&barrier, NULL, 10);
	for (i = 0; i < 10; i++)
		pthread_create(&thread[i], NULL, write_and_wait, &refused);
	for (i = 0; i < 10; i++)
		pthread_join(thread[i], NULL);
	stop();
	check("more threads at a time than there are buffers for lose events", refused >= 6);
	check("these are counted", session.fixed.EventsLost == refused);
	records = read_records();
	check("the others are there", records->count == 300 + 10 - refused);
	free(records->file.bytes);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	directory = argv[1];
	test_streams();
	test_raced_streams();
	return 0;
}
