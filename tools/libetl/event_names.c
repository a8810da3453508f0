// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Names of events and of the values in them. */
#include <stdio.h>
#include "etw_trace_headers.h"
#include "event_info.h"
#include "event_names.h"
#include "events/events.h"
#include "guids.h"
#include "text.h"
#include "tracelogging.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

void event_name(const struct etl_record *record, char *to, size_t room)
{
	const struct etl_event *event;
	char guid[GUID_TEXT];
	uint16_t hook_id;

	switch (record->header) {
	case ETL_SYSTEM:
	case ETL_COMPACT:
	case ETL_PERFINFO:
		hook_name(record->hook_id, to, room);
		return;
	case ETL_MESSAGE:
		if (record->flags & TRACE_MESSAGE_COMPONENT_ID)
			snprintf(guid, sizeof(guid), "%08x", record->guid.data1);
		else
			text_from_guid(&record->guid, guid);
		snprintf(to, room, "Message/%s/%u", guid, record->id);
		return;
	case ETL_SMALL:
	case ETL_UNUSED:
		snprintf(to, room, "Historical/%02x", record->type);
		return;
	case ETL_FULL:
	case ETL_INSTANCE:
		if (hook_of(record, &hook_id)) {
			hook_name(hook_id, to, room);
			return;
		}
		/* fallthrough */
	case ETL_WNODE:
		text_from_guid(&record->guid, guid);
		snprintf(to, room, "%s/%u", guid, record->opcode);
		return;
	default:
		break;
	}
	if (event_info_name(record, to, room) || tracelogging_name(record, to, room))
		return;
	event = event_of(record);
	if (event) {
		text_copy(to, room, event->name);
		return;
	}
	text_from_guid(&record->guid, guid);
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
		[ETW_LOSS_MISSED] = "missed by function probes",
		[ETW_LOSS_RUNDOWN] = "rundown cut short",
		[ETW_LOSS_NOT_WRITTEN] = "not written to the file",
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
		[ETL_WNODE] = "WNODE", [ETL_SMALL] = "ULONG32_TIME", [ETL_UNUSED] = "unused",
	};

	return name[header];
}
