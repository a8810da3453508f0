// SPDX-License-Identifier: GPL-2.0
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
#include "etw_abi.h"
#include "etw_hooks.h"
#include "tests/kmod/etw_torture.h"

static const char usage[] =
	"torture_check STATISTICS STATS STREAM...\n"
	"  STATISTICS  of the session, as \"session stats\" or \"session read -S\" writes\n"
	"  STATS       of the torture module when nobody wrote any more\n"
	"  STREAM      what the readers saved, in their order; one that died may have\n"
	"              left part of a buffer, which the next one got again\n";

#define MAX_CPUS	64

struct totals {
	unsigned long long read, overwritten, discarded, buffered, lost, internal;
	int known;
};

static struct totals all, cpus[MAX_CPUS];
static unsigned int logger;
static unsigned long long start;
static unsigned long long attempted[MAX_CPUS], written[MAX_CPUS], nested;

/* What was seen in the streams */
static unsigned long long ours[MAX_CPUS], others, over;
static unsigned long long last_sequence[MAX_CPUS][TORTURE_CONTEXTS];
static __u64 last_time[MAX_CPUS];
static __s64 last_handed_over;
static __u8 table[TORTURE_TABLE];
static int failures;

static void fail(const char *format, ...)
{
	va_list args;

	if (failures++ > 20)
		return;
	va_start(args, format);
	fputs("torture_check: ", stdout);
	vprintf(format, args);
	putchar('\n');
	va_end(args);
}

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
		if (sscanf(line, "session %u %llu", &logger, &start) == 2)
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
			   cpu < MAX_CPUS && id == logger && begun == start) {
			attempted[cpu] += tried;
			written[cpu] += placed;
		}
	}
	fclose(in);
}

static void check_torture(const __u8 *record, __u32 size, unsigned int cpu)
{
	struct perfinfo_trace_header header;
	struct torture_head head;
	__u64 *last;

	memcpy(&header, record, sizeof(header));
	if (size < sizeof(header) + sizeof(head)) {
		fail("a record of %u bytes", size);
		return;
	}
	memcpy(&head, record + sizeof(header), sizeof(head));
	if (head.magic != TORTURE_MAGIC || head.context >= TORTURE_CONTEXTS ||
	    head.check != torture_check(&head) || head.cpu != cpu ||
	    header.version != TORTURE_VERSION || header.hook_id != TORTURE_HOOK + head.context ||
	    head.length > TORTURE_MAX_LENGTH ||
	    size != sizeof(header) + sizeof(head) + head.length) {
		fail("a torn header: cpu %u context %u sequence %llu", cpu, head.context,
		     head.sequence);
		return;
	}
	if (memcmp(record + sizeof(header) + sizeof(head), table + torture_offset(&head),
		   head.length))
		fail("a torn pattern: cpu %u context %u sequence %llu", cpu, head.context,
		     head.sequence);
	last = (__u64 *)&last_sequence[cpu][head.context];
	if (head.sequence + 1 <= *last)
		fail("cpu %u context %u: sequence %llu after %llu", cpu, head.context,
		     head.sequence, *last - 1);
	*last = head.sequence + 1;
	over += !!head.depth;
	ours[cpu]++;
}

/* Returns the bytes that the record takes, 0 when it makes no sense. */
static __u32 check_record(const __u8 *record, __u32 left, unsigned int cpu, int trailer)
{
	__u32 size, total, i;
	__u64 time;

	memcpy(&size, record, sizeof(size));
	if (left < 16)
		return 0;
	if (record[2] == TRACE_HEADER_TYPE_PERFINFO64) {
		size = record[4] | record[5] << 8;
		memcpy(&time, record + 8, sizeof(time));
	} else if (record[2] == TRACE_HEADER_TYPE_EVENT_HEADER64) {
		size = record[0] | record[1] << 8;
		memcpy(&time, record + 16, sizeof(time));
	} else {
		fail("cpu %u: record type %x", cpu, record[2]);
		return 0;
	}
	total = (size + ETW_RECORD_ALIGN - 1) & ~(ETW_RECORD_ALIGN - 1);
	if (size < 16 || total > left) {
		fail("cpu %u: a record of %u bytes, %u left", cpu, size, left);
		return 0;
	}
	for (i = size; i < total; i++)
		if (record[i])
			fail("cpu %u: padding is not zero", cpu);
	if (!trailer && time < last_time[cpu])
		fail("cpu %u: time %llu after %llu", cpu, time, last_time[cpu]);
	if (!trailer)
		last_time[cpu] = time;
	if (record[2] == TRACE_HEADER_TYPE_PERFINFO64)
		check_torture(record, size, cpu);
	else
		others++;
	return total;
}

