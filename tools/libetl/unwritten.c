// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events that a file could not take: counted by processor, and reported by loss records. */
#include <stdlib.h>
#include <string.h>
#include "etw_abi.h"
#include "etw_hooks.h"
#include "losses.h"
#include "reader.h"
#include "unwritten.h"

#define HEAD		((uint32_t)sizeof(struct wmi_buffer_header))
/* Windows' process System, as in the records that the module writes about itself */
#define SYSTEM_PROCESS	4
#define LOSS_SIZE	((uint32_t)(sizeof(struct etw_event_header) + sizeof(struct etw_loss)))

/**
 * struct unwritten_cpu - what is missing of a processor
 * @events: how many
 * @reported: those that a loss record of the stream has counted
 * @first: time stamp of the first one
 * @last: time stamp of the last one
 */
struct unwritten_cpu {
	uint64_t events;
	uint64_t reported;
	uint64_t first;
	uint64_t last;
};

/* Without memory @events is right all the same, and so is the header of the file. */
static struct unwritten_cpu *cpu_of(struct unwritten *unwritten, uint32_t processor)
{
	if (!unwritten->cpu)
		unwritten->cpu = calloc(ETL_PROCESSORS, sizeof(*unwritten->cpu));
	return unwritten->cpu && processor < ETL_PROCESSORS ? &unwritten->cpu[processor] : NULL;
}

void unwritten_add(struct unwritten *unwritten, uint32_t processor, uint64_t events, uint64_t time)
{
	struct unwritten_cpu *cpu = events ? cpu_of(unwritten, processor) : NULL;

	unwritten->events += events;
	if (!cpu)
		return;
	if (time && (!cpu->first || time < cpu->first))
		cpu->first = time;
	if (time > cpu->last)
		cpu->last = time;
	cpu->events += events;
}

static void keep_trailer(struct unwritten *unwritten, const uint8_t *buffer, uint32_t size)
{
	if (!unwritten->trailer)
		unwritten->trailer = malloc(size);
	if (unwritten->trailer)
		memcpy(unwritten->trailer, buffer, size);
}

/*
 * The header buffer of a session that is appended has another type, but begins with the header
 * event, too. What it contains was not recorded by an event source.
 */
static bool is_header_buffer(const struct etl_buffer *buffer)
{
	struct etl_record first;

	return buffer->header.buffer_type == ETW_BUFFER_TYPE_HEADER ||
	       (etl_record_at(buffer, ETL_FIRST_RECORD, &first) == ETL_RECORD_OK &&
		first.header == ETL_SYSTEM && first.hook_id == WMI_LOG_TYPE_HEADER);
}

void unwritten_count(struct unwritten *unwritten, const uint8_t *buffer, uint32_t size)
{
	uint64_t events = unwritten->events;
	uint32_t at = ETL_FIRST_RECORD;
	struct etl_record record;
	struct etl_buffer view;

	if (etl_buffer_at(buffer, size, 0, &view) != ETL_BUFFER_OK || is_header_buffer(&view))
		return;
	for (; etl_record_at(&view, at, &record) == ETL_RECORD_OK; at = etl_next_record(&record))
		if (!etl_is_ours(&record))
			unwritten_add(unwritten, view.processor, 1,
				      record.has_time ? record.time :
					(uint64_t)view.header.time_stamp);
	if (unwritten->events != events)
		unwritten->buffers++;
	else if (view.header.buffer_flag & ETW_BUFFER_FLAG_FLUSH_MARKER)
		keep_trailer(unwritten, buffer, size);
}

void unwritten_count_losses(struct unwritten *unwritten, const uint8_t *buffer, uint32_t size)
{
	uint32_t at = ETL_FIRST_RECORD;
	struct etl_record record;
	struct etl_buffer view;
	struct etw_loss loss;

	if (etl_buffer_at(buffer, size, 0, &view) != ETL_BUFFER_OK || is_header_buffer(&view))
		return;
	for (; etl_record_at(&view, at, &record) == ETL_RECORD_OK; at = etl_next_record(&record))
		if (loss_of(&record, &loss))
			unwritten_add(unwritten, loss.processor, loss.count, loss.last);
}

static void put_loss(uint8_t *to, uint64_t time, uint32_t processor,
		     const struct unwritten_cpu *cpu)
{
	static const struct etw_guid provider = ETW_LINUX_PROVIDER_GUID;
	struct etw_event_header header = {
		.size = LOSS_SIZE,
		.header_type = TRACE_HEADER_TYPE_EVENT_HEADER64 | TRACE_HEADER_FLAGS << 8,
		.process_id = SYSTEM_PROCESS,
		.time_stamp = time,
		.provider_id = provider,
		.id = ETW_LINUX_EVENT_LOSS,
	};
	struct etw_loss loss = {
		.processor = processor, .cause = ETW_LOSS_NOT_WRITTEN,
		.count = cpu->events - cpu->reported, .total = cpu->events,
		.first = cpu->first ? cpu->first : time, .last = cpu->last ? cpu->last : time,
	};

	memcpy(to, &header, sizeof(header));
	memcpy(to + sizeof(header), &loss, sizeof(loss));
}

/* Processors for which there is no room are left to EventsLost in the file's header. */
static uint32_t put_losses(const struct unwritten *unwritten, uint8_t *buffer, uint32_t size,
			   uint32_t end, uint64_t time)
{
	uint32_t i;

	for (i = 0; unwritten->cpu && i < ETL_PROCESSORS && size - end >= LOSS_SIZE; i++) {
		if (unwritten->cpu[i].events == unwritten->cpu[i].reported)
			continue;
		put_loss(buffer + end, time, i, &unwritten->cpu[i]);
		end += LOSS_SIZE;
	}
	return end;
}

void unwritten_report(const struct unwritten *unwritten, uint8_t *buffer, uint32_t size)
{
	struct wmi_buffer_header header;
	uint32_t end = HEAD;

	_Static_assert(LOSS_SIZE % ETW_RECORD_ALIGN == 0, "records need no padding");
	if (unwritten->trailer) {
		memcpy(buffer, unwritten->trailer, size);
		end = get32(buffer + offsetof(struct wmi_buffer_header, offset));
	}
	memcpy(&header, buffer, sizeof(header));
	end = put_losses(unwritten, buffer, size, end, header.time_stamp);
	header.saved_offset = end;
	header.current_offset = end;
	header.offset = end;
	header.buffer_type = ETW_BUFFER_TYPE_GENERIC;
	header.buffer_flag |= ETW_BUFFER_FLAG_PROC_INDEX | ETW_BUFFER_FLAG_BUFFER_LOST |
			      ETW_BUFFER_FLAG_FLUSH_MARKER;
	memcpy(buffer, &header, sizeof(header));
	memset(buffer + end, ETW_BUFFER_FILL, size - end);
}

uint32_t unwritten_size(const struct unwritten *unwritten)
{
	uint32_t size = HEAD, i;

	for (i = 0; unwritten->cpu && i < ETL_PROCESSORS; i++)
		if (unwritten->cpu[i].events != unwritten->cpu[i].reported)
			size += LOSS_SIZE;
	return size;
}

void unwritten_continue(struct unwritten *unwritten)
{
	uint32_t i;

	for (i = 0; unwritten->cpu && i < ETL_PROCESSORS; i++)
		unwritten->cpu[i].reported = unwritten->cpu[i].events;
}

void unwritten_free(struct unwritten *unwritten)
{
	free(unwritten->cpu);
	free(unwritten->trailer);
	unwritten->cpu = NULL;
	unwritten->trailer = NULL;
}
