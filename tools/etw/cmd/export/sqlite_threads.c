// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export --sqlite: what threads, processors and disks did, and what they are called. */
#include <inttypes.h>
#include <stdlib.h>
#include "cmd/stat/cpu.h"
#include "cmd/stat/disk.h"
#include "cmd/stat/interrupts.h"
#include "cmd/stat/processes.h"
#include "cmd/stat/waits.h"
#include "etw.h"
#include "sqlite.h"

static void take_state(void *context, const struct life *life, enum life_state state, int64_t from,
		       int64_t to)
{
	static const char *const names[] = {
		[LIFE_RUNNING] = "running", [LIFE_READY] = "ready", [LIFE_WAITING] = "waiting",
		[LIFE_UNSURE] = "unknown",
	};
	struct sqlite_export *export = context;
	const struct event_filter *filter = export->statistics->filter;
	struct database *database = &export->database;
	uint64_t ns;

	if (from > filter->to || to < filter->from ||
	    !event_filter_wants_thread(filter, life->thread))
		return;
	ns = event_filter_clip(filter, &from, &to);
	database_row(database, TABLE_STATES);
	database_number(database, life->thread->life.index);
	database_text(database, names[state]);
	database_text(database, state == LIFE_WAITING ? wait_recorded_reason(life->reason) : NULL);
	database_number(database, from);
	database_number(database, ns);
	database_end_row(database);
}

static void put_cpus(struct sqlite_export *export, const struct cpu_work *work)
{
	struct database *database = &export->database;
	const struct cpu_life *cpu;
	size_t i;

	for (i = 0; i < ETL_PROCESSORS; i++) {
		cpu = &work->cpu[i];
		if (!cpu->seen || !event_filter_wants_cpu(work->filter, i))
			continue;
		export->switches = true;
		database_row(database, TABLE_CPUS);
		database_number(database, i);
		database_number(database, cpu->busy);
		database_number(database, cpu->idle);
		database_number(database, cpu->unattributed[CHAIN_LOST]);
		database_number(database, cpu->unattributed[CHAIN_PAUSED]);
		database_number(database, cpu->unattributed[CHAIN_OFFLINE]);
		database_number(database, cpu->unattributed[CHAIN_HIDDEN]);
		database_number(database, cpu_work_clip(work, cpu->first, cpu->last));
		database_number(database, cpu->switches);
		database_end_row(database);
	}
}

int sqlite_states(struct sqlite_export *export)
{
	const struct cpu_observer observer = { .context = export, .spends = take_state };
	struct cpu_work work = {
		.statistics = export->statistics, .filter = export->statistics->filter,
		.observer = &observer,
	};
	struct gaps gaps = { };
	int err = cpu_work_follow(&work, export->trace, &gaps, false);

	if (!err)
		put_cpus(export, &work);
	cpu_work_free(&work);
	gaps_free(&gaps);
	return err || export->database.failed ? -1 : 0;
}

/* @stacks: rows before those of the waits */
static void put_wait(struct sqlite_export *export, const struct waits *waits,
		     const struct wait *wait, uint64_t stacks)
{
	uint32_t holder = wait_holder(waits, wait);
	struct database *database = &export->database;

	database_row(database, TABLE_WAITS);
	database_number(database, wait->thread);
	database_number(database, wait->cpu);
	database_text(database, wait->reason);
	database_text(database, wait_recorded_reason(wait->recorded));
	database_number(database, wait->from);
	database_number(database, wait->until - wait->from);
	sqlite_maybe(export, wait->ready_time, wait->to - wait->until);
	database_text(database, wait->by == BY_INTERRUPT ? "interrupt" :
				wait->by == BY_UNKNOWN ? "unknown" : "thread");
	sqlite_maybe(export, wait->by < BY_UNKNOWN, wait->by);
	sqlite_maybe(export, holder != WAIT_NONE, holder);
	sqlite_maybe(export, wait->stack.node, stacks + wait->stack.node);
	sqlite_maybe(export, wait->waker.node, stacks + wait->waker.node);
	database_end_row(database);
}

int sqlite_waits(struct sqlite_export *export)
{
	struct waits waits = {
		.trace = export->trace, .statistics = export->statistics,
		.filter = export->statistics->filter, .least = export->options->least,
	};
	uint64_t stacks = export->stacks;
	size_t i;
	int err;

	err = waits_survey(&waits, &export->options->where) || waits_find(&waits) ||
	      waits_add_stacks(&waits);
	for (i = 0; !err && i < waits.nr_waits; i++)
		if (waits.wait[i].listed)
			put_wait(export, &waits, &waits.wait[i], stacks);
	if (!err)
		sqlite_tree(export, &waits.tree);
	waits_free(&waits);
	return err || export->database.failed ? -1 : 0;
}

