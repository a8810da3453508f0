/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* PEBS records counted from the debug store's words: pure arithmetic. */
#ifndef ETW_PEBS_INDEX_H
#define ETW_PEBS_INDEX_H

#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/types.h>

/* Of MSR_IA32_PERF_CAPABILITIES */
#define ETW_PEBS_CAP_FORMAT(caps)	((u32)((caps) >> 8) & 0xF)
#define ETW_PEBS_CAP_BASELINE		BIT_ULL(14)

#define ETW_PEBS_FIRST_ADAPTIVE		4
#define ETW_PEBS_LAST_FORMAT		6

/* Of MSR_PEBS_DATA_CFG: which groups follow the basic one in a record */
#define ETW_PEBS_CFG_MEMORY		BIT_ULL(0)
#define ETW_PEBS_CFG_REGISTERS		BIT_ULL(1)
#define ETW_PEBS_CFG_XMM		BIT_ULL(2)
#define ETW_PEBS_CFG_BRANCHES		BIT_ULL(3)
#define ETW_PEBS_CFG_COUNTERS		BIT_ULL(4)
#define ETW_PEBS_CFG_METRICS		BIT_ULL(5)
#define ETW_PEBS_CFG_NR_BRANCHES(cfg)	(((u32)((cfg) >> 24) & 0xFF) + 1)
#define ETW_PEBS_CFG_GENERAL(cfg)	((u32)((cfg) >> 32) & 0xFFFF)
#define ETW_PEBS_CFG_FIXED(cfg)		((u32)((cfg) >> 48) & 0xFF)

/**
 * struct etw_pebs_area - the relevant words of a debug store
 * @base: where the first record goes; 0: no buffer
 * @index: where the next record goes
 * @maximum: end of the buffer
 */
struct etw_pebs_area {
	u64 base;
	u64 index;
	u64 maximum;
};

/*
 * A CPU's records are counted with the sum of drained records, and a word with the number
 * of records seen in the buffer since. A context that looks or drains replaces the word by
 * cmpxchg, on its own CPU. If a drain interrupted it, the word has another number of
 * drains, and the context starts over.
 */
#define ETW_PEBS_SEEN		GENMASK_ULL(29, 0)
/* Set by a drain outside NMIs, cleared by a switch: the index may not be reset yet */
#define ETW_PEBS_UNSETTLED	BIT_ULL(31)
#define ETW_PEBS_DRAIN		BIT_ULL(32)

u32 etw_pebs_record_size(u32 format, u64 data_cfg);

/**
 * etw_pebs_records() - number of records in a buffer
 * @area: words of the debug store
 * @size: bytes of a record; 0: unknown
 *
 * Return: the number; -ENODATA without a buffer; -ERANGE if the index is outside of
 * the buffer; -EINVAL if it isn't at a record's end, because sizes have changed.
 */
static inline int etw_pebs_records(const struct etw_pebs_area *area, u32 size)
{
	u64 bytes = area->index - area->base;

	if (!area->base)
		return -ENODATA;
	if (area->index < area->base || area->index > area->maximum || bytes > ETW_PEBS_SEEN)
		return -ERANGE;
	/* 32-bit division: 64-bit division takes three times as long on older processors */
	if (!size || (u32)bytes % size)
		return -EINVAL;
	return (u32)bytes / size;
}

static inline u64 etw_pebs_seen(u64 word)
{
	return word & ETW_PEBS_UNSETTLED ? 0 : word & ETW_PEBS_SEEN;
}

/**
 * etw_pebs_look() - a context switch looks at the buffer
 * @word: word of the CPU
 * @records: number of records in the buffer
 * @counted: out: number to be added to the sum: records that vanished without a
 *	drain, when perf set up the buffer again
 *
 * Return: the new word.
 */
static inline u64 etw_pebs_look(u64 word, u32 records, u64 *counted)
{
	u64 seen = etw_pebs_seen(word);

	*counted = records < seen ? seen : 0;
	return (word & ~(ETW_PEBS_DRAIN - 1)) | records;
}

/**
 * etw_pebs_drain() - a drain begins
 * @word: word of the CPU
 * @records: number of records in the buffer
 * @nmi: in an NMI
 * @counted: out: number to be added to the sum
 *
 * An NMI's drain may interrupt another drain between its beginning, where the hook runs,
 * and its reset of the index. The PMU is off then, so the NMI finds exactly the records
 * that were already counted. Could it find the same number of new records after the reset?
 * No: an NMI drains when the index has reached the threshold. If the other drain found
 * that many records, an interrupt was already pending. It comes before any new records,
 * and finds the same records or none.
 *
 * Return: the new word.
 */
static inline u64 etw_pebs_drain(u64 word, u32 records, bool nmi, u64 *counted)
{
	u64 drains = (word & ~(ETW_PEBS_DRAIN - 1)) + ETW_PEBS_DRAIN;
	u64 seen = etw_pebs_seen(word);

	if (nmi && word & ETW_PEBS_UNSETTLED && records == (word & ETW_PEBS_SEEN))
		*counted = 0;
	else
		*counted = records + (records < seen ? seen : 0);
	return nmi ? drains : drains | ETW_PEBS_UNSETTLED | records;
}

#endif /* ETW_PEBS_INDEX_H */
