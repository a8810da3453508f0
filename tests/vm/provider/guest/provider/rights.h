/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Rights to write to a session, and how much may be written. */
#ifndef ETW_TEST_PROVIDER_RIGHTS_H
#define ETW_TEST_PROVIDER_RIGHTS_H

#include <pthread.h>
#include "tests/lib/guest/provider.h"

#define NAMED	1234
#define GROUP	2345
#define OTHER	3456

static const struct wish plain = { .name = "rights", .kb = 64, .buffers = 64 };

/* With a file of one's own */
static int write_one(void)
{
	struct event_trace_header event = event_of(sizeof(event), 0);
	int fd = open(PROVIDER, O_RDWR);

	return fd < 0 ? 250 : trace_to(fd, session, &event, 0);
}

static int write_image_id(void)
{
	struct event_trace_header event = event_of(sizeof(event), 0);
	int fd = open(PROVIDER, O_RDWR);

	event.guid = (struct etw_guid){
		0xb3e675d7, 0x2554, 0x4f18, { 0x83, 0x0b, 0x27, 0x62, 0x73, 0x25, 0x60, 0xde },
	};
	return fd < 0 ? 250 : trace_to(fd, session, &event, 0);
}

/* With the file that root opened */
static int write_passed(void)
{
	struct event_trace_header event = event_of(sizeof(event), 0);

	return trace_by_write(provider, session, &event, sizeof(event));
}

static int trace_passed(void)
{
	struct event_trace_header event = event_of(sizeof(event), 0);

	return trace(&event);
}

static void plain_session(void)
{
	session = start_taker(&plain, 0, 0);
	result(!write_one(), "a session without kernel events takes its starter's");
	result(as_user(OTHER, 0, write_one) == EACCES, "EACCES for another user");
	result(!as_user(OTHER, 0, trace_passed), "a process that was given a file may trace by it");
	result(as_user(OTHER, 0, write_passed) == EPERM,
	       "EPERM for write() by another user than the opener");
	result(!write_image_id(), "a user with control may write as ImageID");
	discard_session(control, session);
}

static void start_named(__u32 flags, __u32 enable_flags)
{
	const __u32 options[] = { flags, ETW_NO_RATE_LIMIT };
	struct wish wish = plain;
	struct etw_control c = { 0 };
	struct request r;

	wish.flags = enable_flags;
	request_begin(&r, &wish);
	request_add_dword(&r, ETW_EXT_VND_PROVIDER_UIDS, NAMED);
	request_add_dword(&r, ETW_EXT_VND_PROVIDER_GIDS, GROUP);
	request_add(&r, ETW_EXT_VND_PROVIDER_OPTIONS, options, 2);
	errno = request_send(control, ETW_IOC_START, &r, &c);
	if (errno)
		die("START");
	session = c.logger_id;
}

static void named_session(__u32 flags, __u32 enable_flags, int good, const char *what)
{
	start_named(flags, enable_flags);
	result(as_user(NAMED, 0, write_one) == good, "%s: a user that START named", what);
	result(as_user(OTHER, GROUP, write_one) == good, "%s: a group", what);
	result(as_user(OTHER, NAMED, write_one) == EACCES, "%s: EACCES for others", what);
	result(write_one() == good, "%s: its starter", what);
	result(as_user(NAMED, 0, write_image_id) == EACCES, "%s: EACCES for ImageID", what);
	discard_session(control, session);
}

static void options_of_session(void)
{
	struct event_trace_header event = event_of(sizeof(event), WNODE_FLAG_USE_TIMESTAMP);

	session = start_taker(&plain, 0, 0);
	result(trace(&event) == EACCES, "EACCES for a time stamp that the session doesn't take");
	set_rules(ETW_RULES_5_0);
	event.flags = WNODE_FLAG_USE_TIMESTAMP | WNODE_FLAG_TRACED_GUID;
	result(!trace(&event), "5.0 has no USE_TIMESTAMP");
	event.flags = WNODE_FLAG_LOG_WNODE;
	event.header_type = 0;
	event.marker_flags = 0;
	result(trace(&event) == EACCES, "EACCES for a WNODE_HEADER that it doesn't take");
	set_rules(ETW_RULES_5_1);
	discard_session(control, session);
}

