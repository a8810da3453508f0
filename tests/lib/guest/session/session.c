// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Sessions for tests: one verb a call. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "session.h"

static const char usage[] =
	"session start [options] NAME   prints the logger id\n"
	"  -b KB -n BUFFERS   of all CPUs together      -o   overwrite mode\n"
	"  -f FLAGS           EnableFlags (0x08000000, 0: no kernel session)  -c CLOCK\n"
	"  -m BUFFERS         to begin with             -t MS  period of flushes\n"
	"  -r                 with rundown\n"
	"  -p PID[,PID...]    only these processes      -C   and their descendants\n"
	"  -H HOOK[,HOOK...]  only these hook ids       -X   not the process that starts it\n"
	"  -i TYPE:N[,N...]   an item of dwords, of any type\n"
	"  -A                 without kernel addresses\n"
	"session hold [options] NAME [-- COMMAND...]\n"
	"  a session while the command runs, or until SIGTERM; options of start, and\n"
	"  -w FILE    save the stream meanwhile     -l FILE   save it when the session has stopped\n"
	"  -d         read it and throw it away     -k        keep it: no STOP at the end\n"
	"  prints \"session N\" when it runs, and name=value pairs of STATISTICS at the end\n"
	"session stop|discard|flush ID\n"
	"session enable ID FLAGS        UPDATE: these EnableFlags, all else as QUERY returns it\n"
	"session stats ID [FILE]        STATISTICS, of all CPUs and of each\n"
	"session read [options] ID FILE\n"
	"  -c BYTES   of one read()     -d MS      pause between reads\n"
	"  -n BYTES   stop reading after so many   -s MS      then sleep\n"
	"  -k         die then, whatever is in hand\n"
	"  -S FILE    statistics at the end of the stream, before the session goes\n";

int control = -1;

void die(const char *what)
{
	fprintf(stderr, "session: %s: %s\n", what, strerror(errno));
	exit(125);
}

void die_of_usage(void)
{
	fputs(usage, stderr);
	exit(2);
}

static void must(int err, const char *what)
{
	errno = err;
	if (err)
		die(what);
}

/* QUERY, change, UPDATE */
static void enable(__u32 id, __u32 flags)
{
	static __u8 block[16384];
	struct wmi_logger_information *info = (void *)block;
	struct etw_control c = { .logger_id = id };

	must(send_block(control, ETW_IOC_QUERY, block, sizeof(block), &c), "QUERY");
	info->enable_flags = flags;
	must(send_block(control, ETW_IOC_UPDATE, block, info->wnode.buffer_size, &c), "UPDATE");
}

static void start(int argc, char **argv)
{
	struct start start;
	int option;

	start_begin(&start);
	while ((option = getopt(argc, argv, START_OPTIONS)) != -1)
		start_option(&start, option);
	if (optind + 1 != argc)
		die_of_usage();
	printf("%u\n", start_send(&start, argv[optind]));
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";
	__u32 id;

	control = open("/dev/etw/control", O_RDWR | O_CLOEXEC);
	if (control < 0)
		die("/dev/etw/control");
	argc--;
	argv++;
	if (!strcmp(verb, "start")) {
		start(argc, argv);
		return 0;
	}
	if (!strcmp(verb, "hold"))
		return hold(argc, argv);
	if (!strcmp(verb, "read")) {
		reader(argc, argv);
		return 0;
	}
	if (argc < 2)
		die_of_usage();
	id = strtoul(argv[1], NULL, 0);
	if (!strcmp(verb, "stop"))
		must(on_session(control, ETW_IOC_STOP, id, 0), "STOP");
	else if (!strcmp(verb, "discard"))
		must(discard_session(control, id), "STOP");
	else if (!strcmp(verb, "flush"))
		must(on_session(control, ETW_IOC_FLUSH, id, 0), "FLUSH");
	else if (!strcmp(verb, "enable") && argc == 3)
		enable(id, strtoul(argv[2], NULL, 0));
	else if (!strcmp(verb, "stats"))
		statistics(id, argc > 2 ? argv[2] : NULL);
	else
		die_of_usage();
	return 0;
}
