// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Programs' events: what a record shall be, by the offsets that the documents give. */
#define _GNU_SOURCE
#include <stdarg.h>
#include "programs.h"

/* A stamp may be this far from what clock_gettime() said: 200 us, in 100 ns */
#define SLACK		2000ULL
/* Ticks hit any thread */
#define MOST_TIMES(time)	(2 * (time) + 20)

void put16(__u8 *to, __u16 value)
{
	to[0] = value;
	to[1] = value >> 8;
}

void put32(__u8 *to, __u32 value)
{
	put16(to, value);
	put16(to + 2, value >> 16);
}

void put64(__u8 *to, __u64 value)
{
	put32(to, value);
	put32(to + 4, value >> 32);
}

__u16 get16(const __u8 *from)
{
	return from[0] | from[1] << 8;
}

__u32 get32(const __u8 *from)
{
	return get16(from) | (__u32)get16(from + 2) << 16;
}

__u64 get64(const __u8 *from)
{
	return get32(from) | (__u64)get32(from + 4) << 32;
}

__attribute__((format(printf, 1, 2)))
static const char *wrong(const char *format, ...)
{
	static char text[160];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	return text;
}

/* Padding included: up to the next 8 bytes it is zero. */
static const char *compare(const struct record *record, const __u8 *expected, __u32 size)
{
	__u32 i;

	if (!record->bytes)
		return "no record";
	if (record->size != size)
		return wrong("a Size of 0x%x, not 0x%x", record->size, size);
	for (i = 0; i < ((size + 7) & ~7U); i++)
		if (record->bytes[i] != (i < size ? expected[i] : 0))
			return wrong("0x%02x at 0x%x, not 0x%02x", record->bytes[i], i,
				     i < size ? expected[i] : 0);
	return NULL;
}

static int is_between(__u64 value, __u64 low, __u64 high, __u64 slack)
{
	return value + slack >= low && value <= high + slack;
}

const char *wrong_event(const struct record *record, const struct expected_event *e)
{
	static __u8 bytes[0x48 + MOST_DATA + 8];
	__u32 header = e->instance ? 0x48 : 0x30;
	__u64 stamp = e->stamp;
	__u32 kernel, user;

	if (!record->bytes || record->size < header)
		return compare(record, bytes, header + e->size);
	kernel = get32(record->bytes + 0x28);
	user = get32(record->bytes + 0x2C);
	if (kernel > MOST_TIMES(e->after.time) || user > MOST_TIMES(e->after.time))
		return wrong("KernelTime %u, UserTime %u of %u in all", kernel, user,
			     e->after.time);
	if (!stamp)
		stamp = get64(record->bytes + 0x10);
	if (!e->stamp && !is_between(stamp, e->before.filetime, e->after.filetime, SLACK))
		return wrong("TimeStamp %llu, not %llu to %llu", stamp, e->before.filetime,
			     e->after.filetime);
	put16(bytes, header + e->size);
	bytes[0x02] = e->type;
	bytes[0x03] = 0xC0;
	memcpy(bytes + 0x04, e->class, 4);
	put32(bytes + 0x08, e->thread);
	put32(bytes + 0x0C, e->process);
	put64(bytes + 0x10, stamp);
	memcpy(bytes + 0x18, e->guid, 16);
	put32(bytes + 0x28, kernel);
	put32(bytes + 0x2C, user);
	if (e->instance)
		memcpy(bytes + 0x30, e->instance, 0x18);
	memcpy(bytes + header, e->data, e->size);
	return compare(record, bytes, header + e->size);
}

__u32 stamp_at(__u32 flags)
{
	__u32 at = 8;

	if (!(flags & 0x18))
		return 0;
	if (flags & 0x01)
		at += 4;
	if (flags & 0x04)
		at += 4;
	else if (flags & 0x02)
		at += 16;
	return at;
}

const char *wrong_message(const struct record *record, const struct expected_message *e)
{
	static __u8 bytes[44 + MOST_DATA + 8];
	__u32 at = 8, stamp = stamp_at(e->flags);
	__u64 time = 0;

	bytes[0x02] = 0;
	bytes[0x03] = 0x90;
	put16(bytes + 0x04, e->number);
	put16(bytes + 0x06, e->flags | (e->bits == 32 ? 0x40 : 0x80));
	if (e->flags & 0x01) {
		put32(bytes + at, e->sequence);
		at += 4;
	}
	if (e->flags & 0x04) {
		memcpy(bytes + at, e->guid, 4);
		at += 4;
	} else if (e->flags & 0x02) {
		memcpy(bytes + at, e->guid, 16);
		at += 16;
	}
	if (stamp) {
		if (e->flags & 0x08 && record->bytes && record->size >= stamp + 8)
			time = get64(record->bytes + stamp);
		if (e->flags & 0x08 && !is_between(time, e->before, e->after, SLACK))
			return wrong("a stamp of %llu, not %llu to %llu", time, e->before,
				     e->after);
		put64(bytes + at, time);
		at += 8;
	}
	if (e->flags & 0x20) {
		put32(bytes + at, e->thread);
		put32(bytes + at + 4, e->process);
		at += 8;
	}
	memcpy(bytes + at, e->data, e->size);
	put16(bytes, at + e->size);
	return compare(record, bytes, at + e->size);
}
