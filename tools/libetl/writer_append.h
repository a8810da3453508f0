/* SPDX-License-Identifier: GPL-2.0 */
/* A stream behind an earlier one in a file: EVENT_TRACE_FILE_MODE_APPEND. Only for the writer. */
#ifndef ETW_WRITER_APPEND_H
#define ETW_WRITER_APPEND_H

#include "writer.h"

/* The file is open: reads what is in it, if the mode says so. Return: 0 or -1 */
int append_open(struct writer *writer);
/* The file is unclosed from here on. Return: 0 or -1, and the file is as it was */
int append_begin(struct writer *writer);
/* The file is as it was before append_begin() */
void append_undo(struct writer *writer);
/* A buffer of the stream, in writer->pending, becomes one of the file's buffers. */
void append_convert(struct writer *writer);
/*
 * Gives @buffer the file's LoggerId, and its loss records the id of the session that is being
 * appended. Does nothing if the file was empty.
 */
void append_mark(const struct writer *writer, uint8_t *buffer);

#endif /* ETW_WRITER_APPEND_H */
