// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A record of perf.data: the values that its event's sample_type announces. */
#include "libetl/reader.h"
#include "perf_sample.h"

/* Values of a sample that have no place in a trace */
#define REST	(PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_AUX)
/* Since Linux 6.8 */
#define BRANCH_COUNTERS		(1u << 19)

static const struct perf_kind *kind_of_id(const struct perf_file *file, uint64_t id)
{
	size_t i = id ? map_find(&file->ids, id) : MAP_NONE;

	if (i < file->ids_known)
		return &file->kinds[file->kind_of[i]];
	/* perf gives id 0 to what it wrote itself */
	return !id || !file->ids_known ? &file->kinds[0] : NULL;
}

/* All events have the id at one place, because perf could not find it otherwise. */
static uint64_t id_of_sample(const struct perf_file *file, const struct piece *payload)
{
	uint64_t type = file->kinds[0].attr.sample_type, at = 0;

	if (!(type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER)))
		return 0;
	if (!(type & PERF_SAMPLE_IDENTIFIER)) {
		at += type & PERF_SAMPLE_IP ? 8 : 0;
		at += type & PERF_SAMPLE_TID ? 8 : 0;
		at += type & PERF_SAMPLE_TIME ? 8 : 0;
		at += type & PERF_SAMPLE_ADDR ? 8 : 0;
	}
	return payload->left >= at + 8 ? get64(payload->at + at) : 0;
}

static uint64_t id_of_other(const struct perf_file *file, const struct piece *payload)
{
	uint64_t type = file->kinds[0].attr.sample_type, at = 8;

	if (!(type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER)))
		return 0;
	if (!(type & PERF_SAMPLE_IDENTIFIER)) {
		at += type & PERF_SAMPLE_STREAM_ID ? 8 : 0;
		at += type & PERF_SAMPLE_CPU ? 8 : 0;
	}
	return payload->left >= at ? get64(payload->at + payload->left - at) : 0;
}

static void take_thread(struct perf_record *record, struct piece *piece)
{
	record->pid = piece_u32(piece);
	record->tid = piece_u32(piece);
	record->has_thread = !piece->bad;
}

static void take_time(struct perf_record *record, struct piece *piece)
{
	record->time = piece_u64(piece);
	record->has_time = !piece->bad && record->time && record->time != UINT64_MAX;
}

static void take_cpu(struct perf_record *record, struct piece *piece)
{
	record->cpu = piece_u32(piece);
	piece_u32(piece);
	record->has_cpu = !piece->bad;
}

static void skip_read(const struct perf_event_attr *attr, struct piece *piece)
{
	uint64_t format = attr->read_format, count = 1, each = 8;

	each += format & PERF_FORMAT_ID ? 8 : 0;
	each += format & PERF_FORMAT_LOST ? 8 : 0;
	if (format & PERF_FORMAT_GROUP)
		count = piece_u64(piece);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		piece_u64(piece);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		piece_u64(piece);
	if (count > piece->left / each)
		piece->bad = true;
	else
		piece_take(piece, count * each);
}

static void take_chain(struct perf_record *record, struct piece *piece)
{
	uint64_t frames = piece_u64(piece);

	record->chain = frames > piece->left / 8 ? NULL : piece_take(piece, 8 * frames);
	piece->bad |= !record->chain;
	record->frames = record->chain ? frames : 0;
}

