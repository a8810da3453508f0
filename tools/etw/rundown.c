// SPDX-License-Identifier: GPL-2.0
/* etw rundown: a session records once more what is there. */
#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <unistd.h>
#include "control/control.h"
#include "etw.h"

static const char help[] =
	"rundown NAME|ID\n\n"
	"Makes a running session record what is there now, as at its start: processes, threads,\n"
	"images, files, the machine. For a circular file or a flight recorder whose first\n"
	"rundown is long overwritten. Does not wait until it is in the buffers.\n\n"
	"  -h, --help   this text\n";

static const struct option options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ }
};

static int run(int fd, const char *session)
{
	uint32_t id;
	int err;

	if (control_find(fd, session, &id))
		return EXIT_FAILED;
	err = control_try_rundown(fd, id);
	if (err == -EALREADY)
		return failed("%s: it has stopped", session);
	if (err == -EINVAL)
		return failed("%s: it records no kernel events", session);
	if (err)
		return failed("%s: %s", session, strerror(-err));
	sysconfig_log(fd, id);
	return EXIT_OK;
}

static int rundown(int argc, char **argv)
{
	int c, fd, code;

	while ((c = next_option(&verb_rundown, argc, argv, ":h", options)) != -1)
		return c == 'h' ? print_help(&verb_rundown) : EXIT_USAGE;
	if (argc - optind != 1)
		return usage_error(&verb_rundown, "rundown: exactly one session is needed");
	fd = control_open();
	if (fd < 0)
		return EXIT_FAILED;
	code = run(fd, argv[optind]);
	close(fd);
	return code;
}

const struct verb verb_rundown = {
	.name = "rundown", .summary = "record once more what is there",
	.help = help, .run = rundown,
};
