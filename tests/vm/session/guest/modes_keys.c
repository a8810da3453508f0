// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* UPDATEs that come while a rundown writes keys of stacks to a slow reader. */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include "events/stack.h"
#include "tests/lib/guest/chain.h"
#include "tests/lib/guest/count_stream.h"
#include "tests/lib/guest/requests.h"

/* Sleepers' stacks are walked by frame pointers. */
#pragma GCC optimize("no-omit-frame-pointer", "no-optimize-sibling-calls")

/* Of which a buffer has room for some 17: far more than are read while two rundowns end */
#define KEYS		1400
#define DEPTH		24
#define BUFFER		4096
#define BUFFERS		16
#define PAUSE_MS	700	/* of the reader, after each buffer; a record waits longer */

static const __u32 caching[] = { 4 << 20, 1024 }, other_caching[] = { 2 << 20, 512 };
static struct wish wish = {
	.name = "keys", .kb = BUFFER / 1024, .buffers = BUFFERS,
	.flags = EVENT_TRACE_FLAG_CSWITCH,
};

static pid_t sleeper;

/**
 * struct stream - what was read
 * @fd: the session's file
 * @used: bytes in @buffer
 * @made: keys
 * @logged: of them, by a rundown
 * @network: masks that have the network
 */
struct stream {
	int fd;
	__u32 used;
	__u32 made;
	__u32 logged;
	__u32 network;
	__u8 buffer[BUFFER];
};

static CHAIN void descend(__u32 path, int left);

static CHAIN void turn_left(__u32 path, int left)
{
	descend(path, left);
}

static CHAIN void turn_right(__u32 path, int left)
{
	descend(path, left);
}

/* One chain of calls for each @path */
static CHAIN void descend(__u32 path, int left)
{
	struct timespec t = { 0, 10000 };

	if (!left)
		chain_call(SYS_nanosleep, (long)&t, 0, 0, 0);
	else if (path & 1)
		turn_left(path >> 1, left - 1);
	else
		turn_right(path >> 1, left - 1);
}

/* A stack gets its key when it comes again. */
static void sleep_everywhere(int begin)
{
	__u32 path;
	char go;

	if (read(begin, &go, 1) != 1)
		_exit(1);
	for (path = 0; ; path = (path + 1) % (2 * KEYS)) {
		descend(path, DEPTH);
		descend(path, DEPTH);
	}
}

static int has_network(const __u8 *record)
{
	struct etw_kernel_header_extension extension;

	memcpy(&extension, record + sizeof(struct perfinfo_trace_header), sizeof(extension));
	return !!(extension.masks[0] & EVENT_TRACE_FLAG_NETWORK_TCPIP);
}

static void look_at_buffer(struct stream *stream)
{
	struct wmi_buffer_header header;
	__u32 at, size;
	__u16 hook_id;

	memcpy(&header, stream->buffer, sizeof(header));
	if (header.buffer_type == ETW_BUFFER_TYPE_HEADER)
		return;
	for (at = sizeof(header); at < header.offset; at += size) {
		size = record_size(stream->buffer + at, &hook_id);
		if (!size || at + size > BUFFER) {
			result(0, "each record has a valid header # not at %u", at);
			return;
		}
		stream->made += hook_id == PERFINFO_LOG_TYPE_STACKTRACE_CREATE;
		stream->logged += hook_id == PERFINFO_LOG_TYPE_STACKTRACE_RUNDOWN;
		if (hook_id == WMI_LOG_TYPE_HEADER_EXTENSION)
			stream->network += has_network(stream->buffer + at);
	}
}

/* Return: whether there was a whole buffer within @ms */
static int read_buffer(struct stream *stream, int ms)
{
	struct pollfd wait = { .fd = stream->fd, .events = POLLIN };
	ssize_t n;

	while (stream->used < BUFFER) {
		if (poll(&wait, 1, ms) <= 0)
			return 0;
		n = read(stream->fd, stream->buffer + stream->used, BUFFER - stream->used);
		if (n <= 0)
			return 0;
		stream->used += n;
	}
	stream->used = 0;
	look_at_buffer(stream);
	return 1;
}

/* Only the sleeper's events: what the others do while they wait would take the room */
static int send_settings(int control, unsigned long cmd, const __u32 *caching_config,
			 struct etw_control *c)
{
	static const __u32 swaps = PERFINFO_LOG_TYPE_CONTEXTSWAP;
	struct request request;

