/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What the parts of the providers' fuzzer share: workers, sessions, memory, payloads. */
#ifndef ETW_FUZZ_PROVIDER_H
#define ETW_FUZZ_PROVIDER_H

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include "etw_provider.h"
#include "tests/lib/guest/provider_session.h"
#include "tests/stress/fuzz/guest/racer.h"

#define PROVIDER_NODE	"/dev/etw/provider"
#define MAX_WORKERS	8
#define FILES		2		/* that a worker has open */
#define ARENA		(40 * PAGE)
#define GUARD		(64U << 20)	/* before and behind it: no address goes far astray */
#define POOL		8		/* control GUIDs */

enum kind { EVENT, WRITE, MESSAGE, MODERN, RULES, REGISTER, UNREGISTER, ACK, MAP, OTHER, KINDS };

static const char *const kind_name[KINDS] = {
	"TRACE_EVENT", "write", "TRACE_MESSAGE", "WRITE_EVENT", "SET_RULES", "REGISTER",
	"UNREGISTER", "ACK", "mmap", "OTHER",
};

/* Sessions that there are all the time, but for the one that comes and goes */
enum slot { PLAIN, OPTIONS, KERNEL, FLIGHT, CLOSED, WANTING, CHURN, SLOTS };

/**
 * struct plan_of - a session
 * @wanted: how it is started
 * @limited: it has a rate limit
 */
static const struct plan_of {
	struct wanted wanted;
	int limited;
} plans[SLOTS] = {
	[PLAIN] = { { "plain", EVENT_TRACE_USE_GLOBAL_SEQUENCE, 64, 32,
		      { 0, ETW_NO_RATE_LIMIT }, NOBODY }, 0 },
	[OPTIONS] = { { "options", EVENT_TRACE_USE_GLOBAL_SEQUENCE, 64, 16,
			{ ETW_PROVIDER_TIMESTAMPS | ETW_PROVIDER_WNODES, ETW_NO_RATE_LIMIT },
			NOBODY }, 0 },
	[KERNEL] = { { "kernel", EVENT_TRACE_SYSTEM_LOGGER_MODE, 8, 64,
		       { ETW_PROVIDER_KERNEL_SESSION, 500 }, NOBODY }, 1 },
	[FLIGHT] = { { "flight", EVENT_TRACE_BUFFERING_MODE | EVENT_TRACE_USE_LOCAL_SEQUENCE, 16,
		       16, { 0, 300 }, -1 }, 1 },
	[CLOSED] = { { "closed", EVENT_TRACE_SYSTEM_LOGGER_MODE, 4, 8, { 0, 0 }, NOBODY }, 1 },
	[WANTING] = { { "wanting", 0, 64, 16, { 0, ETW_NO_RATE_LIMIT }, NOBODY }, 0 },
	[CHURN] = { { "churn", EVENT_TRACE_USE_LOCAL_SEQUENCE, 64, 8,
		      { 0, ETW_NO_RATE_LIMIT }, NOBODY }, 0 },
};

/**
 * struct tally - what a worker did; it alone writes
 * @hushed: the value of shared->hush that it waits at
 * @written: into each session: successes
 * @lost: likewise: failures that count as losses
 */
struct tally {
	__u64 step, calls, raced, trapped;
	__u64 ok[KINDS], err[KINDS];
	__u64 written[SLOTS], lost[SLOTS];
	__u32 hushed;
	__u32 findings;
	pid_t pid;
	int control;		/* its files have the rights of control */
};

/**
 * struct shared - memory of all
 * @stop: time is over
 * @hush: not 0: workers wait between two steps
 * @logger: of each session; that of CHURN may be gone
 */
struct shared {
	int stop;
	__u32 hush;
	__u32 logger[SLOTS];
	struct tally tally[MAX_WORKERS + 1];
};

/**
 * struct trap - a page that is missing until the kernel wants it
 * @fd: userfaultfd, or -1
 * @memory: the arena's file
 * @ruled: the file with rules that change then, or -1
 * @other: to what
 * @sprung: how often it was wanted
 * @racer: what changes then
 * @page: what comes
 */
struct trap {
	int fd, memory, ruled;
	__u32 other;
	__u32 sprung;
	struct racer *racer;
	__u8 page[PAGE] __attribute__((aligned(PAGE)));
};

struct worker {
	unsigned int number;
	__u64 seed, step, rng;
	int control;		/* its files have the rights of control */
	int opener;		/* it has the credentials that its files have */
	int fd[FILES];
	__u32 version[FILES];
	__u8 registered[FILES][ETW_MAX_REGISTRATIONS];	/* GUID of the pool + 1; POOL + 1: modern */
	const struct etw_provider_page *page[FILES];
	__u8 *rw, *ro;		/* one memory twice; nothing before, nothing behind */
	__u32 used;
	int edge;		/* things may lie over each other */
	__u64 data_at;		/* where a payload stands; 0: anywhere */
	__u8 *scratch;
	struct racer racer;
	struct trap trap;
	struct tally *tally;
};

static struct shared *shared;

static inline void note_finding(struct tally *tally)
{
	if (count_finding(&tally->findings))
		__atomic_store_n(&shared->stop, 1, __ATOMIC_RELAXED);
}

__attribute__((format(printf, 2, 3)))
static void finding(struct worker *w, const char *format, ...)
{
	char where[64];
	va_list list;

	snprintf(where, sizeof(where), "worker %u, step %llu", w->number, w->step);
	va_start(list, format);
	tell_finding(where, format, list);
	va_end(list);
	note_finding(w->tally);
}

static inline void name_errors(errors set, char *text, size_t size)
{
	size_t at = 0;
	int err;

	text[0] = 0;
	for (err = 0; err < 128; err++)
		if (set & E(err) && at < size)
			at += snprintf(text + at, size - at, " %s", error_name(err));
}

