// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events of samples, interrupts, system calls, timers. */
#include "libetl/cursor.h"
#include "events.h"
#include "etw_hooks.h"

static const struct form mark[] = { F_BYTES("Text"), F_END };

/* Bits of one byte: what the processor was at, and the thread's priority */
static void call_sample_flags(struct cursor *cursor)
{
	uint8_t flags = take(cursor, 1);

	fields_unsigned(cursor->fields, "ExecutingDPC", flags & 1);
	fields_unsigned(cursor->fields, "ExecutingISR", flags >> 1 & 1);
	fields_unsigned(cursor->fields, "Priority", flags >> 3);
}

static const struct form sample[] = {
	F_P("InstructionPointer"), F_U("ThreadId", 4), F_U("Count", 2),
	F_FIXED(call_sample_flags, 1), F_U("Rank", 1), F_END
};

static void call_samples(struct cursor *cursor)
{
	while (cursor->left >= cursor->pointer + 8u)
		layout_walk(sample, cursor);
}

static const struct form sample_cache[] = { F_U("Entries", 4), F_CALL(call_samples), F_END };

static const struct form counter_sample[] = {
	F_P("InstructionPointer"), F_U("ThreadId", 4), F_U("ProfileSource", 2), F_SKIP(2), F_END
};

static const struct form counter_config[] = {
	F_U("CounterCount", 4), F_STRINGS("CounterName"), F_END
};

static const struct form counter_status[] = {
	F_U("ProfileSource", 4), F_U("LastKnownGoodTimestamp", 8), F_END
};

static void call_counter_states(struct cursor *cursor)
{
	while (cursor->left >= 12)
		layout_walk(counter_status, cursor);
}

static const struct form counter_damage[] = {
	F_U("Processor", 4), F_U("Count", 4), F_CALL(call_counter_states), F_END
};

static const struct form interval[] = {
	F_U("Source", 4), F_U("NewInterval", 4), F_U("OldInterval", 4),
	F_MAY_END, F_UTF16("SourceName"), F_END
};

static const struct form interval_change[] = {
	F_U("Source", 4), F_U("NewInterval", 4), F_U("OldInterval", 4), F_END
};

static const struct form dpc[] = { F_U("InitialTime", 8), F_P("Routine"), F_END };

static const struct form isr[] = {
	F_U("InitialTime", 8), F_P("Routine"), F_U("ReturnValue", 1), F_U("Vector", 2),
	F_SKIP(1), F_END
};

static const struct form isr_msi[] = {
	F_U("InitialTime", 8), F_P("Routine"), F_U("ReturnValue", 1), F_U("Vector", 2),
	F_SKIP(1), F_U("MessageNumber", 4), F_END
};

static const struct form call_enter[] = { F_P("SysCallAddress"), F_END };
static const struct form call_exit[] = { F_X("SysCallNtStatus", 4), F_END };

static const struct form clock_interrupt[] = {
	F_U("InterruptTime", 8), F_X("Flags", 2), F_END
};

static const struct form ipi[] = { F_X("Request", 4), F_U("TargetProcessor", 4), F_END };

static const struct form dpc_enqueue[] = {
	F_P("Key"), F_S("Depth", 4), F_U("Count", 4), F_U("TargetProcessor", 4),
	F_U("Importance", 1), F_SKIP(3), F_END
};

static const struct form dpc_execute[] = { F_P("Routine"), F_P("Key"), F_END };
static const struct form nothing[] = { F_END };

static const struct form timer[] = {
	F_U("DueTime", 8), F_U("MaximumDueTime", 8), F_U("Period", 8), F_P("TimerKey"),
	F_P("Callback"), F_P("CallbackContextKey"), F_X("Flags", 1), F_END
};

static const struct form timer_cancel[] = { F_P("TimerKey"), F_END };

#define INTERVAL(hook_id, name) \
	EVENT(hook_id, name, { 2, 3, interval }), \
	.ours = { PERFINFO_PROFILE_INTERVAL_VERSION, IN_SYSTEM, \
		  AT_LEAST(sizeof(struct perfinfo_profile_interval)) }

