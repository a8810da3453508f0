// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Programs' events: many threads, readers that stall; every event is found again or counted. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "programs.h"

#define THREADS		16
#define SESSIONS	4
#define SECONDS		3
#define MAGIC		0x50C0D19A
#define ROOM		(1U << 20)

/**
 * struct load - what each event's data begin with
 * @magic: MAGIC
 * @thread: of ours, from 0
 * @sequence: the thread's in that session, from 1
 * @length: bytes after this
 */
struct load {
	__u32 magic;
	__u32 thread;
	__u32 sequence;
	__u32 length;
};

/* By a thread in a session */
struct sent {
	__u32 sequence;
	__u64 written;
	__u64 refused[3];	/* ENOBUFS, EMSGSIZE, EDQUOT */
	__u64 wrong;
};

/**
 * struct stream - a session, and what was read of it
 * @session: see there
 * @last: sequence, by thread and CPU
 * @records: all that there are
 * @found: of them, our events
 * @torn: that are not as they were written
 * @rest: of a buffer that was read in part
 * @used: bytes there
 */
struct stream {
	struct session session;
	__u32 kb;
	__u32 last[THREADS][64];
	__u64 records;
	__u64 found;
	__u64 torn;
	__u8 *rest;
	__u32 used;
};

static struct stream streams[SESSIONS];
static struct sent sent[THREADS][SESSIONS];
static int over;

static __u8 pattern(const struct load *load, __u32 i)
{
	return load->thread * 31 + load->sequence * 7 + i;
}

static __u32 random_of(__u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state >> 32;
}

static void account(struct sent *s, int err)
{
	if (!err)
		s->written++;
	else if (err == ENOBUFS)
		s->refused[0]++;
	else if (err == EMSGSIZE)
		s->refused[1]++;
	else if (err == EDQUOT)
		s->refused[2]++;
	else
		s->wrong++;
}

/* As an event in one piece, one of two fields, or a message */
static int write_load(__u32 id, struct given *given, const struct load *load, __u32 kind)
{
	const __u8 *rest = given->data + sizeof(*load);
	struct etw_message_argument arguments[2] = {
		{ (unsigned long)load, sizeof(*load) }, { (unsigned long)rest, load->length },
	};
	struct etw_trace_message m = {
		.size = sizeof(m), .message_flags = TRACE_MESSAGE_TIMESTAMP, .session_handle = id,
		.arguments = (unsigned long)arguments, .nr_arguments = 2,
	};
	__u8 fields[0x30 + 32] = { 0 };

	if (kind == 0)
		return trace_message(provider, &m);
	if (kind == 1) {
		memcpy(given->data, load, sizeof(*load));
		put16(given->header, 0x30 + sizeof(*load) + load->length);
		return trace_event(provider, id, given, 0);
	}
	put16(fields, sizeof(fields));
	memcpy(fields + 0x18, class_guid, 16);
	put32(fields + 0x2C, WNODE_FLAG_USE_MOF_PTR);
	put64(fields + 0x30, (unsigned long)load);
	put32(fields + 0x38, sizeof(*load));
	put64(fields + 0x40, (unsigned long)rest);
	put32(fields + 0x48, load->length);
	return trace_event(provider, id, fields, 0);
}

static void *write_much(void *arg)
{
	__u32 thread = (unsigned long)arg, i, to;
	__u64 random = 0x9E3779B97F4A7C15ULL * (thread + 1);
	struct given *given = calloc(1, sizeof(*given));
	struct load load = { .magic = MAGIC, .thread = thread };

	while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
		to = random_of(&random) % SESSIONS;
		load.sequence = ++sent[thread][to].sequence;
		load.length = random_of(&random) % (random_of(&random) % 64 ? 300 : 6000);
		for (i = 0; i < load.length; i++)
			given->data[sizeof(load) + i] = pattern(&load, i);
		account(&sent[thread][to],
			write_load(streams[to].session.id, given, &load,
				   random_of(&random) % 3));
	}
	free(given);
	return NULL;
}

static void check_record(struct stream *stream, const __u8 *bytes, __u32 size, __u16 cpu)
{
	__u32 header = bytes[3] == 0x90 ? 16 : 0x30, i;
	struct load load;

	/* kernel events, and what a session says of itself */
	if (bytes[3] != 0x90 && bytes[2] != 0x14)
		return;
	stream->found++;
	if (size < header + sizeof(load)) {
		stream->torn++;
		return;
	}
	memcpy(&load, bytes + header, sizeof(load));
	if (load.magic != MAGIC || load.thread >= THREADS ||
	    size != header + sizeof(load) + load.length) {
		stream->torn++;
		return;
	}
	for (i = 0; i < load.length; i++)
		if (bytes[header + sizeof(load) + i] != pattern(&load, i))
			break;
	/* of one thread on one CPU the order is that of writing */
	if (i < load.length || load.sequence <= stream->last[load.thread][cpu % 64])
		stream->torn++;
	stream->last[load.thread][cpu % 64] = load.sequence;
}

static void check_buffer(struct stream *stream, const __u8 *buffer)
{
	__u32 at = 0x48, end = get32(buffer + 0x30), size;

	for (; at < end; at += (size + 7) & ~7U) {
		size = get16(buffer + at + (buffer[at + 3] == 0xC0 && buffer[at + 2] < 0x12 ? 4 : 0));
		if (size < 8 || at + size > end) {
			stream->torn++;
			return;
		}
		stream->records++;
		check_record(stream, buffer + at, size, get16(buffer + 0x28));
	}
}

