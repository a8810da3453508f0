/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Consumers of sessions with a file: each in a process of its own. */
#ifndef LIVE_BESIDE_H
#define LIVE_BESIDE_H

/**
 * struct seen - what a consumer got
 * @open_error: of OpenTrace()
 * @error: of ProcessTrace()
 * @events: of ours
 * @last: number of the last one
 * @disorder: that were not behind the one before
 * @gaps: events of class RT_LostEvent: buffers were lost
 * @buffers: BuffersRead
 * @lost: EventsLost
 */
struct seen {
	ULONG open_error;
	ULONG error;
	ULONG events;
	ULONG last;
	ULONG disorder;
	ULONG gaps;
	ULONG buffers;
	ULONG lost;
};

/**
 * struct process - a consumer
 * @pid: of it
 * @result: a pipe: at its end a struct seen
 */
struct process {
	pid_t pid;
	int result;
};

/* On return the session is open, or could not be opened. @user: 0, or the user that it has */
struct process consumer_begin(char *session, uid_t user);
/* The session has ended */
struct seen consumer_end(struct process process);
void consumer_kill(struct process process);
struct seen in_file(char *path);
/* A session with a file, in real time. @timer: FlushTimer; @dwords: an extension of @size bytes */
TRACEHANDLE beside_start(const char *name, const char *path, ULONG timer, const ULONG *dwords,
			 size_t size);
/* Events with the numbers from @from on. Return: how many calls failed */
ULONG beside_log(TRACEHANDLE handle, ULONG from, ULONG count);

/* live_beside_rights.c */
void check_beside_rights(void);

#endif /* LIVE_BESIDE_H */
