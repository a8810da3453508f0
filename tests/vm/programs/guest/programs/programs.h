/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Tests of programs' events: sessions, what is read of them, what is expected there. */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include "etw_abi.h"
#include "etw_hooks.h"
#include "etw_provider.h"
#include "tests/lib/guest/result.h"
#include "tests/vm/programs/row.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))
#define NOBODY		65534
#define OTHER		1234
#define FILETIME_OF(t)	((t).tv_sec * 10000000ULL + (t).tv_nsec / 100 + 116444736000000000ULL)

/**
 * struct wish - what a session shall be; zeros: 64 KB, 16 buffers, system time
 * @name: ASCII
 * @kb: buffer size
 * @buffers: of all CPUs together
 * @flags: EnableFlags: a kernel session unless 0
 * @mode: EVENT_TRACE_*
 * @clock: ETW_CLOCK_*
 * @options: ETW_PROVIDER_*
 * @rate: of the provider options
 * @uids: that may write
 * @nr_uids: how many
 * @gids: groups that may write
 * @nr_gids: how many
 * @plain: no item of provider options
 */
struct wish {
	const char *name;
	__u32 kb;
	__u32 buffers;
	__u32 flags;
	__u32 mode;
	__u32 clock;
	__u32 options;
	__u32 rate;
	__u32 uids[2];
	__u32 nr_uids;
	__u32 gids[2];
	__u32 nr_gids;
	int plain;
};

/**
 * struct session - one that runs, with its stream open
 * @id: logger id
 * @node: stream
 * @data: of the last take(), which the records are in
 * @size: bytes
 */
struct session {
	__u32 id;
	int node;
	__u8 *data;
	size_t size;
};

/**
 * struct record - as it was read
 * @bytes: from its header on; valid until the next take()
 * @size: of the record as it says itself, without padding
 * @cpu: of the buffer that it was in
 * @at: in that buffer
 */
struct record {
	const __u8 *bytes;
	__u32 size;
	__u16 cpu;
	__u32 at;
};

/**
 * struct moment - what the system says now of the clock and of this thread
 * @filetime: system time
 * @time: in units of TimerResolution: of kernel and user in all; what of which
 *	is scaled for programs, and as the ticks hit in records
 */
struct moment {
	__u64 filetime;
	__u32 time;
};

extern int control, provider;

/* world.c: sessions and their streams */
int try(int fd, unsigned long cmd, const void *arg);
int try_start(const struct wish *wish, __u32 *id);
int open_stream(__u32 id);
struct session start(const struct wish *wish);
int stop(__u32 id, __u32 flags);
void end(struct session *session);
int on(unsigned long cmd, __u32 id);
struct etw_statistics statistics(__u32 id);
int open_provider(__u32 version);
/* FLUSH, then all that programs wrote since the last time; returns how many */
size_t take(struct session *session, struct record *to, size_t most);
/* One record and no other; a zero record else */
struct record take_one(struct session *session);
struct moment moment(void);
void stay_on(int cpus);

/* expect.c: records, made from the documents by offsets, not by our structures */
void put16(__u8 *to, __u16 value);
void put32(__u8 *to, __u32 value);
void put64(__u8 *to, __u64 value);
__u16 get16(const __u8 *from);
__u32 get32(const __u8 *from);
__u64 get64(const __u8 *from);

/**
 * struct expected_event - an EVENT_TRACE_HEADER record that shall be there
 * @type: HeaderType: 0x14, 0x0A, 0x15, 0x0B
 * @class: Type, Level, Version as they stand at 0x04
 * @thread: id
 * @process: id
 * @stamp: 0: between @before and @after
 * @guid: 16 bytes
 * @instance: of the 0x18 bytes behind the header, or NULL
 * @data: what follows
 * @size: bytes of @data
 * @before: when the call began
 * @after: when it had ended
 */
struct expected_event {
	__u8 type;
	__u8 class[4];
	__u32 thread;
	__u32 process;
	__u64 stamp;
	const __u8 *guid;
	const __u8 *instance;
	const void *data;
	__u32 size;
	struct moment before;
	struct moment after;
};

/* NULL: it is that, byte for byte; else what is wrong, in a static buffer */
const char *wrong_event(const struct record *record, const struct expected_event *expected);

/**
 * struct expected_message - a MESSAGE_TRACE_HEADER record that shall be there
 * @flags: of the caller
 * @bits: 32 or 64: of the caller
 * @number: MessageNumber
 * @sequence: number
 * @guid: 16 bytes, their first 4 the component id
 * @thread: id
 * @process: id
 * @data: what follows
 * @size: bytes of @data
 * @before: lowest possible stamp
 * @after: highest possible stamp
 */
struct expected_message {
	__u32 flags;
	int bits;
	__u16 number;
	__u32 sequence;
	const __u8 *guid;
	__u32 thread;
	__u32 process;
	const void *data;
	__u32 size;
	__u64 before;
	__u64 after;
};

const char *wrong_message(const struct record *record, const struct expected_message *expected);
/* Where the stamp of a message with these flags stands, 0: nowhere */
__u32 stamp_at(__u32 flags);

/* events.c: to give to the device */
#define MOST_DATA	0x10000

/**
 * struct given - an event as a program gives it
 * @header: 0x30 bytes
 * @data: what follows
 */
struct given {
	__u8 header[0x30];
	__u8 data[MOST_DATA];
} __attribute__((aligned(8)));

extern const __u8 class_guid[16], other_guid[16];
void prepare(struct given *given, __u32 flags, const void *data, __u32 size);
int trace_event(int fd, __u64 handle, const void *event, __u32 flags);
int trace_message(int fd, const struct etw_trace_message *message);
/* What a record of @given shall be, written by this thread between two moments */
struct expected_event expect(const struct given *given, __u32 size, struct moment before);

/* golden.c: the stream of a stopped session into a file; the 32-bit program's process or 0 */
void save(const struct session *session, const char *name);
__u32 run_compat32(__u32 id, const char *what);
/* credentials.c: what a copy of this program does */
int say(const char *number);

void test_events(void);
void test_versions(void);
void test_options(void);
void test_errors(void);
void test_pieces(void);
void test_messages(void);
void test_golden(void);
void test_compat(void);
void test_instances(void);
void test_writes(void);
void test_kernel(void);
void test_widths(void);
void test_forging(void);
void test_rights(void);
void test_credentials(void);
void test_namespaces(void);
void test_purses(void);
void test_opens(void);
void test_flood(void);
void test_rate(void);
void test_burst(void);
void test_stay(void);
void test_conservation(void);

#endif /* PROGRAMS_H */
