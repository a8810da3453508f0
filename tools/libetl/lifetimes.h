/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Threads and processes by id and time: an id gets another owner after its owner ended. */
#ifndef ETW_LIFETIMES_H
#define ETW_LIFETIMES_H

#include "containers.h"
#include "map.h"
#include "reader.h"

struct fields;

/**
 * struct lifetime - one owner of an id
 * @id: thread id or process id
 * @index: owners are numbered in the order in which the trace names them
 * @from: time stamp at which the owner got the id; 0: the first owner
 * @end: time stamp of the end, valid if @ended
 * @seen: time stamp of the latest record that describes the owner
 * @before: the previous owner of the id, or NULL
 * @after: the next owner, or NULL
 * @described: a record describes the owner; otherwise only its id occurs
 * @started: the trace contains its start record
 * @ended: the trace contains its end
 * @name: its latest name, or NULL
 */
struct lifetime {
	uint32_t id;
	uint32_t index;
	uint64_t from;
	uint64_t end;
	uint64_t seen;
	struct lifetime *before;
	struct lifetime *after;
	bool described;
	bool started;
	bool ended;
	char *name;
};

/**
 * struct process - a process, from its start or its latest exec to its end or its next exec
 * @life: its process id and its time
 * @has_key: a record of it contains a UniqueProcessKey
 * @continues: the previous owner of the id is the same process, before an exec
 * @container: where the latest record has it; NULL: no record does
 * @parent: process that started it; NULL: unknown
 */
struct process {
	struct lifetime life;
	bool has_key;
	bool continues;
	const struct container *container;
	struct process *parent;
};

/**
 * struct thread - a thread of one process
 * @life: its thread id and its time
 * @process: the process, or NULL if no record contains its id
 * @continues: the previous owner of the id is the same thread, before an exec
 */
struct thread {
	struct lifetime life;
	struct process *process;
	bool continues;
};

/**
 * struct lifetime_table - all owners of all ids of one kind
 * @size: of a struct thread or struct process
 * @ids: all ids
 * @owner: by index in @ids: an owner of the id, the one that was found last
 * @list: all owners by their index, @count of them
 */
struct lifetime_table {
	size_t size;
	struct map ids;
	struct lifetime **owner;
	struct lifetime **list;
	size_t count;
};

/**
 * struct lifetimes - the threads and processes of a trace
 * @keys: process id and UniqueProcessKey, mixed
 * @process_of_key: by index in @keys
 * @fields: of the record at hand, or NULL
 * @containers: that records name
 */
struct lifetimes {
	struct lifetime_table threads;
	struct lifetime_table processes;
	struct map keys;
	struct process **process_of_key;
	struct fields *fields;
	struct containers containers;
};

void lifetimes_begin(struct lifetimes *lifetimes);
/* Notes any record; records come in the order of time. Return: 0, or -1: no memory */
int lifetimes_note(struct lifetimes *lifetimes, const struct etl_logfile *log,
		   const struct etl_record *record);
/* Notes a record of process @pid with these fields. Return: the process; NULL: no memory */
struct process *lifetimes_note_process(struct lifetimes *lifetimes, const struct etl_logfile *log,
				       const struct etl_record *record, uint32_t pid,
				       const struct fields *fields);
/*
 * The owner of an id at a time. If no record contains the id, a new owner without a
 * description. Return: NULL: no memory
 */
struct thread *lifetimes_thread(struct lifetimes *lifetimes, uint32_t tid, uint64_t time);
struct process *lifetimes_process(struct lifetimes *lifetimes, uint32_t pid, uint64_t time);
/* By index */
const struct thread *lifetimes_thread_at(const struct lifetimes *lifetimes, size_t index);
const struct process *lifetimes_process_at(const struct lifetimes *lifetimes, size_t index);
/* Names, never NULL; "" if there is none */
const char *process_name(const struct process *process);
const char *thread_name(const struct thread *thread);
/*
 * The container of a process: by a record of it, of the same process before or after an exec, or
 * of its nearest ancestor that has one. Return: NULL: there is none
 */
const struct container *process_container(const struct process *process);
/* What it is called, or NO_CONTAINER, and a number that containers with one name share */
const char *container_label(const struct process *process);
uint32_t container_index(const struct process *process);
void lifetimes_free(struct lifetimes *lifetimes);

#endif /* ETW_LIFETIMES_H */
