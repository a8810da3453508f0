/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The files of a writer: which one, opened, kept as FILE.old, given up. Only for writer.c. */
#ifndef ETW_WRITER_FILE_H
#define ETW_WRITER_FILE_H

#include "writer.h"

/* Ends the writing: @err is writer->error from then on. Return: of failed() */
int writer_give_up(struct writer *writer, int err);
/* Opens the file, or the next one with EVENT_TRACE_FILE_MODE_NEWFILE. Return: 0 or not */
int writer_open_file(struct writer *writer);

#endif /* ETW_WRITER_FILE_H */
