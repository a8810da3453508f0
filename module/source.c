// SPDX-License-Identifier: GPL-2.0
/* Sources and who listens to them: probes are registered while one does. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/export.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include "etw.h"

static LIST_HEAD(sources);	/* under etw_sessions_lock */

static struct etw_source *const own_sources[] = {
	&etw_source_sched_switch,
	&etw_source_sched_waking,
	&etw_source_process,
};

static void find_tracepoint(struct tracepoint *tp, void *data)
{
	struct etw_source *source = data;
	u32 i;

	for (i = 0; i < source->nr_points; i++)
		if (!strcmp(source->points[i].name, tp->name))
			source->points[i].tp = tp;
}

/* Which of a source's groups do the masks ask for? */
static u32 wanted(const struct etw_source *source, const struct perfinfo_groupmask *masks)
{
	u32 i, bits = 0;

	for (i = 0; i < source->nr_groups; i++) {
		u32 group = source->groups[i];

		if (masks->masks[PERF_MASK_INDEX(group)] & PERF_MASK_BITS(group))
			bits |= 1U << i;
	}
	return bits;
}

/* Nobody runs in a probe that began before this. */
static void wait_for_probes(void)
{
	tracepoint_synchronize_unregister();
	synchronize_rcu();	/* callers from other modules, see etw_source_register() */
}

static void unregister_points(struct etw_source *source, u32 n)
{
	while (n--)
		tracepoint_probe_unregister(source->points[n].tp, source->points[n].probe, source);
}

static int register_points(struct etw_source *source)
{
	u32 i;
	int err;

	for (i = 0; i < source->nr_points; i++) {
		err = -ENOENT;
		if (source->points[i].tp)
			err = tracepoint_probe_register(source->points[i].tp,
							source->points[i].probe, source);
		if (err) {
			pr_err("source %s: tracepoint %s: error %d\n", source->name,
			       source->points[i].name, err);
			unregister_points(source, i);
			return err;
		}
	}
	return 0;
}

static int open_source(struct etw_source *source)
{
	int err = source->prepare ? source->prepare(source) : 0;

	if (err)
		return err;
	err = register_points(source);
	if (err && source->unprepare) {
		wait_for_probes();
		source->unprepare(source);
	}
	return err;
}

static void close_source(struct etw_source *source)
{
	unregister_points(source, source->nr_points);
	wait_for_probes();
	if (source->unprepare)
		source->unprepare(source);
}

/*
 * The listeners become a new array, with @add, without @drop. Probes see the
 * old one or the new one; the old one is freed after the last of them. Probes
 * are registered after the first listener is there: none of their events is
 * for nobody.
 */
static int replace_listeners(struct etw_source *source, const struct etw_listener *add,
			     const struct etw_session *drop)
{
	struct etw_listeners *old, *new;
	u32 i;
	int err;

	old = rcu_dereference_protected(source->listeners, lockdep_is_held(&etw_sessions_lock));
	new = kzalloc(sizeof(*new), GFP_KERNEL);
	if (!new)
		return -ENOMEM;
	for (i = 0; old && i < old->count; i++)
		if (old->listener[i].session != drop)
			new->listener[new->count++] = old->listener[i];
	if (add)
		new->listener[new->count++] = *add;
	if (!old) {
		rcu_assign_pointer(source->listeners, new);
		err = open_source(source);
		if (!err)
			return 0;
		RCU_INIT_POINTER(source->listeners, NULL);
		wait_for_probes();
		kfree(new);
		return err;
	}
	rcu_assign_pointer(source->listeners, new);
	kfree_rcu(old, rcu);
	return 0;
}

/* Takes a session off a source; the last one takes the probes along. */
static void drop_listener(struct etw_source *source, struct etw_session *session)
{
	struct etw_listeners *old;
	u32 i;

	old = rcu_dereference_protected(source->listeners, lockdep_is_held(&etw_sessions_lock));
	if (!old)
		return;
	for (i = 0; i < old->count; i++)
		if (old->listener[i].session == session)
			break;
	if (i == old->count)
		return;
	if (old->count > 1) {
		/* stopping must not fail for want of a few bytes: they come */
		while (replace_listeners(source, NULL, session))
			schedule_timeout_uninterruptible(1);
		return;
	}
	RCU_INIT_POINTER(source->listeners, NULL);
	close_source(source);
	kfree(old);
}

