// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A writer with a plain file as its session, and its consumers. realtime NODE */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/lib/guest/check.h"
#include "tools/libetw/writer_protocol.h"
#include "tools/libetw/writer/realtime.h"

#define SIZE	65536u
#define EVENTS	10
#define BUFFERS	441
#define KERNEL_LOST	7

static struct realtime realtime;
static struct block block;

static void check(const char *name, int passed)
{
	check_that(passed, "%s", name);
}

static void serve(int ms)
{
	struct pollfd fds[REALTIME_POLLS];

	realtime_poll(&realtime, fds);
	if (poll(fds, REALTIME_POLLS, ms) > 0)
		realtime_serve(&realtime, fds);
}

/* Return: 0, or the errno that a consumer with this user and group gets */
static int asked(uid_t user, gid_t group, const struct block *query)
{
	pid_t child = fork();
	int status, fd;

	if (!child) {
		if (setgroups(1, &group) || setgid(user) || setuid(user))
			_exit(255);
		fd = writer_open_stream(block.info.wnode.historical_context, query);
		_exit(fd < 0 ? -fd : 0);
	}
	while (!waitpid(child, &status, WNOHANG))
		serve(10);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void check_rights(int node)
{
	const uid_t owner = 65534, other = 65533;
	const gid_t group = 1234;

	check("root is accepted", !asked(0, 0, &block) && !asked(0, 0, NULL));
	check("another user is refused", asked(other, group, NULL) == EACCES);
	check("the node gets another owner", !fchown(node, owner, group));
	fchmod(node, 0400);
	check("0400: the owner of the node is accepted", !asked(owner, 1, NULL));
	check("0400: a member of the group is refused", asked(other, group, NULL) == EACCES);
	fchmod(node, 0040);
	check("0040: a member of the group is accepted", !asked(other, group, NULL));
	check("0040: the owner is refused", asked(owner, 1, NULL) == EACCES);
	check("0040: another user is refused", asked(other, 1, NULL) == EACCES);
	fchmod(node, 0004);
	check("0004: a member of the group is refused", asked(other, group, NULL) == EACCES);
	check("0004: another user is accepted", !asked(other, 1, NULL));
}

/* Return: a consumer that has read the answer and nothing more */
static int connect_one(uint32_t *answer)
{
	struct sockaddr_un address;
	socklen_t length = writer_stream_address(&address, block.info.wnode.historical_context,
						 block.info.wnode.time_stamp);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	*answer = ~0u;
	if (connect(fd, (struct sockaddr *)&address, length))
		return -1;
	serve(1000);
	if (read(fd, answer, sizeof(*answer)) != sizeof(*answer))
		return -1;
	return fd;
}

static void check_places(void)
{
	uint32_t answers[MAX_CONSUMERS], answer, refused = 0;
	int fds[MAX_CONSUMERS], i, fd;

	for (i = 0; i < MAX_CONSUMERS; i++) {
		fds[i] = connect_one(&answers[i]);
		refused += answers[i];
	}
	close(connect_one(&answer));
	check("a consumer too many is refused", !refused && answer == ENOSPC);
	close(fds[0]);
	fd = connect_one(&answer);
	check("one that has ended leaves its place", !answer);
	close(fd);
	for (i = 1; i < MAX_CONSUMERS; i++)
		close(fds[i]);
	serve(1000);
}

/* Buffers of this event of our own, or of EVENTS events of another provider if it is 0 */
static uint16_t own;

static uint32_t put_own(uint8_t *to, const struct etw_event_header *like)
{
	static const struct etw_guid provider = ETW_LINUX_PROVIDER_GUID;
	const struct etw_loss loss = {
		.count = KERNEL_LOST, .total = KERNEL_LOST, .first = 1, .last = 2,
	};
	struct etw_event_header event = *like;

	event.size = sizeof(event) + sizeof(loss);
	event.provider_id = provider;
	event.id = own;
	memcpy(to, &event, sizeof(event));
	memcpy(to + sizeof(event), &loss, sizeof(loss));
	return event.size;
}

/* The buffer with number @number; the first one is the header buffer */
static void fill(uint8_t *bytes, uint32_t number)
{
	struct wmi_buffer_header header = {
		.buffer_size = SIZE, .sequence_number = number, .time_stamp = 1000 + number,
		.buffer_type = number ? ETW_BUFFER_TYPE_GENERIC : ETW_BUFFER_TYPE_HEADER,
		.buffer_flag = ETW_BUFFER_FLAG_PROC_INDEX |
			       (number == BUFFERS ? ETW_BUFFER_FLAG_FLUSH_MARKER : 0),
	};
	struct etw_event_header event = {
		.size = sizeof(event), .time_stamp = 900 + number, .provider_id = { .data1 = 1 },
		.header_type = TRACE_HEADER_TYPE_EVENT_HEADER64 | TRACE_HEADER_FLAGS << 8,
	};
	uint32_t at = sizeof(header), i;

	memset(bytes, 0xff, SIZE);
	for (i = 0; i < EVENTS && !own; i++, at += sizeof(event))
		memcpy(bytes + at, &event, sizeof(event));
	if (own)
		at += put_own(bytes + at, &event);
	header.saved_offset = at;
	header.current_offset = at;
	header.offset = at;
	memcpy(bytes, &header, sizeof(header));
}

/* In two pieces */
static void put(uint32_t number)
{
	static uint8_t bytes[SIZE];

	fill(bytes, number);
	realtime_put(&realtime, bytes, 1000);
	realtime_put(&realtime, bytes + 1000, SIZE - 1000);
	serve(0);
}

/**
 * struct got - what a consumer has read
 * @buffers: of the session
 * @reports: buffers with a loss record
 * @lost: events, by all loss records
 * @total: events, by the last one
 * @disorder: buffers that were not behind the one before
 */
struct got {
	uint64_t buffers, reports, lost, total, disorder, last;
};

static void take(const uint8_t *bytes, const struct wmi_buffer_header *header, struct got *got)
{
	struct etw_loss loss;

	if (header->buffer_size == SIZE) {
		got->disorder += got->buffers && header->sequence_number <= got->last;
		got->last = header->sequence_number;
		got->buffers++;
		return;
	}
	memcpy(&loss, bytes + sizeof(struct etw_event_header), sizeof(loss));
	got->reports++;
	got->lost += loss.count;
	got->total = loss.total;
}

/* Up to @most buffers, or to the end. The writer is served, if it is this process */
static void read_stream(int fd, unsigned int most, struct got *got)
{
	static uint8_t rest[SIZE];
	struct wmi_buffer_header header;

	while (most--) {
		if (recv(fd, &header, sizeof(header), MSG_WAITALL) != sizeof(header))
			return;
		if (recv(fd, rest, header.buffer_size - sizeof(header), MSG_WAITALL) < 0)
			return;
		take(rest, &header, got);
		if (most)
			serve(0);
	}
}

static void put_range(uint32_t from, uint32_t to)
{
	for (; from <= to; from++)
		put(from);
}

/* A consumer that reads nothing before the end, one that reads twice, one that ends */
static void check_losses(void)
{
	struct got none = { 0 }, twice = { 0 };
	uint32_t answer, missing;
	int first = connect_one(&answer), second, ended;
	pid_t writer;

	put_range(0, 0);
	second = connect_one(&answer);
	ended = connect_one(&answer);
	put_range(1, 50);
	close(ended);
	put_range(51, 300);
	read_stream(second, 60, &twice);
	put_range(301, 400);
	put_range(401, BUFFERS);
	missing = realtime.lost;
	realtime_close(&realtime);
	writer = fork();
	if (!writer) {
		realtime_drain(&realtime, -1);
		_exit(0);
	}
	/* so that the streams end with the writer */
	consumer_drop(&realtime.consumers[0]);
	consumer_drop(&realtime.consumers[1]);
	read_stream(first, UINT32_MAX, &none);
	read_stream(second, UINT32_MAX, &twice);
	waitpid(writer, NULL, 0);
	check("no consumer gets buffers out of order", !none.disorder && !twice.disorder);
	check("each one gets the first buffer and the last one", none.last == BUFFERS &&
	      twice.last == BUFFERS && none.buffers > 100);
	check("loss records have what is missing", none.reports && none.lost == none.total &&
	      none.lost == EVENTS * (BUFFERS + 1 - none.buffers));
	check("several gaps add up", twice.reports > 1 && twice.lost == twice.total &&
	      twice.lost == EVENTS * (BUFFERS + 1 - twice.buffers));
	check("the number of lost buffers is exact",
	      missing == 2 * (BUFFERS + 1) - none.buffers - twice.buffers);
}

/* Return: events lost by what is queued when a buffer with the event @id is lost; -1: no report */
static int64_t lost_with(uint16_t id)
{
	static struct rt_consumer consumer;
	struct shared *buffer = shared_new(SIZE);
	struct wmi_buffer_header header;
	struct etw_loss loss;
	int64_t lost = -1;

	own = id;
	fill(buffer->bytes, 1);
	own = 0;
	consumer_init(&consumer, -1);
	consumer_push(&consumer, buffer);
	consumer_lose(&consumer, buffer);
	consumer_push(&consumer, buffer);
	if (consumer.count == 3) {
		memcpy(&header, consumer.queue[1]->bytes, sizeof(header));
		memcpy(&loss, consumer.queue[1]->bytes + sizeof(header) +
		       sizeof(struct etw_event_header), sizeof(loss));
		lost = header.buffer_size > sizeof(header) ? loss.count : 0;
	}
	consumer_drop(&consumer);
	shared_put(buffer);
	return lost;
}

static void check_own(void)
{
	check("a lost buffer without events of a provider is not reported",
	      lost_with(ETW_LINUX_EVENT_FLUSHED) == -1);
	check("a loss record in a lost buffer is counted",
	      lost_with(ETW_LINUX_EVENT_LOSS) == KERNEL_LOST);
}

int main(int argc, char **argv)
{
	int node = argc > 1 ? open(argv[1], O_RDWR | O_CREAT, 0600) : -1;

	setvbuf(stdout, NULL, _IONBF, 0);
	block.info.wnode.historical_context = getpid() & UINT16_MAX;
	block.info.wnode.time_stamp = getpid();
	block.info.buffer_size = SIZE / 1024;
	check("without a writer there is no stream",
	      writer_open_stream(block.info.wnode.historical_context, &block) == -ECONNREFUSED);
	realtime_init(&realtime);
	check("the consumers' sockets are there", node >= 0 &&
	      !realtime_begin(&realtime, node, &block.info));
	check_rights(node);
	check_places();
	check_losses();
	check_own();
	return failures != 0;
}
