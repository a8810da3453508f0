// SPDX-License-Identifier: GPL-2.0
/* etw stop: ends a session; waits for its file; puts that where it is wanted. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "../libetl/final_header.h"
#include "control/control_calls.h"
#include "copy_progress.h"
#include "etw.h"
#include "finalize.h"

static const char help[] =
	"stop [options] NAME|ID\n\n"
	"Ends a session. When it has a file, this waits until that is closed. Without one, what\n"
	"the session holds can still be read from its node; it is gone when that was read.\n\n"
	"  -d, --save FILE   afterwards the file is FILE; a session without a reader is read,\n"
	"                    with - to standard output\n"
	"      --finalize    the file gets build-ids and kernel symbols: 'etw finalize'\n"
	"      --discard     throw away what was not read\n"
	"  -q, --quiet       no progress and no summary; losses are told\n"
	"  -h, --help        this text\n";

static const struct option options[] = {
	{ "save", required_argument, NULL, 'd' },
	{ "finalize", no_argument, NULL, 'F' },
	{ "discard", no_argument, NULL, 'D' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

/**
 * struct stop_request - what is asked for
 * @save: file for what the session recorded; NULL: where it is
 * @discard: what was not read
 * @final: the file is made final
 * @quiet: no progress and no summary
 */
struct stop_request {
	const char *save;
	bool discard;
	bool final;
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
static void tell_losses(const char *name, uint32_t lost)
{
	if (lost)
		warn("%s: %u events lost", name, lost);
}

static int tell_file(const char *name, bool quiet)
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
		return failed("%s was not closed; 'etw close' mends it", name);
	if (quiet)
		tell_losses(name, final.events_lost);
	else
		fprintf(stderr, "etw: %s: %.1f MB, %u buffers, %u events lost\n", name,
			size / 1e6, final.buffers_written, final.events_lost);
	return 0;
}

static int move_file(const char *from, const char *to, bool quiet)
{
	if (!rename(from, to))
		return tell_file(to, quiet);
	if (errno == EXDEV)
		return failed("%s is on another file system; the trace is %s", to, from);
	return failed("%s: %s; the trace is %s", to, strerror(errno), from);
}

static int read_rest(uint32_t id, const char *path, bool quiet)
{
	struct stream_copy copy = { };
	int stream, code;
	char node[64];

	snprintf(node, sizeof(node), ETW_SESSION_NODE, id);
	stream = open(node, O_RDONLY | O_CLOEXEC);
	if (stream < 0)
		return failed("%s: %s", node, strerror(errno));
	if (!quiet)
		copy_progress_show(&copy);
	code = stream_copy_open(&copy, path) || stream_copy_run(&copy, stream) ? EXIT_FAILED :
	       EXIT_OK;
	if (quiet)
		tell_losses(path, copy.header.events_lost);
	close(stream);
	return code;
}

/* After STOP. The reader is the one that was there before. */
static int settle(int fd, uint32_t id, const struct session_information *before,
		  const struct stop_request *request)
{
	const char *save = request->save;
	bool quiet = request->quiet;
	bool buffering = before->info.log_file_mode & EVENT_TRACE_BUFFERING_MODE;
	bool has_file = before->file[0];

	if (!before->info.real_time_consumer_count)
		return save ? read_rest(id, save, quiet) : 0;
	if ((has_file || buffering) && await_reader(fd, id, before))
		return EXIT_FAILED;
	if (!has_file || strchr(before->file, '%'))
		return save ? failed("stop: it is not told which file the session had") : 0;
	/* that of another reader by hand, or of another machine's tool */
	if (before->file[0] != '/')
		return save ? move_file(before->file, save, quiet) : 0;
	return save ? move_file(before->file, save, quiet) : tell_file(before->file, quiet);
}

static int finalize(const struct session_information *before, const struct stop_request *request)
{
	const struct finalize_options how = { .sysroot = "", .quiet = request->quiet };
	const char *save = request->save;

	if (!save && (before->file[0] != '/' || strchr(before->file, '%')))
		return failed("stop: it is not told which file to make final");
	return finalize_file(save ? save : before->file, &how);
}

/* Its reader has what would go there, and a file gets a name, which this is none. */
static int check_save(const struct session_information *before, const char *save)
{
	if (!save || strcmp(save, "-") || !before->info.real_time_consumer_count)
		return 0;
	if (before->file[0])
		return failed("stop: %s: it is written to %s, so not to standard output; it goes "
			      "on", before->name, before->file);
	return failed("stop: %s: somebody reads it, so not to standard output; it goes on",
		      before->name);
}

static int stop_session(const char *name, const struct stop_request *request)
{
	static struct session_information before;
	int fd = control_open(), code = EXIT_FAILED;
	uint32_t id;

	if (fd < 0)
		return EXIT_FAILED;
	if (!control_find(fd, "stop", name, &id) && !control_query(fd, id, &before) &&
	    !check_save(&before, request->save)) {
		/* who writes a file leaves it to us to describe the disks */
		if (before.info.real_time_consumer_count && before.file[0] &&
		    session_is_kernel(&before))
			sysconfig_log(fd, id);
		if (!control_stop(fd, id, request->discard))
			code = request->discard ? EXIT_OK : settle(fd, id, &before, request);
		if (!code && request->final)
			code = finalize(&before, request);
	}
	close(fd);
	return code;
}

static int check_usage(int words, const struct stop_request *request)
{
	if (words != 1)
		return usage_error(&verb_stop, "stop: exactly one session is needed");
	if (request->save && request->discard)
		return usage_error(&verb_stop, "stop: save and discard are two things");
	if (request->final && request->discard)
		return usage_error(&verb_stop, "stop: finalize and discard are two things");
	if (request->final && request->save && !strcmp(request->save, "-"))
		return usage_error(&verb_stop, "stop: finalize a file, not a stream");
	return EXIT_OK;
}

static int stop(int argc, char **argv)
{
	struct stop_request request = { };
	int c, code;

	while ((c = next_option(&verb_stop, argc, argv, ":d:qh", options)) != -1) {
		if (c == '?')
			return EXIT_USAGE;
		if (c == 'h')
			return print_help(&verb_stop);
		if (c == 'd')
			request.save = optarg;
		else if (c == 'F')
			request.final = true;
		else if (c == 'q')
			request.quiet = true;
		else
			request.discard = true;
	}
	code = check_usage(argc - optind, &request);
	return code ? code : stop_session(argv[optind], &request);
}

const struct verb verb_stop = {
	.name = "stop", .summary = "end a session",
	.help = help, .run = stop,
};
