// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Processes and threads of recordings without records of them, from their events. */
#include "import.h"
#include "libetl/messages.h"

#define KTHREADD	2
#define KERNEL_THREAD	1

enum { FORK_PARENT, FORK_TID, FORK_PID, FORK_COMM };
enum { EXEC_TID, EXEC_FILE };
enum { EXIT_TID };
enum { TASK_TID, TASK_PID, TASK_PARENT, TASK_COMM, TASK_TYPE };

static uint32_t pid_of(struct importing *importing, uint32_t tid)
{
	size_t i = map_find(&importing->tids, tid);

	return i < importing->threads_known && importing->threads[i].alive ?
	       importing->threads[i].pid : tid;
}

/* trace.dat has no processes of threads: each thread of it is a process */
static int fork_event(struct importing *importing, const struct perf_record *record,
		      const struct import_kind *kind)
{
	uint32_t parent = import_number(record, kind->field[FORK_PARENT]);
	uint32_t tid = import_number(record, kind->field[FORK_TID]);
	uint32_t pid = import_number(record, kind->field[FORK_PID]);
	char name[IMPORT_COMM];

	import_word(record, kind->field[FORK_COMM], name, sizeof(name));
	return import_begin_task(importing, pid, parent, tid, record->tid, false) ||
	       import_name_task(importing, pid, tid, name) ? -1 : 0;
}

static int exec_event(struct importing *importing, const struct perf_record *record,
		      const struct import_kind *kind)
{
	uint32_t tid = import_number(record, kind->field[EXEC_TID]);
	char file[4096];
	const char *slash;

	import_word(record, kind->field[EXEC_FILE], file, sizeof(file));
	slash = strrchr(file, '/');
	return import_exec_task(importing, pid_of(importing, tid), tid,
				slash ? slash + 1 : file);
}

/* LTTng's list of what was there when it began */
static int task_event(struct importing *importing, const struct perf_record *record,
		      const struct import_kind *kind)
{
	uint32_t tid = import_number(record, kind->field[TASK_TID]);
	uint32_t pid = import_number(record, kind->field[TASK_PID]);
	struct import_process *process = import_process_of(importing, pid);
	char name[IMPORT_COMM];

	if (!process)
		return no_memory();
	import_word(record, kind->field[TASK_COMM], name, sizeof(name));
	/* a process that an event has begun goes on */
	if (!process->alive) {
		process->parent = import_number(record, kind->field[TASK_PARENT]);
		process->kernel = pid == KTHREADD ||
			import_number(record, kind->field[TASK_TYPE]) == KERNEL_THREAD;
	}
	return import_name_task(importing, pid, tid, name);
}

int import_task_event(struct importing *importing, const struct perf_record *record,
		      const struct import_kind *kind)
{
	uint32_t tid;

	if (!importing->tasks_by_events)
		return 0;
	switch (kind->action) {
	case IMPORT_FORK:
		return fork_event(importing, record, kind);
	case IMPORT_EXEC:
		return exec_event(importing, record, kind);
	case IMPORT_EXIT:
		tid = import_number(record, kind->field[EXIT_TID]);
		return import_end_task(importing, pid_of(importing, tid), tid);
	default:
		return task_event(importing, record, kind);
	}
}
