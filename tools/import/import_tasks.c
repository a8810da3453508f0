// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Processes and threads of an imported trace. */
#include <stdio.h>
#include <stdlib.h>
#include "import.h"
#include "libetl/messages.h"

#define KTHREADD	2
#define IDLE		0
#define SYSTEM		4
#define NORMAL		8

/*
 * Images that forks copy: so many, and one for each of so many bytes of the file. Otherwise few
 * forks of a process with all its images would make a trace of gigabytes.
 */
#define COPIED_IMAGES	(1u << 20)
#define BYTES_OF_COPY	32

/*
 * All kernel threads are threads of System, as in traces of the module. A kernel thread is
 * kthreadd or a child of kthreadd.
 */

struct import_process *import_process_of(struct importing *importing, uint32_t pid)
{
	size_t i = map_add(&importing->pids, pid);

	if (i == MAP_NONE)
		return NULL;
	if (i == importing->processes_known) {
		if (!map_make_room((void **)&importing->processes, i,
				   sizeof(*importing->processes)))
			return NULL;
		importing->processes[i] = (struct import_process){ .pid = pid };
		importing->processes_known++;
	}
	return &importing->processes[i];
}

struct import_thread *import_thread_of(struct importing *importing, uint32_t tid)
{
	size_t i = map_add(&importing->tids, tid);

	if (i == MAP_NONE)
		return NULL;
	if (i == importing->threads_known) {
		if (!map_make_room((void **)&importing->threads, i, sizeof(*importing->threads)))
			return NULL;
		importing->threads[i] = (struct import_thread){ .tid = tid, .pid = UINT32_MAX };
		importing->threads_known++;
	}
	return &importing->threads[i];
}

uint32_t import_pid(struct importing *importing, uint32_t pid)
{
	size_t i = map_find(&importing->pids, pid);

	return i < importing->processes_known && importing->processes[i].kernel ? SYSTEM : pid;
}

uint32_t import_pid_of_thread(struct importing *importing, uint32_t tid)
{
	size_t i = map_find(&importing->tids, tid);

	if (!tid)
		return IDLE;
	return i < importing->threads_known ? import_pid(importing, importing->threads[i].pid) :
					      UINT32_MAX;
}

static int write_process(struct importing *importing, const struct import_process *process,
			 uint16_t hook)
{
	bool system = process->pid == IDLE || process->kernel || process->pid == SYSTEM;
	const struct wmi_process_information fixed = {
		.unique_process_key = (uint64_t)process->generation << 32 | process->pid | 1ull << 63,
		.process_id = process->pid,
		.parent_id = import_pid(importing, process->parent), .session_id = UINT32_MAX,
		.exit_status = hook == WMI_LOG_TYPE_PROCESS_DELETE || !process->pid ? 0 :
			       ETW_STATUS_PENDING,
	};
	static const uint8_t local_system[12] = { 1, 1, 0, 0, 0, 0, 0, 5, 18 };

	if (hook == WMI_LOG_TYPE_PROCESS_DC_START)
		import_perfinfo(importing, hook, WMI_PROCESS_VERSION);
	else
		import_system(importing, hook, WMI_PROCESS_VERSION,
			      import_pid(importing, process->parent), process->parent);
	import_bytes(importing, &fixed, sizeof(fixed));
	/* perf records no users: only the kernel's processes have a SID */
	import_u32(importing, system);
	if (system) {
		import_u32(importing, 0);
		import_u64(importing, 0);
		import_bytes(importing, local_system, sizeof(local_system));
	}
	import_bytes(importing, process->comm, strlen(process->comm) + 1);
	import_text(importing, "");
	import_text(importing, "");
	import_text(importing, "");
	importing->counts.processes += hook != WMI_LOG_TYPE_PROCESS_DELETE;
	return import_write(importing);
}

/* @actor: thread that causes the event */
static int write_thread(struct importing *importing, const struct import_thread *thread,
			uint16_t hook, uint32_t actor)
{
	uint32_t pid = thread->tid ? import_pid(importing, thread->pid) : IDLE;
	const struct wmi_thread_information fixed = {
		.process_id = pid, .thread_id = thread->tid, .page_priority = 5,
		.base_priority = thread->tid ? NORMAL : 0,
	};

	import_system(importing, hook, WMI_THREAD_VERSION,
		      actor == thread->tid ? pid : import_pid_of_thread(importing, actor), actor);
	import_bytes(importing, &fixed, sizeof(fixed));
	import_text(importing, thread->comm);
	importing->counts.threads += hook != WMI_LOG_TYPE_THREAD_DELETE;
	return import_write(importing);
}

