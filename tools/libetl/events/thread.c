// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events of threads, and of the scheduler. */
#include "libetl/event_names.h"
#include "events.h"
#include "etw_hooks.h"

/* Ends have the ids alone. */
static const struct form thread_v1[] = {
	F_U("ProcessId", 4), F_U("ThreadId", 4), F_MAY_END, F_P("StackBase"), F_P("StackLimit"),
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

/* The meaning of the last word is not documented. */
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

#define THREAD(hook_id, name) \
	EVENT(hook_id, name, { 1, 1, thread_v1 }, { 2, 2, thread_v2 }, { 3, 4, thread_v3 }), \
	.has = EVENT_HAS_THREAD | EVENT_HAS_THREAD_NAME, \
	.ours = { WMI_THREAD_VERSION, IN_SYSTEM, AT_LEAST(sizeof(struct wmi_thread_information)) }

const struct etl_event events_thread[] = {
	{ THREAD(WMI_LOG_TYPE_THREAD_CREATE, "Thread/Start"), .phase = PHASE_BEGIN,
	  .stack_name = "ThreadCreate" },
	{ THREAD(WMI_LOG_TYPE_THREAD_DELETE, "Thread/Stop"), .phase = PHASE_END,
	  .stack_name = "ThreadDelete" },
	{ THREAD(WMI_LOG_TYPE_THREAD_DC_START, "Thread/DCStart"), .phase = PHASE_RUNDOWN_BEGIN },
	{ THREAD(WMI_LOG_TYPE_THREAD_DC_END, "Thread/DCStop"), .phase = PHASE_RUNDOWN_END },
	{ EVENT(PERFINFO_LOG_TYPE_CONTEXTSWAP, "Thread/CSwitch", { 1, 1, switch_v1 },
		{ 2, 2, switch_v2 }, { 3, 4, switch_v3 }, { 5, 5, switch_v5 }),
	  .stack_name = "CSwitch",
	  .ours = { WMI_CONTEXTSWAP_VERSION, IN_PERFINFO,
		    EXACTLY(sizeof(struct wmi_contextswap)) } },
	{ EVENT(0x0525, "Thread/CompactCSwitch", { 2, 2, layout_switch_batch }) },
	{ EVENT(PERFINFO_LOG_TYPE_READYTHREAD, "Dispatcher/ReadyThread", { 2, 2, ready }),
	  .stack_name = "ReadyThread",
	  .ours = { WMI_READY_THREAD_VERSION, IN_PERFINFO,
		    EXACTLY(sizeof(struct wmi_ready_thread)) } },
	{ EVENT(PERFINFO_LOG_TYPE_THREAD_SET_NAME, "Thread/SetName", { 2, 2, set_name }),
	  .has = EVENT_HAS_THREAD_NAME, .ours = { 2, IN_PERFINFO, AT_LEAST(4 + 4 + 2) } },
	{ EVENT(0x0529, "Thread/SpinLock", { 2, 2, spin_lock }) },
	{ EVENT(PERFINFO_LOG_TYPE_SET_PRIORITY, "Thread/SetPriority", { 2, 3, priority }),
	  .stack_name = "ThreadSetPriority", .has = EVENT_HAS_NO_CLASS },
	{ EVENT(PERFINFO_LOG_TYPE_SET_BASE_PRIORITY, "Thread/SetBasePriority", { 2, 3, priority }),
	  .stack_name = "ThreadSetBasePriority", .has = EVENT_HAS_NO_CLASS },
	{ EVENT(0x0533, "Thread/SetPagePriority", { 2, 3, priority }) },
	{ EVENT(PERFINFO_LOG_TYPE_SET_IO_PRIORITY, "Thread/SetIoPriority", { 2, 3, priority }),
	  .has = EVENT_HAS_NO_CLASS },
	{ EVENT(0x0535, "Thread/Affinity", { 2, 2, affinity }) },
	{ EVENT(0x0539, "Thread/WorkerThread", { 2, 2, work_item }) },
	{ EVENT(PERFINFO_LOG_TYPE_THREAD_MIGRATION, "Thread/Migration", { 2, 2, migration }),
	  .has = EVENT_HAS_NO_CLASS,
	  .ours = { WMI_THREAD_MIGRATION_VERSION, IN_PERFINFO,
		    EXACTLY(sizeof(struct wmi_thread_migration)) } },
	{ EVENT(0x053E, "Thread/KernelQueueEnqueue", { 2, 2, enqueue }),
	  .stack_name = "KernelQueueEnqueue" },
	{ EVENT(0x053F, "Thread/KernelQueueDequeue", { 2, 2, dequeue }),
	  .stack_name = "KernelQueueDequeue" },
	{ EVENT(0x0540, "Thread/WorkItemStart", { 2, 2, routine }) },
	{ EVENT(0x0541, "Thread/WorkItemEnd", { 2, 2, routine }) },
	{ }
};
