/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Numbers of threads by processor, and the tables that are made of them. */
#ifndef ETW_STAT_REPORT_H
#define ETW_STAT_REPORT_H

#include "libetl/map.h"
#include "symbols/symbols.h"
#include "collect.h"

/**
 * struct cells - numbers of what ran, by processor
 * @map: of the keys: kind, id, processor
 * @values: @width of them for each key
 * @width: numbers in a cell
 */
struct cells {
	struct map map;
	uint64_t *values;
	unsigned int width;
};

enum cell_kind {
	CELL_THREAD,		/* id: index of the thread in the lifetimes */
	CELL_UNATTRIBUTED,	/* id: why, index into report->reasons */
};

/* The numbers of a cell, 0 at first; valid until the next call. Return: NULL: no memory */
uint64_t *cells_of(struct cells *cells, enum cell_kind kind, uint32_t id, uint16_t processor);
/* The same of the thread that had an id at a time */
uint64_t *cells_of_thread(struct cells *cells, const struct statistics *statistics, uint32_t tid,
			  uint64_t time, uint16_t processor);
void cells_free(struct cells *cells);

enum cell_kind cell_kind(uint64_t key);
uint32_t cell_id(uint64_t key);
uint16_t cell_processor(uint64_t key);

enum column_kind {
	COLUMN_COUNT,		/* a */
	COLUMN_TIME,		/* a, ns */
	COLUMN_RATIO,		/* a / b */
	COLUMN_PERCENT,		/* 100 a / b */
	COLUMN_PER_KILO,	/* 1000 a / b */
	COLUMN_SHARE,		/* 100 a / that of the whole trace */
};

/**
 * struct column - how numbers of a cell are shown
 * @kind: what is made of them
 * @a: index of a number
 * @b: index of another
 * @name: in the head of the table
 */
struct column {
	enum column_kind kind;
	unsigned int a;
	unsigned int b;
	char name[COUNTER_NAME + 8];
};

#define REPORT_COLUMNS	128

enum report_by { BY_THREAD, BY_PROCESS, BY_CPU, BY_CONTAINER, BY_FUNCTION, BY_MODULE, BY_REASON,
		 BY_CALLER, BY_WAKER };

enum row_kind { ROW_THREAD, ROW_PROCESS, ROW_CONTAINER, ROW_CPU, ROW_UNATTRIBUTED, ROW_OTHERS,
		ROW_TOTAL };

/**
 * struct row - a line
 * @kind: what it stands for
 * @has_pid: @pid is valid
 * @pid: process
 * @tid: thread, reason, processor, or how many others
 * @label: the reason, or the container
 * @process: name
 * @thread: name
 * @values: its numbers
 */
struct row {
	enum row_kind kind;
	bool has_pid;
	uint32_t pid;
	uint32_t tid;
	const char *label;
	const char *process;
	const char *thread;
	uint64_t *values;
};

/**
 * struct report - a table
 * @statistics: the names
 * @cells: the numbers
 * @reasons: of unattributed time
 * @by: what the lines stand for
 * @top: how many of them in text, 0: all
 * @column: @columns of them
 * @rows: by number 0, the largest first; then unattributed time, the processors, all
 * @nr_rows: of them
 * @first: lines that are threads, processes or processors
 * @damage: places where numbers went back
 * @filtered: only threads with all their switches in the trace have lines
 */
struct report {
	const struct statistics *statistics;
	const struct cells *cells;
	const char *const *reasons;
	enum report_by by;
	uint32_t top;
	struct column column[REPORT_COLUMNS];
	size_t columns;
	struct row *rows;
	size_t nr_rows;
	size_t first;
	uint64_t damage;
	bool filtered;
};

/* The name may be long, or there already: it becomes another then */
void report_column(struct report *report, enum column_kind kind, unsigned int a, unsigned int b,
		   const char *name);
/* Return: 0, or -1 after a message */
int report_make(struct report *report);
void report_free(struct report *report);

/* report_text.c, report_export.c */
double column_value(const struct report *report, const struct column *column,
		    const struct row *row, bool *valid);
void report_text(const struct report *report);
void report_csv(const struct report *report);
void report_json(const struct report *report);
const char *row_kind_name(enum row_kind kind);

struct cpu_spent;
struct disk_observer;
struct interrupt_observer;
struct stack_event;
struct stack_report;
struct stacks_before;

/* ns: what --at-least is without the option */
#define STAT_DEFAULT_LEAST	1000000

/**
 * struct counted - gets what a thread counted, when it stopped to run
 * @take: @counter is an index, @ns the end of the interval. Return: 0 or -1
 */
