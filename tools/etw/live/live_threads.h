/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What every thread and processor does now, from the records of a real-time stream. */
#ifndef ETW_LIVE_THREADS_H
#define ETW_LIVE_THREADS_H

#include "libetl/fields.h"
#include "libetl/reader.h"

/* Ids are below this; Linux has none above PID_MAX_LIMIT */
#define LIVE_IDS	(1u << 22)
#define LIVE_NAME	64

enum live_state {
	LIVE_UNKNOWN,
	LIVE_RUNNING,
	LIVE_WAITING,
	LIVE_READY,
};

/**
 * struct live_thread - a thread
 * @tid: its id
 * @pid: of its process, valid if @has_pid
 * @has_pid: a record contains @pid
 * @state: since @since
 * @since: session clock
 * @reason: KWAIT_REASON of its last wait
 * @ended: it ended; live_threads_sweep() frees it
 * @name: "" without one
 * @next: in the list of all
 * @user: of the caller, @user_size bytes, all 0 at first
 */
struct live_thread {
	uint32_t tid;
	uint32_t pid;
	bool has_pid;
	enum live_state state;
	uint64_t since;
	uint8_t reason;
	bool ended;
	char name[LIVE_NAME];
	struct live_thread *next;
	uint64_t user[];
};

/**
 * struct live_process - a process
 * @pid: its id
 * @own: it is the process of live_threads.self, or a descendant
 * @ended: it ended
 * @name: "" without one
 * @next: in the list of all
 */
struct live_process {
	uint32_t pid;
	bool own;
	bool ended;
	char name[LIVE_NAME];
	struct live_process *next;
};

/**
 * struct live_on_cpu - what a processor runs
 * @known: @tid has run since @since
 * @counted: @values are valid, as of @since
 */
struct live_on_cpu {
	bool known;
	uint32_t tid;
	uint64_t since;
	uint8_t counted;
	uint64_t values[ETL_MAX_COUNTERS];
};

struct live_threads;

/**
 * struct live_events - what the caller gets; each may be NULL
 * @ran: @thread ran on a processor from @cpu->since to @to, when the context switch @record came;
 *	NULL: live_threads_split(). The thread is that of id 0 for idle time
 * @waited: the thread waited from @from to @to
 * @was_ready: it was ready, and did not run, from @from to @to
 * @ended: a process ended with this exit status
 */
struct live_events {
	void (*ran)(void *context, struct live_thread *thread, const struct live_on_cpu *cpu,
		    uint64_t to, const struct etl_record *record);
	void (*waited)(void *context, struct live_thread *thread, uint64_t from, uint64_t to);
	void (*was_ready)(void *context, struct live_thread *thread, uint64_t from, uint64_t to);
	void (*ended)(void *context, const struct live_process *process, uint32_t status);
};

/**
 * struct live_threads - of all processors
 * @threads: pages of pointers by id
 * @processes: likewise
 * @all: list of threads, @nr_threads of them
 * @all_processes: list of processes
 * @cpu: ETL_PROCESSORS of them
 * @nr_cpus: one more than the highest processor with a switch
 * @user_size: bytes of live_thread.user
 * @self: process that is the caller's own; 0: none
 * @idle: the thread of id 0
 * @fields: of the record at hand
 */
struct live_threads {
	void ***threads;
	void ***processes;
	struct live_thread *all;
	size_t nr_threads;
	struct live_process *all_processes;
	struct live_on_cpu *cpu;
	uint32_t nr_cpus;
	size_t user_size;
	uint32_t self;
	struct live_thread *idle;
	struct fields *fields;
	const struct live_events *events;
	void *context;
};

/* With @events, @context, @user_size and @self set. Return: 0, or -1 after a message */
int live_threads_begin(struct live_threads *threads);
/* Each record in the order of time. Return: 0, or -1 after a message */
int live_threads_note(struct live_threads *threads, const struct etl_buffer *buffer,
		      const struct etl_record *record);
/* Counts what runs up to @time, and begins anew there. */
void live_threads_split(struct live_threads *threads, uint64_t time);
/* Records were lost: no thread's and no processor's state is known any more. */
void live_threads_forget(struct live_threads *threads);
/*
 * Frees threads and processes that ended. @gone: may be NULL; whether the thread or process does
 * not exist, although the stream does not contain its end
 */
void live_threads_sweep(struct live_threads *threads, bool (*gone)(uint32_t id));
/* NULL: no record contains it */
struct live_thread *live_thread_of(const struct live_threads *threads, uint32_t tid);
struct live_process *live_process_of(const struct live_threads *threads, uint32_t pid);
/* Name of the thread, or of its process; "" if neither is known */
const char *live_thread_name(const struct live_threads *threads, const struct live_thread *thread);
/* Of the process of live_threads.self, or a descendant */
bool live_thread_is_own(const struct live_threads *threads, const struct live_thread *thread);
void live_threads_free(struct live_threads *threads);

#endif /* ETW_LIVE_THREADS_H */
