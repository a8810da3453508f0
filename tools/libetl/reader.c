// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Walks the buffers and records of an ETL stream. */
#include "etw_trace_headers.h"
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

/*
 * Inline items: the PEBS index first, then the counters. Windows writes them in
 * PERFINFO records only, and reads them in SYSTEM records too.
 */
static uint32_t read_some_items(struct etl_record *record, const uint8_t *at, uint32_t fixed,
				uint16_t word)
{
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
	record->nr_counters = counters;
	for (i = 0; i < counters; i++)
		record->counters[i] = get64(at + fixed + 8 * (i + pebs));
	return need;
}

static inline uint32_t read_items(struct etl_record *record, const uint8_t *at, uint32_t fixed)
{
	uint16_t word = get16(at);

	if (!(word & (TRACE_HEADER_PMC_COUNTERS_MASK | TRACE_HEADER_PEBS_INDEX_FLAG)))
		return fixed;
	return read_some_items(record, at, fixed, word);
}

/* Return: bytes before the payload, or 0 when the chain is broken */
static uint32_t read_chain(struct etl_record *record, const uint8_t *at)
{
	uint32_t offset = sizeof(struct etw_event_header);
	uint32_t step, n;

	record->chain = record->at + offset;
	record->items = at + offset;
	for (n = 0; n < ETL_MAX_ITEMS; n++) {
		if (offset > record->size || record->size - offset < 8)
			return 0;
		step = get16(at + offset);
		if (step < 8u + get16(at + offset + 6) || step > record->size - offset)
			return 0;
		if (!(get16(at + offset + 4) & 1))
			return offset + step;
		offset += step;
	}
	return 0;
}

bool etl_item_next(const struct etl_record *record, struct etl_item *item)
{
	const uint8_t *at = item->next ? item->next : record->items;

	/* The chain was walked when the record was read. */
	if (!at || at == record->payload)
		return false;
	item->type = get16(at + 2);
	item->size = get16(at + 6);
	item->data = at + 8;
	item->next = at + get16(at);
	return true;
}

/*
 * There is room for a stamp before a MESSAGE's arguments when either of two flags asks
 * for it; the second one alone leaves it undefined.
 */
#define MESSAGE_TIME_ROOM	(TRACE_MESSAGE_TIMESTAMP | TRACE_MESSAGE_PERFORMANCE_TIMESTAMP)

static uint32_t read_message(struct etl_record *record, const uint8_t *at)
{
	uint32_t offset = 8;
	uint16_t options = get16(at + 6);
	uint32_t need = offset;

	need += options & TRACE_MESSAGE_SEQUENCE ? 4 : 0;
	need += options & TRACE_MESSAGE_COMPONENT_ID ? 4 : options & TRACE_MESSAGE_GUID ? 16 : 0;
	need += options & MESSAGE_TIME_ROOM ? 8 : 0;
	need += options & TRACE_MESSAGE_SYSTEMINFO ? 8 : 0;
	record->id = get16(at + 4);
	record->flags = options;
	record->pointer_size = options & TRACE_MESSAGE_POINTER32 ? 4 : 8;
	if (record->size < need)
		return need;
	if (options & TRACE_MESSAGE_SEQUENCE) {
		record->sequence = get32(at + offset);
		offset += 4;
	}
	/* The component id has precedence over the GUID. */
	if (options & TRACE_MESSAGE_COMPONENT_ID) {
		record->guid.data1 = get32(at + offset);
		offset += 4;
	} else if (options & TRACE_MESSAGE_GUID) {
		memcpy(&record->guid, at + offset, 16);
		offset += 16;
	}
	if (options & TRACE_MESSAGE_TIMESTAMP)
		read_time(record, at + offset);
	if (options & MESSAGE_TIME_ROOM)
		offset += 8;
	if (options & TRACE_MESSAGE_SYSTEMINFO)
		read_ids(record, at + offset);
	return need;
}

static void read_classic(struct etl_record *record, const uint8_t *at)
{
	record->opcode = at[4];
	record->level = at[5];
	record->version = get16(at + 6);
	read_ids(record, at + 8);
	read_time(record, at + 0x10);
	memcpy(&record->guid, at + 0x18, 16);
	read_cpu_times(record, at + 0x28);
	if (record->header == ETL_INSTANCE) {
		record->instance = get32(at + 0x30);
		record->parent_instance = get32(at + 0x34);
		memcpy(&record->activity, at + 0x38, 16);
	}
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
	memcpy(&record->activity, at + 0x40, 16);
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
	[0x0C] = { ETL_UNUSED, 8, 8, 0 },
	[0x0E] = { ETL_UNUSED, 8, 8, 0 },
	[TRACE_HEADER_TYPE_PERFINFO32] = { ETL_PERFINFO, 4, 0x10, 4 },
	[TRACE_HEADER_TYPE_PERFINFO64] = { ETL_PERFINFO, 8, 0x10, 4 },
	[TRACE_HEADER_TYPE_EVENT_HEADER32] = { ETL_EVENT, 4, 0x50, 0 },
	[TRACE_HEADER_TYPE_EVENT_HEADER64] = { ETL_EVENT, 8, 0x50, 0 },
};

