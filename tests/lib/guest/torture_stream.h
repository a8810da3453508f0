/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What must hold in streams that etw_torture wrote to: buffer by buffer. */
#ifndef ETW_TORTURE_STREAM_H
#define ETW_TORTURE_STREAM_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "etw_abi.h"
#include "etw_hooks.h"
#include "tests/lib/kmod/etw_torture.h"

#define MAX_CPUS	64

/**
 * struct stream_check - a session's streams, read one after the other
 * @logger: the session
 * @ours: records of the torture module, by CPU
 * @others: records that the session, or a program, wrote
 * @kernel: records of kernel events
 * @over: of @ours, those that came over another writer
 * @last_sequence: by CPU and context, plus one
 * @gaps: records of a CPU that are missing between those that are there
 * @logged_lost: of each CPU, by the loss records
 * @contexts: that may have written records, by bits; 0: all
 * @last_time: of the last record of a CPU
 * @last_handed_over: stamp of the last buffer of this stream
 * @failures: what was wrong
 * @prefix: of messages
 */
struct stream_check {
	__u32 logger;
	unsigned long long ours[MAX_CPUS];
	unsigned long long others;
	unsigned long long kernel;
	unsigned long long over;
	__u64 last_sequence[MAX_CPUS][TORTURE_CONTEXTS];
	unsigned long long gaps[MAX_CPUS];
	__u64 logged_lost[MAX_CPUS][ETW_LOSS_CAUSES];
	__u32 contexts;
	__u64 last_time[MAX_CPUS];
	__s64 last_handed_over;
	int failures;
	char prefix[48];
};

static __u8 torture_table[TORTURE_TABLE];

static inline void torture_table_init(void)
{
	__u32 i;

	for (i = 0; i < TORTURE_TABLE; i++)
		torture_table[i] = torture_byte(i);
}

__attribute__((format(printf, 2, 3)))
static inline void stream_fail(struct stream_check *check, const char *format, ...)
{
	char text[256];
	va_list args;

	if (check->failures++ > 20)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	printf("%s: %s\n", check->prefix, text);
	fflush(stdout);
}

static inline int is_torture(const struct perfinfo_trace_header *header)
{
	return header->hook_id >= TORTURE_HOOK &&
	       header->hook_id < TORTURE_HOOK + TORTURE_CONTEXTS;
}

/* Frames of a stack: of the kernel or of a program, never both, never none */
static inline void check_frames(struct stream_check *check, const __u8 *frames, __u32 bytes,
				unsigned int cpu)
{
	__u64 frame, first = 0;
	__u32 i;

	if (!bytes || bytes % sizeof(frame))
		stream_fail(check, "cpu %u: %u bytes of frames", cpu, bytes);
	for (i = 0; i + sizeof(frame) <= bytes; i += sizeof(frame)) {
		memcpy(&frame, frames + i, sizeof(frame));
		if (!i)
			first = frame;
		if (!frame || (frame ^ first) >> 63)
			stream_fail(check, "cpu %u: frame %u of a stack is %llx, the first %llx",
				    cpu, i / 8, frame, first);
	}
}

/* Stacks, those that keys stand for, and keys */
static inline void check_stack(struct stream_check *check, const __u8 *record, __u32 size,
			       unsigned int cpu, __u16 hook)
{
	const __u32 whole = sizeof(struct perfinfo_trace_header) + 16;

	switch (hook) {
	case 0x1820:
		if (size > whole)
			check_frames(check, record + whole, size - whole, cpu);
		else
			stream_fail(check, "cpu %u: a stack of %u bytes", cpu, size);
		break;
	case 0x1822:
	case 0x1823:
	case 0x1824:
		if (size > whole - 8)
			check_frames(check, record + whole - 8, size - whole + 8, cpu);
		else
			stream_fail(check, "cpu %u: a key of %u bytes", cpu, size);
		break;
	case 0x1825:
	case 0x1826:
		if (size != whole + 8)
			stream_fail(check, "cpu %u: a stack by key of %u bytes", cpu, size);
	}
}

