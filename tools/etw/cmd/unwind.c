// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw unwind: whether the stacks of a program can be walked without frame pointers. */
#include <stdio.h>
#include "common/verb_options.h"
#include "etw.h"
#include "unwind/unwind_report.h"

static const char help[] =
	"unwind [options] FILE\n\n"
	"Shows the unwind table of a program or shared library: how much of its code has rules by\n"
	"which stacks are walked without frame pointers, and which rules these are. The table is\n"
	"made from .eh_frame and .debug_frame of the file, and .debug_frame of its debug file.\n\n";

static const struct verb_option options[] = {
	{ .code = OPTION_JSON, .help = "print counts, and with --rows the rows, as JSON" },
	{ 'r', 'r', "rows", NULL,
	  "print each row: file offset, CFA, return address, frame pointer" },
	{ }
};

static int show(const char *path, bool json, bool rows)
{
	struct unwind_table table;
	const char *why = unwind_table_read(path, &table);
	int code = EXIT_OK;

	if (why)
		code = failed("unwind: %s: %s", path, why);
	else if (!json)
		unwind_print_text(&table, path, rows);
	else if (unwind_print_json(&table, path, rows))
		code = failed("unwind: the JSON could not be written");
	unwind_table_free(&table);
	return code;
}

static int unwind_verb(int argc, char **argv)
{
	bool json = false, rows = false;
	int c;

	while ((c = next_verb_option(&verb_unwind, argc, argv)) != -1) {
		switch (c) {
		case OPTION_JSON:
			json = true;
			break;
		case 'r':
			rows = true;
			break;
		default:
			return c == OPTION_HELP ? print_help(&verb_unwind) : EXIT_USAGE;
		}
	}
	if (argc - optind != 1)
		return usage_error(&verb_unwind, "unwind: exactly one file is needed");
	return show(argv[optind], json, rows);
}

const struct verb verb_unwind = {
	.name = "unwind", .summary = "show the unwind table of a program",
	.help = help, .options = options, .run = unwind_verb,
};
