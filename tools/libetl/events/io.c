// SPDX-License-Identifier: GPL-2.0
/* Layouts of payloads: disks, memory, files, network. */
#include "../layout.h"

static const struct form transfer_v2[] = {
	F_U("DiskNumber", 4), F_X("IrpFlags", 4), F_U("TransferSize", 4), F_U("Reserved", 4),
	F_U("ByteOffset", 8), F_P("FileObject"), F_P("Irp"), F_U("HighResResponseTime", 8), F_END
};

static const struct form transfer_v3[] = {
	F_U("DiskNumber", 4), F_X("IrpFlags", 4), F_U("TransferSize", 4), F_U("Reserved", 4),
	F_U("ByteOffset", 8), F_P("FileObject"), F_P("Irp"), F_U("HighResResponseTime", 8),
	F_U("IssuingThreadId", 4), F_END
};

static const struct form init_v2[] = { F_P("Irp"), F_END };
static const struct form init_v3[] = { F_P("Irp"), F_U("IssuingThreadId", 4), F_END };

static const struct form flush_v2[] = {
	F_U("DiskNumber", 4), F_X("IrpFlags", 4), F_U("HighResResponseTime", 8), F_P("Irp"), F_END
};

static const struct form flush_v3[] = {
	F_U("DiskNumber", 4), F_X("IrpFlags", 4), F_U("HighResResponseTime", 8), F_P("Irp"),
	F_U("IssuingThreadId", 4), F_END
};

static const struct form driver_call[] = {
	F_U("MajorFunction", 4), F_U("MinorFunction", 4), F_P("RoutineAddr"), F_P("FileObject"),
	F_P("Irp"), F_U("UniqMatchId", 4), F_END
};

static const struct form driver_return[] = { F_P("Irp"), F_U("UniqMatchId", 4), F_END };

static const struct form driver_routine[] = {
	F_P("RoutineAddr"), F_P("Irp"), F_U("UniqMatchId", 4), F_END
};

const struct layout layouts_disk[] = {
	{ 0x010A, 3, 3, transfer_v3 }, { 0x010B, 3, 3, transfer_v3 },
	{ 0x010A, 2, 2, transfer_v2 }, { 0x010B, 2, 2, transfer_v2 },
	{ 0x010C, 3, 3, init_v3 }, { 0x010D, 3, 3, init_v3 }, { 0x010F, 3, 3, init_v3 },
	{ 0x010C, 2, 2, init_v2 }, { 0x010D, 2, 2, init_v2 }, { 0x010F, 2, 2, init_v2 },
	{ 0x010E, 3, 3, flush_v3 }, { 0x010E, 2, 2, flush_v2 },
	{ 0x0122, 2, 2, driver_call }, { 0x0123, 2, 2, driver_return },
	{ 0x0125, 2, 2, driver_routine },
	{ 0x0134, 2, 2, driver_routine }, { 0x0135, 2, 2, driver_return },
	{ }
};

static const struct form hard_fault[] = {
	F_U("InitialTime", 8), F_U("ReadOffset", 8), F_P("VirtualAddress"), F_P("FileObject"),
	F_U("ThreadId", 4), F_U("ByteCount", 4), F_END
};

static const struct form fault[] = { F_P("VirtualAddress"), F_P("ProgramCounter"), F_END };

static const struct form virtual_alloc[] = {
	F_P("BaseAddress"), F_SIZE("RegionSize"), F_U("ProcessId", 4), F_X("Flags", 4), F_END
};

static const struct form virtual_rundown[] = {
	F_P("BaseAddress"), F_SIZE("RegionSize"), F_U("ProcessId", 4), F_X("Flags", 4),
	F_SIZE("CommitSize"), F_END
};

static const struct form memory_info[] = { F_NUMBERS("Pages", 8), F_END };

/* A process each, packed without alignment */
static void call_process_memory(struct cursor *cursor)
{
	static const char *const name[] = {
		"ProcessId", "WorkingSet", "Commit", "VirtualSize", "PrivateWorkingSet",
		"StoreSize", "StoredPages", "CommitDebt", "SharedCommit",
	};
	unsigned int i;

	while (cursor->left >= 4 + 8 * 8)
		for (i = 0; i < 9; i++)
			U(name[i], i ? 8 : 4);
}

static const struct form process_memory[] = {
	F_U("Count", 4), F_CALL(call_process_memory), F_END
};

const struct layout layouts_memory[] = {
	{ 0x0220, 2, 2, hard_fault },
	{ 0x020A, 2, 2, fault }, { 0x020B, 2, 2, fault }, { 0x020C, 2, 2, fault },
	{ 0x020D, 2, 2, fault }, { 0x020E, 2, 2, fault }, { 0x020F, 2, 2, fault },
	{ 0x0262, 2, 2, virtual_alloc }, { 0x0263, 2, 2, virtual_alloc },
	{ 0x0280, 2, 2, virtual_rundown }, { 0x0281, 2, 2, virtual_rundown },
	{ 0x0270, 2, 2, memory_info }, { 0x027D, 2, 2, process_memory },
	{ }
};

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

