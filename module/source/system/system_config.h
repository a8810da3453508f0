/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* System configuration records. */
#ifndef ETW_SYSTEM_CONFIG_H
#define ETW_SYSTEM_CONFIG_H

#include <linux/types.h>
#include "context/rundown.h"

/* Size of any of these payloads but 0B1B, which depends on the number of CPUs */
#define ETW_SYSTEM_CONFIG_PAYLOAD	2048

void etw_system_config_topology(struct etw_rundown *rundown);
void etw_system_config_machine(struct etw_rundown *rundown);
int etw_system_config_log(struct etw_rundown *rundown, u16 hook_id, u16 version,
			  const void *payload, u32 size);

/* Parts: system_config_cpu.c, system_config_net.c */
void etw_system_config_processors(struct etw_rundown *rundown, void *payload);
void etw_system_config_nics(struct etw_rundown *rundown, void *payload);
void etw_system_config_text(u16 *to, u32 units, const char *text);
u32 etw_system_config_wide(u8 *to, u32 space, const char *text);

struct wmi_cpu_record;
void etw_system_config_cpu_model(struct wmi_cpu_record *record);
u32 etw_system_config_mhz(unsigned int cpu);

#endif /* ETW_SYSTEM_CONFIG_H */
