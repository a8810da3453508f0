/* SPDX-License-Identifier: GPL-2.0 */
/* The types that the module's files share, and who locks what. */
#ifndef ETW_H
#define ETW_H

#include <linux/cpuhotplug.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "../uapi/etw_abi.h"
#include "../uapi/etw_hooks.h"
#include "ring/reserve.h"

/*
 * Locks, outermost first. Writers of events take none of them.
 *
 *  session->lock	state of one session: start, stop, flush, query
 *  etw_sessions_lock	table of sessions, ids and names; the listeners of
 *			every source, and with them registration of probes
 *  (cpus_read_lock)	taken by the kernel inside registration of probes and
 *			of hotplug instances; we never hold it around the locks
 *			above
 *  stream->lock	(session/stream.c) who reads from one open: position, buffer in hand.
 *			The only one under which user memory is touched; who
 *			controls a session never takes it
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

struct etw_decoration;
struct etw_filter;
struct etw_probe;
struct etw_profile;
struct etw_settings;
struct etw_source;
struct etw_stream;
struct etw_target;

/**
 * struct etw_session - a logger
 * @ref: see above
 * @id: logger id, 1..ETW_MAX_LOGGERS
 * @state: ETW_SESSION_*, 0 while it is being made
 * @lock: state changes
 * @kernel: takes kernel events
 * @overwrite: EVENT_TRACE_BUFFERING_MODE
 * @rundown: writes rundowns
 * @unlisted: out of the table
 * @addresses: kernel addresses are shown
 * @clock_type: ETW_CLOCK_*
 * @clocks: where its ticks, and those of clock 1, come from
 * @buffer_size: bytes
 * @nr_slots: slots per CPU: the most buffers that one can have
 * @first_buffers: buffers that a CPU begins with
 * @minimum_buffers: of all CPUs, likewise
 * @maximum_buffers: of all CPUs; under pool_lock
 * @buffers: that there are; under pool_lock
 * @cpus: among how many CPUs the maximum is shared out
 * @promised: bytes that it may come to take; of session/budget.c
 * @settings: the configuration as QUERY tells it; changed under @lock and
 *	@settings_lock, as is @masks
 * @settings_lock: see there
 * @filter: what is left out, or NULL; under @lock
 * @decoration: what records carry besides their payload, or NULL
 * @profile: what samples for it, or NULL; under @lock
 * @target: what programs see of it, or NULL: they don't; under @lock
 * @guid: session GUID
 * @mode: EVENT_TRACE_* as given
 * @maximum_file_size: MB
 * @flush_ms: period of flushes and anchors, 0: none
 * @masks: what is enabled, aliases resolved
 * @logger_name: UTF-16, NUL-terminated
 * @log_file_name: UTF-16, NUL-terminated
 * @start: all clocks when the session started; @start_tick belongs to it
 * @start_tick: session clock, read together with @start
 * @end_filetime: when it stopped; 0 while it runs
 * @creator_tid: thread that started it
 * @creator_tgid: its process
 * @rings: one per possible CPU
 * @stop_ring: of one that overwrites: where its stop rundown goes; else NULL
 * @cpuhp_node: our instance of the hotplug state
 * @wake: wakes readers; queued by writers
 * @wait: readers
 * @read_lock: the stream
 * @report_lock: anchors and loss records, and what was reported
 * @pool_lock: buffers come and go
 * @pool_work: gives buffers to CPUs that are short of them
 * @pool_closed: no more
 * @consumer: somebody has the stream open
 * @orphan: its control file is gone: nothing stays once the reader leaves
 * @trailer_held: the reader holds the trailer
 * @held_events: events in the buffer that the reader holds
 * @stream: the open stream or NULL
 * @next_cpu: where delivery goes on
 * @trailer: buffer with the last loss records, delivered after all others
 * @trailer_used: bytes of records in it; 0: none (any more)
 * @trailer_events: records in it
 * @sequence: of the last buffer handed over, all streams
 * @trailer_read: the trailer was consumed
 * @internal_events: anchors and loss records written, the trailer's included
 * @last_step: realtime minus monotonic at the last anchor, 100 ns
 * @last_apart: how far apart its clocks were read, likewise
 * @flush_work: periodic flush
 * @rundown_work: rundowns but that of STOP
 * @rundown_due: ETW_RUNDOWN_*: what it has to write
 * @told_masks: as the stream knows them; of @rundown_work
 * @stopping: the timer is not queued again
 * @stopper: who is in STOP and waits for rundowns; it is there while one sees it
 * @stop_limit: jiffies: it waits no longer
 * @key: for opaque keys
 * @owner: control file that it is tied to, or NULL
 * @cred: of who opened the control file that started it; NULL for a copy
 */
