// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw top: threads and processes of this machine, live. */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include "common/time_span.h"
#include "common/verb_options.h"
#include "live/live_session.h"
#include "top.h"

static const char help[] =
	"top [options]\n\n"
	"Shows what runs and what waits on this machine, from a real-time session of its own,\n"
	"which ends with the command: CPU time, context switches, the longest wait and its\n"
	"reason, time ready, instructions per cycle, disk transfers, of each interval.\n\n";

static const char notes[] =
	"Keys: c, s, w, r, i, d sort by CPU, switches, wait, ready, IPC, disk; p shows processes\n"
	"or threads; q ends. A wait counts in the interval in which it ends.\n";

static const struct verb_option options[] = {
	{ 'd', 'd', "interval", "T", "length of an interval: 500ms, 2s; a number is seconds (1s)" },
	{ 's', 's', "sort", "KEY", "cpu, switches, wait, ready, ipc or disk (cpu)" },
	{ 'P', 'p', "processes", NULL, "a line for each process, not for each thread" },
	{ 't', 0, "top", "N", "at most N lines" },
	{ 'b', 'b', "batch", NULL, "intervals one below the other, for files and pipes" },
	{ 'n', 'n', "count", "N", "end after N intervals" },
	{ '1', 0, "once", NULL, "one interval: --batch --count 1" },
	{ .code = OPTION_JSON, .help = "a line of JSON for each interval; numbers are not rounded" },
	{ }
};

/**
 * struct view - how intervals are shown
 * @interval_ns: shortest length
 * @most: lines; 0: as many as there are
 * @count: intervals; 0: until the user ends it
 * @batch: no screen
 * @json: JSON
 * @processes: lines of the next interval are processes
 * @screen: the terminal is in raw mode, and @before has what it was
 * @over: the user ends it
 * @stopped: another program ended the session
 * @blind: deliveries in which records from before a loss may come
 */
struct view {
	uint64_t interval_ns;
	uint32_t most;
	uint32_t count;
	bool batch;
	bool json;
	bool processes;
	bool screen;
	struct termios before;
	bool over;
	bool stopped;
	unsigned int blind;
	struct live_session live;
	struct top top;
};

/* The alternate screen, without echo; keys come at once. */
static void open_screen(struct view *view)
{
	struct termios raw;

	if (view->batch || view->json || !isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO) ||
	    tcgetattr(STDIN_FILENO, &view->before))
		return;
	raw = view->before;
	raw.c_lflag &= ~(ICANON | ECHO);
	/* a stopped reader would lose events */
	raw.c_cc[VSUSP] = _POSIX_VDISABLE;
	raw.c_cc[VMIN] = 0;
	raw.c_cc[VTIME] = 0;
	if (tcsetattr(STDIN_FILENO, TCSANOW, &raw))
		return;
	view->screen = true;
	/* without a cursor; a line that is too long is cut */
	fputs("\033[?1049h\033[?25l\033[?7l", stdout);
}

static void close_screen(struct view *view)
{
	if (!view->screen)
		return;
	fputs("\033[?7h\033[?25h\033[?1049l", stdout);
	fflush(stdout);
	tcsetattr(STDIN_FILENO, TCSANOW, &view->before);
}

static unsigned int screen_lines(void)
{
	struct winsize size;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row ? 24 : size.ws_row;
}

static void show(struct view *view)
{
	if (view->json) {
		top_print_json(&view->top, view->most);
	} else if (view->screen) {
		fputs("\033[H", stdout);
		top_print(&view->top, view->most, screen_lines());
		fputs("\033[J", stdout);
	} else {
		top_print(&view->top, view->most, 0);
		putchar('\n');
	}
	/* a closed pipe ends it, as a user does */
	if (fflush(stdout) || ferror(stdout))
		view->over = true;
}

static void take_key(struct view *view, char letter)
{
	enum top_key key;

	if (letter == 'q')
		view->over = true;
	else if (letter == 'p')
		view->processes = !view->processes;
	else if (top_key_of_letter(letter, &key))
		view->top.key = key;
	else
		return;
	/* processes come with the next interval */
	if (letter != 'q' && letter != 'p' && view->top.row) {
		top_sort(&view->top);
		show(view);
	}
}

static void take_keys(struct view *view)
{
	char letters[16];
	ssize_t n = read(STDIN_FILENO, letters, sizeof(letters)), i;

	/* the terminal is gone */
	if (!n || (n < 0 && errno != EAGAIN && errno != EINTR))
		view->over = true;
	for (i = 0; i < n; i++)
		take_key(view, letters[i]);
}

static void note_losses(struct view *view)
{
	uint64_t before = view->live.lost;

	if (!live_session_lost(&view->live))
		return;
	top_lost(&view->top, view->live.lost - before);
	view->blind = 2;
}

/* Return: whether an interval has ended, or -1 */
static int take_records(struct view *view)
{
	struct live_stream *stream = &view->live.stream;
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct top *top = &view->top;
	int err = 0;

	note_losses(view);
	while (live_stream_next(stream, &record, &buffer)) {
		if (stream->gap)
			top_lost(top, 0);
		if (!err)
			err = top_note(top, buffer, record);
	}
	if (view->blind) {
		view->blind--;
		top_lost(top, 0);
	}
	if (err)
		return -1;
	return stream->has_limit && top->begin &&
	       etl_nanoseconds(top->log, stream->limit) -
	       etl_nanoseconds(top->log, top->begin) >= (int64_t)view->interval_ns;
}

