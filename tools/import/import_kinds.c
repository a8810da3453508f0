// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What becomes of the samples of each event of perf. */
#include <stdio.h>
#include "import.h"
#include "libetl/reader.h"
#include "libetl/system_calls.h"

/* LTTng's system calls have their names only. */
#define CALL_ENTRY	"lttng:syscall_entry_"
#define CALL_EXIT	"lttng:syscall_exit_"

/*
 * What becomes of each event of Linux: of perf, of trace.dat and of LTTng. Names of LTTng have no
 * system. A name that ends in * stands for all names that begin so. Of several names of a field,
 * the first that the event has counts; LTTng's tid is the pid of others. A field behind '?' may be
 * missing: LTTng has no common_flags.
 */
static const struct {
	const char *name;
	enum import_action action;
	const char *fields[IMPORT_FIELDS];
} tracepoints[] = {
	{ "sched:sched_switch", IMPORT_SWITCH,
	  { "prev_tid|prev_pid", "prev_prio", "prev_state", "next_tid|next_pid", "next_prio",
	    "prev_comm", "next_comm" } },
	{ "sched:sched_waking", IMPORT_READY, { "tid|pid", "?common_flags" } },
	{ "sched:sched_wakeup", IMPORT_WAKEUP, { "tid|pid", "?common_flags" } },
	{ "sched:sched_wakeup_new", IMPORT_READY_NEW, { "tid|pid", "?common_flags" } },
	{ "sched:sched_migrate_task", IMPORT_MIGRATION,
	  { "tid|pid", "prio", "orig_cpu", "dest_cpu" } },
	{ "sched:sched_process_fork", IMPORT_FORK,
	  { "parent_pid", "child_tid|child_pid", "child_pid", "child_comm" } },
	{ "sched:sched_process_exec", IMPORT_EXEC, { "tid|pid", "filename" } },
	{ "sched:sched_process_exit", IMPORT_EXIT, { "tid|pid" } },
	{ "lttng:lttng_statedump_process_state", IMPORT_TASK,
	  { "tid", "pid", "ppid", "name", "type" } },
	{ "block:block_rq_issue", IMPORT_DISK_ISSUE, { "dev", "sector", "nr_sector", "rwbs" } },
	{ "block:block_rq_complete", IMPORT_DISK_COMPLETE,
	  { "dev", "sector", "nr_sector", "rwbs" } },
	{ "irq:irq_handler_entry", IMPORT_IRQ_ENTRY, { "irq" } },
	{ "irq:irq_handler_exit", IMPORT_IRQ_EXIT, { "irq", "ret" } },
	{ "irq:softirq_entry", IMPORT_SOFTIRQ_ENTRY, { "vec" } },
	{ "irq:softirq_exit", IMPORT_SOFTIRQ_EXIT, { "vec" } },
	{ "irq:irq_softirq_entry", IMPORT_SOFTIRQ_ENTRY, { "vec" } },
	{ "irq:irq_softirq_exit", IMPORT_SOFTIRQ_EXIT, { "vec" } },
	{ "raw_syscalls:sys_enter", IMPORT_CALL_ENTRY, { "id" } },
	{ "raw_syscalls:sys_exit", IMPORT_CALL_EXIT, { "ret" } },
	{ "syscalls:sys_enter_*", IMPORT_CALL_ENTRY, { "__syscall_nr|nr" } },
	{ "syscalls:sys_exit_*", IMPORT_CALL_EXIT, { "ret" } },
	{ "lttng:syscall_entry_unknown", IMPORT_CALL_ENTRY, { "id" } },
	{ "lttng:syscall_exit_unknown", IMPORT_CALL_EXIT, { "ret" } },
	{ CALL_ENTRY "*", IMPORT_CALL_ENTRY, { } },
	{ CALL_EXIT "*", IMPORT_CALL_EXIT, { "ret" } },
};

static bool is_named(const char *name, const char *wanted)
{
	size_t length;

	if (!strchr(name, ':'))
		wanted = strchr(wanted, ':') + 1;
	length = strlen(wanted);
	if (wanted[length - 1] == '*')
		return !strncmp(name, wanted, length - 1);
	return !strcmp(name, wanted);
}

/* Return: SYSTEM_CALL_NONE: the event has no name of a system call that the machine has */
static uint16_t call_of(const char *name, uint16_t machine)
{
	static const char *const begins[] = { CALL_ENTRY, CALL_EXIT };
	const struct system_call *call;
	const char *begin;
	size_t i;

	for (i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
		begin = strchr(begins[i], ':') + 1;
		if (strncmp(name, begin, strlen(begin)))
			continue;
		call = system_call_named(name + strlen(begin));
		return call ? system_call_number(call, machine) : SYSTEM_CALL_NONE;
	}
	return SYSTEM_CALL_NONE;
}

static bool is_by_name(const char *wanted)
{
	return !strcmp(wanted, CALL_ENTRY "*") || !strcmp(wanted, CALL_EXIT "*");
}

