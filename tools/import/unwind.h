/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/*
 * Stacks of programs from the registers and the copy of the stack that perf record --call-graph
 * dwarf keeps, and from the programs' files.
 */
#ifndef ETW_IMPORT_UNWIND_H
#define ETW_IMPORT_UNWIND_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "perf_sample.h"

struct importing;
struct import_process;
struct unwinder;
struct unwinding;

/* As perf has */
#define UNWIND_FRAMES	127

/**
 * struct unwind_file - a program or library
 * @fd: of it
 * @machine: EM_*
 * @bias: what its addresses are above those in the file
 */
struct unwind_file {
	int fd;
	uint16_t machine;
	uint64_t bias;
};

/*
 * unwind_file.c: @base: address of offset 0, as the mapping of its code has it; @id may be NULL.
 * Return: false: it cannot be read, or has another build-id
 */
bool unwind_file_open(struct unwind_file *file, const char *path, uint64_t base,
		      const struct perf_build_id *id);

/* unwind_dwfl.c: programs with open files. NULL: no memory, or libdw is not installed */
struct unwinder *unwinder_new(void);
/* Return: the number of addresses; the first is that of the sample */
size_t unwinder_run(struct unwinder *unwinder, const struct importing *importing,
		    const struct import_process *process, const struct perf_record *record,
		    uint64_t frames[UNWIND_FRAMES]);
void unwinder_free(struct unwinder *unwinder);

/*
 * unwind_workers.c: before the first record. Further processors read the recording, too, and
 * unwind a part of the stacks. Return: 0, or -1 after a message
 */
int unwind_begin(struct importing *importing);
/* The stack of a sample with a copy of the stack; the same return value as unwinder_run() */
size_t unwind_sample(struct importing *importing, const struct perf_record *record,
		     uint64_t frames[UNWIND_FRAMES]);
/* This process is a worker, which writes no trace. */
bool unwind_is_worker(const struct importing *importing);
void unwind_end(struct importing *importing);

#endif /* ETW_IMPORT_UNWIND_H */
