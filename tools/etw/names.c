// SPDX-License-Identifier: GPL-2.0
/* Names of events and of the values in them. */
#include <stdio.h>
#include "etw_hooks.h"
#include "names.h"
#include "text.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

struct hook_name {
	uint16_t hook_id;
	const char *name;
};

/* The names that the published Windows tools use */
static const struct hook_name hooks[] = {
	{ WMI_LOG_TYPE_HEADER, "EventTrace/Header" },
	{ WMI_LOG_TYPE_HEADER_EXTENSION, "EventTrace/Extension" },
	{ WMI_LOG_TYPE_RUNDOWN_COMPLETE, "EventTrace/RundownComplete" },
	{ WMI_LOG_TYPE_GROUP_MASKS_END, "EventTrace/EndExtension" },
	{ 0x0040, "EventTrace/DbgIdRSDS" },
	{ 0x0042, "EventTrace/BuildLab" },
	{ 0x0050, "EventTrace/PartitionInfo" },
	{ 0x010A, "DiskIO/Read" },
	{ 0x010B, "DiskIO/Write" },
	{ 0x010C, "DiskIO/ReadInit" },
	{ 0x010D, "DiskIO/WriteInit" },
	{ 0x010E, "DiskIO/FlushBuffers" },
	{ 0x010F, "DiskIO/FlushInit" },
	{ 0x0220, "Memory/HardFault" },
	{ WMI_LOG_TYPE_PROCESS_CREATE, "Process/Start" },
	{ WMI_LOG_TYPE_PROCESS_DELETE, "Process/Stop" },
	{ WMI_LOG_TYPE_PROCESS_DC_START, "Process/DCStart" },
	{ WMI_LOG_TYPE_PROCESS_DC_END, "Process/DCStop" },
	{ 0x030A, "Image/Load" },
	{ WMI_LOG_TYPE_PROCESS_TERMINATED, "Process/Terminate" },
	{ 0x0320, "Process/PerfCtr" },
	{ 0x0321, "Process/PerfCtrRundown" },
	{ WMI_LOG_TYPE_PROCESS_DEFUNCT, "Process/Defunct" },
	{ 0x0420, "FileIO/FileCreate" },
	{ 0x0423, "FileIO/FileDelete" },
	{ 0x0424, "FileIO/FileRundown" },
	{ WMI_LOG_TYPE_THREAD_CREATE, "Thread/Start" },
	{ WMI_LOG_TYPE_THREAD_DELETE, "Thread/Stop" },
	{ WMI_LOG_TYPE_THREAD_DC_START, "Thread/DCStart" },
	{ WMI_LOG_TYPE_THREAD_DC_END, "Thread/DCStop" },
	{ PERFINFO_LOG_TYPE_CONTEXTSWAP, "Thread/CSwitch" },
	{ PERFINFO_LOG_TYPE_READYTHREAD, "Dispatcher/ReadyThread" },
	{ PERFINFO_LOG_TYPE_THREAD_SET_NAME, "Thread/SetName" },
	{ WMI_LOG_TYPE_CONFIG_CPU, "SystemConfig/CPU" },
	{ WMI_LOG_TYPE_CONFIG_PHYSICALDISK, "SystemConfig/PhyDisk" },
	{ WMI_LOG_TYPE_CONFIG_LOGICALDISK, "SystemConfig/LogDisk" },
	{ WMI_LOG_TYPE_CONFIG_NIC, "SystemConfig/NIC" },
	{ WMI_LOG_TYPE_CONFIG_NUMANODE, "SystemConfig/NumaNode" },
	{ WMI_LOG_TYPE_CONFIG_PLATFORM, "SystemConfig/Platform" },
	{ WMI_LOG_TYPE_CONFIG_PROCESSORGROUP, "SystemConfig/ProcGroup" },
	{ WMI_LOG_TYPE_CONFIG_PROCESSORNUMBER, "SystemConfig/ProcNumber" },
	{ WMI_LOG_TYPE_CONFIG_PROCESSOR, "SystemConfig/Processors" },
	{ 0x0F22, "PerfInfo/Mark" },
	{ 0x0F2E, "PerfInfo/Sample" },
	{ 0x0F2F, "PerfInfo/PMCSample" },
	{ 0x0F30, "PerfInfo/PMCConfig" },
	{ 0x0F32, "PerfInfo/ISR-MSI" },
	{ 0x0F33, "PerfInfo/SysClEnter" },
	{ 0x0F34, "PerfInfo/SysClExit" },
	{ 0x0F43, "PerfInfo/ISR" },
	{ 0x0F44, "PerfInfo/DPC" },
	{ 0x0F45, "PerfInfo/TimerDPC" },
	{ 0x0F48, "PerfInfo/SetInterval" },
	{ 0x0F49, "PerfInfo/CollectionStart" },
	{ 0x0F4A, "PerfInfo/CollectionEnd" },
	{ 0x1402, "Image/Unload" },
	{ 0x1403, "Image/DCStart" },
	{ 0x1404, "Image/DCStop" },
	{ 0x1421, "Image/KernelBase" },
	{ 0x1820, "StackWalk/Stack" },
	{ 0x1825, "StackWalk/StackKeyKernel" },
	{ 0x1826, "StackWalk/StackKeyUser" },
};

