// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw stop: ends a session; waits for its file; puts that where it is wanted. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "libetl/final_header.h"
#include "libetl/output_file.h"
#include "control/control_calls.h"
#include "common/copy_progress.h"
#include "common/verb_options.h"
#include "etw.h"
#include "probes/probe_guard.h"
#include "common/failure_note.h"
#include "cmd/finalize/finalize.h"
#include "common/memory_text.h"

static const char help[] =
	"stop [options] NAME|ID\n\n"
	"Ends a session, and reports how many events were lost. If the session has a file, this\n"
	"waits until the file is closed. Otherwise its events stay in memory until they are read\n"
	"from its node, saved by 'etw stop -d', or discarded by 'etw stop --discard'.\n"
	"The file of -d gets names of functions.\n\n";

static const struct verb_option options[] = {
	{ 'd', 'd', "save", "FILE",
	  "afterwards the file is FILE; a session without a reader is read,\n"
	  "with - to standard output; also one that was stopped before.\n"
	  "What FILE has no room for stays in the session" },
	{ .code = OPTION_FINALIZE, .help = "also without -d: add names of functions, build-ids and the\n"
	  "system's name to the file, as 'etw finalize' does" },
	{ .code = OPTION_RAW },
	{ 'D', 0, "discard", NULL, "throw away what was not read" },
	{ .code = OPTION_QUIET, .help = "no progress and no summary; losses are reported" },
	{ }
};

/**
 * struct stop_request - what is asked for
 * @save: file for what the session recorded; NULL: where it is
 * @discard: what was not read
 * @final: the file is made final, also without @save
 * @raw: it is not
 * @quiet: no progress and no summary
 */
struct stop_request {
	const char *save;
	bool discard;
	bool final;
	bool raw;
	bool quiet;
};

/* A reader that takes nothing for so long may be stuck */
#define PATIENCE_MS	30000
#define STEP_MS		20

/*
 * A session that has stopped stays until its reader has left, and a writer of
 * files leaves when these are closed. Its id may be another's by then.
 */
static int await_reader(int fd, uint32_t id, const struct session_information *before)
{
	static struct session_information now;
	uint64_t read = 0;
	int waited = 0;

	while (!control_try_query(fd, id, &now) && now.info.real_time_consumer_count &&
	       now.info.wnode.time_stamp == before->info.wnode.time_stamp) {
		if (now.info.buffers_written != read)
			waited = 0;
		read = now.info.buffers_written;
		if (waited >= PATIENCE_MS)
			return failed("stop: %s: its reader is not done yet", before->name);
		usleep(STEP_MS * 1000);
		waited += STEP_MS;
	}
	return 0;
}

/* Also when quiet: a trace with holes must not look whole. */
static void report_losses(const char *name, uint32_t lost)
{
	if (lost)
		warn("%s: %u events lost", name, lost);
}

static int report_file(const char *name, bool quiet)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	struct final_header final;
	off_t size = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
	int err = fd < 0 ? -errno : final_header_read(fd, &final);

	if (fd >= 0)
		close(fd);
	if (err)
		return failed("%s: %s", name, strerror(-err));
	if (!final.buffers_written)
		return failed("%s was not closed ('etw close' closes it)", name);
	if (quiet)
		report_losses(name, final.events_lost);
	else
		fprintf(stderr, "etw: %s: %.1f MB, %u buffers, %u events lost\n", name,
			size / 1e6, final.buffers_written, final.events_lost);
	return 0;
}

/* A file that has the name @to becomes TO.old. */
static int move_file(const char *from, const char *to, bool quiet)
{
	char *kept = NULL;
	int err = is_same_file(from, to) ? 0 : output_keep(to, &kept);

	if (!err && !rename(from, to)) {
		free(kept);
		return report_file(to, quiet);
	}
	err = err ? -err : errno;
	if (kept)
		output_restore(to, kept);
	free(kept);
	if (err == EXDEV)
		return failed("%s is on another file system; the trace is %s", to, from);
	return failed("%s: %s; the trace is %s", to, strerror(err), from);
}

/**
 * struct rest - what a session without a reader holds, on its way into a file
 * @copy: the file
 * @fd: the control node
 * @id: logger id
 */
struct rest {
	struct stream_copy copy;
	int fd;
	uint32_t id;
};

