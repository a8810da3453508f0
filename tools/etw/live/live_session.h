/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A real-time session that a verb has for itself: it ends with the verb's process. */
#ifndef ETW_LIVE_SESSION_H
#define ETW_LIVE_SESSION_H

#include "live_stream.h"
#include "options/session_options.h"

/**
 * struct live_session - a session and its stream
 * @control: /dev/etw/control, which the session is tied to
 * @node: of the stream
 * @id: logger id
 * @lost: events that the session has lost so far
 * @chunk: what is read at once
 * @stream: what came
 */
struct live_session {
	int control;
	int node;
	uint32_t id;
	uint64_t lost;
	uint8_t *chunk;
	struct live_stream stream;
};

/*
 * Starts a session; @options: as of a verb that has parsed them, without a file. @control: of
 * control_open(); live_session_end() closes it. Return: 0, or an exit code after a message
 */
int live_session_start(struct live_session *session, int control,
		       struct session_options *options);
/* Reads all that is there now. Return: 0; 1: the session has ended; -1 after a message */
int live_session_read(struct live_session *session);
/* Reads how many events were lost. Return: whether more were lost since the last call */
bool live_session_lost(struct live_session *session);
/* Whether this machine has no such thread or process, for live_threads_sweep() */
bool live_id_is_gone(uint32_t id);
/*
 * Blocks @signals, which end with 0, and opens a descriptor for them. Those that are ignored stay
 * so, as nohup wants: a descriptor would deliver them nevertheless. Return: it, or -1 with errno
 */
int live_signals_open(const int *signals);
void live_session_end(struct live_session *session);

#endif /* ETW_LIVE_SESSION_H */
