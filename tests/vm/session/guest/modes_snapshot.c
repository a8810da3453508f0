// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Snapshots of a flight recorder under load: each one whole, new enough, with its own names. */
#define _GNU_SOURCE
#include "tests/lib/guest/requests.h"
#include "tests/lib/guest/torture_stream.h"

static const char usage[] =
	"modes_snapshot ID COUNT\n"
	"  ID     an overwriting session of etw_torture's first run since it was loaded,\n"
	"         so that a record's sequence number is how many were attempted before\n";

#define STATS		"/sys/kernel/debug/etw_torture/stats"
#define MAX_TIDS	65536
#define PF_EXITING	0x4

/* What one snapshot has of a CPU */
struct seen_cpu {
	__u64 first[TORTURE_CONTEXTS];
	__u64 count[TORTURE_CONTEXTS];
	__u32 running;		/* that the last context swap brought */
	int swaps;
	__u64 records;		/* of whatever kind */
};

struct snapshot {
	struct stream_check check;
	struct seen_cpu cpus[MAX_CPUS];
	__u64 swaps;
	__u64 processes;
	__u64 threads;
	int complete;
	__u8 swapped[MAX_TIDS];		/* in a context swap */
	__u8 named[MAX_TIDS];		/* in a 0504 with a process that is in a 0304 */
	__u32 process_of[MAX_TIDS];
	__u8 process[MAX_TIDS];
};

static const char *const contexts[] = { "task", "softirq", "hardirq", "nmi" };
static struct snapshot snapshot;
static __u64 attempted[MAX_CPUS][TORTURE_CONTEXTS];
static __u64 session_start;
static __u64 holes, total_records, total_swaps, total_threads, ended_tids;
static int failures_of_streams;

#define fail(...)	stream_fail(&snapshot.check, __VA_ARGS__)

/* What each context had written before now; others go on */
static void read_attempted(__u32 id)
{
	unsigned long long start, tried, placed;
	unsigned int cpu, logger, i;
	FILE *in = fopen(STATS, "r");
	char line[256], name[16];

	if (!in)
		die(STATS);
	while (fgets(line, sizeof(line), in)) {
		if (sscanf(line, "counts %u %15s %u %llu %llu %llu", &cpu, name, &logger, &start,
			   &tried, &placed) != 6 || logger != id || start != session_start)
			continue;
		for (i = 0; i < TORTURE_CONTEXTS; i++)
			if (!strcmp(name, contexts[i]))
				attempted[cpu][i] = tried;
	}
	fclose(in);
}

static void see_torture(const __u8 *record, unsigned int cpu)
{
	struct seen_cpu *seen = &snapshot.cpus[cpu];
	struct torture_head head;

	memcpy(&head, record + sizeof(struct perfinfo_trace_header), sizeof(head));
	if (head.context >= TORTURE_CONTEXTS)
		return;
	if (!seen->count[head.context]) {
		seen->first[head.context] = head.sequence;
	} else if (head.sequence != seen->first[head.context] + seen->count[head.context]) {
		holes++;
		fail("cpu %u %s: sequence %llu after %llu", cpu, contexts[head.context],
		     head.sequence, seen->first[head.context] + seen->count[head.context] - 1);
		seen->first[head.context] = head.sequence - seen->count[head.context];
	}
	seen->count[head.context]++;
}

/* The thread that leaves a CPU is the one that came to it last. */
static void see_swap(const __u8 *record, unsigned int cpu)
{
	struct seen_cpu *seen = &snapshot.cpus[cpu];
	struct wmi_contextswap swap;

	memcpy(&swap, record + sizeof(struct perfinfo_trace_header), sizeof(swap));
	if (seen->swaps++ && seen->running != swap.old_thread_id)
		fail("cpu %u: thread %u leaves, but %u was there", cpu, swap.old_thread_id,
		     seen->running);
	seen->running = swap.new_thread_id;
	if (swap.new_thread_id < MAX_TIDS)
		snapshot.swapped[swap.new_thread_id] = 1;
	if (swap.old_thread_id < MAX_TIDS)
		snapshot.swapped[swap.old_thread_id] = 1;
	snapshot.swaps++;
}

