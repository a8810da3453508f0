/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Session nodes, files that come and go, processes that die, what adds up. */
#ifndef ETW_TEST_FUZZ_NODES_H
#define ETW_TEST_FUZZ_NODES_H

#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include "race.h"

#define PIECES	4	/* of a readv() */

static inline void expect(struct worker *w, const char *what, int err, errors allowed)
{
	if (w->verbose)
		printf("fuzz: step %llu: %s: %s\n", w->step, what, error_name(err));
	if (!(allowed & E(err)))
		finding(w, "%s: %s, which is not to be", what, error_name(err));
}

static inline void close_stream(struct worker *w)
{
	if (w->stream >= 0)
		close(w->stream);
	w->stream = -1;
}

/* Those that were kept go one by one; the last ones with the process. */
static inline void close_snapshot(struct worker *w)
{
	int *kept = &w->snapshot[below(w, SNAPSHOTS)];

	if (*kept >= 0)
		close(*kept);
	*kept = -1;
}

/* Whether START gave the node to uid 65534, or to everybody */
static inline int is_for_nobody(int fd)
{
	struct stat st;

	return !fstat(fd, &st) &&
	       st.st_mode & (st.st_uid == NOBODY ? 0400 : st.st_gid == NOBODY ? 0040 : 0004);
}

static inline void open_stream(struct worker *w)
{
	/* O_RDWR is what root gets in spite of mode 0400 */
	int flags = (one_in(w, 4) ? O_RDWR : O_RDONLY) | O_NONBLOCK | O_CLOEXEC;
	errors allowed = E(ENOENT) | E(ENXIO) | E(EBUSY);
	char node[32];

	w->stream_id = any_logger(w);
	snprintf(node, sizeof(node), "/dev/etw/session%u", w->stream_id);
	w->stream = open(node, flags);
	if (w->nobody)
		allowed |= E(EACCES);
	if (!w->nobody || (w->stream >= 0 && is_for_nobody(w->stream)))
		allowed |= E(0);
	expect(w, "open", w->stream < 0 ? errno : 0, allowed);
}

static inline __u32 odd_size(struct worker *w)
{
	static const __u32 sizes[] = {
		0, 1, 7, 8, 71, 72, 73, 4095, 4096, 4097, 8192, 65536, 65537, 1 << 20,
	};

	return one_in(w, 4) ? below(w, 16384) : sizes[below(w, 14)];
}

/*
 * arm64's copy_to_user() stores two words, then reports both: where memory ends between
 * them, or in the second one, it stored bytes that it does not report.
 */
#ifdef __aarch64__
#define UNTOLD	15
#else
#define UNTOLD	0
#endif

/* How many these may be of a read() of @want bytes that gave @n */
static inline __u32 unlogged(__u32 want, __u64 room, ssize_t n)
{
	const __u64 most = UNTOLD;

	if (n < 0 || want <= room)
		return 0;
	return room - n < most ? room - n : most;
}

/* Bytes behind what was read stay as they were. */
static inline void read_stream(struct worker *w)
{
	__u32 want = odd_size(w), more, i;
	__u64 at = place(w, &w->blocks, want ? want % PAGE + 1 : 1);
	__u64 room = room_at(w, at);
	ssize_t n = read(w->stream, (void *)(unsigned long)at, want);
	__u8 *p = peek(w, at, 1);

	expect(w, "read", n < 0 ? errno : 0, E(0) | E(EAGAIN) | E(EFAULT));
	if (n > (ssize_t)want)
		finding(w, "read of %u gave %zd", want, n);
	if (n > 0 && !writable(w, at, n))
		finding(w, "read gave %zd where %llu have room", n, room);
	more = unlogged(want, room, n);
	for (i = more; n >= 0 && p && i < MARGIN && (__u64)n + i < room; i++)
		if (p[n + i] != FILL)
			break;
	if (n >= 0 && p && i < MARGIN && (__u64)n + i < room)
		finding(w, "read of %u changed byte %u behind its %zd", want, i, n);
	if (p && n >= 0)
		memset(p, FILL, n + more);
	else if (p)
		memset(p, FILL, room < want ? room : want);
}

