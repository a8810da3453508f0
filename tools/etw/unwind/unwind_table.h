/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The unwind table of an executable file. */
#ifndef ETW_UNWIND_TABLE_H
#define ETW_UNWIND_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "etw_unwind.h"

#define UNWIND_ID	64
#define UNWIND_SEGMENTS	32

/**
 * struct unwind_segment - an executable segment
 * @address: where its first byte is loaded
 * @offset: of this byte in the file
 * @size: bytes in the file
 */
struct unwind_segment {
	uint64_t address;
	uint64_t offset;
	uint64_t size;
};

/**
 * struct unwind_table - rows of a file
 * @row: ascending
 * @rows: number of these
 * @room: of @row
 * @machine: e_machine
 * @id: build-id
 * @id_bytes: bytes of @id; 0: the file has none
 * @segment: executable segments, by offset
 * @segments: number of these
 * @text: bytes of the executable segments
 * @end: offset behind the last of these segments
 * @unreadable: entries that cannot be read
 * @debug: a debug file added entries
 */
struct unwind_table {
	struct etw_unwind_row *row;
	size_t rows;
	size_t room;
	uint16_t machine;
	uint8_t id[UNWIND_ID];
	unsigned int id_bytes;
	struct unwind_segment segment[UNWIND_SEGMENTS];
	size_t segments;
	uint64_t text;
	uint64_t end;
	uint64_t unreadable;
	bool debug;
};

/**
 * unwind_table_read() - make the table of a file from its call frame information
 * @path: the file
 * @table: filled in; to be freed by unwind_table_free(), also after a failure
 *
 * Return: NULL, or in words, why there is none.
 */
const char *unwind_table_read(const char *path, struct unwind_table *table);

/*
 * The same of an open file. No folder is known in which its debug link could lead to a debug file,
 * so this is found by its build-id only.
 */
const char *unwind_table_read_open(int fd, struct unwind_table *table);
/* The row of the code at an address, as the file has addresses. NULL: it is in no segment */
const struct etw_unwind_row *unwind_table_row(const struct unwind_table *table, uint64_t address);
void unwind_table_free(struct unwind_table *table);

#endif /* ETW_UNWIND_TABLE_H */
