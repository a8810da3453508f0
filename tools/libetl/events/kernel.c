// SPDX-License-Identifier: GPL-2.0
/* Layouts of payloads: header group, processes, images, threads. */
#include "../event_names.h"
#include "../layout.h"
#include "etw_format.h"
#include "etw_hooks.h"

/* Pointers stand in the middle, where readers put the addresses of the strings. */
static void call_header_pointers(struct cursor *cursor)
{
	skip(cursor, 2 * cursor->pointer + sizeof(struct etw_time_zone) + 4);
}

static const struct form header[] = {
	F_U("BufferSize", 4), F_X("Version", 4), F_U("ProviderVersion", 4),
	F_U("NumberOfProcessors", 4), F_U("EndTime", 8), F_U("TimerResolution", 4),
	F_U("MaximumFileSize", 4), F_X("LogFileMode", 4), F_U("BuffersWritten", 4),
	F_U("StartBuffers", 4), F_U("PointerSize", 4), F_U("EventsLost", 4), F_U("CPUSpeed", 4),
	F_CALL(call_header_pointers), F_U("BootTime", 8), F_U("PerfFreq", 8), F_U("StartTime", 8),
	F_U("ReservedFlags", 4), F_U("BuffersLost", 4), F_UTF16("LoggerName"),
	F_UTF16("LogFileName"), F_END
};

static const struct form masks[] = {
	F_X("Mask0", 4), F_X("Mask1", 4), F_X("Mask2", 4), F_X("Mask3", 4), F_X("Mask4", 4),
	F_X("Mask5", 4), F_X("Mask6", 4), F_X("Mask7", 4), F_U("KernelEventVersion", 4), F_END
};

static const struct form nothing[] = { F_END };
static const struct form rsds[] = { F_GUID("Guid"), F_U("Age", 4), F_BYTES("PdbName"), F_END };
static const struct form build_lab[] = { F_BYTES("BuildLab"), F_END };

/* The ids are GUIDs or, in a later version that the record does not tell, strings. */
static void call_partition_ids(struct cursor *cursor)
{
	if (cursor->left == 32) {
		take_guid(cursor, "PartitionId");
		take_guid(cursor, "ParentId");
		return;
	}
	take_utf16(cursor, "PartitionId");
	take_utf16(cursor, "ParentId");
}

static const struct form partition[] = {
	F_U("EventVersion", 2), F_SKIP(2), F_U("PartitionType", 4), F_S("QpcOffsetFromRoot", 8),
	F_CALL(call_partition_ids), F_END
};

static const struct form dropped_times[] = {
	F_U("Count", 4), F_SKIP(4), F_NUMBERS("Times", 8), F_END
};

const struct layout layouts_header[] = {
	{ WMI_LOG_TYPE_HEADER, 0, 2, header },
	{ WMI_LOG_TYPE_HEADER_EXTENSION, 0, 2, masks },
	{ WMI_LOG_TYPE_RUNDOWN_COMPLETE, 0, 2, nothing },
	{ WMI_LOG_TYPE_GROUP_MASKS_END, 0, 2, masks },
	{ 0x0040, 0, 2, rsds },
	{ 0x0042, 0, 2, build_lab },
	{ 0x0050, 0, 2, partition },
	{ 0x0052, 0, 2, dropped_times },
	{ }
};

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
static const struct form process_defunct[] = { PROCESS_V4, F_MAY_END, F_U("ExitTime", 8), F_END };
static const struct form process_id[] = { F_U("ProcessId", 4), F_END };

static const struct form process_counters[] = {
	F_U("ProcessId", 4), F_U("PageFaultCount", 4), F_U("HandleCount", 4), F_SKIP(4),
	F_SIZE("PeakVirtualSize"), F_SIZE("PeakWorkingSetSize"), F_SIZE("PeakPagefileUsage"),
	F_SIZE("QuotaPeakPagedPoolUsage"), F_SIZE("QuotaPeakNonPagedPoolUsage"),
	F_SIZE("VirtualSize"), F_SIZE("WorkingSetSize"), F_SIZE("PagefileUsage"),
	F_SIZE("QuotaPagedPoolUsage"), F_SIZE("QuotaNonPagedPoolUsage"),
	F_SIZE("PrivatePageCount"), F_END
};

static const struct form image_v0[] = {
	F_P("ImageBase"), F_U("ImageSize", 4), F_UTF16("FileName"), F_END
};

static const struct form image_v1[] = {
	F_P("ImageBase"), F_SIZE("ImageSize"), F_U("ProcessId", 4), F_UTF16("FileName"), F_END
};