static void see_thread(const __u8 *record)
{
	struct wmi_thread_information thread;

	memcpy(&thread, record + sizeof(struct system_trace_header), sizeof(thread));
	snapshot.threads++;
	if (thread.thread_id >= MAX_TIDS || thread.process_id >= MAX_TIDS)
		return;
	snapshot.named[thread.thread_id] = 1;
	snapshot.process_of[thread.thread_id] = thread.process_id;
}

static void see_process(const __u8 *record)
{
	struct wmi_process_information process;

	memcpy(&process, record + sizeof(struct perfinfo_trace_header), sizeof(process));
	snapshot.processes++;
	if (process.process_id < MAX_TIDS)
		snapshot.process[process.process_id] = 1;
}

static void see_record(const __u8 *record, unsigned int cpu)
{
	__u16 hook = record[6] | record[7] << 8;

	total_records++;
	if (cpu < MAX_CPUS)
		snapshot.cpus[cpu].records++;
	if (record[2] == TRACE_HEADER_TYPE_EVENT_HEADER64)
		return;
	if (hook >= TORTURE_HOOK && hook < TORTURE_HOOK + TORTURE_CONTEXTS)
		see_torture(record, cpu);
	else if (hook == PERFINFO_LOG_TYPE_CONTEXTSWAP)
		see_swap(record, cpu);
	else if (hook == WMI_LOG_TYPE_THREAD_DC_END)
		see_thread(record);
	else if (hook == WMI_LOG_TYPE_PROCESS_DC_END || hook == WMI_LOG_TYPE_PROCESS_DEFUNCT)
		see_process(record);
	else if (hook == WMI_LOG_TYPE_RUNDOWN_COMPLETE)
		snapshot.complete++;
}

/* check_buffer() has found it to be good, up to where it complained. */
static void see_buffer(const __u8 *buffer)
{
	struct wmi_buffer_header header;
	__u32 at = sizeof(header), size;

	memcpy(&header, buffer, sizeof(header));
	for (; at + 16 <= header.offset; at += (size + 7) & ~7U) {
		const __u8 *record = buffer + at;

		if (record[2] == TRACE_HEADER_TYPE_EVENT_HEADER64)
			size = record[0] | record[1] << 8;
		else
			size = record[4] | record[5] << 8;
		if (size < 16)
			return;
		see_record(record, header.processor_index);
	}
}

/* The header of a stream that is over */
static void check_final(const __u8 *data, size_t buffers, __u64 before)
{
	struct trace_logfile_header header;

	memcpy(&header, data + sizeof(struct wmi_buffer_header) +
	       sizeof(struct system_trace_header), sizeof(header));
	if (header.buffers_written != buffers)
		fail("BuffersWritten %u of %zu", header.buffers_written, buffers);
	if (header.end_time < before || header.end_time > filetime_now())
		fail("EndTime %llu, not within the ioctl that began at %llu", header.end_time,
		     before);
	if (header.start_time != session_start)
		fail("StartTime %llu, not %llu", header.start_time, session_start);
}

/*
 * What was written before the ioctl is there, or only newer is. A context, or all
 * of them, may have written nothing for as long as others took to fill the ring;
 * then these are there.
 */
static void check_newest(void)
{
	unsigned int cpu, i, wrote;

	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		const struct seen_cpu *seen = &snapshot.cpus[cpu];

		for (wrote = 0, i = 0; i < TORTURE_CONTEXTS; i++) {
			wrote += !!attempted[cpu][i];
			if (seen->count[i] && seen->first[i] + seen->count[i] < attempted[cpu][i])
				fail("cpu %u %s: up to %llu, but %llu was written before", cpu,
				     contexts[i], seen->first[i] + seen->count[i] - 1,
				     attempted[cpu][i] - 1);
		}
		if (wrote && !seen->records)
			fail("cpu %u: nothing", cpu);
	}
}

