// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events of disks. */
#include "events.h"
#include "etw_hooks.h"

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

#define TRANSFER(hook_id, name) \
	EVENT(hook_id, name, { 2, 2, transfer_v2 }, { 3, 3, transfer_v3 })
#define INIT(hook_id, name)	EVENT(hook_id, name, { 2, 2, init_v2 }, { 3, 3, init_v3 })

const struct etl_event events_disk[] = {
	{ TRANSFER(WMI_LOG_TYPE_IO_READ, "DiskIO/Read") },
	{ TRANSFER(WMI_LOG_TYPE_IO_WRITE, "DiskIO/Write") },
	{ INIT(WMI_LOG_TYPE_IO_READ_INIT, "DiskIO/ReadInit"), .stack_name = "DiskReadInit" },
	{ INIT(WMI_LOG_TYPE_IO_WRITE_INIT, "DiskIO/WriteInit"), .stack_name = "DiskWriteInit" },
	{ INIT(WMI_LOG_TYPE_IO_FLUSH_INIT, "DiskIO/FlushInit"), .stack_name = "DiskFlushInit" },
	{ EVENT(WMI_LOG_TYPE_IO_FLUSH, "DiskIO/FlushBuffers", { 2, 2, flush_v2 },
		{ 3, 3, flush_v3 }) },
	{ EVENT(0x0122, "DiskIO/DriverMajorFunctionCall", { 2, 2, driver_call }) },
	{ EVENT(0x0123, "DiskIO/DriverMajorFunctionReturn", { 2, 2, driver_return }) },
	{ EVENT(0x0125, "DiskIO/DriverCompletionRoutine", { 2, 2, driver_routine }) },
	{ EVENT(0x0134, "DiskIO/DriverCompleteRequest", { 2, 2, driver_routine }) },
	{ EVENT(0x0135, "DiskIO/DriverCompleteRequestReturn", { 2, 2, driver_return }) },
	{ }
};
