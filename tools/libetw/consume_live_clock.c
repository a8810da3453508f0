// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Raw stamps of a session that is read in real time, as CLOCK_MONOTONIC in ns. A consumer compares
 * them with its own clock: Stopwatch of .NET, steady_clock of C++. The session's own counter may
 * be the TSC, which such a consumer cannot read.
 */
#include <time.h>
#include "libetl/text.h"
#include "consume.h"
#include "etw_hooks.h"

#define NSEC_PER_SEC	1000000000LL
/* A larger error of the line is corrected at once: the machine slept, or the clock was set. */
#define STEP_NS		5000000LL
/* A line reaches the clock this long after it began, and is parallel to it from then on. */
#define REACH_NS	10000000000LL

static int64_t nanoseconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

/* Ticks as ns. Signed: a stamp may be before the line's first point. */
static int64_t scale(const struct consumer *consumer, uint64_t ticks)
{
	return (__int128)(int64_t)ticks * NSEC_PER_SEC / (int64_t)etl_frequency(&consumer->log);
}

static uint64_t monotonic(const struct consumer *consumer, uint64_t stamp)
{
	const struct live_clock *clock = &consumer->clock;
	unsigned int i = clock->count - 1;
	int64_t ns, part;

	while (i && (int64_t)(stamp - clock->points[i].stamp) < 0)
		i--;
	ns = scale(consumer, stamp - clock->points[i].stamp);
	part = ns < 0 ? 0 : ns < REACH_NS ? ns : REACH_NS;
	return clock->points[i].ns + ns + clock->points[i].correction * part / REACH_NS;
}

static void add_point(struct live_clock *clock, uint64_t stamp, uint64_t ns, int64_t correction)
{
	if (clock->count == LIVE_CLOCK_POINTS)
		memmove(&clock->points[0], &clock->points[1],
			--clock->count * sizeof(clock->points[0]));
	clock->points[clock->count].stamp = stamp;
	clock->points[clock->count].ns = ns;
	clock->points[clock->count++].correction = correction;
}

/* Until the first anchor: as if the wall clock had not been set since the session began. */
void live_clock_start(struct consumer *consumer)
{
	int64_t since = nanoseconds(CLOCK_REALTIME) -
			(int64_t)(consumer->log.start_time - FILETIME_OF_UNIX) * 100;

	consumer->clock.settled = false;
	consumer->clock.count = 0;
	add_point(&consumer->clock, consumer->log.t0, nanoseconds(CLOCK_MONOTONIC) - since, 0);
}

static bool is_anchor(const struct etl_record *record)
{
	return record->header == ETL_EVENT && record->id == ETW_LINUX_EVENT_ANCHOR &&
	       record->payload_size >= sizeof(struct etw_anchor) && etl_is_ours(record);
}

/*
 * CLOCK_MONOTONIC at the time of an anchor's record. Anchors of another clock than the counter have
 * no stamp of their own: the record's is read with them.
 */
static uint64_t anchor_ns(const struct consumer *consumer, const struct etl_record *record)
{
	struct etw_anchor anchor;

	memcpy(&anchor, record->payload, sizeof(anchor));
	if (consumer->log.clock_type == ETW_CLOCK_QPC)
		anchor.monotonic += scale(consumer, record->time - anchor.qpc);
	return anchor.monotonic;
}

void live_clock_queued(struct consumer *consumer, const struct etl_record *record)
{
	struct live_clock *clock = &consumer->clock;

	if (clock->settled || !is_anchor(record))
		return;
	clock->settled = true;
	clock->count = 0;
	add_point(clock, record->time, anchor_ns(consumer, record), 0);
}

/*
 * The next line begins at the anchor's record, where the last line is, or at the anchor if that is
 * far away. Not when the anchor was read: events between the two have been delivered by then, and
 * their stacks may follow.
 */
static void take_anchor(struct consumer *consumer, const struct etl_record *record)
{
	struct live_clock *clock = &consumer->clock;
	uint64_t ns = monotonic(consumer, record->time);
	int64_t off = anchor_ns(consumer, record) - ns;

	if ((int64_t)(record->time - clock->points[clock->count - 1].stamp) < 0)
		return;
	if (off > STEP_NS || off < -STEP_NS)
		add_point(clock, record->time, ns + off, 0);
	else
		add_point(clock, record->time, ns, off);
}

/* Where a kernel event has a stamp, or a number of ticks, in its payload */
static const struct field {
	uint16_t hook_id;
	uint16_t at;
	bool is_duration;
} fields[] = {
	{ PERFINFO_LOG_TYPE_STACKWALK, 0, false },
	{ PERFINFO_LOG_TYPE_STACKTRACE_KEY_KERNEL, 0, false },
	{ PERFINFO_LOG_TYPE_STACKTRACE_KEY_USER, 0, false },
	{ PERFINFO_LOG_TYPE_INTERRUPT, 0, false },
	{ PERFINFO_LOG_TYPE_INTERRUPT_MESSAGE, 0, false },
	{ PERFINFO_LOG_TYPE_DPC, 0, false },
	{ PERFINFO_LOG_TYPE_TIMERDPC, 0, false },
	{ PERFINFO_LOG_TYPE_HARDPAGEFAULT, 0, false },
	{ WMI_LOG_TYPE_IO_READ, offsetof(struct etw_disk_transfer, high_res_response_time), true },
	{ WMI_LOG_TYPE_IO_WRITE, offsetof(struct etw_disk_transfer, high_res_response_time), true },
	{ WMI_LOG_TYPE_IO_FLUSH, offsetof(struct etw_disk_flush, high_res_response_time), true },
};

/* The buffer is this consumer's own copy, and each record of it is delivered once. */
static void change_payload(const struct consumer *consumer, const struct etl_record *record)
{
	uint8_t *payload = (uint8_t *)record->payload;
	const struct field *field;
	uint64_t value;

	for (field = fields; field < fields + sizeof(fields) / sizeof(fields[0]); field++) {
		if (field->hook_id != record->hook_id ||
		    record->payload_size < field->at + sizeof(value))
			continue;
		value = get64(payload + field->at);
		value = field->is_duration ? (uint64_t)scale(consumer, value) :
					     monotonic(consumer, value);
		memcpy(payload + field->at, &value, sizeof(value));
	}
}

uint64_t live_clock_record(struct consumer *consumer, const struct etl_record *record)
{
	/* the header event comes before all that was read */
	if (record->header != ETL_SYSTEM || record->hook_id != WMI_LOG_TYPE_HEADER)
		consumer->clock.settled = true;
	if (is_anchor(record))
		take_anchor(consumer, record);
	else if (etl_has_hook(record))
		change_payload(consumer, record);
	return monotonic(consumer, record->time);
}