/* Up to @most bytes, of which whole buffers are looked at; 0: there is nothing now */
static size_t read_some(struct stream *stream, size_t most)
{
	__u32 size = stream->kb << 10;
	size_t done = 0;
	ssize_t n;

	while (done < most) {
		n = read(stream->session.node, stream->rest + stream->used, size - stream->used);
		if (n <= 0)
			break;
		done += n;
		stream->used += n;
		if (stream->used < size)
			continue;
		check_buffer(stream, stream->rest);
		stream->used = 0;
	}
	return done;
}

/* Reads, stops within a buffer, sleeps, goes on */
static void *read_lazily(void *arg)
{
	struct stream *stream = arg;
	__u64 random = 0xD1B54A32D192ED03ULL * (stream->session.id + 1);

	while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
		read_some(stream, random_of(&random) % (stream->kb << 12));
		usleep(random_of(&random) % 200000);
	}
	return NULL;
}

static void run(void)
{
	pthread_t writers[THREADS], readers[SESSIONS];
	unsigned long i;

	for (i = 0; i < SESSIONS; i++)
		if (pthread_create(&readers[i], NULL, read_lazily, &streams[i]))
			die("pthread_create");
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&writers[i], NULL, write_much, (void *)i))
			die("pthread_create");
	sleep(SECONDS);
	__atomic_store_n(&over, 1, __ATOMIC_RELAXED);
	for (i = 0; i < THREADS; i++)
		pthread_join(writers[i], NULL);
	for (i = 0; i < SESSIONS; i++)
		pthread_join(readers[i], NULL);
}

/* Stopped, and read to the end: what was written, what was found, what was counted */
static void check_law(int i, const char *name, int kernel)
{
	struct stream *stream = &streams[i];
	struct sent all = { 0 };
	struct etw_statistics s;
	__u64 placed, lost;
	int t, j;

	for (t = 0; t < THREADS; t++) {
		all.written += sent[t][i].written;
		all.wrong += sent[t][i].wrong;
		for (j = 0; j < 3; j++)
			all.refused[j] += sent[t][i].refused[j];
	}
	stop(stream->session.id, 0);
	s = statistics(stream->session.id);
	placed = s.read + s.overwritten + s.buffered + s.discarded - s.internal;
	while (read_some(stream, ROOM))
		;
	printf("# %s: %llu written, %llu, %llu, %llu refused; found %llu, read %llu, overwritten %llu, buffered %llu, internal %llu, lost %llu, %llu, %llu\n",
	       name, all.written, all.refused[0], all.refused[1], all.refused[2], stream->found,
	       s.read, s.overwritten, s.buffered, s.internal, s.lost[ETW_LOSS_NO_BUFFER],
	       s.lost[ETW_LOSS_TOO_LARGE], s.lost[ETW_LOSS_RATE]);
	result(!stream->torn && !all.wrong && all.written > 500, "%s: no event is torn or out of order",
	       name);
	/* the kernel session writes over none, so that its own events are not among those */
	result(stream->found + s.overwritten == all.written,
	       "%s: every event is read or counted as overwritten", name);
	result(kernel ? placed >= all.written : placed == all.written,
	       "%s: the statistics know of every event", name);
	result(stream->records == s.read + s.buffered,
	       "%s: and of every record that was read, from each writer # %llu, %llu", name,
	       stream->records, s.read + s.buffered);
	lost = s.lost[ETW_LOSS_NO_BUFFER] + s.lost[ETW_LOSS_WRITER_STUCK];
	result((kernel ? lost >= all.refused[0] : lost == all.refused[0]) &&
	       s.lost[ETW_LOSS_TOO_LARGE] == all.refused[1] &&
	       s.lost[ETW_LOSS_RATE] == all.refused[2],
	       "%s: every refused event is lost, by its cause", name);
	close(stream->session.node);
	free(stream->session.data);
	free(stream->rest);
}

void test_conservation(void)
{
	static const struct wish wishes[SESSIONS] = {
		{ .name = "small", .kb = 4, .buffers = 16 },
		{ .name = "large", .kb = 64, .buffers = 8 },
		{ .name = "overwrite", .kb = 8, .buffers = 32, .mode = EVENT_TRACE_BUFFERING_MODE,
		  .clock = ETW_CLOCK_QPC },
		{ .name = "kernel", .kb = 16, .buffers = 64, .flags = EVENT_TRACE_FLAG_PROCESS,
		  .options = ETW_PROVIDER_KERNEL_SESSION, .rate = 3000,
		  .uids = { NOBODY }, .nr_uids = 1 },
	};
	int i;

	stay_on(64);
	for (i = 0; i < SESSIONS; i++) {
		streams[i].session = start(&wishes[i]);
		streams[i].kb = wishes[i].kb;
		streams[i].records = 1;	/* start() has read the header event */
		streams[i].rest = malloc(wishes[i].kb << 10);
	}
	run();
	for (i = 0; i < SESSIONS; i++)
		check_law(i, wishes[i].name, !!wishes[i].flags);
	stay_on(1);
}