static void check_buffer(const __u8 *buffer, __u32 buffer_size, __u64 sequence, int last)
{
	struct wmi_buffer_header header;
	__u32 pos = sizeof(header), size, i;
	int trailer;

	memcpy(&header, buffer, sizeof(header));
	if (header.buffer_size != buffer_size || header.offset < sizeof(header) ||
	    header.offset > buffer_size || header.saved_offset != header.offset ||
	    header.current_offset != header.offset || header.reference_count ||
	    header.state != ETW_BUFFER_STATE_FLUSH || header.logger_id != logger ||
	    header.processor_index >= MAX_CPUS || header.clock || header.reserved[0]) {
		fail("buffer %llu: a bad header", sequence);
		return;
	}
	if (header.sequence_number != sequence)
		fail("buffer %llu has number %llu", sequence, header.sequence_number);
	if (header.time_stamp < last_handed_over)
		fail("buffer %llu: handed over before its predecessor", sequence);
	last_handed_over = header.time_stamp;
	if (header.offset == sizeof(header))
		fail("buffer %llu is empty", sequence);
	/* the last buffer of a stopped session is not a CPU's */
	trailer = last && buffer[pos + 2] == TRACE_HEADER_TYPE_EVENT_HEADER64;
	for (; pos < header.offset; pos += size) {
		size = check_record(buffer + pos, header.offset - pos, header.processor_index,
				    trailer);
		if (!size)
			break;
	}
	for (i = header.offset; i < buffer_size; i++) {
		if (buffer[i] != 0xFF) {
			fail("buffer %llu: no fill at %u", sequence, i);
			break;
		}
	}
}

static void check_stream(const char *name, int is_last)
{
	struct wmi_buffer_header header;
	int fd = open(name, O_RDONLY);
	__u64 n, buffers;
	struct stat st;
	__u8 *at;

	if (fd < 0 || fstat(fd, &st))
		fatal(name);
	if (st.st_size < (off_t)sizeof(header)) {
		close(fd);
		return;
	}
	at = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		fatal(name);
	memcpy(&header, at, sizeof(header));
	if (header.buffer_type != ETW_BUFFER_TYPE_HEADER || header.sequence_number ||
	    header.buffer_size < 4096) {
		fail("%s: no header buffer", name);
		return;
	}
	last_handed_over = 0;
	buffers = st.st_size / header.buffer_size;
	if (is_last && st.st_size % header.buffer_size)
		fail("%s ends within a buffer", name);
	for (n = 1; n < buffers; n++)
		check_buffer(at + n * header.buffer_size, header.buffer_size, n,
			     is_last && n + 1 == buffers);
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
 * there, which are told only as a sum.
 */
static void check_law(void)
{
	unsigned long long tried = 0, placed = 0, seen = 0, internal = 0;
	int cpu;

	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		const struct totals *t = &cpus[cpu];

		tried += attempted[cpu];
		placed += written[cpu];
		seen += ours[cpu];
		if (!t->known)
			continue;
		expect(t->lost, attempted[cpu] - written[cpu], "lost", cpu);
		internal += t->read + t->overwritten + t->discarded + t->buffered - written[cpu];
	}
	expect(all.lost, tried - placed, "lost", -1);
	expect(tried, all.read + all.overwritten + all.discarded + all.buffered + all.lost -
	       all.internal, "attempted", -1);
	if (internal > all.internal)
		fail("%llu records too many in the CPUs' statistics", internal - all.internal);
	expect(seen + others, all.read, "records in the streams", -1);
	printf("attempted %llu written %llu lost %llu overwritten %llu internal %llu\n", tried,
	       placed, all.lost, all.overwritten, all.internal);
	printf("%llu in the streams, %llu of them over other writers, of %llu\n", seen,
	       over, nested);
	if (!tried)
		fail("nobody wrote to this session");
}

int main(int argc, char **argv)
{
	__u32 i;
	int n;

	if (argc < 3) {
		fputs(usage, stderr);
		return 2;
	}
	for (i = 0; i < TORTURE_TABLE; i++)
		table[i] = torture_byte(i);
	parse_statistics(argv[1]);
	parse_stats(argv[2]);
	for (n = 3; n < argc; n++)
		check_stream(argv[n], n + 1 == argc);
	check_law();
	if (failures)
		printf("torture_check: %d failures\n", failures);
	return failures != 0;
}
