/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A source of kernel events: its listeners, registration and removal. */
#ifndef ETW_SOURCE_H
#define ETW_SOURCE_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/stringify.h>
#include "etw_hooks.h"
#include "context/rundown.h"
#include "context/sink.h"

struct etw_event_context;
struct etw_filter;
struct etw_function_probe;
struct etw_probe;
struct module;
struct tracepoint;

/*
 * Protects the registration of probes, and the tables that probes keep. START and UPDATE
 * hold it long, so their waits for it are killable, and no other call waits for it.
 */
extern struct mutex etw_sources_lock;
void etw_sources_close_left(void);

/* Protects the listeners of every source. Taken within etw_sources_lock, or alone. */
extern struct mutex etw_listeners_lock;

/**
 * struct etw_listeners - the sessions that listen to a source
 * @rcu: freed after every probe that could see it
 * @bare_end: end of the bare listeners, which come first. They have no filter and no event
 *	context, so a probe needs no check for them
 * @rings: rings of the bare listeners, in the same order; NULL behind the last
 * @nr_extended: number of listeners with a filter or event context
 * @count: number of all listeners
 * @ticks: bit of each enum etw_ticks that a listener uses
 * @change: number of the change that made this array
 * @listener: rings; session sink; filter or NULL; event context, or NULL if no event of
 *	the source uses it; bits of the wanted groups; number of the change since which
 *	the session has listened without a break
 */
struct etw_listeners {
	struct rcu_head rcu;
	const struct etw_listener *bare_end;
	struct etw_ring __percpu **rings;
	u32 nr_extended;
	u32 count;
	u32 ticks;
	u32 change;
	struct etw_listener {
		struct etw_ring __percpu *rings;
		const struct etw_sink *sink;
		struct etw_filter *filter;
		const struct etw_event_context *context;
		u32 wanted;
		u32 since;
	} listener[];
};

/**
 * etw_listened() - whether a session listened already after an earlier change
 * @listener: the session's current listener
 * @change: @change of the earlier struct etw_listeners of the same source
 */
static inline bool etw_listened(const struct etw_listener *listener, u32 change)
{
	return (s32)(change - listener->since) >= 0;
}

/**
 * struct etw_hook_point - a tracepoint that a source probes
 * @probe: made by ETW_PROBE()
 * @last: called after other users' probes of the same tracepoint
 * @tp: found at load
 */
struct etw_hook_point {
	const struct etw_probe *probe;
	bool last;
	struct tracepoint *tp;
};

/**
 * struct etw_source - an event source
 * @name: for messages
 * @groups: ETW_GROUPS() that enable it; bit i of etw_listener.wanted stands for
 *	groups.of[i]
 * @hooks: ETW_HOOKS() of its events
 * @functions: kernel functions, probed while the source has listeners
 * @nr_functions: number of functions
 * @points: ETW_POINTS(): tracepoints; probed as @functions are, but registered after them
 * @prepare: optional: before the first listener; may sleep; 0 or an errno
 * @unprepare: optional: after the last listener and its last probe
 * @filter_match: instead of @groups: whether a session with that filter listens
 * @attached: with @filter_match: called when a session with that filter listens
 * @rundown_groups: ETW_GROUPS() of @rundown: an UPDATE that adds one requests a rundown
 * @rundown: optional: write the wanted rundown records; sleeps. Returns 0, or -ENOMEM if
 *	incomplete. Own sources only; also called without listeners
 * @missed: optional: number of events missed since load, without the calls that the probes
 *	of @functions missed; becomes a loss of each listening session; any context
 * @owner: module
 * @listeners: NULL or empty while no session listens; probes read it by RCU
 * @rings: rings of @listeners if all are bare, else NULL. A probe may look here first and
 *	at @listeners only if this is NULL
 * @node: list of sources; changes under both locks, so either one keeps it
 * @open: its probes are registered; under etw_sources_lock
 * @missed_counted: listeners.c: missed events already counted as loss
 * @next: listeners.c: replacement of @listeners
 * @changes: listeners.c: @listeners will be replaced by @next
 *
 * To add an event source, define one with ETW_SOURCE(). Nothing else refers to it.
 */
