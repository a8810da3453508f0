// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw rundown: a session records once more what is there. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>
#include "control/control_calls.h"
#include "common/verb_options.h"
#include "etw.h"

static const char help[] =
	"rundown NAME|ID\n\n"
	"Makes a running session record what is there now, as at its start: processes, threads,\n"
	"images, files, the machine. For a circular file or a flight recorder that has\n"
	"overwritten its first rundown. Returns before the rundown has ended, unless --wait\n"
	"is given.\n\n";

static const struct verb_option options[] = {
	{ 'w', 'w', "wait", NULL,
	  "return when this rundown and any earlier one, such as that of the start, has\n"
	  "ended. If buffers are few, a reader has to take them meanwhile" },
	{ }
};

/* Polls, because the kernel reports the end of a rundown only in the stream. */
static int await_end(int fd, uint32_t id)
{
	struct etw_statistics statistics;
	int err;

	for (;;) {
		err = control_try_statistics(fd, id, ETW_ALL_PROCESSORS, &statistics);
		if (err || !(statistics.flags & ETW_STATISTICS_RUNDOWN))
			return err;
		usleep(10000);
	}
}

static int run(int fd, const char *session, bool wait)
{
	uint32_t id;
	int err;

	if (control_find(fd, "rundown", session, &id))
		return EXIT_FAILED;
	err = control_try_rundown(fd, id);
	if (err == -EALREADY)
		return failed("rundown: %s: it has stopped", session);
	if (err == -EINVAL)
		return failed("rundown: %s: it records no kernel events", session);
	if (err)
		return failed("rundown: %s: %s", session, strerror(-err));
	sysconfig_log(fd, id);
	err = wait ? await_end(fd, id) : 0;
	if (err)
		return failed("rundown: %s: %s", session, strerror(-err));
	return EXIT_OK;
}

static int rundown(int argc, char **argv)
{
	bool wait = false;
	int c, fd, code;

	while ((c = next_verb_option(&verb_rundown, argc, argv)) != -1) {
		if (c != 'w')
			return c == OPTION_HELP ? print_help(&verb_rundown) : EXIT_USAGE;
		wait = true;
	}
	if (argc - optind != 1)
		return usage_error(&verb_rundown, "rundown: exactly one session is needed");
	fd = control_open();
	if (fd < 0)
		return EXIT_FAILED;
	code = run(fd, argv[optind], wait);
	close(fd);
	return code;
}

const struct verb verb_rundown = {
	.name = "rundown", .summary = "record existing processes, threads and images again",
	.help = help, .options = options, .run = rundown,
};
