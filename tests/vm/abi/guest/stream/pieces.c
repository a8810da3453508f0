// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Tests of a session's stream: read in pieces of any size, by readers that come and go. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include "stream.h"

size_t take(int fd, char *to, size_t want, size_t count)
{
	size_t done = 0;
	ssize_t n;

	while (done < want) {
		n = read(fd, to + done, want - done < count ? want - done : count);
		if (n < 0)
			die("read");
		if (!n)
			break;
		done += n;
	}
	return done;
}

/*
 * Is the begun buffer at @part in the whole stream? CPUs take turns, so that
 * it need not be the first there. Its stamp and number are the stream's own:
 * new with every open.
 */
static int is_there(const char *part, size_t bytes, const char *stream, size_t size, size_t total)
{
	const size_t stamps = offsetof(struct wmi_buffer_header, time_stamp);
	const size_t rest = offsetof(struct wmi_buffer_header, clock);

	for (; total >= size; total -= size, stream += size)
		if (!memcmp(part, stream, stamps) &&
		    !memcmp(part + rest, stream + rest, bytes - rest))
			return 1;
	return 0;
}

void save(const char *name, const char *data, size_t size)
{
	FILE *file = fopen(name, "w");

	if (!file || fwrite(data, 1, size, file) != size || fclose(file))
		die(name);
}

/*
 * A stopped session, read in pieces of @count: first all but the last byte of
 * its first buffer, which stays then and is read again as a whole; both must
 * be the same. Then everything in such pieces; the host checks what it is.
 */
static void read_by(size_t count, char *one, char *two)
{
	const size_t size = usual_kb * KB, part = 2 * size - 1;
	struct wmi_buffer_header *header;
	size_t got, again, n;
	char name[64];
	__u32 id;
	int fd;

	id = start(usual_kb, 64);
	switches(rounds);
	if (stop(id, 0))
		die("STOP");
	fd = open_node(id, 0);
	got = take(fd, one, part, count);
	close(fd);
	fd = open_node(id, 0);
	again = take(fd, two, ROOM, ROOM);
	close(fd);
	result(got == part && again >= 3 * size && again % size == 0 && !memcmp(one, two, size) &&
	       is_there(one + size, part - size, two + size, size, again - size),
	       "read() by %zu: the same bytes as one read() # %zu of %zu", count, got, again);
	result(!loggers(), "read() by %zu: the session is gone when all is read", count);

	id = start(usual_kb, 64);
	switches(rounds);
	stop(id, 0);
	fd = open_node(id, 0);
	n = take(fd, two, ROOM, count);
	result(read(fd, one, 1) == 0, "read() by %zu: end of file, and again", count);
	close(fd);
	header = (void *)two;
	result(n >= 3 * size && n % size == 0 && header->buffer_size == size,
	       "read() by %zu: whole buffers # %zu bytes", count, n);
	snprintf(name, sizeof(name), "/out/by-%zu.etl", count);
	save(name, two, n);
}

void test_counts(void)
{
	const size_t size = usual_kb * KB;
	const size_t counts[] = { 1, 7, 4096, size - 1, size, size + 1, 1024 * KB };
	char *one = malloc(ROOM), *two = malloc(ROOM);
	size_t i;

	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		read_by(counts[i], one, two);
	free(one);
	free(two);
}

/* A child reads into a buffer and dies: the next reader gets it whole. */
void test_dead_reader(void)
{
	const size_t size = 16 * KB, piece = size + 5000;
	char *one = malloc(ROOM), *two = malloc(ROOM);
	struct etw_statistics s;
	int pipes[2], fd, status;
	size_t n;
	__u32 id;
	pid_t pid;

	id = start(16, 256);
	switches(rounds);
	if (flush(id) || pipe(pipes))
		die("pipe");
	pid = fork();
	if (!pid) {
		fd = open_node(id, 0);
		if (take(fd, one, piece, 777) != piece)
			_exit(1);
		if (write(pipes[1], one, piece) != (ssize_t)piece)
			_exit(1);
		for (;;)
			pause();
	}
	take(pipes[0], one, piece, piece);
	s = statistics(id);
	result(s.buffers_read == 0, "a buffer read in part isn't read # %llu",
	       (unsigned long long)s.buffers_read);
	fd = open_node(id, 0);
	result(fd < 0 && errno == EBUSY, "the reader holds the stream");
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	stop(id, 0);
	fd = open_node(id, 0);
	result(fd >= 0, "a killed reader leaves the stream");
	n = take(fd, two, ROOM, 1024 * KB);
	s = statistics(id);
	close(fd);
	result(n > 3 * size && is_there(one + size, piece - size, two + size, size, n - size),
	       "the next one gets the buffer that it had begun # %zu bytes", n);
	result(!s.buffered && !s.overwritten && !s.discarded && !s.lost[0] &&
	       s.read > 2ULL * rounds, "nothing is lost over it # read %llu, buffered %llu",
	       (unsigned long long)s.read, (unsigned long long)s.buffered);
	save("/out/dead-reader.etl", two, n);
	free(one);
	free(two);
}

