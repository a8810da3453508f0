/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Abuse: a bounded fork bomb with long command lines against a flight recorder. */
#ifndef ETW_TEST_ABUSE_BOMB_H
#define ETW_TEST_ABUSE_BOMB_H

#include "flood.h"
#include "tests/lib/guest/count_stream.h"

#define BIRTHS		0x3	/* processes, threads: nothing that goes on by itself */
#define BOMB		"-b"	/* abuse -b DEPTH COMMAND: one process of the bomb */
#define BOMB_DEPTH	4
#define BOMB_TREES	3	/* side by side */
#define BOMB_PROCESSES	(BOMB_TREES * ((2 << BOMB_DEPTH) - 1))	/* at most, at a time */
#define COMMAND_BYTES	100000
#define LONG_RECORD	8192	/* bytes of a record with a command line that was cut off */

/**
 * struct witness - a session with a reader that counts what comes
 * @id: session
 * @kb: of a buffer
 * @counted: of its stream
 * @commands: records of processes with a long command line
 * @err: errno of read(), or EIO for a piece of a buffer
 */
struct witness {
	pthread_t thread;
	__u32 id;
	__u32 kb;
	int fd;
	struct counted counted;
	__u64 commands;
	int err;
};

static __u64 long_commands(const __u8 *buffer)
{
	struct wmi_buffer_header header;
	__u16 hook_id;
	__u32 at, step;
	__u64 n = 0;

	memcpy(&header, buffer, sizeof(header));
	if (header.buffer_type == ETW_BUFFER_TYPE_HEADER)
		return 0;
	for (at = sizeof(header); at < header.offset; at += step) {
		step = record_size(buffer + at, &hook_id);
		if (!step)
			break;
		n += hook_id == WMI_LOG_TYPE_PROCESS_CREATE && step > LONG_RECORD;
	}
	return n;
}

static void count_all(struct witness *w)
{
	__u32 size = w->kb << 10;
	__u8 *buffer = malloc(size);
	ssize_t n;

	while ((n = read(w->fd, buffer, size)) == (ssize_t)size) {
		count_buffer(buffer, size, &w->counted);
		if (!w->counted.broken)
			w->commands += long_commands(buffer);
	}
	w->err = n < 0 ? errno : n ? EIO : 0;
	free(buffer);
}

static void *count_it(void *arg)
{
	count_all(arg);
	return NULL;
}

static void start_witness(struct witness *w, const char *name)
{
	const struct wish wish = { .name = name, .kb = 64, .buffers = 128, .flags = BIRTHS,
				   .start = ETW_START_NO_RUNDOWN };

	*w = (struct witness){ .id = start_or_die(&wish), .kb = wish.kb };
	w->fd = open_node(w->id, 0);
	if (w->fd < 0 || pthread_create(&w->thread, NULL, count_it, w))
		die("reader");
}

/* All that the session was asked to write, without the records about itself */
static __u64 written(const struct etw_statistics *s)
{
	return s->read + s->overwritten + s->discarded + s->buffered + all_lost(s) - s->internal;
}

/* Stopped, read to its end: every record that it says was read is one that came. */
static void end_witness(struct witness *w, const char *name, struct etw_statistics *s)
{
	int err = on_session(control, ETW_IOC_STOP, w->id, 0), gone;

	pthread_join(w->thread, NULL);
	gone = session_statistics(control, w->id, s);
	result(!err && !gone && !w->err && !w->counted.broken && s->read == w->counted.records &&
	       !s->buffered && !s->overwritten && !s->discarded,
	       "fork bomb: the session %s it lost nothing uncounted # %llu read, %llu of them came, %llu lost; STOP %s",
	       name, (unsigned long long)s->read, (unsigned long long)w->counted.records,
	       (unsigned long long)all_lost(s), error_name(err));
	close(w->fd);
}

/* One process of a tree: two children, down to depth 0. Does not return. */
static void bomb_process(int depth, char *command)
{
	char digit[] = { '0' + depth, 0 };
	char *args[] = { "abuse", BOMB, digit, command, NULL };

	execv("/proc/self/exe", args);
	_exit(1);
}

/* main() of one: 0 when all below it began and ended well */
static int bomb_main(char **args)
{
	int depth = atoi(args[0]), i, status, bad = 0;

	for (i = 0; depth && i < 2; i++) {
		pid_t pid = fork();

		if (!pid)
			bomb_process(depth - 1, args[1]);
		bad += pid < 0;
	}
	while (wait(&status) > 0)
		bad += !!status;
	return !!bad;
}

