// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events of page faults and virtual memory. */
#include "libetl/cursor.h"
#include "events.h"
#include "etw_hooks.h"

static const struct form hard_fault[] = {
	F_U("InitialTime", 8), F_U("ReadOffset", 8), F_P("VirtualAddress"), F_P("FileObject"),
	F_U("ThreadId", 4), F_U("ByteCount", 4), F_END
};

static const struct form fault[] = { F_P("VirtualAddress"), F_P("ProgramCounter"), F_END };

static const struct form virtual_alloc[] = {
	F_P("BaseAddress"), F_SIZE("RegionSize"), F_U("ProcessId", 4), F_X("Flags", 4), F_END
};

static const struct form virtual_rundown[] = {
	F_P("BaseAddress"), F_SIZE("RegionSize"), F_U("ProcessId", 4), F_X("Flags", 4),
	F_SIZE("CommitSize"), F_END
};

static const struct form memory_info[] = { F_NUMBERS("Pages", 8), F_END };

/* A process each, packed without alignment */
static void call_process_memory(struct cursor *cursor)
{
	static const char *const name[] = {
		"ProcessId", "WorkingSet", "Commit", "VirtualSize", "PrivateWorkingSet",
		"StoreSize", "StoredPages", "CommitDebt", "SharedCommit",
	};
	unsigned int i;

	while (cursor->left >= 4 + 8 * 8)
		for (i = 0; i < 9; i++)
			U(name[i], i ? 8 : 4);
}

static const struct form process_memory[] = {
	F_U("Count", 4), F_CALL(call_process_memory), F_END
};

#define FAULT(hook_id, name)	EVENT(hook_id, name, { 2, 2, fault })

const struct etl_event events_memory[] = {
	{ EVENT(PERFINFO_LOG_TYPE_HARDPAGEFAULT, "Memory/HardFault", { 2, 2, hard_fault }),
	  .stack_name = "HardFault" },
	{ FAULT(PERFINFO_LOG_TYPE_TRANSITIONFAULT, "Memory/TransitionFault"),
	  .stack_name = "PagefaultTransition" },
	{ FAULT(PERFINFO_LOG_TYPE_DEMANDZEROFAULT, "Memory/DemandZeroFault"),
	  .stack_name = "PagefaultDemandZero" },
	{ FAULT(PERFINFO_LOG_TYPE_COPYONWRITE, "Memory/CopyOnWrite"),
	  .stack_name = "PagefaultCopyOnWrite" },
	{ FAULT(0x020D, "Memory/GuardMemory"), .stack_name = "PagefaultGuard" },
	{ FAULT(PERFINFO_LOG_TYPE_HARDFAULT, "Memory/HardMemory"), .stack_name = "PagefaultHard" },
	{ FAULT(PERFINFO_LOG_TYPE_ACCESSVIOLATION, "Memory/AccessViolation"),
	  .stack_name = "PagefaultAV" },
	{ EVENT(PERFINFO_LOG_TYPE_VIRTUAL_ALLOC, "VirtualMem/Alloc", { 2, 2, virtual_alloc }),
	  .stack_name = "VirtualAlloc" },
	{ EVENT(PERFINFO_LOG_TYPE_VIRTUAL_FREE, "VirtualMem/Free", { 2, 2, virtual_alloc }),
	  .stack_name = "VirtualFree" },
	{ EVENT(PERFINFO_LOG_TYPE_VIRTUAL_ALLOC_DC_START, "VirtualMem/AllocDCStart",
		{ 2, 2, virtual_rundown }) },
	{ EVENT(PERFINFO_LOG_TYPE_VIRTUAL_ALLOC_DC_END, "VirtualMem/AllocDCStop",
		{ 2, 2, virtual_rundown }) },
	{ EVENT(0x0270, "Memory/SystemMemInfo", { 2, 2, memory_info }) },
	{ EVENT(0x027D, "Memory/ProcessMemInfo", { 2, 2, process_memory }) },
	{ }
};