static inline void check_torture(struct stream_check *check, const __u8 *record, __u32 size,
				 unsigned int cpu)
{
	struct perfinfo_trace_header header;
	struct torture_head head;
	__u64 *last;

	memcpy(&header, record, sizeof(header));
	if (!is_torture(&header)) {
		check_stack(check, record, size, cpu, header.hook_id);
		check->kernel++;
		return;
	}
	if (size < sizeof(header) + sizeof(head)) {
		stream_fail(check, "a record of %u bytes", size);
		return;
	}
	memcpy(&head, record + sizeof(header), sizeof(head));
	if (head.magic != TORTURE_MAGIC || head.context >= TORTURE_CONTEXTS ||
	    head.check != torture_check(&head) || head.cpu != cpu ||
	    header.version != TORTURE_VERSION || header.hook_id != TORTURE_HOOK + head.context ||
	    head.length > TORTURE_MAX_LENGTH ||
	    size != sizeof(header) + sizeof(head) + head.length) {
		stream_fail(check, "a torn header: cpu %u context %u sequence %llu", cpu,
			    head.context, head.sequence);
		return;
	}
	if (memcmp(record + sizeof(header) + sizeof(head), torture_table + torture_offset(&head),
		   head.length))
		stream_fail(check, "a torn pattern: cpu %u context %u sequence %llu", cpu,
			    head.context, head.sequence);
	last = &check->last_sequence[cpu][head.context];
	if (head.sequence + 1 <= *last)
		stream_fail(check, "cpu %u context %u: sequence %llu after %llu", cpu,
			    head.context, head.sequence, *last - 1);
	else if (*last)
		check->gaps[cpu] += head.sequence - *last;
	if (check->contexts && !(check->contexts >> head.context & 1))
		stream_fail(check, "cpu %u: context %u, which is filtered", cpu, head.context);
	*last = head.sequence + 1;
	check->over += !!head.depth;
	check->ours[cpu]++;
}

/* What programs write: a word, and bytes that follow from it */
struct torture_program {
	__u32 magic;
	__u32 word;
};

#define TORTURE_PROGRAM_MAGIC	0x50524F47

static inline void torture_program_fill(__u8 *data, __u32 size, __u32 word)
{
	struct torture_program program = { TORTURE_PROGRAM_MAGIC, word };
	__u32 i;

	memcpy(data, &program, sizeof(program));
	for (i = sizeof(program); i < size; i++)
		data[i] = word + i;
}

static inline void check_program(struct stream_check *check, const __u8 *record, __u32 size,
				 __u32 header)
{
	struct torture_program program;
	__u32 i;

	check->others++;
	if (size < header + sizeof(program)) {
		stream_fail(check, "a program's record of %u bytes", size);
		return;
	}
	memcpy(&program, record + header, sizeof(program));
	for (i = sizeof(program); i < size - header; i++)
		if (record[header + i] != (__u8)(program.word + i))
			break;
	if (program.magic != TORTURE_PROGRAM_MAGIC || i < size - header)
		stream_fail(check, "a program's record of %u bytes is torn at %u", size, i);
}

/* What a session wrote about itself; of losses the last word counts. */
static inline void check_linux(struct stream_check *check, const __u8 *record, __u32 size)
{
	struct etw_event_header header;
	struct etw_loss loss;

	check->others++;
	if (size < sizeof(header) + sizeof(loss))
		return;
	memcpy(&header, record, sizeof(header));
	memcpy(&loss, record + sizeof(header), sizeof(loss));
	if (header.id == ETW_LINUX_EVENT_LOSS && loss.cause < ETW_LOSS_CAUSES &&
	    loss.processor < MAX_CPUS)
		check->logged_lost[loss.processor][loss.cause] = loss.total;
}

