/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A recording under way: a session, its stream, the files it goes to. */
#ifndef ETW_RECORD_H
#define ETW_RECORD_H

#include <signal.h>
#include <sys/types.h>
#include "libetl/writer.h"
#include "control/control_calls.h"
#include "options/session_options.h"
#include "unwind/unwind_sender.h"

/**
 * struct recording - what etw record, and the writer of etw start, work on
 * @request: for START
 * @writer: the files
 * @command: its argv or NULL
 * @quiet: no progress, no summary
 * @tables: the session gets unwind tables
 * @deferred: the stream is read when the session has stopped: until then the
 *	oldest events make room for new ones in memory
 * @background: it ends with the session
 * @duration_ms: how long to record; 0: until the command or the user ends it
 * @end: when that time is over, in ms; 0: never
 * @first: unwind tables that the session gets before the command starts
 * @sender: hands unwind tables to the session; may be NULL
 * @control: /dev/etw/control, which the session is tied to
 * @session: its stream
 * @id: logger id
 * @child: the command's process; 0: none, or it has ended
 * @status: the command's wait status
 * @ran: the command was started
 * @exec_error: errno of a command that could not be run
 * @ended: the stream has ended
 * @interrupted: signals that asked us to end
 * @priority_error: errno of why the reader runs at normal priority
 * @deadline: when the command had its time to end after the first of them, in ms
 */
struct recording {
	struct start_request request;
	struct writer writer;
	char **command;
	bool quiet;
	bool tables;
	bool deferred;
	bool background;
	uint32_t duration_ms;
	uint64_t end;
	struct unwind_first first;
	struct unwind_sender *sender;
	int control;
	int session;
	uint32_t id;
	pid_t child;
	int status;
	bool ran;
	int exec_error;
	bool ended;
	int interrupted;
	int priority_error;
	uint64_t deadline;
};

/* From options that are finished */
void recording_init(struct recording *recording, const struct session_options *options);
/* Session and file are open then. Prints what went wrong. Return: 0 or -1 */
int recording_open(struct recording *recording);
/* From now on they wait for recording_run(); @old_mask: what was held before */
void recording_hold_signals(sigset_t *mask, sigset_t *old_mask);
/* Until it is over; closes the file. Return: exit code */
int recording_run(struct recording *recording);
/* The session goes with this */
void recording_close(struct recording *recording);

/* record_command.c */
int command_start(struct recording *recording, const sigset_t *old_mask);
/* Takes its status when it has ended */
void command_reap(struct recording *recording);
int command_exit_code(const struct recording *recording);

/* record_priority.c */
void priority_raise(struct recording *recording);
void priority_lower(void);

/* record_report.c */
void report_progress(const struct recording *recording);
void report_summary(const struct recording *recording, const struct etw_statistics *statistics);

#endif /* ETW_RECORD_H */
