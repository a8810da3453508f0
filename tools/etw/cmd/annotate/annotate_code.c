// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The instructions of a function, with the samples of each. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/array.h"
#include "libetl/decode.h"
#include "libetl/images.h"
#include "libetl/text.h"
#include "symbols/code_bytes.h"
#include "symbols/disassembler.h"
#include "symbols/kernel_file.h"
#include "symbols/module_file.h"
#include "etw.h"
#include "annotate.h"

/* Bytes of a function that are shown; more is no function that people wrote */
#define CODE_MOST	(1u << 20)
#define KERNEL_NAME	"vmlinux"

/**
 * struct place - where the code of a function is
 * @path: file with the code, "" for none
 * @in_file: of the function, as the file's program headers say
 * @lines: file with source lines, "" for none
 * @layout: of that
 * @rva: of the function, relative to the layout
 */
struct place {
	char path[4096];
	uint64_t in_file;
	char lines[4096];
	struct elf_layout layout;
	uint64_t rva;
};

static const char *find_user(const struct annotation *annotation, const struct module *module,
			     struct place *place)
{
	const char *sysroot = annotation->options->where.sysroot;
	struct module_file file;
	const char *why = module_file_find(module, sysroot ? sysroot : "", &file);

	if (why)
		return why;
	elf_layout_find_debug(file.path, file.sysroot, true, &file.layout);
	snprintf(place->path, sizeof(place->path), "%s", file.path);
	snprintf(place->lines, sizeof(place->lines), "%s", file.path);
	place->layout = file.layout;
	place->in_file = place->layout.lowest + place->rva;
	return NULL;
}

/* The running kernel's memory has what runs, patched; its file has lines. */
static const char *find_kernel(const struct annotation *annotation, const struct module *module,
			       uint64_t start, struct place *place)
{
	const char *sysroot = annotation->options->where.sysroot;
	bool here = !sysroot && trace_is_of_this_boot(annotation->trace);
	bool found = module->has_id && !strcmp(module->name, KERNEL_NAME) &&
		     kernel_file_find(sysroot ? sysroot : "", module->id, sizeof(module->id),
				      place->lines, sizeof(place->lines), &place->layout);

	if (!found)
		place->lines[0] = '\0';
	if (here) {
		snprintf(place->path, sizeof(place->path), "%s", KERNEL_MEMORY);
		place->in_file = start;
	} else if (found) {
		snprintf(place->path, sizeof(place->path), "%s", place->lines);
		place->in_file = place->layout.lowest + place->rva;
	} else {
		return "the kernel is not the running one, and its file is not here";
	}
	return NULL;
}

static const char *find_place(const struct annotation *annotation,
			      const struct sampled *function, struct place *place)
{
	const struct image *image = function->symbol.image;
	const struct module *module;
	bool kernel = is_kernel_address(function->start, 8);

	if (!image)
		return "its code is in no file";
	module = &symbols_images(annotation->symbols)->module[image->module];
	place->rva = function->start - image->base;
	return kernel ? find_kernel(annotation, module, function->start, place) :
			find_user(annotation, module, place);
}

static int add(struct code *code, uint64_t offset, const char *text)
{
	struct instruction *to;

	if (!array_grow((void **)&code->instructions, &code->room, code->count + 1, sizeof(*to)))
		return -1;
	to = &code->instructions[code->count];
	*to = (struct instruction){ .offset = offset, .text = text ? strdup(text) : NULL };
	if (text && !to->text)
		return -1;
	code->count++;
	return 0;
}

/* Names where a call goes, if that is out of the function. @away: from the file to memory */
static void name_target(const struct annotation *annotation, const struct sampled *function,
			uint64_t target, uint64_t away, char *text, size_t room)
{
	size_t used = strlen(text);
	struct symbol symbol;

	target += away;
	if (target - function->start < function->symbol.reach)
		return;
	symbols_find(annotation->symbols, function->pid, target, function->time, 0, &symbol);
	if (symbol.function)
		snprintf(text + used, room - used, symbol.offset ? " <%s+0x%" PRIx64 ">" : " <%s>",
			 symbol.function, symbol.offset);
	/* the name may be cut inside a character */
	text[text_fit(text, room)] = '\0';
}

