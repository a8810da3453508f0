/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Paths of a system call, as the kernel copied them from the program. */
#ifndef ETW_CALL_PATHS_H
#define ETW_CALL_PATHS_H

#include <stdbool.h>
#include "fields.h"

#define CALL_ARGUMENTS	6

/* syscall_paths.c: what etw record --syscalls makes */
#define CALL_PATH_EVENT	"Linux.kprobes.syscall_path/"

/**
 * struct call_paths - a system call, from its begin on
 * @arguments: @nr_arguments of them
 * @path: the path that the program passed; NULL: none
 * @second: of a call with two paths, the other one; NULL: none
 * @place: index of the argument that is @path; CALL_ARGUMENTS: unknown
 */
struct call_paths {
	uint64_t arguments[CALL_ARGUMENTS];
	unsigned int nr_arguments;
	char *path;
	char *second;
	unsigned int place;
};

/*
 * The arguments of a decoded begin of a call: its numbers but @number, which is the field with the
 * number of the call
 */
void call_paths_begin(struct call_paths *call, const struct fields *fields, const char *number);
/*
 * A decoded event of CALL_PATH_EVENT, whose thread has begun the call and not ended it. Return: 0,
 * or -1: no memory
 */
int call_paths_note(struct call_paths *call, const struct fields *fields);
void call_paths_free(struct call_paths *call);

#endif /* ETW_CALL_PATHS_H */
