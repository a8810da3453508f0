/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Appends a session to a file: EVENT_TRACE_FILE_MODE_APPEND. Only for the writer. */
#ifndef ETW_WRITER_APPEND_H
#define ETW_WRITER_APPEND_H

#include "writer.h"

/*
 * Reads the header of an open file if the mode is APPEND and the file is not empty, and checks that
 * a session can be appended. Return: 0 or -1
 */
int append_open(struct writer *writer);
/*
 * Removes the end of the earlier session: from then on the file is an unclosed one.
 * Return: 0; or -1, and the file is as it was
 */
int append_begin(struct writer *writer);
/* Makes the file as it was before append_begin() */
void append_undo(struct writer *writer);
/*
 * Changes the buffer in writer->pending, as the session has written it, into one of the file: a
 * header buffer gets another type, and append_mark() does the rest.
 */
void append_convert(struct writer *writer);
/*
 * Gives @buffer the file's LoggerId, and its loss records the id of the session that is being
 * appended. Does nothing if no session is appended.
 */
void append_mark(const struct writer *writer, uint8_t *buffer);

#endif /* ETW_WRITER_APPEND_H */
