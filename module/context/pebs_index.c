// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Size of a PEBS record. */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include "pebs_index.h"

/* Formats of fixed size: registers; plus status and address; plus TSX; plus TSC */
static const u32 fixed_sizes[ETW_PEBS_FIRST_ADAPTIVE] = { 144, 176, 192, 200 };

#define BASIC_BYTES	32
#define MEMORY_BYTES	32
#define REGISTERS_BYTES	(18 * 8)
#define XMM_BYTES	(16 * 16)
#define BRANCH_BYTES	24
/* Header of the counters group; then each counter */
#define COUNTERS_BYTES	16
#define COUNTER_BYTES	8
#define METRICS_BYTES	(2 * COUNTER_BYTES)

static u32 counters_bytes(u64 cfg)
{
	u32 bytes = COUNTERS_BYTES;

	if (cfg & ETW_PEBS_CFG_METRICS)
		bytes += METRICS_BYTES;
	if (cfg & ETW_PEBS_CFG_COUNTERS)
		bytes += COUNTER_BYTES * (hweight16(ETW_PEBS_CFG_GENERAL(cfg)) +
					  hweight8(ETW_PEBS_CFG_FIXED(cfg)));
	return bytes;
}

/**
 * etw_pebs_record_size() - bytes of a PEBS record
 * @format: record format from MSR_IA32_PERF_CAPABILITIES
 * @data_cfg: MSR_PEBS_DATA_CFG, for adaptive formats; 0 if the processor has
 *	the basic group only
 *
 * Return: the size, or 0 if the format is unknown.
 */
u32 etw_pebs_record_size(u32 format, u64 data_cfg)
{
	u32 size = BASIC_BYTES;

	if (format < ARRAY_SIZE(fixed_sizes))
		return fixed_sizes[format];
	if (format > ETW_PEBS_LAST_FORMAT)
		return 0;
	if (data_cfg & ETW_PEBS_CFG_MEMORY)
		size += MEMORY_BYTES;
	if (data_cfg & ETW_PEBS_CFG_REGISTERS)
		size += REGISTERS_BYTES;
	if (data_cfg & ETW_PEBS_CFG_XMM)
		size += XMM_BYTES;
	if (data_cfg & ETW_PEBS_CFG_BRANCHES)
		size += BRANCH_BYTES * ETW_PEBS_CFG_NR_BRANCHES(data_cfg);
	if (data_cfg & (ETW_PEBS_CFG_COUNTERS | ETW_PEBS_CFG_METRICS))
		size += counters_bytes(data_cfg);
	return size;
}
