// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Names of hook ids. */
#include <stdio.h>
#include <strings.h>
#include "event_names.h"
#include "events/events.h"
#include "guids.h"
#include "text.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static const char *const groups[] = {
	"EventTrace", "DiskIO", "Memory", "Process", "FileIO", "Thread", "TcpIp", "Job",
	"UdpIp", "Registry", "DbgPrint", "SystemConfig", "Spare1", "WNF", "Pool", "PerfInfo",
	"Heap", "Object", "Power", "ModBound", "Image", "DPC", "CC", "CritSec", "StackWalk",
	"UMS", "ALPC", "SplitIO", "ThreadPool", "Hypervisor", "HypervisorX",
};

bool hook_from_name(const char *name, uint16_t *hook_id)
{
	const struct etl_event *const *table, *event;

	for_each_event(table, event) {
		if (strcasecmp(event->name, name))
			continue;
		*hook_id = event->id;
		return true;
	}
	return false;
}

void hook_name(uint16_t hook_id, char *to, size_t room)
{
	const struct etl_event *event = event_of_hook(hook_id);
	unsigned int group = hook_id >> 8;

	if (event)
		text_copy(to, room, event->name);
	else if (group < COUNT(groups))
		snprintf(to, room, "%s/%u", groups[group], hook_id & 0xFF);
	else if (group == GROUP_IMAGE_ID || group == GROUP_SYSTEM_CONFIG_EX)
		snprintf(to, room, "%s/%u", group == GROUP_IMAGE_ID ? "KernelTraceControl" :
			 "SysConfigEx", hook_id & 0xFF);
	else
		snprintf(to, room, "Hook/%04x", hook_id);
}