/* By several files, and by opening anew: it is the user's share */
static void rate_limit(void)
{
	struct event_trace_header event = event_of(sizeof(event), 0);
	struct etw_statistics s;
	struct stream stream;
	int i, fd, err, good = 0, refused = 0;

	session = start_taker(&plain, 0, 50);
	for (i = 0; i < 300; i++) {
		fd = open(PROVIDER, O_RDWR);
		err = trace_to(fd, session, &event, 0);
		good += !err;
		refused += err == EDQUOT;
		close(fd);
	}
	stream = stop_and_read(session, &s);
	result(good >= 50 && refused > 100 && good + refused == 300,
	       "50 events a second: no more than the burst is written # %d of 300", good);
	result(s.lost[ETW_LOSS_RATE] == (__u64)refused && all_lost(&s) == (__u64)refused &&
	       count_events(&stream) == (__u32)good, "EDQUOT, counted # %llu",
	       s.lost[ETW_LOSS_RATE]);
	free(stream.data);
}

static struct {
	struct event_trace_header header;
	__u8 data[5000];
} much;

static void small_buffers(void)
{
	static const struct wish wish = { .name = "small", .kb = 4, .buffers = 4 };
	__u32 good = 0, large = 0, full = 0, other = 0;
	struct etw_statistics s;
	struct stream stream;
	int i, err;

	session = start_taker(&wish, 0, 0);
	for (i = 0; i < 100; i++) {
		much.header = event_of(i & 1 ? sizeof(much) : 1000, 0);
		err = trace(&much);
		good += !err;
		large += err == EMSGSIZE;
		full += err == ENOBUFS;
		other += err && err != EMSGSIZE && err != ENOBUFS;
	}
	stream = stop_and_read(session, &s);
	result(large == 50 && s.lost[ETW_LOSS_TOO_LARGE] == large,
	       "EMSGSIZE for what no buffer holds, counted # %u", large);
	result(full && !other && good + full == 50 && s.lost[ETW_LOSS_NO_BUFFER] == full,
	       "ENOBUFS where no buffer is free, counted # %u", full);
	result(count_events(&stream) == good,
	       "the stream has the events that were written # %u of 100", good);
	free(stream.data);
}

static __u64 written[4];

static void *write_until_it_ends(void *arg)
{
	struct event_trace_header event = event_of(sizeof(event), 0);
	__u64 *n = arg;
	int err;

	do {
		err = trace(&event);
		*n += !err;
	} while (err != EBADF);
	return NULL;
}

static void stop_under_load(void)
{
	static const struct wish wish = { .name = "stop", .kb = 64, .buffers = 256 };
	__u64 sum = 0, lost = 0;
	struct etw_statistics s;
	struct stream stream;
	pthread_t thread[4];
	__u32 i, seen = 0;
	int round;

	for (round = 0; round < 10; round++) {
		memset(written, 0, sizeof(written));
		session = start_taker(&wish, 0, 0);
		for (i = 0; i < 4; i++)
			pthread_create(&thread[i], NULL, write_until_it_ends, &written[i]);
		sleep_ms(20);
		stream = stop_and_read(session, &s);
		for (i = 0; i < 4; i++)
			pthread_join(thread[i], NULL);
		for (i = 0; i < 4; i++)
			sum += written[i];
		lost += all_lost(&s);
		seen += count_events(&stream);
		free(stream.data);
	}
	result(sum == seen && sum > 100,
	       "STOP under load: all events that were written come # %u come, %llu written, %llu lost",
	       seen, (unsigned long long)sum, (unsigned long long)lost);
}

static void test_rights(void)
{
	plain_session();
	named_session(0, 0, 0, "a session without kernel events");
	named_session(0, EVENT_TRACE_FLAG_CSWITCH, EACCES, "kernel events");
	named_session(ETW_PROVIDER_KERNEL_SESSION, EVENT_TRACE_FLAG_CSWITCH, 0,
		      "kernel events, KERNEL_SESSION");
	options_of_session();
	rate_limit();
	small_buffers();
	stop_under_load();
}

#endif /* ETW_TEST_PROVIDER_RIGHTS_H */
