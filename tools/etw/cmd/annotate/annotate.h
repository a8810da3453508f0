/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Samples by instruction and source line of functions. */
#ifndef ETW_ANNOTATE_H
#define ETW_ANNOTATE_H

#include "cmd/stat/keyed.h"
#include "cmd/stat/sources.h"
#include "libetl/event_filter.h"
#include "libetl/samples.h"
#include "symbols/symbols.h"

/**
 * struct annotate_options - what is asked for
 * @module: of the functions; NULL: any
 * @function: name of the functions
 * @where: where symbols are
 * @filter: which samples count
 * @intel: syntax of x86_64
 * @whole: text shows instructions far from samples, too
 * @as: form of the output
 */
struct annotate_options {
	char *module;
	const char *function;
	struct symbol_options where;
	struct event_filter filter;
	bool intel;
	bool whole;
	enum { ANNOTATE_TEXT, ANNOTATE_JSON, ANNOTATE_CSV } as;
};

/**
 * struct sampled - a function with samples
 * @symbol: of its first sample
 * @pid: process of that
 * @time: of that
 * @start: address of the function at that time
 * @total: samples by source
 * @all: their sum
 * @at: samples by source, as uint64_t[SOURCES], by distance from the function
 */
struct sampled {
	struct symbol symbol;
	uint32_t pid;
	uint64_t time;
	uint64_t start;
	uint64_t total[SOURCES];
	uint64_t all;
	struct keyed at;
};

/**
 * struct annotation - the work of the verb
 * @trace: the file
 * @options: what is asked for
 * @symbols: names of the file's addresses
 * @sources: of samples
 * @total: samples of all functions by source
 * @all: their sum
 * @left_out: samples of more sources
 * @names: whether a function's name is the wanted one, by address of the name
 * @known: struct sampled by place of the function
 * @order: indexes of @known, the function with the most samples first
 */
struct annotation {
	const struct trace *trace;
	struct annotate_options *options;
	struct symbols *symbols;
	struct sources sources;
	uint64_t total[SOURCES];
	uint64_t all;
	uint64_t left_out;
	struct keyed names;
	struct keyed known;
	size_t *order;
};

/* annotate_samples.c: counts. Return: 0, or -1 after a message */
int annotate_count(struct annotation *annotation);
struct sampled *annotate_function(const struct annotation *annotation, size_t i);

/**
 * struct instruction - one
 * @offset: distance from the function
 * @text: what it does; NULL: unknown
 * @file: index of its source file; @line: 0: unknown
 * @counts: samples by source; NULL: none
 */
struct instruction {
	uint64_t offset;
	char *text;
	uint32_t file;
	uint32_t line;
	const uint64_t *counts;
};

/**
 * struct source_line - one that has code in the function
 * @file: index of its source file
 * @line: number from 1
 * @counts: samples by source
 * @all: their sum
 */
struct source_line {
	uint32_t file;
	uint32_t line;
	uint64_t counts[SOURCES];
	uint64_t all;
};

/**
 * struct code - a function's
 * @address: of the function in its file; of the kernel's, in memory
 * @instructions: by address, or those with samples where the code is unknown
 * @count: of them
 * @room: for them
 * @moved: counts of samples that lie within an instruction, by distance of the instruction
 * @lines: source lines, the one with the most samples first
 * @nr_lines: of them
 * @line_room: for them
 * @files: paths of source files; @nr_files of them
 * @from: file with the code, "" for none
 * @why: in words, why there are no instructions; NULL: there are
 * @why_no_lines: likewise for source lines
 */
struct code {
	uint64_t address;
	struct instruction *instructions;
	size_t count;
	size_t room;
	struct keyed moved;
	struct source_line *lines;
	size_t nr_lines;
	size_t line_room;
	char **files;
	size_t nr_files;
	size_t file_room;
	char from[4096];
	const char *why;
	const char *why_no_lines;
};

/* annotate_code.c. Return: 0, or -1 after a message; annotate_code_free() frees both */
int annotate_code(const struct annotation *annotation, const struct sampled *function,
		  struct code *code);
void annotate_code_free(struct code *code);

struct elf_layout;
/* annotate_lines.c: the lines of the code. Return: 0, or -1 without memory */
int annotate_lines(struct code *code, const char *path, const struct elf_layout *layout,
		   uint64_t rva, uint64_t size);
/* Adds up the lines of instructions. Return: 0, or -1 without memory */
int annotate_sum_lines(struct code *code);

/* annotate_text.c */
void annotate_text(const struct annotation *annotation, const struct sampled *function,
		   const struct code *code);

/**
 * struct annotate_sheets - what is exported
 * @functions: one row for each
 * @lines: those with samples
 * @instructions: all
 * @first: column of the first source in each
 */
struct annotate_sheets {
	struct sheet functions;
	struct sheet lines;
	struct sheet instructions;
	size_t first[3];
};

/* annotate_export.c */
void annotate_sheets_begin(struct annotate_sheets *sheets, const struct annotation *annotation);
void annotate_sheets_add(struct annotate_sheets *sheets, const struct annotation *annotation,
			 const struct sampled *function, const struct code *code);
/* Prints and frees them. Return: the exit code */
int annotate_sheets_end(struct annotate_sheets *sheets, const struct annotation *annotation);

#endif /* ETW_ANNOTATE_H */