static const struct header_kind message_kind = { ETL_MESSAGE, 8, 8, 0 };
static const struct header_kind small_kind = { ETL_SMALL, 8, 0x10, 0 };
static const struct header_kind wnode_kind = { ETL_WNODE, 8, 0x30, 0 };

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
		return record->header == ETL_SYSTEM ? read_items(record, at, fixed) : fixed;
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
	case ETL_SMALL:
		read_time(record, at + 8);
		return fixed;
	case ETL_WNODE:
		read_time(record, at + 0x10);
		memcpy(&record->guid, at + 0x18, 16);
		return fixed;
	case ETL_UNUSED:
		return fixed;
	default:
		read_event(record, at);
		if (record->header == ETL_EVENT && (record->flags & 1))
			return read_chain(record, at);
		return fixed;
	}
}

/* Bit 31 clear: the first word is the size of what was a record before there were markers. */
static bool is_wnode(const uint8_t *bytes, uint32_t left)
{
	uint32_t size = get32(bytes);

	return size >= wnode_kind.fixed && size <= ETW_MAX_RECORD && size <= left &&
	       (get32(bytes + 0x2C) & (WNODE_FLAG_TRACED_GUID | WNODE_FLAG_LOG_WNODE));
}

/*
 * In the marker of a MESSAGE, bits 31 and 28 are set and bit 30 is clear. Bit 29 selects the
 * small form, which is historical. The other bits of the byte are not defined.
 */
#define MESSAGE_BITS	0xF0

/* Return: NULL, and then @result says why */
static const struct header_kind *kind_of(const uint8_t *bytes, uint32_t left,
					 enum etl_record_result *result)
{
	uint8_t type = bytes[2];

	*result = ETL_RECORD_MARKER;
	if ((bytes[3] & MESSAGE_BITS) == TRACE_MESSAGE_FLAGS)
		return &message_kind;
	if ((bytes[3] & MESSAGE_BITS) == 0xB0)
		return &small_kind;
	if (bytes[3] != TRACE_HEADER_FLAGS)
		return is_wnode(bytes, left) ? &wnode_kind : NULL;
	*result = ETL_RECORD_TYPE;
	if (type >= sizeof(kinds) / sizeof(kinds[0]) || !kinds[type].fixed)
		return NULL;
	if (kinds[type].header == ETL_UNUSED && get16(bytes) < kinds[type].fixed)
		return NULL;
	return &kinds[type];
}

/*
 * All but the counters. In parts, because the compiler makes plain stores of small parts, and a
 * slow string instruction of the whole.
 */
static void clear(struct etl_record *record)
{
	const size_t sequence = offsetof(struct etl_record, sequence);
	const size_t items = offsetof(struct etl_record, items);

	memset(record, 0, sequence);
	memset(&record->sequence, 0, items - sequence);
	memset(&record->items, 0, offsetof(struct etl_record, counters) - items);
}

enum etl_record_result etl_record_at(const struct etl_buffer *buffer, uint32_t at,
				     struct etl_record *record)
{
	const uint8_t *bytes = buffer->bytes + at;
	const struct header_kind *kind;
	enum etl_record_result result;
	uint32_t before;

	if (at >= buffer->end)
		return ETL_RECORD_NONE;
	if (buffer->end - at < 8)
		return ETL_RECORD_RAGGED;
	if (get32(bytes) == 0xFFFFFFFF)
		return ETL_RECORD_FILL;
	kind = kind_of(bytes, buffer->end - at, &result);
	if (!kind)
		return result;
	clear(record);
	record->at = at;
	record->type = bytes[3] == TRACE_HEADER_FLAGS ? bytes[2] : 0;
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

/* The historical forms have too little that could be wrong. */
static bool may_go_on(const struct etl_buffer *buffer, uint32_t at)
{
	enum etl_record_result result;
	struct etl_record record;
	int n;

	for (n = 0; n < 3; n++) {
		result = etl_record_at(buffer, at, &record);
		if (result == ETL_RECORD_NONE)
			return n;
		if (result != ETL_RECORD_OK || record.header >= ETL_WNODE)
			return false;
		at = etl_next_record(&record);
	}
	return true;
}

uint32_t etl_find_record(const struct etl_buffer *buffer, uint32_t at)
{
	while (at < buffer->end && buffer->end - at > ETW_RECORD_ALIGN) {
		at += ETW_RECORD_ALIGN;
		if (may_go_on(buffer, at))
			return at;
	}
	return buffer->end;
}

const char *etl_record_result_text(enum etl_record_result result)
{
	static const char *const text[] = {
		[ETL_RECORD_OK] = "no error",
		[ETL_RECORD_NONE] = "no more records",
		[ETL_RECORD_RAGGED] = "fewer than 8 bytes are left",
		[ETL_RECORD_FILL] = "fill before the end of the records",
		[ETL_RECORD_MARKER] = "flag byte is neither C0 nor 9x",
		[ETL_RECORD_TYPE] = "unknown header type",
		[ETL_RECORD_SHORT] = "size is less than that of its header",
		[ETL_RECORD_LONG] = "size passes the end of the records",
		[ETL_RECORD_CHAIN] = "the extended items are broken",
	};

	return text[result];
}