static int end_thread(struct importing *importing, struct import_thread *thread)
{
	struct import_process *process = import_process_of(importing, thread->pid);

	thread->alive = false;
	free(thread->chain);
	thread->chain = NULL;
	thread->frames = 0;
	thread->cgroup = 0;
	if (process && process->threads)
		process->threads--;
	return importing->begun ?
		write_thread(importing, thread, WMI_LOG_TYPE_THREAD_DELETE, thread->tid) : 0;
}

static int end_process(struct importing *importing, struct import_process *process)
{
	process->alive = false;
	process->threads = 0;
	free(process->images);
	process->images = NULL;
	process->count = 0;
	return importing->begun && !process->kernel ?
		write_process(importing, process, WMI_LOG_TYPE_PROCESS_DELETE) : 0;
}

static int begin_process(struct importing *importing, struct import_process *process,
			 bool at_start)
{
	process->alive = true;
	process->generation++;
	if (!importing->begun || process->kernel)
		return 0;
	return write_process(importing, process, at_start ? WMI_LOG_TYPE_PROCESS_DC_START :
							    WMI_LOG_TYPE_PROCESS_CREATE);
}

/* Readers take a Thread Start that its own thread causes for an exec by another thread. */
static int begin_thread(struct importing *importing, struct import_thread *thread,
			struct import_process *process, uint32_t creator, bool at_start)
{
	thread->alive = true;
	thread->pid = process->pid;
	process->threads++;
	return importing->begun ?
		write_thread(importing, thread, at_start ? WMI_LOG_TYPE_THREAD_DC_START :
							   WMI_LOG_TYPE_THREAD_CREATE, creator) : 0;
}

/* A record without a time describes what was there when perf began. */
static int begin_task(struct importing *importing, uint32_t pid, uint32_t tid, uint32_t creator,
		      bool at_start)
{
	struct import_thread *thread = import_thread_of(importing, tid);
	struct import_process *process = import_process_of(importing, pid);

	if (!thread || !process)
		return no_memory();
	if (!process->alive && begin_process(importing, process, at_start))
		return -1;
	return thread->alive ? 0 : begin_thread(importing, thread, process, creator, at_start);
}

static int rename_thread(struct importing *importing, const struct import_thread *thread)
{
	import_perfinfo(importing, PERFINFO_LOG_TYPE_THREAD_SET_NAME, 2);
	import_u32(importing, import_pid(importing, thread->pid));
	import_u32(importing, thread->tid);
	import_text(importing, thread->comm);
	return import_write(importing);
}

/* Exec ends the old image of the process, and begins the new one with the same ids. */
static int exec_process(struct importing *importing, struct import_process *process,
			struct import_thread *thread, const char *comm)
{
	if ((thread->alive && end_thread(importing, thread)) ||
	    (process->alive && end_process(importing, process)))
		return -1;
	snprintf(process->comm, sizeof(process->comm), "%s", comm);
	snprintf(thread->comm, sizeof(thread->comm), "%s", comm);
	return begin_process(importing, process, false) ||
	       begin_thread(importing, thread, process, thread->tid, false) ? -1 : 0;
}

static int name_task(struct importing *importing, uint32_t pid, uint32_t tid, const char *text,
		     bool exec)
{
	struct import_process *process = import_process_of(importing, pid);
	struct import_thread *thread = import_thread_of(importing, tid);
	char comm[IMPORT_COMM];

	if (!process || !thread)
		return no_memory();
	snprintf(comm, sizeof(comm), "%.15s", text);
	if (exec && pid == tid)
		return exec_process(importing, process, thread, comm);
	snprintf(thread->comm, sizeof(thread->comm), "%s", comm);
	if (pid == tid) {
		snprintf(process->comm, sizeof(process->comm), "%s", comm);
		process->kernel |= pid == KTHREADD && !strcmp(comm, "kthreadd");
	}
	if (!thread->alive || !process->alive)
		return begin_task(importing, pid, tid, tid, true);
	return importing->begun ? rename_thread(importing, thread) : 0;
}

int import_name_task(struct importing *importing, uint32_t pid, uint32_t tid, const char *name)
{
	return name_task(importing, pid, tid, name, false);
}

int import_exec_task(struct importing *importing, uint32_t pid, uint32_t tid, const char *name)
{
	return name_task(importing, pid, tid, name, true);
}

int import_comm(struct importing *importing, const struct perf_record *record)
{
	struct piece piece = perf_record_payload(record);
	uint32_t pid = piece_u32(&piece), tid = piece_u32(&piece);
	const char *text = piece_string(&piece);
	bool exec = record->misc & PERF_RECORD_MISC_COMM_EXEC && record->has_time;

	if (exec && record->has_cpu)
		import_follow_exec(importing, pid, tid);
	return name_task(importing, pid, tid, text ? text : "", exec);
}

