/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Properties of a session, with room for names. */
#ifndef PROPERTIES_BLOCK_H
#define PROPERTIES_BLOCK_H

#include <windows.h>
#include <wmistr.h>
#include <evntrace.h>
#include <string.h>

struct block {
	EVENT_TRACE_PROPERTIES p;
	char names[512];
};

static inline void prepare(struct block *block)
{
	memset(block, 0, sizeof(*block));
	block->p.Wnode.BufferSize = sizeof(*block);
	block->p.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	block->p.LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
	block->p.LoggerNameOffset = sizeof(block->p);
}

#endif /* PROPERTIES_BLOCK_H */
