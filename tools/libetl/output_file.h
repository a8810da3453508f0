/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Files that hold trace data: their mode and owner, and how an existing file is kept. */
#ifndef ETW_OUTPUT_FILE_H
#define ETW_OUTPUT_FILE_H

#include <stdbool.h>

/*
 * Traces hold kernel addresses and all command lines, so a new file has mode 0600. Under sudo
 * it belongs to the user who called sudo. A file that exists keeps its mode and its owner.
 */

/**
 * output_open() - open a file for trace data, and create it if it does not exist
 * @name: the file
 * @flags: of open(), without O_CREAT
 * @created: set to whether the file is new; may be NULL
 *
 * Return: a descriptor, or a negative errno
 */
int output_open(const char *name, int flags, bool *created);

/* Standard output becomes this file, which is emptied. Return: 0 or a negative errno */
int output_redirect(const char *name);

/**
 * output_path() - where a file of this name is, behind symbolic links
 * @name: as the user typed it
 *
 * Return: a path to be freed; @name itself below /dev and /proc, where a link stands for a
 * file that is already open; NULL without memory
 */
char *output_path(const char *name);

/**
 * output_is_replaced() - whether a new file may take the place of this one
 * @path: from output_path()
 *
 * Return: false for devices, pipes, and all that is below /dev and /proc
 */
bool output_is_replaced(const char *path);

/**
 * output_keep() - rename a file to FILE.old
 * @path: the file
 * @kept: set to its new name, to be freed; NULL if there is no such file, or with an error
 *
 * An older FILE.old is replaced if it can be read and the module recorded it, as perf does with
 * perf.data.old. Any other file of that name may exist only once: it stays, and the new name is
 * FILE.old.1, or one with a higher number.
 *
 * Return: 0 or a negative errno; -EEXIST: there is no number left
 */
int output_keep(const char *path, char **kept);

/* Undoes output_keep(), if nothing took the file's place. Return: 0 or a negative errno */
int output_restore(const char *path, const char *kept);

#endif /* ETW_OUTPUT_FILE_H */
