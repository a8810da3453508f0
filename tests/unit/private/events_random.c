// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Random arguments of EventWriteEx() to a private session, from threads and a handler, while the
 * session changes its level: exactly the events that were accepted are in the file.
 */
#include <evntcons.h>
#include <evntprov.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>
#include "one.h"

#define THREADS		4
#define CALLS		8000
#define MOST_PIECES	12

static const GUID provider = { 0x72, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };
static REGHANDLE registration;
static uint8_t *memory;	/* two pages, of which the second is not there */
static long page;
static unsigned long accepted[THREADS], refused[THREADS], wrong[THREADS], in_handler;
static __thread bool inside;

static uint32_t next(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/* Mostly in the page, sometimes over its end, rarely anywhere */
static uintptr_t address(uint32_t *state)
{
	uint32_t kind = next(state) % 64;

	if (kind == 0)
		return next(state);
	if (kind < 4)
		return (uintptr_t)memory + page - next(state) % 64;
	return (uintptr_t)memory + next(state) % (page / 2);
}

static uint32_t size_of(uint32_t *state)
{
	uint32_t kind = next(state) % 64;

	if (kind == 0)
		return next(state);
	if (kind == 1)
		return next(state) % 0x18000;
	return next(state) % (kind < 8 ? page / 2 : 48);
}

/* Return: as of EventWriteEx(), for any arguments */
static bool is_known(ULONG error)
{
	return error == ERROR_SUCCESS || error == ERROR_INVALID_PARAMETER ||
	       error == ERROR_NOACCESS || error == ERROR_ARITHMETIC_OVERFLOW ||
	       error == ERROR_MORE_DATA || error == ERROR_NOT_ENOUGH_MEMORY ||
	       error == ERROR_NOT_SUPPORTED;
}

static ULONG write_random(uint32_t *state)
{
	const EVENT_DESCRIPTOR descriptor = { .Id = next(state), .Level = next(state) % 5,
					      .Keyword = next(state) % 4 };
	EVENT_DATA_DESCRIPTOR piece[MOST_PIECES];
	uint32_t count = next(state) % (MOST_PIECES + 1), i;

	for (i = 0; i < count; i++) {
		piece[i].Ptr = address(state);
		piece[i].Size = size_of(state);
		piece[i].Reserved = next(state) % 32 ? next(state) % 3 : next(state);
	}
	return EventWriteEx(registration, &descriptor, !(next(state) % 256), 0,
			    next(state) % 2 ? NULL : (void *)address(state),
			    next(state) % 2 ? NULL : (void *)address(state), count,
			    next(state) % 64 ? piece : (void *)address(state));
}

static void handle_signal(int signal)
{
	static uint32_t state = 77;
	const EVENT_DESCRIPTOR descriptor = { .Level = 1, .Keyword = 1 };

	(void)signal;
	if (!inside)
		return;
	/* handlers of two threads may draw the same numbers, which is harmless */
	if (!write_random(&state))
		__atomic_add_fetch(&in_handler, 1, __ATOMIC_RELAXED);
	if (!EventWrite(registration, &descriptor, 0, NULL))
		__atomic_add_fetch(&in_handler, 1, __ATOMIC_RELAXED);
}

static void *write_all(void *argument)
{
	uintptr_t me = (uintptr_t)argument;
	uint32_t state = 2463534242u + me, i;
	ULONG error;

	inside = true;
	for (i = 0; i < CALLS; i++) {
		error = write_random(&state);
		accepted[me] += !error;
		refused[me] += !!error;
		wrong[me] += !is_known(error);
		if (!(i % 64))
			raise(SIGUSR1);
	}
	inside = false;
	return NULL;
}

static void count_events(void *context, const uint8_t *record, uint32_t size, uint32_t processor)
{
	uint64_t *count = context;

	(void)processor;
	*count += size >= 0x50 && record[2] == 0x13 && record[3] == 0xC0 &&
		  !memcmp(record + 0x18, &provider, 16);
}

static unsigned long sum(const unsigned long *numbers)
{
	unsigned long total = 0;
	int i;

	for (i = 0; i < THREADS; i++)
		total += numbers[i];
	return total;
}

static void run_threads(void)
{
	pthread_t threads[THREADS];
	uintptr_t i;

	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, write_all, (void *)i);
	for (i = 0; i < 200; i++) {
		EnableTraceEx2(handle, &provider, 1, 5 + i % 5, i % 2 ? ~0ull : 0, 0, 0, NULL);
		usleep(100);
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
	struct file file;
	uint64_t events = 0;

	if (argc != 2)
		return 2;
	directory = argv[1];
	page = sysconf(_SC_PAGESIZE);
	memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(memory + page, page);
	signal(SIGUSR1, handle_signal);
	EventRegister(&provider, NULL, NULL, &registration);
	start("random", 0, 256, 256);
	EnableTraceEx2(handle, &provider, 1, 5, 0, 0, 0, NULL);
	run_threads();
	event_fill(&event, 1, 8);
	send(&event.header);
	stop();
	check("every result is one of the documented", !sum(wrong));
	check("events were accepted and refused", sum(accepted) && sum(refused) && in_handler);
	check("the file is whole", file_load(&file, path) && file_walk(&file, count_events, &events));
	printf("# %lu accepted, %lu in a handler, %lu refused, %llu in the file\n", sum(accepted),
	       in_handler, sum(refused), (unsigned long long)events);
	check("exactly the events that were accepted are in the file",
	      events == sum(accepted) + in_handler);
	free(file.bytes);
	return 0;
}