static __u64 lost_on(__u32 id, __u32 cpu)
{
	struct etw_statistics s = { .size = sizeof(s), .logger_id = id, .processor = cpu };

	if (ioctl(control, ETW_IOC_STATISTICS, &s))
		die("STATISTICS");
	return s.lost[ETW_LOSS_NO_BUFFER];
}

/* A reader leaves a buffer that is flagged: it is flagged for the next one, too. */
void test_flags_stay(void)
{
	const size_t size = 4 * KB;
	char *data = malloc(ROOM);
	__u64 seen = 0, flagged = 0, due = 0;
	struct wmi_buffer_header *header;
	__u32 id, cpu, cpus;
	size_t at, n;
	int fd;

	id = start(4, 4);
	switches(2000);
	stop(id, 0);
	cpus = statistics(id).processors;
	for (cpu = 0; cpu < cpus; cpu++)
		if (lost_on(id, cpu))
			due |= 1ULL << cpu;
	fd = open_node(id, 0);
	take(fd, data, size + 100, size + 100);
	close(fd);
	fd = open_node(id, 0);
	n = take(fd, data, ROOM, ROOM);
	close(fd);
	/* the first one of each CPU; the last of all is the trailer */
	for (at = size; at + size < n; at += size) {
		header = (void *)(data + at);
		cpu = header->processor_index;
		if (!(seen & 1ULL << cpu) && header->buffer_flag & ETW_BUFFER_FLAG_EVENTS_LOST)
			flagged |= 1ULL << cpu;
		seen |= 1ULL << cpu;
	}
	result(due && flagged == due, "a reader that leaves takes no flag with it # %llx, %llx",
	       (unsigned long long)due, (unsigned long long)flagged);
	free(data);
}

void test_splice(void)
{
	int pipes[2], fd, out;
	ssize_t n, m;
	size_t total = 0;
	__u32 id;

	id = start(usual_kb, 64);
	switches(rounds);
	stop(id, 0);
	fd = open_node(id, 0);
	out = open("/out/splice.etl", O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (pipe(pipes))
		die("pipe");
	while ((n = splice(fd, NULL, pipes[1], NULL, 100000, 0)) > 0) {
		for (total += n; n > 0; n -= m) {
			m = splice(pipes[0], NULL, out, NULL, n, 0);
			if (m <= 0)
				die("splice to the file");
		}
	}
	result(!n && total >= 3 * usual_kb * KB && total % (usual_kb * KB) == 0,
	       "splice() to a pipe and a file # %zu bytes%s%s", total, n ? ": " : "",
	       n ? strerror(errno) : "");
	close(pipes[0]);
	close(pipes[1]);
	close(out);
	close(fd);
	result(!loggers(), "a session that was spliced is gone");
}

/* An unclosed stream, saved while the session runs, and a closed one */
void test_headers(void)
{
	char *data = malloc(ROOM);
	size_t n;
	__u32 id;
	int fd;

	id = start(16, 256);
	switches(rounds / 2);
	flush(id);
	fd = open_node(id, O_NONBLOCK);
	for (n = 0; n < ROOM; n += 16 * KB)
		if (read(fd, data + n, 16 * KB) != 16 * KB)
			break;
	save("/out/unclosed.etl", data, n);
	close(fd);
	switches(rounds / 2);
	stop(id, 0);
	fd = open_node(id, 0);
	n = take(fd, data, ROOM, ROOM);
	save("/out/closed.etl", data, n);
	close(fd);
	free(data);
}
