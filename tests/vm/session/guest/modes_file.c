// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Files that a tool wrote: no hole in what etw_torture wrote, nor between context swaps. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/stat.h>
#include "tests/lib/guest/requests.h"
#include "tests/lib/guest/torture_stream.h"

static const char usage[] =
	"modes_file [-b] [-e STATS] FILE...\n"
	"  FILE      one after another\n"
	"  -b        they begin with the first record since etw_torture was loaded\n"
	"  -e STATS  they end with the last one in its statistics\n";

static const char *const contexts[] = { "task", "softirq", "hardirq", "nmi" };
static struct stream_check seen = { .prefix = "modes_file" };
static __u64 first[MAX_CPUS][TORTURE_CONTEXTS], count[MAX_CPUS][TORTURE_CONTEXTS];
static __u32 running[MAX_CPUS];
static unsigned long long swaps, bytes, buffers;
static int any_swap[MAX_CPUS];

#define fail(...)	stream_fail(&seen, __VA_ARGS__)

static void see_torture(const __u8 *record, __u32 size, unsigned int cpu)
{
	struct torture_head head;

	check_torture(&seen, record, size, cpu);
	memcpy(&head, record + sizeof(struct perfinfo_trace_header), sizeof(head));
	if (head.context >= TORTURE_CONTEXTS)
		return;
	if (!count[cpu][head.context])
		first[cpu][head.context] = head.sequence;
	else if (head.sequence != first[cpu][head.context] + count[cpu][head.context])
		fail("cpu %u %s: sequence %llu, %llu records after %llu", cpu,
		     contexts[head.context], head.sequence, count[cpu][head.context],
		     first[cpu][head.context]);
	count[cpu][head.context]++;
}

static void see_swap(const __u8 *record, unsigned int cpu)
{
	struct wmi_contextswap swap;

	memcpy(&swap, record + sizeof(struct perfinfo_trace_header), sizeof(swap));
	if (any_swap[cpu] && running[cpu] != swap.old_thread_id)
		fail("cpu %u: thread %u leaves, but %u was there", cpu, swap.old_thread_id,
		     running[cpu]);
	any_swap[cpu] = 1;
	running[cpu] = swap.new_thread_id;
	swaps++;
}

static void see_buffer(const __u8 *buffer)
{
	struct wmi_buffer_header header;
	__u32 at, size;

	memcpy(&header, buffer, sizeof(header));
	for (at = sizeof(header); at + 16 <= header.offset; at += (size + 7) & ~7U) {
		const __u8 *record = buffer + at;
		__u16 hook = record[6] | record[7] << 8;

		size = record[2] == TRACE_HEADER_TYPE_EVENT_HEADER64 ?
			record[0] | record[1] << 8 : record[4] | record[5] << 8;
		if (size < 16) {
			fail("a record of %u bytes", size);
			return;
		}
		if (record[2] != TRACE_HEADER_TYPE_PERFINFO64)
			continue;
		if (hook >= TORTURE_HOOK && hook < TORTURE_HOOK + TORTURE_CONTEXTS)
			see_torture(record, size, header.processor_index);
		else if (hook == PERFINFO_LOG_TYPE_CONTEXTSWAP)
			see_swap(record, header.processor_index);
	}
}

static void see_file(const char *name)
{
	int fd = open(name, O_RDONLY);
	struct wmi_buffer_header header;
	struct stat st;
	size_t offset;
	__u8 *at;

	if (fd < 0 || fstat(fd, &st))
		die(name);
	at = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		die(name);
	for (offset = 0; offset < (size_t)st.st_size; offset += header.buffer_size) {
		memcpy(&header, at + offset, sizeof(header));
		if (header.buffer_size < 4096 || header.processor_index >= MAX_CPUS) {
			fail("%s: no buffer at %zu", name, offset);
			break;
		}
		see_buffer(at + offset);
		buffers++;
	}
	bytes += st.st_size;
	munmap(at, st.st_size);
}

static void check_begin(void)
{
	unsigned int cpu, i;

	for (cpu = 0; cpu < MAX_CPUS; cpu++)
		for (i = 0; i < TORTURE_CONTEXTS; i++)
			if (count[cpu][i] && first[cpu][i])
				fail("cpu %u %s: begins with %llu", cpu, contexts[i],
				     first[cpu][i]);
}

static void check_end(const char *stats)
{
	unsigned long long start, tried, placed;
	FILE *in = fopen(stats, "r");
	unsigned int cpu, id, i;
	char line[256], name[16];

	if (!in)
		die(stats);
	while (fgets(line, sizeof(line), in)) {
		if (sscanf(line, "counts %u %15s %u %llu %llu %llu", &cpu, name, &id, &start,
			   &tried, &placed) != 6)
			continue;
		for (i = 0; strcmp(name, contexts[i]); i++)
			;
		/* one that came to nothing lately may be in older buffers alone */
		if (count[cpu][i] && first[cpu][i] + count[cpu][i] != tried)
			fail("cpu %u %s: ends with %llu, not %llu", cpu, contexts[i],
			     first[cpu][i] + count[cpu][i] - 1, tried - 1);
		if (!count[cpu][i] && i == TORTURE_TASK)
			fail("cpu %u: no record of its thread", cpu);
	}
	fclose(in);
}

int main(int argc, char **argv)
{
	const char *stats = NULL;
	int option, begin = 0;
	unsigned int cpu;

	while ((option = getopt(argc, argv, "be:")) != -1) {
		if (option == 'b')
			begin = 1;
		else if (option == 'e')
			stats = optarg;
		else
			optind = argc + 1;
	}
	if (optind >= argc) {
		fputs(usage, stderr);
		return 2;
	}
	torture_table_init();
	for (; optind < argc; optind++)
		see_file(argv[optind]);
	if (begin)
		check_begin();
	if (stats)
		check_end(stats);
	printf("# %llu buffers, %llu bytes, %llu swaps;", buffers, bytes, swaps);
	for (cpu = 0; cpu < MAX_CPUS; cpu++)
		if (count[cpu][0])
			printf(" cpu %u: %llu from %llu;", cpu, count[cpu][0], first[cpu][0]);
	putchar('\n');
	return seen.failures != 0;
}
