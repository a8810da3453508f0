// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Samples, page faults and stacks of an imported trace. */
#include <stdio.h>
#include "etw_extension.h"
#include "import.h"
#include "libetl/messages.h"
#include "libetl/reader.h"
#include "unwind.h"

/* Addresses from here on are the kernel's, if no PERF_CONTEXT_* is before them */
#define KERNEL_ADDRESSES	0xFFFF000000000000ull
#define SECOND			10000000u

/* Of the kernel, or of the program */
static int write_part(struct importing *importing, uint32_t pid, uint32_t tid,
		      const uint8_t *chain, uint64_t frames)
{
	const struct perfinfo_stack stack = {
		.event_time_stamp = importing->now, .process_id = pid, .thread_id = tid,
	};

	if (!frames)
		return 0;
	import_perfinfo(importing, PERFINFO_LOG_TYPE_STACKWALK, PERFINFO_STACK_VERSION);
	import_bytes(importing, &stack, sizeof(stack));
	import_bytes(importing, chain, 8 * frames);
	importing->counts.stacks++;
	return import_write(importing);
}

int import_stack(struct importing *importing, uint32_t pid, uint32_t tid, const uint8_t *chain,
		 uint64_t frames)
{
	uint64_t begin = 0, i, address;
	bool kernel, was_kernel = false;

	if (!frames)
		return 0;
	for (i = 0; i < frames; i++) {
		address = get64(chain + 8 * i);
		kernel = address >= KERNEL_ADDRESSES;
		if (address < PERF_CONTEXT_MAX && (i == begin || kernel == was_kernel)) {
			was_kernel = kernel;
			continue;
		}
		if (write_part(importing, pid, tid, chain + 8 * begin, i - begin))
			return -1;
		begin = address >= PERF_CONTEXT_MAX ? i + 1 : i;
		was_kernel = kernel;
	}
	return write_part(importing, pid, tid, chain + 8 * begin, frames - begin);
}

static int write_profile(struct importing *importing, const struct perf_record *record)
{
	const struct perfinfo_sampled_profile sample = {
		.instruction_pointer = record->ip, .thread_id = record->tid, .count = 1,
	};

	importing->counts.samples++;
	import_perfinfo(importing, PERFINFO_LOG_TYPE_SAMPLED_PROFILE,
			PERFINFO_SAMPLED_PROFILE_VERSION);
	import_bytes(importing, &sample, sizeof(sample));
	return import_write(importing);
}

static uint16_t source_of(const struct importing *importing, const struct perf_kind *kind)
{
	return ETW_PROFILE_SOURCE_OWN + (kind - importing->file.kinds);
}

static int write_counter(struct importing *importing, const struct perf_record *record)
{
	const struct perfinfo_pmc_sample sample = {
		.instruction_pointer = record->ip, .thread_id = record->tid,
		.profile_source = source_of(importing, record->kind),
	};

	importing->counts.counters++;
	import_perfinfo(importing, PERFINFO_LOG_TYPE_PMC_INTERRUPT, PERFINFO_PMC_SAMPLE_VERSION);
	import_bytes(importing, &sample, sizeof(sample));
	return import_write(importing);
}

static int write_fault(struct importing *importing, const struct perf_record *record, bool hard)
{
	const struct wmi_page_fault fault = {
		.virtual_address = record->addr, .program_counter = record->ip,
	};

	importing->counts.faults++;
	import_system(importing, hard ? PERFINFO_LOG_TYPE_HARDFAULT :
					PERFINFO_LOG_TYPE_TRANSITIONFAULT,
		      WMI_PAGE_FAULT_VERSION, import_pid(importing, record->pid), record->tid);
	import_bytes(importing, &fault, sizeof(fault));
	return import_write(importing);
}

static int write_sample(struct importing *importing, const struct perf_record *record,
			const struct import_kind *kind)
{
	if (record->kind->attr.type == PERF_TYPE_TRACEPOINT && !record->raw)
		return import_tracepoint(importing, record, kind);
	switch (kind->action) {
	case IMPORT_PROFILE:
		return write_profile(importing, record);
	case IMPORT_FAULT:
	case IMPORT_HARD_FAULT:
		return write_fault(importing, record, kind->action == IMPORT_HARD_FAULT);
	case IMPORT_WAKEUP:
		/* a wakeup is recorded where it is made, if that was traced */
		if (importing->traced_waking)
			return import_tracepoint(importing, record, kind);
		return import_ready(importing, record, kind);
	case IMPORT_READY:
	case IMPORT_READY_NEW:
		return import_ready(importing, record, kind);
	case IMPORT_MIGRATION:
		return import_migration(importing, record, kind);
	case IMPORT_DISK_ISSUE:
		return import_disk_issue(importing, record, kind);
	case IMPORT_DISK_COMPLETE:
		return import_disk_complete(importing, record, kind);
	case IMPORT_FORK:
	case IMPORT_EXEC:
	case IMPORT_EXIT:
	case IMPORT_TASK:
		return import_task_event(importing, record, kind) ||
		       import_tracepoint(importing, record, kind) ? -1 : 0;
	case IMPORT_IRQ_ENTRY:
	case IMPORT_IRQ_EXIT:
	case IMPORT_SOFTIRQ_ENTRY:
	case IMPORT_SOFTIRQ_EXIT:
	case IMPORT_CALL_ENTRY:
	case IMPORT_CALL_EXIT:
		return import_interrupt(importing, record, kind) ||
		       import_tracepoint(importing, record, kind) ? -1 : 0;
	case IMPORT_TRACEPOINT:
		return import_tracepoint(importing, record, kind);
	default:
		return write_counter(importing, record);
	}
}

