// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Stamps of a consumer in real time, as CLOCK_MONOTONIC, from anchors of a counter of 10 MHz. */
#include <stdlib.h>
#include <string.h>
#include "etw_abi.h"
#include "etw_hooks.h"
#include "tests/lib/guest/check.h"
#include "tools/libetw/consume.h"

#define TICKS		(1ULL << 40)
#define NS		5000000000000ULL
/* How much later than the clocks were read the anchor was written */
#define LATE_TICKS	10000

static struct consumer consumer;
static struct etw_anchor anchor = { .qpc = TICKS, .monotonic = NS };
static const struct etl_record anchor_record = {
	.header = ETL_EVENT, .id = ETW_LINUX_EVENT_ANCHOR, .guid = ETW_LINUX_PROVIDER_GUID,
	.has_time = true, .time = TICKS + LATE_TICKS,
	.payload = (const uint8_t *)&anchor, .payload_size = sizeof(anchor),
};
static const struct etl_record header = { .header = ETL_SYSTEM, .hook_id = WMI_LOG_TYPE_HEADER };

static void start(void)
{
	memset(&consumer, 0, sizeof(consumer));
	consumer.log.clock_type = ETW_CLOCK_QPC;
	consumer.log.perf_freq = 10000000;
	live_clock_start(&consumer);
	live_clock_record(&consumer, &header);
}

static uint64_t stamp_of(uint64_t time)
{
	struct etl_record event = { .header = ETL_EVENT, .has_time = true, .time = time };

	return live_clock_record(&consumer, &event);
}

int main(void)
{
	uint64_t before, guess;

	start();
	live_clock_queued(&consumer, &anchor_record);
	check_that(stamp_of(TICKS - 100) == NS - 10000,
		   "an event before the first anchor has the stamp that the anchor gives");
	live_clock_record(&consumer, &anchor_record);
	check_that(stamp_of(TICKS + LATE_TICKS + 100) == NS + LATE_TICKS * 100 + 10000,
		   "an anchor that was written late moves no stamp");
	start();
	guess = stamp_of(TICKS - 100);
	live_clock_queued(&consumer, &anchor_record);
	check_that(stamp_of(TICKS - 100) == guess, "a stamp that was delivered stays");
	before = stamp_of(TICKS + LATE_TICKS / 2);
	live_clock_record(&consumer, &anchor_record);
	check_that(stamp_of(TICKS + LATE_TICKS / 2) == before,
		   "also that of an event between an anchor's clocks and its record");
	check_that(stamp_of(TICKS + LATE_TICKS + 100) == NS + LATE_TICKS * 100 + 10000,
		   "an anchor that is far away begins a line");
	return failures != 0;
}
