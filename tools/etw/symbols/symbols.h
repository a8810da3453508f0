/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Names of addresses: module!function+offset. */
#ifndef ETW_SYMBOLS_H
#define ETW_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "libetl/reader.h"

struct image;
struct images;
struct module;
struct symbol_request;
struct symbol_table;
struct symbols;
struct trace;

#define SYMBOL_TEXT	1024

/**
 * struct symbol_options - where to look, of all verbs that name addresses
 * @sysroot: stands before paths of files, "" for none
 * @kallsyms: a copy of /proc/kallsyms instead of that of the trace; NULL: none
 * @no_server: no server is asked for debug files
 * @inlined: inlined functions are frames of their own, for verbs that show stacks
 */
struct symbol_options {
	const char *sysroot;
	const char *kallsyms;
	bool no_server;
	bool inlined;
};

/* Takes --sysroot and --kallsyms. Return: whether @code is one of these */
bool symbol_option_take(int code, const char *text, struct symbol_options *where);

/**
 * struct symbol - what is at an address
 * @module: name of the file; NULL: nothing is known of the address
 * @function: NULL: no symbol
 * @offset: from the function, else from the module's base, else the address
 * @reach: bytes from the begin of the function that have its name; 0: no symbol
 * @since: from when the function is there, in ticks; 0: unknown, or from the beginning
 * @image: what the trace has at the address; NULL: nothing
 *
 * The names are valid as long as the symbols are.
 */
struct symbol {
	const char *module;
	const char *function;
	uint64_t offset;
	uint64_t reach;
	uint64_t since;
	const struct image *image;
};

/* Begin, all records in order of time, end; files are opened when they are needed. */
struct symbols *symbols_new(const struct trace *trace, const struct symbol_options *options);
void symbols_note(struct symbols *symbols, const struct etl_record *record);
void symbols_ready(struct symbols *symbols);
/* All of that: reads the trace once. Return: NULL after a message */
struct symbols *symbols_of_trace(const struct trace *trace, const struct symbol_options *options);

/* A name has the offset behind it */
#define SYMBOL_OFFSET	0x1u
/* The address is where a call returns to: the call may be the last of its function */
#define SYMBOL_CALLER	0x2u
/* The address is from a 32-bit kernel: the upper half of its address space is the kernel's */
#define SYMBOL_NARROW	0x4u

/* @time: of the event, in ticks; @how: SYMBOL_NARROW or 0 */
void symbols_find(struct symbols *symbols, uint32_t pid, uint64_t address, uint64_t time,
		  unsigned int how, struct symbol *symbol);
/* The same as text, by SYMBOL_*. Return: @to */
char *symbols_name(struct symbols *symbols, uint32_t pid, uint64_t address, uint64_t time,
		   unsigned int how, char *to, size_t room);
/*
 * The same for names without SYMBOL_OFFSET: one number for one name, as long as the symbols are.
 * @stays: becomes false if the name may be another one at a time with the same symbols_epoch()
 */
uint64_t symbols_key(struct symbols *symbols, uint32_t pid, uint64_t address, uint64_t time,
		     unsigned int how, bool *stays);
/* A number for the images of all processes at a time: it changes whenever one of them does */
uint64_t symbols_epoch(struct symbols *symbols, uint64_t time);
/*
 * The functions that are inlined at an address of a program, by SYMBOL_CALLER: names as
 * elf_inlines_find() returns them; valid as long as the symbols are. @module: of the names
 */
const char *symbols_inlined(struct symbols *symbols, uint32_t pid, uint64_t address, uint64_t time,
			    unsigned int how, const char **module);
/* The process of the thread that had an id at a time. Return: false: unknown */
bool symbols_process_of(const struct symbols *symbols, uint32_t tid, uint64_t time,
			uint32_t *pid);
/* Whether the trace says which files were mapped: programs' addresses have names by that */
bool symbols_have_images(const struct symbols *symbols);
/*
 * The file that an image was mapped from, without @sysroot; valid up to the next call. The caller
 * sets @request->path to that of @module; for the vDSO it becomes vdso_file().
 * Return: NULL, or in words, why no file of this machine can be meant
 */
const char *symbol_request_of(const struct module *module, struct symbol_request *request);
/* What the trace contains of images */
struct images *symbols_images(struct symbols *symbols);
/* Functions of the kernel and its modules, by address. NULL: unknown */
const struct symbol_table *symbols_kernel(struct symbols *symbols);
/* Whether a module's name in /proc/kallsyms is that of an image: the image of module x is x.ko. */
bool symbols_is_of_image(const char *name, const struct module *module);
/* Why files have no symbols, one line for each, when @all; else how many they are */
void symbols_warn(const struct symbols *symbols, bool all);
void symbols_free(struct symbols *symbols);

/* kallsyms.c: the copy of /proc/kallsyms in a trace */
/**
 * struct kallsyms_copy - while its pieces come
 * @bytes: as they are in the trace
 * @size: of them
 * @next: number of the next piece
 */
struct kallsyms_copy {
	uint8_t *bytes;
	size_t size;
	uint32_t next;
	uint32_t parts;
	uint32_t method;
	uint64_t plain;
};

void kallsyms_note(struct kallsyms_copy *copy, const struct etl_record *record);
/* Return: the text, malloc()ed, *@size bytes; NULL: there is none */
char *kallsyms_text(struct kallsyms_copy *copy, size_t *size);
/* Packs a text. Return: malloc()ed */
uint8_t *kallsyms_pack(const char *text, size_t size, size_t *packed, uint32_t *method);
/* Whether the trace is of this boot of this machine */
bool trace_is_of_this_boot(const struct trace *trace);

#endif /* ETW_SYMBOLS_H */
