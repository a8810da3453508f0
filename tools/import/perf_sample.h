/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A record of perf.data: the values that its event's sample_type announces. */
#ifndef ETW_IMPORT_PERF_SAMPLE_H
#define ETW_IMPORT_PERF_SAMPLE_H

#include "perf_file.h"

/**
 * struct perf_record - a record
 * @bytes: it, with its header
 * @size: bytes of it
 * @type: PERF_RECORD_* or PERF_USER_*
 * @misc: of its header
 * @offset: in the file; of a compressed record, that of the record that contains it
 * @kind: its event; NULL: the file has none
 * @has_time: @time is known
 * @has_cpu: @cpu is known
 * @has_thread: @pid and @tid are known
 * @time: when
 * @pid: process
 * @tid: thread
 * @cpu: processor
 * @ip: address of the instruction
 * @addr: address of the data
 * @period: events for which the sample stands
 * @chain: addresses of the stack and PERF_CONTEXT_*, 8 bytes each, not aligned
 * @frames: number of them
 * @raw: fields of a tracepoint
 * @raw_size: bytes of them
 * @registers: of the program, 8 bytes for each bit of sample_regs_user, with @stack; NULL: none
 * @stack: copy of the program's stack
 * @stack_size: bytes of it
 * @cgroup: id of the control group; 0: unknown
 * @rest: it has branches, registers of the interrupt, or AUX data
 */
struct perf_record {
	const uint8_t *bytes;
	uint32_t size;
	uint32_t type;
	uint16_t misc;
	uint64_t offset;
	const struct perf_kind *kind;
	bool has_time;
	bool has_cpu;
	bool has_thread;
	uint64_t time;
	uint32_t pid;
	uint32_t tid;
	uint32_t cpu;
	uint64_t ip;
	uint64_t addr;
	uint64_t period;
	const uint8_t *chain;
	uint64_t frames;
	const uint8_t *raw;
	uint32_t raw_size;
	const uint8_t *registers;
	const uint8_t *stack;
	uint64_t stack_size;
	uint64_t cgroup;
	bool rest;
};

/* Where the payload of a record begins */
#define PERF_HEADER	sizeof(struct perf_event_header)

/*
 * Reads the record at @bytes, which are as many as its header says. Return: false: its values do
 * not fit into it
 */
bool perf_record_read(const struct perf_file *file, const uint8_t *bytes, uint64_t offset,
		      struct perf_record *record);
/* The payload of a record that is no sample, with sample id and all */
struct piece perf_record_payload(const struct perf_record *record);

#endif /* ETW_IMPORT_PERF_SAMPLE_H */