static int disassemble(const struct annotation *annotation, const struct sampled *function,
		       struct disassembler *with, const uint8_t *bytes, size_t size,
		       struct code *code)
{
	uint64_t away = function->start - code->address, target;
	char text[SYMBOL_TEXT];
	size_t at, step;

	for (at = 0; at < size; at += step) {
		step = disassembler_next(with, bytes + at, size - at, code->address + at, text,
					 sizeof(text), &target);
		if (target)
			name_target(annotation, function, target, away, text, sizeof(text));
		if (add(code, at, text))
			return -1;
	}
	return 0;
}

/* Return: 0 with instructions or a reason, or -1 without memory */
static int read_code(const struct annotation *annotation, const struct sampled *function,
		     const struct place *place, struct code *code)
{
	size_t size = function->symbol.reach;
	uint8_t *bytes = malloc(CODE_MOST);
	struct disassembler *with;
	uint16_t machine = 0;
	int err = 0;

	if (!bytes)
		return -1;
	if (size > CODE_MOST)
		code->why = "it is larger than 1 MB";
	else
		code->why = code_bytes_read(place->path, place->in_file, bytes, size, &machine);
	with = code->why ? NULL : disassembler_open(machine, annotation->options->intel,
						    &code->why);
	if (with)
		err = disassemble(annotation, function, with, bytes, size, code);
	disassembler_close(with);
	free(bytes);
	return err;
}

static int by_offset(const void *left, const void *right)
{
	const struct instruction *a = left, *b = right;

	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* Without the code, the instructions are those with samples. */
static int take_sampled(const struct sampled *function, struct code *code)
{
	size_t i;

	for (i = 0; i < function->at.map.count; i++)
		if (add(code, function->at.map.keys[i], NULL))
			return -1;
	if (code->count)
		qsort(code->instructions, code->count, sizeof(*code->instructions), by_offset);
	return 0;
}

/* The last instruction that begins at @offset or before; the first is at 0 or has a sample */
static size_t instruction_at(const struct code *code, uint64_t offset)
{
	size_t low = 0, high = code->count, middle;

	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (code->instructions[middle].offset <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* A sample within an instruction counts for that instruction: none is left out. */
static int put_counts(const struct sampled *function, struct code *code)
{
	const uint64_t *from;
	uint64_t *to;
	size_t i, k, at;

	code->moved.size = function->at.size;
	for (i = 0; i < function->at.map.count; i++) {
		at = instruction_at(code, function->at.map.keys[i]);
		to = keyed_of(&code->moved, at);
		if (!to)
			return -1;
		from = keyed_at(&function->at, i);
		for (k = 0; k < SOURCES; k++)
			to[k] += from[k];
	}
	for (i = 0; i < code->moved.map.count; i++)
		code->instructions[code->moved.map.keys[i]].counts = keyed_at(&code->moved, i);
	return 0;
}

static int make(const struct annotation *annotation, const struct sampled *function,
		struct code *code)
{
	struct place place = { };
	int err = 0;

	code->why = find_place(annotation, function, &place);
	snprintf(code->from, sizeof(code->from), "%s", place.path);
	code->address = place.in_file ? place.in_file : function->start;
	if (!code->why)
		err = read_code(annotation, function, &place, code);
	if (!err && !code->count)
		err = take_sampled(function, code);
	if (!err)
		err = put_counts(function, code);
	code->why_no_lines = "no file of this machine has them";
	if (!err && place.lines[0])
		err = annotate_lines(code, place.lines, &place.layout, place.rva,
				     function->symbol.reach);
	return err ? err : annotate_sum_lines(code);
}

int annotate_code(const struct annotation *annotation, const struct sampled *function,
		  struct code *code)
{
	*code = (struct code){ };
	return make(annotation, function, code) ? failed("%s", strerror(ENOMEM)) : 0;
}

void annotate_code_free(struct code *code)
{
	size_t i;

	for (i = 0; i < code->count; i++)
		free(code->instructions[i].text);
	for (i = 0; i < code->nr_files; i++)
		free(code->files[i]);
	free(code->instructions);
	keyed_free(&code->moved);
	free(code->lines);
	free(code->files);
}
