/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Storm: sessions, readers, CPUs and the module come and go, all at once. */
#ifndef STORM_H
#define STORM_H

#include "tests/lib/guest/torture_stream.h"

#define STORM_SESSIONS	64
#define STORM_PROCESSES	512

/* What is counted, in shared memory, over all rounds */
enum storm_count {
	C_SESSIONS,		/* started */
	C_REFUSED,		/* START without memory */
	C_CHECKED,		/* laws that were checked, one a session */
	C_ATTEMPTED,		/* records, by the law */
	C_READ,
	C_OVERWRITTEN,
	C_LOST,
	C_DISCARDED,
	C_SEEN,			/* records looked at */
	C_NESTED,		/* of them, those over another writer */
	C_READERS,
	C_KILLED,		/* readers, by SIGKILL */
	C_UNANSWERED,		/* readers that read into memory that never comes */
	C_FLUSHES,
	C_UPDATES,
	C_SNAPSHOTS,
	C_COPIED,		/* records looked at in snapshots */
	C_RUNDOWNS,
	C_LOGGED,		/* records that programs wrote */
	C_PLUGS,		/* CPUs that went and came back */
	C_UNPLUGGED,		/* attempts that failed for want of memory */
	C_PROGRAMS,		/* events that programs wrote through the device */
	C_REGISTERED,
	C_ENABLED,
	C_OPENS,
	C_UNLOADS,
	C_UNLOADS_REFUSED,
	C_HOGGED,		/* MB that were taken, at most */
	C_PROBES_SEEN,		/* tracepoints that were seen to have no probe */
	C_FAILURES,
	C_COUNTS,
};

/**
 * struct process - one that has to make steps, see judge()
 * @pid: 0: none
 * @name: what it is
 * @steps: that it has made
 * @awaits: the process that has the turn instead, or 0, or NOBODY_WE_KNOW
 * @may_block: it may make none, unless another process awaits it
 */
struct process {
	int pid;
	const char *name;
	unsigned int steps;
	int awaits;
	int may_block;
};

/**
 * struct storm - shared by all processes
 * @over: the round ends
 * @closing: holders of files may go now
 * @unloading: the module may go at any moment
 * @counts: by enum storm_count
 * @processes: for the judge
 */
struct storm {
	int over;
	int closing;
	int unloading;
	unsigned long long counts[C_COUNTS];
	struct process processes[STORM_PROCESSES];
};

/* What a storm is made of */
struct storm_options {
	unsigned long long seed;
	unsigned int seconds;
	unsigned int round;
	unsigned int cycles;
	unsigned int sessions;
	int hotplug;
	int memory;
	int unanswered;		/* there are readers with memory that never comes */
	const char *parameters;
};

/**
 * struct random - a process's own generator
 * @state: not 0
 */
struct random {
	__u64 state;
};

/**
 * struct wish - a session's configuration
 * @name: of the session
 * @kb: buffer size
 * @minimum: of buffers; 0: as the maximum
 * @maximum: of buffers; 0 for UPDATE: as it is
 * @mode: EVENT_TRACE_*
 * @flags: EnableFlags
 * @flush_ms: timer
 * @hooks: the only hook ids
 * @nr_hooks: how many; 0: all
 * @clocks: counters on context swaps: clocks, which take no patching of code; for
 *	UPDATE 0: as it is
 * @interval: of the sampled profile, 100 ns; 0: none
 * @stacks: context swaps and samples have them
 * @cache: bytes of the cache of stacks; 0: each is written whole
 * @rate: limit of programs' events
 */
struct wish {
	const char *name;
	__u32 kb;
	__u32 minimum;
	__u32 maximum;
	__u32 mode;
	__u32 flags;
	__u32 flush_ms;
	__u16 hooks[8];
	__u32 nr_hooks;
	__u32 clocks;
	__u32 interval;
	int stacks;
	__u32 cache;
	__u32 rate;
};