static bool is_of_guest(const struct perf_record *record)
{
	uint16_t mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	return mode == PERF_RECORD_MISC_GUEST_KERNEL || mode == PERF_RECORD_MISC_GUEST_USER;
}

/* Behind the kernel's part of the callchain, which then has no part of the program */
static bool unwind(struct importing *importing, struct perf_record *record)
{
	static uint8_t chain[0x10000];
	uint64_t frames[UNWIND_FRAMES], room = sizeof(chain) / 8 - UNWIND_FRAMES;
	size_t count;

	if (!record->registers || is_of_guest(record))
		return false;
	count = unwind_sample(importing, record, frames);
	if (!count || record->frames > room)
		return false;
	if (record->frames)
		memcpy(chain, record->chain, 8 * record->frames);
	memcpy(chain + 8 * record->frames, frames, 8 * count);
	record->chain = chain;
	record->frames += count;
	return true;
}

static int add_sample(struct importing *importing, const struct perf_record *record)
{
	const struct import_kind *kind = import_kind_of(importing, record->kind);
	uint32_t pid;

	if (!kind)
		return no_memory();
	importing->counts.guests += is_of_guest(record);
	/* the stack of a switch is that of the thread that is switched to */
	if (kind->action == IMPORT_SWITCH && record->raw)
		return import_switch(importing, record, kind);
	if (write_sample(importing, record, kind))
		return -1;
	pid = record->tid ? import_pid(importing, record->pid) : 0;
	return import_stack(importing, pid, record->tid, record->chain, record->frames);
}

int import_sample(struct importing *importing, const struct perf_record *record)
{
	struct perf_record whole = *record;
	bool unwound = unwind(importing, &whole);

	importing->counts.unwound += unwound;
	if (record->has_thread && import_thread_cgroup(importing, record))
		return -1;
	importing->counts.parts += record->rest || (record->registers && !unwound);
	return add_sample(importing, &whole);
}

static int write_interval(struct importing *importing, uint32_t source, uint32_t interval,
			  const char *name)
{
	import_system(importing, PERFINFO_LOG_TYPE_COLLECTION_START,
		      PERFINFO_PROFILE_INTERVAL_VERSION, 4, 0);
	import_u32(importing, source);
	import_u32(importing, interval);
	import_u32(importing, interval);
	import_text(importing, name);
	return import_write(importing);
}

static uint32_t interval_of(const struct perf_event_attr *attr, bool clock)
{
	uint64_t interval = attr->sample_period;

	if (clock && attr->freq)
		interval = attr->sample_freq ? SECOND / attr->sample_freq : 0;
	else if (clock && attr->type == PERF_TYPE_SOFTWARE)
		interval = attr->sample_period / 100;
	else if (clock)
		interval = ETW_DEFAULT_TIMER_INTERVAL;
	else if (attr->freq)
		interval = 0;
	return interval > UINT32_MAX ? UINT32_MAX : interval;
}

int import_samples_rundown(struct importing *importing)
{
	const struct perf_file *file = &importing->file;
	const struct import_kind *kind;
	bool timer = false;
	char name[128];
	size_t i;

	for (i = 0; i < file->count; i++) {
		const struct perf_kind *from = &file->kinds[i];

		kind = import_kind_of(importing, from);
		if (!kind)
			return no_memory();
		if (kind->action != IMPORT_COUNTER && (kind->action != IMPORT_PROFILE || timer))
			continue;
		/* perf's own event for records of processes has no samples */
		if (from->attr.type == PERF_TYPE_SOFTWARE && from->attr.config == PERF_COUNT_SW_DUMMY)
			continue;
		snprintf(name, sizeof(name), "%s", from->name);
		if (!name[0])
			snprintf(name, sizeof(name), "type %u, config 0x%llx", from->attr.type,
				 from->attr.config);
		timer |= kind->action == IMPORT_PROFILE;
		if (write_interval(importing,
				   kind->action == IMPORT_PROFILE ? ETW_PROFILE_SOURCE_TIME :
				   source_of(importing, from),
				   interval_of(&from->attr, kind->action == IMPORT_PROFILE),
				   kind->action == IMPORT_PROFILE ? "Timer" : name))
			return -1;
	}
	return 0;
}
