// SPDX-License-Identifier: GPL-2.0
/* Names of hook ids. */
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include "etw_hooks.h"
#include "event_names.h"
#include "guids.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

struct hook_name {
	uint16_t hook_id;
	const char *name;
};

/* The names that the published Windows tools use, by hook id */
static const struct hook_name hooks[] = {
	{ WMI_LOG_TYPE_HEADER, "EventTrace/Header" },
	{ WMI_LOG_TYPE_HEADER_EXTENSION, "EventTrace/Extension" },
	{ WMI_LOG_TYPE_RUNDOWN_COMPLETE, "EventTrace/RundownComplete" },
	{ WMI_LOG_TYPE_GROUP_MASKS_END, "EventTrace/EndExtension" },
	{ 0x0040, "EventTrace/DbgIdRSDS" },
	{ 0x0042, "EventTrace/BuildLab" },
	{ 0x0050, "EventTrace/PartitionInfo" },
	{ 0x0052, "EventTrace/LastDroppedTimes" },
	{ 0x010A, "DiskIO/Read" },
	{ 0x010B, "DiskIO/Write" },
	{ 0x010C, "DiskIO/ReadInit" },
	{ 0x010D, "DiskIO/WriteInit" },
	{ 0x010E, "DiskIO/FlushBuffers" },
	{ 0x010F, "DiskIO/FlushInit" },
	{ 0x0122, "DiskIO/DriverMajorFunctionCall" },
	{ 0x0123, "DiskIO/DriverMajorFunctionReturn" },
	{ 0x0125, "DiskIO/DriverCompletionRoutine" },
	{ 0x0134, "DiskIO/DriverCompleteRequest" },
	{ 0x0135, "DiskIO/DriverCompleteRequestReturn" },
	{ 0x020A, "Memory/TransitionFault" },
	{ 0x020B, "Memory/DemandZeroFault" },
	{ 0x020C, "Memory/CopyOnWrite" },
	{ 0x020D, "Memory/GuardMemory" },
	{ 0x020E, "Memory/HardMemory" },
	{ 0x020F, "Memory/AccessViolation" },
	{ 0x0220, "Memory/HardFault" },
	{ 0x0262, "VirtualMem/Alloc" },
	{ 0x0263, "VirtualMem/Free" },
	{ 0x0270, "Memory/SystemMemInfo" },
	{ 0x027D, "Memory/ProcessMemInfo" },
	{ 0x0280, "VirtualMem/AllocDCStart" },
	{ 0x0281, "VirtualMem/AllocDCStop" },
	{ WMI_LOG_TYPE_PROCESS_CREATE, "Process/Start" },
	{ WMI_LOG_TYPE_PROCESS_DELETE, "Process/Stop" },
	{ WMI_LOG_TYPE_PROCESS_DC_START, "Process/DCStart" },
	{ WMI_LOG_TYPE_PROCESS_DC_END, "Process/DCStop" },
	{ 0x030A, "Image/Load" },
	{ WMI_LOG_TYPE_PROCESS_TERMINATED, "Process/Terminate" },
	{ 0x0320, "Process/PerfCtr" },
	{ 0x0321, "Process/PerfCtrRundown" },
	{ WMI_LOG_TYPE_PROCESS_DEFUNCT, "Process/Defunct" },
	{ 0x0400, "FileIO/Name" },
	{ 0x0420, "FileIO/FileCreate" },
	{ 0x0423, "FileIO/FileDelete" },
	{ 0x0424, "FileIO/FileRundown" },
	{ 0x0425, "FileIO/MapFile" },
	{ 0x0426, "FileIO/UnmapFile" },
	{ 0x0427, "FileIO/MapFileDCStart" },
	{ 0x0428, "FileIO/MapFileDCStop" },
	{ 0x0440, "FileIO/Create" },
	{ 0x0441, "FileIO/Cleanup" },
	{ 0x0442, "FileIO/Close" },
	{ 0x0443, "FileIO/Read" },
	{ 0x0444, "FileIO/Write" },
	{ 0x0445, "FileIO/SetInfo" },
	{ 0x0446, "FileIO/Delete" },
	{ 0x0447, "FileIO/Rename" },
	{ 0x0448, "FileIO/DirEnum" },
	{ 0x0449, "FileIO/Flush" },
	{ 0x044A, "FileIO/QueryInfo" },
	{ 0x044B, "FileIO/FSControl" },
	{ 0x044C, "FileIO/OperationEnd" },
	{ 0x044D, "FileIO/DirNotify" },
	{ 0x044F, "FileIO/DeletePath" },
	{ 0x0450, "FileIO/RenamePath" },
	{ 0x0451, "FileIO/SetLinkPath" },
	{ WMI_LOG_TYPE_THREAD_CREATE, "Thread/Start" },
	{ WMI_LOG_TYPE_THREAD_DELETE, "Thread/Stop" },
	{ WMI_LOG_TYPE_THREAD_DC_START, "Thread/DCStart" },
	{ WMI_LOG_TYPE_THREAD_DC_END, "Thread/DCStop" },
	{ PERFINFO_LOG_TYPE_CONTEXTSWAP, "Thread/CSwitch" },
	{ 0x0525, "Thread/CompactCSwitch" },
	{ 0x0529, "Thread/SpinLock" },
	{ 0x0530, "Thread/SetPriority" },
	{ 0x0531, "Thread/SetBasePriority" },
	{ PERFINFO_LOG_TYPE_READYTHREAD, "Dispatcher/ReadyThread" },
	{ 0x0533, "Thread/SetPagePriority" },
	{ 0x0534, "Thread/SetIoPriority" },
	{ 0x0535, "Thread/Affinity" },
	{ 0x0539, "Thread/WorkerThread" },
	{ 0x053D, "Thread/Migration" },
	{ 0x053E, "Thread/KernelQueueEnqueue" },
	{ 0x053F, "Thread/KernelQueueDequeue" },
	{ 0x0540, "Thread/WorkItemStart" },
	{ 0x0541, "Thread/WorkItemEnd" },
	{ PERFINFO_LOG_TYPE_THREAD_SET_NAME, "Thread/SetName" },
	{ 0x060A, "TcpIp/Send" },
	{ 0x060B, "TcpIp/Recv" },
	{ 0x060C, "TcpIp/Connect" },
	{ 0x060D, "TcpIp/Disconnect" },
	{ 0x060E, "TcpIp/Retransmit" },
	{ 0x060F, "TcpIp/Accept" },
	{ 0x0610, "TcpIp/Reconnect" },
	{ 0x0611, "TcpIp/Fail" },
	{ 0x0612, "TcpIp/TCPCopy" },
	{ 0x061A, "TcpIp/SendIPV6" },
	{ 0x061B, "TcpIp/RecvIPV6" },
	{ 0x061C, "TcpIp/ConnectIPV6" },
	{ 0x061D, "TcpIp/DisconnectIPV6" },
	{ 0x061E, "TcpIp/RetransmitIPV6" },
	{ 0x061F, "TcpIp/AcceptIPV6" },
	{ 0x0620, "TcpIp/ReconnectIPV6" },
	{ 0x0622, "TcpIp/TCPCopyIPV6" },
	{ 0x080A, "UdpIp/Send" },
	{ 0x080B, "UdpIp/Recv" },
	{ 0x0811, "UdpIp/Fail" },
	{ 0x081A, "UdpIp/SendIPV6" },
	{ 0x081B, "UdpIp/RecvIPV6" },
	{ 0x0A20, "DbgPrint/Print" },
	{ WMI_LOG_TYPE_CONFIG_CPU, "SystemConfig/CPU" },
	{ WMI_LOG_TYPE_CONFIG_PHYSICALDISK, "SystemConfig/PhyDisk" },
	{ WMI_LOG_TYPE_CONFIG_LOGICALDISK, "SystemConfig/LogDisk" },
	{ WMI_LOG_TYPE_CONFIG_NIC, "SystemConfig/NIC" },
	{ 0x0B0F, "SystemConfig/Services" },
	{ 0x0B10, "SystemConfig/Power" },
	{ 0x0B11, "SystemConfig/Network" },
	{ 0x0B15, "SystemConfig/IRQ" },
	{ 0x0B16, "SystemConfig/PnP" },
	{ 0x0B17, "SystemConfig/IDEChannel" },
	{ WMI_LOG_TYPE_CONFIG_NUMANODE, "SystemConfig/NumaNode" },
	{ WMI_LOG_TYPE_CONFIG_PLATFORM, "SystemConfig/Platform" },
	{ WMI_LOG_TYPE_CONFIG_PROCESSORGROUP, "SystemConfig/ProcGroup" },
	{ WMI_LOG_TYPE_CONFIG_PROCESSORNUMBER, "SystemConfig/ProcNumber" },
	{ 0x0B1C, "SystemConfig/DPI" },
	{ 0x0B1D, "SystemConfig/CodeIntegrity" },
	{ 0x0B1E, "SystemConfig/MachineId" },
	{ 0x0B21, "SystemConfig/DeviceFamily" },
	{ WMI_LOG_TYPE_CONFIG_PROCESSOR, "SystemConfig/Processors" },
	{ 0x0B24, "SystemConfig/Virtualization" },
	{ 0x0B25, "SystemConfig/Boot" },
	{ 0x0C20, "LastBranchRecording/Sample" },
	{ 0x0E20, "Pool/Alloc" },
	{ 0x0E21, "Pool/AllocSession" },
	{ 0x0E22, "Pool/Free" },
	{ 0x0E23, "Pool/FreeSession" },
	{ 0x0F22, "PerfInfo/Mark" },
	{ 0x0F2E, "PerfInfo/Sample" },
	{ 0x0F2F, "PerfInfo/PMCSample" },
	{ 0x0F30, "PerfInfo/PMCConfig" },
	{ 0x0F31, "PerfInfo/PMCCorruption" },
	{ 0x0F32, "PerfInfo/ISR-MSI" },
	{ 0x0F33, "PerfInfo/SysClEnter" },
	{ 0x0F34, "PerfInfo/SysClExit" },
	{ 0x0F37, "PerfInfo/BatchedSample" },
	{ 0x0F3A, "PerfInfo/DebuggerEnabled" },
	{ 0x0F42, "PerfInfo/ThreadedDPC" },
	{ 0x0F43, "PerfInfo/ISR" },
	{ 0x0F44, "PerfInfo/DPC" },
	{ 0x0F45, "PerfInfo/TimerDPC" },
	{ 0x0F48, "PerfInfo/SetInterval" },
	{ 0x0F49, "PerfInfo/CollectionStart" },
	{ 0x0F4A, "PerfInfo/CollectionEnd" },
	{ 0x0F4F, "PerfInfo/ClockInterrupt" },
	{ 0x0F5B, "PerfInfo/IPI" },
	{ 0x0F64, "PerfInfo/DPCEnqueue" },
	{ 0x0F65, "PerfInfo/DPCExecute" },
	{ 0x0F68, "PerfInfo/KTimer2Set" },
	{ 0x0F69, "PerfInfo/KTimer2Expiration" },
	{ 0x0F6A, "PerfInfo/KTimer2Cancel" },
	{ 0x1120, "Object/CreateHandle" },
	{ 0x1121, "Object/CloseHandle" },
	{ 0x1124, "Object/TypeDCStart" },
	{ 0x1125, "Object/TypeDCStop" },
	{ 0x1126, "Object/HandleDCStart" },
	{ 0x1127, "Object/HandleDCStop" },
	{ 0x1233, "Power/PerformanceState" },
	{ 0x1239, "Power/IdleStateEnter" },
	{ 0x123A, "Power/IdleStateExit" },
	{ 0x1402, "Image/Unload" },
	{ 0x1403, "Image/DCStart" },
	{ 0x1404, "Image/DCStop" },
	{ 0x1421, "Image/KernelBase" },
	{ 0x1422, "Image/HypercallPage" },
	{ 0x1820, "StackWalk/Stack" },
	{ 0x1822, "StackWalk/KeyCreate" },
	{ 0x1823, "StackWalk/KeyDelete" },
	{ 0x1824, "StackWalk/KeyRundown" },
	{ 0x1825, "StackWalk/StackKeyKernel" },
	{ 0x1826, "StackWalk/StackKeyUser" },
	{ 0x1B20, "SplitIO/VolMgr" },
	{ GROUP_IMAGE_ID << 8 | 0, "KernelTraceControl/ImageID" },
	{ GROUP_IMAGE_ID << 8 | 32, "KernelTraceControl/ImageIDNone" },
	{ GROUP_IMAGE_ID << 8 | 36, "KernelTraceControl/ImageIDDbgID" },
	{ GROUP_IMAGE_ID << 8 | 37, "KernelTraceControl/ImageIDDbgIDILRSDS" },
	{ GROUP_IMAGE_ID << 8 | 38, "KernelTraceControl/ImageIDDbgIDPPDB" },
	{ GROUP_IMAGE_ID << 8 | 64, "KernelTraceControl/ImageIDFileVersion" },
	{ GROUP_SYSTEM_CONFIG_EX << 8 | 32, "SysConfigEx/BuildInfo" },
	{ GROUP_SYSTEM_CONFIG_EX << 8 | 33, "SysConfigEx/SystemPaths" },
	{ GROUP_SYSTEM_CONFIG_EX << 8 | 34, "SysConfigEx/UnknownVolume" },
	{ GROUP_SYSTEM_CONFIG_EX << 8 | 35, "SysConfigEx/VolumeMapping" },
};

