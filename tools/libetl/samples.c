// SPDX-License-Identifier: GPL-2.0
/* What a sample says, whatever took it. */
#include "etw_hooks.h"
#include "samples.h"

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
