/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What the checks with a running module share: properties with room for names. */
#ifndef LIVE_H
#define LIVE_H

#define INITGUID
#include <windows.h>
#include <wmistr.h>
#include <evntrace.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "tests/unit/libetw/check.h"

#define BAD	((void *)0x1000)
#define ROOM	1100

/**
 * struct block - properties of a session
 * @p: fixed part
 * @name: LoggerName
 * @file: LogFileName
 * @dwords: for an extension
 */
struct block {
	EVENT_TRACE_PROPERTIES p;
	char name[ROOM];
	char file[ROOM];
	ULONG dwords[64];
};

static inline void prepare(struct block *block, ULONG mode)
{
	memset(block, 0, sizeof(*block));
	block->p.Wnode.BufferSize = sizeof(*block);
	block->p.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	block->p.LogFileMode = mode;
	block->p.LoggerNameOffset = offsetof(struct block, name);
	block->p.LogFileNameOffset = offsetof(struct block, file);
}

/* A session without a file and without a reader */
static inline TRACEHANDLE start_session(const char *name)
{
	TRACEHANDLE handle = 0;
	struct block block;

	prepare(&block, EVENT_TRACE_REAL_TIME_MODE);
	StartTraceA(&handle, name, &block.p);
	return handle;
}

static inline ULONG stop_session(TRACEHANDLE handle)
{
	struct block block;

	prepare(&block, 0);
	return StopTraceA(handle, NULL, &block.p);
}

static inline long long file_size(const char *path)
{
	struct stat stats;

	return stat(path, &stats) ? -1 : (long long)stats.st_size;
}

void check_sessions(void);
void check_updates(void);
void check_kernel_session(void);
void check_events(void);
void check_providers(void);
void check_files(void);
void check_taken(void);
void check_wide_forms(void);
void check_losses(void);
void check_beside(void);
void check_both(void);
void check_settings(void);
void check_filters(void);
void check_keywords(void);
void check_event_write(void);
void check_live_clock(void);

#endif /* LIVE_H */
