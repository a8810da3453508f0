// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Functions with their samples, as JSON and CSV. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "libetl/text.h"
#include "etw.h"
#include "annotate.h"

enum { MODULE, FUNCTION, ADDRESS };

/* Columns of the lines and of the instructions, behind the first three */
enum { FILE_NAME = 3, LINE, INSTRUCTION };

static size_t begin(struct sheet *sheet, const char *name, const struct annotation *annotation,
		    unsigned int columns)
{
	static const struct {
		enum sheet_kind kind;
		const char *name;
	} known[] = {
		[MODULE] = { SHEET_TEXT, "module" }, [FUNCTION] = { SHEET_TEXT, "function" },
		[ADDRESS] = { SHEET_HEX, "address" }, [FILE_NAME] = { SHEET_TEXT, "file" },
		[LINE] = { SHEET_ID, "line" }, [INSTRUCTION] = { SHEET_TEXT, "instruction" },
	};
	char text[SHEET_NAME];
	size_t first, i;

	*sheet = (struct sheet){ .name = name };
	for (i = 0; i < columns; i++)
		sheet_column(sheet, known[i].kind, SHEET_IN_EXPORT, known[i].name);
	first = sheet->columns;
	for (i = 0; i < annotation->sources.count; i++) {
		snprintf(text, sizeof(text), "%.*s samples", SHEET_NAME - 16,
			 annotation->sources.source[i].name);
		sheet_column(sheet, SHEET_COUNT, SHEET_IN_EXPORT, text);
	}
	return first;
}

void annotate_sheets_begin(struct annotate_sheets *sheets, const struct annotation *annotation)
{
	sheets->first[0] = begin(&sheets->functions, "functions", annotation, FILE_NAME);
	sheets->first[1] = begin(&sheets->lines, "lines", annotation, INSTRUCTION);
	sheets->first[2] = begin(&sheets->instructions, "instructions", annotation,
				 INSTRUCTION + 1);
}

static void put(struct sheet *sheet, size_t first, const struct annotation *annotation,
		const struct sampled *function, uint64_t address, const uint64_t *counts)
{
	size_t i;

	sheet_row(sheet);
	sheet_text(sheet, MODULE, function->symbol.module ? function->symbol.module : "");
	sheet_text(sheet, FUNCTION, function->symbol.function);
	sheet_number(sheet, ADDRESS, address);
	for (i = 0; i < annotation->sources.count; i++)
		sheet_number(sheet, first + i, counts ? counts[i] : 0);
}

static void put_line(struct sheet *sheet, const struct code *code, uint32_t file, uint32_t line)
{
	const char *path;
	char text[4096];

	if (!line)
		return;
	/* a path may have any bytes, but JSON has UTF-8 only */
	path = code->files[file];
	text_from_bytes((const uint8_t *)path, strlen(path), text, sizeof(text));
	sheet_text(sheet, FILE_NAME, text);
	sheet_number(sheet, LINE, line);
}

void annotate_sheets_add(struct annotate_sheets *sheets, const struct annotation *annotation,
			 const struct sampled *function, const struct code *code)
{
	const struct instruction *at = code->instructions;
	size_t i;

	put(&sheets->functions, sheets->first[0], annotation, function, code->address,
	    function->total);
	for (i = 0; i < code->nr_lines; i++) {
		put(&sheets->lines, sheets->first[1], annotation, function, code->address,
		    code->lines[i].counts);
		put_line(&sheets->lines, code, code->lines[i].file, code->lines[i].line);
	}
	for (; at < code->instructions + code->count; at++) {
		put(&sheets->instructions, sheets->first[2], annotation, function,
		    code->address + at->offset, at->counts);
		put_line(&sheets->instructions, code, at->file, at->line);
		if (at->text)
			sheet_text(&sheets->instructions, INSTRUCTION, at->text);
	}
}

int annotate_sheets_end(struct annotate_sheets *sheets, const struct annotation *annotation)
{
	const struct sheet *const all[] = {
		&sheets->functions, &sheets->lines, &sheets->instructions,
	};
	int code = EXIT_OK;

	if (sheets->functions.no_memory || sheets->lines.no_memory ||
	    sheets->instructions.no_memory)
		code = failed("%s", strerror(ENOMEM));
	else if (annotation->options->as == ANNOTATE_JSON)
		code = sheets_json(all, sizeof(all) / sizeof(all[0]));
	else
		sheet_csv(&sheets->instructions);
	sheet_free(&sheets->functions);
	sheet_free(&sheets->lines);
	sheet_free(&sheets->instructions);
	return code;
}
