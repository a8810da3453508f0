/* SPDX-License-Identifier: GPL-2.0 */
/* Builders of whole records, by trace header: what every source calls. */
#ifndef ETW_RECORDS_H
#define ETW_RECORDS_H

#include <linux/string.h>
#include "../../uapi/etw_hooks.h"
#include "../ring/reserve.h"

struct etw_sink;
struct task_struct;

/**
 * struct etw_payload - a payload in at most two pieces
 * @data: first piece
 * @size: bytes of it
 * @more: second piece, or NULL
 * @more_size: bytes of it
 */
struct etw_payload {
	const void *data;
	u32 size;
	const void *more;
	u32 more_size;
};

/**
 * struct etw_system_ids - what a SYSTEM header says of its thread
 * @thread_id: pid
 * @process_id: tgid; 4 for kernel threads
 * @kernel_time: in units of the stream's TimerResolution
 * @user_time: likewise
 */
struct etw_system_ids {
	u32 thread_id;
	u32 process_id;
	u32 kernel_time;
	u32 user_time;
};

/* 100 ns units in a tick: TimerResolution of the stream */
#define ETW_TIMER_RESOLUTION	(10000000 / HZ)

/* The first 8 bytes of a PERFINFO record, as one store */
static __always_inline u64 etw_perfinfo_word(u16 hook_id, u8 version, u16 size)
{
	return PERFINFO_TRACE_MARKER64 | version | (u64)size << 32 | (u64)hook_id << 48;
}

/* Likewise of a SYSTEM record */
static __always_inline u64 etw_system_word(u16 hook_id, u8 version, u16 size)
{
	return SYSTEM_TRACE_MARKER64 | version | (u64)size << 32 | (u64)hook_id << 48;
}

/*
 * The builders below write one record into the current CPU's ring.
 * Context: any; preemption off. Return: 0; -EMSGSIZE; -ENOBUFS when there was
 * no place, counted as a loss unless the mode is ETW_RESERVE_TRY.
 */
int etw_record_perfinfo(struct etw_ring *ring, u16 hook_id, u8 version,
			const struct etw_payload *payload, enum etw_reserve_mode mode);
int etw_record_system(struct etw_ring *ring, u16 hook_id, u8 version,
		      const struct etw_system_ids *ids, const struct etw_payload *payload,
		      enum etw_reserve_mode mode);
int etw_record_linux(struct etw_ring *ring, u16 event_id, const struct etw_payload *payload,
		     enum etw_reserve_mode mode);

/* The same bytes without a ring: header buffer, trailer, tests. */
u32 etw_encode_system(void *to, u16 hook_id, u8 version, const struct etw_system_ids *ids,
		      u64 tick, const struct etw_payload *payload);
u32 etw_encode_perfinfo(void *to, u32 type, u16 hook_id, u16 version, u64 tick,
			const u64 *items, const struct etw_payload *payload);
u32 etw_encode_linux(void *to, u16 event_id, u32 thread_id, u32 process_id, u64 tick,
		     const struct etw_payload *payload);

void etw_system_ids_of(struct task_struct *task, struct etw_system_ids *ids);
void etw_system_ids_current(struct etw_system_ids *ids);

/* Ids as consumers see them: all kernel threads belong to process 4. */
#define ETW_SYSTEM_PROCESS_ID	4
u32 etw_process_id(const struct task_struct *task);

#endif /* ETW_RECORDS_H */
