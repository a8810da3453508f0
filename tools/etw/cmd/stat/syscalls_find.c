// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* System calls, from their begin to their end. */
#include <stdlib.h>
#include <string.h>
#include "libetl/decode.h"
#include "libetl/events/events.h"
#include "libetl/guids.h"
#include "libetl/running.h"
#include "etw.h"
#include "linux_kind.h"
#include "syscalls.h"

enum { RAW_ENTER, RAW_EXIT, NAMED_ENTER, NAMED_EXIT, PATH, ADDRESS, KINDS };

static const char *const names[KINDS] = {
	"Linux.raw_syscalls/sys_enter", "Linux.raw_syscalls/sys_exit",
	"Linux.syscalls/sys_enter_*", "Linux.syscalls/sys_exit_*",
	CALL_PATH_EVENT "*", CALL_ADDRESS_EVENT "*",
};

/**
 * struct pending - the latest call of a thread id
 * @open: it has not ended
 * @thread: owner of the id
 * @call: the call, as far as it is known
 */
struct pending {
	bool open;
	const struct thread *thread;
	struct syscall call;
};

/**
 * struct finding - all of it
 * @source: events that count
 * @fields: of the record at hand
 * @address: place of SysCallAddress
 * @status: place of SysCallNtStatus
 * @pending: struct pending by thread id
 * @machine: where the caller wants it
 * @selected: the filter wants the record at hand
 */
struct finding {
	const struct trace *trace;
	const struct statistics *statistics;
	const struct syscall_observer *observer;
	enum syscall_source source;
	struct fields *fields;
	struct linux_kinds kinds;
	struct event_number address;
	struct event_number status;
	struct running running;
	struct keyed pending;
	uint16_t *machine;
	bool selected;
};

enum syscall_source syscall_source(const struct statistics *statistics)
{
	if (linux_kind_is_in(statistics, names[RAW_ENTER]))
		return SYSCALLS_RAW;
	if (linux_kind_is_in(statistics, names[NAMED_ENTER]))
		return SYSCALLS_NAMED;
	return linux_kind_is_in(statistics, "PerfInfo/SysClEnter") ? SYSCALLS_PERF : SYSCALLS_NONE;
}

/* Gives a call to the observer; without its end if it has none */
static int give(const struct finding *finding, struct syscall *call)
{
	int err = call->wanted ? finding->observer->take(finding->observer->context, call) : 0;

	call_paths_free(&call->paths);
	return err;
}

static uint64_t process_of(const struct finding *finding, const struct etl_record *record,
			   const struct thread *thread)
{
	struct lifetimes *lifetimes = finding->statistics->lifetimes;
	const struct process *process = thread->process;

	if (record->has_ids && !record->no_process)
		process = lifetimes_process(lifetimes, record->process_id, record->time);
	return process ? process->life.index + 1ull : 0;
}

/* The thread of the record. Return: false: it is not known */
static bool thread_id_of(const struct finding *finding, const struct etl_buffer *buffer,
			 const struct etl_record *record, uint32_t *tid)
{
	*tid = record->thread_id;
	return record->has_ids || running_get(&finding->running, buffer, record, tid);
}

/* Of a tracepoint: the number, and with @arguments the arguments. Return: false: no number */
static bool take_call(const struct finding *finding, bool arguments, struct syscall *call)
{
	/* a call may have an argument with the other name */
	const char *number = finding->source == SYSCALLS_RAW ? "id" : "__syscall_nr";
	const struct field *field = fields_find(finding->fields, number);

	if (!field)
		return false;
	call->call = field->number;
	if (arguments)
		call_paths_begin(&call->paths, finding->fields, number);
	return true;
}

/* The address of a function, or what stands for a number */
static uint64_t call_of_address(uint64_t address)
{
	uint64_t number = (address - ETW_SYSCALL_IMAGE) / 16;

	return address >= ETW_SYSCALL_IMAGE && number < SYSCALL_NUMBERS ? number : address;
}