/* Returns the bytes that the record takes, 0 when it makes no sense. */
static inline __u32 check_record(struct stream_check *check, const __u8 *record, __u32 left,
				 unsigned int cpu, int trailer)
{
	__u32 size, total, i;
	__u64 time;

	if (left < 16) {
		stream_fail(check, "cpu %u: %u bytes left over", cpu, left);
		return 0;
	}
	switch (record[2]) {
	case TRACE_HEADER_TYPE_PERFINFO64:
	case TRACE_HEADER_TYPE_SYSTEM64:
		size = record[4] | record[5] << 8;
		memcpy(&time, record + (record[2] == TRACE_HEADER_TYPE_PERFINFO64 ? 8 : 16),
		       sizeof(time));
		break;
	case TRACE_HEADER_TYPE_EVENT_HEADER64:
		size = record[0] | record[1] << 8;
		memcpy(&time, record + 16, sizeof(time));
		break;
	case TRACE_HEADER_TYPE_FULL_HEADER64:
		size = record[0] | record[1] << 8;
		memcpy(&time, record + 16, sizeof(time));
		break;
	case 0:	/* MESSAGE, with a stamp and nothing else */
		size = record[0] | record[1] << 8;
		memcpy(&time, record + 8, sizeof(time));
		if (record[3] == TRACE_MESSAGE_FLAGS)
			break;
		/* fallthrough */
	default:
		stream_fail(check, "cpu %u: record type %x", cpu, record[2]);
		return 0;
	}
	total = (size + ETW_RECORD_ALIGN - 1) & ~(ETW_RECORD_ALIGN - 1);
	if (size < 16 || total > left) {
		stream_fail(check, "cpu %u: a record of %u bytes, %u left", cpu, size, left);
		return 0;
	}
	for (i = size; i < total; i++)
		if (record[i])
			stream_fail(check, "cpu %u: padding is not zero", cpu);
	if (!trailer && time < check->last_time[cpu])
		stream_fail(check, "cpu %u: time %llu after %llu", cpu, time,
			    check->last_time[cpu]);
	if (!trailer)
		check->last_time[cpu] = time;
	if (record[2] == TRACE_HEADER_TYPE_PERFINFO64)
		check_torture(check, record, size, cpu);
	else if (record[2] == TRACE_HEADER_TYPE_EVENT_HEADER64)
		check_linux(check, record, size);
	else if (record[2] == TRACE_HEADER_TYPE_FULL_HEADER64 || !record[2])
		check_program(check, record, size, record[2] ? 48 : 16);
	else
		check->others++;
	return total;
}

/**
 * check_buffer() - a buffer that is not the header
 * @check: the session
 * @buffer: all of it
 * @buffer_size: bytes
 * @sequence: its place in the stream; the header has 0
 * @last: 1: the last of a stopped session, which need not be a CPU's; -1: may be
 */
static inline void check_buffer(struct stream_check *check, const __u8 *buffer, __u32 buffer_size,
				__u64 sequence, int last)
{
	struct wmi_buffer_header header;
	__u32 pos = sizeof(header), size, i;
	int trailer;

	memcpy(&header, buffer, sizeof(header));
	if (header.buffer_size != buffer_size || header.offset < sizeof(header) ||
	    header.offset > buffer_size || header.saved_offset != header.offset ||
	    header.current_offset != header.offset || header.reference_count ||
	    header.state != ETW_BUFFER_STATE_FLUSH || header.logger_id != check->logger ||
	    header.processor_index >= MAX_CPUS || header.clock || header.reserved[0]) {
		stream_fail(check, "buffer %llu: a bad header", sequence);
		return;
	}
	if (header.sequence_number != sequence)
		stream_fail(check, "buffer %llu has number %llu", sequence,
			    header.sequence_number);
	if (header.time_stamp < check->last_handed_over)
		stream_fail(check, "buffer %llu: handed over before its predecessor", sequence);
	check->last_handed_over = header.time_stamp;
	if (header.offset == sizeof(header))
		stream_fail(check, "buffer %llu is empty", sequence);
	trailer = last && (header.buffer_flag & ETW_BUFFER_FLAG_FLUSH_MARKER);
	for (; pos < header.offset; pos += size) {
		size = check_record(check, buffer + pos, header.offset - pos,
				    header.processor_index, trailer);
		if (!size)
			break;
	}
	for (i = header.offset; i < buffer_size; i++) {
		if (buffer[i] != 0xFF) {
			stream_fail(check, "buffer %llu: no fill at %u", sequence, i);
			break;
		}
	}
}

/* The header of a stream; returns the size of its buffers, 0 when it is none. */
static inline __u32 check_header(struct stream_check *check, const __u8 *data)
{
	struct wmi_buffer_header header;

	memcpy(&header, data, sizeof(header));
	if (header.buffer_type != ETW_BUFFER_TYPE_HEADER || header.sequence_number ||
	    header.buffer_size < 4096) {
		stream_fail(check, "no header buffer");
		return 0;
	}
	check->last_handed_over = 0;
	return header.buffer_size;
}

#endif /* ETW_TORTURE_STREAM_H */
