/* SPDX-License-Identifier: GPL-2.0 */
/* What etw stat collects. */
#ifndef ETW_STAT_COLLECT_H
#define ETW_STAT_COLLECT_H

#include "../../libetl/event_counts.h"
#include "../../libetl/gaps.h"
#include "../../libetl/losses.h"
#include "../../libetl/map.h"
#include "../../libetl/perf_summary.h"
#include "../../libetl/trace.h"

/**
 * struct thread - a thread id; reuse of an id counts as the same thread
 * @tid: its id
 * @pid: its process, when @has_pid
 * @name: its last name, or NULL
 * @ns: time on CPU
 * @switches: how often it was switched to
 * @ns_of_cpu: @ns by processor
 * @cpus: entries of it
 */
struct thread {
	uint32_t tid;
	uint32_t pid;
	bool has_pid;
	char *name;
	uint64_t ns;
	uint64_t switches;
	uint64_t *ns_of_cpu;
	size_t cpus;
};

struct process {
	uint32_t pid;
	char *name;
};

/**
 * struct cpu_time - what a processor did between two of its context swaps; ns
 * @switches: how many
 * @busy: some thread ran
 * @idle: thread 0 did
 * @lost: switches may be missing there: nobody's
 * @running: the thread that the last one switched to
 * @since: its time stamp
 * @at: place of its buffer in the file
 * @flags: of that; @sequence: its number
 * @hole: bytes that can't be read stood behind it
 */
struct cpu_time {
	uint64_t switches;
	uint64_t busy;
	uint64_t idle;
	uint64_t lost;
	uint32_t running;
	uint64_t since;
	uint64_t at;
	uint64_t sequence;
	uint16_t flags;
	bool hole;
};

/* perf.c */
void perf_summary_print(const struct perf_summary *perf);

/**
 * struct statistics - all of it
 * @table: threads by id, open addressing; @room entries, a power of two
 * @losses: what loss records report
 * @by_time: the same threads, longest running first
 * @process_ids: index of each in @process, which has @process_room
 */
struct statistics {
	uint64_t events;
	uint64_t switches;
	uint64_t last;
	struct event_counts types;
	struct thread **table;
	size_t room;
	struct thread **by_time;
	size_t threads;
	struct process *process;
	size_t processes;
	size_t process_room;
	struct map process_ids;
	struct perf_summary perf;
	struct losses losses;
	struct cpu_time cpu[ETL_PROCESSORS];
};

/* With @times who ran how long, too. Return: 0, or -1 after a message */
int statistics_collect(struct statistics *statistics, const struct trace *trace, bool times);
/* The thread with an id, which comes in; NULL: no memory */
struct thread *statistics_enter(struct statistics *statistics, uint32_t tid);
/* The thread with an id, or NULL */
const struct thread *statistics_thread(const struct statistics *statistics, uint32_t tid);
/* The last name of a process, or NULL */
const char *statistics_name_of(const struct statistics *statistics, uint32_t pid);
/* Some text, never NULL */
const char *statistics_process_name(const struct statistics *statistics,
				    const struct thread *thread);
void statistics_free(struct statistics *statistics);

#endif /* ETW_STAT_COLLECT_H */
