// SPDX-License-Identifier: GPL-2.0
/* Walks the buffers and records of an ETL stream. */
#include "reader.h"

enum etl_buffer_result etl_buffer_at(const uint8_t *stream, uint64_t size, uint64_t at,
				     struct etl_buffer *buffer)
{
	struct wmi_buffer_header *header = &buffer->header;

	if (at >= size)
		return ETL_BUFFER_NONE;
	if (size - at < sizeof(*header))
		return ETL_BUFFER_TORN;
	memcpy(header, stream + at, sizeof(*header));
	buffer->at = at;
	buffer->bytes = stream + at;
	buffer->compressed = header->buffer_flag & ETW_BUFFER_FLAG_COMPRESSED;
	if (header->buffer_size <= sizeof(*header))
		return ETL_BUFFER_BAD;
	/* Before Windows 8 the second byte was an alignment, not a number. */
	if (header->buffer_flag & ETW_BUFFER_FLAG_PROC_INDEX)
		buffer->processor = header->processor_index & 0x7FF;
	else
		buffer->processor = header->processor_index & 0xFF;
	if (header->buffer_size > size - at)
		return ETL_BUFFER_TORN;
	buffer->end = header->offset;
	if (buffer->end > header->buffer_size)
		buffer->end = header->buffer_size;
	if (buffer->compressed || buffer->end < sizeof(*header))
		buffer->end = sizeof(*header);
	return ETL_BUFFER_OK;
}

static void read_ids(struct etl_record *record, const uint8_t *at)
{
	record->has_ids = true;
	record->thread_id = get32(at);
	record->process_id = get32(at + 4);
}

static void read_time(struct etl_record *record, const uint8_t *at)
{
	record->has_time = true;
	record->time = get64(at);
}

static void read_cpu_times(struct etl_record *record, const uint8_t *at)
{
	record->kernel_time = get32(at);
	record->user_time = get32(at + 4);
}

static void read_hook(struct etl_record *record, const uint8_t *at)
{
	record->version = at[0];
	record->spare = at[1] & ~(TRACE_HEADER_EXT_ITEMS_MASK >> 8);
	record->hook_id = get16(at + 6);
}

/* Inline items: the PEBS index first, then the counters. */
static uint32_t read_items(struct etl_record *record, const uint8_t *at, uint32_t fixed)
{
	uint16_t word = get16(at);
	uint32_t counters = (word & TRACE_HEADER_PMC_COUNTERS_MASK) >>
			    TRACE_HEADER_PMC_COUNTERS_SHIFT;
	bool pebs = word & TRACE_HEADER_PEBS_INDEX_FLAG;
	uint32_t need = fixed + 8 * (counters + pebs);
	uint32_t i;

	if (record->size < need)
		return need;
	if (pebs)
		record->pebs = get64(at + fixed);
	record->has_pebs = pebs;
	record->counters = counters;
	for (i = 0; i < counters; i++)
		record->counter[i] = get64(at + fixed + 8 * (i + pebs));
	return need;
}

/* Return: bytes before the payload, or 0 when the chain is broken */
static uint32_t read_chain(struct etl_record *record, const uint8_t *at)
{
	uint32_t offset = sizeof(struct etw_event_header);
	uint32_t step;

	record->chain = record->at + offset;
	for (;;) {
		if (offset > record->size || record->size - offset < 8)
			return 0;
		step = get16(at + offset);
		if (step < 8u + get16(at + offset + 6) || step > record->size - offset)
			return 0;
		if (!(get16(at + offset + 4) & 1))
			return offset + step;
		offset += step;
	}
}

static uint32_t read_message(struct etl_record *record, const uint8_t *at)
{
	uint32_t offset = 8;
	uint16_t options = get16(at + 6);
	uint32_t need = offset;

	need += options & 0x0001 ? 4 : 0;
	need += options & 0x0004 ? 4 : options & 0x0002 ? 16 : 0;
	need += options & 0x0008 ? 8 : 0;
	need += options & 0x0020 ? 8 : 0;
	record->id = get16(at + 4);
	record->flags = options;
	if (record->size < need)
		return need;
	if (options & 0x0001)
		offset += 4;
	/* The component id has precedence over the GUID. */
	if (options & 0x0004) {
		record->guid.data1 = get32(at + offset);
		offset += 4;
	} else if (options & 0x0002) {
		memcpy(&record->guid, at + offset, 16);
		offset += 16;
	}
	if (options & 0x0008) {
		read_time(record, at + offset);
		offset += 8;
	}
	if (options & 0x0020)
		read_ids(record, at + offset);
	return need;
}

static void read_classic(struct etl_record *record, const uint8_t *at)
{
	record->opcode = at[4];
	record->level = at[5];
	record->version = at[6];
	read_ids(record, at + 8);
	read_time(record, at + 0x10);
	memcpy(&record->guid, at + 0x18, 16);
	read_cpu_times(record, at + 0x28);
}

static void read_event(struct etl_record *record, const uint8_t *at)
{
	struct etw_event_header header;

	memcpy(&header, at, sizeof(header));
	record->flags = header.flags;
	read_ids(record, at + 8);
	read_time(record, at + 0x10);
	record->guid = header.provider_id;
	record->id = header.id;
	record->version = header.version;
	record->channel = header.channel;
	record->level = header.level;
	record->opcode = header.opcode;
	record->task = header.task;
	record->keyword = header.keyword;
	read_cpu_times(record, at + 0x38);
}

struct header_kind {
	enum etl_header header;
	uint8_t pointer_size;
	uint8_t fixed;		/* bytes of the header; 0: unknown type */
	uint8_t size_at;	/* offset of the Size field */
};

