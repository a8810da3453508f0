// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Makes the records that a trace gets when it is finished. */
#include <string.h>
#include "libetl/text.h"
#include "etw_trace_headers.h"
#include "finalize.h"

/* What a buffer takes, and what the size field of a record can say */
static uint32_t most(const struct finalizing *finalizing)
{
	uint32_t room = finalizing->out.size - ETL_FIRST_RECORD;

	return room < 0xFFF8 ? room : 0xFFF8;
}

void finalizing_begin(struct finalizing *finalizing, const struct etw_guid *guid, uint8_t opcode,
		      uint16_t version, uint64_t time, uint32_t thread_id, uint32_t process_id)
{
	struct event_trace_header header = {
		.header_type = TRACE_HEADER_TYPE_FULL_HEADER64,
		.marker_flags = TRACE_HEADER_FLAGS, .type = opcode, .version = version,
		.thread_id = thread_id, .process_id = process_id, .time_stamp = time,
		.guid = *guid,
	};

	finalizing->size = 0;
	finalizing->too_large = false;
	finalizing_bytes(finalizing, &header, sizeof(header));
}

void finalizing_begin_event(struct finalizing *finalizing, const struct etw_guid *provider,
			    uint16_t id, uint64_t time, uint32_t process_id)
{
	struct etw_event_header header = {
		.header_type = TRACE_HEADER_FLAGS << 8 | TRACE_HEADER_TYPE_EVENT_HEADER64,
		.time_stamp = time, .provider_id = *provider, .id = id,
		.process_id = process_id,
	};

	finalizing->size = 0;
	finalizing->too_large = false;
	finalizing_bytes(finalizing, &header, sizeof(header));
}

uint32_t finalizing_event_room(const struct finalizing *finalizing)
{
	return most(finalizing) - sizeof(struct etw_event_header);
}

void finalizing_bytes(struct finalizing *finalizing, const void *bytes, size_t size)
{
	if (finalizing->too_large || size > most(finalizing) - finalizing->size) {
		finalizing->too_large = true;
		return;
	}
	memcpy(finalizing->record + finalizing->size, bytes, size);
	finalizing->size += size;
}

void finalizing_u32(struct finalizing *finalizing, uint32_t value)
{
	finalizing_bytes(finalizing, &value, sizeof(value));
}

void finalizing_u64(struct finalizing *finalizing, uint64_t value)
{
	finalizing_bytes(finalizing, &value, sizeof(value));
}

void finalizing_text(struct finalizing *finalizing, const char *text)
{
	uint16_t units[4096];
	size_t n = text_to_utf16(text, units, sizeof(units) / sizeof(units[0]) - 1);

	units[n] = 0;
	finalizing_bytes(finalizing, units, 2 * (n + 1));
}

void finalizing_leb(struct finalizing *finalizing, uint64_t value)
{
	uint8_t bytes[10];
	size_t n = 0;

	do {
		bytes[n] = value & 0x7F;
		value >>= 7;
		bytes[n++] |= value ? 0x80 : 0;
	} while (value);
	finalizing_bytes(finalizing, bytes, n);
}

void finalizing_counted(struct finalizing *finalizing, const char *text)
{
	/* with its own length before it, and room for a number behind it */
	uint32_t used = finalizing->size + 2 + 10, room = most(finalizing);
	uint16_t size;

	room = used < room ? room - used : 0;
	size = text_fit(text, room < FINALIZING_NAME ? room : FINALIZING_NAME);
	finalizing_bytes(finalizing, &size, sizeof(size));
	finalizing_bytes(finalizing, text, size);
}

int finalizing_write(struct finalizing *finalizing, const struct etl_buffer *buffer)
{
	struct etl_record record = { .size = finalizing->size };
	struct etl_buffer made = {
		.bytes = finalizing->record, .header = buffer->header,
		.processor = buffer->processor,
	};
	uint16_t size = finalizing->size;

	if (finalizing->too_large)
		return 0;
	/* both kinds of header begin with it */
	memcpy(finalizing->record, &size, sizeof(size));
	return merging_add(&finalizing->out, &made, &record);
}
