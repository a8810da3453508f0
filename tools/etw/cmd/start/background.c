// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The writer of a session's file in the background. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "background.h"
#include "common/failure_note.h"
#include "cmd/record/record.h"

int background_prepare(struct session_options *options)
{
	static char path[PATH_MAX];
	char directory[PATH_MAX];

	options->request.flags |= ETW_START_TIED;
	if (!strcmp(options->file, "-"))
		return option_error(options, "standard output ends with this command: -f FILE");
	if (options->file[0] == '/')
		return 0;
	if (!getcwd(directory, sizeof(directory)))
		return failed("the current directory: %s", strerror(errno));
	if (snprintf(path, sizeof(path), "%s/%s", directory, options->file) >= (int)sizeof(path))
		return failed("%s: %s", options->file, strerror(ENAMETOOLONG));
	options->file = path;
	return 0;
}

/* Detaches from the terminal: messages go to the system's log from now on. */
static void detach(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	messages_to_syslog();
	if (chdir("/"))
		warn("/: %s", strerror(errno));
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	if (null > STDERR_FILENO)
		close(null);
}

/* Before the session has ended: a caller that waits for its end finds the reason. */
static void note_failure(const struct recording *recording)
{
	const struct writer *writer = &recording->writer;
	char text[PATH_MAX + 256];

	if (!writer->error)
		return;
	snprintf(text, sizeof(text), "session '%s' has ended: %s: %s; %" PRIu64
		 " events could not be written", recording->request.name, writer->path,
		 strerror(writer->error), writer->unwritten.events);
	failure_note_write(recording->request.name, text);
}

static int write_file(const struct session_options *options, int ready)
{
	struct recording recording;
	sigset_t mask, old_mask;
	int code = EXIT_FAILED;

	setsid();
	/* a signal may come as soon as the parent returns: the file must be complete then, too */
	recording_hold_signals(&mask, &old_mask);
	recording_init(&recording, options);
	recording.quiet = true;
	recording.background = true;
	if (!recording_open(&recording)) {
		detach();
		if (write(ready, &recording.id, sizeof(recording.id)) == sizeof(recording.id)) {
			close(ready);
			code = recording_run(&recording);
			note_failure(&recording);
		}
	}
	recording_close(&recording);
	return code;
}

int background_run(const struct session_options *options)
{
	uint32_t id;
	int ready[2];
	pid_t pid;

	if (pipe2(ready, O_CLOEXEC))
		return failed("pipe: %s", strerror(errno));
	failure_note_remove(options->request.name);
	pid = fork();
	if (pid < 0)
		return failed("fork: %s", strerror(errno));
	if (!pid) {
		close(ready[0]);
		_exit(write_file(options, ready[1]));
	}
	close(ready[1]);
	/* without an id it has said why */
	if (read(ready[0], &id, sizeof(id)) != sizeof(id)) {
		waitpid(pid, NULL, 0);
		return EXIT_FAILED;
	}
	printf("%u " ETW_SESSION_NODE " %s\n", id, id, options->file);
	return EXIT_OK;
}
