// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw flush: part-filled buffers become readable now. */
#include <unistd.h>
#include "control/control_calls.h"
#include "common/verb_options.h"
#include "etw.h"

static const char help[] =
	"flush NAME|ID\n\n"
	"Hands everything that a session has recorded so far to its reader.\n\n";

static int flush(int argc, char **argv)
{
	uint32_t id;
	int c, fd, code = EXIT_FAILED;

	while ((c = next_verb_option(&verb_flush, argc, argv)) != -1)
		return c == OPTION_HELP ? print_help(&verb_flush) : EXIT_USAGE;
	if (argc - optind != 1)
		return usage_error(&verb_flush, "flush: exactly one session is needed");
	fd = control_open();
	if (fd < 0)
		return EXIT_FAILED;
	if (!control_find(fd, "flush", argv[optind], &id) && !control_flush(fd, id))
		code = EXIT_OK;
	close(fd);
	return code;
}

const struct verb verb_flush = {
	.name = "flush", .summary = "hand part-filled buffers to the reader",
	.help = help, .run = flush,
};
