// SPDX-License-Identifier: GPL-2.0
/* etw stop: ends a session. */
#include <getopt.h>
#include <stdio.h>
#include <unistd.h>
#include "control.h"
#include "etw.h"

static const char help[] =
	"stop [--discard] NAME|ID\n\n"
	"Ends a session. What it holds can still be read from its node; the session is gone\n"
	"when that was read.\n\n"
	"      --discard   throw away what was not read\n"
	"  -h, --help      this text\n";

static const struct option options[] = {
	{ "discard", no_argument, NULL, 'd' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

static int stop(int argc, char **argv)
{
	bool discard = false;
	uint32_t id;
	int c, fd, code = EXIT_FAILED;

	while ((c = next_option(&verb_stop, argc, argv, ":h", options)) != -1) {
		if (c == '?')
			return EXIT_USAGE;
		if (c == 'h')
			return print_help(&verb_stop);
		discard = true;
	}
	if (argc - optind != 1)
		return usage_error(&verb_stop, "stop: exactly one session is needed");
	fd = control_open();
	if (fd < 0)
		return EXIT_FAILED;
	if (!control_find(fd, argv[optind], &id) && !control_stop(fd, id, discard))
		code = EXIT_OK;
	close(fd);
	return code;
}

const struct verb verb_stop = { "stop", "end a session", help, stop };