const struct etl_event events_perf[] = {
	{ EVENT(PERFINFO_LOG_TYPE_SAMPLED_PROFILE, "PerfInfo/Sample", { 2, 2, sample }),
	  .stack_name = "Profile",
	  .ours = { PERFINFO_SAMPLED_PROFILE_VERSION, IN_PERFINFO,
		    EXACTLY(sizeof(struct perfinfo_sampled_profile)) } },
	{ EVENT(PERFINFO_LOG_TYPE_PMC_INTERRUPT, "PerfInfo/PMCSample", { 2, 2, counter_sample }),
	  .stack_name = "PmcInterrupt",
	  .ours = { PERFINFO_PMC_SAMPLE_VERSION, IN_PERFINFO,
		    EXACTLY(sizeof(struct perfinfo_pmc_sample)) } },
	{ EVENT(PERFINFO_LOG_TYPE_SET_INTERVAL, "PerfInfo/SetInterval",
		{ 2, 2, interval_change }, { 3, 3, interval }),
	  .ours = { PERFINFO_SET_INTERVAL_VERSION, IN_SYSTEM,
		    EXACTLY(sizeof(struct perfinfo_profile_interval)) } },
	{ INTERVAL(PERFINFO_LOG_TYPE_COLLECTION_START, "PerfInfo/CollectionStart") },
	{ INTERVAL(PERFINFO_LOG_TYPE_COLLECTION_END, "PerfInfo/CollectionEnd") },
	{ EVENT(PERFINFO_LOG_TYPE_SYSCALL_ENTER, "PerfInfo/SysClEnter", { 2, 2, call_enter }),
	  .stack_name = "SyscallEnter", .has = EVENT_HAS_NO_THREAD },
	{ EVENT(PERFINFO_LOG_TYPE_SYSCALL_EXIT, "PerfInfo/SysClExit", { 2, 2, call_exit }),
	  .stack_name = "SyscallExit", .has = EVENT_HAS_NO_THREAD },
	{ EVENT(PERFINFO_LOG_TYPE_MARK, "PerfInfo/Mark", { 0, 2, mark }), .stack_name = "Mark" },
	{ EVENT(PERFINFO_LOG_TYPE_PMC_CONFIG, "PerfInfo/PMCConfig", { 2, 2, counter_config }),
	  .has = EVENT_HAS_NO_CLASS,
	  .ours = { PERFINFO_PMC_CONFIG_VERSION, IN_SYSTEM, AT_LEAST(4) } },
	{ EVENT(0x0F31, "PerfInfo/PMCCorruption", { 2, 2, counter_damage }) },
	{ EVENT(0x0F37, "PerfInfo/BatchedSample", { 2, 2, sample_cache }) },
	{ EVENT(0x0F42, "PerfInfo/ThreadedDPC", { 2, 2, dpc }) },
	{ EVENT(PERFINFO_LOG_TYPE_DPC, "PerfInfo/DPC", { 2, 2, dpc }) },
	{ EVENT(PERFINFO_LOG_TYPE_TIMERDPC, "PerfInfo/TimerDPC", { 2, 2, dpc }) },
	{ EVENT(PERFINFO_LOG_TYPE_INTERRUPT, "PerfInfo/ISR", { 2, 2, isr }) },
	{ EVENT(PERFINFO_LOG_TYPE_INTERRUPT_MESSAGE, "PerfInfo/ISR-MSI", { 2, 2, isr_msi }) },
	{ EVENT(0x0F3A, "PerfInfo/DebuggerEnabled", { 2, 2, nothing }) },
	{ EVENT(0x0F4F, "PerfInfo/ClockInterrupt", { 2, 2, clock_interrupt }) },
	{ EVENT(0x0F5B, "PerfInfo/IPI", { 2, 2, ipi }) },
	{ EVENT(0x0F64, "PerfInfo/DPCEnqueue", { 2, 2, dpc_enqueue }) },
	{ EVENT(0x0F65, "PerfInfo/DPCExecute", { 2, 2, dpc_execute }) },
	{ EVENT(0x0F68, "PerfInfo/KTimer2Set", { 2, 2, timer }) },
	{ EVENT(0x0F69, "PerfInfo/KTimer2Expiration", { 2, 2, timer }) },
	{ EVENT(0x0F6A, "PerfInfo/KTimer2Cancel", { 2, 2, timer_cancel }) },
	{ }
};
