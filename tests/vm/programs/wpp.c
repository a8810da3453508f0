// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A program that traces by a function like printf(), into a session of its own. */
#define ETW_TRACE_PROVIDER	sentences
#define ETW_TRACE_GUID		0x30c4a1d2, 0x1b5e, 0x4f7a, \
				0x91, 0x0c, 0x5a, 0x33, 0x7e, 0x1d, 0x20, 0x45
#include <stddef.h>
#include <string.h>
#include <etw_wpp.h>

int main(void)
{
	static struct {
		EVENT_TRACE_PROPERTIES p;
		char name[64];
		char file[64];
	} block;
	TRACEHANDLE handle;
	const char *what = "all";

	block.p.Wnode.BufferSize = sizeof(block);
	block.p.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	block.p.LogFileMode = EVENT_TRACE_FILE_MODE_SEQUENTIAL;
	block.p.LoggerNameOffset = offsetof(__typeof__(block), name);
	block.p.LogFileNameOffset = offsetof(__typeof__(block), file);
	strcpy(block.file, "/tmp/wpp.etl");
	if (StartTraceA(&handle, "wpp", &block.p))
		return 1;
	ETW_TRACE_TO(handle, TRACE_LEVEL_VERBOSE, ~0U);
	ETW_TRACE(TRACE_LEVEL_ERROR, 1, "the answer to %s is %d", what, 42);
	ETW_TRACE_OFF();
	return StopTraceA(handle, NULL, &block.p) != 0;
}