static void count_left(struct stream_copy *copy)
{
	const struct rest *rest = (const struct rest *)copy;
	struct etw_statistics left;
	uint32_t cpu;

	if (control_try_statistics(rest->fd, rest->id, ETW_ALL_PROCESSORS, &left))
		return;
	for (cpu = 0; cpu < left.processors; cpu++)
		if (!control_try_statistics(rest->fd, rest->id, cpu, &left))
			unwritten_add(&copy->writer.unwritten, cpu, left.buffered, 0);
}

static int read_rest(int fd, uint32_t id, const char *name, const struct stop_request *request)
{
	struct rest rest = {
		.copy = {
			.only_what_fits = true, .count_left = count_left,
			.writer.keep_old = true,
		},
		.fd = fd, .id = id,
	};
	int stream, code = EXIT_FAILED;
	char node[64];

	_Static_assert(!offsetof(struct rest, copy), "count_left() casts");
	snprintf(node, sizeof(node), ETW_SESSION_NODE, id);
	stream = open(node, O_RDONLY | O_CLOEXEC);
	if (stream < 0)
		return failed("%s: %s", node, strerror(errno));
	if (!request->quiet)
		copy_progress_show(&rest.copy);
	if (stream_copy_open(&rest.copy, request->save))
		failed("stop: %s has stopped and keeps its events ('etw stop -d FILE %s' saves "
		       "them, 'etw stop --discard %s' discards them)", name, name, name);
	else if (!stream_copy_run(&rest.copy, stream))
		code = EXIT_OK;
	else if (rest.copy.writer.error)
		failed("stop: %s keeps the events that are not in %s ('etw stop -d FILE %s' saves "
		       "them, 'etw stop --discard %s' discards them)", name, request->save, name,
		       name);
	if (request->quiet)
		report_losses(request->save, rest.copy.header.events_lost);
	close(stream);
	return code;
}

/* The writer of the file has ended for a reason that it could not print. */
static int check_writer(const struct session_information *before)
{
	char note[PATH_MAX + 256];

	if (!failure_note_read(before->name, note, sizeof(note)))
		return EXIT_OK;
	failure_note_remove(before->name);
	return failed("stop: %s", note);
}

/* Reports losses that the file of the session does not contain. */
static void report_session(int fd, uint32_t id, const struct session_information *before,
			   const struct stop_request *request)
{
	static struct session_information now;
	struct etw_statistics left;
	const char *name = before->name;

	if (control_try_query(fd, id, &now) ||
	    now.info.wnode.time_stamp != before->info.wnode.time_stamp)
		now = *before;
	report_losses(name, now.info.events_lost);
	if (request->quiet || request->discard || before->info.real_time_consumer_count ||
	    control_try_statistics(fd, id, ETW_ALL_PROCESSORS, &left))
		return;
	fprintf(stderr, "etw: %s: stopped; %" PRIu64 " events stay in memory ('etw stop -d FILE "
		"%s' saves them, 'etw stop --discard %s' discards them)\n", name,
		(uint64_t)left.buffered, name, name);
}

/* After STOP. The reader is the one that was there before. */
static int settle(int fd, uint32_t id, const struct session_information *before,
		  const struct stop_request *request)
{
	const char *save = request->save;
	bool quiet = request->quiet;
	bool buffering = before->info.log_file_mode & EVENT_TRACE_BUFFERING_MODE;
	bool has_file = before->file[0], known = before->file[0] == '/';
	int code;

	if (!before->info.real_time_consumer_count && save)
		return read_rest(fd, id, before->name, request);
	if (!known || strchr(before->file, '%') || !before->info.real_time_consumer_count)
		report_session(fd, id, before, request);
	if (!before->info.real_time_consumer_count)
		return 0;
	if ((has_file || buffering) && await_reader(fd, id, before))
		return EXIT_FAILED;
	code = check_writer(before);
	if (!has_file || strchr(before->file, '%'))
		return save ? failed("stop: %s: the session does not name its file", before->name) :
			      code;
	if (save)
		return move_file(before->file, save, quiet) || code ? EXIT_FAILED : EXIT_OK;
	/* that of another reader by hand, or of another machine's tool */
	return (known && report_file(before->file, quiet)) || code ? EXIT_FAILED : EXIT_OK;
}

static int finalize(const struct session_information *before, const struct stop_request *request)
{
	const struct finalize_options how = {
		.sysroot = "", .quiet = request->quiet, .no_server = true,
	};
	const char *save = request->save;

	if (!save && (before->file[0] != '/' || strchr(before->file, '%')))
		return failed("stop: %s: the session does not name its file ('etw finalize FILE' "
			      "does the same)", before->name);
	return finalize_file(save ? save : before->file, &how);
}

