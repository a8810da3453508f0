// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Streams of a torture run: whole, in order, and no record unaccounted for. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "torture_stream.h"

static const char usage[] =
	"torture_check [-k] STATISTICS STATS STREAM...\n"
	"  -k          kernel events are in it, too; nothing may be lost then\n"
	"  STATISTICS  of the session, as \"session stats\" or \"session read -S\" writes\n"
	"  STATS       of the torture module after its last record\n"
	"  STREAM      what the readers saved, in their order; one that died may have\n"
	"              left part of a buffer, which the next one got again\n";

struct totals {
	unsigned long long read, overwritten, discarded, buffered, lost, internal;
	int known;
};

static struct totals all, cpus[MAX_CPUS];
static unsigned long long start;
static unsigned long long attempted[MAX_CPUS], written[MAX_CPUS], nested;
static int with_kernel;

static struct stream_check seen = { .prefix = "torture_check" };

#define fail(...)	stream_fail(&seen, __VA_ARGS__)

static void fatal(const char *what)
{
	fprintf(stderr, "torture_check: %s: %s\n", what, strerror(errno));
	exit(2);
}

/* Pairs name=value; what has no place here is passed over */
static void parse_totals(char *line, struct totals *to)
{
	unsigned long long value;
	static const char separators[] = { ' ', '\n', 0 };
	char *word;

	to->known = 1;
	for (word = strtok(line, separators); word; word = strtok(NULL, separators)) {
		if (!strchr(word, '='))
			continue;
		value = strtoull(strchr(word, '=') + 1, NULL, 10);
		if (!strncmp(word, "read=", 5))
			to->read = value;
		else if (!strncmp(word, "overwritten=", 12))
			to->overwritten = value;
		else if (!strncmp(word, "discarded=", 10))
			to->discarded = value;
		else if (!strncmp(word, "buffered=", 9))
			to->buffered = value;
		else if (!strncmp(word, "lost", 4))
			to->lost += value;
		else if (!strncmp(word, "internal=", 9))
			to->internal = value;
	}
}

static void parse_statistics(const char *file)
{
	FILE *in = fopen(file, "r");
	unsigned int cpu;
	char line[1024];

	if (!in)
		fatal(file);
	while (fgets(line, sizeof(line), in)) {
		if (sscanf(line, "session %u %llu", &seen.logger, &start) == 2)
			continue;
		if (!strncmp(line, "all ", 4))
			parse_totals(line, &all);
		else if (sscanf(line, "cpu%u", &cpu) == 1 && cpu < MAX_CPUS)
			parse_totals(line, &cpus[cpu]);
	}
	fclose(in);
	if (!all.known || !start)
		fail("%s is not complete", file);
}

static void parse_stats(const char *file)
{
	unsigned long long begun, tried, placed, nesting;
	unsigned int cpu, id;
	FILE *in = fopen(file, "r");
	char line[256], name[16];

	if (!in)
		fatal(file);
	while (fgets(line, sizeof(line), in)) {
		if (sscanf(line, "nested %u %15s %llu", &cpu, name, &nesting) == 3) {
			nested += nesting;
		} else if (sscanf(line, "counts %u %15s %u %llu %llu %llu", &cpu, name, &id, &begun,
				  &tried, &placed) == 6 &&
			   cpu < MAX_CPUS && id == seen.logger && begun == start) {
			attempted[cpu] += tried;
			written[cpu] += placed;
		}
	}
	fclose(in);
}

static void check_stream(const char *name, int is_last)
{
	int fd = open(name, O_RDONLY);
	__u64 n, buffers;
	struct stat st;
	__u32 size;
	__u8 *at;

	if (fd < 0 || fstat(fd, &st))
		fatal(name);
	if (st.st_size < 4096) {
		close(fd);
		return;
	}
	at = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		fatal(name);
	size = check_header(&seen, at);
	if (!size)
		return;
	buffers = st.st_size / size;
	if (is_last && st.st_size % size)
		fail("%s ends within a buffer", name);
	for (n = 1; n < buffers; n++)
		check_buffer(&seen, at + n * size, size, n, is_last && n + 1 == buffers);
	munmap(at, st.st_size);
}

static void expect(unsigned long long is, unsigned long long should, const char *what, int cpu)
{
	if (is == should)
		return;
	if (cpu < 0)
		fail("%s: %llu, should be %llu", what, is, should);
	else
		fail("cpu %d: %s: %llu, should be %llu", cpu, what, is, should);
}

/*
 * Statistics of a CPU include the records that the session wrote about itself
 * there, which are reported only as a sum.
 */
static void check_law(void)
{
	unsigned long long tried = 0, placed = 0, ours = 0, internal = 0;
	int cpu;

	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		const struct totals *t = &cpus[cpu];

		tried += attempted[cpu];
		placed += written[cpu];
		ours += seen.ours[cpu];
		if (!t->known)
			continue;
		if (with_kernel)
			expect(seen.ours[cpu], written[cpu], "records in the streams", cpu);
		expect(t->lost, attempted[cpu] - written[cpu], "lost", cpu);
		internal += t->read + t->overwritten + t->discarded + t->buffered - written[cpu];
	}
	expect(all.lost, tried - placed, "lost", -1);
	/* in a session with kernel events the stream itself says how many there were */
	expect(tried + (with_kernel ? seen.kernel + seen.others : all.internal),
	       all.read + all.overwritten + all.discarded + all.buffered + all.lost,
	       "attempted", -1);
	if (!with_kernel && internal > all.internal)
		fail("%llu records too many in the CPUs' statistics", internal - all.internal);
	expect(ours + seen.others + seen.kernel, all.read, "records in the streams", -1);
	printf("attempted %llu written %llu lost %llu overwritten %llu internal %llu\n", tried,
	       placed, all.lost, all.overwritten, all.internal);
	printf("%llu in the streams, %llu of them over other writers, of %llu\n", ours,
	       seen.over, nested);
	if (!tried)
		fail("no record came from this session");
}

int main(int argc, char **argv)
{
	int n;

	if (argc > 1 && !strcmp(argv[1], "-k")) {
		with_kernel = 1;
		argc--;
		argv++;
	}
	if (argc < 3) {
		fputs(usage, stderr);
		return 2;
	}
	torture_table_init();
	parse_statistics(argv[1]);
	parse_stats(argv[2]);
	for (n = 3; n < argc; n++)
		check_stream(argv[n], n + 1 == argc);
	check_law();
	if (seen.failures)
		printf("torture_check: %d failures\n", seen.failures);
	return seen.failures != 0;
}
