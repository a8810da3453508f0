// SPDX-License-Identifier: GPL-2.0
/* Hook ids as options name them. */
#include <stdio.h>
#include <strings.h>
#include "../../libetl/event_names.h"
#include "../etw.h"
#include "etw_hooks.h"
#include "hooks.h"

/* xperf -help stackwalk, as far as the ids are known */
static const struct {
	const char *name;
	uint16_t hook;
} names[] = {
	{ "ProcessCreate", WMI_LOG_TYPE_PROCESS_CREATE },
	{ "ProcessDelete", WMI_LOG_TYPE_PROCESS_DELETE },
	{ "ThreadCreate", WMI_LOG_TYPE_THREAD_CREATE },
	{ "ThreadDelete", WMI_LOG_TYPE_THREAD_DELETE },
	{ "CSwitch", PERFINFO_LOG_TYPE_CONTEXTSWAP },
	{ "ReadyThread", PERFINFO_LOG_TYPE_READYTHREAD },
	{ "ThreadSetPriority", 0x0530 },
	{ "ThreadSetBasePriority", 0x0531 },
	{ "KernelQueueEnqueue", 0x053E },
	{ "KernelQueueDequeue", 0x053F },
	{ "ImageLoad", 0x030A },
	{ "ImageUnload", 0x1402 },
	{ "Profile", 0x0F2E },
	{ "PmcInterrupt", 0x0F2F },
	{ "ProfileSetInterval", 0x0F48 },
	{ "SyscallEnter", 0x0F33 },
	{ "SyscallExit", 0x0F34 },
	{ "Mark", 0x0F22 },
	{ "DiskReadInit", 0x010C },
	{ "DiskWriteInit", 0x010D },
	{ "DiskFlushInit", 0x010F },
	{ "HardFault", 0x0220 },
	{ "PagefaultTransition", 0x020A },
	{ "PagefaultDemandZero", 0x020B },
	{ "PagefaultCopyOnWrite", 0x020C },
	{ "PagefaultGuard", 0x020D },
	{ "PagefaultHard", 0x020E },
	{ "PagefaultAV", 0x020F },
	{ "VirtualAlloc", 0x0262 },
	{ "VirtualFree", 0x0263 },
	{ "FileCreate", 0x0440 },
	{ "FileCleanup", 0x0441 },
	{ "FileClose", 0x0442 },
	{ "FileRead", 0x0443 },
	{ "FileWrite", 0x0444 },
	{ "FileFlush", 0x0449 },
	{ "FileOpEnd", 0x044C },
	{ "SplitIO", 0x1B20 },
	{ "PoolAlloc", 0x0E20 },
	{ "PoolFree", 0x0E22 },
};

#define NAMES	(sizeof(names) / sizeof(names[0]))

bool hook_parse(const char *text, uint16_t *hook)
{
	uint32_t number;
	size_t i;

	if (parse_number(text, 0, 0xFFFF, &number)) {
		*hook = number;
		return true;
	}
	for (i = 0; i < NAMES; i++) {
		if (strcasecmp(names[i].name, text))
			continue;
		*hook = names[i].hook;
		return true;
	}
	return hook_from_name(text, hook);
}

void hook_names_list(void)
{
	char name[EVENT_NAME];
	size_t i;

	for (i = 0; i < NAMES; i++) {
		hook_name(names[i].hook, name, sizeof(name));
		printf("%-22s 0x%04x  %s\n", names[i].name, names[i].hook, name);
	}
}
