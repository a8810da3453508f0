// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw check: the records. */
#include <inttypes.h>
#include "libetl/buffer_writer.h"
#include "libetl/decode.h"
#include "libetl/event_info.h"
#include "libetl/event_names.h"
#include "libetl/events/events.h"
#include "libetl/given_time.h"
#include "libetl/guids.h"
#include "check.h"
#include "etw_abi.h"
#include "etw_hooks.h"

static void know_thread(struct checker *checker, uint32_t tid)
{
	if (checker->tids && tid < KNOWN_TIDS)
		checker->tids[tid / 8] |= 1 << tid % 8;
}

static bool is_known(const struct checker *checker, uint32_t tid)
{
	return !checker->tids || tid >= KNOWN_TIDS || (checker->tids[tid / 8] >> tid % 8 & 1);
}

/* What is recorded from now on; at the stop, nothing */
static void know_masks(struct checker *checker, const struct etl_record *record)
{
	uint32_t switches = PERF_MASK_BITS(PERF_CONTEXT_SWITCH);

	if (record->payload_size < sizeof(struct etw_kernel_header_extension))
		return;
	if (get32(record->payload + 4 * PERF_MASK_INDEX(PERF_CONTEXT_SWITCH)) & switches)
		checker->switches_on = record->time > checker->switches_on ? record->time :
									     checker->switches_on;
	else if (!checker->switches_off || record->time < checker->switches_off)
		checker->switches_off = record->time;
}

static int survey_record(struct checker *checker, uint16_t processor,
			 const struct etl_record *record)
{
	struct etw_loss loss;

	if (etl_is_ours(record)) {
		if (checker->trace->log.provider_version == ETW_OS_BUILD)
			checker->ours = true;
		if (!loss_of(record, &loss))
			return 0;
		checker->lossy = true;
		return losses_note(&checker->losses, record, &checker->trace->log);
	}
	if (record->hook_id == WMI_LOG_TYPE_HEADER_EXTENSION && record->header == ETL_PERFINFO)
		know_masks(checker, record);
	survey_counters(checker, record);
	/* any will do: what began before a circular file or a snapshot ends in it */
	if (record->header != ETL_EVENT && record->payload_size >= 8 &&
	    event_has(event_of_hook(record->hook_id), EVENT_HAS_THREAD))
		know_thread(checker, get32(record->payload + 4));
	return execs_note(&checker->execs, processor, record);
}

/* They were off, and then on: the first one does not go on from the last. */
static bool switches_paused(const struct checker *checker)
{
	return checker->switches_off && checker->switches_off < checker->switches_on;
}

int survey_records(struct checker *checker)
{
	const struct trace *trace = checker->trace;
	const struct etl_buffer *buffer;
	struct etl_record record;
	uint32_t at;
	int err = 0;
	size_t i;

	/* the rules of one session's order do not hold for several sessions */
	checker->merged = trace->log.log_file_mode & (EVENT_TRACE_RELOG_MODE |
						      EVENT_TRACE_FILE_MODE_APPEND);
	checker->plain.method = trace->log.compression;
	checker->lossy = checker->merged || trace->log.events_lost || trace->log.buffers_lost ||
			 trace->torn;
	for (i = 0; !err && i < trace->count; i++) {
		if (trace->buffers[i].header.buffer_flag & ETL_BUFFER_LOST)
			checker->lossy = true;
		buffer = buffer_decompress(&checker->plain, &trace->buffers[i]);
		for (at = ETL_FIRST_RECORD;
		     !err && buffer && etl_record_at(buffer, at, &record) == ETL_RECORD_OK;
		     at = etl_next_record(&record))
			err = survey_record(checker, buffer->processor, &record);
		trace_release(trace, &trace->buffers[i]);
	}
	checker->lossy |= switches_paused(checker);
	return err;
}

/* Return: false when what its payload says can't be looked at */
static bool check_known(struct checker *checker, const struct etl_record *record,
			const struct event_ours *ours)
{
	if (record->version == ours->version && ours->headers >> record->header & 1 &&
	    record->payload_size >= ours->least &&
	    (ours->most == EVENT_ANY_SIZE || record->payload_size <= ours->most))
		return true;
	finding(checker, RULE_KNOWN_EVENT,
		"hook id 0x%04x, header type 0x%02x, version %u, %u bytes", record->hook_id,
		record->type, record->version, record->payload_size);
	return false;
}

