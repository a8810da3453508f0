/* SPDX-License-Identifier: GPL-2.0 */
/* A session, who locks what of it, and what can be done with it. */
#ifndef ETW_SESSION_H
#define ETW_SESSION_H

#include <linux/cpuhotplug.h>
#include <linux/fs.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "etw_abi.h"
#include "etw_hooks.h"
#include "config/config.h"
#include "context/sink.h"

/*
 * Locks, outermost first. Writers of events take none of them.
 *
 *  session->lock	state of one session: start, stop, flush, query
 *  etw_sessions_lock	table of sessions, ids and names
 *  etw_sources_lock	(source/source.h) the listeners of every source, and with
 *			them registration of probes
 *  (cpus_read_lock)	taken by the kernel inside registration of probes and
 *			of hotplug instances; we never hold it around the locks
 *			above. SNAPSHOT takes it under read_lock, which is
 *			never taken under it
 *  stream->lock	(session/stream_buffer.h) who reads from one open: position,
 *			buffer in hand. The only one under which user memory is touched;
 *			who controls a session never takes it
 *  session->read_lock	the one reader takes a buffer or gives it back: ring->tail
 *			and what follows it in struct etw_ring
 *  session->pool_lock	numbers of buffers; ring->fill
 *  session->report_lock	anchors and loss records: what was told; takes none
 *  etw_providers_lock	who is registered, and what sessions enabled; also alone
 *  session->settings_lock	for a moment: settings and masks as QUERY and the
 *			stream tell them; UPDATE changes them
 *
 * Life of a session: a kref for the table (until it was stopped and read, or
 * discarded), one for each open file and each caller under way. Work items, timers
 * and wakeups have none: STOP waits for them (session/stop.c), and a session is freed only
 * after a STOP, or after a START that failed before it queued any; what may still come
 * of the pool and of wakeups session_free() waits for.
 */

struct etw_filter;
struct etw_profile;
struct etw_stream;
struct etw_target;
struct etw_wake;

/**
 * struct etw_session - a logger
 * @ref: see above
 * @sink: what sources and records know of it; its id is 1..ETW_MAX_LOGGERS
 * @state: ETW_SESSION_*, 0 while it is being made; changes under @lock. STOPPED is
 *	released after all that is final then, and acquired before that is read
 * @lock: state changes
 * @overwrite: writers take their oldest buffers again: EVENT_TRACE_BUFFERING_MODE, but
 *	not in a snapshot's copy
 * @rundown: writes rundowns; from START on
 * @unlisted: out of the table; under etw_sessions_lock
 * @nr_slots: slots per CPU: the most buffers that one can have
 * @first_buffers: buffers that a CPU begins with
 * @maximum_buffers: of all CPUs; under pool_lock
 * @grown_buffers: what etw_budget_grow() may raise the maximum to
 * @buffers: that there are; under pool_lock
 * @most_buffers: the highest number of buffers so far; likewise
 * @surplus: of them, those above the maximum, which go as they become free; likewise
 * @cpus: among how many CPUs the maximum is shared out
 * @promised: bytes that it may come to take; of session/budget.c
 * @settings: the configuration as QUERY tells it; UPDATE changes of it what it may
 *	(update.c: change_settings()) under @lock and @settings_lock, the rest never changes
 * @settings_lock: see there
 * @filter: what is left out, or NULL; under @lock
 * @profile: what samples for it, or NULL; under @lock
 * @target: what programs see of it, or NULL: they don't; under @lock
 * @start: all clocks when the session started; @start_tick belongs to it
 * @start_tick: session clock, read together with @start
 * @end_filetime: when it stopped, before @state says so; 0 while it runs
 * @creator_tid: thread that started it
 * @creator: its process
 * @stop_ring: of one that overwrites: where its stop rundown goes; else NULL
 * @cpuhp_node: our instance of the hotplug state
 * @wakes: wake readers, a ring's each; queued by writers
 * @wake_work: on PREEMPT_RT does it
 * @wait: readers
 * @read_lock: the stream
 * @report_lock: anchors and loss records, and what was reported
 * @pool_lock: buffers come and go
 * @pool_work: gives buffers to CPUs that are short of them
 * @pool_closed: no more
 * @consumer: somebody has the stream open; under @read_lock
 * @orphan: its control file is gone: nothing stays once the reader leaves; under
 *	@read_lock
 * @trailer_held: the reader holds the trailer; under @read_lock, as what follows up to
 *	@trailer_read, all but @trailer; STATISTICS looks without it
 * @held_events: events in the buffer that the reader holds, but for the trailer's
 * @held_cpu: whose buffer that is
 * @next_cpu: where delivery goes on
 * @trailer: buffer with the last loss records, delivered after all others
 * @trailer_used: bytes of records in it; 0: none (any more)
 * @trailer_events: records in it
 * @sequence: buffers that were read to their end, all streams
 * @trailer_read: the trailer was consumed
 * @internal_events: anchors, loss and flush records written, the trailer's included; under
 *	@report_lock, as the next two
 * @last_step: realtime minus monotonic at the last anchor, 100 ns
 * @last_apart: how far apart its clocks were read, likewise
 * @flush_work: periodic flush
 * @rundown_work: rundowns but that of STOP
 * @rundown_due: ETW_RUNDOWN_*: what it has to write; atomic
 * @descriptions: of what counts and samples, by @rundown_work: begun, and ended
 * @interval_pending: the stream may lack a sampling interval; UPDATE and @rundown_work set it,
 *	@rundown_work clears it
 * @masks_in_stream: as the stream knows them; under @settings_lock
 * @stopping: the timer is not queued again; set by STOP
 * @expedite_rundown: an UPDATE waits for a rundown: no reader holds that up for long; under @lock
 * @stopper: who is in STOP and waits for rundowns; it is there while one sees it
 * @stop_limit: jiffies: it waits no longer
 * @owner: control file that it is tied to, or NULL; under etw_sessions_lock
 * @cred: of who opened the control file that started it; NULL for a copy
 */
struct etw_session {
	struct kref ref;
	struct etw_sink sink;
	u32 state;
	struct mutex lock;		/* state changes */
	bool overwrite;
	bool rundown;
	bool unlisted;
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
	struct etw_target *target;
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
	bool expedite_rundown;
	struct task_struct *stopper;
	unsigned long stop_limit;

	struct file *owner;
	const struct cred *cred;
};

/* table.c: who is there */
/**
 * struct etw_session_ops - what programs' events need as sessions come and go
 * @prepare: START, before the session is in the table: allocates what @publish needs.
 *	Returns 0 or -ENOMEM
 * @publish: START, under etw_sessions_lock: programs may write to the session from now on.
 *	Cannot fail
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

extern struct mutex etw_sessions_lock;
struct etw_session *etw_session_get(u32 id);
void etw_session_put(struct etw_session *session);
int etw_table_add(struct etw_session *session);
void etw_table_remove(struct etw_session *session);
struct etw_session *etw_session_owned_by(struct file *owner);
void etw_session_retire(struct etw_session *session);
u64 etw_sessions_list(void);

/* start.c, update.c, stop.c, snapshot.c: what is done with them */
int etw_session_start(struct etw_control *control, void *block, struct file *owner,
		      struct etw_session **started);
int etw_session_update(struct etw_session *session, struct etw_control *control,
		       const void *block);
int etw_session_stop(struct etw_session *session, bool discard);
int etw_session_stop_killable(struct etw_session *session, bool discard);
void etw_session_stop_owned(struct file *owner);
int etw_session_snapshot(struct etw_session *session);

#endif /* ETW_SESSION_H */
