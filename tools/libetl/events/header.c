// SPDX-License-Identifier: GPL-2.0
/* Events of the group of headers. */
#include "../cursor.h"
#include "events.h"
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

/* Group masks and a version */
#define OURS_MASKS	{ 2, IN_ANY, EXACTLY(sizeof(struct etw_kernel_header_extension)) }

const struct etl_event events_header[] = {
	{ EVENT(WMI_LOG_TYPE_HEADER, "EventTrace/Header", { 0, 2, header }) },
	{ EVENT(WMI_LOG_TYPE_HEADER_EXTENSION, "EventTrace/Extension", { 0, 2, masks }),
	  .ours = OURS_MASKS },
	{ EVENT(WMI_LOG_TYPE_RUNDOWN_COMPLETE, "EventTrace/RundownComplete", { 0, 2, nothing }),
	  .ours = { 2, IN_PERFINFO, EXACTLY(0) } },
	{ EVENT(WMI_LOG_TYPE_GROUP_MASKS_END, "EventTrace/EndExtension", { 0, 2, masks }),
	  .ours = OURS_MASKS },
	{ EVENT(0x0040, "EventTrace/DbgIdRSDS", { 0, 2, rsds }) },
	{ EVENT(0x0042, "EventTrace/BuildLab", { 0, 2, build_lab }) },
	{ EVENT(0x0050, "EventTrace/PartitionInfo", { 0, 2, partition }) },
	{ EVENT(0x0052, "EventTrace/LastDroppedTimes", { 0, 2, dropped_times }) },
	{ }
};