static int take_request(void *context, const struct disk_request *request)
{
	static const char *const names[DISK_OPS] = { "read", "write", "flush" };
	struct sqlite_export *export = context;
	struct database *database = &export->database;

	database_row(database, TABLE_DISK);
	database_number(database, etl_nanoseconds(&export->trace->log, request->time));
	database_text(database, names[request->op]);
	database_number(database, request->disk);
	sqlite_maybe(export, request->process, request->process - 1);
	database_number(database, request->bytes);
	sqlite_maybe(export, request->is_of_file, request->offset);
	sqlite_maybe(export, request->is_of_file, request->file);
	database_number(database, request->service);
	sqlite_maybe(export, request->has_whole, request->whole);
	database_end_row(database);
	return database->failed ? -1 : 0;
}

int sqlite_disk(struct sqlite_export *export)
{
	const struct disk_observer observer = { .context = export, .take = take_request };

	return disk_requests(export->trace, export->statistics, &observer);
}

/**
 * struct interrupts_export - interrupts that get rows
 */
struct interrupts_export {
	struct sqlite_export *export;
	struct symbols *symbols;
};

static void take_interrupt(void *context, const struct interrupt *interrupt)
{
	struct interrupts_export *interrupts = context;
	struct sqlite_export *export = interrupts->export;
	struct database *database = &export->database;
	char name[SYMBOL_TEXT];

	database_row(database, TABLE_INTERRUPTS);
	database_number(database, etl_nanoseconds(&export->trace->log, interrupt->time));
	database_number(database, interrupt->processor);
	database_text(database, interrupt->kind);
	sqlite_maybe(export, interrupt->has_vector, interrupt->vector);
	sqlite_maybe(export, interrupt->routine, interrupt->routine);
	database_text(database, interrupt_function(interrupts->symbols, interrupt->routine,
						   interrupt->time, name));
	database_number(database, interrupt->ns);
	database_end_row(database);
}

int sqlite_interrupts(struct sqlite_export *export)
{
	struct interrupts_export interrupts = {
		.export = export,
		.symbols = symbols_of_trace(export->trace, &export->options->where),
	};
	int err;

	if (!interrupts.symbols)
		return -1;
	err = interrupts_find(export->trace, export->statistics->filter, take_interrupt,
			      &interrupts);
	symbols_free(interrupts.symbols);
	return err || export->database.failed ? -1 : 0;
}

static void put_times(struct sqlite_export *export, const struct lifetime *life)
{
	const struct etl_logfile *log = &export->trace->log;

	sqlite_maybe(export, life->started, etl_nanoseconds(log, life->from));
	sqlite_maybe(export, life->ended, etl_nanoseconds(log, life->end));
}

static void put_threads(struct sqlite_export *export)
{
	struct lifetimes *lifetimes = export->statistics->lifetimes;
	struct database *database = &export->database;
	const struct thread *thread;
	size_t i;

	for (i = 0; i < lifetimes->threads.count; i++) {
		thread = lifetimes_thread_at(lifetimes, i);
		database_row(database, TABLE_THREADS);
		database_number(database, i);
		database_number(database, thread->life.id);
		sqlite_maybe(export, thread->process,
			     thread->process ? thread->process->life.index : 0);
		database_text(database, thread->life.name);
		put_times(export, &thread->life);
		database_end_row(database);
	}
}

/* @instance: NULL: only its id is known */
static void put_process(struct sqlite_export *export, const struct process *process,
			const struct instance *instance, bool wanted)
{
	struct database *database = &export->database;

	database_row(database, TABLE_PROCESSES);
	database_number(database, process->life.index);
	database_number(database, process->life.id);
	database_text(database, process->life.name);
	sqlite_maybe(export, instance, instance ? instance->parent : 0);
	sqlite_maybe(export, instance && instance->has_start, instance ? instance->start : 0);
	sqlite_maybe(export, instance && instance->has_end, instance ? instance->end : 0);
	sqlite_maybe(export, instance && instance->has_status, instance ? instance->status : 0);
	sqlite_maybe(export, instance, instance ? instance->threads : 0);
	database_text(database, instance ? instance->image ? instance->image : "" : NULL);
	database_text(database, instance ? instance->command ? instance->command : "" : NULL);
	database_number(database, wanted);
	database_end_row(database);
}

/* The lists of owners have the same ones, in another order: found by a time of each */
static int put_processes(struct sqlite_export *export, const struct processes *processes)
{
	struct lifetimes *lifetimes = export->statistics->lifetimes;
	const struct lifetime *life;
	const struct process *process;
	size_t i;

	for (i = 0; i < processes->map.count; i++) {
		life = &lifetimes_process_at(&processes->lifetimes, processes->map.keys[i])->life;
		process = lifetimes_process(lifetimes, life->id, life->described ? life->seen :
					    life->from);
		if (!process)
			return no_memory();
		put_process(export, process, &processes->list[i], processes_wants(processes, i));
	}
	for (i = 0; i < lifetimes->processes.count; i++)
		put_process(export, lifetimes_process_at(lifetimes, i), NULL, false);
	return 0;
}

int sqlite_names(struct sqlite_export *export)
{
	struct processes processes = {
		.trace = export->trace, .filter = export->statistics->filter,
	};
	int err;

	if (processes_collect(&processes))
		err = no_memory();
	else
		err = put_processes(export, &processes);
	processes_free(&processes);
	if (!err)
		put_threads(export);
	return err || export->database.failed ? -1 : 0;
}
