// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The container of the current process, by the names of its control groups. */
#include <linux/cgroup.h>
#include <linux/kernfs.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include "compat.h"
#include "record/container_id.h"
#include "container.h"

/*
 * Groups of the default hierarchy (version 2) are never renamed or moved, and RCU keeps a group
 * that is removed together with its name. So the walk takes no lock and copies no name.
 */
static bool find_default(struct cgroup *group, char *id)
{
	for (; group; group = cgroup_parent(group))
		if (etw_container_id_of(etw_kernfs_name(group->kn), id))
			return true;
	return false;
}

#ifdef CONFIG_CGROUP_PIDS
/*
 * Groups of version 1 can be renamed, so each name is copied under the lock of kernfs. A longer
 * name is cut, and is then still too long for the name of a container.
 */
static bool find_renamable(struct cgroup *group, char *id)
{
	char name[ETW_CONTAINER_NAME];
	struct cgroup *parent;

	for (; (parent = cgroup_parent(group)); group = parent) {
		name[0] = '\0';
		kernfs_path_from_node(group->kn, parent->kn, name, sizeof(name));
		if (name[0] == '/' && etw_container_id_of(name + 1, id))
			return true;
	}
	return false;
}

/*
 * The hierarchy of pids stands for all of version 1: engines create a container's group in each.
 * The root of a hierarchy is no container, and is not touched: at its unmount the controller moves
 * to another root, and older kernels free the old one without a grace period. A group below it
 * keeps it.
 */
static bool find_version_1(char *id)
{
	const struct cgroup_subsys_state *state = task_css(current, pids_cgrp_id);

	return state->parent && state->cgroup->root != &cgrp_dfl_root &&
	       find_renamable(state->cgroup, id);
}
#else
static bool find_version_1(char *id)
{
	return false;
}
#endif

/**
 * etw_container_look_up() - find the innermost container of the current process
 * @container: out: its id
 *
 * The groups are read at each call, because a process may be moved at any time, so there is
 * nothing to invalidate.
 *
 * Context: process or softirq, not NMI: version 1 takes a lock of kernfs, with interrupts off.
 * Never sleeps.
 */
void etw_container_look_up(struct etw_container *container)
{
	bool found;

	rcu_read_lock();
	found = find_default(task_dfl_cgroup(current), container->text) ||
		find_version_1(container->text);
	rcu_read_unlock();
	container->id = found ? container->text : NULL;
	container->looked = true;
}