static const char *const groups[] = {
	"EventTrace", "DiskIO", "Memory", "Process", "FileIO", "Thread", "TcpIp", "Job",
	"UdpIp", "Registry", "DbgPrint", "SystemConfig", "Spare1", "WNF", "Pool", "PerfInfo",
	"Heap", "Object", "Power", "ModBound", "Image", "DPC", "CC", "CritSec", "StackWalk",
	"UMS", "ALPC", "SplitIO", "ThreadPool", "Hypervisor", "HypervisorX",
};

bool hook_from_name(const char *name, uint16_t *hook_id)
{
	size_t i;

	for (i = 0; i < COUNT(hooks); i++) {
		if (strcasecmp(hooks[i].name, name))
			continue;
		*hook_id = hooks[i].hook_id;
		return true;
	}
	return false;
}

static int by_hook_id(const void *left, const void *right)
{
	return ((const struct hook_name *)left)->hook_id -
	       ((const struct hook_name *)right)->hook_id;
}

void hook_name(uint16_t hook_id, char *to, size_t room)
{
	const struct hook_name key = { .hook_id = hook_id };
	const struct hook_name *found = bsearch(&key, hooks, COUNT(hooks), sizeof(key), by_hook_id);
	unsigned int group = hook_id >> 8;

	if (found) {
		snprintf(to, room, "%s", found->name);
		return;
	}
	if (group < COUNT(groups))
		snprintf(to, room, "%s/%u", groups[group], hook_id & 0xFF);
	else if (group == GROUP_IMAGE_ID || group == GROUP_SYSTEM_CONFIG_EX)
		snprintf(to, room, "%s/%u", group == GROUP_IMAGE_ID ? "KernelTraceControl" :
			 "SysConfigEx", hook_id & 0xFF);
	else
		snprintf(to, room, "Hook/%04x", hook_id);
}
