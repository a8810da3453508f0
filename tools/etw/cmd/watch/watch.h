/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A watch under way: a flight recorder, a session of the watch's own, and conditions. */
#ifndef ETW_WATCH_H
#define ETW_WATCH_H

#include "live/live_session.h"
#include "policy.h"
#include "snapshots.h"
#include "trigger.h"

/**
 * struct watch - what etw watch works on
 * @recorder: options of the recorder, if the watch starts it
 * @starts: it does
 * @chooses: a profile or events were given for it
 * @name: of the recorder
 * @recorder_fd: /dev/etw/control, which a recorder of the watch is tied to
 * @recorder_id: its logger id
 * @recorder_lost: events that it has lost so far
 * @live: the session whose records the conditions are about
 * @blind: flushes until conditions on time hold again
 * @limit: time of the last flush that was looked at
 * @count: snapshots after which the watch ends; 0: never
 * @quiet: no messages about the watch itself
 * @asked: a user asked for a snapshot
 * @asked_by: process that did
 * @interrupted: signals that asked the watch to end
 * @reported: lost events that a message has reported
 * @report_at: when the next such message may come, in ms
 * @result: exit code
 */
struct watch {
	struct session_options recorder;
	bool starts;
	bool chooses;
	const char *name;
	int recorder_fd;
	uint32_t recorder_id;
	uint64_t recorder_lost;
	struct live_session live;
	struct trigger trigger;
	struct policy policy;
	struct snapshots snapshots;
	unsigned int blind;
	uint64_t limit;
	uint32_t count;
	bool quiet;
	bool asked;
	uint32_t asked_by;
	unsigned int interrupted;
	uint64_t reported;
	uint64_t report_at;
	int result;
};

/* watch_open.c: both sessions. Return: 0, or an exit code after a message */
int watch_open(struct watch *watch);
void watch_close(struct watch *watch);
/* watch_loop.c: until it is over. Return: exit code */
int watch_loop(struct watch *watch);

#endif /* ETW_WATCH_H */
