/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Threads that changed ids with the leader of their process when they called exec. */
#ifndef ETW_EXECS_H
#define ETW_EXECS_H

#include "map.h"
#include "reader.h"

struct exec_end;

/**
 * struct execs - of a whole trace
 * @pairs: the two ids of each rename
 * @last: of each pair, time of its last rename
 * @nr_last: of @last; that of @pairs unless memory ended
 * @ends: by processor, its last Thread Stop, @nr_ends
 */
struct execs {
	struct map pairs;
	uint64_t *last;
	size_t nr_last;
	struct exec_end *ends;
	size_t nr_ends;
};

/*
 * To be called with each record, those of one processor in their order.
 * Return: 0, or -1: no memory
 */
int execs_note(struct execs *execs, uint16_t processor, const struct etl_record *record);
/*
 * Whether thread @from may be called @to at @time already: Linux renames it some time
 * before exec is traced, and it can be preempted in between. The old leader gets the
 * other name, and may still run, to its end.
 */
bool execs_renamed(const struct execs *execs, uint32_t from, uint32_t to, uint64_t time);
/*
 * Whether the record is the one of a thread that got another name by exec: it starts itself.
 * Any other start has its creator in the header.
 */
bool execs_is_rename(const struct etl_record *record);
void execs_free(struct execs *execs);

#endif /* ETW_EXECS_H */
