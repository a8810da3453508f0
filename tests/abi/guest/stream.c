// SPDX-License-Identifier: GPL-2.0
/*
 * The stream of a session: read() of any size, poll(), splice(), ends of life.
 * stream ROUNDS KB: so many switches there and back for a stream, of buffers of so many KB
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "etw_abi.h"
#include "etw_hooks.h"
#include "../../guest/calls.h"
#include "../../guest/result.h"

#define KB	1024UL
#define ROOM	(64UL << 20)

static int rounds;
static __u32 usual_kb;
static int control;

struct block {
	struct wmi_logger_information info;
	__u16 name[8];
};

static __u32 start_on(int fd, __u32 kb, __u32 buffers, __u32 flags, __u32 mode)
{
	static const struct etw_guid guid = ETW_SYSTEM_TRACE_CONTROL_GUID;
	struct block block = {
		.info = {
			.wnode = { .buffer_size = sizeof(block), .guid = guid,
				   .client_context = ETW_CLOCK_QPC,
				   .flags = WNODE_FLAG_TRACED_GUID },
			.buffer_size = kb,
			.maximum_buffers = buffers,
			.log_file_mode = EVENT_TRACE_REAL_TIME_MODE | mode,
			.enable_flags = EVENT_TRACE_FLAG_CSWITCH,
			.logger_name = { .length = 12,
					 .buffer = offsetof(struct block, name) },
		},
		.name = { 's', 't', 'r', 'e', 'a', 'm' },
	};
	struct etw_control c = {
		.size = sizeof(c), .flags = flags, .information_size = sizeof(block),
		.information = (unsigned long)&block,
	};

	if (ioctl(fd, ETW_IOC_START, &c))
		die("START");
	return c.logger_id;
}

static __u32 start(__u32 kb, __u32 buffers)
{
	return start_on(control, kb, buffers, ETW_START_NO_RUNDOWN, 0);
}

static int stop(__u32 id, __u32 flags)
{
	return on_session(control, ETW_IOC_STOP, id, flags);
}

static int flush(__u32 id)
{
	return on_session(control, ETW_IOC_FLUSH, id, 0);
}

static __u64 loggers(void)
{
	return list_sessions(control);
}

static struct etw_statistics statistics(__u32 id)
{
	struct etw_statistics s;

	errno = session_statistics(control, id, &s);
	if (errno)
		die("STATISTICS");
	return s;
}

/* Two processes and a byte between them: 2 switches a round, or more */
static void switches(int n)
{
	int a[2], b[2], i;
	char x = 0;
	pid_t pid;

	if (pipe(a) || pipe(b))
		die("pipe");
	pid = fork();
	if (!pid) {
		for (i = 0; i < n; i++)
			if (read(a[0], &x, 1) != 1 || write(b[1], &x, 1) != 1)
				_exit(1);
		_exit(0);
	}
	for (i = 0; i < n; i++)
		if (write(a[1], &x, 1) != 1 || read(b[0], &x, 1) != 1)
			die("switches");
	waitpid(pid, NULL, 0);
	close(a[0]);
	close(a[1]);
	close(b[0]);
	close(b[1]);
}

/* Read on until @want bytes or the end. */
static size_t take(int fd, char *to, size_t want, size_t count)
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

static void save(const char *name, const char *data, size_t size)
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
	       "read() by %zu: the same bytes as one read() (%zu of %zu)", count, got, again);
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
	       "read() by %zu: whole buffers (%zu bytes)", count, n);
	snprintf(name, sizeof(name), "/out/by-%zu.etl", count);
	save(name, two, n);
}

static void test_counts(void)
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

