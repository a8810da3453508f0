// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The loop of etw watch: records, signals, snapshots. */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>
#include "etw_hooks.h"
#include "watch.h"

/* Flushes after a loss until all records from before it have come */
#define BLIND_FLUSHES	3
/* Messages about losses are at least this far apart */
#define REPORT_MS	10000

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ULL + now.tv_nsec / 1000000;
}

/* The recorder's file contains where the condition held; a session without kernel events cannot. */
static void put_mark(const struct watch *watch, const char *text)
{
	control_try_log_record(watch->recorder_fd, watch->recorder_id, PERFINFO_LOG_TYPE_MARK, 0,
			       text, strlen(text) + 1);
}

static bool has_enough(const struct watch *watch)
{
	return watch->count && watch->policy.taken >= watch->count;
}

static void take(struct watch *watch, const char *condition, const char *text)
{
	put_mark(watch, text);
	if (!snapshots_begin(&watch->snapshots, condition, text))
		return;
	watch->snapshots.failures++;
	policy_done(&watch->policy, now_ms());
}

static void fire(void *context, const struct condition *condition, uint64_t time,
		 const char *text)
{
	struct watch *watch = context;

	(void)time;
	if (has_enough(watch))
		return;
	switch (policy_ask(&watch->policy, now_ms())) {
	case POLICY_TAKE:
		take(watch, condition->text, text);
		return;
	case POLICY_BUSY:
		return;
	case POLICY_LIMIT:
		if (!watch->quiet && watch->policy.limited == 1)
			warn("watch: --limit %u/h is reached: no snapshot of: %s",
			     watch->policy.limit, text);
	}
}

static void fire_lost(struct watch *watch, uint64_t events)
{
	unsigned int i;
	char text[128];

	snprintf(text, sizeof(text), "the recorder lost %" PRIu64 " events", events);
	for (i = 0; i < watch->trigger.nr_conditions; i++)
		if (watch->trigger.condition[i].kind == CONDITION_LOST)
			fire(watch, &watch->trigger.condition[i], 0, text);
}

/* Return: false: the recorder has ended */
static bool look_at_recorder(struct watch *watch)
{
	struct etw_statistics statistics;
	uint64_t lost;

	if (control_try_statistics(watch->recorder_fd, watch->recorder_id, ETW_ALL_PROCESSORS,
				   &statistics) || statistics.state != ETW_SESSION_RUNNING)
		return false;
	lost = statistics_lost(&statistics);
	if (lost > watch->recorder_lost)
		fire_lost(watch, lost - watch->recorder_lost);
	watch->recorder_lost = lost;
	return true;
}

static void report_losses(struct watch *watch, bool last)
{
	uint64_t lost = watch->live.lost, now = now_ms();

	if (lost == watch->reported || (!last && now < watch->report_at))
		return;
	warn("watch: %" PRIu64 " events were lost while watching: a condition may have been missed",
	     lost - watch->reported);
	watch->reported = lost;
	watch->report_at = now + REPORT_MS;
}

/* All that happened before the last flush. Return: 0 or -1 */
static int look_at_records(struct watch *watch)
{
	struct live_stream *stream = &watch->live.stream;
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	int err = 0;

	if (live_session_lost(&watch->live)) {
		trigger_lost(&watch->trigger, true);
		watch->blind = BLIND_FLUSHES;
	}
	while (live_stream_next(stream, &record, &buffer)) {
		if (stream->gap)
			trigger_lost(&watch->trigger, watch->blind);
		if (!err)
			err = trigger_note(&watch->trigger, buffer, record);
	}
	if (err || !stream->has_limit || stream->limit == watch->limit)
		return err;
	watch->limit = stream->limit;
	if (watch->blind && !--watch->blind) {
		trigger_lost(&watch->trigger, false);
		/* ends of threads may be among what was lost */
		live_threads_sweep(&watch->trigger.threads, live_id_is_gone);
	}
	trigger_tick(&watch->trigger, watch->limit);
	return 0;
}

static void take_signals(struct watch *watch, int signals)
{
	struct signalfd_siginfo info;

	while (read(signals, &info, sizeof(info)) == sizeof(info)) {
		switch (info.ssi_signo) {
		case SIGCHLD:
			if (snapshots_reap(&watch->snapshots))
				policy_done(&watch->policy, now_ms());
			break;
		case SIGUSR1:
			watch->asked = true;
			watch->asked_by = info.ssi_pid;
			break;
		default:
			watch->interrupted++;
		}
	}
}

/* A user's own wish waits until the snapshot that is being written is complete. */
static void take_asked(struct watch *watch)
{
	char text[128];

	if (!watch->asked || !policy_force(&watch->policy, now_ms()))
		return;
	watch->asked = false;
	snprintf(text, sizeof(text), "process %u sent SIGUSR1", watch->asked_by);
	take(watch, "SIGUSR1", text);
}

/* Signals arrive by descriptor, so that none is lost between two polls. */
static int open_signals(void)
{
	static const int mine[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGUSR1, 0 };
	int signals;

	/* if it were ignored, the kernel would reap children, and no snapshot would seem to end */
	signal(SIGCHLD, SIG_DFL);
	signals = live_signals_open(mine);
	if (signals < 0)
		failed("watch: signalfd: %s", strerror(errno));
	return signals;
}

/* Return: whether the watch goes on */
static bool step(struct watch *watch)
{
	int result = live_session_read(&watch->live);

	if (result < 0 || look_at_records(watch)) {
		watch->result = EXIT_FAILED;
		return false;
	}
	if (result || !look_at_recorder(watch)) {
		watch->result = failed("watch: %s", result ?
			"the watch's session was stopped by another program" :
			"the recorder has ended");
		return false;
	}
	report_losses(watch, false);
	take_asked(watch);
	return !watch->interrupted && !has_enough(watch);
}

/* What is being written becomes whole, and its command ends, unless a second signal comes. */
static void await_children(struct watch *watch, int signals)
{
	struct pollfd fd = { .fd = signals, .events = POLLIN };
	unsigned int most = watch->interrupted + 1;

	while ((watch->snapshots.writer || watch->snapshots.nr_commands) &&
	       watch->interrupted < most) {
		if (poll(&fd, 1, 1000) > 0)
			take_signals(watch, signals);
	}
}

static void summarize(const struct watch *watch)
{
	const struct policy *policy = &watch->policy;

	if (watch->quiet)
		return;
	fprintf(stderr, "etw: watch: %" PRIu64 " snapshots; conditions held %" PRIu64
		" times during one or just after it, and %" PRIu64 " times above --limit\n",
		policy->taken, policy->ignored, policy->limited);
}

int watch_loop(struct watch *watch)
{
	int signals = open_signals();
	struct pollfd fds[2] = {
		{ .fd = watch->live.node, .events = POLLIN },
		{ .fd = signals, .events = POLLIN },
	};

	if (signals < 0)
		return EXIT_FAILED;
	watch->trigger.fire = fire;
	watch->trigger.context = watch;
	if (!watch->quiet)
		fprintf(stderr, "etw: watching '%s'\n", watch->name);
	look_at_recorder(watch);
	do {
		poll(fds, 2, 1000);
		take_signals(watch, signals);
	} while (step(watch));
	report_losses(watch, true);
	await_children(watch, signals);
	close(signals);
	summarize(watch);
	return watch->snapshots.failures && !watch->result ? EXIT_FAILED : watch->result;
}
