// SPDX-License-Identifier: GPL-2.0
/* etw status: all numbers of a session. */
#include <getopt.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "control.h"
#include "etw.h"
#include "names.h"

static const char help[] =
	"status [--json] [--cpu] [NAME|ID]\n\n"
	"Shows the settings and the numbers of a session, or of all.\n\n"
	"      --cpu    the numbers of every processor too\n"
	"      --json   as JSON\n"
	"  -h, --help   this text\n";

static const struct option options[] = {
	{ "cpu", no_argument, NULL, 'c' },
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

struct view {
	int fd;
	bool json;
	bool cpus;
};

static const char *state_text(uint32_t state)
{
	return state == ETW_SESSION_RUNNING ? "running" :
	       state == ETW_SESSION_STOPPED ? "stopped" : "unknown";
}

#define CAUSES	(sizeof(((struct etw_statistics *)0)->lost) / sizeof(uint64_t))

static void cause_text(unsigned int cause, char *to, size_t room)
{
	const char *name = loss_cause_name(cause);

	if (name)
		snprintf(to, room, "%s", name);
	else
		snprintf(to, room, "cause %u", cause);
}

static void print_numbers(const struct etw_statistics *n)
{
	char cause[48];
	unsigned int i;

	printf("  events: %" PRIu64 " read, %" PRIu64 " buffered, %" PRIu64 " overwritten, %"
	       PRIu64 " discarded, %" PRIu64 " lost\n", (uint64_t)n->read,
	       (uint64_t)n->buffered, (uint64_t)n->overwritten, (uint64_t)n->discarded,
	       statistics_lost(n));
	printf("  buffers: %" PRIu64 " read, %" PRIu64 " waiting, %" PRIu64 " overwritten\n",
	       (uint64_t)n->buffers_read, (uint64_t)n->buffers_waiting,
	       (uint64_t)n->buffers_overwritten);
	for (i = 0; i < CAUSES; i++) {
		if (!n->lost[i])
			continue;
		cause_text(i, cause, sizeof(cause));
		printf("  lost: %" PRIu64 ": %s\n", (uint64_t)n->lost[i], cause);
	}
}

static json_t *json_numbers(const struct etw_statistics *n)
{
	json_t *to = json_object(), *lost = json_object();
	char cause[48];
	unsigned int i;

	json_object_set_new(to, "read", json_integer(n->read));
	json_object_set_new(to, "buffered", json_integer(n->buffered));
	json_object_set_new(to, "overwritten", json_integer(n->overwritten));
	json_object_set_new(to, "discarded", json_integer(n->discarded));
	json_object_set_new(to, "internal", json_integer(n->internal));
	json_object_set_new(to, "lost", json_integer(statistics_lost(n)));
	for (i = 0; i < CAUSES; i++) {
		if (i >= ETW_LOSS_CAUSES && !n->lost[i])
			continue;
		cause_text(i, cause, sizeof(cause));
		json_object_set_new(lost, cause, json_integer(n->lost[i]));
	}
	json_object_set_new(to, "lost_by_cause", lost);
	json_object_set_new(to, "buffers_read", json_integer(n->buffers_read));
	json_object_set_new(to, "buffers_overwritten", json_integer(n->buffers_overwritten));
	json_object_set_new(to, "buffers_waiting", json_integer(n->buffers_waiting));
	return to;
}

static const char *mode_text(uint32_t mode)
{
	if (mode & EVENT_TRACE_BUFFERING_MODE)
		return "buffering";
	return mode & EVENT_TRACE_REAL_TIME_MODE ? "realtime" : "sequential";
}

static void print_session(const struct view *view, uint32_t id,
			  const struct session_information *session,
			  const struct etw_statistics *n)
{
	const struct wmi_logger_information *info = &session->info;
	struct etw_statistics one;
	char events[128];
	uint32_t cpu;

	events_text(info->enable_flags, events, sizeof(events));
	printf("%u %s: %s, %s, events %s\n", id, session->name, state_text(n->state),
	       mode_text(info->log_file_mode), events);
	printf("  %u buffers of %u KB, %u free; clock %s; flush timer %u %s; %s\n",
	       info->number_of_buffers, info->buffer_size, info->free_buffers,
	       clock_name(info->wnode.client_context), info->flush_timer,
	       info->log_file_mode & EVENT_TRACE_USE_MS_FLUSH_TIMER ? "ms" : "s",
	       info->real_time_consumer_count ? "being read" : "nobody reads");
	if (session->file[0])
		printf("  file %s\n", session->file);
	print_numbers(n);
	for (cpu = 0; view->cpus && cpu < n->processors; cpu++) {
		if (control_try_statistics(view->fd, id, cpu, &one))
			continue;
		printf(" CPU %u\n", cpu);
		print_numbers(&one);
	}
}

static json_t *json_session(const struct view *view, uint32_t id,
			    const struct session_information *session,
			    const struct etw_statistics *n)
{
	const struct wmi_logger_information *info = &session->info;
	json_t *to = json_numbers(n), *cpus = json_array();
	struct etw_statistics one;
	char events[128];
	uint32_t cpu;

	events_text(info->enable_flags, events, sizeof(events));
	json_object_set_new(to, "id", json_integer(id));
	json_object_set_new(to, "name", json_string(session->name));
	json_object_set_new(to, "file", json_string(session->file));
	json_object_set_new(to, "state", json_string(state_text(n->state)));
	json_object_set_new(to, "mode", json_string(mode_text(info->log_file_mode)));
	json_object_set_new(to, "events", json_string(events));
	json_object_set_new(to, "clock", json_string(clock_name(info->wnode.client_context)));
	json_object_set_new(to, "buffer_size", json_integer(n->buffer_size));
	json_object_set_new(to, "buffers", json_integer(info->number_of_buffers));
	json_object_set_new(to, "buffers_free", json_integer(info->free_buffers));
	json_object_set_new(to, "processors", json_integer(n->processors));
	json_object_set_new(to, "being_read", json_boolean(info->real_time_consumer_count));
	for (cpu = 0; view->cpus && cpu < n->processors; cpu++) {
		json_t *entry;

		if (control_try_statistics(view->fd, id, cpu, &one))
			continue;
		entry = json_numbers(&one);
		json_object_set_new(entry, "cpu", json_integer(cpu));
		json_array_append_new(cpus, entry);
	}
	if (view->cpus)
		json_object_set_new(to, "cpus", cpus);
	else
		json_decref(cpus);
	return to;
}

static int show(const struct view *view, uint32_t id, json_t *all)
{
	static struct session_information session;
	struct etw_statistics statistics;

	if (control_query(view->fd, id, &session) ||
	    control_statistics(view->fd, id, ETW_ALL_PROCESSORS, &statistics))
		return EXIT_FAILED;
	if (view->json)
		json_array_append_new(all, json_session(view, id, &session, &statistics));
	else
		print_session(view, id, &session, &statistics);
	return EXIT_OK;
}

static int show_all(const struct view *view, const char *name)
{
	json_t *all = json_array();
	uint64_t loggers = 0;
	uint32_t id;
	int code = EXIT_OK;

	if (name) {
		if (control_find(view->fd, name, &id))
			code = EXIT_FAILED;
		else
			loggers = 1ULL << (id - 1);
	} else if (control_list(view->fd, &loggers)) {
		code = EXIT_FAILED;
	}
	for (id = 1; id <= ETW_MAX_LOGGERS; id++)
		if (loggers >> (id - 1) & 1)
			code |= show(view, id, all);
	if (view->json && !code) {
		json_dumpf(all, stdout, JSON_INDENT(2));
		putchar('\n');
	}
	json_decref(all);
	return code;
}

static int status(int argc, char **argv)
{
	struct view view = { };
	int c, code;

	while ((c = next_option(&verb_status, argc, argv, ":h", options)) != -1) {
		if (c == '?')
			return EXIT_USAGE;
		if (c == 'h')
			return print_help(&verb_status);
		if (c == 'j')
			view.json = true;
		else
			view.cpus = true;
	}
	if (argc - optind > 1)
		return usage_error(&verb_status, "status: at most one session");
	view.fd = control_open();
	if (view.fd < 0)
		return EXIT_FAILED;
	code = show_all(&view, argv[optind]);
	close(view.fd);
	return code;
}

const struct verb verb_status = { "status", "show the numbers of sessions", help, status };
