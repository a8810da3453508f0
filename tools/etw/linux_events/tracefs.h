/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The events that the kernel offers in tracefs. */
#ifndef ETW_LINUX_EVENTS_TRACEFS_H
#define ETW_LINUX_EVENTS_TRACEFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "SYSTEM:NAME" */
#define LINUX_EVENT_NAME	320

/**
 * struct tracefs_events - all events, by name
 * @names: "SYSTEM:NAME", @count of them, sorted
 * @count: number of events
 */
struct tracefs_events {
	char (*names)[LINUX_EVENT_NAME];
	size_t count;
};

/* Lists the events. Return: 0, or -1 after a message with the name of the verb */
int tracefs_list(const char *verb, struct tracefs_events *events);
/* Those of systems that match. Return: false without a message: they cannot be read */
bool tracefs_list_systems(const char *glob, struct tracefs_events *events);
void tracefs_free(struct tracefs_events *events);
/*
 * The file FILE of the event @name; the caller frees it. Return: NULL with errno: it cannot be
 * read
 */
char *tracefs_read(const char *name, const char *file);
/* A file beside the folder events; otherwise as tracefs_read() */
char *tracefs_read_file(const char *file);
/* Writes a line to such a file, which keeps what it has. Return: 0 or an error number */
int tracefs_write_line(const char *file, const char *line);
/*
 * Whether an event is meant: a glob with ':' matches SYSTEM:NAME, any other a system or the name
 * of an event
 */
bool tracefs_matches(const char *glob, const char *name);

#endif /* ETW_LINUX_EVENTS_TRACEFS_H */
