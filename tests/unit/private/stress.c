// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Threads and their signal handlers write, come and go; then the file is counted. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "private.h"

/*
 * stress FILE MODE THREADS MS MAXIMUM-BUFFERS [CLOCK [STALLS]]
 *
 * Each event contains its writer (a thread's number, and whether a handler of its),
 * which of his it is, and has data that follow from that. Each call
 * returns whether it was written. So the file must hold exactly those, in their order,
 * whole, and the rest is counted as lost, or as overwritten.
 */
#define PLACES		64
#define WRITERS		16384
#define KINDS		3	/* the thread itself, two handlers, which nest */
#define STREAMS		2048

struct body {
	uint32_t writer;
	uint32_t kind;
	uint32_t number;
	uint32_t size;
};

/* One thread after another; the supervisor starts them and sends the signals */
struct place {
	pthread_t supervisor;
	pthread_t thread;
	uint32_t writer;
	atomic_bool done;
	struct event event[KINDS];
};

static TRACEHANDLE handle;
static atomic_bool over;
static atomic_ullong attempts, refusals, others;
static atomic_uint next_writer;
static __thread struct place *mine;
/* By writer and kind: how many were written */
static _Atomic uint32_t written[WRITERS][KINDS];
static uint64_t last_time[STREAMS], overwritten[STREAMS], lost[STREAMS][8];
static uint64_t found, torn, strange, disorder;
static bool overwrites;

/* What stands in the file, to be put in the order of time */
struct place_in_time {
	uint32_t writer;
	uint32_t kind;
	uint64_t time;
	uint64_t at;		/* in the file */
	uint32_t number;
};

static struct place_in_time *order;

ssize_t __real_write(int fd, const void *from, size_t size);
ssize_t __wrap_write(int fd, const void *from, size_t size);

/*
 * The library's file is a slow one: every fourth buffer waits until so many more events
 * were refused, however long that takes, or until no thread writes any more.
 */
#define REFUSED_MEANWHILE	300

static atomic_uint stalls;

ssize_t __wrap_write(int fd, const void *from, size_t size)
{
	static atomic_uint writes;
	uint64_t before = refusals;

	if (stalls && writes++ % 4 == 3) {
		while (!over && refusals < before + REFUSED_MEANWHILE)
			usleep(100);
		if (!over)
			stalls--;
	}
	return __real_write(fd, from, size);
}

static uint32_t mix(uint32_t a, uint32_t b)
{
	uint32_t x = a * 2654435761u + b * 40503u + 1;

	x ^= x >> 15;
	x *= 2246822519u;
	return x ^ x >> 13;
}

/* Mostly small, now and then large: both ways of staging, ends of buffers */
static uint32_t size_of(const struct body *body)
{
	uint32_t x = mix(body->writer + body->kind, body->number);

	if (x % 512 == 0)
		return sizeof(*body) + x / 512 % 20000;
	return sizeof(*body) + (x % 8 == 0 ? x / 8 % 600 : x / 8 % 40);
}

static void fill(uint8_t *data, const struct body *body)
{
	uint32_t i, x = mix(body->number, body->writer);

	memcpy(data, body, sizeof(*body));
	for (i = sizeof(*body); i < body->size; i++)
		data[i] = x + i;
}

static void write_one(struct place *place, uint32_t kind)
{
	struct body body = { .writer = place->writer, .kind = kind };
	struct event *event = &place->event[kind];
	ULONG error;

	body.number = written[body.writer][kind];
	body.size = size_of(&body);
	event_fill(event, kind, body.size);
	fill(event->data, &body);
	atomic_fetch_add_explicit(&attempts, 1, memory_order_relaxed);
	error = TraceEvent(handle, &event->header);
	if (!error)
		written[body.writer][kind]++;
	else if (error == ERROR_NOT_ENOUGH_MEMORY || error == ERROR_MORE_DATA)
		atomic_fetch_add_explicit(&refusals, 1, memory_order_relaxed);
	else
		atomic_fetch_add_explicit(&others, 1, memory_order_relaxed);
}

