/* SPDX-License-Identifier: GPL-2.0 */
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
 * struct etw_pebs_area - the words of a debug store that matter
 * @base: where the first record goes; 0: no buffer
 * @index: where the next one goes
 * @maximum: end of the buffer
 */
struct etw_pebs_area {
	u64 base;
	u64 index;
	u64 maximum;
};

/*
 * What a CPU's records are counted with: the sum of what was drained, and a
 * word that says how far the buffer was seen since. A context that looks or
 * drains replaces the word by cmpxchg, on its own CPU: whoever was interrupted
 * by a drain finds another number of drains and starts over.
 */
#define ETW_PEBS_SEEN		GENMASK_ULL(29, 0)
/* By a drain outside NMIs, and no switch since: the index may not be reset yet */
#define ETW_PEBS_UNSETTLED	BIT_ULL(31)
#define ETW_PEBS_DRAIN		BIT_ULL(32)

u32 etw_pebs_record_size(u32 format, u64 data_cfg);

/**
 * etw_pebs_records() - how many records a buffer holds
 * @area: words of the debug store
 * @size: of a record; 0: not known
 *
 * Return: that; -ENODATA without a buffer, -ERANGE when the index is not in
 * it, -EINVAL when it isn't at a record's end: sizes changed in between.
 */
static inline int etw_pebs_records(const struct etw_pebs_area *area, u32 size)
{
	u64 bytes = area->index - area->base;

	if (!area->base)
		return -ENODATA;
	if (area->index < area->base || area->index > area->maximum || bytes > ETW_PEBS_SEEN)
		return -ERANGE;
	/* 32 bits: the divisions of 64 take three times as long on older processors */
	if (!size || (u32)bytes % size)
		return -EINVAL;
	return (u32)bytes / size;
}

static inline u64 etw_pebs_seen(u64 word)
{
	return word & ETW_PEBS_UNSETTLED ? 0 : word & ETW_PEBS_SEEN;
}

/**
 * etw_pebs_look() - a switch looks at the buffer
 * @word: of the CPU
 * @records: that the buffer holds
 * @counted: out: what is to be added to the sum: records that went without a
 *	drain, when perf set the buffer up anew
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
 * @word: of the CPU
 * @records: that the buffer holds
 * @nmi: in an NMI
 * @counted: out: what is to be added to the sum
 *
 * An NMI's drain may have interrupted another between its beginning, which is
 * all that a hook sees, and its reset of the index: with the PMU off, so that it
 * finds the very records that were counted. And if it finds as many after the
 * reset? NMIs drain when the index has reached the threshold. Had the drain
 * outside found that many, an interrupt was due then: it comes before any more
 * records do, and finds the same, or none.
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