/* Return: 0, 1: it is over, or -1 after a message */
static int step(struct view *view)
{
	int ended = live_session_read(&view->live), finished;

	if (ended < 0)
		return -1;
	finished = take_records(view);
	if (finished < 0)
		return -1;
	if (finished) {
		view->top.processes = view->processes;
		if (top_finish(&view->top, view->live.stream.limit))
			return -1;
		show(view);
		top_next(&view->top, live_id_is_gone);
		if (view->count && !--view->count)
			view->over = true;
	}
	view->stopped = ended;
	return view->over || ended;
}

static int loop(struct view *view, int signals)
{
	struct pollfd fds[3] = {
		{ .fd = view->live.node, .events = POLLIN },
		{ .fd = signals, .events = POLLIN },
		{ .fd = view->screen ? STDIN_FILENO : -1, .events = POLLIN },
	};
	int result = 0;

	while (!result) {
		poll(fds, 3, 1000);
		if (fds[1].revents)
			break;
		if (fds[2].revents)
			take_keys(view);
		result = step(view);
	}
	return result < 0 ? EXIT_FAILED : EXIT_OK;
}

/* Signals arrive by descriptor, also while the screen is opened, so that it is always closed. */
static int run_screen(struct view *view)
{
	static const int mine[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, 0 };
	int signals = live_signals_open(mine), code;

	if (signals < 0)
		return failed("top: signalfd: %s", strerror(errno));
	open_screen(view);
	code = loop(view, signals);
	close_screen(view);
	close(signals);
	return code;
}

/* Those that instructions per cycle need; not every machine has them. */
static int choose_counters(struct view *view, struct session_options *session)
{
	static const char *const names[] = { "cycles", "instructions" };
	struct counter_error error;
	struct counter counter;
	size_t i;

	for (i = 0; i < 2; i++)
		if (!counter_parse(names[i], &counter, &error) ||
		    counter_try(&counter) != COUNTER_YES)
			return 0;
	view->top.counters = true;
	return session_option_set(session, "counters", "cycles,instructions@CSWITCH");
}

static int open_session(struct view *view)
{
	static struct session_options session = { .verb = &verb_top, .for_verb = FOR_START };
	uint64_t period = view->interval_ns / 4000000;
	char name[32], timer[32];
	int code, control;

	view->live.control = -1;
	view->live.node = -1;
	snprintf(name, sizeof(name), "etw-top-%d", getpid());
	snprintf(timer, sizeof(timer), "%ums",
		 (unsigned int)(period < 50 ? 50 : period > 1000 ? 1000 : period));
	session.request.name = name;
	code = session_option_set(&session, "events", "PROC_THREAD+CSWITCH+DISPATCHER+DISK_IO?");
	if (!code)
		code = session_option_set(&session, "flush-timer", timer);
	if (!code)
		code = choose_counters(view, &session);
	if (code)
		return code;
	control = control_open();
	if (control < 0)
		return EXIT_FAILED;
	code = live_session_start(&view->live, control, &session);
	view->top.log = &view->live.stream.log;
	return code || !top_begin(&view->top) ? code : EXIT_FAILED;
}

static int set_interval(struct view *view, const char *text)
{
	uint32_t seconds;

	if (parse_number(text, 1, 86400, &seconds)) {
		view->interval_ns = seconds * 1000000000ULL;
		return 0;
	}
	if (time_span_parse(text, &view->interval_ns) && view->interval_ns >= 100000000 &&
	    view->interval_ns <= 86400000000000)
		return 0;
	return usage_error(&verb_top, "top: --interval %s: 100ms to 24h", text);
}

/* Return: 0 or an exit code */
static int take_option(struct view *view, int c, const char *value)
{
	switch (c) {
	case 'd':
		return set_interval(view, value);
	case 's':
		if (top_key_of(value, &view->top.key))
			return 0;
		return usage_error(&verb_top, "top: --sort %s: cpu, switches, wait, ready, ipc or "
				   "disk", value);
	case 't':
		if (parse_number(value, 1, UINT32_MAX, &view->most))
			return 0;
		return usage_error(&verb_top, "top: --top %s: a number of lines", value);
	case 'n':
		if (parse_number(value, 1, UINT32_MAX, &view->count))
			return 0;
		return usage_error(&verb_top, "top: --count %s: a number of intervals", value);
	case '1':
		view->count = 1;
	}
	view->batch |= c == 'b' || c == '1';
	view->json |= c == OPTION_JSON;
	view->processes |= c == 'P';
	return 0;
}

static int run_top(int argc, char **argv)
{
	static struct view view = { .interval_ns = 1000000000 };
	int c, code;

	while ((c = next_verb_option(&verb_top, argc, argv)) != -1) {
		if (c == '?')
			return EXIT_USAGE;
		if (c == OPTION_HELP)
			return print_help(&verb_top);
		code = take_option(&view, c, optarg);
		if (code)
			return code;
	}
	if (argv[optind])
		return usage_error(&verb_top, "top: unexpected argument '%s'", argv[optind]);
	code = open_session(&view);
	if (!code)
		code = run_screen(&view);
	if (view.stopped)
		code = failed("top: the session was stopped by another program");
	live_session_end(&view.live);
	top_end(&view.top);
	return code;
}

const struct verb verb_top = {
	.name = "top", .summary = "show live what runs and what waits",
	.help = help, .options = options, .notes = notes, .run = run_top,
};
