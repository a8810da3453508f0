/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What the parts of the fuzzer share: memory, sessions, findings. */
#ifndef ETW_TEST_FUZZ_H
#define ETW_TEST_FUZZ_H

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include "tests/stress/fuzz/guest/racer.h"
#include "known.h"

#define CONTROL_NODE	"/dev/etw/control"
#define MAX_WORKERS	16
#define MARGIN		64	/* bytes around a request that must not change */
#define PLACE		256	/* where requests usually stand in an arena */
#define CONTROLS	3
#define SNAPSHOTS	4	/* that a worker keeps open */
#define MAX_BLOCK	8192

/* Those up to RUNDOWN take a struct etw_control */
enum kind { START, STOP, QUERY, FLUSH, UPDATE, SNAPSHOT, RUNDOWN, LIST, STATISTICS, LOG_RECORD,
	    COUNTING, ENABLE, PROVIDERS, OTHER, KINDS };

static const char *const kind_name[KINDS] = {
	"START", "STOP", "QUERY", "FLUSH", "UPDATE", "SNAPSHOT", "RUNDOWN", "LIST", "STATISTICS",
	"LOG_RECORD", "COUNTING", "ENABLE", "PROVIDERS", "OTHER",
};

static const unsigned long kind_cmd[OTHER] = {
	ETW_IOC_START, ETW_IOC_STOP, ETW_IOC_QUERY, ETW_IOC_FLUSH, ETW_IOC_UPDATE,
	ETW_IOC_SNAPSHOT, ETW_IOC_RUNDOWN, ETW_IOC_LIST, ETW_IOC_STATISTICS,
	ETW_IOC_LOG_RECORD, ETW_IOC_COUNTING, ETW_IOC_ENABLE, ETW_IOC_PROVIDERS,
};

/**
 * struct tally - what a worker did; the parent adds up and prints
 * @step: where it is
 * @ioctls: how many it made
 * @ok: of each kind, with success
 * @err: likewise, with an error
 * @taken: START and UPDATE that were carried out, with this item
 * @refused: and those that were refused because of it
 * @masks: bits of those that were carried out
 * @modes: likewise
 * @findings: that it had
 */
struct tally {
	__u64 step;
	__u64 ioctls;
	__u64 ok[KINDS];
	__u64 err[KINDS];
	__u64 taken[TYPES];
	__u64 refused[TYPES];
	__u32 masks[ETW_MASKS];
	__u32 modes;
	__u32 findings;
};

/* Hints about a logger for the choice of one: it may be another one by now */
#define TRAIT_KERNEL	1U
#define TRAIT_OVERWRITE	2U

enum { MEETING_NONE, MEETING_GATHERS, MEETING_RUNS };

/**
 * struct meeting - of all workers on one session
 * @state: MEETING_*
 * @here: how many others came and have not left
 * @id: logger id that all use
 * @seed: of what each does
 * @started: STARTs in it that succeeded
 * @ended: likewise STOPs with ETW_STOP_DISCARD
 * @stopped: likewise STOPs without
 * @held: how many there were
 * @crowded: those with more than one worker
 */
struct meeting {
	__u32 state, here, id;
	__u64 seed;
	__u32 started, ended, stopped, held, crowded;
};

/**
 * struct shared - memory of all workers
 * @quiet: held shared during a step; exclusively for one that must not be disturbed
 * @stop: time is over
 * @cpus: of this machine
 * @workers: how many are there, and may come to a meeting
 * @meeting: the one that there is, under @quiet
 * @trait: TRAIT_*, by logger id
 * @tally: one for each worker
 */
struct shared {
	pthread_rwlock_t quiet;
	int stop;
	__u32 cpus;
	__u32 workers;
	struct meeting meeting;
	__u8 trait[ETW_MAX_LOGGERS + 1];
	struct tally tally[MAX_WORKERS];
};

