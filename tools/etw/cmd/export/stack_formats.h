/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The formats of etw export that consist of stacks with weights. */
#ifndef ETW_STACK_FORMATS_H
#define ETW_STACK_FORMATS_H

struct event_filter;
struct stack_event;
struct stack_report;
struct stacks_before;
struct stat_options;

/* Each writes to standard output. Return: 0, or -1 after a message */
int export_flamegraph(const struct stack_report *report);
int export_speedscope(const struct stack_report *report);
int export_pprof(const struct stack_report *report);
int export_firefox(const struct stack_report *report);
/* Takes each event before export_firefox() */
int export_firefox_event(struct stack_report *report, const struct stack_event *event);

/*
 * stacks_before.c: those of the file @name that @filter selects, with the same @options. Return:
 * EXIT_OK, or an exit code after a message; call_tree_free() either way
 */
int stacks_before(const char *name, const struct stat_options *options,
		  struct event_filter *filter, struct stacks_before *before);

#endif /* ETW_STACK_FORMATS_H */
