// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events of files. */
#include "events.h"
#include "etw_hooks.h"

static const struct form file_name[] = { F_P("FileKey"), F_UTF16("FileName"), F_END };

static const struct form file_create[] = {
	F_P("Irp"), F_P("FileObject"), F_U("ThreadId", 4), F_X("CreateOptions", 4),
	F_X("FileAttributes", 4), F_X("ShareAccess", 4), F_UTF16("OpenPath"), F_END
};

static const struct form file_simple[] = {
	F_P("Irp"), F_P("FileObject"), F_P("FileKey"), F_U("ThreadId", 4), F_END
};

static const struct form file_transfer[] = {
	F_U("Offset", 8), F_P("Irp"), F_P("FileObject"), F_P("FileKey"), F_U("ThreadId", 4),
	F_U("IoSize", 4), F_X("IoFlags", 4), F_MAY_END, F_X("ExtraFlags", 4), F_END
};

#define FILE_INFO \
	F_P("Irp"), F_P("FileObject"), F_P("FileKey"), F_P("ExtraInformation"), \
	F_U("ThreadId", 4), F_U("InfoClass", 4)

static const struct form file_info[] = { FILE_INFO, F_END };
static const struct form file_path[] = { FILE_INFO, F_UTF16("FileName"), F_END };

static const struct form file_directory[] = {
	F_P("Irp"), F_P("FileObject"), F_P("FileKey"), F_U("ThreadId", 4), F_U("Length", 4),
	F_U("InfoClass", 4), F_U("FileIndex", 4), F_UTF16("Pattern"), F_END
};

static const struct form file_end[] = {
	F_P("Irp"), F_P("ExtraInformation"), F_X("NtStatus", 4), F_END
};

static const struct form map_v2[] = {
	F_P("ViewBase"), F_P("FileKey"), F_X("MiscInfo", 8), F_SIZE("ViewSize"),
	F_U("ProcessId", 4), F_END
};

static const struct form map_v3[] = {
	F_P("ViewBase"), F_P("FileKey"), F_X("MiscInfo", 8), F_SIZE("ViewSize"),
	F_U("ByteOffset", 8), F_U("ProcessId", 4), F_END
};

/* Before Windows 8: the thread is as wide as a pointer, and stands behind the Irp. */
#define FILE_V2		F_P("Irp"), F_SIZE("ThreadId"), F_P("FileObject")

static const struct form file_create_v2[] = {
	FILE_V2, F_X("CreateOptions", 4), F_X("FileAttributes", 4), F_X("ShareAccess", 4),
	F_UTF16("OpenPath"), F_END
};

static const struct form file_simple_v2[] = { FILE_V2, F_P("FileKey"), F_END };

static const struct form file_transfer_v2[] = {
	F_U("Offset", 8), FILE_V2, F_P("FileKey"), F_U("IoSize", 4), F_X("IoFlags", 4), F_END
};

static const struct form file_info_v2[] = {
	FILE_V2, F_P("FileKey"), F_P("ExtraInformation"), F_U("InfoClass", 4), F_END
};

static const struct form file_directory_v2[] = {
	FILE_V2, F_P("FileKey"), F_U("Length", 4), F_U("InfoClass", 4), F_U("FileIndex", 4),
	F_UTF16("Pattern"), F_END
};

#define NAME(hook_id, name) \
	EVENT(hook_id, name, { 0, 2, file_name }), .has = EVENT_HAS_FILE_NAME
#define MAP(hook_id, name)	EVENT(hook_id, name, { 2, 2, map_v2 }, { 3, 3, map_v3 })
#define OPERATION(hook_id, name, forms) \
	EVENT(hook_id, name, { 2, 2, forms ## _v2 }, { 3, 3, forms })
#define PATH(hook_id, name) \
	EVENT(hook_id, name, { 3, 3, file_path }), .has = EVENT_HAS_NO_CLASS

const struct etl_event events_file[] = {
	{ NAME(PERFINFO_LOG_TYPE_FILENAME, "FileIO/Name") },
	{ NAME(PERFINFO_LOG_TYPE_FILENAME_CREATE, "FileIO/FileCreate") },
	{ NAME(PERFINFO_LOG_TYPE_FILENAME_DELETE, "FileIO/FileDelete") },
	{ NAME(PERFINFO_LOG_TYPE_FILENAME_RUNDOWN, "FileIO/FileRundown") },
	{ OPERATION(PERFINFO_LOG_TYPE_FILE_IO_CREATE, "FileIO/Create", file_create),
	  .stack_name = "FileCreate" },
	{ OPERATION(PERFINFO_LOG_TYPE_FILE_IO_CLEANUP, "FileIO/Cleanup", file_simple),
	  .stack_name = "FileCleanup" },
	{ OPERATION(PERFINFO_LOG_TYPE_FILE_IO_CLOSE, "FileIO/Close", file_simple),
	  .stack_name = "FileClose" },
	{ OPERATION(PERFINFO_LOG_TYPE_FILE_IO_READ, "FileIO/Read", file_transfer),
	  .stack_name = "FileRead" },
	{ OPERATION(PERFINFO_LOG_TYPE_FILE_IO_WRITE, "FileIO/Write", file_transfer),
	  .stack_name = "FileWrite" },
	{ OPERATION(PERFINFO_LOG_TYPE_FILE_IO_SET_INFORMATION, "FileIO/SetInfo", file_info) },
	{ OPERATION(PERFINFO_LOG_TYPE_FILE_IO_DELETE, "FileIO/Delete", file_info) },
	{ OPERATION(PERFINFO_LOG_TYPE_FILE_IO_RENAME, "FileIO/Rename", file_info) },
	{ OPERATION(PERFINFO_LOG_TYPE_FILE_IO_DIRENUM, "FileIO/DirEnum", file_directory) },
	{ OPERATION(PERFINFO_LOG_TYPE_FILE_IO_FLUSH, "FileIO/Flush", file_simple),
	  .stack_name = "FileFlush" },
	{ OPERATION(PERFINFO_LOG_TYPE_FILE_IO_QUERY_INFORMATION, "FileIO/QueryInfo", file_info) },
	{ OPERATION(PERFINFO_LOG_TYPE_FILE_IO_FS_CONTROL, "FileIO/FSControl", file_info) },
	{ EVENT(PERFINFO_LOG_TYPE_FILE_IO_OPERATION_END, "FileIO/OperationEnd",
		{ 2, 3, file_end }), .stack_name = "FileOpEnd", .has = EVENT_HAS_NO_THREAD },
	{ OPERATION(0x044D, "FileIO/DirNotify", file_directory) },
	{ PATH(PERFINFO_LOG_TYPE_FILE_IO_DELETE_PATH, "FileIO/DeletePath") },
	{ PATH(PERFINFO_LOG_TYPE_FILE_IO_RENAME_PATH, "FileIO/RenamePath") },
	{ PATH(PERFINFO_LOG_TYPE_FILE_IO_SETLINK_PATH, "FileIO/SetLinkPath") },
	{ MAP(0x0425, "FileIO/MapFile") },
	{ MAP(0x0426, "FileIO/UnmapFile") },
	{ MAP(0x0427, "FileIO/MapFileDCStart") },
	{ MAP(0x0428, "FileIO/MapFileDCStop") },
	{ }
};
