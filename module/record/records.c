// SPDX-License-Identifier: GPL-2.0
/* Encoders of PERFINFO, SYSTEM and our own records, and their ring variants. */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include "records.h"

static u32 payload_size(const struct etw_payload *payload)
{
	return payload->size + payload->more_size;
}

/* The bytes up to the next multiple of 8 are zero: nothing stale shows. */
static void put_payload(u8 *to, u32 header, const struct etw_payload *payload)
{
	u32 size = header + payload_size(payload);
	u32 aligned = ALIGN(size, ETW_RECORD_ALIGN);

	memset(to + size, 0, aligned - size);
	memcpy(to + header, payload->data, payload->size);
	if (payload->more_size)
		memcpy(to + header + payload->size, payload->more, payload->more_size);
}

/**
 * etw_encode_perfinfo() - PERFINFO_TRACE_HEADER, inline items, payload
 * @to: room for the record, padded to 8
 * @type: TRACE_HEADER_TYPE_PERFINFO64, or _PERFINFO32 in tests
 * @hook_id: hook id
 * @version: low byte: of the payload; high byte: TRACE_HEADER_PEBS_INDEX_FLAG
 *	and the number of counters
 * @tick: session clock
 * @items: the PEBS index first, then the counters, as @version announces
 * @payload: what follows
 *
 * (format.rst 3.4; order of items: 3.6)
 * Return: the record's Size.
 */
u32 etw_encode_perfinfo(void *to, u32 type, u16 hook_id, u16 version, u64 tick,
			const u64 *items, const struct etw_payload *payload)
{
	struct perfinfo_trace_header *header = to;
	u32 n = (version & TRACE_HEADER_PMC_COUNTERS_MASK) >> TRACE_HEADER_PMC_COUNTERS_SHIFT;
	u32 length = sizeof(*header);

	if (version & TRACE_HEADER_PEBS_INDEX_FLAG)
		n++;
	length += n * sizeof(u64);
	header->version = version;
	header->header_type = type;
	header->flags = TRACE_HEADER_FLAGS;
	header->size = length + payload_size(payload);
	header->hook_id = hook_id;
	header->system_time = tick;
	if (n)
		memcpy(header + 1, items, n * sizeof(u64));
	put_payload(to, length, payload);
	return header->size;
}

/**
 * etw_encode_system() - SYSTEM_TRACE_HEADER and payload
 * @to: room for the record, padded to 8
 * @hook_id: hook id
 * @version: of the payload
 * @ids: thread, process and their times
 * @tick: session clock
 * @payload: what follows
 *
 * (format.rst 3.3) Return: the record's Size.
 */
u32 etw_encode_system(void *to, u16 hook_id, u8 version, const struct etw_system_ids *ids,
		      u64 tick, const struct etw_payload *payload)
{
	struct system_trace_header *header = to;

	header->version = version;
	header->header_type = TRACE_HEADER_TYPE_SYSTEM64;
	header->flags = TRACE_HEADER_FLAGS;
	header->size = sizeof(*header) + payload_size(payload);
	header->hook_id = hook_id;
	header->thread_id = ids->thread_id;
	header->process_id = ids->process_id;
	header->system_time = tick;
	header->kernel_time = ids->kernel_time;
	header->user_time = ids->user_time;
	put_payload(to, sizeof(*header), payload);
	return header->size;
}

/**
 * etw_encode_linux() - a record of our own provider: EVENT_HEADER and payload
 * @to: room for the record, padded to 8
 * @event_id: ETW_LINUX_EVENT_*
 * @thread_id: who logs
 * @process_id: its process
 * @tick: session clock
 * @payload: what follows
 *
 * (format.rst 3.9; why not a hook of our own: 3.12)
 * Return: the record's Size.
 */
u32 etw_encode_linux(void *to, u16 event_id, u32 thread_id, u32 process_id, u64 tick,
		     const struct etw_payload *payload)
{
	static const struct etw_guid provider = ETW_LINUX_PROVIDER_GUID;
	struct etw_event_header *header = to;

	memset(header, 0, sizeof(*header));
	header->size = sizeof(*header) + payload_size(payload);
	header->header_type = TRACE_HEADER_TYPE_EVENT_HEADER64 | TRACE_HEADER_FLAGS << 8;
	header->thread_id = thread_id;
	header->process_id = process_id;
	header->time_stamp = tick;
	header->provider_id = provider;
	header->id = event_id;
	put_payload(to, sizeof(*header), payload);
	return header->size;
}

