/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A text file that a verb makes: the whole of it, or none. */
#ifndef ETW_WHOLE_FILE_H
#define ETW_WHOLE_FILE_H

#include <stdio.h>

/*
 * Writes a file, or standard output if @name is NULL, by @write, which returns 0, or -1 after a
 * message. A file that is not whole is removed. Return: exit code
 */
int whole_file_write(const char *name, int (*write)(FILE *to, void *data), void *data);

#endif /* ETW_WHOLE_FILE_H */
