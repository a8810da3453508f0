// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Storm: readers that are steady, stall, die, are killed; each looks at every byte. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signal.h>
#include <sys/uio.h>
#include <unistd.h>
#include "storm.h"

/**
 * struct reading - one open of a session's node
 * @fd: the node
 * @pipe: to splice through, or -1
 * @buffer: bytes of the buffer that is being put together
 * @size: of the buffers, 0 before the header is complete
 * @have: bytes in @buffer
 * @room: bytes that @buffer can take
 * @sequence: of the buffer
 * @check: what was found
 * @seen: where findings of a session's node go
 */
struct reading {
	int fd;
	int pipe[2];
	__u8 *buffer;
	__u32 size;
	__u32 have;
	__u32 room;
	__u64 sequence;
	struct stream_check *check;
	struct seen *seen;
};

enum { MAX_CHUNK = 1 << 17 };
static __u8 chunk[MAX_CHUNK];

static void whole_buffer(struct reading *r)
{
	if (r->sequence)
		check_buffer(r->check, r->buffer, r->size, r->sequence, -1);
	r->sequence++;
	r->have = 0;
}

/* Bytes of the stream, in the pieces that read() gave */
static void take_in(struct reading *r, const __u8 *data, size_t n)
{
	size_t part;

	while (n) {
		part = (r->size ? r->size : 4096) - r->have;
		if (part > n)
			part = n;
		memcpy(r->buffer + r->have, data, part);
		r->have += part;
		data += part;
		n -= part;
		if (!r->size && r->have == 4096) {
			r->size = check_header(r->check, r->buffer);
			if (!r->size || r->size > r->room)
				_exit(1);
		}
		if (r->size && r->have == r->size)
			whole_buffer(r);
	}
}

static ssize_t splice_some(struct reading *r, size_t want)
{
	ssize_t n = splice(r->fd, NULL, r->pipe[1], NULL, want, 0), got, all = 0;

	while (n > 0 && all < n) {
		got = read(r->pipe[0], chunk + all, n - all);
		if (got <= 0)
			return -1;
		all += got;
	}
	return n;
}

static ssize_t read_vector(struct reading *r, size_t want)
{
	struct iovec parts[3] = {
		{ chunk, want / 3 }, { chunk + want / 3, 0 },
		{ chunk + want / 3, want - want / 3 },
	};

	return readv(r->fd, parts, 3);
}

static ssize_t poll_and_read(struct reading *r, size_t want)
{
	struct pollfd pollfd = { .fd = r->fd, .events = POLLIN };
	ssize_t n;

	for (;;) {
		n = read(r->fd, chunk, want);
		if (n >= 0 || errno != EAGAIN)
			return n;
		if (poll(&pollfd, 1, 10000) < 0)
			return -1;
	}
}

static ssize_t read_a_way(struct reading *r, unsigned int way, size_t want)
{
	switch (way) {
	case 0:
		return splice_some(r, want);
	case 1:
		return read_vector(r, want);
	case 2:
		return poll_and_read(r, want);
	default:
		return read(r->fd, chunk, want);
	}
}

static size_t any_chunk(struct random *random)
{
	switch (any(random, 4)) {
	case 0:
		return 1 + any(random, 5000);
	case 1:
		return 4096 << any(random, 5);
	default:
		return MAX_CHUNK;
	}
}

/* The node is there, but memory may be short. */
static int open_node(__u32 id, int flags)
{
	char node[32];
	int fd;

	snprintf(node, sizeof(node), "/dev/etw/session%u", id);
	fd = open(node, O_RDONLY | O_CLOEXEC | flags);
	if (fd < 0 && errno != ENOMEM)
		storm_fail("%s: %s", node, strerror(errno));
	return fd;
}

/* The law needs STATISTICS from the end of the stream, when nothing is left. */
static void end_of_stream(struct reading *r)
{
	struct seen *seen = r->seen;

	if (r->have)
		storm_fail("a stream ends within a buffer");
	/* of a session that was discarded nothing is to be had */
	if (seen->given_up ||
	    statistics_of(seen->check.logger, ETW_ALL_PROCESSORS, &seen->final) ||
	    seen->given_up)
		seen->final.size = 0;
	seen->ended = 1;
}

static void stall(struct random *random)
{
	static const unsigned int most[] = { 3000, 50000, 1500000 };

	sleep_us(1 + any(random, most[any(random, 3)]));
}

