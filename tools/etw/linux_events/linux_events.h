/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Events of Linux (tracepoints, probes) that a session records, as -e and --filter choose them. */
#ifndef ETW_LINUX_EVENTS_H
#define ETW_LINUX_EVENTS_H

#include "etw_linux_events.h"
#include "import/trace_formats.h"
#include "tracefs.h"

/**
 * struct linux_event - one of them
 * @format: its fields; trace_format::id is the one that perf_event_open(2) takes
 * @given: number of the last -e that names it
 * @stack: a stack follows each record
 * @nr_tests: entries of @tests
 * @tests: what its fields must be
 */
struct linux_event {
	const struct trace_format *format;
	uint32_t given;
	bool stack;
	uint32_t nr_tests;
	struct etw_linux_event_test tests[ETW_MAX_LINUX_EVENT_TESTS];
};

/**
 * struct linux_events - those of a session
 * @known: what the kernel offers; empty before the first name
 * @formats: of @events
 * @events: each once, in the order of the options
 * @count: entries of @events
 * @given: number of -e so far that name some
 */
struct linux_events {
	struct tracefs_events known;
	struct trace_formats formats;
	struct linux_event *events;
	uint32_t count;
	uint32_t given;
};

/* One part of -e is meant for Linux */
bool linux_events_is_name(const char *part);
/* Adds the events that match. Return: 0, or an exit code after a message */
int linux_events_add(struct linux_events *events, const char *verb, const char *glob);
/* Adds the event of exactly that name, which is newer than the list of events */
int linux_events_add_name(struct linux_events *events, const char *verb, const char *name);
/* Records stacks for those that match. Return: as linux_events_add() */
int linux_events_add_stack(struct linux_events *events, const char *verb, const char *glob);
/* Adds the conditions to the events of the last -e. Return: as linux_events_add() */
int linux_events_filter(struct linux_events *events, const char *verb, const char *expression);

/* Whether a block has room for their description. Return: as linux_events_add() */
int linux_events_check_size(const struct linux_events *events, const char *verb);

/* linux_event_filter.c: the conditions of one event. Return: as linux_events_add() */
int linux_event_add_tests(struct linux_event *event, const char *verb, const char *expression);

/*
 * linux_event_item.c: the entries of the item ETW_EXT_VND_LINUX_EVENTS. Return: their bytes; if
 * these are more than @room, @to has a part of them
 */
uint32_t linux_events_encode(const struct linux_events *events, uint8_t *to, uint32_t room);
/* What no entry can contain. Return: NULL, or why the event can't be recorded */
const char *linux_event_refusal(const struct trace_format *format);
/* The format of an event. Return: NULL, or why it cannot be read */
const char *linux_event_read(struct trace_formats *formats, const char *name,
			     const struct trace_format **format);

/* linux_event_text.c: such an item of @size bytes in words */
void linux_events_print(const uint8_t *item, uint32_t size);
/* "SYSTEM:NAME" of the entry with this byte. Return: false: there is none */
bool linux_events_name_at(const uint8_t *item, uint32_t size, uint32_t offset, char *to,
			  size_t room);

#endif /* ETW_LINUX_EVENTS_H */
