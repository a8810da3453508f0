/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Functions that a just-in-time compiler has made, from the files that it writes for perf. */
#ifndef ETW_JIT_H
#define ETW_JIT_H

#include <stdio.h>
#include "libetl/images.h"
#include "symbol_table.h"

/**
 * struct clock_reading - an anchor of the trace
 * @time: session clock
 * @monotonic: CLOCK_MONOTONIC, ns
 */
struct clock_reading {
	uint64_t time;
	uint64_t monotonic;
};

/**
 * struct jit_clock - converts time stamps of a jitdump file to the session's clock
 * @log: of the trace
 * @reading: @count of them, in the order of time
 * @no_memory: some are missing
 */
struct jit_clock {
	const struct etl_logfile *log;
	struct clock_reading *reading;
	size_t count;
	size_t room;
	bool no_memory;
};

/* jit_clock.c: takes the reading of clocks, if the record is an anchor */
void jit_clock_note(struct jit_clock *clock, const struct etl_record *record);
/*
 * @counter: the stamp is a reading of the processor's counter, otherwise CLOCK_MONOTONIC in ns
 * Return: the stamp in the session's clock, 0: before the session, or the clocks are not comparable
 */
uint64_t jit_clock_convert(const struct jit_clock *clock, uint64_t stamp, bool counter);
void jit_clock_free(struct jit_clock *clock);

/**
 * struct jit_code - functions of a process that no image contains
 * @dump: of jit-PID.dump, with the time of each; a module's path is the name of a function
 * @map: of perf-PID.map, which has no times; NULL: there is none
 */
struct jit_code {
	struct images dump;
	struct symbol_table *map;
};

/**
 * struct jit_request - whose functions
 * @sysroot: stands before all paths
 * @pid: the process
 * @images: of the trace, which name jit-PID.dump: compilers map it as a marker
 * @clock: of the trace
 * @living: /proc/PID/root may be searched, because the trace is of this boot
 */
struct jit_request {
	const char *sysroot;
	uint32_t pid;
	const struct images *images;
	const struct jit_clock *clock;
	bool living;
};

/* jit.c */
void jit_code_read(struct jit_code *code, const struct jit_request *request);
void jit_code_free(struct jit_code *code);
/*
 * Any user can write to /tmp, and names go to the terminal: only a regular file of this user or of
 * root is opened.
 */
FILE *jit_open(const char *path);

/* jitdump.c: adds the functions of the file. Return: false: there is no such file */
bool jitdump_read(struct images *code, const char *path, const struct jit_request *request);

#endif /* ETW_JIT_H */
