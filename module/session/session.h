/* SPDX-License-Identifier: GPL-2.0 */
/* What table.c, start.c, means.c, update.c, snapshot.c and stop.c share. */
#ifndef ETW_SESSION_H
#define ETW_SESSION_H

#include "../../uapi/etw_abi.h"
#include "../ring/clock.h"

struct etw_items;
struct etw_perf_error;
struct etw_profile_error;
struct etw_session;
struct etw_settings;
struct file;

/* Say which field of a block was refused, and why. Return: @err */
static inline int etw_refuse(struct etw_control *control, u32 offset, u32 reason, int err)
{
	control->error_offset = offset;
	control->error_reason = reason;
	control->error_item = 0;
	return err;
}

struct etw_session *etw_session_alloc(struct etw_settings *settings,
				      const struct etw_clocks *clocks);
struct etw_settings *etw_session_parse(struct etw_control *control, const void *block, int *err);
int etw_session_check_means(struct etw_control *control, const struct etw_settings *settings,
			    struct etw_clocks *clocks);
int etw_session_check_events(struct etw_control *control, const struct etw_settings *settings);
int etw_refuse_perf(struct etw_control *control, const struct etw_items *items,
		    const struct etw_perf_error *error, int err);
int etw_refuse_stacks(struct etw_control *control, const struct etw_items *items, int err);
int etw_refuse_sampler(struct etw_control *control, const struct etw_items *items, u32 given,
		       const struct etw_profile_error *error, int err);
int etw_table_add(struct etw_session *session);
void etw_table_remove(struct etw_session *session);
struct etw_session *etw_session_owned_by(struct file *owner);

/* Buffers of CPUs come and go with them: cpus.c */
int etw_hotplug_init(void);
void etw_hotplug_exit(void);
int etw_hotplug_add(struct etw_session *session);
void etw_hotplug_remove(struct etw_session *session);

#endif /* ETW_SESSION_H */