/* A thread that is exiting had its Thread Stop, or is about to. */
static int lives(__u32 tid)
{
	char path[32], line[512], state, *end;
	unsigned int flags;
	int alive = 0;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%u/stat", tid);
	in = fopen(path, "r");
	if (!in)
		return 0;
	if (fgets(line, sizeof(line), in)) {
		end = strrchr(line, ')');
		alive = end && sscanf(end + 1, " %c %*d %*d %*d %*d %*d %u", &state, &flags) == 2 &&
			!(flags & PF_EXITING);
	}
	fclose(in);
	return alive;
}

/* A thread that is there now was there when its name was due. */
static void check_names(void)
{
	__u32 tid;

	if (snapshot.complete != 1)
		fail("%d marks of a complete rundown", snapshot.complete);
	if (!snapshot.threads || !snapshot.processes)
		fail("no rundown");
	for (tid = 0; tid < MAX_TIDS; tid++) {
		/* one that ends during the rundown may have a thread's record alone */
		if (snapshot.named[tid] && !snapshot.process[snapshot.process_of[tid]] &&
		    lives(snapshot.process_of[tid]))
			fail("thread %u: process %u has no name", tid, snapshot.process_of[tid]);
		if (!snapshot.swapped[tid] || snapshot.named[tid])
			continue;
		if (!tid || lives(tid))
			fail("thread %u has no name", tid);
		ended_tids++;
	}
}

static size_t one(int control, __u32 id, __u8 **data, size_t *room)
{
	struct etw_control c = { .size = sizeof(c), .logger_id = id };
	size_t used, buffers, n;
	__u64 before;
	__u32 size;
	int fd;

	memset(&snapshot, 0, sizeof(snapshot));
	strcpy(snapshot.check.prefix, "modes_snapshot");
	snapshot.check.logger = id;
	read_attempted(id);
	before = filetime_now();
	fd = ioctl(control, ETW_IOC_SNAPSHOT, &c);
	if (fd < 0)
		die("SNAPSHOT");
	used = read_stream(fd, data, room);
	close(fd);
	size = check_header(&snapshot.check, *data);
	if (!size)
		die("no header");
	buffers = used / size;
	if (used % size)
		fail("%zu bytes behind the last buffer", used % size);
	check_final(*data, buffers, before);
	for (n = 1; n < buffers; n++) {
		check_buffer(&snapshot.check, *data + n * size, size, n, n + 1 == buffers);
		see_buffer(*data + n * size);
	}
	check_newest();
	if (snapshot.swaps)
		check_names();
	total_swaps += snapshot.swaps;
	total_threads += snapshot.threads;
	failures_of_streams += !!snapshot.check.failures;
	return used;
}

static int save(const char *file, const __u8 *data, size_t size)
{
	FILE *out = fopen(file, "w");

	return !out || fwrite(data, 1, size, out) != size || fclose(out);
}

int main(int argc, char **argv)
{
	static __u8 block[16384];
	size_t used, room = 0;
	__u8 *data = NULL;
	int control, i, count;
	__u32 id;

	if (argc != 3) {
		fputs(usage, stderr);
		return 2;
	}
	id = strtoul(argv[1], NULL, 0);
	count = atoi(argv[2]);
	control = open(CONTROL, O_RDWR | O_CLOEXEC);
	if (control < 0)
		die(CONTROL);
	torture_table_init();
	query_block(control, id, block, sizeof(block));
	session_start = ((struct wmi_logger_information *)block)->wnode.time_stamp;
	for (i = 0; i < count; i++) {
		used = one(control, id, &data, &room);
		if (snapshot.check.failures && failures_of_streams == 1)
			save("/out/bad.etl", data, used);
		if (failures_of_streams > 5)
			break;
	}
	printf("%d snapshots: %llu records, %llu context swaps, %llu threads named, "
	       "%llu had ended, %llu holes, %d bad\n", i, total_records, total_swaps, total_threads, ended_tids, holes,
	       failures_of_streams);
	return failures_of_streams != 0;
}
