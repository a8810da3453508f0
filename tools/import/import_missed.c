// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Switches that a recording of whole processors lacks, without a record of their loss. */
#include "import.h"

/*
 * Some kernels give perf no event at all of some threads, for example of process 1, and count no
 * loss. In a recording of all switches of a processor, the old thread of each switch is the new
 * thread of the switch before. If it is another thread, at least one switch between them is
 * missing.
 */

/* The lowest of Windows' priorities that the stopper of a processor may have */
#define STOPPER	30

void import_thread_map(struct importing *importing, const struct perf_record *record)
{
	struct piece piece = perf_record_payload(record);
	uint64_t count = piece_u64(&piece), pid = piece_u64(&piece);

	importing->all_threads = !piece.bad && count == 1 && pid == UINT64_MAX;
}

/*
 * Two events for the same switches give each of them twice. In a damaged recording, times may go
 * back. The stopper of a processor that goes down leaves without an event; then idle runs.
 */
static bool is_missed(const struct importing *importing, const struct import_cpu *cpu,
		      uint32_t old)
{
	if (!importing->all_threads || importing->file.filtered || importing->sampled_switches ||
	    importing->switch_events > 1)
		return false;
	if (!cpu->followed || importing->now < cpu->switched || cpu->running == old)
		return false;
	return old || cpu->priority < STOPPER;
}

int import_follow(struct importing *importing, const struct perf_record *record,
		  const struct wmi_contextswap *swap)
{
	struct import_cpu *cpu = &importing->cpus[importing->cpu];
	bool missed = is_missed(importing, cpu, swap->old_thread_id);

	if (missed) {
		importing->counts.missed++;
		/* inside the gap: the intervals beside it are complete */
		if (import_losses(importing, 1,
				  cpu->switched + (importing->now - cpu->switched) / 2))
			return -1;
	}
	cpu->followed = record->has_cpu && record->cpu != UINT32_MAX &&
			importing->now >= cpu->switched;
	cpu->switched = importing->now;
	cpu->running = swap->new_thread_id;
	cpu->priority = swap->new_thread_priority;
	return 0;
}

void import_follow_exec(struct importing *importing, uint32_t pid, uint32_t tid)
{
	struct import_cpu *cpu = &importing->cpus[importing->cpu];
	size_t i = map_find(&importing->tids, cpu->running);

	if (i < importing->threads_known && importing->threads[i].pid == pid)
		cpu->running = tid;
}
