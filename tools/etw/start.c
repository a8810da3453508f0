// SPDX-License-Identifier: GPL-2.0
/* etw start: a session that stays until it is stopped. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "control.h"
#include "etw.h"

static const char help[] =
	"start NAME [options]\n\n"
	"Starts a session and prints its logger id and the node of its stream. It runs until\n"
	"'etw stop'; the stream is read from the node: cat /dev/etw/sessionN > FILE.\n\n"
	"  -e, --events EVENTS    names joined by '+' (PROC_THREAD+CSWITCH+DISPATCHER)\n"
	"  -b, --buffer-size KB   size of a buffer, 4 to 16384, a multiple of 4 (64)\n"
	"  -n, --buffers COUNT    buffers of all CPUs together (chosen by the kernel)\n"
	"      --clock CLOCK      qpc, system or cycle (qpc)\n"
	"      --mode MODE        realtime: events are lost when nobody reads;\n"
	"                         buffering: old buffers are overwritten (realtime)\n"
	"      --flush-timer S    hand over part-filled buffers every S seconds (1; 0: never)\n"
	"  -h, --help             this text\n";

static const struct option options[] = {
	{ "events", required_argument, NULL, 'e' },
	{ "buffer-size", required_argument, NULL, 'b' },
	{ "buffers", required_argument, NULL, 'n' },
	{ "clock", required_argument, NULL, 'c' },
	{ "mode", required_argument, NULL, 'm' },
	{ "flush-timer", required_argument, NULL, 'f' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

static int set_mode(struct start_request *request, const char *value)
{
	if (!strcmp(value, "realtime"))
		request->mode = EVENT_TRACE_REAL_TIME_MODE;
	else if (!strcmp(value, "buffering"))
		request->mode = EVENT_TRACE_BUFFERING_MODE;
	else
		return usage_error(&verb_start, "mode '%s': realtime or buffering", value);
	request->mode |= EVENT_TRACE_SYSTEM_LOGGER_MODE;
	return 0;
}

static int set_option(struct start_request *request, int c, const char *value)
{
	switch (c) {
	case 'e':
		return events_parse(value, &request->enable_flags) ? 0 : EXIT_USAGE;
	case 'b':
		if (parse_number(value, 4, 16384, &request->buffer_kb) &&
		    request->buffer_kb % 4 == 0)
			return 0;
		return usage_error(&verb_start, "buffer size '%s': 4 to 16384, a multiple of 4",
				   value);
	case 'n':
		if (parse_number(value, 1, UINT32_MAX, &request->buffers))
			return 0;
		return usage_error(&verb_start, "number of buffers '%s': no number", value);
	case 'c':
		if (clock_parse(value, &request->clock))
			return 0;
		return usage_error(&verb_start, "clock '%s': qpc, system or cycle", value);
	case 'f':
		if (parse_number(value, 0, 86400, &request->flush_seconds))
			return 0;
		return usage_error(&verb_start, "flush timer '%s': 0 to 86400", value);
	default:
		return set_mode(request, value);
	}
}

static int start(int argc, char **argv)
{
	struct start_request request = { .clock = ETW_CLOCK_QPC, .flush_seconds = 1 };
	uint32_t id = 0;
	int c, code, fd;

	set_mode(&request, "realtime");
	while ((c = next_option(&verb_start, argc, argv, ":e:b:n:h", options)) != -1) {
		if (c == '?')
			return EXIT_USAGE;
		if (c == 'h')
			return print_help(&verb_start);
		code = set_option(&request, c, optarg);
		if (code)
			return code;
	}
	if (argc - optind != 1)
		return usage_error(&verb_start, "start: exactly one name is needed");
	request.name = argv[optind];
	if (!request.enable_flags)
		events_parse("PROC_THREAD+CSWITCH+DISPATCHER", &request.enable_flags);
	fd = control_open();
	if (fd < 0)
		return EXIT_FAILED;
	code = control_start(fd, &request, &id) ? EXIT_FAILED : EXIT_OK;
	close(fd);
	if (!code)
		printf("%u " ETW_SESSION_NODE "\n", id, id);
	return code;
}

const struct verb verb_start = { "start", "start a session", help, start };