static const struct form image_v2[] = {
	F_P("ImageBase"), F_SIZE("ImageSize"), F_U("ProcessId", 4), F_X("ImageChecksum", 4),
	F_X("TimeDateStamp", 4), F_SKIP(4), F_P("DefaultBase"), F_SKIP(16), F_UTF16("FileName"),
	F_END
};

static const struct form image_v3[] = {
	F_P("ImageBase"), F_SIZE("ImageSize"), F_U("ProcessId", 4), F_X("ImageChecksum", 4),
	F_X("TimeDateStamp", 4), F_U("SignatureLevel", 1), F_U("SignatureType", 1), F_SKIP(2),
	F_P("DefaultBase"), F_SKIP(16), F_UTF16("FileName"), F_END
};

static const struct form image_base[] = { F_P("ImageBase"), F_END };
static const struct form hypercall_page[] = { F_P("HypercallPageVa"), F_END };

#define OF_ALL(one, from, to, forms) \
	{ one, from, to, forms }, { (one) + 1, from, to, forms }, \
	{ (one) + 2, from, to, forms }, { (one) + 3, from, to, forms }

#define IMAGES(version, forms) \
	{ 0x030A, version, version, forms }, { 0x1402, version, version, forms }, \
	{ 0x1403, version, version, forms }, { 0x1404, version, version, forms }

const struct layout layouts_process[] = {
	OF_ALL(WMI_LOG_TYPE_PROCESS_CREATE, 4, 4, process_v4),
	IMAGES(3, image_v3),
	IMAGES(2, image_v2),
	IMAGES(1, image_v1),
	IMAGES(0, image_v0),
	OF_ALL(WMI_LOG_TYPE_PROCESS_CREATE, 3, 3, process_v3),
	OF_ALL(WMI_LOG_TYPE_PROCESS_CREATE, 2, 2, process_v2),
	OF_ALL(WMI_LOG_TYPE_PROCESS_CREATE, 1, 1, process_v1),
	{ WMI_LOG_TYPE_PROCESS_TERMINATED, 0, 2, process_id },
	{ WMI_LOG_TYPE_PROCESS_DEFUNCT, 2, 2, process_v2 },
	{ WMI_LOG_TYPE_PROCESS_DEFUNCT, 3, 3, process_v3 },
	{ WMI_LOG_TYPE_PROCESS_DEFUNCT, 4, 5, process_defunct },
	{ 0x0320, 2, 2, process_counters },
	{ 0x0321, 2, 2, process_counters },
	{ 0x1421, 2, 2, image_base },
	{ 0x1422, 2, 2, hypercall_page },
	{ }
};

static const struct form thread_v1[] = {
	F_U("ProcessId", 4), F_U("ThreadId", 4), F_P("StackBase"), F_P("StackLimit"),
	F_P("UserStackBase"), F_P("UserStackLimit"), F_P("StartAddr"), F_P("Win32StartAddr"),
	F_S("WaitMode", 1), F_END
};

static const struct form thread_v2[] = {
	F_U("ProcessId", 4), F_U("ThreadId", 4), F_P("StackBase"), F_P("StackLimit"),
	F_P("UserStackBase"), F_P("UserStackLimit"), F_P("StartAddr"), F_P("Win32StartAddr"),
	F_P("TebBase"), F_U("SubProcessTag", 4), F_END
};

static const struct form thread_v3[] = {
	F_U("ProcessId", 4), F_U("ThreadId", 4), F_P("StackBase"), F_P("StackLimit"),
	F_P("UserStackBase"), F_P("UserStackLimit"), F_P("Affinity"), F_P("Win32StartAddr"),
	F_P("TebBase"), F_U("SubProcessTag", 4), F_U("BasePriority", 1), F_U("PagePriority", 1),
	F_U("IoPriority", 1), F_X("ThreadFlags", 1), F_MAY_END, F_UTF16("ThreadName"), F_END
};

static const struct form set_name[] = {
	F_U("ProcessId", 4), F_U("ThreadId", 4), F_UTF16("ThreadName"), F_END
};

static const struct form switch_v1[] = {
	F_U("NewThreadId", 4), F_U("OldThreadId", 4), F_S("NewThreadPriority", 1),
	F_S("OldThreadPriority", 1), F_S("NewThreadQuantum", 1), F_S("OldThreadQuantum", 1),
	F_NAMED("OldThreadWaitReason", 1, wait_reason_name), F_S("OldThreadWaitMode", 1),
	F_NAMED("OldThreadState", 1, thread_state_name), F_U("OldThreadIdealProcessor", 1),
	F_U("NewThreadWaitTime", 4), F_END
};