static int polled(int fd, int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	if (poll(&p, 1, ms) < 0)
		die("poll");
	return p.revents;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void *flush_later(void *arg)
{
	usleep(300000);
	flush(*(__u32 *)arg);
	return NULL;
}

static void *stop_later(void *arg)
{
	usleep(300000);
	stop(*(__u32 *)arg, 0);
	return NULL;
}

/* Buffers so large that nothing fills them while this runs */
static void test_poll(void)
{
	static char data[1024 * KB];
	__u32 id = start(1024, 16);
	int fd = open_node(id, O_NONBLOCK);
	struct wmi_buffer_header *header = (void *)data;
	pthread_t thread;
	double begin;
	ssize_t n;

	result(polled(fd, 0) == POLLIN, "poll(): the header is there at once");
	n = read(fd, data, sizeof(data));
	result(n == sizeof(data) && header->buffer_type == ETW_BUFFER_TYPE_HEADER,
	       "read() of the header buffer");
	result(read(fd, data, 1) < 0 && errno == EAGAIN, "O_NONBLOCK with nothing there: EAGAIN");
	result(polled(fd, 0) == 0, "poll(): nothing is there");

	switches(10);
	result(polled(fd, 0) == 0, "poll(): a buffer that isn't full isn't there");
	result(!flush(id), "FLUSH");
	result(polled(fd, 0) == POLLIN, "poll(): there at once after FLUSH");
	n = read(fd, data, 100);
	result(n == 100, "read() of a part");
	result(polled(fd, 0) == POLLIN, "poll(): the rest of a buffer is there");
	do
		n = read(fd, data, sizeof(data));
	while (n > 0);
	result(n < 0 && errno == EAGAIN, "O_NONBLOCK after the last flushed buffer: EAGAIN");

	begin = now();
	pthread_create(&thread, NULL, flush_later, &id);
	result(polled(fd, 20000) == POLLIN && now() - begin > 0.2, "poll() waits for FLUSH");
	pthread_join(thread, NULL);
	fcntl(fd, F_SETFL, 0);
	while (polled(fd, 0) & POLLIN)
		if (read(fd, data, sizeof(data)) <= 0)
			break;
	begin = now();
	pthread_create(&thread, NULL, flush_later, &id);
	n = read(fd, data, 100);
	result(n == 100 && now() - begin > 0.2, "read() waits for FLUSH");
	pthread_join(thread, NULL);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	while (read(fd, data, sizeof(data)) > 0)
		;
	fcntl(fd, F_SETFL, 0);

	/* what is left when it stops comes before the end of file */
	pthread_create(&thread, NULL, stop_later, &id);
	result(polled(fd, 20000) & POLLIN, "poll() wakes up for STOP");
	pthread_join(thread, NULL);
	result(polled(fd, 0) == (POLLIN | POLLHUP), "poll(): POLLHUP once it has stopped");
	n = take(fd, data, sizeof(data), sizeof(data));
	result(n == sizeof(data), "the last buffers come after STOP");
	while (read(fd, data, sizeof(data)) > 0)
		;
	result(read(fd, data, 1) == 0, "end of file after STOP");
	result((polled(fd, 0) & (POLLIN | POLLHUP)) == (POLLIN | POLLHUP),
	       "poll(): POLLIN and POLLHUP at the end of file");
	close(fd);
	result(!loggers(), "the session is gone when it was read");
}

/* A child reads into a buffer and dies: the next reader gets it whole. */
static void test_dead_reader(void)
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
	result(s.buffers_read == 0, "a buffer read in part isn't read (%llu)",
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
	       "the next one gets the buffer that it had begun (%zu bytes)", n);
	result(!s.buffered && !s.overwritten && !s.discarded && !s.lost[0] &&
	       s.read > 2ULL * rounds, "nothing is lost over it (read %llu, buffered %llu)",
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
static void test_flags_stay(void)
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
	result(due && flagged == due, "a reader that leaves takes no flag with it (%llx, %llx)",
	       (unsigned long long)due, (unsigned long long)flagged);
	free(data);
}

static void test_splice(void)
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
	       "splice() to a pipe and a file: %zu bytes%s%s", total, n ? ": " : "",
	       n ? strerror(errno) : "");
	close(pipes[0]);
	close(pipes[1]);
	close(out);
	close(fd);
	result(!loggers(), "a session that was spliced is gone");
}

