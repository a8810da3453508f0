// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw start: a session that stays until it is stopped. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "background.h"
#include "control/control_calls.h"
#include "etw.h"
#include "options/session_options.h"
#include "options/spelling.h"
#include "probes/probe_guard.h"
#include "unwind/unwind_sender.h"

static const char help[] =
	"start NAME [options]\n\n"
	"Starts a session and prints its logger id and the node of its stream. It runs until\n"
	"'etw stop'; with -f its stream goes to a file meanwhile, else it is read from the node:\n"
	"cat /dev/etw/sessionN > FILE. A session with stacks gets the unwind tables of the\n"
	"programs that run now; 'etw unwind --send NAME' sends those of newer ones.\n\n";

static void print_options(void)
{
	session_options_help(FOR_START);
}

/* No process stays that could send the tables of programs that start later. */
static void send_tables(int fd, uint32_t id, const char *name)
{
	struct unwind_sent sent;

	unwind_send_once(fd, id, &sent);
	if (sent.error)
		warn("start: no unwind tables for session '%s': %s (stacks of programs follow frame "
		     "pointers)", name, strerror(sent.error));
	else
		fprintf(stderr, "etw: start: %u unwind tables sent; those of programs that start "
			"later: etw unwind --send %s\n", sent.tables, name);
}

static int run(const struct session_options *options)
{
	uint32_t id = 0;
	int fd = control_open(), code;

	if (fd < 0)
		return EXIT_FAILED;
	code = control_start(fd, &options->request, &id) ? EXIT_FAILED : EXIT_OK;
	if (!code) {
		printf("%u " ETW_SESSION_NODE "\n", id, id);
		fflush(stdout);
		if (options->request.items.nr_stackwalk && !options->no_tables)
			send_tables(fd, id, options->request.name);
	}
	close(fd);
	return code;
}

static int start(int argc, char **argv)
{
	struct session_options options = { .verb = &verb_start, .for_verb = FOR_START };
	static struct block block;
	int code;

	argv = spelling_of_verb(&argc, argv, FOR_START);
	code = session_options_parse(&options, argc, argv);
	if (code)
		return code < 0 ? print_help(&verb_start) : code;
	if (argc - optind + !!options.request.name != 1)
		return usage_error(&verb_start, "start: exactly one name is needed");
	if (!options.request.name)
		options.request.name = argv[optind];
	if (options.file)
		code = background_prepare(&options);
	if (!code)
		code = session_options_finish(&options);
	if (code)
		return code;
	if (!options.dry_run) {
		code = options.file ? background_run(&options) : run(&options);
		if (!code)
			probes_leave(options.file);
		return code;
	}
	request_block(&options.request, &block);
	return dry_run(&block, options.request.flags);
}

const struct verb verb_start = {
	.name = "start", .summary = "start a session", .help = help, .run = start,
	.print_options = print_options,
};