static int begin_call(struct finding *finding, const struct etl_buffer *buffer,
		      const struct etl_record *record, struct syscall *call)
{
	const struct thread *thread;
	struct pending *pending;

	call->from = record->time;
	call->wanted = finding->selected;
	if (!thread_id_of(finding, buffer, record, &call->tid))
		return give(finding, call);
	thread = lifetimes_thread(finding->statistics->lifetimes, call->tid, record->time);
	pending = keyed_of(&finding->pending, call->tid);
	if (!thread || !pending)
		return no_memory();
	call->process = process_of(finding, record, thread);
	/* a call that never returns, or its end is lost */
	if (pending->open && give(finding, &pending->call))
		return -1;
	*pending = (struct pending){ .open = true, .thread = thread, .call = *call };
	return 0;
}

/* An exec makes another thread of it in the same process; a reused id is of another process. */
static bool is_same_thread(const struct thread *before, const struct thread *now)
{
	if (before == now)
		return true;
	return before->process && now->process &&
	       before->process->life.id == now->process->life.id;
}

/* @known: @call has the number, which must be that of the begin */
static int end_call(struct finding *finding, const struct etl_buffer *buffer,
		    const struct etl_record *record, const struct syscall *call, bool known)
{
	const struct thread *thread;
	struct pending *pending;
	uint32_t tid;

	if (!thread_id_of(finding, buffer, record, &tid))
		return 0;
	pending = keyed_find(&finding->pending, tid);
	if (!pending || !pending->open)
		return 0;
	thread = lifetimes_thread(finding->statistics->lifetimes, tid, record->time);
	if (!thread)
		return no_memory();
	pending->open = false;
	if ((known && call->call != pending->call.call) ||
	    !is_same_thread(pending->thread, thread) || record->time < pending->call.from)
		return give(finding, &pending->call);
	pending->call.ended = true;
	pending->call.wanted = finding->selected;
	pending->call.to = record->time;
	pending->call.result = call->result;
	pending->call.failed = call->failed;
	return give(finding, &pending->call);
}

static int note_tracepoint(struct finding *finding, const struct etl_buffer *buffer,
			   const struct etl_record *record, bool enter)
{
	struct syscall call = { };
	const struct field *result;
	bool known;

	fields_reset(finding->fields);
	decode_payload(record, finding->fields);
	if (!take_call(finding, enter, &call))
		return 0;
	if (enter)
		return begin_call(finding, buffer, record, &call);
	result = fields_find(finding->fields, "ret");
	if (!result)
		return 0;
	/* x86 has number -1 at the end of rt_sigreturn, and registers of the program as result */
	known = call.call != UINT64_MAX;
	call.result = result->number;
	call.failed = known && call.result < 0 && call.result >= -4095;
	return end_call(finding, buffer, record, &call, known);
}

/* Windows' errors are negative, too */
static int note_perf(struct finding *finding, const struct etl_buffer *buffer,
		     const struct etl_record *record)
{
	struct syscall call = { };
	uint64_t number;

	if (record->hook_id == PERFINFO_LOG_TYPE_SYSCALL_ENTER) {
		if (!event_number(&finding->address, record, &number))
			return 0;
		call.call = call_of_address(number);
		return begin_call(finding, buffer, record, &call);
	}
	if (!event_number(&finding->status, record, &number))
		return 0;
	call.result = (int32_t)number;
	call.failed = call.result < 0;
	return end_call(finding, buffer, record, &call, false);
}

/* A file operation with a path names what the call is about */
static int note_path(struct finding *finding, const struct etl_record *record)
{
	const struct field *tid, *path;
	struct pending *pending;

	fields_reset(finding->fields);
	decode_payload(record, finding->fields);
	tid = fields_find(finding->fields, "ThreadId");
	path = fields_find(finding->fields, "OpenPath");
	if (!path)
		path = fields_find(finding->fields, "FileName");
	pending = tid ? keyed_find(&finding->pending, tid->number) : NULL;
	if (!path || !path->string[0] || !pending || !pending->open || pending->call.paths.path)
		return 0;
	pending->call.paths.path = strdup(path->string);
	return pending->call.paths.path ? 0 : no_memory();
}

/* The kernel has copied a path or an address of the call */
static int note_copied(struct finding *finding, const struct etl_buffer *buffer,
		       const struct etl_record *record, bool address)
{
	struct pending *pending;
	uint32_t tid;
	int err;

	if (!thread_id_of(finding, buffer, record, &tid))
		return 0;
	pending = keyed_find(&finding->pending, tid);
	if (!pending || !pending->open || pending->call.from > record->time)
		return 0;
	fields_reset(finding->fields);
	decode_payload(record, finding->fields);
	err = address ? call_paths_note_address(&pending->call.paths, finding->fields) :
			call_paths_note(&pending->call.paths, finding->fields);
	return err ? no_memory() : 0;
}

