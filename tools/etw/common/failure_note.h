/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Why the background writer of a session has ended: kept until 'etw stop' or the next start. */
#ifndef ETW_FAILURE_NOTE_H
#define ETW_FAILURE_NOTE_H

#include <stdbool.h>
#include <stddef.h>

/* A line of text for a session that has ended. Without a place for it, syslog alone has it. */
void failure_note_write(const char *session, const char *text);
bool failure_note_read(const char *session, char *text, size_t room);
void failure_note_remove(const char *session);
/* All of them, a line each, on standard output */
void failure_notes_print(void);

#endif /* ETW_FAILURE_NOTE_H */
