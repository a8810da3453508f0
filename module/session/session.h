/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A session, its locks, and the operations on it. */
#ifndef ETW_SESSION_H
#define ETW_SESSION_H

#include <linux/cpuhotplug.h>
#include <linux/fs.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/seqlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "etw_abi.h"
#include "etw_hooks.h"
#include "config/config.h"
#include "context/sink.h"
#include "rundown_limits.h"

/*
 * Locks, outermost first. Writers of events take none of them.
 *
 *  session->lock	state of one session: start, stop, flush, query
 *  stacks->lock		(context/stack.h) the stack cache is replaced, or its keys are
 *			written, which waits for the reader
 *  set->lock		(context/perf_set.h) perf events are created and released, under
 *			session->lock or by the set's worker; not with the two below
 *  events->lock		(source/linux_event/entry.h) the same for Linux events
 *  etw_sessions_lock	(session/table.c) table of sessions, ids and names: held for a moment,
 *			takes none
 *  etw_sources_lock	(source/source.h) the registration of probes, and their tables: held
 *			long by START and UPDATE, so all waits for it are killable
 *  etw_listeners_lock	(source/source.h) the listeners of every source
 *  (cpus_read_lock)	taken by the kernel inside registration of probes and
 *			of hotplug instances; we never hold it around the locks
 *			above. SNAPSHOT takes it under read_lock, which is
 *			never taken under it
 *  stream->lock	(session/stream_buffer.h) one open file's reader: position, current
 *			buffer. The only lock under which user memory is accessed, so
 *			control operations never take it
 *  session->read_lock	the reader takes a buffer or releases it: ring->tail
 *			and what follows it in struct etw_ring
 *  session->pool_lock	numbers of buffers; ring->fill
 *  session->report_lock	anchors and loss records: what was reported; takes none
 *  etw_providers_lock	(provider/enable.h) registrations, and what sessions enabled; also
 *			taken alone; takes none
 *  users_lock		(context/stack_capture.c, context/pebs.c, provider/accounts.c: one
 *			each) users of what sessions share; takes none, except that of
 *			stack_capture.c: the kernel's list of module notifiers, under which
 *			the kernel takes cpus_read_lock. Never take it under cpus_read_lock
 *			or in a hotplug callback
 *  images_lock		(source/process/process_table.c) changes of the table of
 *			processes, under etw_sources_lock or alone; takes none
 *  hook_lock		(source/function_entry.c) functions that ftrace hooks, in a worker
 *			that START and STOP wait for; above the kernel's locks of ftrace
 *  users_lock		(context/unwind_tables.c) walks by unwind tables are switched on and
 *			off, under session->lock; the kernel takes cpus_read_lock under it,
 *			and it waits for the worker that reads mappings
 *  etw_unwind_lock	(context/unwind_spaces.h) unwind tables and the spaces that use them,
 *			under the lock above, under session->lock or alone; takes none
 *  session->settings_lock	held briefly: settings and masks as QUERY returns them
 *			and the stream contains them; UPDATE changes them; takes none
 *
 * Life of a session: one kref for the table (until the session was stopped and read, or
 * discarded), one for each open file and one for each call in progress. Work items, timers
 * and wakeups hold none, because STOP waits for them (session/stop.c). A session is freed only
 * after a STOP, or after a START that failed before it queued any. session_free() waits
 * for pool work and wakeups that are still pending.
 */

struct etw_filter;
struct etw_linux_events;
struct etw_node;
struct etw_profile;
struct etw_stream;
struct etw_wake;
struct etw_writable;

