/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* CPU hotplug: the buffers of CPUs. */
#ifndef ETW_CPUS_H
#define ETW_CPUS_H

#include <linux/types.h>

struct etw_session;

int etw_cpus_init(void);
void etw_cpus_exit(void);
int etw_cpus_add(struct etw_session *session);
void etw_cpus_remove(struct etw_session *session);

#endif /* ETW_CPUS_H */
