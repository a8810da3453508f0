/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/*
 * A recording becomes a trace: records of NT Kernel Logger, and TraceLogging events for the rest.
 */
#ifndef ETW_IMPORT_IMPORT_H
#define ETW_IMPORT_IMPORT_H

#include "etw_hooks.h"
#include "libetl/buffer_writer.h"
#include "libetl/map.h"
#include "perf_stream.h"

/* A comm of Linux has 15 bytes */
#define IMPORT_COMM	16

/**
 * struct import_image - a file that is mapped
 * @base: address of the file's offset 0
 * @size: bytes from there
 * @path: index in the names of the import
 */
struct import_image {
	uint64_t base;
	uint64_t size;
	uint32_t path;
};

/**
 * struct import_process - a process
 * @pid: its id
 * @parent: process that made it
 * @threads: live ones
 * @generation: counts processes of this id
 * @kernel: it is a kernel thread
 * @alive: it has begun and has not ended
 * @comm: its name
 * @images: mapped files
 * @count: number of them
 */
struct import_process {
	uint32_t pid;
	uint32_t parent;
	uint32_t threads;
	uint32_t generation;
	bool kernel;
	bool alive;
	char comm[IMPORT_COMM];
	struct import_image *images;
	size_t count;
};

/**
 * struct import_thread - a thread
 * @tid: its id
 * @pid: its process
 * @alive: it has begun and has not ended
 * @comm: its name
 * @chain: stack of its last switch, as in a sample
 * @frames: number of addresses
 * @cgroup: id of its control group at its last sample; 0: unknown
 */
struct import_thread {
	uint32_t tid;
	uint32_t pid;
	bool alive;
	char comm[IMPORT_COMM];
	uint8_t *chain;
	uint64_t frames;
	uint64_t cgroup;
};

struct import_request;
struct unwinding;
struct nettrace;

/* What becomes of a sample */
enum import_action {
	IMPORT_UNKNOWN,
	IMPORT_PROFILE,
	IMPORT_COUNTER,
	IMPORT_FAULT,
	IMPORT_HARD_FAULT,
	IMPORT_SWITCH,
	IMPORT_READY,
	IMPORT_WAKEUP,
	IMPORT_READY_NEW,
	IMPORT_MIGRATION,
	IMPORT_DISK_ISSUE,
	IMPORT_DISK_COMPLETE,
	/* these also become events that describe themselves, which have all fields */
	IMPORT_FORK,
	IMPORT_EXEC,
	IMPORT_EXIT,
	IMPORT_TASK,
	IMPORT_IRQ_ENTRY,
	IMPORT_IRQ_EXIT,
	IMPORT_SOFTIRQ_ENTRY,
	IMPORT_SOFTIRQ_EXIT,
	IMPORT_CALL_ENTRY,
	IMPORT_CALL_EXIT,
	IMPORT_TRACEPOINT,
};

#define IMPORT_FIELDS	8

/**
 * struct import_kind - an event of perf
 * @action: what becomes of its samples
 * @format: of a tracepoint; NULL: unknown
 * @field: fields that the action needs
 * @call: number of the system call, if its name is that of the event; SYSTEM_CALL_NONE: it is not
 */
struct import_kind {
	enum import_action action;
	const struct trace_format *format;
	const struct trace_field *field[IMPORT_FIELDS];
	uint16_t call;
};

#define IMPORT_NESTED_IRQS	4
#define IMPORT_SOFTIRQS		16

/**
 * struct import_cpu - a processor
 * @lost: totals of its loss records
 * @next: thread that it goes on with, by the last record of a thread that left it
 * @left: such a record was the last one
 * @running: thread that came last
 * @priority: of it
 * @switched: when it came
 * @followed: no event of the processor was lost since then
 * @irqs: handlers of interrupts that run
 * @irq_vector: numbers of their interrupts
 * @irq_begin: when each began
 * @softirq_begin: when each softirq began; 0: it does not run
 */
struct import_cpu {
	struct etw_loss lost;
	uint32_t next;
	bool left;
	uint32_t running;
	int priority;
	uint64_t switched;
	bool followed;
	uint32_t irqs;
	uint32_t irq_vector[IMPORT_NESTED_IRQS];
	uint64_t irq_begin[IMPORT_NESTED_IRQS];
	uint64_t softirq_begin[IMPORT_SOFTIRQS];
};

