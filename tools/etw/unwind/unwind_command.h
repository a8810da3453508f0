/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The unwind tables of a command, made before it runs. */
#ifndef ETW_UNWIND_COMMAND_H
#define ETW_UNWIND_COMMAND_H

#include <stddef.h>
#include "unwind_table.h"

/**
 * struct unwind_command - tables of the files that a command will load
 * @file: descriptor and table of each file that has one
 * @files: number of these
 */
struct unwind_command {
	struct {
		int fd;
		struct unwind_table table;
	} *file;
	size_t files;
};

/* @command: name or path of the program; NULL: there are no files */
void unwind_command_read(struct unwind_command *tables, const char *command);
void unwind_command_free(struct unwind_command *tables);

#endif /* ETW_UNWIND_COMMAND_H */
