// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events of processes. */
#include "events.h"
#include "etw_hooks.h"

static const struct form process_v1[] = {
	F_P("PageDirectoryBase"), F_U("ProcessId", 4), F_U("ParentId", 4), F_S("SessionId", 4),
	F_X("ExitStatus", 4), F_TOKEN("UserSID"), F_BYTES("ImageFileName"), F_END
};

static const struct form process_v2[] = {
	F_P("UniqueProcessKey"), F_U("ProcessId", 4), F_U("ParentId", 4), F_S("SessionId", 4),
	F_X("ExitStatus", 4), F_TOKEN("UserSID"), F_BYTES("ImageFileName"),
	F_MAY_END, F_UTF16("CommandLine"), F_END
};

static const struct form process_v3[] = {
	F_P("UniqueProcessKey"), F_U("ProcessId", 4), F_U("ParentId", 4), F_S("SessionId", 4),
	F_X("ExitStatus", 4), F_P("DirectoryTableBase"), F_TOKEN("UserSID"),
	F_BYTES("ImageFileName"), F_MAY_END, F_UTF16("CommandLine"), F_END
};

#define PROCESS_V4 \
	F_P("UniqueProcessKey"), F_U("ProcessId", 4), F_U("ParentId", 4), F_S("SessionId", 4), \
	F_X("ExitStatus", 4), F_P("DirectoryTableBase"), F_X("Flags", 4), F_TOKEN("UserSID"), \
	F_BYTES("ImageFileName"), F_UTF16("CommandLine"), F_UTF16("PackageFullName"), \
	F_UTF16("ApplicationId")

static const struct form process_v4[] = { PROCESS_V4, F_END };
static const struct form process_defunct[] = { PROCESS_V4, F_MAY_END, F_TIME("ExitTime"), F_END };
static const struct form process_id[] = { F_U("ProcessId", 4), F_END };

static const struct form process_counters[] = {
	F_U("ProcessId", 4), F_U("PageFaultCount", 4), F_U("HandleCount", 4), F_SKIP(4),
	F_SIZE("PeakVirtualSize"), F_SIZE("PeakWorkingSetSize"), F_SIZE("PeakPagefileUsage"),
	F_SIZE("QuotaPeakPagedPoolUsage"), F_SIZE("QuotaPeakNonPagedPoolUsage"),
	F_SIZE("VirtualSize"), F_SIZE("WorkingSetSize"), F_SIZE("PagefileUsage"),
	F_SIZE("QuotaPagedPoolUsage"), F_SIZE("QuotaNonPagedPoolUsage"),
	F_SIZE("PrivatePageCount"), F_END
};

#define PROCESS(hook_id, name) \
	EVENT(hook_id, name, { 1, 1, process_v1 }, { 2, 2, process_v2 }, { 3, 3, process_v3 }, \
	      { 4, 4, process_v4 }), .has = EVENT_HAS_PROCESS
/* Without a SID, and four strings of no character */
#define LEAST	(sizeof(struct wmi_process_information) + 4 + 1 + 3 * 2)

const struct etl_event events_process[] = {
	{ PROCESS(WMI_LOG_TYPE_PROCESS_CREATE, "Process/Start"), .phase = PHASE_BEGIN,
	  .stack_name = "ProcessCreate",
	  .ours = { WMI_PROCESS_VERSION, IN_SYSTEM, AT_LEAST(LEAST) } },
	{ PROCESS(WMI_LOG_TYPE_PROCESS_DELETE, "Process/Stop"), .phase = PHASE_END,
	  .stack_name = "ProcessDelete",
	  .ours = { WMI_PROCESS_VERSION, IN_SYSTEM, AT_LEAST(LEAST) } },
	{ PROCESS(WMI_LOG_TYPE_PROCESS_DC_START, "Process/DCStart"), .phase = PHASE_RUNDOWN_BEGIN,
	  .ours = { WMI_PROCESS_VERSION, IN_PERFINFO, AT_LEAST(LEAST) } },
	{ PROCESS(WMI_LOG_TYPE_PROCESS_DC_END, "Process/DCStop"), .phase = PHASE_RUNDOWN_END,
	  .ours = { WMI_PROCESS_VERSION, IN_PERFINFO, AT_LEAST(LEAST) } },
	{ EVENT(WMI_LOG_TYPE_PROCESS_TERMINATED, "Process/Terminate", { 0, 2, process_id }),
	  .has = EVENT_HAS_NO_CLASS,
	  .ours = { 2, IN_SYSTEM, EXACTLY(4) } },
	{ EVENT(WMI_LOG_TYPE_PROCESS_DEFUNCT, "Process/Defunct", { 2, 2, process_v2 },
		{ 3, 3, process_v3 }, { 4, 5, process_defunct }),
	  .has = EVENT_HAS_PROCESS, .phase = PHASE_GONE,
	  .ours = { WMI_PROCESS_DEFUNCT_VERSION, IN_PERFINFO, AT_LEAST(LEAST + 8) } },
	{ EVENT(WMI_LOG_TYPE_PROCESS_PERFCTR, "Process/PerfCtr", { 2, 2, process_counters }) },
	{ EVENT(WMI_LOG_TYPE_PROCESS_PERFCTR_RUNDOWN, "Process/PerfCtrRundown",
		{ 2, 2, process_counters }) },
	{ }
};