struct etw_session {
	struct kref ref;
	u32 id;
	u32 state;
	struct mutex lock;		/* state changes */
	bool kernel;
	bool overwrite;
	bool rundown;
	bool unlisted;
	bool addresses;
	u32 clock_type;
	struct etw_clocks clocks;
	u32 buffer_size;
	u32 nr_slots;
	u32 first_buffers;
	u32 minimum_buffers;
	u32 maximum_buffers;
	u32 buffers;
	u32 cpus;
	u64 promised;
	struct etw_settings *settings;
	struct mutex settings_lock;	/* copies of settings */
	struct etw_filter *filter;
	struct etw_decoration *decoration;
	struct etw_profile *profile;
	struct etw_target *target;
	struct etw_guid guid;
	u32 mode;
	u32 maximum_file_size;
	u32 flush_ms;
	struct perfinfo_groupmask masks;
	u16 logger_name[ETW_MAX_LOGGER_NAME + 1];
	u16 log_file_name[ETW_MAX_LOG_FILE_NAME + 1];
	struct etw_reading start;
	u64 start_tick;
	u64 end_filetime;
	u32 creator_tid;
	u32 creator_tgid;

	struct etw_ring __percpu *rings;
	struct etw_ring *stop_ring;
	struct hlist_node cpuhp_node;
	struct irq_work wake;
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
	struct etw_stream *stream;
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
	struct perfinfo_groupmask told_masks;
	bool stopping;
	struct task_struct *stopper;
	unsigned long stop_limit;
	u64 key[2];

	struct file *owner;
	const struct cred *cred;
};

/**
 * struct etw_listeners - the sessions that want what a source has
 * @rcu: freed after every probe that could see it
 * @plain: end of those without a filter and without decorations, which stand
 *	first, so that a probe has nothing to ask them
 * @special: how many have either
 * @count: how many in all
 * @ticks: bit of each enum etw_ticks that one of them goes by
 * @listener: their rings, their filter or NULL, their decoration or NULL, and
 *	what of the source they want
 */
struct etw_listeners {
	struct rcu_head rcu;
	const struct etw_listener *plain;
	u32 special;
	u32 count;
	u32 ticks;
	struct etw_listener {
		struct etw_ring __percpu *rings;
		struct etw_session *session;
		struct etw_filter *filter;
		const struct etw_decoration *decoration;
		u32 wanted;
	} listener[];
};

/**
 * struct etw_hook_point - a tracepoint that a source listens to
 * @probe: of ETW_PROBE()
 * @last: called behind probes of others at the same place
 * @tp: found at load
 */
struct etw_hook_point {
	const struct etw_probe *probe;
	bool last;
	struct tracepoint *tp;
};

/**
 * struct etw_source - where events come from
 * @name: for messages
 * @groups: PERF_ values that switch it on; bit i of etw_listener.wanted
 *	stands for groups[i]
 * @nr_groups: how many
 * @hooks: hook ids of its events
 * @nr_hooks: how many
 * @points: tracepoints; registered while a session wants the source
 * @nr_points: how many
 * @prepare: optional: before the first listener; may sleep; 0 or an errno
 * @unprepare: optional: after the last listener and its last probe
 * @wants: instead of @groups: whether a session with that filter listens
 * @attached: with @wants: a session with that filter listens now
 * @missed: optional: what it could not see, since load: of those that listen each
 *	one's loss; any context
 * @owner: module
 * @listeners: NULL while nobody wants it; probes read it by RCU
 * @node: list of sources
 * @missed_told: listeners.c: of @missed, what is counted
 * @next: listeners.c: what becomes of @listeners
 * @changes: listeners.c: it becomes that
 *
 * Adding an event source takes one of these and a line in source.c.
 */
struct etw_source {
	const char *name;
	const u32 *groups;
	u32 nr_groups;
	const u16 *hooks;
	u32 nr_hooks;
	struct etw_hook_point *points;
	u32 nr_points;
	int (*prepare)(struct etw_source *source);
	void (*unprepare)(struct etw_source *source);
	bool (*wants)(const struct etw_filter *filter);
	void (*attached)(struct etw_filter *filter);
	u64 (*missed)(const struct etw_source *source);
	struct module *owner;
	struct etw_listeners __rcu *listeners;
	struct list_head node;
	u64 missed_told;
	struct etw_listeners *next;
	bool changes;
};

/* A probe's listeners: preemption is off, see probe.h */
static __always_inline const struct etw_listeners *
etw_listeners_of(const struct etw_source *source)
{
	return rcu_dereference_sched(source->listeners);
}

/*
 * Address policy, fixed at start by the starter's CAP_SYSLOG, and kptr_restrict:
 * without the right kernel addresses in records are zero.
 */
static inline bool etw_session_shows_addresses(const struct etw_session *session)
{
	return session->addresses;
}