struct etw_source {
	const char *name;
	struct {
		const u32 *of;
		u32 count;
	} groups;
	struct {
		const u16 *of;
		u32 count;
	} hooks;
	struct etw_function_probe *functions;
	u32 nr_functions;
	struct {
		struct etw_hook_point *of;
		u32 count;
	} points;
	int (*prepare)(struct etw_source *source);
	void (*unprepare)(struct etw_source *source);
	bool (*filter_match)(const struct etw_filter *filter);
	void (*attached)(struct etw_filter *filter);
	struct {
		const u32 *of;
		u32 count;
	} rundown_groups;
	int (*rundown)(struct etw_rundown *rundown, enum etw_rundown_phase phase);
	u64 (*missed)(const struct etw_source *source);
	struct module *owner;
	struct etw_listeners __rcu *listeners;
	struct etw_ring __percpu * __rcu *rings;
	struct list_head node;
	bool open;
	u64 missed_counted;
	struct etw_listeners *next;
	bool changes;
};

/* Lists of struct etw_source: PERF_ values, hook ids, struct etw_hook_point */
#define ETW_GROUPS(...)	ETW_LIST(const u32, __VA_ARGS__)
#define ETW_HOOKS(...)	ETW_LIST(const u16, __VA_ARGS__)
#define ETW_POINTS(...)	ETW_LIST(struct etw_hook_point, __VA_ARGS__)
#define ETW_LIST(type, ...)						\
	{								\
		.of = (type[]) { __VA_ARGS__ },				\
		.count = sizeof((type[]) { __VA_ARGS__ }) / sizeof(type),	\
	}

/* The listeners, for a probe: preemption is off, see probe.h */
static __always_inline const struct etw_listeners *
etw_listeners_of(const struct etw_source *source)
{
	return rcu_dereference_sched(source->listeners);
}

/* The rings of all listeners if all are bare, else NULL; as etw_listeners_of() */
static __always_inline struct etw_ring __percpu **etw_rings_of(const struct etw_source *source)
{
	return rcu_dereference_sched(source->rings);
}

/*
 * Order of the module's own sources: they are prepared, get their probes and write their
 * rundown in this order. Sources of one order follow each other by their names. One digit
 * each, because the linker sorts them as text.
 */
#define ETW_ORDER_FILTER	0	/* keeps the filters current that all others need */
#define ETW_ORDER_PROCESS	1	/* processes, threads and images: first in a rundown */
#define ETW_ORDER_ANY		2
#define ETW_ORDER_VIRTUAL	3
#define ETW_ORDER_NAMES		4	/* file names: last in a rundown */

/**
 * ETW_SOURCE() - define one of the module's own sources, struct etw_source etw_source_@id
 * @order: ETW_ORDER_*
 * @id: name of the variable behind etw_source_
 *
 * The definition also registers the source: its address is in a section that sources.lds
 * sorts into etw_own_sources[]. A file that Kbuild leaves out has no source.
 */
#define ETW_SOURCE(order, id)							\
	ETW_SOURCE_DECLARE(id);							\
	static struct etw_source *const etw_source_entry_##id			\
		__used __section("etw_sources." __stringify(order) "." #id) =	\
		&etw_source_##id;						\
	struct etw_source etw_source_##id

/* For a file that uses the source before its definition */
#define ETW_SOURCE_DECLARE(id)	extern struct etw_source etw_source_##id

/* source.c */
int etw_source_register(struct etw_source *source);
void etw_source_unregister(struct etw_source *source);
int etw_sources_init(void);
void etw_sources_exit(void);
bool etw_sources_know(const struct perfinfo_groupmask *masks, struct perfinfo_groupmask *left);
bool etw_sources_know_hook(u16 hook_id);
int etw_sources_set(const struct etw_sink *sink, const struct perfinfo_groupmask *masks,
		    struct etw_filter *filter);
void etw_sources_mute(const struct etw_sink *sink);
void etw_sources_unmute(void);
void etw_sources_detach(const struct etw_sink *sink);
void etw_sources_count_missed(void);
int etw_sources_rundown(struct etw_rundown *rundown, enum etw_rundown_phase phase);
bool etw_sources_have_names(const struct perfinfo_groupmask *before,
			    const struct perfinfo_groupmask *now);

/* sources.lds: addresses of the sources that ETW_SOURCE() defines */
extern struct etw_source *const etw_own_sources[];
extern struct etw_source *const etw_own_sources_end[];

/* Shared by source.c and listeners.c */
extern struct list_head etw_sources;
u64 etw_source_missed(const struct etw_source *source);
int etw_source_open(struct etw_source *source);
void etw_source_close(struct etw_source *source);
void etw_sources_wait(void);

#endif /* ETW_SOURCE_H */