static inline void readv_stream(struct worker *w)
{
	struct iovec vec[PIECES];
	ssize_t n;
	int i;

	for (i = 0; i < PIECES; i++) {
		vec[i].iov_len = odd_size(w) % 4096;
		vec[i].iov_base = (void *)(unsigned long)place(w, &w->blocks, PAGE);
	}
	n = readv(w->stream, vec, PIECES);
	/* addresses of the kernel are refused before anything else is looked at */
	expect(w, "readv", n < 0 ? errno : 0, E(0) | E(EAGAIN) | E(EFAULT));
	memset(w->blocks.rw, FILL, 5 * PAGE);
	memset(w->blocks.rw + w->blocks.size - PAGE, FILL, PAGE);
}

static inline void splice_stream(struct worker *w)
{
	size_t want = odd_size(w);
	char drain[4096];
	ssize_t n = splice(w->stream, NULL, w->pipe[1], NULL, want, SPLICE_F_NONBLOCK);

	expect(w, "splice", n < 0 ? errno : 0, E(0) | E(EAGAIN));
	while (read(w->pipe[0], drain, sizeof(drain)) > 0)
		;
	/* to a pipe only: the kernel wants a file that seeks for all others */
	n = sendfile(one_in(w, 2) ? w->null : w->pipe[1], w->stream, NULL, odd_size(w));
	expect(w, "sendfile", n < 0 ? errno : 0, E(0) | E(EAGAIN) | E(EINVAL));
	while (read(w->pipe[0], drain, sizeof(drain)) > 0)
		;
}

static inline void poll_stream(struct worker *w)
{
	struct pollfd p = { .fd = w->stream, .events = POLLIN | POLLOUT | POLLPRI };

	expect(w, "poll", poll(&p, 1, one_in(w, 4)) < 0 ? errno : 0, E(0));
	if (p.revents & ~(POLLIN | POLLHUP) || (p.revents & (POLLIN | POLLHUP)) == POLLHUP)
		finding(w, "poll says 0x%x", p.revents);
}

/* Waits for data or the end; the timer's signal ends it, again and again. */
static inline void read_blocking(struct worker *w)
{
	const struct itimerval on = { { 0, 2000 }, { 0, 1 + below(w, 2000) } }, off = { 0 };
	ssize_t n;

	fcntl(w->stream, F_SETFL, 0);
	setitimer(ITIMER_REAL, &on, NULL);
	n = read(w->stream, w->blocks.rw + PLACE, 1 + below(w, 8192));
	expect(w, "waiting read", n < 0 ? errno : 0, E(0) | E(EINTR));
	setitimer(ITIMER_REAL, &off, NULL);
	fcntl(w->stream, F_SETFL, O_NONBLOCK);
	memset(w->blocks.rw + PLACE, FILL, 8192);
}

/* Two threads have the stream, one also asks about the session. */
static inline void share_stream(struct worker *w)
{
	struct etw_statistics s = { .logger_id = w->stream_id, .processor = ETW_ALL_PROCESSORS };
	int i;

	w->racer.count = 0;
	w->racer.fd = w->stream;
	begin_race(&w->racer);
	for (i = 0; i < RACES; i++) {
		poll_stream(w);
		read_stream(w);
		s.size = sizeof(s);
		ask(w, STATISTICS, &s);
	}
	end_race(&w->racer);
}

