// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What a sample says, whatever took it. */
#include "etw_hooks.h"
#include "samples.h"
#include "text.h"

enum { COUNTER, TIMER, KINDS };

void sample_fields_find(struct sample_fields *fields)
{
	static const uint16_t hook_id[KINDS] = {
		PERFINFO_LOG_TYPE_PMC_INTERRUPT, PERFINFO_LOG_TYPE_SAMPLED_PROFILE,
	};
	unsigned int i;

	for (i = 0; i < KINDS; i++) {
		event_number_find(&fields->address[i], hook_id[i], "InstructionPointer");
		event_number_find(&fields->thread_id[i], hook_id[i], "ThreadId");
		event_number_find(&fields->count_or_source[i], hook_id[i],
				  i == TIMER ? "Count" : "ProfileSource");
	}
}

static bool has_interval(const struct etl_record *record)
{
	if ((record->header != ETL_SYSTEM && record->header != ETL_PERFINFO) ||
	    record->payload_size < sizeof(struct perfinfo_profile_interval))
		return false;
	return record->hook_id == PERFINFO_LOG_TYPE_COLLECTION_START ||
	       record->hook_id == PERFINFO_LOG_TYPE_COLLECTION_END ||
	       record->hook_id == PERFINFO_LOG_TYPE_SET_INTERVAL;
}

/*
 * Only a change has an interval before it. One from 0 has none: there were no samples, and
 * the new one is known.
 */
bool sample_interval_of(const struct etl_record *record, struct sample_interval *interval)
{
	const uint32_t fixed = sizeof(struct perfinfo_profile_interval);
	uint32_t n = fixed, before;

	if (!has_interval(record))
		return false;
	interval->source = get32(record->payload);
	interval->interval = get32(record->payload + 4);
	before = get32(record->payload + 8);
	interval->before = record->hook_id == PERFINFO_LOG_TYPE_SET_INTERVAL && before ?
			   before : interval->interval;
	while (n + 2 <= record->payload_size && get16(record->payload + n))
		n += 2;
	interval->name[0] = 0;
	if (n > fixed)
		text_from_utf16(record->payload + fixed, n - fixed, interval->name,
				sizeof(interval->name));
	return true;
}

bool sample_of(const struct sample_fields *fields, const struct etl_record *record,
	       uint16_t hook_id, struct sample *sample)
{
	unsigned int i = hook_id == PERFINFO_LOG_TYPE_SAMPLED_PROFILE ? TIMER : COUNTER;
	uint64_t address, thread_id, number;

	if (i == COUNTER && hook_id != PERFINFO_LOG_TYPE_PMC_INTERRUPT)
		return false;
	if (!event_number(&fields->address[i], record, &address) ||
	    !event_number(&fields->thread_id[i], record, &thread_id) ||
	    !event_number(&fields->count_or_source[i], record, &number))
		return false;
	*sample = (struct sample){
		.timer = i == TIMER, .address = address, .thread_id = thread_id,
		.count = i == TIMER ? number : 1, .source = i == TIMER ? 0 : number,
	};
	return true;
}