/* An unclosed stream, saved while the session runs, and a closed one */
static void test_headers(void)
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

static void killed_with_session(__u32 flags, int with_stop_at_close)
{
	int status, ready[2];
	char x;
	pid_t pid;

	if (pipe(ready))
		die("pipe");
	pid = fork();
	if (!pid) {
		int own = open("/dev/etw/control", O_RDWR);

		start_on(own, 64, 8, flags | ETW_START_NO_RUNDOWN, 0);
		if (write(ready[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	if (read(ready[0], &x, 1) != 1)
		die("child");
	result(loggers() != 0, "a session of another process");
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	if (with_stop_at_close) {
		result(!loggers(), "ETW_START_TIED: none is left when the process was killed");
	} else {
		result(loggers() == 1, "without ETW_START_TIED it stays");
		result(!stop(1, ETW_STOP_DISCARD) && !loggers(), "and another one can end it");
	}
	close(ready[0]);
	close(ready[1]);
}

static void test_ends(void)
{
	static char data[64 * KB];
	int fd, own;
	__u32 id;
	ssize_t n;

	killed_with_session(ETW_START_TIED, 1);
	killed_with_session(0, 0);

	/* tied, with a reader: it may read to the end */
	own = open("/dev/etw/control", O_RDWR);
	id = start_on(own, 64, 8, ETW_START_TIED | ETW_START_NO_RUNDOWN, 0);
	fd = open_node(id, 0);
	switches(100);
	close(own);
	n = take(fd, data, sizeof(data), sizeof(data));
	result(n == sizeof(data), "tied: its reader goes on after the control file is closed");
	while ((n = read(fd, data, sizeof(data))) > 0)
		;
	result(!n, "tied: and comes to the end");
	close(fd);
	result(!loggers(), "tied: then it is gone");

	id = start(64, 8);
	switches(100);
	result(!stop(id, ETW_STOP_DISCARD) && !loggers(), "ETW_STOP_DISCARD: gone at once");
	fd = open_node(id, 0);
	result(fd < 0, "ETW_STOP_DISCARD: the node too");

	id = start(64, 8);
	fd = open_node(id, 0);
	switches(100);
	take(fd, data, 100, 100);
	result(!stop(id, ETW_STOP_DISCARD) && !loggers(),
	       "ETW_STOP_DISCARD with a reader: gone from the table");
	while ((n = read(fd, data, sizeof(data))) > 0)
		;
	result(!n, "ETW_STOP_DISCARD: the reader comes to the end");
	close(fd);

	id = start(64, 8);
	switches(100);
	result(!stop(id, 0) && loggers(), "a stopped session stays until it is read");
	result(stop(id, 0) == EALREADY, "a second STOP: EALREADY");
	result(!stop(id, ETW_STOP_DISCARD) && !loggers(), "then it is given up");

	/* statistics stay exact over a stop */
	id = start(4, 4);
	switches(rounds / 2);
	stop(id, 0);
	{
		struct etw_statistics s = statistics(id);

		result(s.lost[ETW_LOSS_NO_BUFFER] && s.buffered && s.state == ETW_SESSION_STOPPED,
		       "few buffers, no reader: the rest is counted as lost (%llu + %llu)",
		       (unsigned long long)s.buffered,
		       (unsigned long long)s.lost[ETW_LOSS_NO_BUFFER]);
	}
	stop(id, ETW_STOP_DISCARD);
}

int main(int argc, char **argv)
{
	if (argc == 3) {
		rounds = atoi(argv[1]);
		usual_kb = atoi(argv[2]);
	}
	if (rounds < 1 || !usual_kb) {
		fprintf(stderr, "stream ROUNDS KB\n");
		return 2;
	}
	control = open("/dev/etw/control", O_RDWR | O_CLOEXEC);
	if (control < 0)
		die("/dev/etw/control");
	test_counts();
	test_poll();
	test_dead_reader();
	test_flags_stay();
	test_splice();
	test_headers();
	test_ends();
	result(!loggers(), "no session is left");
	return !!failures;
}
