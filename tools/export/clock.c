// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export: the clock of the session, and CLOCK_BOOTTIME. */
#include <string.h>
#include "libetl/array.h"
#include "libetl/messages.h"
#include "libetl/text.h"
#include "export.h"

/*
 * Readings of two clocks differ by the time between them, and the clocks drift apart. Only a larger
 * change of the distance from one anchor to the next means that the machine slept, which
 * CLOCK_BOOTTIME counts and the session's clock does not.
 */
#define SLEPT_NS	1000000

bool export_anchor_of(const struct etl_record *record, struct etw_anchor *anchor)
{
	if (!etl_is_ours(record) || record->id != ETW_LINUX_EVENT_ANCHOR ||
	    record->payload_size < sizeof(*anchor))
		return false;
	memcpy(anchor, record->payload, sizeof(*anchor));
	return true;
}

int export_note_anchor(struct export *export, const struct etl_record *record)
{
	struct etw_anchor anchor;
	uint64_t distance, ns = 0;
	int64_t step;

	if (!export_anchor_of(record, &anchor))
		return 0;
	distance = anchor.boottime - etl_nanoseconds(&export->trace->log, record->time);
	step = distance - export->last_distance;
	export->last_distance = distance;
	if (export->distances && step < SLEPT_NS && step > -SLEPT_NS)
		return 0;
	/* without the drift so far, which would let times go back */
	if (export->distances)
		ns = export->distance[export->distances - 1].ns;
	if (!array_grow((void **)&export->distance, &export->distance_room,
			export->distances + 1, sizeof(*export->distance)))
		return no_memory();
	export->distance[export->distances++] = (struct export_distance){
		.from = record->time, .ns = ns + step,
	};
	return 0;
}

/* Without an anchor, as in traces of Windows: since the boot as the header has it */
static int64_t distance_of_header(const struct etl_logfile *log)
{
	uint64_t up = log->start_time - log->boot_time;

	if (!log->boot_time || log->boot_time > log->start_time || up > INT64_MAX / 200)
		return 0;
	return up * 100;
}

int64_t export_boottime(const struct export *export, uint64_t time)
{
	uint64_t ns = etl_nanoseconds(&export->trace->log, time);
	size_t first = 0, end = export->distances, middle;

	if (!end)
		return ns + distance_of_header(&export->trace->log);
	/* the last one from which the time is on; the first one also holds before */
	while (end - first > 1) {
		middle = first + (end - first) / 2;
		if ((int64_t)(time - export->distance[middle].from) < 0)
			end = middle;
		else
			first = middle;
	}
	return ns + export->distance[first].ns;
}
