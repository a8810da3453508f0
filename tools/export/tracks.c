// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export: tracks, which get their names when they are first used. */
#include "export.h"

static void name_track(struct export *export, const char *what, uint32_t pid, uint32_t tid,
		       const char *name)
{
	export_event(export, "M", what, pid, tid, 0);
	fputs(",\"args\":{\"name\":", export->to);
	export_string(export->to, name);
	putc('}', export->to);
	export_end_event(export);
}

static void sort_track(struct export *export, const char *what, uint32_t pid, uint32_t tid,
		       int place)
{
	export_event(export, "M", what, pid, tid, 0);
	fprintf(export->to, ",\"args\":{\"sort_index\":%d}", place);
	export_end_event(export);
}

void export_track_of_cpu(struct export *export, uint32_t cpu, uint32_t *pid, uint32_t *tid)
{
	char name[16];

	*pid = EXPORT_CPUS;
	*tid = EXPORT_CPUS + 1 + cpu;
	if (export->cpu_named[cpu])
		return;
	export->cpu_named[cpu] = true;
	snprintf(name, sizeof(name), "CPU %u", cpu);
	name_track(export, "process_name", *pid, *tid, "CPUs");
	sort_track(export, "process_sort_index", *pid, *tid, -1);
	name_track(export, "thread_name", *pid, *tid, name);
	sort_track(export, "thread_sort_index", *pid, *tid, cpu);
}

void export_track_of_thread(struct export *export, struct export_thread *thread, uint32_t *pid,
			    uint32_t *tid)
{
	struct export_process *process = NULL;

	if (thread->has_pid)
		process = export_process_of(export, thread->pid);
	*pid = thread->has_pid ? thread->pid : EXPORT_UNKNOWN;
	*tid = thread->id;
	/* idle has a place on the processors' tracks only */
	if (!thread->id)
		return;
	if (!thread->named) {
		thread->named = true;
		if (!thread->has_pid)
			name_track(export, "process_name", *pid, *tid, "unknown process");
		if (thread->name)
			name_track(export, "thread_name", *pid, *tid, thread->name);
	}
	if (process && process->name && !process->named) {
		process->named = true;
		name_track(export, "process_name", *pid, *tid, process->name);
	}
}
