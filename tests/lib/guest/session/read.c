// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A reader that stalls, or dies in a buffer; STATISTICS. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "etw_unwind.h"
#include "session.h"

static void sleep_ms(unsigned int ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

	nanosleep(&t, NULL);
}

static void print_statistics(FILE *out, __u32 id, __u32 processor)
{
	struct etw_statistics s = { .size = sizeof(s), .logger_id = id, .processor = processor };
	int i;

	if (ioctl(control, ETW_IOC_STATISTICS, &s)) {
		/* a processor that doesn't exist */
		if (processor != ETW_ALL_PROCESSORS)
			return;
		die("STATISTICS");
	}
	if (processor == ETW_ALL_PROCESSORS)
		fputs("all", out);
	else
		fprintf(out, "cpu%u", processor);
	fprintf(out, " state=%u read=%llu overwritten=%llu discarded=%llu buffered=%llu", s.state,
		s.read, s.overwritten, s.discarded, s.buffered);
	for (i = 0; i < 8; i++)
		fprintf(out, " lost%d=%llu", i, s.lost[i]);
	fprintf(out, " buffers_read=%llu buffers_overwritten=%llu internal=%llu buffers=%u free=%u",
		s.buffers_read, s.buffers_overwritten, s.internal, s.buffers, s.buffers_free);
	fprintf(out, " stacks_walked=%llu stacks_unwound=%llu stacks_compared=%llu",
		s.stacks_walked, s.stacks_unwound, s.stacks_compared);
	fprintf(out, " stacks_different=%llu uncounted=%llu", s.stacks_different, s.uncounted);
	fprintf(out, " unwind_tables=%u unwind_bytes=%llu unwind_given_back=%u unwind_frames=%llu",
		s.unwind_tables, s.unwind_bytes, s.unwind_given_back, s.unwind_frames);
	for (i = 1; i < ETW_UNWIND_ENDS; i++)
		fprintf(out, " unwind_end%d=%llu", i, s.unwind_ends[i]);
	fputc('\n', out);
	if (processor != ETW_ALL_PROCESSORS)
		return;
	for (processor = 0; processor < s.processors; processor++)
		print_statistics(out, id, processor);
}

void statistics(__u32 id, const char *file)
{
	static __u8 block[16384];
	const struct wmi_logger_information *info = (const void *)block;
	struct etw_control c = {
		.size = sizeof(c), .logger_id = id, .information_size = sizeof(block),
		.information = (unsigned long)block,
	};
	FILE *out = file ? fopen(file, "w") : stdout;

	if (!out)
		die(file);
	if (ioctl(control, ETW_IOC_QUERY, &c))
		die("QUERY");
	fprintf(out, "session %u %llu\n", id, info->wnode.time_stamp);
	print_statistics(out, id, ETW_ALL_PROCESSORS);
	if (fflush(out) || (file && fclose(out)))
		die(file);
}

int open_stream(__u32 id)
{
	int fd = open_node(id, 0);

	if (fd < 0)
		die("the stream");
	return fd;
}

int open_output(const char *file)
{
	int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0)
		die(file);
	return fd;
}

/* How a reader behaves */
struct manner {
	size_t chunk;
	unsigned int pause;
	unsigned long long most;
	unsigned int sleep;
	int dies;
	const char *statistics;
};

static void write_all(int fd, const char *data, size_t size)
{
	ssize_t n;

	for (; size; data += n, size -= n) {
		n = write(fd, data, size);
		if (n < 0)
			die("write");
	}
}

/* Up to @most bytes; all when that is 0. Returns whether the stream ended. */
static int copy(int in, int out, const struct manner *manner, unsigned long long most)
{
	char *data = malloc(manner->chunk);
	unsigned long long done = 0;
	size_t want;
	ssize_t n;

	if (!data)
		die("malloc");
	for (;;) {
		want = manner->chunk;
		if (most && most - done < want)
			want = most - done;
		if (!want)
			break;
		n = read(in, data, want);
		if (n < 0)
			die("read");
		if (!n)
			break;
		write_all(out, data, n);
		done += n;
		if (manner->pause)
			sleep_ms(manner->pause);
	}
	free(data);
	return want != 0;
}

void reader(int argc, char **argv)
{
	struct manner manner = { .chunk = 1 << 16 };
	int option, in, out, ended;
	__u32 id;

	while ((option = getopt(argc, argv, "c:d:n:s:kS:")) != -1) {
		switch (option) {
		case 'c':
			manner.chunk = strtoul(optarg, NULL, 0);
			break;
		case 'd':
			manner.pause = strtoul(optarg, NULL, 0);
			break;
		case 'n':
			manner.most = strtoull(optarg, NULL, 0);
			break;
		case 's':
			manner.sleep = strtoul(optarg, NULL, 0);
			break;
		case 'k':
			manner.dies = 1;
			break;
		case 'S':
			manner.statistics = optarg;
			break;
		default:
			die_of_usage();
		}
	}
	if (optind + 2 != argc || !manner.chunk)
		die_of_usage();
	id = strtoul(argv[optind], NULL, 0);
	in = open_stream(id);
	out = open_output(argv[optind + 1]);
	ended = copy(in, out, &manner, manner.most);
	if (manner.sleep)
		sleep_ms(manner.sleep);
	if (manner.dies)
		_exit(0);
	if (!ended)
		copy(in, out, &manner, 0);
	if (manner.statistics)
		statistics(id, manner.statistics);
}