const struct layout layouts_file[] = {
	{ 0x0400, 2, 2, file_name }, { 0x0420, 2, 2, file_name },
	{ 0x0423, 2, 2, file_name }, { 0x0424, 2, 2, file_name },
	{ 0x0440, 3, 3, file_create },
	{ 0x0441, 3, 3, file_simple }, { 0x0442, 3, 3, file_simple }, { 0x0449, 3, 3, file_simple },
	{ 0x0443, 3, 3, file_transfer }, { 0x0444, 3, 3, file_transfer },
	{ 0x0445, 3, 3, file_info }, { 0x0446, 3, 3, file_info }, { 0x0447, 3, 3, file_info },
	{ 0x044A, 3, 3, file_info }, { 0x044B, 3, 3, file_info },
	{ 0x0448, 3, 3, file_directory }, { 0x044D, 3, 3, file_directory },
	{ 0x044F, 3, 3, file_path }, { 0x0450, 3, 3, file_path }, { 0x0451, 3, 3, file_path },
	{ 0x044C, 2, 3, file_end },
	{ 0x0440, 2, 2, file_create_v2 },
	{ 0x0441, 2, 2, file_simple_v2 }, { 0x0442, 2, 2, file_simple_v2 },
	{ 0x0449, 2, 2, file_simple_v2 },
	{ 0x0443, 2, 2, file_transfer_v2 }, { 0x0444, 2, 2, file_transfer_v2 },
	{ 0x0445, 2, 2, file_info_v2 }, { 0x0446, 2, 2, file_info_v2 },
	{ 0x0447, 2, 2, file_info_v2 }, { 0x044A, 2, 2, file_info_v2 },
	{ 0x044B, 2, 2, file_info_v2 },
	{ 0x0448, 2, 2, file_directory_v2 }, { 0x044D, 2, 2, file_directory_v2 },
	{ 0x0425, 2, 2, map_v2 }, { 0x0426, 2, 2, map_v2 },
	{ 0x0427, 2, 2, map_v2 }, { 0x0428, 2, 2, map_v2 },
	{ 0x0425, 3, 3, map_v3 }, { 0x0426, 3, 3, map_v3 },
	{ 0x0427, 3, 3, map_v3 }, { 0x0428, 3, 3, map_v3 },
	{ }
};

/* What follows the addresses is the same for both families. */
#define ENDS4 \
	F_U("ProcessId", 4), F_U("Size", 4), F_IP4("DestinationAddress"), \
	F_IP4("SourceAddress"), F_PORT("DestinationPort"), F_PORT("SourcePort")
#define ENDS6 \
	F_U("ProcessId", 4), F_U("Size", 4), F_IP6("DestinationAddress"), \
	F_IP6("SourceAddress"), F_PORT("DestinationPort"), F_PORT("SourcePort")
#define NUMBERS	F_U("SequenceNumber", 4), F_P("ConnectionId")
#define TIMES	F_U("StartTime", 4), F_U("EndTime", 4)
#define OPTIONS \
	F_U("MaximumSegmentSize", 2), F_U("SackOption", 2), F_U("TimestampOption", 2), \
	F_U("WindowScaleOption", 2), F_U("ReceiveWindow", 4), F_S("ReceiveWindowScale", 2), \
	F_S("SendWindowScale", 2)

static const struct form transfer4[] = { ENDS4, NUMBERS, F_END };
static const struct form transfer6[] = { ENDS6, NUMBERS, F_END };
static const struct form send4[] = { ENDS4, TIMES, NUMBERS, F_END };
static const struct form send6[] = { ENDS6, TIMES, NUMBERS, F_END };
static const struct form connect4[] = { ENDS4, OPTIONS, NUMBERS, F_END };
static const struct form connect6[] = { ENDS6, OPTIONS, NUMBERS, F_END };
static const struct form fail[] = { F_U("Protocol", 2), F_U("FailureCode", 2), F_END };

const struct layout layouts_network[] = {
	{ 0x060A, 2, 2, send4 }, { 0x061A, 2, 2, send6 },
	{ 0x060B, 2, 2, transfer4 }, { 0x061B, 2, 2, transfer6 },
	{ 0x060C, 2, 2, connect4 }, { 0x061C, 2, 2, connect6 },
	{ 0x060D, 2, 2, transfer4 }, { 0x061D, 2, 2, transfer6 },
	{ 0x060E, 2, 2, transfer4 }, { 0x061E, 2, 2, transfer6 },
	{ 0x060F, 2, 2, connect4 }, { 0x061F, 2, 2, connect6 },
	{ 0x0610, 2, 2, transfer4 }, { 0x0620, 2, 2, transfer6 },
	{ 0x0611, 2, 2, fail },
	{ 0x0612, 2, 2, transfer4 }, { 0x0622, 2, 2, transfer6 },
	{ 0x080A, 2, 2, transfer4 }, { 0x081A, 2, 2, transfer6 },
	{ 0x080B, 2, 2, transfer4 }, { 0x081B, 2, 2, transfer6 },
	{ 0x0811, 2, 2, fail },
	{ }
};
