// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw dump --symbols: names beside addresses of code. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/guids.h"
#include "dump.h"
#include "etw.h"
#include "symbols/symbols.h"

/* Fields that are addresses of code, and what is added for each */
static const struct {
	const char *field;
	const char *name;
} known[] = {
	{ "InstructionPointer", "InstructionPointerSymbol" },
	{ "Routine", "RoutineSymbol" },
	{ "SysCallAddress", "SysCallAddressSymbol" },
	{ "ProgramCounter", "ProgramCounterSymbol" },
	{ "Win32StartAddr", "Win32StartAddrSymbol" },
};

static uint32_t process_of(struct line *line, struct symbols *symbols)
{
	const struct field *field = fields_find(&line->fields, "StackProcess");
	uint32_t pid = 0;

	if (!field)
		field = fields_find(&line->fields, "ProcessId");
	if (field)
		return field->number;
	field = fields_find(&line->fields, "ThreadId");
	if (field && symbols_process_of(symbols, field->number, line->record->time, &pid))
		return pid;
	return line->record->has_ids ? line->record->process_id : 0;
}

/*
 * Records of the kernel are as wide as the kernel, whatever the file's header says. One of a
 * program may be narrower: all addresses that it knows are the program's.
 */
static unsigned int width_of(const struct line *line)
{
	const struct etl_record *record = line->record;
	uint16_t hook;

	if (record->pointer_size == 8)
		return 0;
	return hook_of(record, &hook) || line->trace->log.pointer_size == 4 ? SYMBOL_NARROW : 0;
}

/* The same order as the addresses; a name has no blank that could be taken for the next */
static void add_stack(struct line *line, struct symbols *symbols, const char *list,
		      uint32_t pid, uint64_t time)
{
	char text[SYMBOL_TEXT], *all = NULL, *end;
	size_t size = 0;
	FILE *memory = open_memstream(&all, &size);
	unsigned int how = SYMBOL_OFFSET | width_of(line);
	uint64_t address;

	if (!memory)
		return;
	for (; *list; list = end) {
		address = strtoull(list, &end, 16);
		if (end == list)
			break;
		fprintf(memory, "%s%s", how & SYMBOL_CALLER ? "; " : "",
			symbols_name(symbols, pid, address, time, how, text, sizeof(text)));
		how |= SYMBOL_CALLER;
	}
	fclose(memory);
	if (all)
		fields_string(&line->fields, "StackSymbols", all);
	free(all);
}

void dump_add_symbols(struct line *line, struct symbols *symbols)
{
	const struct field *stack = fields_find(&line->fields, "Stack"), *time, *field;
	uint32_t pid = process_of(line, symbols);
	char text[SYMBOL_TEXT];
	size_t i;

	if (stack && stack->string) {
		time = fields_find(&line->fields, "EventTimeStamp");
		add_stack(line, symbols, stack->string, pid,
			  time ? time->number : line->record->time);
	}
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		field = fields_find(&line->fields, known[i].field);
		if (!field || !field->number)
			continue;
		symbols_name(symbols, pid, field->number, line->record->time,
			     SYMBOL_OFFSET | width_of(line), text, sizeof(text));
		fields_string(&line->fields, known[i].name, text);
	}
}