static enum import_action action_of_format(const struct trace_format *format,
					   struct import_kind *known)
{
	bool optional;
	size_t i, k;

	for (i = 0; i < sizeof(tracepoints) / sizeof(tracepoints[0]); i++)
		if (is_named(format->name, tracepoints[i].name))
			break;
	if (i == sizeof(tracepoints) / sizeof(tracepoints[0]))
		return IMPORT_TRACEPOINT;
	if (is_by_name(tracepoints[i].name) && known->call == SYSTEM_CALL_NONE)
		return IMPORT_TRACEPOINT;
	for (k = 0; k < IMPORT_FIELDS && tracepoints[i].fields[k]; k++) {
		optional = tracepoints[i].fields[k][0] == '?';
		known->field[k] = trace_field_of(format, tracepoints[i].fields[k] + optional);
		if (!known->field[k] && !optional)
			return IMPORT_TRACEPOINT;
	}
	return tracepoints[i].action;
}

static bool is_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						    attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

/* A page fault is recorded as one if each is: a sample of many does not name them. */
static enum import_action action_of_event(const struct importing *importing,
					  const struct perf_event_attr *attr)
{
	bool each = !attr->freq && attr->sample_period == 1;

	if (is_clock(attr))
		return IMPORT_PROFILE;
	if (attr->type == PERF_TYPE_HARDWARE &&
	    (attr->config & UINT32_MAX) == PERF_COUNT_HW_CPU_CYCLES && !importing->clocked)
		return IMPORT_PROFILE;
	if (attr->type == PERF_TYPE_SOFTWARE && each) {
		if (attr->config == PERF_COUNT_SW_PAGE_FAULTS ||
		    attr->config == PERF_COUNT_SW_PAGE_FAULTS_MIN)
			return IMPORT_FAULT;
		if (attr->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ)
			return IMPORT_HARD_FAULT;
	}
	return IMPORT_COUNTER;
}

/* What an event becomes depends on which others there are. */
static void look_at_all(struct importing *importing)
{
	const struct perf_file *file = &importing->file;
	const struct trace_format *format;
	size_t i;

	for (i = importing->kinds_known; i < file->count; i++) {
		importing->clocked |= is_clock(&file->kinds[i].attr);
		if (file->kinds[i].attr.type != PERF_TYPE_TRACEPOINT)
			continue;
		format = trace_format_of(&file->formats, file->kinds[i].attr.config);
		importing->traced_switches |= format && is_named(format->name, "sched:sched_switch");
		importing->traced_waking |= format && is_named(format->name, "sched:sched_waking");
	}
}

static void decide(struct importing *importing, const struct perf_kind *kind,
		   struct import_kind *known)
{
	*known = (struct import_kind){ };
	if (kind->attr.type != PERF_TYPE_TRACEPOINT) {
		known->action = action_of_event(importing, &kind->attr);
		return;
	}
	known->action = IMPORT_TRACEPOINT;
	known->format = trace_format_of(&importing->file.formats, kind->attr.config);
	if (!known->format)
		return;
	known->call = call_of(known->format->name, importing->machine);
	known->action = action_of_format(known->format, known);
	if (known->action != IMPORT_SWITCH)
		return;
	importing->switch_events++;
	importing->sampled_switches |= kind->attr.freq || kind->attr.sample_period != 1;
}

const struct import_kind *import_kind_of(struct importing *importing,
					 const struct perf_kind *kind)
{
	size_t i = kind - importing->file.kinds;

	if (i >= importing->kinds_known)
		look_at_all(importing);
	while (i >= importing->kinds_known) {
		if (!map_make_room((void **)&importing->kinds, importing->kinds_known,
				   sizeof(*importing->kinds)))
			return NULL;
		importing->kinds[importing->kinds_known++] = (struct import_kind){ };
	}
	if (importing->kinds[i].action == IMPORT_UNKNOWN)
		decide(importing, kind, &importing->kinds[i]);
	return &importing->kinds[i];
}

int64_t import_number(const struct perf_record *record, const struct trace_field *field)
{
	const uint8_t *at;

	if (field->offset > record->raw_size || field->size > record->raw_size - field->offset)
		return 0;
	at = record->raw + field->offset;
	switch (field->size) {
	case 1:
		return field->is_signed ? (int8_t)*at : *at;
	case 2:
		return field->is_signed ? (int16_t)get16(at) : get16(at);
	case 4:
		return field->is_signed ? (int32_t)get32(at) : (int64_t)get32(at);
	case 8:
		return get64(at);
	}
	return 0;
}

void import_word(const struct perf_record *record, const struct trace_field *field, char *to,
		 size_t room)
{
	const struct piece piece = trace_field_bytes(field, record->raw, record->raw_size);

	snprintf(to, room, "%.*s", (int)(piece.left < room ? piece.left : room),
		 piece.left ? (const char *)piece.at : "");
}