/* The writable alias of what is all there; NULL otherwise */
static inline __u8 *peek(struct worker *w, __u64 address, __u64 size)
{
	__u64 at = address - (unsigned long)w->rw;

	if (at >= ARENA)
		at = address - (unsigned long)w->ro;
	return at < ARENA && size <= ARENA - at ? w->rw + at : NULL;
}

static inline int writable(struct worker *w, __u64 address, __u64 size)
{
	__u8 *p = peek(w, address, size);

	return p && (unsigned long)p == address;
}

/* Nothing is there: a hole, the kernel's half, no address at all */
static inline __u64 wild(struct worker *w)
{
	const __u64 none[] = {
		0, 8, (unsigned long)w->rw + ARENA, (unsigned long)w->rw - PAGE,
		0x00007ffffffff000ULL, 0x0000800000000000ULL, 0xffff800000000000ULL,
		0xffffffff81000000ULL, ~0ULL, 0xfffffffffffff000ULL,
	};

	return none[below(w, sizeof(none) / sizeof(none[0]))];
}

/* Room for so many bytes, or, rarely, not quite */
static inline __u64 place(struct worker *w, __u32 size)
{
	__u64 base = (unsigned long)w->rw;
	__u32 at = w->used + below(w, 24);

	switch (below(w, 256)) {
	case 0:
		return wild(w);
	case 1:		/* the end of it isn't there */
		if (size < 2)
			break;
		w->edge = 1;
		return base + ARENA - 1 - below(w, size - 1);
	case 2:
		base = (unsigned long)w->ro;
		break;
	case 3:
	case 4:
	case 5:		/* its last byte is the last that there is */
		if (size > ARENA)
			break;
		w->edge = 1;
		return base + ARENA - size;
	}
	if (!one_in(w, 4))
		at = (at + 7) & ~7U;
	if (at + size > ARENA) {
		w->edge = 1;
		at = 0;
	} else {
		w->used = at + size;
	}
	return base + at;
}

/* As much of it as there is memory for */
static inline void put(struct worker *w, __u64 address, const void *from, __u32 size)
{
	__u8 *to = peek(w, address, 1);
	__u32 room = to ? w->rw + ARENA - to : 0;

	if (to)
		memcpy(to, from, size < room ? size : room);
}

/**
 * struct head - what payloads that are long enough begin with
 * @magic: PAYLOAD_MAGIC
 * @length: bytes of all
 * @worker: that made it
 * @high: 0xFE: the first eight bytes are no address
 * @step: when
 * @check: of the above; and where the bytes behind it come from
 * @reserved: 0
 */
struct head {
	__u32 magic;
	__u16 length;
	__u8 worker;
	__u8 high;
	__u64 step;
	__u32 check;
	__u32 reserved;
};

#define PAYLOAD_MAGIC	0x50525A46U

/* Opcodes, and low bytes of message numbers: what readers may expect */
#define MARK_PATTERN	0x50	/* a payload as below */
#define MARK_FREE	0x46	/* any bytes */
#define MARK_RACED	0x52	/* any bytes, any flags */

static inline __u32 head_check(const struct head *head)
{
	return mix(head->step ^ (__u64)head->worker << 56 ^ (__u64)head->length << 40);
}

static inline void put_pattern(__u8 *to, __u32 size, unsigned int worker, __u64 step)
{
	struct head head = {
		.magic = PAYLOAD_MAGIC, .length = size, .worker = worker, .high = 0xFE,
		.step = step,
	};
	__u32 i;

	head.check = head_check(&head);
	memcpy(to, &head, size < sizeof(head) ? size : sizeof(head));
	for (i = sizeof(head); i < size; i++)
		to[i] = head.check + 13 * i;
}

static inline int is_pattern(const __u8 *from, __u32 size, struct head *head)
{
	__u32 i;

	if (size < sizeof(*head))
		return 0;
	memcpy(head, from, sizeof(*head));
	if (head->magic != PAYLOAD_MAGIC || head->length != size || head->high != 0xFE ||
	    head->check != head_check(head) || head->reserved)
		return 0;
	for (i = sizeof(*head); i < size; i++)
		if (from[i] != (__u8)(head->check + 13 * i))
			return 0;
	return 1;
}

/* Classes that only those with the rights of control may write */
static const struct etw_guid reserved_guids[] = {
	ETW_SYSTEM_TRACE_CONTROL_GUID,
	ETW_LINUX_PROVIDER_GUID,
	{ 0x3d6fa8d0, 0xfe05, 0x11d0, { 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c } },
};

#define RESERVED	(sizeof(reserved_guids) / sizeof(reserved_guids[0]))

static inline int is_reserved(const struct etw_guid *guid)
{
	__u32 i;

	for (i = 0; i < RESERVED; i++)
		if (!memcmp(guid, &reserved_guids[i], sizeof(*guid)))
			return 1;
	return 0;
}

/* No address, neither in its first eight bytes nor later */
static inline struct etw_guid pool_guid(__u32 i)
{
	return (struct etw_guid){ 0xF0220000U + i, 0xABCD, 0xFEED, { 1, 2, 3, 4, 5, 6, 7, 0xFE } };
}

/* Of WRITE_EVENT; the session WANTING alone has it enabled: a call writes one record or none */
static const struct etw_guid modern_guid = {
	0xF0330000U, 0xABCD, 0xFEED, { 1, 2, 3, 4, 5, 6, 7, 0xFE }
};

#define MODERN_LEVEL	4
#define MODERN_ANY	6
#define MODERN_ALL	2
#define MODERN_LEFT	"left"	/* name of the events that its filter excludes */

#endif /* ETW_FUZZ_PROVIDER_H */
