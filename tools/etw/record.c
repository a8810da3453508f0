// SPDX-License-Identifier: GPL-2.0
/* etw record: options, and the life of a recording from start to closed file. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "control.h"
#include "etw.h"
#include "names.h"
#include "recording.h"

static const char help[] =
	"record [options] [--] [COMMAND...]\n\n"
	"Records events while COMMAND runs, or until Ctrl-C, into a closed ETL file.\n\n"
	"  -o, --output FILE      the file (trace.etl)\n"
	"  -e, --events EVENTS    names joined by '+' (PROC_THREAD+CSWITCH+DISPATCHER);\n"
	"                         'etw list events' shows them\n"
	"  -b, --buffer-size KB   size of a buffer, 4 to 16384, a multiple of 4 (64)\n"
	"  -n, --buffers COUNT    buffers of all CPUs together (chosen by the kernel)\n"
	"  -N, --name NAME        name of the session (etw-record-PID)\n"
	"      --clock CLOCK      qpc, system or cycle (qpc)\n"
	"  -q, --quiet            no progress and no summary\n"
	"  -h, --help             this text\n\n"
	"Exit status: that of COMMAND (128 + N when signal N ended it, 126 or 127 when it\n"
	"could not be run); 1 when recording failed, 2 for wrong usage.\n";

static const struct option options[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "events", required_argument, NULL, 'e' },
	{ "buffer-size", required_argument, NULL, 'b' },
	{ "buffers", required_argument, NULL, 'n' },
	{ "name", required_argument, NULL, 'N' },
	{ "clock", required_argument, NULL, 'c' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

static int set_option(struct recording *recording, int c, const char *value)
{
	struct start_request *request = &recording->request;

	switch (c) {
	case 'o':
		recording->path = value;
		return 0;
	case 'e':
		return events_parse(value, &request->enable_flags) ? 0 : EXIT_USAGE;
	case 'b':
		if (parse_number(value, 4, 16384, &request->buffer_kb) &&
		    request->buffer_kb % 4 == 0)
			return 0;
		return usage_error(&verb_record, "buffer size '%s': 4 to 16384, a multiple of 4",
				   value);
	case 'n':
		if (parse_number(value, 1, UINT32_MAX, &request->buffers))
			return 0;
		return usage_error(&verb_record, "number of buffers '%s': no number", value);
	case 'N':
		request->name = value;
		return 0;
	case 'c':
		if (clock_parse(value, &request->clock))
			return 0;
		return usage_error(&verb_record, "clock '%s': qpc, system or cycle", value);
	default:
		recording->quiet = true;
		return 0;
	}
}

static int parse_options(struct recording *recording, int argc, char **argv)
{
	int c, code;

	while ((c = next_option(&verb_record, argc, argv, "+:o:e:b:n:N:qh", options)) != -1) {
		if (c == '?')
			return EXIT_USAGE;
		if (c == 'h')
			return -1;
		code = set_option(recording, c, optarg);
		if (code)
			return code;
	}
	recording->command = argv[optind] ? argv + optind : NULL;
	return 0;
}

/* The node comes by way of devtmpfs or udev: give it a moment. */
static int open_session(struct recording *recording)
{
	char node[64];
	int tries;

	snprintf(node, sizeof(node), ETW_SESSION_NODE, recording->id);
	for (tries = 0; tries < 200; tries++) {
		recording->session = open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		if (recording->session >= 0)
			return 0;
		if (errno != ENOENT && errno != EACCES)
			break;
		usleep(10000);
	}
	failed("%s: %s", node, strerror(errno));
	return -1;
}

/*
 * Before anything is started: a file that can't be written costs nothing then.
 * What it held goes only when the session has started.
 */
static int open_output(struct recording *recording, bool *created)
{
	recording->output = open(recording->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	*created = recording->output >= 0;
	if (!*created && errno == EEXIST)
		recording->output = open(recording->path, O_RDWR | O_CLOEXEC);
	if (recording->output >= 0)
		return 0;
	failed("%s: %s", recording->path, strerror(errno));
	return -1;
}

static int empty_output(const struct recording *recording)
{
	struct stat stat;

	if (fstat(recording->output, &stat) || !S_ISREG(stat.st_mode) ||
	    !ftruncate(recording->output, 0))
		return 0;
	failed("%s: %s", recording->path, strerror(errno));
	return -1;
}

static int run(struct recording *recording)
{
	bool created;
	int code;

	recording->control = control_open();
	if (recording->control < 0)
		return EXIT_FAILED;
	if (open_output(recording, &created))
		return EXIT_FAILED;
	if (control_start(recording->control, &recording->request, &recording->id)) {
		if (created)
			unlink(recording->path);
		return EXIT_FAILED;
	}
	if (empty_output(recording) || open_session(recording))
		return EXIT_FAILED;	/* the session ends with our descriptor */
	code = recording_run(recording);
	close(recording->session);
	close(recording->control);
	if (close(recording->output) && !code)
		code = failed("%s: %s", recording->path, strerror(errno));
	return code;
}

static int record(int argc, char **argv)
{
	struct recording recording = {
		.path = "trace.etl",
		.control = -1, .session = -1, .output = -1,
		.request = {
			.mode = EVENT_TRACE_REAL_TIME_MODE | EVENT_TRACE_SYSTEM_LOGGER_MODE,
			.flush_seconds = 1,
			.clock = ETW_CLOCK_QPC,
			.tied = true,
		},
	};
	char name[32];
	int code;

	snprintf(name, sizeof(name), "etw-record-%d", getpid());
	recording.request.name = name;
	code = parse_options(&recording, argc, argv);
	if (code)
		return code < 0 ? print_help(&verb_record) : code;
	if (!recording.request.enable_flags)
		events_parse("PROC_THREAD+CSWITCH+DISPATCHER", &recording.request.enable_flags);
	recording.request.file = recording.path;
	return run(&recording);
}

const struct verb verb_record = {
	"record", "record events into a file while a command runs", help, record,
};
