// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Functions with their samples, as text. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmd/stat/terminal.h"
#include "libetl/text.h"
#include "annotate.h"
#include "source_text.h"

/* Source lines in the first table, and instructions around one with samples in the second */
#define LINES		10
#define AROUND		6

#define ADDRESS		12

/**
 * struct page - the text of a function
 * @source: by index of the file; NULL: no memory
 */
struct page {
	const struct annotation *annotation;
	const struct sampled *function;
	const struct code *code;
	struct source_text *source;
	struct terminal terminal;
};

static bool has_column(const struct page *page, size_t source)
{
	return page->function->total[source];
}

static void print_head(const struct page *page, const char *rest)
{
	size_t i;

	putchar('\n');
	terminal_begin_head(&page->terminal);
	for (i = 0; i < page->annotation->sources.count; i++)
		if (has_column(page, i))
			printf("%12.12s      %%", page->annotation->sources.source[i].name);
	printf("  %s", rest);
	terminal_end_head(&page->terminal);
	putchar('\n');
}

/* @counts: NULL: blanks */
static void print_counts(const struct page *page, const uint64_t *counts)
{
	char text[TERMINAL_NUMBER];
	size_t i;

	for (i = 0; i < page->annotation->sources.count; i++) {
		if (!has_column(page, i))
			continue;
		if (!counts || !counts[i]) {
			printf("%19s", "");
			continue;
		}
		if (page->terminal.is)
			terminal_count(counts[i], text);
		else
			snprintf(text, sizeof(text), "%" PRIu64, counts[i]);
		printf("%12s %6.2f", text, 100.0 * counts[i] / page->function->total[i]);
	}
	printf("  ");
}

static void print_name(const char *text)
{
	char name[SYMBOL_TEXT];

	text_copy(name, sizeof(name), text);
	text_escape_control(name);
	fputs(name, stdout);
}

static void print_line(const struct page *page, uint32_t file, uint32_t line)
{
	const char *sysroot = page->annotation->options->where.sysroot, *text = NULL;
	const char *path = page->code->files[file], *name = strrchr(path, '/');

	print_name(name ? name + 1 : path);
	printf(":%u", line);
	if (page->source)
		text = source_text_line(&page->source[file], sysroot ? sysroot : "", path, line);
	if (text) {
		printf("  ");
		print_name(text);
	}
	putchar('\n');
}

static void print_lines(const struct page *page)
{
	const struct code *code = page->code;
	size_t i;

	if (!code->nr_lines)
		return;
	print_head(page, "source line");
	for (i = 0; i < code->nr_lines && i < LINES; i++) {
		print_counts(page, code->lines[i].counts);
		print_line(page, code->lines[i].file, code->lines[i].line);
	}
	if (code->nr_lines > LINES)
		printf("(%zu more lines in --csv and --json)\n", code->nr_lines - LINES);
}

/* Whether an instruction is near one with samples */
static bool is_near(const struct code *code, size_t at)
{
	size_t i = at > AROUND ? at - AROUND : 0;

	for (; i < code->count && i <= at + AROUND; i++)
		if (code->instructions[i].counts)
			return true;
	return false;
}

static void print_instruction(const struct page *page, const struct instruction *instruction)
{
	print_counts(page, instruction->counts);
	printf("%*" PRIx64 "  ", ADDRESS, page->code->address + instruction->offset);
	print_name(instruction->text ? instruction->text : "?");
	putchar('\n');
}

static void print_instructions(const struct page *page)
{
	const struct code *code = page->code;
	const struct instruction *at, *before = NULL;
	bool left_out = false;
	size_t i;

	print_head(page, "     address  instruction");
	for (i = 0; i < code->count; i++) {
		at = &code->instructions[i];
		if (code->why || page->annotation->options->whole || is_near(code, i)) {
			if (left_out) {
				print_counts(page, NULL);
				printf("%*s\n", ADDRESS, "...");
			}
			if (at->line && (left_out || !before || before->line != at->line ||
					 before->file != at->file)) {
				print_counts(page, NULL);
				printf("%*s  ", ADDRESS, "");
				print_line(page, at->file, at->line);
			}
			print_instruction(page, at);
			left_out = false;
		} else {
			left_out = true;
		}
		before = at;
	}
}

static void print_title(const struct page *page)
{
	const struct symbol *symbol = &page->function->symbol;
	const char *from = page->code->from;
	uint64_t all = page->annotation->all;

	print_name(symbol->module ? symbol->module : "?");
	putchar('!');
	print_name(symbol->function);
	printf(": %" PRIu64 " of %" PRIu64 " samples (%.2f %%)\n", page->function->all, all,
	       100.0 * page->function->all / all);
	if (page->code->why)
		printf("no instructions: %s%s%s\n", from, *from ? ": " : "", page->code->why);
	if (page->code->why_no_lines)
		printf("no source lines: %s\n", page->code->why_no_lines);
}

void annotate_text(const struct annotation *annotation, const struct sampled *function,
		   const struct code *code)
{
	struct page page = {
		.annotation = annotation, .function = function, .code = code,
		.source = calloc(code->nr_files + 1, sizeof(*page.source)),
		.terminal = terminal_of_stdout(),
	};
	size_t i;

	print_title(&page);
	print_lines(&page);
	print_instructions(&page);
	for (i = 0; page.source && i < code->nr_files; i++)
		source_text_free(&page.source[i]);
	free(page.source);
}