/**
 * etw_sources_know() - whether every bit has a source
 * @masks: what a session asks for
 *
 * Context: process; takes etw_sessions_lock.
 */
bool etw_sources_know(const struct perfinfo_groupmask *masks)
{
	struct perfinfo_groupmask left = *masks;
	struct etw_source *source;
	u32 i;

	left.masks[0] &= ~EVENT_TRACE_FLAG_NO_SYSCONFIG;
	mutex_lock(&etw_sessions_lock);
	list_for_each_entry(source, &sources, node)
		for (i = 0; i < source->nr_groups; i++)
			left.masks[PERF_MASK_INDEX(source->groups[i])] &=
				~PERF_MASK_BITS(source->groups[i]);
	mutex_unlock(&etw_sessions_lock);
	return !memchr_inv(&left, 0, sizeof(left));
}

/**
 * etw_sources_attach() - a session begins to listen
 * @session: its masks say to what
 *
 * Context: process, under etw_sessions_lock; sleeps.
 * Return: 0; -ENOMEM; -ENOENT for a tracepoint that this kernel lacks; nothing
 * is attached after an error.
 */
int etw_sources_attach(struct etw_session *session)
{
	struct etw_source *source;
	int err;

	lockdep_assert_held(&etw_sessions_lock);
	list_for_each_entry(source, &sources, node) {
		struct etw_listener listener = {
			.rings = session->rings,
			.session = session,
			.wanted = wanted(source, &session->masks),
		};

		if (!listener.wanted)
			continue;
		err = replace_listeners(source, &listener, NULL);
		if (err) {
			etw_sources_detach(session);
			return err;
		}
	}
	return 0;
}

/**
 * etw_sources_detach() - a session listens no more
 * @session: a session
 *
 * On return no probe writes, or will write, to the session.
 * Context: process, under etw_sessions_lock; sleeps.
 */
void etw_sources_detach(struct etw_session *session)
{
	struct etw_source *source;

	lockdep_assert_held(&etw_sessions_lock);
	list_for_each_entry(source, &sources, node)
		drop_listener(source, session);
	wait_for_probes();
}

/**
 * etw_source_register() - add a source of kernel events
 * @source: filled in; stays with the module
 *
 * A source without tracepoints calls the record builders on its own: with
 * preemption off, on the listeners that etw_listeners_of() shows.
 *
 * Context: process; sleeps.
 * Return: 0; -EINVAL.
 */
int etw_source_register(struct etw_source *source)
{
	if (!source->nr_groups || source->nr_groups > 32)
		return -EINVAL;
	if (source->nr_points)
		for_each_kernel_tracepoint(find_tracepoint, source);
	mutex_lock(&etw_sessions_lock);
	list_add_tail(&source->node, &sources);
	mutex_unlock(&etw_sessions_lock);
	return 0;
}
EXPORT_SYMBOL_GPL(etw_source_register);

/**
 * etw_source_unregister() - remove a source
 * @source: registered; sessions that listen to it go on without it
 *
 * On return nobody reads or calls the source.
 * Context: process; sleeps.
 */
void etw_source_unregister(struct etw_source *source)
{
	struct etw_listeners *old;

	mutex_lock(&etw_sessions_lock);
	list_del(&source->node);
	old = rcu_dereference_protected(source->listeners, lockdep_is_held(&etw_sessions_lock));
	if (old) {
		RCU_INIT_POINTER(source->listeners, NULL);
		close_source(source);
		kfree(old);
	}
	mutex_unlock(&etw_sessions_lock);
}
EXPORT_SYMBOL_GPL(etw_source_unregister);

/**
 * etw_sources_init() - register the module's own sources
 */
int etw_sources_init(void)
{
	u32 i;
	int err;

	for (i = 0; i < ARRAY_SIZE(own_sources); i++) {
		err = etw_source_register(own_sources[i]);
		if (err)
			return err;
	}
	return 0;
}

/**
 * etw_sources_exit() - undo etw_sources_init()
 */
void etw_sources_exit(void)
{
	u32 i = ARRAY_SIZE(own_sources);

	while (i--)
		if (own_sources[i]->node.next)
			etw_source_unregister(own_sources[i]);
}
