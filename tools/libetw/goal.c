// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Whether a session's reader has read what was in buffers at some time. */
#include <stdlib.h>
#include "session.h"

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
struct goal *goal_set(uint32_t id)
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

bool goal_is_reached(struct goal *goal)
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

uint64_t goal_buffers(const struct goal *goal)
{
	return goal->buffers;
}

/* The stream begins with the header buffer. */
uint64_t goal_bytes(const struct goal *goal)
{
	return (1 + goal->buffers) * goal->buffer_size;
}
