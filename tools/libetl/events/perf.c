// SPDX-License-Identifier: GPL-2.0
/* Layouts of payloads: samples, interrupts, system calls, stacks, and what is left. */
#include "../guids.h"
#include "../layout.h"

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
	F_P("InstructionPointer"), F_U("ThreadId", 4), F_U("Count", 2), F_CALL(call_sample_flags),
	F_U("Rank", 1), F_END
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

static const struct form counter_damage[] = {
	F_U("Processor", 4), F_U("Count", 4), F_NUMBERS("Status", 1), F_END
};

static const struct form interval[] = {
	F_U("Source", 4), F_U("NewInterval", 4), F_U("OldInterval", 4),
	F_MAY_END, F_UTF16("SourceName"), F_END
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

static const struct form stack[] = {
	F_U("EventTimeStamp", 8), F_U("StackProcess", 4), F_U("StackThread", 4),
	F_POINTERS("Stack"), F_END
};

static const struct form stack_by_key[] = {
	F_U("EventTimeStamp", 8), F_U("StackProcess", 4), F_U("StackThread", 4),
	F_P("StackKey"), F_END
};

static const struct form stack_of_key[] = { F_P("StackKey"), F_POINTERS("Stack"), F_END };

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

const struct layout layouts_perf[] = {
	{ 0x0F2E, 2, 2, sample }, { 0x0F33, 2, 2, call_enter }, { 0x0F34, 2, 2, call_exit },
	{ 0x1820, 2, 2, stack }, { 0x1825, 2, 2, stack_by_key }, { 0x1826, 2, 2, stack_by_key },
	{ 0x1822, 2, 2, stack_of_key }, { 0x1823, 2, 2, stack_of_key },
	{ 0x1824, 2, 2, stack_of_key },
	{ 0x0F42, 2, 2, dpc }, { 0x0F44, 2, 2, dpc }, { 0x0F45, 2, 2, dpc },
	{ 0x0F43, 2, 2, isr }, { 0x0F32, 2, 2, isr_msi },
	{ 0x0F2F, 2, 2, counter_sample }, { 0x0F30, 2, 2, counter_config },
	{ 0x0F31, 2, 2, counter_damage },
	{ 0x0F48, 2, 3, interval }, { 0x0F49, 2, 3, interval }, { 0x0F4A, 2, 3, interval },
	{ 0x0F22, 0, 2, mark },
	{ 0x0F4F, 2, 2, clock_interrupt }, { 0x0F5B, 2, 2, ipi },
	{ 0x0F64, 2, 2, dpc_enqueue }, { 0x0F65, 2, 2, dpc_execute },
	{ 0x0F37, 2, 2, sample_cache }, { 0x0F3A, 2, 2, nothing },
	{ 0x0F68, 2, 2, timer }, { 0x0F69, 2, 2, timer }, { 0x0F6A, 2, 2, timer_cancel },
	{ }
};

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

/* What merging adds: classes without a group */
static const struct form image_id[] = {
	F_P("ImageBase"), F_SIZE("ImageSize"), F_U("ProcessId", 4), F_X("TimeDateStamp", 4),
	F_UTF16("OrigFileName"), F_END
};

static const struct form image_none[] = { F_P("ImageBase"), F_U("ProcessId", 4), F_END };

static const struct form image_rsds[] = {
	F_P("ImageBase"), F_U("ProcessId", 4), F_GUID("GuidSig"), F_U("Age", 4),
	F_BYTES("PdbFileName"), F_END
};

static const struct form image_version[] = {
	F_U("ImageSize", 4), F_X("TimeDateStamp", 4), F_UTF16("OrigFileName"),
	F_UTF16("FileDescription"), F_UTF16("FileVersion"), F_UTF16("BinFileVersion"),
	F_UTF16("VerLanguage"), F_UTF16("ProductName"), F_UTF16("CompanyName"),
	F_UTF16("ProductVersion"), F_UTF16("FileId"), F_UTF16("ProgramId"), F_END
};

static const struct form build_info[] = {
	F_U("InstallDate", 8), F_UTF16("BuildLab"), F_UTF16("ProductName"), F_END
};

static const struct form system_paths[] = {
	F_UTF16("SystemDirectory"), F_UTF16("SystemWindowsDirectory"), F_END
};

static const struct form unknown_volume[] = { F_UTF16("VolumeName"), F_END };
static const struct form volume[] = { F_UTF16("NtPath"), F_UTF16("DosPath"), F_END };

#define IMAGE(opcode)	(GROUP_IMAGE_ID << 8 | (opcode))
#define CONFIG(opcode)	(GROUP_SYSTEM_CONFIG_EX << 8 | (opcode))

const struct layout layouts_other[] = {
	{ 0x0E20, 2, 2, pool }, { 0x0E22, 2, 2, pool },
	{ 0x0E21, 2, 2, pool_session }, { 0x0E23, 2, 2, pool_session },
	{ 0x0A20, 2, 2, debug_print }, { 0x0C20, 0, 2, branches },
	{ 0x1120, 2, 2, handle }, { 0x1121, 2, 2, handle },
	{ 0x1124, 2, 2, object_type }, { 0x1125, 2, 2, object_type },
	{ 0x1126, 2, 2, handle_rundown }, { 0x1127, 2, 2, handle_rundown },
	{ 0x1233, 2, 2, performance_state },
	{ 0x1239, 2, 2, idle_enter }, { 0x123A, 2, 2, idle_exit },
	{ 0x1B20, 2, 2, split_io },
	{ IMAGE(0), 2, 2, image_id }, { IMAGE(32), 2, 2, image_none },
	{ IMAGE(36), 2, 2, image_rsds }, { IMAGE(37), 2, 2, image_rsds },
	{ IMAGE(64), 0, 0, image_version },
	{ CONFIG(32), 0, 0, build_info }, { CONFIG(33), 0, 0, system_paths },
	{ CONFIG(34), 0, 0, unknown_volume }, { CONFIG(35), 0, 0, volume },
	{ }
};
