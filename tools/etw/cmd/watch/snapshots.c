// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The snapshots of etw watch, and the command that each of them is given to. */
#define _GNU_SOURCE
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cmd/finalize/finalize.h"
#include "cmd/snapshot.h"
#include "control/control_calls.h"
#include "libetl/text.h"
#include "etw.h"
#include "snapshots.h"

const char *snapshots_check_pattern(const char *pattern, bool single)
{
	const char *percent = strchr(pattern, '%');

	if (!percent)
		return single ? NULL : "more than one snapshot needs a %d in the name";
	if (percent[1] != 'd' || strchr(percent + 1, '%'))
		return "one %d and no other % may be in the name";
	return NULL;
}

/* A file that exists stays. */
static int choose_path(struct snapshots *snapshots)
{
	const char *pattern = snapshots->pattern, *percent = strchr(pattern, '%');
	int length;

	do {
		snapshots->number++;
		if (percent)
			length = snprintf(snapshots->path, sizeof(snapshots->path), "%.*s%u%s",
					  (int)(percent - pattern), pattern, snapshots->number,
					  percent + 2);
		else
			length = snprintf(snapshots->path, sizeof(snapshots->path), "%s", pattern);
		if (length >= (int)sizeof(snapshots->path)) {
			failed("watch: %s: %s", pattern, strerror(ENAMETOOLONG));
			return -1;
		}
	} while (percent && !access(snapshots->path, F_OK) && snapshots->number < UINT32_MAX);
	return 0;
}

/*
 * The signals that end the watch stay blocked: the file becomes whole. The watch's sessions are
 * tied to descriptors, which must not outlive it here.
 */
static void write_file(const struct snapshots *snapshots)
{
	int code;

	close_range(STDERR_FILENO + 1, ~0U, 0);
	code = snapshot_take(snapshots->session, snapshots->path, true, true);
	/* a file that does not get names, for which a message gives the reason, is whole */
	if (!code && !snapshots->raw)
		finalize_recorded("watch", snapshots->path, EVENT_TRACE_BUFFERING_MODE, false,
				  true, NULL);
	_exit(code);
}

int snapshots_begin(struct snapshots *snapshots, const char *condition, const char *reason)
{
	pid_t pid;

	snprintf(snapshots->condition, sizeof(snapshots->condition), "%s", condition);
	snprintf(snapshots->reason, sizeof(snapshots->reason), "%s", reason);
	text_escape_control(snapshots->reason);
	if (choose_path(snapshots))
		return -1;
	fflush(stdout);
	pid = fork();
	if (pid < 0) {
		failed("watch: fork: %s", strerror(errno));
		return -1;
	}
	if (!pid)
		write_file(snapshots);
	snapshots->writer = pid;
	return 0;
}

/* JSON is UTF-8; a path need not be. */
static void put(json_t *to, const char *name, const char *text)
{
	char valid[2 * PATH_MAX];

	text_from_bytes((const uint8_t *)text, strlen(text), valid, sizeof(valid));
	json_object_set_new(to, name, json_string(valid));
}

static void announce(const struct snapshots *snapshots)
{
	json_t *line;

	if (!snapshots->json) {
		printf("%s: %s (%s)\n", snapshots->path, snapshots->reason,
		       snapshots->condition);
		fflush(stdout);
		return;
	}
	line = json_object();
	put(line, "snapshot", snapshots->path);
	put(line, "session", snapshots->session);
	put(line, "condition", snapshots->condition);
	put(line, "reason", snapshots->reason);
	json_dumpf(line, stdout, JSON_COMPACT);
	json_decref(line);
	putchar('\n');
	fflush(stdout);
}

/* The text of a reason comes from the trace: it is given as it is, and no shell reads it. */
static void exec_command(const struct snapshots *snapshots)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGXFSZ, SIG_DFL);
	setenv("ETW_SNAPSHOT", snapshots->path, true);
	setenv("ETW_SESSION", snapshots->session, true);
	setenv("ETW_CONDITION", snapshots->condition, true);
	setenv("ETW_REASON", snapshots->reason, true);
	execlp(snapshots->command, snapshots->command, snapshots->path, NULL);
	failed("watch: --exec %s: %s", snapshots->command, strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

static void run_command(struct snapshots *snapshots)
{
	pid_t pid;

	if (!snapshots->command)
		return;
	if (snapshots->nr_commands == SNAPSHOTS_COMMANDS) {
		warn("watch: --exec: %u commands still run: %s is not given to one",
		     SNAPSHOTS_COMMANDS, snapshots->path);
		return;
	}
	pid = fork();
	if (!pid)
		exec_command(snapshots);
	if (pid < 0)
		warn("watch: --exec: fork: %s", strerror(errno));
	else
		snapshots->commands[snapshots->nr_commands++] = pid;
}

static void end_writer(struct snapshots *snapshots, int status)
{
	snapshots->writer = 0;
	if (WIFEXITED(status) && !WEXITSTATUS(status)) {
		announce(snapshots);
		run_command(snapshots);
		return;
	}
	snapshots->failures++;
	warn("watch: %s: no complete snapshot of: %s", snapshots->path, snapshots->reason);
}

/* A process that is none of the watch's may be its child, too: by exec, or if the watch is init. */
static bool remove_command(struct snapshots *snapshots, pid_t pid)
{
	unsigned int i;

	for (i = 0; i < snapshots->nr_commands; i++) {
		if (snapshots->commands[i] != pid)
			continue;
		snapshots->commands[i] = snapshots->commands[--snapshots->nr_commands];
		return true;
	}
	return false;
}

bool snapshots_reap(struct snapshots *snapshots)
{
	bool written = false;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == snapshots->writer) {
			end_writer(snapshots, status);
			written = true;
			continue;
		}
		if (!remove_command(snapshots, pid) ||
		    (WIFEXITED(status) && !WEXITSTATUS(status)))
			continue;
		snapshots->failures++;
		warn("watch: --exec %s: %s %d", snapshots->command,
		     WIFSIGNALED(status) ? "ended by signal" : "exit status",
		     WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	}
	return written;
}
