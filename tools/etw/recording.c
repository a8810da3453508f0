// SPDX-License-Identifier: GPL-2.0
/* The loop of etw record: stream to file until the command or a signal ends it. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "closing.h"
#include "etw.h"
#include "recording.h"
#include "etw_format.h"

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

static void write_all(struct recording *recording, size_t bytes)
{
	size_t done = 0;
	ssize_t n;

	while (done < bytes && !recording->write_error) {
		n = write(recording->output, chunk + done, bytes - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			recording->write_error = errno;
			failed("%s: %s", recording->path, strerror(errno));
			return;
		}
		done += n;
	}
	recording->bytes += done;
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
			if (!recording->write_error)
				write_all(recording, n);
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
		recording->interrupted++;
		/* The terminal sent its Ctrl-C to the command as well. */
		if (recording->child && info.ssi_code != SI_KERNEL)
			kill(recording->child, info.ssi_signo);
	}
}

static bool is_over(const struct recording *recording, uint64_t deadline)
{
	if (recording->ended || recording->write_error || recording->exec_error)
		return true;
	if (recording->ran)
		return !recording->child || (recording->interrupted && now_ms() >= deadline) ||
		       recording->interrupted > 1;
	return recording->interrupted;
}

static int loop(struct recording *recording, int signals)
{
	struct pollfd fds[2] = {
		{ .fd = recording->session, .events = POLLIN },
		{ .fd = signals, .events = POLLIN },
	};
	uint64_t next = now_ms() + 1000, deadline = UINT64_MAX;

	while (!is_over(recording, deadline)) {
		if (poll(fds, 2, 200) < 0 && errno != EINTR) {
			failed("poll: %s", strerror(errno));
			return -1;
		}
		if (fds[1].revents)
			take_signals(recording, signals);
		if (recording->interrupted && deadline == UINT64_MAX)
			deadline = now_ms() + GRACE_MS;
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

/*
 * The losses are final once the session has stopped and was read; it is still
 * known then, because its stream is open.
 */
static void get_results(const struct recording *recording, struct etw_statistics *statistics,
			struct closing *closing)
{
	static struct session_information session;

	if (!control_try_query(recording->control, recording->id, &session)) {
		closing->events_lost = session.info.events_lost;
		closing->buffers_lost = session.info.log_buffers_lost;
	}
	control_try_statistics(recording->control, recording->id, ETW_ALL_PROCESSORS, statistics);
}

static int close_file(struct recording *recording, struct closing *closing)
{
	struct wmi_buffer_header header;
	struct stat stat;
	uint64_t whole;
	int err;

	if (fstat(recording->output, &stat) || !S_ISREG(stat.st_mode))
		return 0;	/* a pipe: an unclosed stream is all that it can get */
	if (pread(recording->output, &header, sizeof(header), 0) != sizeof(header) ||
	    header.buffer_size <= sizeof(header))
		return failed("%s: nothing was recorded", recording->path);
	/* All buffers of a stream have one size. */
	whole = recording->bytes / header.buffer_size;
	if (!whole)
		return failed("%s: nothing was recorded", recording->path);
	if (ftruncate(recording->output, whole * header.buffer_size))
		return failed("%s: %s", recording->path, strerror(errno));
	recording->buffers = whole;
	closing->buffers_written = whole;
	closing->last_buffer = (whole - 1) * header.buffer_size;
	err = closing_end_of(recording->output, closing->last_buffer, &closing->end_time);
	if (!err)
		err = closing_write(recording->output, closing);
	return err ? failed("%s: closing it: %s", recording->path, strerror(-err)) : 0;
}

static int finish(struct recording *recording)
{
	struct etw_statistics statistics = { };
	struct closing closing = { };
	int code = EXIT_OK;

	if (!recording->ended) {
		sysconfig_log(recording->control, recording->id);
		if (control_stop(recording->control, recording->id, false))
			code = EXIT_FAILED;
		else if (drain(recording))
			code = EXIT_FAILED;
	} else {
		warn("the session was stopped by someone else");
	}
	get_results(recording, &statistics, &closing);
	report_clear(recording);
	if (close_file(recording, &closing) || recording->write_error)
		code = EXIT_FAILED;
	report_summary(recording, &statistics);
	return code;
}

/* Signals arrive by descriptor, so that none is lost between two polls. */
static int open_signals(sigset_t *old_mask)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGHUP);
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, &mask, old_mask);
	return signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC);
}

int recording_run(struct recording *recording)
{
	sigset_t old_mask;
	int signals = open_signals(&old_mask);
	int code = EXIT_OK;

	if (signals < 0)
		return failed("signalfd: %s", strerror(errno));
	if (recording->command && command_start(recording, &old_mask))
		code = EXIT_FAILED;
	if (!code && loop(recording, signals))
		code = EXIT_FAILED;
	if (finish(recording))
		code = EXIT_FAILED;
	close(signals);
	return code ? code : command_exit_code(recording);
}
