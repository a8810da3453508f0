/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The executable files that a command will load. */
#ifndef ETW_NEEDED_FILES_H
#define ETW_NEEDED_FILES_H

#include <stddef.h>

/**
 * struct needed_files - files of a command
 * @path: of each file, once
 * @count: number of files
 */
struct needed_files {
	char **path;
	size_t count;
};

/**
 * needed_files_find() - find the files that a command will load
 * @files: out: its program, the interpreters of scripts, the dynamic loader, and the libraries
 *	that these name (DT_NEEDED), where the loader looks for them. Without libelf: the program
 *	alone. To be freed by needed_files_free()
 * @command: name or path of the program
 *
 * Libraries that a program loads later (dlopen) are not among them. At most 256 files are found.
 */
void needed_files_find(struct needed_files *files, const char *command);
void needed_files_free(struct needed_files *files);
/*
 * Why a command cannot be run: ENOENT or EACCES, also of a script's interpreter. The program need
 * not be readable. Return: 0: the command can be run
 */
int needed_files_error(const char *command);

#endif /* ETW_NEEDED_FILES_H */
