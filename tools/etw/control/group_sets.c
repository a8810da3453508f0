// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Groups of events under one name, those of xperf. */
#include <stdio.h>
#include <strings.h>
#include "etw.h"
#include "group_masks.h"

#define COMMON	"PROC_THREAD+LOADER+HARD_FAULTS+"
#define DISKS	COMMON "DISK_IO+"

static const struct {
	const char *name;
	const char *events;
} groups[] = {
	{ "Base", DISKS "PROFILE+MEMINFO+MEMINFO_WS" },
	{ "Diag", DISKS "DPC+INTERRUPT+CSWITCH+PERF_COUNTER+COMPACT_CSWITCH" },
	{ "DiagEasy", DISKS "DPC+INTERRUPT+CSWITCH+PERF_COUNTER" },
	{ "FileIO", DISKS "FILE_IO+FILE_IO_INIT" },
	{ "IOTrace", DISKS "CSWITCH" },
	{ "Latency", DISKS "DPC+INTERRUPT+CSWITCH+PROFILE" },
	{ "Network", "PROC_THREAD+LOADER+NETWORKTRACE" },
	{ "ReferenceSet",
	  COMMON "MEMORY+FOOTPRINT+VIRT_ALLOC+MEMINFO+VAMAP+SESSION+REFSET+MEMINFO_WS" },
	{ "ResidentSet", DISKS "MEMORY+MEMINFO+VAMAP+SESSION+VIRT_ALLOC" },
	{ "ResumeTrace", DISKS "PROFILE+POWER" },
	{ "SysProf", "PROC_THREAD+LOADER+PROFILE" },
};

#define GROUPS	(sizeof(groups) / sizeof(groups[0]))

const char *event_group(const char *name)
{
	size_t i;

	for (i = 0; i < GROUPS; i++)
		if (!strcasecmp(groups[i].name, name))
			return groups[i].events;
	return NULL;
}

void event_groups_suggest(struct suggestion *suggestion)
{
	size_t i;

	for (i = 0; i < GROUPS; i++)
		suggestion_try(suggestion, groups[i].name);
}

void event_groups_list(void)
{
	size_t i;

	for (i = 0; i < GROUPS; i++)
		printf("%-12s %s\n", groups[i].name, groups[i].events);
}
