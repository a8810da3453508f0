/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Events of Linux that are not in a perf.data. */
#ifndef ETW_IMPORT_IMPORT_SOURCE_H
#define ETW_IMPORT_IMPORT_SOURCE_H

#include <stddef.h>
#include <stdint.h>

struct importing;
struct trace_format;

#define IMPORT_MOST_KINDS	65536u

/**
 * struct import_moment - where and when an event was recorded
 * @time: of it
 * @cpu: processor
 * @tid: thread; 0: the one that the processor runs
 * @pid: its process; 0: as recorded before
 * @comm: its name; "": unknown
 */
struct import_moment {
	uint64_t time;
	uint32_t cpu;
	uint32_t tid;
	uint32_t pid;
	const char *comm;
};

/* @format is in importing::file.formats. Return: the number of the kind, or MAP_NONE */
size_t import_add_kind(struct importing *importing, const struct trace_format *format);
/* An event; they come by time. @raw: as the format of the kind says */
int import_source_event(struct importing *importing, size_t kind,
			const struct import_moment *moment, const uint8_t *raw, uint32_t size);
/* @count events of the processor are lost */
int import_source_loss(struct importing *importing, uint64_t count, uint64_t time, uint32_t cpu);

#endif /* ETW_IMPORT_IMPORT_SOURCE_H */