static const struct header_kind kinds[] = {
	[TRACE_HEADER_TYPE_SYSTEM32] = { ETL_SYSTEM, 4, 0x20, 4 },
	[TRACE_HEADER_TYPE_SYSTEM64] = { ETL_SYSTEM, 8, 0x20, 4 },
	[TRACE_HEADER_TYPE_COMPACT32] = { ETL_COMPACT, 4, 0x18, 4 },
	[TRACE_HEADER_TYPE_COMPACT64] = { ETL_COMPACT, 8, 0x18, 4 },
	[TRACE_HEADER_TYPE_FULL_HEADER32] = { ETL_FULL, 4, 0x30, 0 },
	[TRACE_HEADER_TYPE_FULL_HEADER64] = { ETL_FULL, 8, 0x30, 0 },
	[TRACE_HEADER_TYPE_INSTANCE32] = { ETL_INSTANCE, 4, 0x48, 0 },
	[TRACE_HEADER_TYPE_INSTANCE64] = { ETL_INSTANCE, 8, 0x48, 0 },
	[TRACE_HEADER_TYPE_ERROR] = { ETL_ERROR, 8, 0x50, 0 },
	[TRACE_HEADER_TYPE_PERFINFO32] = { ETL_PERFINFO, 4, 0x10, 4 },
	[TRACE_HEADER_TYPE_PERFINFO64] = { ETL_PERFINFO, 8, 0x10, 4 },
	[TRACE_HEADER_TYPE_EVENT_HEADER32] = { ETL_EVENT, 4, 0x50, 0 },
	[TRACE_HEADER_TYPE_EVENT_HEADER64] = { ETL_EVENT, 8, 0x50, 0 },
};

static const struct header_kind message_kind = { ETL_MESSAGE, 8, 8, 0 };

/* Return: bytes before the payload; more than the record when it is too short */
static uint32_t read_header(struct etl_record *record, const uint8_t *at, uint32_t fixed)
{
	switch (record->header) {
	case ETL_SYSTEM:
	case ETL_COMPACT:
		read_hook(record, at);
		read_ids(record, at + 8);
		read_time(record, at + 0x10);
		if (record->header == ETL_SYSTEM)
			read_cpu_times(record, at + 0x18);
		return fixed;
	case ETL_PERFINFO:
		read_hook(record, at);
		read_time(record, at + 8);
		return read_items(record, at, fixed);
	case ETL_FULL:
	case ETL_INSTANCE:
		read_classic(record, at);
		return fixed;
	case ETL_MESSAGE:
		return read_message(record, at);
	default:
		read_event(record, at);
		if (record->header == ETL_EVENT && (record->flags & 1))
			return read_chain(record, at);
		return fixed;
	}
}

enum etl_record_result etl_record_at(const struct etl_buffer *buffer, uint32_t at,
				     struct etl_record *record)
{
	const uint8_t *bytes = buffer->bytes + at;
	const struct header_kind *kind;
	uint32_t before;

	if (at >= buffer->end)
		return ETL_RECORD_NONE;
	if (buffer->end - at < 8)
		return ETL_RECORD_RAGGED;
	if (get32(bytes) == 0xFFFFFFFF)
		return ETL_RECORD_FILL;
	memset(record, 0, sizeof(*record));
	record->at = at;
	if (bytes[3] == TRACE_MESSAGE_FLAGS) {
		kind = &message_kind;
	} else if (bytes[3] == TRACE_HEADER_FLAGS) {
		record->type = bytes[2];
		if (bytes[2] >= sizeof(kinds) / sizeof(kinds[0]) || !kinds[bytes[2]].fixed)
			return ETL_RECORD_TYPE;
		kind = &kinds[bytes[2]];
	} else {
		return ETL_RECORD_MARKER;
	}
	record->header = kind->header;
	record->pointer_size = kind->pointer_size;
	record->size = get16(bytes + kind->size_at);
	if (record->size < kind->fixed)
		return ETL_RECORD_SHORT;
	if (record->size > buffer->end - at)
		return ETL_RECORD_LONG;
	before = read_header(record, bytes, kind->fixed);
	if (!before)
		return ETL_RECORD_CHAIN;
	if (before > record->size)
		return ETL_RECORD_SHORT;
	record->payload = bytes + before;
	record->payload_size = record->size - before;
	return ETL_RECORD_OK;
}

const char *etl_record_result_text(enum etl_record_result result)
{
	static const char *const text[] = {
		[ETL_RECORD_OK] = "no error",
		[ETL_RECORD_NONE] = "no more records",
		[ETL_RECORD_RAGGED] = "fewer than 8 bytes are left",
		[ETL_RECORD_FILL] = "fill before the end of the records",
		[ETL_RECORD_MARKER] = "flag byte is neither C0 nor 90",
		[ETL_RECORD_TYPE] = "unknown header type",
		[ETL_RECORD_SHORT] = "size is less than that of its header",
		[ETL_RECORD_LONG] = "size passes the end of the records",
		[ETL_RECORD_CHAIN] = "the extended items are broken",
	};

	return text[result];
}

bool etl_guid_equal(const struct etw_guid *a, const struct etw_guid *b)
{
	return !memcmp(a, b, sizeof(*a));
}

bool etl_is_ours(const struct etl_record *record)
{
	static const struct etw_guid ours = ETW_LINUX_PROVIDER_GUID;

	return record->header == ETL_EVENT && etl_guid_equal(&record->guid, &ours);
}
