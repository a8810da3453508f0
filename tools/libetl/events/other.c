// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events of the kernel's pool and of what is left. */
#include "events.h"
#include "etw_hooks.h"

static const struct form debug_print[] = {
	F_U("Component", 4), F_U("Level", 4), F_BYTES("Message"), F_END
};

static const struct form branches[] = {
	F_U("EventTimeStamp", 8), F_U("ProcessId", 4), F_U("ThreadId", 4), F_X("Filters", 4),
	F_SKIP(4), F_POINTERS("Branches"), F_END
};

static const struct form pool[] = {
	F_X("Type", 4), F_TAG("Tag"), F_SIZE("NumberOfBytes"), F_P("Entry"), F_END
};

static const struct form pool_session[] = {
	F_X("Type", 4), F_TAG("Tag"), F_SIZE("NumberOfBytes"), F_P("Entry"),
	F_U("SessionId", 4), F_END
};

static const struct form handle[] = {
	F_P("Object"), F_X("Handle", 4), F_U("ObjectType", 2), F_MAY_END, F_UTF16("ObjectName"),
	F_END
};

static const struct form object_type[] = {
	F_U("ObjectType", 2), F_SKIP(2), F_UTF16("ObjectTypeName"), F_END
};

static const struct form handle_rundown[] = {
	F_P("Object"), F_U("ProcessId", 4), F_X("Handle", 4), F_U("ObjectType", 2),
	F_UTF16("ObjectName"), F_END
};

static const struct form performance_state[] = {
	F_U("Type", 4), F_U("NewState", 4), F_U("OldState", 4), F_X("Status", 4),
	F_X("Processors", 8), F_END
};

static const struct form idle_enter[] = {
	F_U("State", 4), F_X("Properties", 2), F_U("ExpectedWakeReason", 1), F_SKIP(1),
	F_U("ExpectedDuration", 8), F_END
};

static const struct form idle_exit[] = { F_U("State", 4), F_X("Status", 4), F_END };
static const struct form split_io[] = { F_P("ParentIrp"), F_P("ChildIrp"), F_END };

const struct etl_event events_other[] = {
	{ EVENT(0x1B20, "SplitIO/VolMgr", { 2, 2, split_io }), .stack_name = "SplitIO" },
	{ EVENT(PERFINFO_LOG_TYPE_ALLOCATEPOOL, "Pool/Alloc", { 2, 2, pool }),
	  .stack_name = "PoolAlloc", .has = EVENT_HAS_NO_THREAD | EVENT_HAS_NO_CLASS },
	{ EVENT(PERFINFO_LOG_TYPE_FREEPOOL, "Pool/Free", { 2, 2, pool }),
	  .stack_name = "PoolFree", .has = EVENT_HAS_NO_THREAD | EVENT_HAS_NO_CLASS },
	{ EVENT(0x0E21, "Pool/AllocSession", { 2, 2, pool_session }),
	  .has = EVENT_HAS_NO_THREAD },
	{ EVENT(0x0E23, "Pool/FreeSession", { 2, 2, pool_session }),
	  .has = EVENT_HAS_NO_THREAD },
	{ EVENT(0x0A20, "DbgPrint/Print", { 2, 2, debug_print }) },
	{ EVENT(0x0C20, "LastBranchRecording/Sample", { 0, 2, branches }) },
	{ EVENT(0x1120, "Object/CreateHandle", { 2, 2, handle }) },
	{ EVENT(0x1121, "Object/CloseHandle", { 2, 2, handle }) },
	{ EVENT(0x1124, "Object/TypeDCStart", { 2, 2, object_type }) },
	{ EVENT(0x1125, "Object/TypeDCStop", { 2, 2, object_type }) },
	{ EVENT(0x1126, "Object/HandleDCStart", { 2, 2, handle_rundown }) },
	{ EVENT(0x1127, "Object/HandleDCStop", { 2, 2, handle_rundown }) },
	{ EVENT(0x1233, "Power/PerformanceState", { 2, 2, performance_state }) },
	{ EVENT(0x1239, "Power/IdleStateEnter", { 2, 2, idle_enter }) },
	{ EVENT(0x123A, "Power/IdleStateExit", { 2, 2, idle_exit }) },
	{ }
};
