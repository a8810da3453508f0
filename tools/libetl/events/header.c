// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events of the group of headers. */
#include "libetl/cursor.h"
#include "events.h"
#include "etw_hooks.h"

/* Pointers stand in the middle, where readers put the addresses of the strings. */
static void call_header_pointers(struct cursor *cursor)
{
	skip(cursor, 2 * cursor->pointer);
}

/* When a time begins each year; a list, because Day is the number of a week unless Year is set. */
static void take_date(struct cursor *cursor, const char *name)
{
	unsigned int i;

	fields_list(cursor->fields, name);
	for (i = 0; i < sizeof(struct etw_systemtime) / 2; i++)
		fields_list_unsigned(cursor->fields, take(cursor, 2));
}

static void call_time_zone(struct cursor *cursor)
{
	fields_signed(cursor->fields, "TimeZone.Bias", (int32_t)take(cursor, 4));
	take_array(cursor, "TimeZone.StandardName", 32);
	take_date(cursor, "TimeZone.StandardDate");
	fields_signed(cursor->fields, "TimeZone.StandardBias", (int32_t)take(cursor, 4));
	take_array(cursor, "TimeZone.DaylightName", 32);
	take_date(cursor, "TimeZone.DaylightDate");
	fields_signed(cursor->fields, "TimeZone.DaylightBias", (int32_t)take(cursor, 4));
}

static const struct form header[] = {
	F_U("BufferSize", 4), F_X("Version", 4), F_U("ProviderVersion", 4),
	F_U("NumberOfProcessors", 4), F_TIME("EndTime"), F_U("TimerResolution", 4),
	F_U("MaximumFileSize", 4), F_X("LogFileMode", 4), F_U("BuffersWritten", 4),
	F_U("StartBuffers", 4), F_U("PointerSize", 4), F_U("EventsLost", 4), F_U("CPUSpeed", 4),
	F_CALL(call_header_pointers), F_CALL(call_time_zone), F_SKIP(4), F_TIME("BootTime"),
	F_U("PerfFreq", 8), F_TIME("StartTime"), F_U("ReservedFlags", 4), F_U("BuffersLost", 4),
	F_UTF16("LoggerName"), F_UTF16("LogFileName"), F_END
};

static const struct form masks[] = {
	F_X("Mask0", 4), F_X("Mask1", 4), F_X("Mask2", 4), F_X("Mask3", 4), F_X("Mask4", 4),
	F_X("Mask5", 4), F_X("Mask6", 4), F_X("Mask7", 4), F_U("KernelEventVersion", 4), F_END
};

static const struct form nothing[] = { F_END };
static const struct form rsds[] = { F_GUID("Guid"), F_U("Age", 4), F_BYTES("PdbName"), F_END };
static const struct form build_lab[] = { F_BYTES("BuildLab"), F_END };

/* The ids are GUIDs; in a later version, which has no number of its own, they are strings. */
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
