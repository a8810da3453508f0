// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A real-time session that a verb has for itself: it ends with the verb's process. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include "control/session_node.h"
#include "live_session.h"

#define CHUNK	(1 << 20)

int live_session_start(struct live_session *session, int control,
		       struct session_options *options)
{
	int code;

	memset(session, 0, sizeof(*session));
	session->control = control;
	session->node = -1;
	options->request.flags |= ETW_START_TIED;
	options->target = EVENT_TRACE_REAL_TIME_MODE;
	code = session_options_finish(options);
	if (code)
		return code;
	session->chunk = malloc(CHUNK);
	if (!session->chunk || live_stream_begin(&session->stream))
		return failed("%s: %s", options->verb->name, strerror(ENOMEM));
	if (control_start(control, &options->request, &session->id))
		return EXIT_FAILED;
	session->node = session_node_open(session->id);
	return session->node < 0 ? EXIT_FAILED : EXIT_OK;
}

int live_session_read(struct live_session *session)
{
	ssize_t n;

	while (!live_stream_is_full(&session->stream)) {
		n = read(session->node, session->chunk, CHUNK);
		if (n > 0) {
			if (live_stream_put(&session->stream, session->chunk, n))
				return -1;
		} else if (!n) {
			session->stream.ended = true;
			return 1;
		} else if (errno == EAGAIN) {
			return 0;
		} else if (errno != EINTR) {
			failed("reading the session: %s", strerror(errno));
			return -1;
		}
	}
	return 0;
}

bool live_session_lost(struct live_session *session)
{
	struct etw_statistics statistics;
	uint64_t before = session->lost;

	if (!control_try_statistics(session->control, session->id, ETW_ALL_PROCESSORS,
				    &statistics))
		session->lost = statistics_lost(&statistics);
	return session->lost != before;
}

bool live_id_is_gone(uint32_t id)
{
	return kill(id, 0) && errno == ESRCH;
}

int live_signals_open(const int *signals)
{
	struct sigaction before;
	sigset_t mask;

	sigemptyset(&mask);
	for (; *signals; signals++)
		if (!sigaction(*signals, NULL, &before) && before.sa_handler != SIG_IGN)
			sigaddset(&mask, *signals);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	return signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC);
}

void live_session_end(struct live_session *session)
{
	if (session->node >= 0)
		close(session->node);
	/* the session is tied to this descriptor */
	if (session->control >= 0)
		close(session->control);
	free(session->chunk);
	live_stream_free(&session->stream);
}