/**
 * struct arena - user memory that requests are put into, a hole behind it
 * @rw: the memory
 * @ro: the same memory, read-only
 * @size: bytes
 */
struct arena {
	__u8 *rw;
	__u8 *ro;
	size_t size;
};

/* Numbers of a session that may only grow, and which session it was */
struct sample {
	struct wmi_logger_information info;
	struct etw_statistics s;
};

struct worker {
	unsigned int number;
	__u64 seed;
	__u64 step;
	__u64 rng;
	int nobody;
	int events;		/* sessions may put probes on tracepoints */
	int verbose;
	__u32 counters;		/* of the extension that is being made */
	int alone;		/* in this step no other worker does anything */
	__u64 mask;		/* of LIST, the last time */
	int control[CONTROLS];
	int snapshot[SNAPSHOTS];	/* or -1 */
	int spare, null, path;
	int stream;
	__u32 stream_id;
	__u32 left;		/* the session that this step closed as its reader; or 0 */
	int pipe[2];
	struct arena args, blocks;
	struct racer racer;
	__u8 now[MAX_BLOCK];	/* the session that an UPDATE is for, as QUERY returned it */
	struct sample *samples;
	struct tally *tally;
};

static struct shared *shared;

__attribute__((format(printf, 2, 3)))
static void finding(struct worker *w, const char *format, ...)
{
	char again[96];
	va_list list;

	snprintf(again, sizeof(again), "to see it again: -s %llu -p %u -f %llu%s", w->seed,
		 w->number, w->step, w->events ? " -e" : "");
	va_start(list, format);
	tell_finding(again, format, list);
	va_end(list);
	if (count_finding(&w->tally->findings))
		__atomic_store_n(&shared->stop, 1, __ATOMIC_RELAXED);
}

/* The arena with this address, by one mapping or the other; and where in it; NULL: none */
static inline struct arena *arena_at(struct worker *w, __u64 address, __u64 *at)
{
	struct arena *arena[2] = { &w->args, &w->blocks };
	int i;

	for (i = 0; i < 2; i++) {
		*at = address - (unsigned long)arena[i]->rw;
		if (*at < arena[i]->size)
			return arena[i];
		*at = address - (unsigned long)arena[i]->ro;
		if (*at < arena[i]->size)
			return arena[i];
	}
	return NULL;
}

/*
 * Where a request can be read at @address: the writable alias; NULL when not
 * all of it is in an arena. Nothing outside of the arenas is given out but
 * what isn't mapped.
 */
static inline __u8 *peek(struct worker *w, __u64 address, __u64 size)
{
	__u64 at;
	struct arena *arena = arena_at(w, address, &at);

	return arena && size <= arena->size - at ? arena->rw + at : NULL;
}

static inline int writable(struct worker *w, __u64 address, __u64 size)
{
	__u8 *p = peek(w, address, size);

	return p && (unsigned long)p == address;
}

/* The last bytes before the hole, or as many as there are */
static inline __u64 room_at(struct worker *w, __u64 address)
{
	__u64 at;
	struct arena *arena = arena_at(w, address, &at);

	return arena ? arena->size - at : 0;
}

static inline void count(struct worker *w, enum kind kind, int err)
{
	w->tally->ioctls++;
	if (err)
		w->tally->err[kind]++;
	else
		w->tally->ok[kind]++;
}

/* An ioctl that asks, outside of what is fuzzed; errno or 0 */
static inline int ask(struct worker *w, enum kind kind, void *arg)
{
	return ioctl(w->spare, kind_cmd[kind], arg) ? errno : 0;
}

static inline __u64 loggers(struct worker *w)
{
	struct etw_list list = { .size = sizeof(list) };
	int err = ask(w, LIST, &list);

	if (err)
		finding(w, "LIST: %s", error_name(err));
	w->mask = list.loggers;
	return list.loggers;
}

#endif /* ETW_TEST_FUZZ_H */
