// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* FlushTrace() of a session with a file: what was flushed is in the file on return. */
#include <stdlib.h>
#include <unistd.h>
#include "session.h"

/* How long a reader may take no buffer, ms */
#define PATIENCE_MS	3000

/* The error of a file that has failed is writer_wait_written()'s to return. */
static ULONG wait_for_reader(struct goal *goal, int writer)
{
	uint32_t waited = 0;
	uint64_t before = 0;

	while (!goal_is_reached(goal) && !writer_has_failed(writer)) {
		if (waited >= PATIENCE_MS)
			return ERROR_TIMEOUT;
		waited = goal_buffers(goal) == before ? waited + 1 : 0;
		before = goal_buffers(goal);
		usleep(1000);
	}
	return ERROR_SUCCESS;
}

/* A file that etw writes is written after etw has read the session. */
ULONG flush_into_file(uint32_t id, const struct block *block)
{
	bool has_file = block->info.log_file_name.length && block->info.real_time_consumer_count;
	struct goal *goal = has_file ? goal_set(id) : NULL;
	int writer = goal ? writer_connect(id, block) : -1;
	ULONG error = etw_error(kernel_flush(id));

	if (goal && !error)
		error = wait_for_reader(goal, writer);
	if (writer >= 0 && !error)
		error = writer_wait_written(writer, goal_bytes(goal));
	if (writer >= 0)
		close(writer);
	free(goal);
	return error;
}