/* They differ in what the flags hold: in version 2 that is the mode of the wait alone. */
#define SWITCH(flags) \
	F_U("NewThreadId", 4), F_U("OldThreadId", 4), F_S("NewThreadPriority", 1), \
	F_S("OldThreadPriority", 1), F_U("PreviousCState", 1), \
	F_S("NewThreadPriorityDecrement", 1), \
	F_NAMED("OldThreadWaitReason", 1, wait_reason_name), flags, \
	F_NAMED("OldThreadState", 1, thread_state_name), F_U("OldThreadIdealProcessor", 1), \
	F_U("NewThreadWaitTime", 4), F_U("OldThreadRemainingQuantum", 4)

static const struct form switch_v2[] = { SWITCH(F_S("OldThreadWaitMode", 1)), F_END };
static const struct form switch_v3[] = { SWITCH(F_X("ThreadFlags", 1)), F_END };

/* What the last word is, nobody says. */
static const struct form switch_v5[] = { SWITCH(F_X("ThreadFlags", 1)), F_U("Reserved", 4), F_END };

static const struct form ready[] = {
	F_U("ThreadId", 4), F_S("AdjustReason", 1), F_S("AdjustIncrement", 1), F_X("Flag", 1),
	F_SKIP(1), F_END
};

static const struct form priority[] = {
	F_U("ThreadId", 4), F_U("OldPriority", 1), F_U("NewPriority", 1), F_X("Reserved", 2), F_END
};

static const struct form affinity[] = {
	F_P("Affinity"), F_U("ThreadId", 4), F_U("Group", 2), F_SKIP(2), F_END
};

static const struct form migration[] = {
	F_U("ThreadId", 4), F_U("SourceProcessor", 2), F_U("TargetProcessor", 2),
	F_U("Priority", 1), F_U("IdealProcessorAdjust", 1), F_U("OldIdealProcessor", 2), F_END
};

static const struct form spin_lock[] = {
	F_P("SpinLock"), F_P("CallerAddress"), F_U("AcquireTime", 8), F_U("ReleaseTime", 8),
	F_U("WaitTimeInCycles", 4), F_U("SpinCount", 4), F_U("ThreadId", 4),
	F_U("InterruptCount", 4), F_U("Irql", 1), F_U("AcquireDepth", 1), F_X("Flags", 1),
	F_SKIP(5), F_END
};

static const struct form work_item[] = {
	F_U("ThreadId", 4), F_U("StartTime", 8), F_P("Routine"), F_END
};

static const struct form routine[] = { F_P("Routine"), F_END };
static const struct form enqueue[] = { F_P("Entry"), F_U("ThreadId", 4), F_END };

static const struct form dequeue[] = {
	F_U("ThreadId", 4), F_U("Count", 4), F_POINTERS("Entries"), F_END
};

const struct layout layouts_thread[] = {
	{ PERFINFO_LOG_TYPE_CONTEXTSWAP, 3, 4, switch_v3 },
	{ PERFINFO_LOG_TYPE_CONTEXTSWAP, 5, 5, switch_v5 },
	{ PERFINFO_LOG_TYPE_READYTHREAD, 2, 2, ready },
	{ PERFINFO_LOG_TYPE_CONTEXTSWAP, 2, 2, switch_v2 },
	{ PERFINFO_LOG_TYPE_CONTEXTSWAP, 1, 1, switch_v1 },
	OF_ALL(WMI_LOG_TYPE_THREAD_CREATE, 3, 4, thread_v3),
	OF_ALL(WMI_LOG_TYPE_THREAD_CREATE, 2, 2, thread_v2),
	OF_ALL(WMI_LOG_TYPE_THREAD_CREATE, 1, 1, thread_v1),
	{ PERFINFO_LOG_TYPE_THREAD_SET_NAME, 2, 2, set_name },
	{ 0x0525, 2, 2, layout_switch_batch },
	{ 0x0529, 2, 2, spin_lock },
	{ 0x0530, 2, 3, priority },
	{ 0x0531, 2, 3, priority },
	{ 0x0533, 2, 3, priority },
	{ 0x0534, 2, 3, priority },
	{ 0x0535, 2, 2, affinity },
	{ 0x0539, 2, 2, work_item },
	{ 0x053D, 2, 2, migration },
	{ 0x053E, 2, 2, enqueue },
	{ 0x053F, 2, 2, dequeue },
	{ 0x0540, 2, 2, routine },
	{ 0x0541, 2, 2, routine },
	{ }
};