static void check_process(struct checker *checker, const struct etl_record *record)
{
	struct process_record process;
	uint32_t rest = record->hook_id == WMI_LOG_TYPE_PROCESS_DEFUNCT ? 8 : 0;

	if (!parse_process(record->payload, record->payload_size, &process))
		finding(checker, RULE_PROCESS_RECORD, "the SID or a string does not fit");
	else if (process.end + rest != record->payload_size)
		finding(checker, RULE_PROCESS_RECORD, "%u bytes of %u", process.end + rest,
			record->payload_size);
}

/* ThreadName, where there is one: the end of the payload is its terminator */
static void check_thread_name(struct checker *checker, const struct etl_record *record,
			      const struct etl_event *event)
{
	const uint8_t *payload = record->payload;
	uint32_t size = record->payload_size, i;
	struct form_place name;

	if (!form_place(event_forms(event, record->version), "ThreadName", record->pointer_size,
			&name) || name.at == size)
		return;
	for (i = name.at; i + 2 <= size; i += 2)
		if (!get16(payload + i))
			break;
	if (i + 2 != size)
		finding(checker, RULE_STRING_END, "hook id 0x%04x, %u bytes", record->hook_id,
			size);
}

/*
 * A CPU that goes down runs its stopper thread last (real time, the highest
 * priority): no tracepoint fires on it any more when that leaves for idle.
 */
static bool was_down(const struct check_cpu *cpu, const struct wmi_contextswap *swap)
{
	return !swap->old_thread_id && cpu->running_priority >= 30;
}

static void check_switch(struct checker *checker, struct check_cpu *cpu,
			 const struct etl_record *record)
{
	struct wmi_contextswap swap;

	memcpy(&swap, record->payload, sizeof(swap));
	checker->switches++;
	if (cpu->running_known && cpu->running != swap.old_thread_id && !checker->lossy &&
	    !checker->filtered && !was_down(cpu, &swap) &&
	    !execs_renamed(&checker->execs, cpu->running, swap.old_thread_id, record->time))
		finding(checker, RULE_SWITCH_CHAIN,
			"processor %u: from thread %u, but thread %u was running",
			checker->buffer->processor, swap.old_thread_id, cpu->running);
	cpu->running = swap.new_thread_id;
	cpu->running_priority = swap.new_thread_priority;
	cpu->running_known = true;
	if (!is_known(checker, swap.new_thread_id))
		checker->unknown_switches++;
	if (swap.new_thread_priority < 0 || swap.new_thread_priority > 31 ||
	    swap.old_thread_priority < 0 || swap.old_thread_priority > 31 ||
	    swap.old_thread_state > 9 || swap.old_thread_wait_reason > 42)
		finding(checker, RULE_SCHEDULER_VALUES,
			"priorities %d, %d, state %u, wait reason %u", swap.new_thread_priority,
			swap.old_thread_priority, swap.old_thread_state,
			swap.old_thread_wait_reason);
}

static void check_event(struct checker *checker, struct check_cpu *cpu,
			const struct etl_record *record, const struct etl_event *event)
{
	if (!check_known(checker, record, &event->ours))
		return;
	if (event_has(event, EVENT_HAS_PROCESS))
		check_process(checker, record);
	if (event_has(event, EVENT_HAS_THREAD_NAME))
		check_thread_name(checker, record, event);
	/* exec by a thread that is not the leader: it changes its id and runs on */
	if (execs_is_rename(record))
		cpu->running = record->thread_id;
	else if (record->hook_id == PERFINFO_LOG_TYPE_CONTEXTSWAP)
		check_switch(checker, cpu, record);
}

static void check_hook(struct checker *checker, struct check_cpu *cpu,
		       const struct etl_record *record)
{
	const struct etl_event *event = event_of_hook(record->hook_id);

	if (record->hook_id >> 8 >= 0x1F)
		finding(checker, RULE_HOOK_GROUP, "hook id 0x%04x", record->hook_id);
	if (record->spare)
		finding(checker, RULE_ITEMS_ANNOUNCED, "high byte 0x%02x", record->spare);
	if (record->header != ETL_PERFINFO &&
	    (checker->buffer->bytes[record->at + 1] & (TRACE_HEADER_EXT_ITEMS_MASK >> 8)))
		finding(checker, RULE_ITEMS_ANNOUNCED, "high byte 0x%02x in a SYSTEM record",
			checker->buffer->bytes[record->at + 1]);
	if (!checker->merged)
		check_counters(checker, cpu, record);
	if (event && event->ours.headers && record->pointer_size == 8)
		check_event(checker, cpu, record, event);
}

static void check_ours(struct checker *checker, const struct etl_record *record)
{
	const struct etl_event *event = event_of(record);

	if (event && event->ours.headers && record->payload_size != event->ours.most)
		finding(checker, RULE_OUR_EVENT_SIZE, "event %u, %u bytes, not %u", record->id,
			record->payload_size, event->ours.most);
}

