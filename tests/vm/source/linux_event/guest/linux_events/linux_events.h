/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Linux events for tests: formats of tracefs, entries of the item, records of both tracers. */
#ifndef ETW_TEST_LINUX_EVENTS_H
#define ETW_TEST_LINUX_EVENTS_H

/* Many events have long descriptions */
#define REQUEST_DWORDS	32768

#include "tests/lib/guest/check.h"
#include "tests/lib/guest/requests.h"
#include "etw_linux_events.h"

#define TRACEFS		"/sys/kernel/tracing"
#define MAX_FIELDS	128
#define MAX_RAW		2048
#define MAX_RAWS	100000
#define MAX_RECORDS	200000

#ifdef __aarch64__
#define FIRST_ARGUMENT	"%x0"
#define SECOND_ARGUMENT	"%x1"
#else
#define FIRST_ARGUMENT	"%di"
#define SECOND_ARGUMENT	"%si"
#endif

/**
 * struct event - an event of tracefs
 * @system: its system
 * @name: its name
 * @id: its id
 * @nr: entries of @field
 * @field: copy program of all its fields, without those that every event has
 * @record_size: bytes of the fixed part
 * @tests: conditions of the entry
 * @nr_tests: number of them
 * @flags: ETW_LINUX_EVENT_*
 */
struct event {
	const char *system, *name;
	__u32 id, nr;
	struct etw_linux_event_field field[MAX_FIELDS];
	__u32 record_size;
	struct etw_linux_event_test tests[2];
	__u32 nr_tests, flags;
};

/**
 * struct raw - a record of ftrace's ring buffer
 * @cpu: of it
 * @size: bytes of @data
 * @data: the record
 */
struct raw {
	__u32 cpu, size;
	__u8 data[MAX_RAW];
};

/**
 * struct found - a record of the session's stream
 * @cpu: of it
 * @header: its header
 * @traits: item, without padding
 * @traits_size: its bytes
 * @schema_size: bytes of the other item
 * @data: what follows the items
 * @size: bytes of @data
 * @taken: a record of ftrace has been found to be this one
 */
struct found {
	__u32 cpu;
	const struct etw_event_header *header;
	const __u8 *traits;
	__u32 traits_size, schema_size;
	const __u8 *data;
	__u32 size;
	int taken;
};

/* A stream, and the records of Linux events in it */
struct records {
	__u8 *stream;
	size_t used;
	struct found *found;
	__u32 nr;
};

/* main.c: what the other parts use */
__u32 must_start(const struct event *events, __u32 nr, __u32 pid);
/* Return: errno */
int may_start(const struct event *events, __u32 nr, __u32 *id);
/* A session without Linux events, or with others. Return: errno */
int update_with(int control, __u32 id, const struct event *events, __u32 nr);
pid_t run_program(void);
__u32 raw_type(const struct raw *raw);
/* Whether both are the same event of the same thread; with @fields, of the same data, too */
int is_same(const struct found *found, const struct event *event, const struct raw *raw,
	    int fields);

/*
 * each.c: all tracepoints that one of the patterns (SYSTEM:NAME) selects, in groups. @least: that
 * many there must be. Return: exit status
 */
int try_each(int control, int nr_wanted, char **wanted, __u32 least);

/*
 * many.c: that many events, switched on and off while all CPUs cause them. Return: exit status
 */
int try_many(int control, __u32 wanted);

/* tracefs.c */
void event_find(struct event *event, const char *system, const char *name);
__u32 event_offset(const struct event *event, const char *field, __u32 *size);
void tracefs_write(const char *path, const char *text);
int tracefs_has(const char *path);
void ftrace_begin(void);
void ftrace_enable(const struct event *event, int on);
void ftrace_switch(int on);
__u32 ftrace_read(struct raw *to, __u32 room);

/* entry.c */
struct etw_guid event_guid(const struct event *event);
__u32 entry_make(const struct event *event, void *to);
void request_add_events(struct request *r, const struct event *events, __u32 nr);
__u32 expect_data(const struct event *event, const struct raw *raw, __u8 *to);
struct records stop_and_find(int control, __u32 id);
const __u8 *find_stack(const struct records *records, const struct found *of, __u32 *frames);
int is_of(const struct found *found, const struct event *event);

#endif /* ETW_TEST_LINUX_EVENTS_H */