static void read_stream(struct reading *r, enum manner manner, struct random *random)
{
	unsigned long long done = 0, most = any(random, 4000000);
	unsigned int way = any(random, 6), pauses = any(random, 4);
	size_t want = any_chunk(random);
	ssize_t n;

	for (;;) {
		if (manner == READ_SOME && done >= most)
			return;
		if (way == 5)
			want = 1 + any(random, MAX_CHUNK);
		__atomic_store_n(&r->seen->busy, 1, __ATOMIC_RELEASE);
		n = read_a_way(r, way, want);
		if (n > 0)
			take_in(r, chunk, n);
		if (!n)
			end_of_stream(r);
		__atomic_store_n(&r->seen->busy, 0, __ATOMIC_RELEASE);
		if (n < 0 && (errno == EINTR || errno == ENOMEM))
			continue;
		if (n < 0)
			storm_fail("read: %s", strerror(errno));
		if (n <= 0)
			break;
		done += n;
		step();
		/* in small pieces with pauses what is left could take hours */
		if (manner == READ_SOME && pauses && !is_over() && one_in(random, 8))
			stall(random);
	}
}

static void reader(__u32 id, enum manner manner, struct random *random, struct seen *seen)
{
	struct reading r = {
		.pipe = { -1, -1 }, .room = 1 << 20, .seen = seen, .check = &seen->check,
	};

	r.fd = open_node(id, one_in(random, 6) ? O_NONBLOCK : 0);
	seen->unanswered = r.fd >= 0 && options.unanswered && manner == READ_SOME &&
			   one_in(random, 5);
	__atomic_store_n(&seen->opened, 1, __ATOMIC_RELEASE);
	if (r.fd < 0)
		return;
	if (fcntl(r.fd, F_GETFL) & O_NONBLOCK && fcntl(r.fd, F_SETFL, 0))
		storm_fail("F_SETFL: %s", strerror(errno));
	if (seen->unanswered) {
		read_unanswered(r.fd, random, seen);
		return;
	}
	r.buffer = malloc(r.room);
	if (!r.buffer || pipe(r.pipe))
		return;
	fcntl(r.pipe[1], F_SETPIPE_SZ, MAX_CHUNK);
	read_stream(&r, manner, random);
	if (manner == READ_SOME && one_in(random, 2))
		stall(random);
}

/* Every record that is missing was lost, and the snapshot says so. */
static void check_gaps(const struct stream_check *check)
{
	unsigned long long lost;
	int cpu, cause;

	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		for (lost = cause = 0; cause < ETW_LOSS_CAUSES; cause++)
			lost += check->logged_lost[cpu][cause];
		if (check->gaps[cpu] > lost)
			storm_fail("%s: CPU %d: %llu records are missing, %llu lost",
				   check->prefix, cpu, check->gaps[cpu], lost);
	}
}

/**
 * check_snapshot() - read a snapshot, to the end mostly
 * @fd: the snapshot; closed on return
 * @id: of which session
 * @steady: it got every event: what is missing was lost
 * @random: of the caller
 * @check: what there may be; out: what was found
 *
 * Return: whether the end was reached.
 */
int check_snapshot(int fd, __u32 id, int steady, struct random *random,
		   struct stream_check *check)
{
	struct reading r = { .fd = fd, .pipe = { -1, -1 }, .room = 1 << 20, .check = check };
	unsigned int way = 1 + any(random, 3);
	size_t want = any_chunk(random);
	ssize_t n = 1;
	static int is_ready;

	if (!is_ready++)
		torture_table_init();
	check->logger = id;
	r.buffer = malloc(r.room);
	while (r.buffer && n > 0 && !one_in(random, 500)) {
		n = read_a_way(&r, way, want);
		if (n > 0)
			take_in(&r, chunk, n);
		step();
	}
	if (r.buffer && (n < 0 || (!n && (r.have || r.sequence < 2))))
		storm_fail("%s: a snapshot of %llu buffers and %u bytes ends with %zd: %s",
			   check->prefix, (unsigned long long)r.sequence, r.have, n,
			   strerror(errno));
	free(r.buffer);
	close(fd);
	if (n)
		return 0;
	if (steady)
		check_gaps(check);
	return 1;
}

/**
 * start_reader() - a process that reads a session
 * @id: the session
 * @manner: to the end, or until it dies in the middle of something
 * @random: the parent's
 * @seen: shared with it
 *
 * Return: its pid, or a negative errno.
 */
int start_reader(__u32 id, enum manner manner, struct random *random, struct seen *seen)
{
	struct random own = { random->state ^ 0x5DEECE66DULL };
	static int is_ready;
	int pid;

	if (!is_ready++)
		torture_table_init();
	pid = fork();
	any(random, 2);
	if (pid < 0)
		return -errno;
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* without events it waits, until its parent stops the session or kills it */
	take_part("a reader", 1);
	/* a file that the session is tied to must not live on in us */
	close_range(3, ~0U, 0);
	control = open_control();
	if (control >= 0)
		reader(id, manner, &own, seen);
	/* whatever is in hand goes back when the file is closed */
	_exit(0);
}
