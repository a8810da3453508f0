/* SPDX-License-Identifier: GPL-2.0 */
/* A recording under way. */
#ifndef ETW_RECORDING_H
#define ETW_RECORDING_H

#include <signal.h>
#include <sys/types.h>
#include "control.h"

/**
 * struct recording - what etw record works on
 * @request: for START
 * @path: the file
 * @command: its argv or NULL
 * @quiet: no progress, no summary
 * @control: /dev/etw/control, which the session is tied to
 * @session: its stream
 * @output: the file
 * @id: logger id
 * @child: the command's process; 0: none, or it has ended
 * @status: the command's wait status
 * @ran: the command was started
 * @exec_error: errno of a command that could not be run
 * @bytes: written to the file
 * @buffers: in the closed file
 * @write_error: errno of the write that failed
 * @ended: the stream has ended
 * @interrupted: signals that asked us to end
 */
struct recording {
	struct start_request request;
	const char *path;
	char **command;
	bool quiet;
	int control;
	int session;
	int output;
	uint32_t id;
	pid_t child;
	int status;
	bool ran;
	int exec_error;
	uint64_t bytes;
	uint64_t buffers;
	int write_error;
	bool ended;
	int interrupted;
};

/* Session and files are open. Return: exit code */
int recording_run(struct recording *recording);

/* record_command.c */
int command_start(struct recording *recording, const sigset_t *old_mask);
/* Takes its status when it has ended */
void command_reap(struct recording *recording);
int command_exit_code(const struct recording *recording);

/* record_report.c */
void report_progress(const struct recording *recording);
void report_clear(const struct recording *recording);
void report_summary(const struct recording *recording, const struct etw_statistics *statistics);

#endif /* ETW_RECORDING_H */
