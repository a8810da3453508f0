/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What the parts of etw export share. */
#ifndef ETW_EXPORT_H
#define ETW_EXPORT_H

#include <stdio.h>
#include "libetl/fields.h"
#include "libetl/lifetimes.h"
#include "libetl/map.h"
#include "libetl/perf_summary.h"
#include "libetl/samples.h"
#include "libetl/swap_intervals.h"

/*
 * The Trace Event Format requires a process and a thread for every track. Neither Linux nor
 * Windows uses these ids: EXPORT_CPUS is the process of the processors' tracks, and
 * EXPORT_UNKNOWN is the process of threads without a known process.
 */
#define EXPORT_UNKNOWN	0x7FFEFFFFu
#define EXPORT_CPUS	0x7FFF0000u

/**
 * struct export_process - a process id and what it is called
 * @id: its id; first, as struct id_table wants it
 * @parent: id of its parent, when @has_parent
 * @named: its name is in the output
 * @name: or NULL
 */
struct export_process {
	uint32_t id;
	uint32_t parent;
	bool has_parent;
	bool named;
	char *name;
};

/**
 * struct export_wakeup - an arrow that waits for its end's slice
 * @valid: there is one
 * @pid: track that it begins on
 * @tid: track that it begins on
 * @time: when
 */
struct export_wakeup {
	bool valid;
	uint32_t pid;
	uint32_t tid;
	uint64_t time;
};

enum thread_state {
	THREAD_UNKNOWN,
	THREAD_RUNNING,
	THREAD_READY,
	THREAD_WAITING,
};

/**
 * struct export_thread - a thread id and what it does
 * @id: its id; first, as struct id_table wants it
 * @pid: its process, when @has_pid
 * @named: its name is in the output
 * @ended: an event reports its end
 * @name: or NULL
 * @state: now
 * @reason: KWAIT_REASON of its last switch from a processor
 * @since: when it came into @state, session clock
 * @woken: another thread readied it; the following members are valid
 * @waker: id of the thread that readied it
 * @by_interrupt: an interrupt readied it
 * @arrow: begin of the arrow from the waker
 */
struct export_thread {
	uint32_t id;
	uint32_t pid;
	bool has_pid;
	bool named;
	bool ended;
	char *name;
	enum thread_state state;
	uint8_t reason;
	uint64_t since;
	bool woken;
	bool by_interrupt;
	uint32_t waker;
	struct export_wakeup arrow;
};

/**
 * struct export_source - a source of samples and what it is called
 * @id: KPROFILE_SOURCE; first, as struct id_table wants it
 * @name: as the trace has it
 */
struct export_source {
	uint32_t id;
	char name[COUNTER_NAME];
};

/**
 * struct export_distance - how far CLOCK_BOOTTIME is ahead of the session's time
 * @from: since when, session clock; the first also holds before
 * @ns: the distance of it to the time since the start of the session
 */
struct export_distance {
	uint64_t from;
	int64_t ns;
};

/**
 * struct id_table - entries by id
 * @ids: all ids
 * @entries: by index in @ids; each entry begins with its id, and stays at its address
 * @bytes: size of an entry
 */
struct id_table {
	struct map ids;
	void **entries;
	size_t bytes;
};

/**
 * struct export - an export under way
 * @trace: the file
 * @filter: which events and times are wanted, after event_filter_select()
 * @to: where to write
 * @events: written so far
 * @events_lost: of the whole trace
 * @threads: struct export_thread
 * @processes: struct export_process
 * @sources: struct export_source
 * @lifetimes: the survey notes all records in it, for containers; NULL: the format needs none
 * @perf: names of the counters
 * @column: names of the chain's columns
 * @gaps: where records are missing
 * @chains: the context swaps
 * @wakeup: by processor: the arrow to the thread that runs
 * @buffer: by processor: the last buffer that was looked at
 * @cpu_named: by processor: its track has its name
 * @uncertain: up to when context swaps may be missing
 * @begin: time stamp of the oldest record, or of the header event; the output counts from it
 * @last: time of the last record
 * @known: up to when all processors' records have come, as records of the session report it
 * @known_of: by processor: up to when its own records and buffers go
 * @flows: arrows so far
 * @spans: disk requests and interrupts so far
 * @distance: @distances of them, in the order of time
 * @last_distance: ns, at the last anchor
 * @samples: where their fields are
 * @fields: of the payload being decoded
 * @name_address: the function at an address of the kernel, for the caller's @names; NULL: none.
 *	Return: @text
 * @stack_of: the number of the frame in which a sample's stack ends, by the caller's @stacks, 0:
 *	none; may be NULL
 * @put_frames: the frames, as a member of the file's object; with @stack_of
 */