static void on_signal(int number)
{
	int saved = errno;

	write_one(mine, number == SIGUSR1 ? 1 : 2);
	errno = saved;
}

static void mask_signals(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(how, &set, NULL);
}

static void *writer(void *argument)
{
	uint32_t i, n;

	mine = argument;
	n = 500 + mix(mine->writer, 7) % 20000;
	mask_signals(SIG_UNBLOCK);
	for (i = 0; i < n && !over; i++) {
		write_one(mine, 0);
		if (mix(mine->writer, i) % 64 == 0)
			usleep(50);
	}
	/* some end with handlers that still come, in the destructors too */
	if (mine->writer % 2)
		mask_signals(SIG_BLOCK);
	mine->done = true;
	return NULL;
}

static void *supervisor(void *argument)
{
	struct place *place = argument;
	uint32_t i;

	while (!over) {
		place->writer = atomic_fetch_add(&next_writer, 1);
		if (place->writer >= WRITERS)
			break;
		place->done = false;
		if (pthread_create(&place->thread, NULL, writer, place))
			break;
		for (i = 0; !place->done; i++) {
			pthread_kill(place->thread, i % 2 ? SIGUSR1 : SIGUSR2);
			usleep(mix(place->writer, i) % 300);
		}
		pthread_join(place->thread, NULL);
	}
	return NULL;
}

static void keep(const struct body *body, uint64_t time)
{
	static uint64_t room;

	if (found > room) {
		room = 2 * found + 1024;
		order = realloc(order, room * sizeof(*order));
		if (!order)
			abort();
	}
	order[found - 1] = (struct place_in_time){
		.writer = body->writer, .kind = body->kind, .time = time, .at = found,
		.number = body->number,
	};
}