/**
 * struct import_counts - what became of the records
 * @disk: transfers and flushes that have ended
 * @disk_issues: that have begun
 * @interrupts: handlers that have ended
 * @dpcs: softirqs that have ended
 * @calls: system calls that have begun
 * @stacks: parts of stacks
 * @tracepoints: as TraceLogging events
 * @events: of a .nettrace
 * @descriptions: of these
 * @others: other records, as TraceLogging events
 * @missed: gaps between switches, in each of which at least one is missing; @lost has one for each
 * @lost_packets: of CTF: how many events they had is unknown; @lost has one for each
 * @aux: records of AUX data, which are not imported
 * @cut: stacks and tracepoints that are too large for a record
 * @images_left_out: beyond the bounds of a process, or of what forks copy
 * @unwound: samples with a stack of the program that was found by unwinding
 * @parts: samples with branches, registers of interrupts, or stacks that are not unwound
 * @guests: samples with addresses of a guest of KVM
 * @skipped: records of no known time or processor
 */
struct import_counts {
	uint64_t switches;
	uint64_t ready;
	uint64_t samples;
	uint64_t counters;
	uint64_t faults;
	uint64_t disk;
	uint64_t disk_issues;
	uint64_t interrupts;
	uint64_t dpcs;
	uint64_t calls;
	uint64_t stacks;
	uint64_t processes;
	uint64_t threads;
	uint64_t images;
	uint64_t tracepoints;
	uint64_t events;
	uint64_t descriptions;
	uint64_t others;
	uint64_t lost;
	uint64_t missed;
	uint64_t lost_packets;
	uint64_t aux;
	uint64_t cut;
	uint64_t images_left_out;
	uint64_t unwound;
	uint64_t parts;
	uint64_t guests;
	uint64_t skipped;
};

/**
 * struct import_provider - of the events that describe themselves
 * @name: of it
 * @guid: what EventSource and TraceLogging make of @name
 */
struct import_provider {
	const char *name;
	struct etw_guid guid;
};

/**
 * struct importing - an import
 * @file: from where
 * @stream: its records
 * @nettrace: a .nettrace instead of both; NULL: it is a perf.data
 * @counts: of them
 * @read: reads all records
 * @close: frees @source; NULL: there is none
 * @source: what @read needs
 * @provider: of events that describe themselves
 * @tasks_by_events: no records describe processes and threads, so events do
 * @unwinding: of stacks; NULL: it has not begun
 * @machine: that LTTng traced: MACHINE_*; 0: unknown, @file may name it
 * @input_size: bytes of the input, if a library reads it
 * @lost_total: sum of the totals of lost events at the end of @file
 * @changed: when @file was changed last, FILETIME: the end, if the file has no clock
 * @out: to where
 * @begun: the rundown is written
 * @begin: time of the first record
 * @now: time of the record that is imported
 * @cpu: processor of that
 * @highest: number of the highest processor
 * @mhz: of the processor's time stamp counter; 0: unknown
 * @traced_switches: a tracepoint records switches, so that other records of them need not
 * @switch_events: tracepoints that do so
 * @sampled_switches: one of them records only some of the switches
 * @all_threads: perf recorded whole processors
 * @traced_waking: a tracepoint records wakeups where they are made
 * @clocked: an event samples by a timer
 * @kinds: by index of the event in @file
 * @kinds_known: number of them
 * @pids: index in @processes
 * @tids: index in @threads
 * @paths: index in @names by hash
 * @requests_by_place: index in @requests by device and sector
 * @requests: of disks
 * @cgroups: index in @cgroup_names by id
 * @cgroup_names: paths of control groups
 * @cgroups_known: number of them
 * @copied: images that forks have copied
 * @disks: numbers of devices
 * @early: records without a time that came before @begun
 * @cpus: ETL_PROCESSORS of them
 * @record: being made
 * @size: bytes of it
 * @too_large: it does not fit
 */