	request_begin(&request, &wish);
	request_add_dword(&request, ETW_EXT_PIDS, sleeper);
	request_add(&request, ETW_EXT_STACKWALK_FILTER, &swaps, 1);
	request_add(&request, ETW_EXT_STACK_CACHING, caching_config, 2);
	return request_send(control, cmd, &request, c);
}

/* It sleeps when there is a byte in what is returned */
static int make_sleeper(void)
{
	int begin[2];

	if (pipe(begin))
		die("pipe");
	sleeper = fork();
	if (!sleeper)
		sleep_everywhere(begin[0]);
	return begin[1];
}

static void make_keys(struct stream *stream, int begin)
{
	int waits = 0, i;

	if (write(begin, "", 1) != 1)
		die("write");
	while (stream->made < KEYS && waits < 60)
		waits += !read_buffer(stream, 1000);
	kill(sleeper, SIGKILL);
	waitpid(sleeper, NULL, 0);
	/* what is left, so that nothing but the rundown fills buffers */
	for (i = 0; i < 2 * BUFFERS; i++)
		read_buffer(stream, 100);
	result(stream->made >= KEYS, "there are keys # %u", stream->made);
}

/* One event more, and back, before the rundown can end: what it got later has neither */
static int change_masks(int control, __u32 id)
{
	const __u32 flags = wish.flags;
	struct etw_control c;
	int i, err = 0;

	for (i = 0; !err && i < 2; i++) {
		c = (struct etw_control){ .logger_id = id };
		wish.flags = flags | (i ? 0 : EVENT_TRACE_FLAG_NETWORK_TCPIP);
		err = send_settings(control, ETW_IOC_UPDATE, caching, &c);
	}
	return err;
}

/* Another cache: the keys of the old one are written and go */
static int change_cache(int control, __u32 id)
{
	struct etw_control c = { .logger_id = id };

	return send_settings(control, ETW_IOC_UPDATE, other_caching, &c);
}

/*
 * In a process of its own, while we read: a rundown without a reader for 2 s loses what it
 * has left, and a slow kernel's UPDATE takes longer. Return: buffers that we read
 */
static int read_while(int (*update)(int control, __u32 id), int control, __u32 id,
		      struct stream *stream)
{
	int status, buffers;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child)
		_exit(update(control, id));
	for (buffers = 0; !waitpid(child, &status, WNOHANG); buffers++, sleep_ms(PAUSE_MS))
		read_buffer(stream, 1000);
	result(!status, "UPDATE: %s", error_name(WEXITSTATUS(status)));
	return buffers;
}

/*
 * A rundown waits for the reader as long as that frees buffers. An UPDATE that wants the
 * keys ends it within ETW_RUNDOWN_DEADLINE, and takes no longer for its own: the reader,
 * which gets some 15 buffers in either time, sees a part of them.
 */
static void check_update(int control, __u32 id, struct stream *stream)
{
	int buffers = 0;

	if (on_session(control, ETW_IOC_RUNDOWN, id, 0))
		die("RUNDOWN");
	for (; !stream->logged && buffers < 60; buffers++, sleep_ms(PAUSE_MS))
		read_buffer(stream, 1000);
	result(stream->logged && stream->logged < KEYS / 4, "a rundown writes the keys # %u by now",
	       stream->logged);
	read_while(change_masks, control, id, stream);
	buffers = read_while(change_cache, control, id, stream);
	result(stream->logged < stream->made - KEYS / 4,
	       "the rundown ends before all keys are written # %u keys, %u written, %d buffers",
	       stream->made,
	       stream->logged, buffers);
	/* the CPU that wrote them may have written little else */
	if (on_session(control, ETW_IOC_FLUSH, id, 0))
		die("FLUSH");
	while (read_buffer(stream, 1000))
		;
	result(stream->network == 1,
	       "the rundown has the groups that were on meanwhile # %u", stream->network);
}

int main(void)
{
	static struct stream stream;
	struct etw_control c = { 0 };
	int control = open_control(), begin = make_sleeper();

	if (send_settings(control, ETW_IOC_START, caching, &c))
		die("START");
	stream.fd = open_node(c.logger_id, O_NONBLOCK);
	if (stream.fd < 0)
		die("the session's node");
	make_keys(&stream, begin);
	check_update(control, c.logger_id, &stream);
	if (discard_session(control, c.logger_id))
		die("STOP");
	return !!failures;
}