/* Also refuses what its 16-bit Size could not say. */
static int reserve(struct etw_ring *ring, u32 header, const struct etw_payload *payload,
		   struct etw_place *at, u32 *size, enum etw_reserve_mode mode)
{
	*size = header + payload_size(payload);
	if (*size > ETW_MAX_RECORD) {
		if (mode == ETW_RESERVE_COUNT)
			etw_ring_count_loss(ring, ETW_LOSS_TOO_LARGE);
		return -EMSGSIZE;
	}
	return etw_reserve(ring, *size, at, mode) ? 0 : -ENOBUFS;
}

/**
 * etw_record_perfinfo() - write a PERFINFO record
 * @ring: this CPU's
 * @hook_id: hook id
 * @version: of the payload
 * @payload: payload
 * @mode: whether a failure is a loss
 *
 * See the comment in records.h.
 */
int etw_record_perfinfo(struct etw_ring *ring, u16 hook_id, u8 version,
			const struct etw_payload *payload, enum etw_reserve_mode mode)
{
	struct etw_place at;
	u32 size;
	int err = reserve(ring, sizeof(struct perfinfo_trace_header), payload, &at, &size, mode);

	if (err)
		return err;
	etw_encode_perfinfo(at.data, TRACE_HEADER_TYPE_PERFINFO64, hook_id, version, at.tick,
			    NULL, payload);
	etw_commit(ring, &at, size);
	return 0;
}
EXPORT_SYMBOL_GPL(etw_record_perfinfo);

/**
 * etw_record_system() - write a SYSTEM record
 * @ring: this CPU's
 * @hook_id: hook id
 * @version: of the payload
 * @ids: thread, process and their times
 * @payload: payload
 * @mode: whether a failure is a loss
 *
 * See the comment in records.h.
 */
int etw_record_system(struct etw_ring *ring, u16 hook_id, u8 version,
		      const struct etw_system_ids *ids, const struct etw_payload *payload,
		      enum etw_reserve_mode mode)
{
	struct etw_place at;
	u32 size;
	int err = reserve(ring, sizeof(struct system_trace_header), payload, &at, &size, mode);

	if (err)
		return err;
	etw_encode_system(at.data, hook_id, version, ids, at.tick, payload);
	etw_commit(ring, &at, size);
	return 0;
}

/**
 * etw_record_linux() - write a record of our own provider
 * @ring: this CPU's
 * @event_id: ETW_LINUX_EVENT_*
 * @payload: payload
 * @mode: whether a failure is a loss
 *
 * See the comment in records.h.
 */
int etw_record_linux(struct etw_ring *ring, u16 event_id, const struct etw_payload *payload,
		     enum etw_reserve_mode mode)
{
	struct etw_place at;
	u32 size;
	int err = reserve(ring, sizeof(struct etw_event_header), payload, &at, &size, mode);

	if (err)
		return err;
	etw_encode_linux(at.data, event_id, current->pid, etw_process_id(current), at.tick,
			 payload);
	etw_commit(ring, &at, size);
	return 0;
}

/**
 * etw_process_id() - a task's process as consumers see it
 * @task: a task
 *
 * Consumers resolve kernel-only stacks for process 4 alone, so it owns all
 * kernel threads. Its number is always that of a kernel thread, so no program
 * can have it. (kernel-events.rst 1.4)
 */
u32 etw_process_id(const struct task_struct *task)
{
	if (task->flags & PF_KTHREAD)
		return task->pid ? ETW_SYSTEM_PROCESS_ID : 0;
	return task->tgid;
}

/**
 * etw_system_ids_of() - what a SYSTEM header says of a task
 * @task: a task
 * @ids: out
 */
void etw_system_ids_of(struct task_struct *task, struct etw_system_ids *ids)
{
	const u32 ns = ETW_TIMER_RESOLUTION * 100;

	ids->thread_id = task->pid;
	ids->process_id = etw_process_id(task);
	ids->kernel_time = div_u64(READ_ONCE(task->stime), ns);
	ids->user_time = div_u64(READ_ONCE(task->utime), ns);
}

/**
 * etw_system_ids_current() - what a SYSTEM header says of the current task
 * @ids: out
 */
void etw_system_ids_current(struct etw_system_ids *ids)
{
	etw_system_ids_of(current, ids);
}