static int compare(const void *a, const void *b)
{
	const struct place_in_time *x = a, *y = b;

	if (x->writer != y->writer)
		return x->writer < y->writer ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/*
 * Each once, in the order of time. In the file, too, as far as one stream was the
 * thread's: a handler that comes when the thread has given its own back has another,
 * and which of both the file has first is the reader's choice.
 */
static void check_order(void)
{
	uint64_t i, next;

	qsort(order, found, sizeof(*order), compare);
	for (i = 0; i < found; i++) {
		next = 0;
		if (i && order[i].writer == order[i - 1].writer &&
		    order[i].kind == order[i - 1].kind)
			next = order[i - 1].number + 1;
		if (overwrites ? order[i].number < next : order[i].number != next)
			disorder++;
	}
}

static void see_event(const uint8_t *record, uint32_t size)
{
	static uint8_t wanted[0x10000];
	struct body body;

	if (size < 0x30 + sizeof(body)) {
		torn++;
		return;
	}
	memcpy(&body, record + 0x30, sizeof(body));
	found++;
	keep(&body, take_bytes(record + 0x10, 8));
	if (body.writer >= WRITERS || body.kind >= KINDS ||
	    body.number >= written[body.writer][body.kind]) {
		strange++;
		return;
	}
	body.size = size_of(&body);
	fill(wanted, &body);
	if (size != 0x30 + body.size || memcmp(record + 0x30, wanted, body.size))
		torn++;
}

static void see(void *context, const uint8_t *record, uint32_t size, uint32_t processor)
{
	uint64_t cause, time;

	(void)context;
	if (is_ours(record, size)) {
		see_event(record, size);
		time = take_bytes(record + 0x10, 8);
		if (processor >= STREAMS || time < last_time[processor])
			disorder++;
		else
			last_time[processor] = time;
	} else if (is_loss(record, size)) {
		processor = take_bytes(record + 0x50, 4) % STREAMS;
		cause = take_bytes(record + 0x54, 4);
		if (cause < 8)
			lost[processor][cause] = take_bytes(record + 0x60, 8);
		else
			overwritten[processor] = take_bytes(record + 0x60, 8);
	}
}

static uint64_t sum_written(void)
{
	uint64_t sum = 0;
	uint32_t i, k;

	for (i = 0; i < WRITERS; i++)
		for (k = 0; k < KINDS; k++)
			sum += written[i][k];
	return sum;
}

static void report(const char *name, const struct session *session)
{
	uint64_t logged = 0, gone = 0, ok = sum_written();
	struct file file = { };
	uint32_t i, k;

	check("the file can be read", file_load(&file, name));
	check("the file is a row of whole buffers with whole records",
	      file_walk(&file, see, NULL));
	check_order();
	for (i = 0; i < STREAMS; i++) {
		gone += overwritten[i];
		for (k = 0; k < 8; k++)
			logged += lost[i][k];
	}
	printf("# %llu attempted by %u threads: %llu written, %llu refused for want of room; "
	       "found %llu, overwritten %llu, EventsLost %u, logged %llu\n", attempts,
	       next_writer, (unsigned long long)ok, refusals, (unsigned long long)found,
	       (unsigned long long)gone, session->fixed.EventsLost, (unsigned long long)logged);
	check("no event failed for another reason", !others);
	check("attempted = written + refused", attempts == ok + refusals);
	check("written = found + overwritten", ok == found + gone);
	check("what was refused is counted as lost", session->fixed.EventsLost == refusals);
	check("loss records contain the same", logged == refusals);
	check("no record is torn, none is another's", !torn && !strange);
	check("each thread's events are in their order, and in that of time", !disorder);
	free(file.bytes);
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void run(uint32_t length, struct session *session)
{
	uint64_t begin = now_ms();
	uint32_t i = 0;

	for (; stalls || now_ms() - begin < length; usleep(10000))
		session_control(session, handle, i++ % 2 ? EVENT_TRACE_CONTROL_QUERY :
							   EVENT_TRACE_CONTROL_FLUSH);
	over = true;
}

int main(int argc, char **argv)
{
	uint32_t i, threads = argc > 3 ? atoi(argv[3]) : 4;
	uint32_t length = argc > 4 ? atoi(argv[4]) : 1000;
	static struct place place[PLACES];
	struct sigaction action = { .sa_handler = on_signal };
	struct session session;

	if (argc < 2 || threads > PLACES)
		return 2;
	session_clear(&session, argv[1]);
	session.fixed.LogFileMode |= argc > 2 ? strtoul(argv[2], NULL, 0) : 0;
	overwrites = session.fixed.LogFileMode & EVENT_TRACE_BUFFERING_MODE;
	session.fixed.LogFileMode |= EVENT_TRACE_USE_MS_FLUSH_TIMER;
	session.fixed.FlushTimer = 7;
	session.fixed.BufferSize = 32;
	session.fixed.MaximumBuffers = argc > 5 ? atoi(argv[5]) : 0;
	session.fixed.Wnode.ClientContext = argc > 6 ? atoi(argv[6]) : 1;
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
	mask_signals(SIG_BLOCK);
	check_code("a session starts", session_start(&session, &handle), ERROR_SUCCESS);
	for (i = 0; i < threads; i++)
		pthread_create(&place[i].supervisor, NULL, supervisor, &place[i]);
	stalls = argc > 7 ? atoi(argv[7]) : 0;
	run(length, &session);
	for (i = 0; i < threads; i++)
		pthread_join(place[i].supervisor, NULL);
	check_code("it stops", session_control(&session, handle, EVENT_TRACE_CONTROL_STOP),
		   ERROR_SUCCESS);
	report(argv[1], &session);
	if (argc > 7)
		check("the file was slow, and events were refused meanwhile",
		      !stalls && refusals >= strtoull(argv[7], NULL, 0) * REFUSED_MEANWHILE);
	return 0;
}
