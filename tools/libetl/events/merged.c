// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events that merging adds: of classes without a group. */
#include "libetl/cursor.h"
#include "libetl/guids.h"
#include "events.h"

static const struct form image_id[] = {
	F_P("ImageBase"), F_SIZE("ImageSize"), F_U("ProcessId", 4), F_X("TimeDateStamp", 4),
	F_UTF16("OrigFileName"), F_END
};

static const struct form image_none[] = { F_P("ImageBase"), F_U("ProcessId", 4), F_END };

static const struct form image_rsds[] = {
	F_P("ImageBase"), F_U("ProcessId", 4), F_GUID("GuidSig"), F_U("Age", 4),
	F_BYTES("PdbFileName"), F_END
};

/* The entry of the image's debug directory; 0x100 and 0x504D ("MP") of a portable PDB */
static const struct form image_ppdb[] = {
	F_P("ImageBase"), F_U("ProcessId", 4), F_X("TimeDateStamp", 4),
	F_X("MajorVersion", 2), F_X("MinorVersion", 2), F_END
};

static const struct form image_version[] = {
	F_U("ImageSize", 4), F_X("TimeDateStamp", 4), F_UTF16("OrigFileName"),
	F_UTF16("FileDescription"), F_UTF16("FileVersion"), F_UTF16("BinFileVersion"),
	F_UTF16("VerLanguage"), F_UTF16("ProductName"), F_UTF16("CompanyName"),
	F_UTF16("ProductVersion"), F_UTF16("FileId"), F_UTF16("ProgramId"), F_END
};

static const struct form build_info[] = {
	F_TIME("InstallDate"), F_UTF16("BuildLab"), F_UTF16("ProductName"), F_END
};

static const struct form system_paths[] = {
	F_UTF16("SystemDirectory"), F_UTF16("SystemWindowsDirectory"), F_END
};

static const struct form unknown_volume[] = { F_UTF16("VolumeName"), F_END };
static const struct form volume[] = { F_UTF16("NtPath"), F_UTF16("DosPath"), F_END };

/* What is behind these fields names the fields of the event, and is used to decode it. */
static const struct form event_info[] = {
	F_GUID("ProviderId"), F_GUID("EventGuid"), F_U("EventId", 2), F_U("EventVersion", 1),
	F_U("EventChannel", 1), F_U("EventLevel", 1), F_U("EventOpcode", 1), F_U("EventTask", 2),
	F_X("EventKeyword", 8), F_U("DecodingSource", 4), F_CALL(skip_rest), F_END
};

static const struct form map_info[] = { F_GUID("ProviderId"), F_CALL(skip_rest), F_END };

#define IMAGE(opcode)	(GROUP_IMAGE_ID << 8 | (opcode))
#define CONFIG(opcode)	(GROUP_SYSTEM_CONFIG_EX << 8 | (opcode))
#define METADATA(opcode) (GROUP_METADATA << 8 | (opcode))

const struct etl_event events_merged[] = {
	{ EVENT(IMAGE(0), "KernelTraceControl/ImageID", { 2, 2, image_id }) },
	{ EVENT(IMAGE(32), "KernelTraceControl/ImageIDNone", { 2, 2, image_none }) },
	{ .id = IMAGE(34), .name = "KernelTraceControl/ImageIDDbgIDNB10" },
	{ EVENT(IMAGE(36), "KernelTraceControl/ImageIDDbgID", { 2, 2, image_rsds }) },
	{ EVENT(IMAGE(37), "KernelTraceControl/ImageIDDbgIDILRSDS", { 2, 2, image_rsds }) },
	{ EVENT(IMAGE(38), "KernelTraceControl/ImageIDDbgIDPPDB", { 2, 2, image_ppdb }) },
	{ EVENT(IMAGE(40), "KernelTraceControl/ImageIDDbgIDDeterm", { 1, 2, image_none }) },
	{ EVENT(IMAGE(64), "KernelTraceControl/ImageIDFileVersion", { 0, 0, image_version }) },
	{ EVENT(CONFIG(32), "SysConfigEx/BuildInfo", { 0, 0, build_info }) },
	{ EVENT(CONFIG(33), "SysConfigEx/SystemPaths", { 0, 0, system_paths }),
	  .has = EVENT_HAS_SYSTEM_PATHS },
	{ EVENT(CONFIG(34), "SysConfigEx/UnknownVolume", { 0, 0, unknown_volume }) },
	{ EVENT(CONFIG(35), "SysConfigEx/VolumeMapping", { 0, 0, volume }) },
	{ EVENT(METADATA(32), "KernelTraceControl/EventInfo", { 0, 0, event_info }) },
	{ EVENT(METADATA(33), "KernelTraceControl/EventMapInfo", { 0, 0, map_info }) },
	{ }
};
