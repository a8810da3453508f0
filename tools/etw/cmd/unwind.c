// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw unwind: the unwind table of a program; those of all that run, for a session. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "common/verb_options.h"
#include "control/control_calls.h"
#include "etw.h"
#include "unwind/unwind_report.h"
#include "unwind/unwind_sender.h"

static const char help[] =
	"unwind [--json] [--rows] FILE\n"
	"           etw unwind [--json] --send NAME|ID\n\n"
	"Shows the unwind table of a program or shared library: how much of its code has rules by\n"
	"which stacks are walked without frame pointers, and which rules these are. The table is\n"
	"made from .eh_frame and .debug_frame of the file, and .debug_frame of its debug file.\n"
	"With --send, hands the tables of all programs and libraries that run now to a session with\n"
	"stacks. 'etw record' and 'etw start -f' do this all the time, 'etw start' at the start.\n\n";

static const struct verb_option options[] = {
	{ .code = OPTION_JSON, .help = "print counts, and with --rows the rows, as JSON" },
	{ 'r', 'r', "rows", NULL,
	  "print each row: file offset, CFA, return address, frame pointer" },
	{ 's', 0, "send", "NAME|ID", "hand the tables of what runs now to this session" },
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

static int print_sent(const struct unwind_sent *sent, bool json)
{
	printf(json ? "{\"files\":%" PRIu32 ",\"sent\":%" PRIu32 ",\"refused\":%" PRIu32 "}\n" :
	       "%" PRIu32 " executable files are mapped, %" PRIu32 " unwind tables sent, %" PRIu32
	       " refused\n", sent->files, sent->tables, sent->refused);
	return EXIT_OK;
}

/* What the module's error means for the session */
static const char *reason_of(int error)
{
	switch (error) {
	case ENOTTY:
		return "this module takes no unwind tables (load a newer one)";
	case EINVAL:
		return "the session has no stacks (etw start --stackwalk)";
	default:
		return strerror(error);
	}
}

static int send_to(const char *session, bool json)
{
	struct unwind_sent sent;
	int fd = control_open(), code = EXIT_FAILED;
	uint32_t id;

	if (fd < 0)
		return EXIT_FAILED;
	if (!control_find(fd, "unwind", session, &id)) {
		unwind_send_once(fd, id, &sent);
		code = sent.error ? failed("unwind: --send %s: %s", session,
					   reason_of(sent.error)) : print_sent(&sent, json);
	}
	close(fd);
	return code;
}

static int unwind_verb(int argc, char **argv)
{
	const char *session = NULL;
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
		case 's':
			session = optarg;
			break;
		default:
			return c == OPTION_HELP ? print_help(&verb_unwind) : EXIT_USAGE;
		}
	}
	if (session && (rows || argc != optind))
		return usage_error(&verb_unwind, "unwind: --send: without --rows, without a file");
	if (session)
		return send_to(session, json);
	if (argc - optind != 1)
		return usage_error(&verb_unwind, "unwind: exactly one file is needed");
	return show(argv[optind], json, rows);
}

const struct verb verb_unwind = {
	.name = "unwind", .summary = "show the unwind table of a program, or send tables",
	.help = help, .options = options, .run = unwind_verb,
};