/* Its reader has what would go there, and a file gets a name, which this is none. */
static int check_save(const struct session_information *before, const char *save)
{
	if (!save || strcmp(save, "-") || !before->info.real_time_consumer_count)
		return 0;
	if (before->file[0])
		return failed("stop: %s: the session was not stopped: its events are written to %s, not "
			      "to standard output", before->name, before->file);
	return failed("stop: %s: the session was not stopped: another program reads it, so that "
		      "nothing is left for standard output", before->name);
}

/* One that was stopped before can be saved or discarded, but not be stopped again. */
static int end_session(int fd, uint32_t id, const struct session_information *before,
		       const struct stop_request *request)
{
	struct etw_statistics numbers;

	if (before->info.real_time_consumer_count || request->discard ||
	    control_try_statistics(fd, id, ETW_ALL_PROCESSORS, &numbers) ||
	    numbers.state != ETW_SESSION_STOPPED)
		return control_stop(fd, id, request->discard);
	if (request->save)
		return 0;
	return failed("stop: %s has stopped; %" PRIu64 " events stay in memory ('etw stop -d FILE "
		      "%s' saves them, 'etw stop --discard %s' discards them)", before->name,
		      (uint64_t)numbers.buffered, before->name, before->name);
}

static int stop_found(int fd, uint32_t id, const struct stop_request *request)
{
	static struct session_information before;
	struct etw_statistics numbers = { };
	int code;

	if (control_query(fd, id, &before) || check_save(&before, request->save))
		return EXIT_FAILED;
	/* a writer of a file does not describe the disks: stop does it */
	if (before.info.real_time_consumer_count && before.file[0] && session_is_kernel(&before))
		sysconfig_log(fd, id);
	control_try_statistics(fd, id, ETW_ALL_PROCESSORS, &numbers);
	if (end_session(fd, id, &before, request))
		return EXIT_FAILED;
	if (request->discard) {
		report_session(fd, id, &before, request);
		return EXIT_OK;
	}
	code = settle(fd, id, &before, request);
	if (before.info.real_time_consumer_count && !request->quiet)
		memory_report(&numbers, before.info.maximum_buffers);
	if (code || request->raw)
		return code;
	if (request->final)
		return finalize(&before, request);
	return request->save ? finalize_recorded("stop", request->save,
						 before.info.log_file_mode, false, request->quiet,
						 NULL) : 0;
}

static int stop_session(const char *name, const struct stop_request *request)
{
	int fd = control_open(), code = EXIT_FAILED;
	uint32_t id;

	if (fd < 0)
		return EXIT_FAILED;
	if (control_find(fd, "stop", name, &id))
		failure_note_remove(name);
	else
		code = stop_found(fd, id, request);
	/* those that 'etw start' has made for the session */
	probes_sweep();
	close(fd);
	return code;
}

static int check_usage(int words, const struct stop_request *request)
{
	if (words != 1)
		return usage_error(&verb_stop, "stop: exactly one session is needed");
	if (request->save && request->discard)
		return usage_error(&verb_stop, "stop: --save and --discard are mutually exclusive");
	if (request->final && request->discard)
		return usage_error(&verb_stop,
				   "stop: --finalize and --discard are mutually exclusive");
	if (request->final && request->raw)
		return usage_error(&verb_stop, "stop: --finalize and --raw are mutually exclusive");
	if (request->final && request->save && !strcmp(request->save, "-"))
		return usage_error(&verb_stop, "stop: --finalize needs a file, not standard output");
	return EXIT_OK;
}

static int stop(int argc, char **argv)
{
	struct stop_request request = { };
	int c, code;

	while ((c = next_verb_option(&verb_stop, argc, argv)) != -1) {
		if (c == '?')
			return EXIT_USAGE;
		if (c == OPTION_HELP)
			return print_help(&verb_stop);
		if (c == 'd')
			request.save = optarg;
		else if (c == OPTION_FINALIZE)
			request.final = true;
		else if (c == OPTION_RAW)
			request.raw = true;
		else if (c == OPTION_QUIET)
			request.quiet = true;
		else
			request.discard = true;
	}
	code = check_usage(argc - optind, &request);
	return code ? code : stop_session(argv[optind], &request);
}

const struct verb verb_stop = {
	.name = "stop", .summary = "end a session",
	.help = help, .options = options, .run = stop,
};