static const char *const groups[] = {
	"EventTrace", "DiskIO", "Memory", "Process", "FileIO", "Thread", "TcpIp", "Job",
	"UdpIp", "Registry", "DbgPrint", "SystemConfig", "Spare1", "WNF", "Pool", "PerfInfo",
	"Heap", "Object", "Power", "ModBound", "Image", "DPC", "CC", "CritSec", "StackWalk",
	"UMS", "ALPC", "SplitIO", "ThreadPool", "Hypervisor", "HypervisorX",
};

static void hook_name(uint16_t hook_id, char *to, size_t room)
{
	unsigned int group = hook_id >> 8;
	size_t i;

	for (i = 0; i < COUNT(hooks); i++) {
		if (hooks[i].hook_id != hook_id)
			continue;
		snprintf(to, room, "%s", hooks[i].name);
		return;
	}
	if (group < COUNT(groups))
		snprintf(to, room, "%s/%u", groups[group], hook_id & 0xFF);
	else
		snprintf(to, room, "Hook/%04x", hook_id);
}

void event_name(const struct etl_record *record, char *to, size_t room)
{
	char guid[GUID_TEXT];

	switch (record->header) {
	case ETL_SYSTEM:
	case ETL_COMPACT:
	case ETL_PERFINFO:
		hook_name(record->hook_id, to, room);
		return;
	case ETL_MESSAGE:
		text_from_guid(&record->guid, guid);
		snprintf(to, room, "Message/%s/%u", guid, record->id);
		return;
	case ETL_FULL:
	case ETL_INSTANCE:
		text_from_guid(&record->guid, guid);
		snprintf(to, room, "%s/%u", guid, record->opcode);
		return;
	default:
		break;
	}
	text_from_guid(&record->guid, guid);
	if (etl_is_ours(record) && record->id == ETW_LINUX_EVENT_ANCHOR)
		snprintf(to, room, "Linux/Anchor");
	else if (etl_is_ours(record) && record->id == ETW_LINUX_EVENT_LOSS)
		snprintf(to, room, "Linux/Loss");
	else
		snprintf(to, room, "%s/%u", guid, record->id);
}

const char *wait_reason_name(unsigned int reason)
{
	static const char *const name[] = {
		"Executive", "FreePage", "PageIn", "PoolAllocation", "DelayExecution",
		"Suspended", "UserRequest", "WrExecutive", "WrFreePage", "WrPageIn",
		"WrPoolAllocation", "WrDelayExecution", "WrSuspended", "WrUserRequest",
		"WrEventPair", "WrQueue", "WrLpcReceive", "WrLpcReply", "WrVirtualMemory",
		"WrPageOut", "WrRendezvous", "WrKeyedEvent", "WrTerminated",
		"WrProcessInSwap", "WrCpuRateControl", "WrCalloutStack", "WrKernel",
		"WrResource", "WrPushLock", "WrMutex", "WrQuantumEnd", "WrDispatchInt",
		"WrPreempted", "WrYieldExecution", "WrFastMutex", "WrGuardedMutex",
		"WrRundown", "WrAlertByThreadId", "WrDeferredPreempt", "WrPhysicalFault",
		"WrIoRing", "WrMdlCache", "WrRcu",
	};

	return reason < COUNT(name) ? name[reason] : NULL;
}

const char *thread_state_name(unsigned int state)
{
	static const char *const name[] = {
		"Initialized", "Ready", "Running", "Standby", "Terminated", "Waiting",
		"Transition", "DeferredReady", "GateWait", "WaitingForProcessInSwap",
	};

	return state < COUNT(name) ? name[state] : NULL;
}

const char *anchor_reason_name(unsigned int reason)
{
	static const char *const name[] = { "start", "period", "clock-step", "stop" };

	return reason < COUNT(name) ? name[reason] : NULL;
}

const char *loss_cause_name(unsigned int cause)
{
	static const char *const name[] = {
		[ETW_LOSS_NO_BUFFER] = "no free buffer",
		[ETW_LOSS_WRITER_STUCK] = "writer stuck in the next buffer",
		[ETW_LOSS_TOO_LARGE] = "larger than a buffer",
		[ETW_LOSS_NMI] = "NMI without NMI-safe cmpxchg",
		[ETW_LOSS_RATE] = "rate limit",
	};

	if (cause == ETW_LOSS_OVERWRITTEN)
		return "overwritten";
	return cause < COUNT(name) ? name[cause] : NULL;
}

const char *clock_name(unsigned int clock)
{
	static const char *const name[] = {
		[ETW_CLOCK_QPC] = "qpc", [ETW_CLOCK_SYSTEM] = "system", [ETW_CLOCK_CYCLE] = "cycle",
	};

	return clock && clock < COUNT(name) ? name[clock] : "unknown";
}

const char *header_name(enum etl_header header)
{
	static const char *const name[] = {
		[ETL_SYSTEM] = "SYSTEM", [ETL_COMPACT] = "COMPACT", [ETL_FULL] = "FULL_HEADER",
		[ETL_INSTANCE] = "INSTANCE", [ETL_ERROR] = "ERROR", [ETL_MESSAGE] = "MESSAGE",
		[ETL_PERFINFO] = "PERFINFO", [ETL_EVENT] = "EVENT_HEADER",
	};

	return name[header];
}