/* Valid until the next call */
static const struct fields *decoded(const struct etl_record *record)
{
	static struct fields fields;

	fields_reset(&fields);
	decode_payload(record, &fields);
	return &fields;
}

/* TraceEvent, and so PerfView, opens no trace that breaks this rule. */
static void check_system_paths(struct checker *checker, const struct etl_record *record)
{
	const struct field *field = fields_find(decoded(record), "SystemWindowsDirectory");

	if (field && (field->size < 2 || !strchr("\\/", field->string[field->size - 1])))
		finding(checker, RULE_SYSTEM_PATHS, "\"%s\"", field->string);
}

static void check_class(struct checker *checker, const struct etl_record *record)
{
	if (event_has(event_of(record), EVENT_HAS_SYSTEM_PATHS))
		check_system_paths(checker, record);
}

static void check_described(struct checker *checker, const struct etl_record *record)
{
	const struct fields *fields = decoded(record);
	const char *last = fields->count ? fields->field[fields->count - 1].name : "";
	char name[EVENT_NAME];

	event_name(record, name, sizeof(name));
	if (fields->truncated)
		finding(checker, RULE_DESCRIBED, "%s: %u bytes, less than described", name,
			record->payload_size);
	else if (!strcmp(last, "Rest"))
		finding(checker, RULE_DESCRIBED, "%s: %u bytes, more than described", name,
			record->payload_size);
}

static void check_given_time(struct checker *checker, struct check_cpu *cpu,
			     const struct etl_record *record)
{
	uint64_t time = cpu->given_time > cpu->time ? cpu->given_time : cpu->time;

	if ((int64_t)(record->time - time) < 0)
		finding(checker, RULE_GIVEN_TIME, "processor %u: %" PRIu64 " after %" PRIu64,
			checker->buffer->processor, record->time, time);
	cpu->given_time = record->time;
}

static void check_time(struct checker *checker, struct check_cpu *cpu,
		       const struct etl_record *record)
{
	const struct wmi_buffer_header *header = &checker->buffer->header;

	if (!record->has_time)
		return;
	if (time_may_be_given(&checker->trace->log, record)) {
		check_given_time(checker, cpu, record);
		return;
	}
	if (cpu->seen && (int64_t)(record->time - cpu->time) < 0)
		finding(checker, RULE_TIME_ORDER, "processor %u: %" PRIu64 " after %" PRIu64,
			checker->buffer->processor, record->time, cpu->time);
	cpu->time = record->time;
	cpu->seen = true;
	if ((int64_t)(record->time - checker->trace->log.t0) < 0)
		finding(checker, RULE_START_TIME, "%" PRIu64 " before %" PRIu64, record->time,
			checker->trace->log.t0);
	if (checker->ours && header->time_stamp && record->time > (uint64_t)header->time_stamp)
		finding(checker, RULE_HAND_OVER, "%" PRIu64 ", buffer %lld", record->time,
			(long long)header->time_stamp);
}

void check_record(struct checker *checker, struct check_cpu *cpu,
		  const struct etl_record *record)
{
	checker->records++;
	checker->record_at = record->at;
	check_time(checker, cpu, record);
	if (record->header == ETL_WNODE || record->header == ETL_SMALL)
		finding(checker, RULE_RECORD_FLAG, "a historical form");
	else if (record->header == ETL_UNUSED)
		finding(checker, RULE_RECORD_TYPE, "type 0x%02x is not in use", record->type);
	else if (record->header == ETL_MESSAGE)
		finding(checker, RULE_MESSAGES, "message %u", record->id);
	else if (record->header == ETL_SYSTEM || record->header == ETL_COMPACT ||
		 record->header == ETL_PERFINFO)
		check_hook(checker, cpu, record);
	else if (record->header == ETL_FULL)
		check_class(checker, record);
	else if (etl_is_ours(record))
		check_ours(checker, record);
	else if (event_info_of(record) || is_universal_system(record))
		check_described(checker, record);
	checker->record_at = 0;
}

void check_losses(struct checker *checker)
{
	uint64_t sum = losses_sum(&checker->losses);

	if (checker->ours && checker->closed && sum != checker->trace->log.events_lost)
		finding(checker, RULE_EVENTS_LOST, "EventsLost %u, loss records %" PRIu64,
			checker->trace->log.events_lost, sum);
	if (checker->unknown_switches)
		finding(checker, RULE_SWITCH_THREADS,
			"%" PRIu64 " of %" PRIu64 " switches are to others",
			checker->unknown_switches, checker->switches);
}
