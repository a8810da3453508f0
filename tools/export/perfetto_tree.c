// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export --perfetto: processes and threads. */
#include "libetl/events/events.h"
#include "libetl/messages.h"
#include "perfetto.h"
#include "perfetto_fields.h"

static void put_process(struct protobuf *to, const struct export_process *process)
{
	protobuf_begin(to, TREE_PROCESSES);
	protobuf_number(to, PROCESS_PID, process->id);
	if (process->has_parent)
		protobuf_number(to, PROCESS_PPID, process->parent);
	protobuf_string(to, PROCESS_CMDLINE, process->name ? process->name : "");
	protobuf_end(to);
}

static void put_thread(struct protobuf *to, const struct export_thread *thread)
{
	protobuf_begin(to, TREE_THREADS);
	protobuf_number(to, THREAD_TID, thread->id);
	protobuf_number(to, THREAD_TGID, thread->pid);
	if (thread->name)
		protobuf_string(to, THREAD_NAME, thread->name);
	protobuf_end(to);
}

static struct protobuf *begin_tree(struct perfetto *perfetto, uint64_t time)
{
	struct protobuf *packet = perfetto_packet(perfetto, PERFETTO_SEQUENCE);

	protobuf_number(packet, PACKET_TIMESTAMP, perfetto_time(perfetto, time));
	protobuf_begin(packet, PACKET_PROCESS_TREE);
	return packet;
}

static void end_tree(struct perfetto *perfetto)
{
	protobuf_end(&perfetto->packet);
	perfetto_end_packet(perfetto);
}

/* The container of a process is its label. */
static void put_container(struct perfetto *perfetto, uint32_t pid, uint64_t time)
{
	const struct process *process = lifetimes_process(&perfetto->lifetimes, pid, time);

	if (!process && !perfetto->failed) {
		no_memory();
		perfetto->failed = true;
	}
	if (process && process_container(process))
		perfetto_label(perfetto, pid, container_label(process));
}

void perfetto_tree(struct perfetto *perfetto)
{
	struct export *export = &perfetto->export;
	struct protobuf *packet = begin_tree(perfetto, export->begin);
	size_t i;

	/* idle is no process of Perfetto's */
	for (i = 0; i < export->processes.ids.count; i++) {
		struct export_process *process = export->processes.entries[i];

		process->named = true;
		if (process->id)
			put_process(packet, process);
	}
	for (i = 0; i < export->threads.ids.count; i++) {
		struct export_thread *thread = export->threads.entries[i];

		thread->named = true;
		if (thread->id && thread->has_pid)
			put_thread(packet, thread);
	}
	end_tree(perfetto);
	for (i = 0; i < export->processes.ids.count; i++)
		if (export->processes.ids.keys[i])
			put_container(perfetto, export->processes.ids.keys[i], export->begin);
}

static void note_thread(struct perfetto *perfetto, const struct etl_record *record, uint32_t cpu,
			const struct etl_event *event)
{
	uint32_t tid = get32(record->payload + 4);
	struct export_thread *thread = export_thread_of(&perfetto->export, tid);

	perfetto->failed |= !thread;
	if (!thread || !tid)
		return;
	/* the thread still runs: its last switch frees the id, or the next thread with the id */
	if (event->phase == PHASE_END)
		thread->ended = true;
	else if (event->phase == PHASE_BEGIN && thread->ended)
		perfetto_free_thread(perfetto, record, cpu, tid);
	if (thread->has_pid && (event->phase == PHASE_BEGIN || !thread->named)) {
		thread->named = true;
		put_thread(begin_tree(perfetto, record->time), thread);
		end_tree(perfetto);
	}
}

void perfetto_note_task(struct perfetto *perfetto, const struct etl_record *record, uint32_t cpu)
{
	const struct etl_event *event = NULL;
	struct export_process *process;
	const struct field *pid;

	if (etl_has_hook(record))
		event = event_of_hook(record->hook_id);
	if (event_has(event, EVENT_HAS_THREAD_NAME) && record->payload_size >= 8)
		note_thread(perfetto, record, cpu, event);
	if (!event_has(event, EVENT_HAS_PROCESS) || event_is_end(event))
		return;
	/* export_note_names() has decoded it */
	pid = fields_find(&perfetto->export.fields, "ProcessId");
	process = pid ? export_process_of(&perfetto->export, pid->number) : NULL;
	if (!process || !process->id || (event->phase != PHASE_BEGIN && process->named))
		return;
	process->named = true;
	put_process(begin_tree(perfetto, record->time), process);
	end_tree(perfetto);
	put_container(perfetto, process->id, record->time);
}
