// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Makes the records of an imported trace. */
#include "etw_trace_headers.h"
#include "import.h"
#include "libetl/text.h"
#include "unwind.h"

#define MOST_RECORD	0xFFF8

void import_perfinfo(struct importing *importing, uint16_t hook, uint16_t version)
{
	const struct perfinfo_trace_header header = {
		.version = version, .header_type = TRACE_HEADER_TYPE_PERFINFO64,
		.flags = TRACE_HEADER_FLAGS, .hook_id = hook, .system_time = importing->now,
	};

	importing->size = 0;
	importing->too_large = false;
	import_bytes(importing, &header, sizeof(header));
}

void import_system(struct importing *importing, uint16_t hook, uint16_t version, uint32_t pid,
		   uint32_t tid)
{
	const struct system_trace_header header = {
		.version = version, .header_type = TRACE_HEADER_TYPE_SYSTEM64,
		.flags = TRACE_HEADER_FLAGS, .hook_id = hook, .thread_id = tid,
		.process_id = pid, .system_time = importing->now,
	};

	importing->size = 0;
	importing->too_large = false;
	import_bytes(importing, &header, sizeof(header));
}

void import_full(struct importing *importing, const struct etw_guid *guid, uint8_t opcode,
		 uint16_t version, uint32_t pid)
{
	const struct event_trace_header header = {
		.header_type = TRACE_HEADER_TYPE_FULL_HEADER64,
		.marker_flags = TRACE_HEADER_FLAGS, .type = opcode, .version = version,
		.thread_id = UINT32_MAX, .process_id = pid, .time_stamp = importing->now,
		.guid = *guid,
	};

	importing->size = 0;
	importing->too_large = false;
	import_bytes(importing, &header, sizeof(header));
}

void import_event(struct importing *importing, const struct etw_event_header *header)
{
	importing->size = 0;
	importing->too_large = false;
	import_bytes(importing, header, sizeof(*header));
}

void import_bytes(struct importing *importing, const void *bytes, size_t size)
{
	if (importing->too_large || size > MOST_RECORD - importing->size) {
		importing->too_large = true;
		return;
	}
	if (size)
		memcpy(importing->record + importing->size, bytes, size);
	importing->size += size;
}

void import_u8(struct importing *importing, uint8_t value)
{
	import_bytes(importing, &value, sizeof(value));
}

void import_u16(struct importing *importing, uint16_t value)
{
	import_bytes(importing, &value, sizeof(value));
}

void import_u32(struct importing *importing, uint32_t value)
{
	import_bytes(importing, &value, sizeof(value));
}

void import_u64(struct importing *importing, uint64_t value)
{
	import_bytes(importing, &value, sizeof(value));
}

void import_text(struct importing *importing, const char *text)
{
	uint16_t units[4096];
	size_t n = text_to_utf16(text, units, sizeof(units) / sizeof(units[0]) - 1);

	units[n] = 0;
	import_bytes(importing, units, 2 * (n + 1));
}

/* The size stands in the header, elsewhere in those that have a hook id. */
static void put_size(struct importing *importing)
{
	uint8_t type = importing->record[2];
	uint16_t size = importing->size;
	bool hooked = type == TRACE_HEADER_TYPE_PERFINFO64 || type == TRACE_HEADER_TYPE_SYSTEM64;

	memcpy(importing->record + (hooked ? 4 : 0), &size, sizeof(size));
}

int import_write(struct importing *importing)
{
	const struct etl_record record = { .size = importing->size };
	const struct etl_buffer buffer = {
		.bytes = importing->record, .processor = importing->cpu,
	};

	if (importing->too_large) {
		importing->counts.cut++;
		return 0;
	}
	if (unwind_is_worker(importing))
		return 0;
	put_size(importing);
	if (importing->now > importing->out.last)
		importing->out.last = importing->now;
	if (importing->cpu > importing->highest)
		importing->highest = importing->cpu;
	return merging_add(&importing->out, &buffer, &record);
}