static int copy_images(struct importing *importing, uint32_t from, struct import_process *to)
{
	size_t i = map_find(&importing->pids, from);
	const struct import_process *parent = i < importing->processes_known ?
					      &importing->processes[i] : NULL;

	if (!parent || !parent->count)
		return 0;
	if (importing->copied + parent->count >
	    COPIED_IMAGES + importing->file.size / BYTES_OF_COPY) {
		importing->counts.images_left_out += parent->count;
		return 0;
	}
	importing->copied += parent->count;
	/* arrays of images double */
	for (i = 1; i < parent->count; i *= 2)
		;
	free(to->images);
	to->count = 0;
	to->images = malloc(i * sizeof(*to->images));
	if (!to->images)
		return no_memory();
	memcpy(to->images, parent->images, parent->count * sizeof(*to->images));
	to->count = parent->count;
	return importing->begun ? import_images(importing, to, WMI_LOG_TYPE_PROCESS_LOAD_IMAGE) : 0;
}

/* The names of the parent, until a COMM comes */
static void inherit(struct importing *importing, struct import_process *process,
		    struct import_thread *thread, uint32_t parent)
{
	size_t i = map_find(&importing->pids, parent);
	const struct import_process *from = i < importing->processes_known ?
					    &importing->processes[i] : NULL;

	if (process->pid != parent) {
		process->kernel = from && from->kernel && parent == KTHREADD;
		if (from)
			memcpy(process->comm, from->comm, sizeof(process->comm));
	}
	memcpy(thread->comm, process->comm, sizeof(thread->comm));
}

int import_begin_task(struct importing *importing, uint32_t pid, uint32_t parent, uint32_t tid,
		      uint32_t creator, bool at_start)
{
	struct import_process *process = import_process_of(importing, pid);
	struct import_thread *thread = import_thread_of(importing, tid);
	bool is_new;

	if (!process || !thread)
		return no_memory();
	is_new = pid != parent && pid == tid;
	if (!at_start && thread->alive && end_thread(importing, thread))
		return -1;
	if (!at_start && is_new && process->alive && end_process(importing, process))
		return -1;
	if (is_new)
		process->parent = parent;
	inherit(importing, process, thread, parent);
	if (begin_task(importing, pid, tid, creator, at_start))
		return -1;
	return is_new && !at_start ? copy_images(importing, parent, process) : 0;
}

int import_fork(struct importing *importing, const struct perf_record *record)
{
	struct piece piece = perf_record_payload(record);
	uint32_t pid = piece_u32(&piece), parent = piece_u32(&piece), tid = piece_u32(&piece);

	return import_begin_task(importing, pid, parent, tid, piece_u32(&piece),
				 !record->has_time);
}

int import_end_task(struct importing *importing, uint32_t pid, uint32_t tid)
{
	struct import_process *process = import_process_of(importing, pid);
	struct import_thread *thread = import_thread_of(importing, tid);

	if (!process || !thread)
		return no_memory();
	if (!thread->alive)
		return 0;
	if (end_thread(importing, thread))
		return -1;
	return process->alive && !process->threads ? end_process(importing, process) : 0;
}

int import_exit(struct importing *importing, const struct perf_record *record)
{
	struct piece piece = perf_record_payload(record);
	uint32_t pid = piece_u32(&piece);

	piece_u32(&piece);
	return import_end_task(importing, pid, piece_u32(&piece));
}

static int rundown_system(struct importing *importing)
{
	const struct import_process idle = { .comm = "Idle" };
	const struct import_process system = { .pid = SYSTEM, .comm = "System" };
	const struct import_thread swapper = { .comm = "swapper" };

	return write_process(importing, &idle, WMI_LOG_TYPE_PROCESS_DC_START) ||
	       write_thread(importing, &swapper, WMI_LOG_TYPE_THREAD_DC_START, IDLE) ||
	       write_process(importing, &system, WMI_LOG_TYPE_PROCESS_DC_START) ? -1 : 0;
}

static bool is_program(const struct import_process *process)
{
	return process->alive && !process->kernel && process->pid != IDLE;
}

int import_tasks_rundown(struct importing *importing)
{
	size_t i;

	if (rundown_system(importing))
		return -1;
	for (i = 0; i < importing->processes_known; i++)
		if (is_program(&importing->processes[i]) &&
		    write_process(importing, &importing->processes[i],
				  WMI_LOG_TYPE_PROCESS_DC_START))
			return -1;
	for (i = 0; i < importing->threads_known; i++)
		if (importing->threads[i].alive && importing->threads[i].tid &&
		    write_thread(importing, &importing->threads[i], WMI_LOG_TYPE_THREAD_DC_START,
				 importing->threads[i].tid))
			return -1;
	for (i = 0; i < importing->processes_known; i++)
		if (import_images(importing, &importing->processes[i],
				  WMI_LOG_TYPE_IMAGE_DC_START))
			return -1;
	return 0;
}