/**
 * struct etw_session - a logger
 * @ref: see above
 * @sink: the session as sources and record writers see it; its id is 1..ETW_MAX_LOGGERS
 * @state: ETW_SESSION_*, 0 during START; changes under @lock. STOPPED is stored with
 *	release after the final data, and loaded with acquire before they are read
 * @lock: state changes
 * @overwrite: writers reuse their oldest buffers: EVENT_TRACE_BUFFERING_MODE, but
 *	not in a snapshot's copy
 * @rundown: the session writes rundowns; set by START
 * @unlisted: not in the table; under etw_sessions_lock
 * @minor: minor number of its node, which no other session has
 * @node: its node, or NULL; of START, then of the task that takes it out of the table
 * @nr_slots: slots per CPU: the most buffers that one CPU can have
 * @first_buffers: buffers that a CPU starts with
 * @maximum_buffers: buffer limit of all CPUs together; under pool_lock
 * @grown_buffers: what etw_budget_grow() may raise the maximum to
 * @buffers: current number of buffers; under pool_lock
 * @most_buffers: the highest number of buffers so far; under pool_lock
 * @surplus: buffers above the maximum, to be freed when they are empty; under pool_lock
 * @cpus: number of CPUs that share the maximum
 * @promised: bytes that the session may come to use; owned by session/budget.c
 * @settings: the configuration as QUERY returns it; UPDATE changes a part of it
 *	(update.c: change_settings()) under @lock and @settings_lock, the rest never changes
 * @settings_lock: see @settings
 * @filter: event filter, or NULL; under @lock
 * @profile: the samplers, or NULL; under @lock
 * @linux_events: tracepoints and probes, or NULL; under @lock
 * @writable: the session as programs see it, or NULL if they can't write; under @lock
 * @start: all clocks when the session started
 * @start_tick: session clock, read together with @start
 * @end_filetime: stop time, set before @state becomes STOPPED; 0 while the session runs
 * @creator_tid: thread that started it
 * @creator: process that started it
 * @stop_ring: ring for the stop rundown if the session overwrites; else NULL
 * @cpuhp_node: our instance of the hotplug state
 * @wakes: one wakeup of the readers for each ring; queued by writers
 * @wake_work: wakes the readers on PREEMPT_RT
 * @wait: readers
 * @read_lock: the stream
 * @moves: under @read_lock: odd while events go from a buffer to the reader, or from there to
 *	the counts of a ring, so that STATISTICS counts each once
 * @report_lock: anchors and loss records, and what was reported
 * @pool_lock: adding and freeing of buffers
 * @pool_work: gives buffers to CPUs that are short of them
 * @pool_closed: @pool_work is not queued any more
 * @consumer: the stream is open; under @read_lock
 * @orphan: the control file was closed: discard the session when the reader closes the
 *	stream; under @read_lock
 * @trailer_held: the reader holds the trailer. This and all up to @trailer_read, except
 *	@trailer, is under @read_lock; STATISTICS reads it without the lock
 * @held_events: events in the buffer that the reader holds; 0 for the trailer
 * @held_cpu: CPU of that buffer
 * @next_cpu: CPU that delivery continues with
 * @trailer: buffer with the last loss records, delivered after all others
 * @trailer_used: bytes of records in it; 0 if there is no trailer or it was read
 * @trailer_events: records in it
 * @sequence: buffers that were read to their end, all streams
 * @trailer_read: records of the trailer that were read
 * @internal_events: anchors, loss and flush records written, the trailer's included; under
 *	@report_lock, as the next two
 * @last_step: realtime minus monotonic at the last anchor, 100 ns
 * @last_apart: uncertainty of that anchor's clock readings, 100 ns
 * @flush_work: periodic flush
 * @rundown_work: all rundowns except the stop rundown
 * @rundown_due: ETW_RUNDOWN_*: what @rundown_work has to write; atomic
 * @descriptions: odd while @rundown_work describes counters and samplers, else even
 * @interval_pending: the stream may lack a sampling interval; UPDATE and @rundown_work set it,
 *	@rundown_work clears it
 * @masks_in_stream: the masks last written to the stream; under @settings_lock
 * @stopping: the timer is not queued again; set by STOP
 * @rundown_waiters: tasks that wait for rundowns; owned by rundown_limits.c
 * @owner: control file that the session is tied to, or NULL; under etw_sessions_lock
 * @cred: credentials of the control file that started it; NULL for a copy
 */
