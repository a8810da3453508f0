/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Functions by address: of a file, of the kernel, of a just-in-time compiler. */
#ifndef ETW_SYMBOL_TABLE_H
#define ETW_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limit of a function without a size, because data may follow the last function. */
#define SYMBOL_LONGEST	0x20000u

/**
 * struct function - a name for some addresses
 * @address: the first
 * @size: of them; 0: up to the next function, at most SYMBOL_LONGEST
 * @name: offset in the table's text
 * @module: offset of its module's name in the text; 0: that of the table
 * @rank: of several at one address the highest is shown
 */
struct function {
	uint64_t address;
	uint64_t size;
	uint32_t name;
	uint32_t module;
	uint32_t rank;
};

/**
 * struct symbol_table - functions
 * @function: by address once symbol_table_ready() was called
 * @text: names, each with a zero behind it; the first is empty
 * @from: the file that it was made of; may be NULL
 * @lowest: the address of offset 0 of this file
 * @no_memory: something is missing
 */
struct symbol_table {
	struct function *function;
	size_t count;
	size_t room;
	char *text;
	size_t used;
	size_t text_room;
	char *from;
	uint64_t lowest;
	bool no_memory;
};

struct symbol_table *symbol_table_new(void);
/* A name that is no UTF-8 becomes it, as all text of no known code page. Return: its offset */
uint32_t symbol_table_text(struct symbol_table *table, const char *text, size_t bytes);
void symbol_table_add(struct symbol_table *table, const struct function *function);
void symbol_table_ready(struct symbol_table *table);
/* NULL: no function is there */
const struct function *symbol_table_find(const struct symbol_table *table, uint64_t address);
/* Bytes from the begin of the function for which symbol_table_find() returns it */
uint64_t symbol_table_reach(const struct symbol_table *table, const struct function *function);
void symbol_table_free(struct symbol_table *table);

/**
 * struct symbol_request - which file's symbols
 * @path: of the file on this machine; NULL: by @id alone
 * @sysroot: stands before all paths, "" for none
 * @id: build-id, or its first bytes; @id_bytes of them, 0: unknown
 * @no_server: no server is asked for its debug file
 */
struct symbol_request {
	const char *path;
	const char *sysroot;
	const uint8_t *id;
	unsigned int id_bytes;
	bool no_server;
};

/*
 * elf_file.c: addresses are relative to where offset 0 of the file is mapped. NULL:
 * there are none, or the file is another one: @why says so in words.
 */
struct symbol_table *symbols_of_elf(const struct symbol_request *request, const char **why);
/* The GNU build-id of a file or of notes. Return: bytes of it, 0: none */
unsigned int build_id_of_file(const char *path, uint8_t *id, unsigned int room);
unsigned int build_id_of_notes(const void *notes, size_t size, uint8_t *id, unsigned int room);

/* kernel_table.c: of the text of /proc/kallsyms. NULL: no addresses in it, or no memory */
struct symbol_table *symbols_of_kallsyms(const char *text, size_t size);
/* Whether the text can be of a kernel with its image at @base; true if it has no begin */
bool kallsyms_begin_at(const char *text, size_t size, uint64_t base);
/* Return: malloc()ed bytes of the file, *@size of them; NULL: can't be read */
char *whole_file(const char *path, size_t *size);

#endif /* ETW_SYMBOL_TABLE_H */
