/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* System calls, from their begin to their end. */
#ifndef ETW_STAT_SYSCALLS_H
#define ETW_STAT_SYSCALLS_H

#include "collect.h"
#include "libetl/call_paths.h"
#include "keyed.h"

/* A kernel has no larger number; what is larger is the address of a function */
#define SYSCALL_NUMBERS		0x1000

enum syscall_source {
	SYSCALLS_RAW,		/* raw_syscalls:sys_enter, sys_exit */
	SYSCALLS_NAMED,		/* syscalls:sys_enter_NAME, sys_exit_NAME */
	SYSCALLS_PERF,		/* PerfInfo/SysClEnter, SysClExit */
	SYSCALLS_NONE,
};

/**
 * struct syscall - a system call
 * @from: its begin, session clock
 * @to: its end, when @ended
 * @ended: the trace has the end
 * @wanted: the filter wants it
 * @tid: thread, if @ended
 * @process: index of the process in the lifetimes + 1; 0: unknown
 * @call: number, or the address of its function
 * @result: when @ended; SYSCALLS_PERF: 0 or the error
 * @failed: @result is an error
 * @paths: its arguments and paths; without a path that the program passed, that of the first file
 *	operation within the call
 */
struct syscall {
	uint64_t from;
	uint64_t to;
	bool ended;
	bool wanted;
	uint32_t tid;
	uint64_t process;
	uint64_t call;
	int64_t result;
	bool failed;
	struct call_paths paths;
};

/**
 * struct syscall_observer - gets each call that the filter wants, in the order of their ends
 * @take: may take over the paths, and sets them to NULL then. Return: 0, or -1 after a message
 */
struct syscall_observer {
	void *context;
	int (*take)(void *context, struct syscall *call);
};

/* syscalls_failed.c: failed calls, by call, error and path. Return: 0, or -1 after a message */
int failed_paths_add(struct keyed *failed, const struct syscall *call);
/* @name: of a call at a time */
void failed_paths_fill(const struct keyed *failed, struct sheet *sheet, const void *context,
		       void (*name)(const void *context, uint64_t call, uint64_t time,
				    char to[SYMBOL_TEXT]));
void failed_paths_begin(struct keyed *failed);

/* Both paths of a call: "from -> to" */
#define SYSCALL_PATHS	(2 * 4096 + 8)
/* Return: false: it has none */
bool syscall_paths_text(const struct syscall *call, char to[SYSCALL_PATHS]);
/* "ENOENT"; NULL: it has no name */
const char *syscall_error_name(int64_t result);

/* The events of the trace that say most of its calls; calls are made of these alone */
enum syscall_source syscall_source(const struct statistics *statistics);
/* @machine: ProcessorArchitecture, if the trace has it. Return: 0, or -1 after a message */
int syscalls_find(const struct trace *trace, const struct statistics *statistics,
		  const struct syscall_observer *observer, uint16_t *machine);

#endif /* ETW_STAT_SYSCALLS_H */