struct counted {
	void *context;
	int (*take)(void *context, const struct thread *thread, unsigned int counter, int64_t ns,
		    uint64_t count);
};

/**
 * struct faulted - gets each page fault that counts
 * @take: @process is an index + 1, 0: unknown; @kind an index into fault_kinds, or FAULT_KINDS for
 *	the wait of @ns in a hard fault; @time ns. Return: 0 or -1
 */
struct faulted {
	void *context;
	int (*take)(void *context, size_t process, unsigned int kind, int64_t time, uint64_t ns);
};

/* faults.c: the columns of the kinds */
#define FAULT_KINDS	6
extern const char *const fault_kinds[FAULT_KINDS];

/* What the verb's options say */
struct stat_options {
	uint32_t top;
	bool has_top;
	bool cpus;
	bool filtered;
	enum report_by by;
	bool has_by;
	uint64_t least;		/* ns: shorter waits, calls and periods are not listed */
	enum { AS_TEXT, AS_JSON, AS_CSV } as;
	bool ends;
	bool folded;
	/* writes the stacks in a format of etw export; NULL: none. Return: 0, or -1 after a message */
	int (*format)(const struct stack_report *report);
	/* of @format: gets each event before, as stack_report->each; or NULL */
	int (*each)(struct stack_report *report, const struct stack_event *event);
	/* of @format: what the stacks are compared with; or NULL */
	struct stacks_before *before;
	/* of cpu: gets the times of the processors; or NULL */
	const struct cpu_spent *spent;
	/* of counters: gets what counts for threads; or NULL */
	const struct counted *counted;
	/* of faults: gets each one that counts; or NULL */
	const struct faulted *faulted;
	/* of dpc: gets each interrupt that counts; or NULL */
	const struct interrupt_observer *interrupts;
	/* of disk: gets each request that counts; or NULL */
	const struct disk_observer *requests;
	/* of waits: how many rows the list has in JSON, the longest first; 0: all */
	uint32_t longest;
	bool waiting;
	bool by_hook;
	uint16_t hook;		/* when @by_hook: 0 is one, too */
	struct symbol_options where;
	struct event_filter filter;
	struct event_infos *infos;	/* of --manifest; NULL: none */
};

struct verb;
/* stack_options.c: takes an option of stacks. Return: EXIT_OK, or an exit code after a message */
int stack_option_take(const struct verb *verb, int c, struct stat_options *wanted);
/*
 * A trace without what the report is made of: "there are no @what (etw record @how)", where
 * @how are the options that record it. @filter: may have left it out; NULL: did not.
 * Return: EXIT_FAILED
 */
int report_lacks(const struct trace *trace, const struct event_filter *filter, const char *what,
		 const char *how);
/* Whether report_lacks() was called since the last call of this function */
bool report_lacked(void);
/* The same of a part of a report, as a warning; @unknown: what the report cannot say then */
void report_lacks_part(const struct trace *trace, const char *what, const char *unknown,
		       const char *how);

/* counters.c, profile.c, cpu.c and so on. Return: the exit code */
int stat_counters(const struct trace *trace, const struct statistics *statistics,
		  const struct stat_options *options);
int stat_profile(const struct trace *trace, const struct statistics *statistics,
		 const struct stat_options *options);
int stat_cpu(const struct trace *trace, const struct statistics *statistics,
	     const struct stat_options *options);
int stat_faults(const struct trace *trace, const struct statistics *statistics,
		const struct stat_options *options);
int stat_memory(const struct trace *trace, const struct statistics *statistics,
		const struct stat_options *options);
int stat_providers(const struct trace *trace, const struct statistics *statistics,
		   const struct stat_options *options);
int stat_power(const struct trace *trace, const struct statistics *statistics,
	       const struct stat_options *options);
int stat_processes(const struct trace *trace, const struct statistics *statistics,
		   const struct stat_options *options);
int stat_disk(const struct trace *trace, const struct statistics *statistics,
	      const struct stat_options *options);
int stat_dpc(const struct trace *trace, const struct statistics *statistics,
	     const struct stat_options *options);
int stat_syscalls(const struct trace *trace, const struct statistics *statistics,
		  const struct stat_options *options);
int stat_waits(const struct trace *trace, const struct statistics *statistics,
	       const struct stat_options *options);
/* stacks.c */
int stat_stacks(const struct trace *trace, const struct statistics *statistics,
		const struct stat_options *options);
int stat_functions(const struct trace *trace, const struct statistics *statistics,
		   const struct stat_options *options);
/* stack_counts.c */
int stat_stack_ends(const struct trace *trace, const struct statistics *statistics,
		    const struct stat_options *options);
void report_print(struct report *report, const struct stat_options *options);

#endif /* ETW_STAT_REPORT_H */