static void skip_branches(const struct perf_event_attr *attr, struct piece *piece)
{
	uint64_t count = piece_u64(piece), each = 24;

	if (attr->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		piece_u64(piece);
	if (attr->branch_sample_type & BRANCH_COUNTERS)
		each += 8;
	if (count > piece->left / each)
		piece->bad = true;
	else
		piece_take(piece, count * each);
}

/* Registers and a copy of the stack, which are used only together. */
static void take_stack(struct perf_record *record, const struct perf_event_attr *attr,
		       struct piece *piece)
{
	const uint8_t *registers = NULL, *stack;
	uint64_t size, copied;

	if (attr->sample_type & PERF_SAMPLE_REGS_USER) {
		uint64_t abi = piece_u64(piece);

		if (abi)
			registers = piece_take(piece, 8 * __builtin_popcountll(
					       attr->sample_regs_user));
		if (abi != PERF_SAMPLE_REGS_ABI_64)
			registers = NULL;
	}
	if (!(attr->sample_type & PERF_SAMPLE_STACK_USER))
		return;
	size = piece_u64(piece);
	stack = piece_take(piece, size);
	copied = size ? piece_u64(piece) : 0;
	if (piece->bad || copied > size || !registers)
		return;
	record->registers = registers;
	record->stack = stack;
	record->stack_size = copied;
}

static void take_cgroup(struct perf_record *record, const struct perf_event_attr *attr,
			struct piece *piece)
{
	static const uint64_t numbers[] = {
		PERF_SAMPLE_WEIGHT_TYPE, PERF_SAMPLE_DATA_SRC, PERF_SAMPLE_TRANSACTION,
	};
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (attr->sample_type & numbers[i])
			piece_u64(piece);
	if (attr->sample_type & PERF_SAMPLE_REGS_INTR && piece_u64(piece))
		piece_take(piece, 8 * __builtin_popcountll(attr->sample_regs_intr));
	if (attr->sample_type & PERF_SAMPLE_PHYS_ADDR)
		piece_u64(piece);
	record->cgroup = piece_u64(piece);
}

static bool read_sample(struct perf_record *record, struct piece piece)
{
	const struct perf_event_attr *attr = &record->kind->attr;
	uint64_t type = attr->sample_type;

	if (type & PERF_SAMPLE_IDENTIFIER)
		piece_u64(&piece);
	if (type & PERF_SAMPLE_IP)
		record->ip = piece_u64(&piece);
	if (type & PERF_SAMPLE_TID)
		take_thread(record, &piece);
	if (type & PERF_SAMPLE_TIME)
		take_time(record, &piece);
	if (type & PERF_SAMPLE_ADDR)
		record->addr = piece_u64(&piece);
	if (type & PERF_SAMPLE_ID)
		piece_u64(&piece);
	if (type & PERF_SAMPLE_STREAM_ID)
		piece_u64(&piece);
	if (type & PERF_SAMPLE_CPU)
		take_cpu(record, &piece);
	record->period = type & PERF_SAMPLE_PERIOD ? piece_u64(&piece) :
			 attr->freq ? 1 : attr->sample_period;
	if (type & PERF_SAMPLE_READ)
		skip_read(attr, &piece);
	if (type & PERF_SAMPLE_CALLCHAIN)
		take_chain(record, &piece);
	if (type & PERF_SAMPLE_RAW) {
		record->raw_size = piece_u32(&piece);
		record->raw = piece_take(&piece, record->raw_size);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK)
		skip_branches(attr, &piece);
	take_stack(record, attr, &piece);
	if (type & PERF_SAMPLE_CGROUP)
		take_cgroup(record, attr, &piece);
	record->rest = type & REST;
	return !piece.bad;
}

/* The sample id stands at the end of records of all other types. */
static bool read_id(struct perf_record *record, struct piece piece)
{
	uint64_t type = record->kind->attr.sample_type, size = 0;

	if (!record->kind->attr.sample_id_all)
		return true;
	type &= PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
		PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;
	size = 8 * __builtin_popcountll(type);
	if (size > piece.left)
		return false;
	piece_take(&piece, piece.left - size);
	if (type & PERF_SAMPLE_TID)
		take_thread(record, &piece);
	if (type & PERF_SAMPLE_TIME)
		take_time(record, &piece);
	if (type & PERF_SAMPLE_ID)
		piece_u64(&piece);
	if (type & PERF_SAMPLE_STREAM_ID)
		piece_u64(&piece);
	if (type & PERF_SAMPLE_CPU)
		take_cpu(record, &piece);
	return true;
}

struct piece perf_record_payload(const struct perf_record *record)
{
	return (struct piece){
		.at = record->bytes + PERF_HEADER, .left = record->size - PERF_HEADER,
	};
}

bool perf_record_read(const struct perf_file *file, const uint8_t *bytes, uint64_t offset,
		      struct perf_record *record)
{
	struct piece payload;

	*record = (struct perf_record){
		.bytes = bytes, .type = get32(bytes), .misc = get16(bytes + 4),
		.size = get16(bytes + 6), .offset = offset,
	};
	if (record->type >= PERF_USER_ATTR || !file->count)
		return true;
	payload = perf_record_payload(record);
	record->kind = kind_of_id(file, record->type == PERF_RECORD_SAMPLE ?
				  id_of_sample(file, &payload) : id_of_other(file, &payload));
	if (!record->kind)
		return record->type != PERF_RECORD_SAMPLE;
	return record->type == PERF_RECORD_SAMPLE ? read_sample(record, payload) :
						    read_id(record, payload);
}
