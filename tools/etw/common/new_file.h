/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A file that takes the place of another one only when it is whole. */
#ifndef ETW_NEW_FILE_H
#define ETW_NEW_FILE_H

#include <stdbool.h>
#include <stdio.h>

/**
 * struct new_file - while it is written
 * @name: where to write; valid until new_file_end()
 * @path: the file that @name replaces at the end; NULL: @name is the file itself
 */
struct new_file {
	char *name;
	char *path;
};

/**
 * new_file_begin() - begin to write a file
 * @file: gets its names
 * @output: as the user typed it
 *
 * The new file is beside the old one until then, and has its mode and owner. Devices, pipes, and
 * files in a folder that takes no new ones are written in place. SIGINT, SIGTERM and SIGHUP
 * remove what was written, and leave the old file as it was.
 *
 * Return: the stream, or NULL after a message
 */
FILE *new_file_begin(struct new_file *file, const char *output);

/* @whole: it takes its place, otherwise it goes. Return: 0, or -1 after a message */
int new_file_end(struct new_file *file, bool whole);

#endif /* ETW_NEW_FILE_H */