struct importing {
	struct perf_file file;
	struct perf_stream stream;
	struct nettrace *nettrace;
	struct import_counts counts;
	int (*read)(struct importing *importing);
	void (*close)(struct importing *importing);
	void *source;
	const struct import_provider *provider;
	bool tasks_by_events;
	struct unwinding *unwinding;
	uint16_t machine;
	uint64_t input_size;
	uint64_t lost_total;
	uint64_t changed;
	struct merging out;
	bool begun;
	uint64_t begin;
	uint64_t now;
	uint16_t cpu;
	uint16_t highest;
	uint32_t mhz;
	bool traced_switches;
	unsigned int switch_events;
	bool sampled_switches;
	bool all_threads;
	bool traced_waking;
	bool clocked;
	struct import_kind *kinds;
	size_t kinds_known;
	struct map pids;
	struct import_process *processes;
	size_t processes_known;
	struct map tids;
	struct import_thread *threads;
	size_t threads_known;
	struct map paths;
	char **names;
	size_t names_known;
	struct map cgroups;
	char **cgroup_names;
	size_t cgroups_known;
	uint64_t copied;
	struct map requests_by_place;
	struct import_request *requests;
	size_t requests_known;
	struct map disks;
	const uint8_t **early;
	size_t early_count;
	struct import_cpu *cpus;
	uint8_t record[0x10000];
	uint32_t size;
	bool too_large;
};

/* All functions return 0, or -1 after a message, if they return int. */
/*
 * import.c: @bytes are a perf.data, a .nettrace or a trace.dat; then the file @output is open. With
 * an error it is unchanged.
 */
int import_open(struct importing *importing, const char *name, const uint8_t *bytes,
		uint64_t size, const char *output);
/* The same, of a perf.data only */
int import_open_perf(struct importing *importing, const char *name, const uint8_t *bytes,
		     uint64_t size, const char *output);
/* perf_folder.c: the folder @name is one of perf record --threads */
bool import_is_perf_folder(const char *name);
int import_open_perf_folder(struct importing *importing, const char *name, const char *output);
/* ctf.c: the folder @name has traces of CTF, also in folders within it */
int import_open_ctf(struct importing *importing, const char *name, const char *output);
/* trace_dat.c: @name is a trace.dat */
int import_open_dat(struct importing *importing, const char *name, const char *output);
/* Of the functions above: opens @output */
int import_begin(struct importing *importing, const char *output);
/* Imports all records and closes the file. With an error it is removed. */
int import_run(struct importing *importing);
void import_free(struct importing *importing);
/* A record, by time. @context: struct importing */
int import_record(void *context, const struct perf_record *record);

/* import_write.c: a record. The time is @importing->now, the processor @importing->cpu */
void import_perfinfo(struct importing *importing, uint16_t hook, uint16_t version);
void import_system(struct importing *importing, uint16_t hook, uint16_t version, uint32_t pid,
		   uint32_t tid);
void import_full(struct importing *importing, const struct etw_guid *guid, uint8_t opcode,
		 uint16_t version, uint32_t pid);
void import_event(struct importing *importing, const struct etw_event_header *header);
void import_bytes(struct importing *importing, const void *bytes, size_t size);
void import_u8(struct importing *importing, uint8_t value);
void import_u16(struct importing *importing, uint16_t value);
void import_u32(struct importing *importing, uint32_t value);
void import_u64(struct importing *importing, uint64_t value);
void import_text(struct importing *importing, const char *text);
int import_write(struct importing *importing);

/* import_header.c: the header buffer, and the end of the file */
int import_finish(struct importing *importing);

/* import_tasks.c: processes and threads */
/* Never NULL but without memory */
struct import_process *import_process_of(struct importing *importing, uint32_t pid);
struct import_thread *import_thread_of(struct importing *importing, uint32_t tid);
/* The process as Windows has it: 4 for all kernel threads */
uint32_t import_pid(struct importing *importing, uint32_t pid);
uint32_t import_pid_of_thread(struct importing *importing, uint32_t tid);
int import_comm(struct importing *importing, const struct perf_record *record);
int import_fork(struct importing *importing, const struct perf_record *record);
/* @creator: the thread that begins @tid */
int import_begin_task(struct importing *importing, uint32_t pid, uint32_t parent, uint32_t tid,
		      uint32_t creator, bool at_start);