static inline void wrong_calls(struct worker *w)
{
	int writes = (fcntl(w->stream, F_GETFL) & O_ACCMODE) != O_RDONLY;
	char byte = 0;
	void *p;

	switch (below(w, 5)) {
	case 0:
		expect(w, "pread", pread(w->stream, &byte, 1, below(w, 3)) < 0 ? errno : 0,
		       E(ESPIPE));
		break;
	case 1:
		expect(w, "lseek", lseek(w->stream, below(w, 9000), below(w, 3)) < 0 ? errno : 0,
		       E(ESPIPE));
		break;
	case 2:
		p = mmap(NULL, PAGE << below(w, 5), PROT_READ, MAP_SHARED, w->stream, 0);
		expect(w, "mmap", p == MAP_FAILED ? errno : 0, E(ENODEV));
		break;
	case 3:
		expect(w, "write", write(w->stream, &byte, 1) < 0 ? errno : 0,
		       writes ? E(EINVAL) : E(EBADF));
		break;
	default:
		expect(w, "fallocate", ftruncate(w->stream, 0) ? errno : 0,
		       E(EINVAL) | E(EBADF));
	}
}

static void node_step(struct worker *w)
{
	int other;

	if (w->stream < 0) {
		open_stream(w);
		return;
	}
	switch (below(w, 16)) {
	case 0:
	case 1:
		close_stream(w);
		break;
	case 2:
	case 3:
		splice_stream(w);
		break;
	case 4:
		poll_stream(w);
		break;
	case 5:
		readv_stream(w);
		break;
	case 6:
		wrong_calls(w);
		break;
	case 7:
		if (one_in(w, 8))
			read_blocking(w);
		break;
	case 8:
		share_stream(w);
		break;
	case 9:		/* the same stream under another number */
		other = dup(w->stream);
		close(w->stream);
		w->stream = other;
		break;
	default:
		read_stream(w);
	}
}

/* Control files come and go, and what is tied to them with the last one. */
static void file_step(struct worker *w)
{
	int i = below(w, CONTROLS), fd;

	close_snapshot(w);
	if (w->nobody) {
		fd = open(CONTROL_NODE, O_RDWR | O_CLOEXEC);
		expect(w, "open of the control node as uid 65534", fd < 0 ? errno : 0, E(EACCES));
	}
	close(w->control[i]);
	if (w->nobody || one_in(w, 2))
		w->control[i] = dup(w->control[(i + 1) % CONTROLS]);
	else
		w->control[i] = open(CONTROL_NODE, (one_in(w, 2) ? O_RDWR : O_RDONLY) | O_CLOEXEC);
	if (w->control[i] < 0)
		finding(w, "a control file: %s", error_name(errno));
}

/* One ioctl of the grammar */
static void ioctl_step(struct worker *w)
{
	struct request r;

	compose(w, &r);
	if (!w->alone && r.kind != OTHER && one_in(w, r.kind == START ? 24 : 96))
		race(w, &r);
	else
		fire(w, &r);
}

/* A process that is killed somewhere in its ioctls */
static void death_step(struct worker *w)
{
	__u32 delay = below(w, 4000);
	int status;
	pid_t pid = fork();

	if (!pid) {
		/* killed in a waiting read it would leave the parent's file waiting, too */
		close_stream(w);
		close(w->control[0]);
		if (w->nobody)
			w->control[0] = dup(w->control[1]);
		else
			w->control[0] = open(CONTROL_NODE, O_RDWR | O_CLOEXEC);
		for (;;) {
			ioctl_step(w);
			if (one_in(w, 4))
				node_step(w);
		}
	}
	if (pid < 0) {
		finding(w, "fork: %s", error_name(errno));
		return;
	}
	usleep(delay);
	kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
		finding(w, "a child ended with 0x%x", status);
	memset(w->args.rw, FILL, w->args.size);
	memset(w->blocks.rw, FILL, w->blocks.size);
}

static inline __u64 attempted(const struct etw_statistics *s)
{
	__u64 sum = s->read + s->overwritten + s->discarded + s->buffered;
	int i;

	for (i = 0; i < 8; i++)
		sum += s->lost[i];
	return sum;
}

static inline int went_back(const struct etw_statistics *a, const struct etw_statistics *b)
{
	int i;

	for (i = 0; i < 8; i++)
		if (b->lost[i] < a->lost[i])
			return 1;
	return b->read < a->read || b->overwritten < a->overwritten ||
	       b->discarded < a->discarded || b->buffers_read < a->buffers_read ||
	       b->buffers_overwritten < a->buffers_overwritten || b->internal < a->internal ||
	       b->state < a->state;
}

