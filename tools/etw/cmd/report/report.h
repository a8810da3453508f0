/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* etw report: a page of what etw stat says of a trace, and of when it happened. */
#ifndef ETW_REPORT_REPORT_H
#define ETW_REPORT_REPORT_H

#include <stdio.h>
#include <sys/types.h>
#include "cmd/stat/report.h"

/**
 * struct page - while it is made
 * @trace: the file
 * @statistics: of it
 * @options: those of etw stat --json
 * @data: what the page's script reads: one JSON object
 * @sections: in @data so far
 * @is_child: this is the process of an apart_begin()
 * @is_other: the file that the page's file is compared with: reports only, without times
 */
struct page {
	const struct trace *trace;
	const struct statistics *statistics;
	const struct stat_options *options;
	FILE *data;
	unsigned int sections;
	bool is_child;
	bool is_other;
};

/**
 * struct compared - the file that the page's file is compared with
 * @name: NULL: there is none
 * @filter: the filters of the verb: a filter belongs to one file
 */
struct compared {
	const char *name;
	struct event_filter filter;
};

/* page_data.c: all of the data. Return: EXIT_OK, or an exit code after a message */
int page_collect(struct page *page);
/* page_other.c: what the page compares with. Return: as page_collect() */
int page_collect_other(struct page *page, struct compared *compared);
/* Begins a section: "name": */
void page_section(struct page *page, const char *name);

/**
 * struct apart - reports that another process makes meanwhile
 * @child: it; -1: there is none
 * @to: what it writes
 */
struct apart {
	pid_t child;
	FILE *to;
};

/* page_apart.c: without memory for a process there is no child, and the caller makes all reports */
void apart_begin(struct apart *apart, struct page *page,
		 int (*put)(struct page *page, bool all, bool apart));
/* What @put returns in the child when its data have numbers that the parent does not know */
#define EXIT_NUMBERED	32
/*
 * Adds its reports to @page, or @kill_it ends it. Return: 0; 1: after EXIT_NUMBERED, the caller
 * makes these reports; -1 after a message
 */
int apart_end(struct apart *apart, struct page *page, bool kill_it);

/* capture.c: standard output and messages go into memory until capture_end(). */
struct capture {
	int output;
	int file;
	FILE *messages;
	char *text;
	size_t size;
};

/* From the start of a file. Return: 0 or -1: see errno */
int capture_copy(int from, FILE *to);
/* Return: 0, or -1 after a message */
int capture_begin(struct capture *capture);
/* @to: gets what was written to standard output. Return: 0, or -1 after a message */
int capture_end(struct capture *capture, FILE *to);
/* What was said meanwhile, behind capture_end(); capture_free() at last */
void capture_free(struct capture *capture);

/* page_cpu.c: etw stat cpu, and which thread ran when. Return: the exit code */
int page_cpu(struct page *page, const struct stat_options *options);
/* page_counters.c: etw stat counters, and what was counted when. Return: the exit code */
int page_counters(struct page *page, const struct stat_options *options);
/* page_disk.c: etw stat disk, and its requests by time. Return: the exit code */
int page_disk(struct page *page, const struct stat_options *options);
/* page_disk.c: id and name by index of the process + 1; 0 is unknown */
void page_process_names(const struct lifetimes *lifetimes);
/* page_faults.c: etw stat faults, and its faults by time. Return: the exit code */
int page_faults(struct page *page, const struct stat_options *options);
/* page_interrupts.c: etw stat dpc, and when what ran. Return: the exit code */
int page_interrupts(struct page *page, const struct stat_options *options);
/* page_stacks.c: the trees of stacks, and when their events were. Return: as etw stat stacks */
int page_stacks(struct page *page, const struct stat_options *options);
/* page_events.c: marks, losses and programs' own events. Return: 0, or -1 after a message */
int page_events(struct page *page);
/* page_events.c: names by index of the thread */
void page_threads(struct page *page);

/* page_html.c: the page around the data. Return: 0, or -1 after a message */
int page_write(const char *data, size_t size, FILE *to);

#endif /* ETW_REPORT_REPORT_H */