struct etw_session {
	struct kref ref;
	struct etw_sink sink;
	u32 state;
	struct mutex lock;		/* state changes */
	bool overwrite;
	bool rundown;
	bool unlisted;
	u32 minor;
	struct etw_node *node;
	u32 nr_slots;
	u32 first_buffers;
	u32 maximum_buffers;
	u32 grown_buffers;
	u32 buffers;
	u32 most_buffers;
	u32 surplus;
	u32 cpus;
	u64 promised;
	struct etw_settings settings;
	struct mutex settings_lock;	/* copies of settings */
	struct etw_filter *filter;
	struct etw_profile *profile;
	struct etw_linux_events *linux_events;
	struct etw_writable *writable;
	struct etw_reading start;
	u64 start_tick;
	u64 end_filetime;
	u32 creator_tid;
	struct pid *creator;

	struct etw_ring *stop_ring;
	struct hlist_node cpuhp_node;
	struct etw_wake __percpu *wakes;
	struct work_struct wake_work;
	wait_queue_head_t wait;

	struct mutex read_lock;		/* the stream */
	seqcount_mutex_t moves;
	struct mutex report_lock;	/* anchors, losses */
	struct mutex pool_lock;		/* buffers */
	struct work_struct pool_work;
	bool pool_closed;
	bool consumer;
	bool trailer_held;
	bool orphan;
	u32 held_events;
	int held_cpu;
	u32 next_cpu;
	void *trailer;
	u32 trailer_used;
	u32 trailer_events;
	u64 sequence;
	u64 trailer_read;
	u64 internal_events;

	s64 last_step;
	u64 last_apart;
	struct delayed_work flush_work;
	struct work_struct rundown_work;
	atomic_t rundown_due;
	u32 descriptions;
	bool interval_pending;
	struct perfinfo_groupmask masks_in_stream;
	bool stopping;
	struct etw_rundown_waiters rundown_waiters;

	struct file *owner;
	const struct cred *cred;
};

/* table.c: the table of sessions */
/**
 * struct etw_session_ops - calls to provider/ when a session starts and stops
 * @prepare: START, before the session is in the table: allocates what @publish needs.
 *	Returns 0 or -ENOMEM
 * @publish: START: programs may write to the session from now on. Cannot fail
 * @withdraw: STOP, under the session's lock: providers are disabled. On return no program
 *	writes to the session
 *
 * provider/ depends on session/, so session/ calls provider/ only by these pointers.
 * Context: process; all of them may sleep.
 */
struct etw_session_ops {
	int (*prepare)(struct etw_session *session);
	void (*publish)(struct etw_session *session);
	void (*withdraw)(struct etw_session *session);
};

/* Set when the module is loaded, before any program can start a session */
extern const struct etw_session_ops *etw_session_ops;

struct etw_session *etw_session_get(u32 id);
struct etw_session *etw_session_of_node(u32 minor);
void etw_session_put(struct etw_session *session);
int etw_table_add(struct etw_session *session);
bool etw_table_unlist(struct etw_session *session);
bool etw_table_remove(struct etw_session *session);
void etw_table_free_id(u32 id);
struct etw_session *etw_session_owned_by(struct file *owner);
void etw_session_retire(struct etw_session *session);
u64 etw_sessions_list(void);

/* start.c, update.c, stop.c, snapshot.c: operations on sessions */
int etw_session_start(struct etw_control *control, void *block, struct file *owner,
		      struct etw_session **started, struct etw_config_error *error);
int etw_session_update(struct etw_session *session, const void *block, u32 size,
		       struct etw_config_error *error);
int etw_session_stop(struct etw_session *session, bool discard);
int etw_session_stop_killable(struct etw_session *session, bool discard);
void etw_session_stop_owned(struct file *owner);
int etw_session_snapshot(struct etw_session *session);

#endif /* ETW_SESSION_H */