/* Code units of a string, without its terminator */
static inline u32 etw_utf16_length(const u16 *string)
{
	u32 n = 0;

	while (string[n])
		n++;
	return n;
}

/* Sources: source/source.c, listeners.c */
extern struct etw_source etw_source_sched_switch, etw_source_sched_waking, etw_source_process;
extern struct etw_source etw_source_family, etw_source_process_counters;
extern struct etw_source etw_source_profile, etw_source_pmc_profile;
extern struct etw_source etw_source_image;
extern struct etw_source etw_source_interrupt, etw_source_dpc, etw_source_syscall;
extern struct etw_source etw_source_tcp, etw_source_udp, etw_source_priority;
extern struct etw_source etw_source_fault, etw_source_virtual;
extern struct etw_source etw_source_file;
extern struct etw_source etw_source_pool;
extern struct etw_source etw_source_file_name, etw_source_disk;
int etw_source_register(struct etw_source *source);
void etw_source_unregister(struct etw_source *source);
int etw_sources_init(void);
void etw_sources_exit(void);
bool etw_sources_know(const struct perfinfo_groupmask *masks);
bool etw_sources_know_hook(u16 hook_id);
int etw_sources_set(struct etw_session *session, const struct perfinfo_groupmask *masks,
		    struct etw_filter *filter);
void etw_sources_mute(struct etw_session *session);
void etw_sources_unmute(void);
void etw_sources_detach(struct etw_session *session);
void etw_sources_count_missed(void);

/* Sessions: session/table.c, start.c, stop.c */
extern struct mutex etw_sessions_lock;
struct etw_session *etw_session_get(u32 id);
void etw_session_put(struct etw_session *session);
int etw_session_start(struct etw_control *control, void *block, struct file *owner,
		      struct etw_session **started);
int etw_session_stop(struct etw_session *session, bool discard);
int etw_session_stop_killable(struct etw_session *session, bool discard);
int etw_session_update(struct etw_session *session, struct etw_control *control,
		       const void *block);
int etw_session_snapshot(struct etw_session *session);
void etw_session_stop_owned(struct file *owner);
void etw_session_retire(struct etw_session *session);
u64 etw_sessions_list(void);
void etw_session_query(struct etw_session *session, struct wmi_logger_information *info);
int etw_session_statistics(struct etw_session *session, struct etw_statistics *statistics);
int etw_session_counting(struct etw_session *session, struct etw_counting *counting);
u64 etw_session_lost(struct etw_session *session);

/* Nodes: session/nodes.c */
int etw_devices_init(void);
void etw_devices_exit(void);
int etw_device_add(struct etw_session *session);
void etw_device_remove(struct etw_session *session);
extern const struct file_operations etw_stream_fops;

/* Buffers: session/pool.c */
void etw_pool_init(struct etw_session *session);
bool etw_pool_is_low(const struct etw_ring *ring);
void etw_pool_kick(struct etw_session *session);
void etw_pool_age(struct etw_session *session);
bool etw_pool_add(struct etw_session *session, struct etw_ring *ring);
void etw_pool_release(struct etw_session *session, struct etw_ring *ring,
		      const struct etw_held *held, bool read);
void etw_pool_set_maximum(struct etw_session *session, u32 maximum);

/* Delivery: session/stream.c, flush.c, logfile.c */
bool etw_session_readable(struct etw_session *session);
struct file *etw_stream_file(struct etw_session *session, const char *name);
int etw_session_flush(struct etw_session *session);
void etw_flush_init(struct etw_session *session);
void etw_session_wake(struct irq_work *work);
void etw_anchor_write(struct etw_session *session, u32 reason);
void etw_losses_write(struct etw_session *session);
void etw_trailer_build(struct etw_session *session);
void etw_logfile_header(struct etw_session *session, void *buffer, u32 buffers_written);

/* Rundown: session/rundown.c */
#define ETW_RUNDOWN_NAMES	0x1	/* what there is */
#define ETW_RUNDOWN_CONFIG	0x2	/* the machine's description */
#define ETW_RUNDOWN_PROFILE	0x4	/* what counts and samples */
void etw_rundown_request(struct etw_session *session, u32 what);
void etw_rundown_start(struct etw_session *session);
void etw_rundown_work(struct work_struct *work);
void etw_rundown_into(struct etw_session *session, struct etw_ring *ring,
		      struct etw_decoration *decoration);
void etw_rundown_stop(struct etw_session *session);

/* The stop rundown of one that overwrites: session/stop_ring.c */
int etw_stop_ring_create(struct etw_session *session);
void etw_stop_ring_free(struct etw_session *session);
void etw_stop_ring_fill(struct etw_session *session);
u32 etw_rundown_buffers(struct etw_session *session);

#endif /* ETW_H */