/**
 * struct programs - a process that writes events into a session; shared memory
 * @pid: it, or 0
 * @stop: it shall end
 * @inexact: one was killed
 * @written: events that found a place
 * @refused: events that were lost, and counted
 */
struct programs {
	int pid;
	int stop;
	int inexact;
	unsigned long long written;
	unsigned long long refused;
};

/**
 * struct seen - what a session's readers found; survives them
 * @check: see there
 * @records: in buffers that were read to their end
 * @exact: no reader was killed with something in hand
 * @steady: the session got every event from its start on
 * @busy: a read() is under way, or its data is being looked at
 * @opened: the reader that was started last has, or could not
 * @unanswered: it reads into memory that never comes: it ends only when it is killed
 * @given_up: the session goes when it is stopped: its id may be another's then
 * @ended: a reader saw the end
 * @final: STATISTICS at the end, before the session went
 */
struct seen {
	struct stream_check check;
	int exact;
	int steady;
	int busy;
	int opened;
	int unanswered;
	int given_up;
	int ended;
	struct etw_statistics final;
};

extern struct storm *storm;
extern struct storm_options options;
extern int control;

static inline void add(enum storm_count count, unsigned long long n)
{
	__atomic_add_fetch(&storm->counts[count], n, __ATOMIC_RELAXED);
}

static inline int is_over(void)
{
	return __atomic_load_n(&storm->over, __ATOMIC_ACQUIRE);
}

__attribute__((format(printf, 1, 2)))
void storm_fail(const char *format, ...);

/* A generator of its own for each (seed, process) */
struct random random_of(unsigned long long process);
__u32 any(struct random *random, __u32 below);
static inline int one_in(struct random *random, __u32 n)
{
	return !any(random, n);
}

void pause_us(unsigned int us);
void sleep_us(unsigned int us);		/* a step */
double now(void);
void *shared(size_t size);

/* hang.c */
#define NOBODY_WE_KNOW	(-1)
void take_part(const char *name, int may_block);
void step(void);
void awaits(int pid);
int judge(int storm_pid);

/* ioctls.c */
int open_control(void);
int start_session(int fd, const struct wish *wish, __u32 start_flags);
int update_session(__u32 id, const struct wish *wish);
int snapshot_session(__u32 id);
int rundown_session(__u32 id);
int stop_session(__u32 id, __u32 flags);
int flush_session(__u32 id);
int log_record(__u32 id, struct random *random);
int session_start_time(__u32 id, unsigned long long *time);
int statistics_of(__u32 id, __u32 cpu, struct etw_statistics *statistics);
int list_sessions(__u64 *loggers);

/* reader.c */
enum manner {
	READ_TO_THE_END,
	READ_SOME,
	READ_MANNERS,
};

int check_snapshot(int fd, __u32 id, int steady, struct random *random,
		   struct stream_check *check);
int start_reader(__u32 id, enum manner manner, struct random *random, struct seen *seen);

/* unanswered.c */
int can_stay_away(void);
void read_unanswered(int fd, struct random *random, struct seen *seen);

/* programs.c */
void start_programs(__u32 id, struct random *random, struct programs *programs);
void stop_programs(struct programs *programs);
int enable_provider(__u32 id, struct random *random);
void listen_to_sessions(unsigned long long process);

/* life.c */
void live(unsigned int slot, unsigned long long process);

/* flight.c */
void watch_kernel(unsigned long long process);
void watch_kernel_end(void);
void fly(unsigned long long process);

/* remains.c */
void learn_probes(void);
void check_remains(unsigned int n);
void check_last_remains(void);

/* chaos.c */
void others_online(const char *online);
void plug_cpus(unsigned long long process);
void hog_memory(unsigned long long process);
void open_and_close(unsigned long long process);
void hold_files(unsigned long long process);
void try_to_unload(void);

#endif /* STORM_H */