/* Of an undisturbed session: its CPUs make up the whole. */
static inline void check_sum(struct worker *w, const struct etw_statistics *all)
{
	struct etw_statistics sum = { 0 }, s;
	__u32 cpu;

	for (cpu = 0; cpu < all->processors; cpu++) {
		s = (struct etw_statistics){
			.size = sizeof(s), .logger_id = all->logger_id, .processor = cpu,
		};
		if (ask(w, STATISTICS, &s))
			continue;
		sum.read += s.read;
		sum.overwritten += s.overwritten;
		sum.discarded += s.discarded;
		sum.lost[0] += s.lost[0];
		sum.buffers_read += s.buffers_read;
	}
	if (sum.overwritten != all->overwritten || sum.discarded != all->discarded ||
	    sum.lost[0] != all->lost[0] || sum.buffers_read != all->buffers_read ||
	    sum.read > all->read)
		finding(w, "STATISTICS of the CPUs of %u do not make up the whole",
			all->logger_id);
}

/* Undisturbed: numbers of a session grow, and nothing gets lost in them. */
static void sample_step(struct worker *w)
{
	struct sample now = {
		.s = { .size = sizeof(now.s), .processor = ETW_ALL_PROCESSORS },
	}, *last;
	struct {
		struct wmi_logger_information info;
		__u8 rest[MAX_ANSWER];
	} block;
	struct etw_control c = {
		.size = sizeof(c), .information = (unsigned long)&block,
		.information_size = sizeof(block),
	};
	int silent;

	if (!loggers(w))
		return;
	do
		c.logger_id = 1 + below(w, 64);
	while (!(w->mask & 1ULL << (c.logger_id - 1)));
	now.s.logger_id = c.logger_id;
	if (ask(w, QUERY, &c) || ask(w, STATISTICS, &now.s)) {
		finding(w, "QUERY or STATISTICS of %u, which is there: %s", c.logger_id,
			error_name(errno));
		return;
	}
	now.info = block.info;
	last = &w->samples[c.logger_id - 1];
	silent = !now.info.enable_flags && !now.info.flush_timer;
	if (last->info.wnode.time_stamp == now.info.wnode.time_stamp &&
	    last->info.wnode.client_context == now.info.wnode.client_context &&
	    !memcmp(&last->info.logger_name, &now.info.logger_name, 16)) {
		if (went_back(&last->s, &now.s))
			finding(w, "a number of %u went back", c.logger_id);
		if (silent && attempted(&now.s) < attempted(&last->s))
			finding(w, "attempted of %u went from %llu to %llu", c.logger_id,
				attempted(&last->s), attempted(&now.s));
	}
	*last = now;
	if (silent)
		check_sum(w, &now.s);
}

/* Undisturbed: every logger of LIST is there, with a node and a name. */
static void census_step(struct worker *w)
{
	struct etw_control c = { .size = sizeof(c) };
	__u64 mask = loggers(w);
	__u32 kernel = 0, id;
	struct {
		struct wmi_logger_information info;
		__u8 rest[MAX_ANSWER];
	} block;

	for (id = 1; id <= ETW_MAX_LOGGERS; id++) {
		if (!(mask & 1ULL << (id - 1)))
			continue;
		c.logger_id = id;
		c.information = (unsigned long)&block;
		c.information_size = sizeof(block);
		if (ask(w, QUERY, &c) || block.info.wnode.historical_context != id ||
		    !block.info.logger_name.length)
			finding(w, "LIST has %u, QUERY does not", id);
		kernel += is_kernel(&block.info);
	}
	if (kernel > ETW_MAX_KERNEL_LOGGERS)
		finding(w, "%u kernel loggers", kernel);
	if (nodes(w) != mask)
		finding(w, "nodes 0x%llx, loggers 0x%llx", nodes(w), mask);
}

#endif /* ETW_TEST_FUZZ_NODES_H */
