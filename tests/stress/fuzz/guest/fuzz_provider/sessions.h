/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Sessions of the providers' fuzzer: started, read to the last record, compared. */
#ifndef ETW_FUZZ_PROVIDER_SESSIONS_H
#define ETW_FUZZ_PROVIDER_SESSIONS_H

#include "fuzz_provider.h"
#include "tests/lib/guest/provider_stream.h"

/* A session's reader: it stops at the end of the stream, not closed. */
struct reader {
	struct stream stream;
	enum slot slot;
	pthread_t thread;
	int fd, running;
	unsigned long long seen[3];	/* patterns, free, raced */
};

static struct reader readers[SLOTS];
static int control;

/* The writer of a record, by the kernel's ids; MAX_WORKERS: a stranger */
static unsigned int writer_of(const struct record *r)
{
	unsigned int i;

	for (i = 0; i < MAX_WORKERS; i++)
		if (shared->tally[i].pid && r->process_id == (__u32)shared->tally[i].pid &&
		    r->thread_id == (__u32)shared->tally[i].pid)
			return i;
	return MAX_WORKERS;
}

static void take_pattern(struct stream *stream, const struct record *r, unsigned int worker)
{
	struct head head;

	if (!is_pattern(record_data(r), r->length - (record_data(r) - r->data), &head))
		stream_fail(stream, "a torn record of %u bytes", r->size);
	else if (worker < MAX_WORKERS && head.worker != worker)
		stream_fail(stream, "worker %u wrote as %u", head.worker, worker);
}

static void take(struct stream *stream, const struct record *r)
{
	struct reader *reader = (struct reader *)stream;
	int logged = r->kind != RECORD_MESSAGE || r->options & TRACE_MESSAGE_SYSTEMINFO;
	unsigned int worker = MAX_WORKERS;

	if (r->kind == RECORD_MESSAGE)
		worker = r->number >> 8;
	if (logged && r->kind != RECORD_WNODE) {
		worker = writer_of(r);
		if (worker == MAX_WORKERS)
			stream_fail(stream, "thread %u of %u is none of ours", r->thread_id,
				    r->process_id);
		else if (r->kind == RECORD_MESSAGE && worker != r->number >> 8)
			stream_fail(stream, "worker %u wrote as %u", r->number >> 8, worker);
	}
	if (worker < MAX_WORKERS && !shared->tally[worker].control && is_reserved(&r->guid))
		stream_fail(stream, "what is reserved was never written");
	switch (r->number & 0xFF) {
	case MARK_PATTERN:
		take_pattern(stream, r, worker);
		reader->seen[0]++;
		break;
	case MARK_FREE:
		reader->seen[1]++;
		break;
	case MARK_RACED:
		reader->seen[2]++;
		break;
	default:
		stream_fail(stream, "a record with mark %x", r->number);
	}
}

static void *read_to_end(void *data)
{
	struct reader *reader = data;

	read_stream(&reader->stream, reader->fd);
	return NULL;
}

static int is_read(enum slot slot)
{
	return slot != FLIGHT && slot != CLOSED;
}

/* By level, keywords, and a filter by name that excludes */
static void enable_modern(int id)
{
	static const struct etw_filter_event_names names = { .count = 1, .names = MODERN_LEFT };
	struct etw_event_filter filter = {
		.data = (unsigned long)&names, .type = ETW_FILTER_EVENT_NAME,
		.size = offsetof(struct etw_filter_event_names, names) + sizeof(MODERN_LEFT),
	};
	struct etw_enable enable = {
		.size = sizeof(enable), .logger_id = id, .guid = modern_guid, .enabled = 1,
		.level = MODERN_LEVEL, .match_any = MODERN_ANY, .match_all = MODERN_ALL,
		.enable_flags = mix(MODERN_LEVEL << 16 | id), .nr_filters = 1,
		.filters = (unsigned long)&filter,
	};

	if (ioctl(control, ETW_IOC_ENABLE, &enable))
		die("ENABLE");
}

static void start_session(enum slot slot)
{
	const struct etw_ext_provider_options *options = &plans[slot].wanted.provider;
	struct reader *reader = &readers[slot];
	int id = session_start(control, &plans[slot].wanted);

	if (id < 0)
		die("START");
	shared->logger[slot] = id;
	if (!is_read(slot))
		return;
	memset(reader, 0, offsetof(struct reader, seen));
	reader->slot = slot;
	reader->stream.logger = id;
	reader->stream.name = plans[slot].wanted.name;
	reader->stream.take = take;
	reader->stream.stamped = options->flags & ETW_PROVIDER_TIMESTAMPS;
	reader->stream.wnodes = options->flags & ETW_PROVIDER_WNODES;
	if (slot == WANTING) {
		reader->stream.modern = &modern_guid;
		enable_modern(id);
	}
	reader->fd = open_node(id, 0);
	if (reader->fd < 0)
		die("open of a stream");
	if (pthread_create(&reader->thread, NULL, read_to_end, reader))
		die("pthread_create");
	reader->running = 1;
}

static void hush(const struct plan *plan, int on)
{
	static __u32 times;
	unsigned int i;

	if (!on) {
		__atomic_store_n(&shared->hush, 0, __ATOMIC_RELEASE);
		return;
	}
	__atomic_store_n(&shared->hush, ++times, __ATOMIC_RELEASE);
	for (i = 0; i < plan->workers; i++)
		while (__atomic_load_n(&shared->tally[i].hushed, __ATOMIC_ACQUIRE) != times &&
		       !__atomic_load_n(&shared->stop, __ATOMIC_RELAXED))
			usleep(200);
}

static void bad(const char *what, enum slot slot, unsigned long long is, unsigned long long due)
{
	printf("fuzz: FINDING: session %s: %s: %llu, not %llu\n", plans[slot].wanted.name, what,
	       is, due);
	fflush(stdout);
	note_finding(&shared->tally[MAX_WORKERS]);
}

/* Of a session without writers: what programs count is what it counts. */
static void compare(const struct plan *plan, enum slot slot)
{
	static __u64 written_before[SLOTS], lost_before[SLOTS];
	const struct stream *stream = &readers[slot].stream;
	unsigned long long written = 0, lost = 0;
	struct etw_statistics s;
	unsigned int i;

	for (i = 0; i < plan->workers; i++) {
		written += shared->tally[i].written[slot];
		lost += shared->tally[i].lost[slot];
	}
	written -= written_before[slot];
	lost -= lost_before[slot];
	written_before[slot] += written;
	lost_before[slot] += lost;
	if (session_statistics(control, shared->logger[slot], &s))
		die("STATISTICS");
	if (all_lost(&s) != lost)
		bad("lost", slot, all_lost(&s), lost);
	if (session_attempted(&s) != written + lost)
		bad("attempted", slot, session_attempted(&s), written + lost);
	if (!is_read(slot))
		return;
	if (stream->ours != written)
		bad("records", slot, stream->ours, written);
	if (stream->failures)
		bad("failures in the stream", slot, stream->failures, 0);
}

/* Workers are silent, or soon are: @slot stops under them when they aren't yet. */
static void end_session(const struct plan *plan, enum slot slot)
{
	struct reader *reader = &readers[slot];

	if (on_session(control, ETW_IOC_STOP, shared->logger[slot], 0))
		die("STOP");
	hush(plan, 1);
	if (reader->running)
		pthread_join(reader->thread, NULL);
	compare(plan, slot);
	if (reader->running)
		close(reader->fd);
	else
		discard_session(control, shared->logger[slot]);
	reader->running = 0;
}

#endif /* ETW_FUZZ_PROVIDER_SESSIONS_H */