struct export {
	const struct trace *trace;
	const struct event_filter *filter;
	FILE *to;
	uint64_t events;
	uint32_t events_lost;
	struct id_table threads;
	struct id_table processes;
	struct id_table sources;
	struct lifetimes *lifetimes;
	struct perf_summary perf;
	char column[CHAIN_COLUMNS][COUNTER_NAME];
	struct gaps gaps;
	struct chains chains;
	struct export_wakeup wakeup[ETL_PROCESSORS];
	uint64_t buffer[ETL_PROCESSORS];
	bool cpu_named[ETL_PROCESSORS];
	uint64_t uncertain;
	uint64_t begin;
	uint64_t last;
	uint64_t known;
	uint64_t known_of[ETL_PROCESSORS];
	uint64_t flows;
	uint64_t spans;
	struct export_distance *distance;
	size_t distances;
	size_t distance_room;
	uint64_t last_distance;
	struct sample_fields samples;
	struct fields fields;
	const char *(*name_address)(void *names, uint64_t address, uint64_t time, char *text,
				    size_t room);
	void *names;
	uint32_t (*stack_of)(void *stacks, const struct etl_record *record, uint32_t cpu);
	void (*put_frames)(void *stacks, FILE *to);
	void *stacks;
};

/* chrome.c: all of it, with @trace and @to. Return: 0, or -1 after a message */
int export_chrome(struct export *export);

/*
 * walk.c: surveys the trace and readies @chains; the format sets the callbacks. Return: 0, or -1
 * after a message; export_finish() either way
 */
int export_begin(struct export *export);
void export_finish(struct export *export);

/* names.c; NULL without memory */
struct export_thread *export_thread_of(struct export *export, uint32_t tid);
/* Before all: the first name of everything */
int export_survey(struct export *export);
/* A record that names something: renames it from here on. Return: 0 or -1 */
int export_note_names(struct export *export, const struct etl_record *record, bool survey);
/* NULL: nothing named it */
struct export_process *export_process_of(const struct export *export, uint32_t pid);
/* What the trace calls a source of samples; NULL: nothing */
const char *export_source_name(const struct export *export, uint32_t source);
void export_names_free(struct export *export);

/* clock.c: takes a reading of all clocks, if the record is one. Return: 0 or -1 */
int export_note_anchor(struct export *export, const struct etl_record *record);
/* Return: false: the record is none */
bool export_anchor_of(const struct etl_record *record, struct etw_anchor *anchor);
/* ns of CLOCK_BOOTTIME */
int64_t export_boottime(const struct export *export, uint64_t time);

/* json.c: parts of events */
void export_string(FILE *to, const char *text);
/* The same of a text that may contain zeros */
void export_text(FILE *to, const char *text, size_t size);
void export_microseconds(FILE *to, int64_t ns);
/* Since the oldest record */
int64_t export_ns(const struct export *export, uint64_t time);
/* {"ph":PHASE,"name":NAME,"pid":..,"tid":..,"ts":.. and nothing that ends it */
void export_event(struct export *export, const char *phase, const char *name, uint32_t pid,
		  uint32_t tid, int64_t ns);
void export_end_event(struct export *export);
void export_head(struct export *export);
void export_tail(struct export *export);

/* tracks.c: the track of a processor or a thread; writes its name on the first use */
void export_track_of_cpu(struct export *export, uint32_t cpu, uint32_t *pid, uint32_t *tid);
void export_track_of_thread(struct export *export, struct export_thread *thread, uint32_t *pid,
			    uint32_t *tid);

/* slices.c */
int export_interval(void *context, const struct interval *interval);
int export_switch(struct export *export, const struct etl_record *record, uint32_t cpu);
int export_ready(struct export *export, const struct etl_record *record, uint32_t cpu);
/* What has begun when the trace ends */
void export_cut(struct export *export);

/* categories.c. Return: NULL: an event that has its place elsewhere, or none */
const char *export_category(const struct etl_record *record);
/* Interrupts and deferred work: they began at InitialTime */
bool export_is_interrupt(uint16_t hook);
/* instants.c: an event of disks, files, networks, memory, programs; a mark, an interrupt */
int export_instant(struct export *export, const struct etl_record *record, uint32_t cpu);

/* marks.c */
int export_sample(struct export *export, const struct etl_record *record, uint32_t cpu);
/* Why an interval is unknown; of those that break a chain */
const char *export_break_name(enum chain_break why);
void export_mark_break(struct export *export, const struct interval *interval);
void export_mark_loss(struct export *export, const struct etw_loss *loss);
void export_mark_buffer(struct export *export, const struct etl_buffer *buffer, uint64_t time);
void export_mark_damage(struct export *export);

#endif /* ETW_EXPORT_H */