/* The name of a thread, which also begins if it is unknown */
int import_name_task(struct importing *importing, uint32_t pid, uint32_t tid, const char *name);
/* The program of a process is another from now on */
int import_exec_task(struct importing *importing, uint32_t pid, uint32_t tid, const char *name);
int import_end_task(struct importing *importing, uint32_t pid, uint32_t tid);
int import_exit(struct importing *importing, const struct perf_record *record);
int import_tasks_rundown(struct importing *importing);

/* import_lifetimes.c: processes and threads, from events */
int import_task_event(struct importing *importing, const struct perf_record *record,
		      const struct import_kind *kind);

/* import_interrupts.c: interrupts, softirqs and system calls */
int import_interrupt(struct importing *importing, const struct perf_record *record,
		     const struct import_kind *kind);

/* import_images.c */
int import_mmap(struct importing *importing, const struct perf_record *record);
/* All images of the process: at the start, @hook 1403, or of a new one, 030A */
int import_images(struct importing *importing, const struct import_process *process,
		  uint16_t hook);

/* import_cgroups.c: PERF_RECORD_CGROUP, and the group of a sample */
int import_cgroup(struct importing *importing, const struct perf_record *record);
int import_thread_cgroup(struct importing *importing, const struct perf_record *record);
void import_free_cgroups(struct importing *importing);

/* import_switches.c */
int import_switch(struct importing *importing, const struct perf_record *record,
		  const struct import_kind *kind);
int import_ready(struct importing *importing, const struct perf_record *record,
		 const struct import_kind *kind);
int import_migration(struct importing *importing, const struct perf_record *record,
		     const struct import_kind *kind);
/* PERF_RECORD_SWITCH and PERF_RECORD_SWITCH_CPU_WIDE */
int import_switch_record(struct importing *importing, const struct perf_record *record);

/* import_missed.c: PERF_USER_THREAD_MAP: whether perf recorded single threads */
void import_thread_map(struct importing *importing, const struct perf_record *record);
/* Before a switch is written, of an event of both threads: a loss, if switches are missing */
int import_follow(struct importing *importing, const struct perf_record *record,
		  const struct wmi_contextswap *swap);
/* After an exec, the thread that the processor runs has the id of its process's leader */
void import_follow_exec(struct importing *importing, uint32_t pid, uint32_t tid);

/* import_disk.c */
int import_disk_issue(struct importing *importing, const struct perf_record *record,
		      const struct import_kind *kind);
int import_disk_complete(struct importing *importing, const struct perf_record *record,
			 const struct import_kind *kind);

/* import_samples.c */
int import_sample(struct importing *importing, const struct perf_record *record);
int import_stack(struct importing *importing, uint32_t pid, uint32_t tid, const uint8_t *chain,
		 uint64_t frames);
/* import_machine.c: what is known of the machine, if its architecture is; part of the rundown */
int import_machine(struct importing *importing);
/* Intervals and names of what is sampled */
int import_samples_rundown(struct importing *importing);
/* import_kinds.c: NULL without memory */
const struct import_kind *import_kind_of(struct importing *importing,
					 const struct perf_kind *kind);
/* The text of a field, as much as fits into @room bytes with the NUL */
void import_word(const struct perf_record *record, const struct trace_field *field, char *to,
		 size_t room);
int64_t import_number(const struct perf_record *record, const struct trace_field *field);

/*
 * import_events.c: an extended item of the event that is made: its head, before @size bytes that
 * the caller adds; @more: another one follows
 */
void import_item(struct importing *importing, uint16_t type, uint16_t size, bool more);
/* Behind these bytes */
void import_item_end(struct importing *importing, uint16_t size);
/* TraceLogging events */
int import_tracepoint(struct importing *importing, const struct perf_record *record,
		      const struct import_kind *kind);
int import_other(struct importing *importing, const struct perf_record *record);
/* The event @name of the thread of @record, with a control group */
int import_cgroup_event(struct importing *importing, const struct perf_record *record,
			const char *name, uint64_t id, const char *path);
int import_lost(struct importing *importing, const struct perf_record *record);
/* @count events of the processor @importing->cpu, the last one at @last */
int import_losses(struct importing *importing, uint64_t count, uint64_t last);
/* A total at the end of the file: it includes the LOST records */
int import_lost_total(struct importing *importing, const struct perf_record *record);
/* Behind the last record: what the totals contain beyond the losses that are written */
int import_lost_rest(struct importing *importing);

#endif /* ETW_IMPORT_IMPORT_H */
