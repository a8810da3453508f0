// SPDX-License-Identifier: GPL-2.0
/* FlushTrace() of a session with a file: what was flushed is in the file on return. */
#include <stdlib.h>
#include <unistd.h>
#include "session.h"

/* How long a reader may take no buffer, ms */
#define PATIENCE_MS	3000

/**
 * struct goal - what the session's reader has to read
 * @id: logger id
 * @processors: entries of @events
 * @buffer_size: bytes of a buffer
 * @buffers: that were read, when the session was last asked
 * @events: of each processor, since the session started
 */
struct goal {
	uint32_t id;
	uint32_t processors;
	uint32_t buffer_size;
	uint64_t buffers;
	uint64_t events[];
};

static int ask(uint32_t id, uint32_t processor, struct etw_statistics *statistics)
{
	*statistics = (struct etw_statistics){
		.size = sizeof(*statistics), .logger_id = id, .processor = processor,
	};
	return etw_control_ioctl(ETW_IOC_STATISTICS, statistics);
}

/* What is in buffers now comes before what follows: a processor's buffers are read in order. */
static struct goal *set_goal(uint32_t id)
{
	struct etw_statistics statistics;
	struct goal *goal;
	uint32_t i;

	if (ask(id, ETW_ALL_PROCESSORS, &statistics))
		return NULL;
	goal = calloc(1, sizeof(*goal) + statistics.processors * sizeof(goal->events[0]));
	if (!goal)
		return NULL;
	goal->id = id;
	goal->processors = statistics.processors;
	goal->buffer_size = statistics.buffer_size;
	for (i = 0; i < goal->processors; i++)
		if (!ask(id, i, &statistics))
			goal->events[i] = statistics.read + statistics.buffered;
	return goal;
}

/* Return: whether all was read, or nothing more will be */
static bool is_reached(struct goal *goal)
{
	struct etw_statistics statistics;
	bool reached = true;
	uint32_t i;

	goal->buffers = 0;
	for (i = 0; i < goal->processors; i++) {
		if (ask(goal->id, i, &statistics))
			continue;
		if (statistics.state != ETW_SESSION_RUNNING)
			return true;
		reached &= statistics.read >= goal->events[i];
		goal->buffers += statistics.buffers_read;
	}
	return reached;
}

/* The error of a file that has failed is writer_wait_written()'s to return. */
static ULONG wait_for_reader(struct goal *goal, int writer)
{
	uint32_t waited = 0;
	uint64_t before = 0;

	while (!is_reached(goal) && !writer_has_failed(writer)) {
		if (waited >= PATIENCE_MS)
			return ERROR_TIMEOUT;
		waited = goal->buffers == before ? waited + 1 : 0;
		before = goal->buffers;
		usleep(1000);
	}
	return ERROR_SUCCESS;
}

static int flush(uint32_t id)
{
	struct etw_control control = { .size = sizeof(control), .logger_id = id };

	return etw_control_ioctl(ETW_IOC_FLUSH, &control);
}

/* A file that etw writes is written after etw has read the session. */
ULONG flush_into_file(uint32_t id, const struct block *block)
{
	bool has_file = block->info.log_file_name.length && block->info.real_time_consumer_count;
	struct goal *goal = has_file ? set_goal(id) : NULL;
	int writer = goal ? writer_connect(id, block) : -1;
	ULONG error = etw_error(flush(id));

	if (goal && !error)
		error = wait_for_reader(goal, writer);
	/* the stream begins with the header buffer */
	if (writer >= 0 && !error)
		error = writer_wait_written(writer, (1 + goal->buffers) * goal->buffer_size);
	if (writer >= 0)
		close(writer);
	free(goal);
	return error;
}
