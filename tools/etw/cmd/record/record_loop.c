// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The loop of a recording: stream to file until command, signal or session end it. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>
#include "common/progress_line.h"
#include "etw.h"
#include "record.h"

#define CHUNK		(1 << 20)
/* How long a command may take to end after we passed a signal on to it */
#define GRACE_MS	3000

static uint8_t chunk[CHUNK];

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ULL + now.tv_nsec / 1000000;
}

/*
 * Copies what is there now, but not for ever: signals want to be seen. After a
 * failed write the stream is only drained.
 */
static int copy_stream(struct recording *recording)
{
	ssize_t n;
	int i;

	for (i = 0; i < 16; i++) {
		n = read(recording->session, chunk, sizeof(chunk));
		if (n > 0) {
			writer_put(&recording->writer, chunk, n);
			if ((size_t)n < sizeof(chunk))
				return 0;
		} else if (!n) {
			recording->ended = true;
			return 0;
		} else if (errno == EAGAIN) {
			return 0;
		} else if (errno != EINTR) {
			failed("reading the session: %s", strerror(errno));
			return -1;
		}
	}
	return 0;
}

static void take_signals(struct recording *recording, int signals)
{
	struct signalfd_siginfo info;

	while (read(signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD) {
			command_reap(recording);
			continue;
		}
		if (!recording->interrupted++)
			recording->deadline = now_ms() + GRACE_MS;
		/* The terminal sent its Ctrl-C to the command as well. */
		if (recording->child && info.ssi_code != SI_KERNEL)
			kill(recording->child, info.ssi_signo);
	}
}

static bool command_is_over(const struct recording *recording)
{
	return !recording->child || recording->interrupted > 1 ||
	       (recording->interrupted && now_ms() >= recording->deadline);
}

/* What comes is no longer written. */
static bool file_is_over(const struct recording *recording)
{
	return recording->writer.error || recording->writer.full;
}

static bool time_is_over(const struct recording *recording)
{
	return recording->end && now_ms() >= recording->end;
}

static bool is_over(const struct recording *recording)
{
	if (recording->ended || file_is_over(recording) || time_is_over(recording))
		return true;
	return recording->ran ? command_is_over(recording) : recording->interrupted;
}

/* How long to wait for the stream or a signal, in ms */
static int patience(const struct recording *recording)
{
	uint64_t now = now_ms();

	if (!recording->end || recording->end >= now + 200)
		return 200;
	return recording->end > now ? recording->end - now : 0;
}

static int loop(struct recording *recording, int signals)
{
	struct pollfd fds[2] = {
		/* poll() reports a hang-up even without events */
		{ .fd = recording->session, .events = recording->deferred ? 0 : POLLIN },
		{ .fd = signals, .events = POLLIN },
	};
	uint64_t next = now_ms() + 1000;

	if (recording->duration_ms)
		recording->end = now_ms() + recording->duration_ms;
	while (!is_over(recording)) {
		if (poll(fds, 2, patience(recording)) < 0 && errno != EINTR) {
			failed("poll: %s", strerror(errno));
			return -1;
		}
		if (fds[1].revents)
			take_signals(recording, signals);
		if (fds[0].revents && copy_stream(recording))
			return -1;
		if (now_ms() >= next) {
			report_progress(recording);
			next = now_ms() + 1000;
		}
	}
	return 0;
}

/* After STOP: the rest of the stream */
static int drain(struct recording *recording)
{
	struct pollfd fd = { .fd = recording->session, .events = POLLIN };

	while (!recording->ended) {
		if (poll(&fd, 1, 1000) < 0 && errno != EINTR)
			return -1;
		if (copy_stream(recording))
			return -1;
	}
	return 0;
}

static int end_session(struct recording *recording)
{
	if (recording->ended) {
		if (!recording->background)
			warn("the session was stopped by another program");
		return EXIT_OK;
	}
	if (recording->writer.full)
		warn("%s is full: recording ends", recording->writer.name);
	else if (recording->writer.error && recording->child)
		warn("recording ends; %s goes on", recording->command[0]);
	if (recording->request.mode & EVENT_TRACE_SYSTEM_LOGGER_MODE)
		sysconfig_log(recording->control, recording->id);
	if (control_stop(recording->control, recording->id, false) || drain(recording))
		return EXIT_FAILED;
	return EXIT_OK;
}

/*
 * The losses are final once the session has stopped and was read; it is still
 * known then, because its stream is open.
 */
static int finish(struct recording *recording)
{
	struct etw_statistics statistics = { };
	int code = end_session(recording);

	control_try_statistics(recording->control, recording->id, ETW_ALL_PROCESSORS, &statistics);
	progress_line_clear();
	if (writer_finish(&recording->writer))
		code = EXIT_FAILED;
	report_summary(recording, &statistics);
	return code;
}

/* A full file or disk, or the time, ends the recording, not what is recorded. */
static void await_command(struct recording *recording, int signals)
{
	struct pollfd fd = { .fd = signals, .events = POLLIN };

	while ((file_is_over(recording) || time_is_over(recording)) && !command_is_over(recording))
		if (poll(&fd, 1, recording->interrupted ? 200 : -1) > 0)
			take_signals(recording, signals);
}

void recording_hold_signals(sigset_t *mask, sigset_t *old_mask)
{
	sigemptyset(mask);
	sigaddset(mask, SIGINT);
	sigaddset(mask, SIGTERM);
	sigaddset(mask, SIGHUP);
	sigaddset(mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, mask, old_mask);
}

/* Signals arrive by descriptor, so that none is lost between two polls. */
static int open_signals(sigset_t *old_mask)
{
	sigset_t mask;

	recording_hold_signals(&mask, old_mask);
	return signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC);
}

int recording_run(struct recording *recording)
{
	sigset_t old_mask;
	int signals = open_signals(&old_mask);
	int code = EXIT_OK, command;

	if (signals < 0)
		return failed("signalfd: %s", strerror(errno));
	if (recording->tables)
		recording->sender = unwind_sender_begin(recording->control, recording->id,
							&recording->first);
	unwind_command_free(&recording->first.command);
	if (recording->command && command_start(recording, &old_mask))
		code = EXIT_FAILED;
	/* without a command there is no recording: its session ends with our descriptor */
	if (!code && !recording->exec_error && loop(recording, signals))
		code = EXIT_FAILED;
	if (!recording->exec_error && finish(recording))
		code = EXIT_FAILED;
	/* it may be in the middle of a large file, and the stream must be read meanwhile */
	unwind_sender_end(recording->sender);
	await_command(recording, signals);
	/* what came until now was for the recording, what comes is for what follows it */
	take_signals(recording, signals);
	close(signals);
	sigprocmask(SIG_SETMASK, &old_mask, NULL);
	command = command_exit_code(recording);
	return code ? code : command;
}
