// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw-writer: UpdateTrace() with another file. */
#include <errno.h>
#include <stdlib.h>
#include "session_file.h"

/* Return: a Win32 code */
static ULONG open_next(struct session_file *file, const char *path)
{
	struct next_file *next = &file->next;
	ULONG error = ERROR_SUCCESS;

	if (next->writer.path)
		return ERROR_BUSY;
	memset(next, 0, sizeof(*next));
	snprintf(next->path, sizeof(next->path), "%s", path);
	next->writer.mode = file->writer.mode;
	next->writer.limit = file->writer.limit;
	copy_set_file(file, &next->writer, next->path);
	if (!writer_open(&next->writer))
		error = copy_check_append(file, &next->writer);
	else
		error = next->writer.error ? logfile_error(next->writer.error) :
					     ERROR_INVALID_PARAMETER;
	if (!error)
		return ERROR_SUCCESS;
	if (next->writer.fd >= 0)
		writer_abandon(&next->writer);
	next->writer.path = NULL;
	return error;
}

static void end_request(struct session_file *file, ULONG error)
{
	struct next_file *next = &file->next;

	if (next->client->bytes == WRITER_SWITCH)
		client_answer(next->client, error);
	free(next->goal);
	next->goal = NULL;
	next->writer.path = NULL;
}

void switch_request(struct session_file *file, struct client *client, const char *path)
{
	ULONG error = open_next(file, path);
	int err;

	if (error) {
		client_answer(client, error);
		return;
	}
	file->next.client = client;
	file->next.goal = goal_set(file->id);
	err = file->next.goal ? kernel_flush(file->id) : -ENOMEM;
	if (err) {
		writer_abandon(&file->next.writer);
		end_request(file, etw_error(err));
		return;
	}
	switch_continue(file);
}

/* What was logged before the request is in the old file; what is logged after the reply is not. */
void switch_continue(struct session_file *file)
{
	struct next_file *next = &file->next;

	if (!next->writer.path || !goal_is_reached(next->goal) || file->taken < goal_bytes(next->goal))
		return;
	if (writer_switch(&file->writer, &next->writer)) {
		end_request(file, logfile_error(next->writer.error));
		return;
	}
	free(file->writer.name);
	memcpy(file->path, next->path, sizeof(file->path));
	file->writer = next->writer;
	file->writer.path = file->path;
	end_request(file, file->writer.error ? logfile_error(file->writer.error) : ERROR_SUCCESS);
	copy_ask_for_names(file);
}

void switch_abandon(struct session_file *file)
{
	if (!file->next.writer.path)
		return;
	writer_abandon(&file->next.writer);
	end_request(file, ERROR_WMI_INSTANCE_NOT_FOUND);
}
