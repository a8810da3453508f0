// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A recording's session and file: opened, and closed again. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "control/session_node.h"
#include "etw.h"
#include "record.h"

static void totals(void *context, struct final_header *final)
{
	static struct session_information session;
	const struct recording *recording = context;

	if (control_try_query(recording->control, recording->id, &session))
		return;
	final->events_lost = session.info.events_lost;
	final->buffers_lost = session.info.log_buffers_lost;
}

static void *ask_for_names(void *context)
{
	const struct recording *recording = context;
	int err = control_try_rundown(recording->control, recording->id);

	if (err && err != -EALREADY)
		warn("the new file may lack names: %s", strerror(-err));
	else if (!err)
		sysconfig_log(recording->control, recording->id);
	return NULL;
}

/* The names need buffers, which we must read meanwhile. */
static void next_file(void *context)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	if (pthread_create(&thread, &attributes, ask_for_names, context))
		warn("the new file may lack names: no thread");
	pthread_attr_destroy(&attributes);
}

void recording_init(struct recording *recording, const struct session_options *options)
{
	memset(recording, 0, sizeof(*recording));
	recording->request = options->request;
	recording->quiet = options->quiet;
	recording->duration_ms = options->duration_ms;
	recording->tables = options->request.items.nr_stackwalk && !options->no_tables;
	recording->first.pids = options->request.items.pids;
	recording->first.nr_pids = options->request.items.nr_pids;
	recording->deferred = options->target == EVENT_TRACE_BUFFERING_MODE;
	recording->control = -1;
	recording->session = -1;
	recording->writer.path = options->file;
	recording->writer.mode = options->target;
	recording->writer.limit = (uint64_t)options->request.maximum_file_mb << 20;
	recording->writer.totals = totals;
	recording->writer.next_file = next_file;
	recording->writer.context = recording;
	recording->writer.keep_old = true;
	recording->writer.fd = -1;
}

/*
 * The file before the session: one that can't be written costs nothing then. What it held
 * is kept as FILE.old when the session and the command have started.
 */
int recording_open(struct recording *recording)
{
	recording->control = control_open();
	if (recording->control < 0)
		return -1;
	/*
	 * Before the session starts, because its stream is not read meanwhile, and before the file
	 * is made, because a signal ends the tool at once: tables of large programs take seconds.
	 */
	if (recording->tables)
		unwind_command_read(&recording->first.command,
				    recording->command ? recording->command[0] : NULL);
	if (writer_open(&recording->writer))
		return -1;
	priority_raise(recording);
	if (control_start(recording->control, &recording->request, &recording->id)) {
		writer_abandon(&recording->writer);
		return -1;
	}
	/* with an error the session ends with our descriptor */
	if (recording->command || !writer_begin(&recording->writer)) {
		recording->session = session_node_open(recording->id);
		if (recording->session >= 0)
			return 0;
	}
	writer_abandon(&recording->writer);
	return -1;
}

void recording_close(struct recording *recording)
{
	priority_lower();
	if (recording->session >= 0)
		close(recording->session);
	if (recording->control >= 0)
		close(recording->control);
	unwind_command_free(&recording->first.command);
	free(recording->writer.name);
	recording->writer.name = NULL;
}