/*
 * As uid 65534, tree after tree until @end closes; then their number, or 0 when a process
 * could not begin, into @to.
 */
static pid_t bomb(int end, int other_end, int to)
{
	struct pollfd over = { .fd = end, .events = POLLIN };
	char *command;
	pid_t pid = fork();
	int i, status, trees = 0, bad = 0;

	if (pid)
		return pid;
	close(other_end);
	close(control);
	nobody();
	command = malloc(COMMAND_BYTES + 1);
	memset(command, 'x', COMMAND_BYTES);
	command[COMMAND_BYTES] = 0;
	while (!bad && !poll(&over, 1, 0)) {
		for (i = 0; i < BOMB_TREES; i++, trees++)
			if (!fork())
				bomb_process(BOMB_DEPTH, command);
		while (wait(&status) > 0)
			bad += !!status;
	}
	trees = bad ? 0 : trees;
	_exit(write(to, &trees, sizeof(trees)) != sizeof(trees));
}

/* While the bomb goes on: until the recorder was overwritten, then copies of it */
static void record_bomb(pid_t pid, __u32 id, __u32 kb)
{
	struct etw_statistics s;
	struct witness copy;
	int i, bad = 0, commands = 0;

	do {
		usleep(20000);
		errno = session_statistics(control, id, &s);
		if (errno)
			die("STATISTICS");
	} while (!s.buffers_overwritten && !waitpid(pid, NULL, WNOHANG));
	for (i = 0; i < 3; i++) {
		copy = (struct witness){ .kb = kb, .fd = snapshot_session(control, id) };
		if (copy.fd >= 0)
			count_all(&copy);
		bad += copy.fd < 0 || copy.err || copy.counted.broken || !copy.counted.records;
		commands += copy.commands;
		close(copy.fd);
	}
	result(s.buffers_overwritten && !bad && commands && !waitpid(pid, NULL, WNOHANG),
	       "fork bomb: three snapshots of a flight recorder are whole meanwhile, and hold its commands # %d",
	       commands);
}

/*
 * The recorder runs from after the beginning of one session to before the end of that,
 * and around another one: what it has to account for is between what these two have.
 */
static void test_bomb(void)
{
	const struct wish wish = { .name = "recorder", .kb = 32, .buffers = 16, .flags = BIRTHS,
				   .mode = EVENT_TRACE_BUFFERING_MODE, .start = ETW_START_NO_RUNDOWN };
	struct etw_statistics outer, ring, inner;
	struct witness around, within;
	int end[2], logged[2], err, trees = 0, status;
	__u64 processes;
	__u32 id;
	pid_t pid;

	if (pipe(end) || pipe(logged))
		die("pipe");
	start_witness(&around, "around");
	id = start_or_die(&wish);
	start_witness(&within, "within");
	pid = bomb(end[0], end[1], logged[1]);
	record_bomb(pid, id, wish.kb);
	end_witness(&within, "within", &inner);
	err = on_session(control, ETW_IOC_STOP, id, 0);
	result(!err && !waitpid(pid, NULL, WNOHANG), "fork bomb: STOP works meanwhile # %s",
	       error_name(err));
	session_statistics(control, id, &ring);
	close(end[1]);
	close(logged[1]);
	if (read(logged[0], &trees, sizeof(trees)) != sizeof(trees))
		trees = 0;
	waitpid(pid, &status, 0);
	end_witness(&around, "around", &outer);
	result(ring.overwritten && adds_up(&ring, id) && written(&inner) <= written(&ring) &&
	       written(&ring) <= written(&outer),
	       "fork bomb: what was overwritten is counted # %llu + %llu in buffers + %llu lost, between %llu and %llu",
	       (unsigned long long)ring.overwritten, (unsigned long long)ring.buffered,
	       (unsigned long long)all_lost(&ring), (unsigned long long)written(&inner),
	       (unsigned long long)written(&outer));
	processes = (__u64)trees * (BOMB_PROCESSES / BOMB_TREES);
	/* begun twice and ended twice, by fork and by exec, with one thread each time */
	result(processes && written(&outer) >= 8 * processes &&
	       around.commands <= processes && around.commands + all_lost(&outer) >= processes,
	       "fork bomb: each process is there, with its command, or lost and counted # %llu, %llu there",
	       (unsigned long long)processes, (unsigned long long)around.commands);
	close(end[0]);
	close(logged[0]);
	err = discard_session(control, id);
	result(!err && !list_sessions(control), "fork bomb: no session is left # %s",
	       error_name(err));
}

#endif /* ETW_TEST_ABUSE_BOMB_H */
