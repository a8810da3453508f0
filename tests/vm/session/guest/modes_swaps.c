// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Context swaps of a session that was updated, against those of one that was not. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/stat.h>
#include "tests/lib/guest/requests.h"
#include "modes_update.h"
#include "tests/lib/guest/torture_stream.h"

static const char usage[] =
	"modes_swaps TRUTH UPDATED UPDATES\n"
	"  Both streams by the monotonic clock; UPDATES as modes_update writes it. Each swap\n"
	"  of UPDATED must be in TRUTH, once; each of TRUTH that all settings in force since\n"
	"  its predecessor want must be in UPDATED, and none that none of them wants.\n";

struct swap {
	__u64 time;
	__u64 ids;
	__u64 state;
	__u32 matched;
};

struct swaps {
	struct swap *swap;
	size_t count;
	size_t room;
};

static struct swaps truth[MAX_CPUS], updated[MAX_CPUS];
static struct update_log *updates;
static size_t nr_updates;
static unsigned long long wanted, unwanted, either;

static void *map(const char *file, size_t *size)
{
	int fd = open(file, O_RDONLY);
	struct stat st;
	void *at;

	if (fd < 0 || fstat(fd, &st))
		die(file);
	*size = st.st_size;
	at = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (at == MAP_FAILED)
		die(file);
	close(fd);
	return at;
}

static void add(struct swaps *to, const __u8 *record)
{
	struct swap *swap;

	if (to->count == to->room) {
		to->room = 2 * to->room + 4096;
		to->swap = realloc(to->swap, to->room * sizeof(*to->swap));
		if (!to->swap)
			die("realloc");
	}
	swap = &to->swap[to->count++];
	memcpy(&swap->time, record + 8, 8);
	memcpy(&swap->ids, record + 16, 8);
	memcpy(&swap->state, record + 24, 8);
	swap->matched = 0;
}

static void load(const char *file, struct swaps *to)
{
	size_t size, buffer;
	const __u8 *data = map(file, &size);
	struct wmi_buffer_header header;
	__u32 at, bytes;

	for (buffer = 0; buffer + sizeof(header) <= size; buffer += header.buffer_size) {
		memcpy(&header, data + buffer, sizeof(header));
		for (at = sizeof(header); at < header.offset; at += (bytes + 7) & ~7U) {
			const __u8 *record = data + buffer + at;

			bytes = record[2] == TRACE_HEADER_TYPE_EVENT_HEADER64 ?
				record[0] | record[1] << 8 : record[4] | record[5] << 8;
			if (record[2] == TRACE_HEADER_TYPE_PERFINFO64 &&
			    (record[6] | record[7] << 8) == PERFINFO_LOG_TYPE_CONTEXTSWAP)
				add(&to[header.processor_index], record);
		}
	}
}

static void match_cpu(unsigned int cpu)
{
	struct swaps *a = &updated[cpu], *b = &truth[cpu];
	size_t i, j = 0;

	for (i = 0; i < a->count; i++) {
		const struct swap *s = &a->swap[i];

		/* both stamps of a swap lie between those of its neighbours */
		while (j < b->count &&
		       ((j + 1 < b->count && b->swap[j + 1].time < s->time) ||
			b->swap[j].ids != s->ids || b->swap[j].state != s->state) &&
		       (!j || b->swap[j - 1].time <= s->time))
			j++;
		if (j == b->count || (j && b->swap[j - 1].time > s->time)) {
			result(0,
			       "no swap is in excess # cpu %u: swap %zu at %llu, %u to %u", cpu, i,
			       s->time, (__u32)(s->ids >> 32), (__u32)s->ids);
			return;
		}
		b->swap[j++].matched = 1;
	}
}

static int wants(const struct update_log *log, const struct swap *swap)
{
	if (log->taste == TASTE_PROCESS)
		return (__u32)swap->ids == log->pid || swap->ids >> 32 == log->pid;
	return log->taste == TASTE_ALL;
}

/*
 * The probe of a swap began after that of its predecessor, and ended after its
 * stamp was taken: settings that were in force in between decided.
 */
static void judge_cpu(unsigned int cpu)
{
	struct swaps *b = &truth[cpu];
	size_t j, k, from = 0;
	int may, must;

	for (j = 1; j < b->count; j++) {
		const struct swap *swap = &b->swap[j];

		if (b->swap[j - 1].time < updates[0].ret ||
		    swap->time > updates[nr_updates - 1].call)
			continue;
		/* the last one that was over before */
		while (from + 1 < nr_updates && updates[from + 1].ret < b->swap[j - 1].time)
			from++;
		may = 0;
		must = 1;
		for (k = from; k < nr_updates && updates[k].call <= swap->time; k++) {
			may |= updates[k].taste == TASTE_UNKNOWN || wants(&updates[k], swap);
			must &= updates[k].taste != TASTE_UNKNOWN && wants(&updates[k], swap);
		}
		wanted += must;
		unwanted += !may;
		either += may && !must;
		if ((must && !swap->matched) || (!may && swap->matched))
			result(0,
			       "no swap is missing or unwanted # cpu %u: swap at %llu, %u to %u, is %s",
			       cpu, swap->time,
			       (__u32)(swap->ids >> 32), (__u32)swap->ids,
			       swap->matched ? "unwanted" : "missing");
		if (failures > 20)
			return;
	}
}

int main(int argc, char **argv)
{
	unsigned long long all = 0, some = 0;
	unsigned int cpu;
	size_t size;

	if (argc != 4) {
		fputs(usage, stderr);
		return 2;
	}
	load(argv[1], truth);
	load(argv[2], updated);
	updates = map(argv[3], &size);
	nr_updates = size / sizeof(*updates);
	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		match_cpu(cpu);
		judge_cpu(cpu);
		all += truth[cpu].count;
		some += updated[cpu].count;
	}
	printf("# %llu swaps, %llu of them under settings; while updated: %llu wanted, "
	       "%llu not, %llu either\n", all, some, wanted, unwanted, either);
	result(!failures, "each swap once, by the settings of its time");
	result(wanted > 100 && unwanted > 100, "there were enough of both kinds");
	return failures != 0;
}