static void note_machine(struct finding *finding, const struct etl_record *record)
{
	const struct field *machine;

	fields_reset(finding->fields);
	decode_payload(record, finding->fields);
	machine = fields_find(finding->fields, "ProcessorArchitecture");
	if (machine)
		*finding->machine = machine->number;
}

static int note_hook(struct finding *finding, const struct etl_buffer *buffer,
		     const struct etl_record *record)
{
	switch (record->hook_id) {
	case PERFINFO_LOG_TYPE_SYSCALL_ENTER:
	case PERFINFO_LOG_TYPE_SYSCALL_EXIT:
		return finding->source == SYSCALLS_PERF ? note_perf(finding, buffer, record) : 0;
	case PERFINFO_LOG_TYPE_FILE_IO_CREATE:
	case PERFINFO_LOG_TYPE_FILE_IO_DELETE_PATH:
	case PERFINFO_LOG_TYPE_FILE_IO_RENAME_PATH:
	case PERFINFO_LOG_TYPE_FILE_IO_SETLINK_PATH:
		return note_path(finding, record);
	case WMI_LOG_TYPE_CONFIG_CPU:
		note_machine(finding, record);
		return 0;
	}
	return 0;
}

static int note(struct finding *finding, const struct etl_buffer *buffer,
		const struct etl_record *record)
{
	int kind;

	if (etl_has_hook(record))
		return note_hook(finding, buffer, record);
	kind = linux_kind_of(&finding->kinds, record);
	if (kind < 0)
		return no_memory();
	if (kind == PATH || kind == ADDRESS)
		return note_copied(finding, buffer, record, kind == ADDRESS);
	if (kind == KINDS || finding->source == SYSCALLS_PERF ||
	    (kind < NAMED_ENTER) != (finding->source == SYSCALLS_RAW))
		return 0;
	return note_tracepoint(finding, buffer, record,
			       kind == RAW_ENTER || kind == NAMED_ENTER);
}

/* What has not ended at the end of the trace; @err: it is only freed */
static int flush(struct finding *finding, int err)
{
	struct pending *pending;
	size_t i;

	for (i = 0; i < finding->pending.map.count; i++) {
		pending = keyed_at(&finding->pending, i);
		pending->call.wanted &= pending->open && !err;
		if (give(finding, &pending->call))
			err = -1;
	}
	return err;
}

static int walk(struct finding *finding)
{
	const struct event_filter *filter = finding->statistics->filter;
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	uint16_t processor = 0;
	struct merge merge;
	size_t broken;
	int err = 0;

	if (merge_begin(&merge, finding->trace, false))
		return -1;
	for (broken = merge.broken; !err && merge_next(&merge, &record, &buffer);
	     broken = merge.broken) {
		/* the step on from the record before came over what can't be read */
		if (merge.broken != broken)
			running_hole(&finding->running, processor);
		processor = buffer->processor;
		running_note(&finding->running, buffer, record);
		finding->selected = event_filter_selects(filter, &merge, buffer, record);
		err = note(finding, buffer, record);
	}
	merge_end(&merge);
	return err;
}

int syscalls_find(const struct trace *trace, const struct statistics *statistics,
		  const struct syscall_observer *observer, uint16_t *machine)
{
	struct finding finding = {
		.trace = trace, .statistics = statistics, .observer = observer,
		.source = syscall_source(statistics),
		.pending.size = sizeof(struct pending), .machine = machine,
	};
	int err = -1;

	if (finding.source == SYSCALLS_NONE)
		return 0;
	finding.fields = malloc(sizeof(*finding.fields));
	linux_kinds_begin(&finding.kinds, names, KINDS);
	event_number_find(&finding.address, PERFINFO_LOG_TYPE_SYSCALL_ENTER, "SysCallAddress");
	event_number_find(&finding.status, PERFINFO_LOG_TYPE_SYSCALL_EXIT, "SysCallNtStatus");
	if (!finding.fields)
		no_memory();
	else if (!running_begin(&finding.running, trace))
		err = walk(&finding);
	err = flush(&finding, err);
	running_end(&finding.running);
	linux_kinds_end(&finding.kinds);
	keyed_free(&finding.pending);
	free(finding.fields);
	return err;
}
