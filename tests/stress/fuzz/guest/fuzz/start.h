/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* START requests, and the numbers and addresses that all requests are made of. */
#ifndef ETW_TEST_FUZZ_START_H
#define ETW_TEST_FUZZ_START_H

#include "extension.h"

/* Of STARTs and STOPs one in so many may succeed: they take milliseconds */
#define RARE_START	96
#define RARE_STOP	128

/* Nothing is mapped there: low, the hole, the kernel's half and its border */
static inline __u64 wild(struct worker *w)
{
	static const __u64 addresses[] = {
		0, 1, 8, 0xfff, 0x1000, 0x7ffffffff000, 0x7ffffffffff8, 0x800000000000,
		0x0001000000000000, 0x8000000000000000, 0xffff800000000000, 0xffff888000000000,
		0xffffc90000000000, 0xffffffff80000000, 0xffffffff81000000, 0xfffffffffffff000,
		0xffffffffffffffd8, 0xfffffffffffffff8, 0xffffffffffffffff,
	};
	__u32 n = sizeof(addresses) / sizeof(addresses[0]);
	__u32 i = below(w, n + 2);

	if (i < n)
		return addresses[i];
	return (unsigned long)(i == n ? w->args.rw : w->blocks.rw) +
	       (i == n ? w->args.size : w->blocks.size) + below(w, 64);
}

/* An address for @size bytes: mostly a good one */
static inline __u64 place(struct worker *w, struct arena *arena, __u32 size)
{
	unsigned long base = (unsigned long)arena->rw, end = base + arena->size;

	if (!one_in(w, 8))
		return base + PLACE;
	switch (below(w, 8)) {
	case 0:
	case 1:
		return base + PLACE + below(w, 16);
	case 2:
	case 3:
		return end - size;
	case 4:		/* the hole begins inside */
		return end - 1 - below(w, size);
	case 5:		/* a page boundary inside */
		return base + PAGE - below(w, size);
	case 6:
		return (unsigned long)arena->ro + PLACE;
	default:
		return wild(w);
	}
}

static inline __u32 put_name(struct worker *w, __u8 *block, __u32 at, __u32 most)
{
	__u32 units = one_in(w, 16) ? 1 + below(w, most) : 2 + below(w, 14), i;
	__u16 text[512];

	/* few names: now and then one is taken */
	for (i = 0; i < units; i++)
		text[i] = 'a' + i;
	text[0] = 'A' + below(w, 32);
	text[1] = '0' + w->number;
	if (one_in(w, 8))
		text[below(w, units)] = ' ' + below(w, 0xffe0);
	memcpy(block + at, text, 2 * units);
	return 2 * units;
}

/* A valid block; returns its size. */
static inline __u32 put_block(struct worker *w, __u8 *block)
{
	static const struct etw_guid kernel = ETW_SYSTEM_TRACE_CONTROL_GUID;
	static const __u32 modes[] = {
		0x100, 0x400, 0x8400, 0x500, 0x1, 0x4101, 0x400, 0x410, 0x2, 0x108,
	};
	struct wmi_logger_information info;
	__u32 at = sizeof(info) + 2 * below(w, 4);

	memset(&info, 0, sizeof(info));
	memset(block + sizeof(info), 0, 64);
	info.wnode.flags = WNODE_FLAG_TRACED_GUID;
	info.wnode.client_context = below(w, one_in(w, 16) ? 4 : 3);
	info.buffer_size = one_in(w, 8) ? 8 : 4;
	info.maximum_buffers = 4 + below(w, 8);
	info.minimum_buffers = below(w, 5);
	info.maximum_file_size = 1 + below(w, 1000);
	info.log_file_mode = modes[below(w, 10)];
	if (one_in(w, 4))
		info.flush_timer = 30 + below(w, 1000);
	if (one_in(w, 3))
		info.log_file_mode |= EVENT_TRACE_SYSTEM_LOGGER_MODE;
	else if (one_in(w, 8))
		info.wnode.guid = kernel;
	if (is_kernel(&info) && one_in(w, 2))
		info.enable_flags = mask_value(w, 0);
	info.logger_name.buffer = at;
	info.logger_name.length = put_name(w, block, at, ETW_MAX_LOGGER_NAME);
	at += info.logger_name.length + 2 * below(w, 3);
	if (info.log_file_mode & EVENT_TRACE_FILE_MODE_NEWFILE ||
	    (!(info.log_file_mode & EVENT_TRACE_BUFFERING_MODE) && one_in(w, 2))) {
		info.log_file_name.buffer = at;
		info.log_file_name.length = put_name(w, block, at, ETW_MAX_LOG_FILE_NAME);
		if (info.log_file_mode & EVENT_TRACE_FILE_MODE_NEWFILE)
			memcpy(block + at, "%\0d", 4);
		at += info.log_file_name.length;
	}
	info.wnode.buffer_size = at;
	memcpy(block, &info, sizeof(info));
	return one_in(w, 3) ? put_extension(w, block, at) : at;
}

static inline void spoil_block(struct worker *w, __u8 *block, __u32 size)
{
	static const struct {
		__u16 offset, size;
	} fields[] = {
#define F(member) { AT(member), sizeof(((struct wmi_logger_information *)0)->member) }
		F(wnode.buffer_size), F(wnode.provider_id), F(wnode.client_context),
		F(wnode.flags), F(wnode.historical_context), F(wnode.time_stamp),
		F(wnode.guid.data1), F(buffer_size), F(minimum_buffers), F(maximum_buffers),
		F(maximum_file_size), F(log_file_mode), F(flush_timer), F(enable_flags),
		F(flush_threshold), F(v2_options), F(log_file_handle), F(number_of_buffers),
		F(free_buffers), F(events_lost), F(buffers_written), F(log_buffers_lost),
		F(real_time_buffers_lost), F(logger_thread_id), F(log_file_name.length),
		F(log_file_name.maximum_length), F(log_file_name.pad), F(log_file_name.buffer),
		F(logger_name.length), F(logger_name.maximum_length), F(logger_name.pad),
		F(logger_name.buffer), F(real_time_consumer_count), F(sequence_number),
		F(logger_extension),
#undef F
	};
	const __u32 n = sizeof(fields) / sizeof(fields[0]);
	__u16 length;
	__u64 at;
	__u32 i;

	switch (below(w, 12)) {
	case 8:
	case 9:
	case 10:
	case 11:
		spoil_extension(w, block, size);
		break;
	case 0:
		i = below(w, size);
		block[i] ^= 1 << below(w, 8);
		break;
	case 1:
		for (at = below(w, size), i = 0; i < 8 && at + i < size; i++)
			block[at + i] = draw(w);
		break;
	case 2:		/* a name around the end of the block */
		i = one_in(w, 2) ? AT(logger_name) : AT(log_file_name);
		memcpy(&length, block + i, sizeof(length));
		at = size - length + below(w, 9) - 4;
		memcpy(block + i + 8, &at, sizeof(at));
		break;
	case 3:		/* a character that may not be */
		if (size > sizeof(struct wmi_logger_information) + 4) {
			i = sizeof(struct wmi_logger_information);
			i += 2 * below(w, (size - i) / 2);
			length = below(w, 33);
			memcpy(block + i, &length, sizeof(length));
		}
		break;
	default:
		i = below(w, n);
		set_field(w, block + fields[i].offset, fields[i].size);
	}
}

/* One rule of START is broken for certain. */
static inline void break_start(struct worker *w, struct etw_control *c, __u8 *block)
{
	static const struct {
		__u16 offset, size;
		__u64 value;
	} wrong[] = {
#define F(member, value) \
	{ AT(member), sizeof(((struct wmi_logger_information *)0)->member), value }
		F(wnode.buffer_size, 0), F(wnode.provider_id, 1), F(wnode.flags, 0),
		F(wnode.flags, 0x20001), F(flush_threshold, 1), F(v2_options, 1ULL << 40),
		F(log_file_handle, 1ULL << 63), F(logger_extension, 8), F(log_file_mode, 0),
		F(log_file_mode, 0x401), F(log_file_mode, 0x10A), F(buffer_size, 3),
		F(buffer_size, 0x4004), F(buffer_size, 0xfffffffc), F(maximum_buffers, 0x10001),
		F(minimum_buffers, 0x10001), F(flush_timer, 0x7fffffff),
		F(wnode.client_context, 4), F(enable_flags, EVENT_TRACE_FLAG_FORWARD_WMI),
		F(enable_flags, EVENT_TRACE_FLAG_EXTENSION), F(enable_flags, 0x20000),
		F(logger_name.length, 0), F(logger_name.length, 0x201), F(logger_name.pad, 1),
		F(logger_name.buffer, 0xae), F(logger_name.buffer, ~1ULL),
		F(log_file_name.length, 5), F(log_file_name.pad, 0x80000000),
#undef F
	};
	const __u32 n = sizeof(wrong) / sizeof(wrong[0]);
	__u32 i = below(w, n + 8);

	if (i < n) {
		memcpy(block + wrong[i].offset, &wrong[i].value, wrong[i].size);
		return;
	}
	switch (i - n) {
	case 0:
		c->error_processor = 1 + below(w, 1000);
		break;
	case 1:
		c->error_offset = 1 + below(w, 1000);
		break;
	case 2:
		c->error_reason = 1 + below(w, 8);
		break;
	case 3:
		c->error_item = 1;
		break;
	case 4:
		c->logger_id = 1 + below(w, 64);
		break;
	case 5:
		c->flags |= 8U << below(w, 29);
		break;
	case 6:
		c->information_size = below(w, sizeof(struct wmi_logger_information));
		break;
	default:
		c->information_size = ETW_MAX_INFORMATION + 1 + below(w, 4);
	}
}

/*
 * Tracepoints, breakpoints and probes as counters are perf's business, and cost
 * whole functions of the kernel: those of an extension become software events. And
 * samples must leave time for something else.
 */
static inline void tame_counters(__u8 *block, __u32 size)
{
	static const __u32 software = PERF_TYPE_SOFTWARE, faults = PERF_COUNT_SW_PAGE_FAULTS;
	static const __u32 slow = 20000;	/* 2 ms: the machine is emulated */
	struct wmi_logger_information info;
	struct verdict unused = { 0 };
	struct extension x;
	__u32 i, at, type;

	memcpy(&info, block, sizeof(info));
	if (!(info.enable_flags & EVENT_TRACE_FLAG_EXTENSION))
		return;
	model_extension(&x, &unused, block, size, &info, 1);
	for (i = 0; x.at[COUNTERS] && !x.bad && i < x.dwords[COUNTERS] / 4; i++) {
		at = x.at[COUNTERS] + 8 + 16 * i;
		type = dword_at(block, at);
		if (type != PERF_TYPE_HARDWARE && type != PERF_TYPE_HW_CACHE &&
		    type != PERF_TYPE_RAW && type < FIRST_UNUSED_TYPE)
			memcpy(block + at, &software, sizeof(software));
		/* clocks count nanoseconds: as sources they would leave time for nothing */
		if (x.at[SOURCES] && dword_at(block, at) == PERF_TYPE_SOFTWARE &&
		    dword_at(block, at + 4) < faults)
			memcpy(block + at + 4, &faults, sizeof(faults));
	}
	for (i = 0; x.at[INTERVALS] && !x.bad && i < x.dwords[INTERVALS] / 2; i++) {
		at = x.at[INTERVALS] + 4 + 8 * i;
		if (!dword_at(block, at) && dword_at(block, at + 4) < slow)
			memcpy(block + at + 4, &slow, sizeof(slow));
	}
}

/* A START that will be accepted must not take the machine's time or memory. */
static inline void tame(struct worker *w, struct etw_control *c, __u8 *block, __u32 size)
{
	struct wmi_logger_information info;
	__u32 unit;

	if (!w->events || !one_in(w, 4))
		take_events(block, size);
	tame_counters(block, size);
	memcpy(&info, block, sizeof(info));
	unit = info.log_file_mode & EVENT_TRACE_USE_MS_FLUSH_TIMER ? 1 : 1000;
	if (!info.buffer_size || info.buffer_size > 64)
		info.buffer_size = 4;
	if (info.maximum_buffers > 32 || !info.maximum_buffers) {
		info.maximum_buffers = 8;
		info.minimum_buffers = 0;
	}
	if (info.flush_timer && info.flush_timer * unit < 30 && !one_in(w, 16))
		info.flush_timer = 0;
	if (is_kernel(&info) && (!w->events || !one_in(w, 8)))
		c->flags |= ETW_START_NO_RUNDOWN;
	memcpy(block, &info, sizeof(info));
}

/* A time without STOP: all 64 loggers are taken in the end. */
static inline int is_filling(struct worker *w)
{
	return (w->step >> 15 & 15) == 15;
}

/* A time in which sessions come and go, of all processes together */
static inline int is_churning(struct worker *w)
{
	return (w->step >> 12 & 31) == 1;
}

/* What is put where the kernel will look for a block */
static inline void put_information(struct worker *w, struct request *r, struct etw_control *c,
				   const __u8 *block, __u32 size)
{
	__u8 *to = peek(w, c->information, 1);

	r->block = c->information;
	r->block_size = size;
	if (to)
		memcpy(to, block, size < room_at(w, c->information) ? size :
		       room_at(w, c->information));
}

static inline void compose_start(struct worker *w, struct request *r, struct etw_control *c)
{
	__u8 block[MAX_BLOCK];
	__u32 size, i, n;

	r->real = one_in(w, is_churning(w) ? RARE_START / 8 :
			 is_filling(w) ? RARE_START / 4 : RARE_START);
	c->flags = one_in(w, 8) ? 0 : ETW_START_NO_RUNDOWN;
	if (one_in(w, 3))
		c->flags |= ETW_START_TIED;
	if (one_in(w, 8))
		c->flags |= ETW_START_NO_ADDRESSES;
	size = put_block(w, block);
	if (one_in(w, 64)) {	/* room behind the names */
		n = below(w, 2048);
		memset(block + size, FILL, n);
		size += n;
		memcpy(block, &size, sizeof(size));
	}
	n = below(w, 3);
	if (r->real)
		n = one_in(w, 4);
	for (i = 0; i < n; i++)
		spoil_block(w, block, size);
	c->information_size = one_in(w, 16) ? size + below(w, 17) - 8 : size;
	c->information = place(w, &w->blocks, size);
	if (one_in(w, 64))	/* over the argument itself */
		c->information = (unsigned long)w->args.rw + PLACE + 4 * below(w, 30) - 40;
	if (r->real)
		tame(w, c, block, size);
	put_information(w, r, c, block, size);
	if (one_in(w, 256))	/* the largest there is, mostly of what was there */
		c->information_size = ETW_MAX_INFORMATION;
}

/*
 * The extension of a session, with something in it changed that may be: kept, made anew,
 * or left out, and new ones. Most of what can't change is kept.
 */
static inline __u32 put_changes(struct worker *w, __u8 *block, __u32 size)
{
	__u8 logged[MAX_BLOCK];
	struct wmi_logger_information info;
	struct verdict unused = { 0 };
	__u32 at, dwords = 1, items = 0;
	struct extension x;
	__u8 *head;
	int type;

	memcpy(logged, block, MAX_BLOCK);
	memcpy(&info, logged, sizeof(info));
	model_extension(&x, &unused, logged, size, &info, 1);
	at = info.enable_flags & 0xFFFF;
	w->counters = x.at[COUNTERS] ? x.dwords[COUNTERS] / 4 : 1;
	for (type = 0; type < TYPES; type++) {
		if (x.at[type] && !one_in(w, item_types[type].fixed ? 32 : 3)) {
			memcpy(block + at + 4 * dwords, logged + x.at[type], 4 + 4 * x.dwords[type]);
			dwords += 1 + x.dwords[type];
			items++;
		} else if (one_in(w, item_types[type].fixed ? 128 : 3) &&
			   (is_kernel(&info) || item_types[type].plain) && type != CLOCK) {
			dwords += put_item(w, block + at + 4 * dwords, type);
			items++;
		}
	}
	head = block + at;
	put_dword(&head, dwords | items << 16);
	info.wnode.buffer_size = at + 4 * dwords;
	memcpy(block, &info, sizeof(info));
	return at + 4 * dwords;
}

/* A session as it is, with something changed that may be */
static inline __u32 put_change(struct worker *w, __u8 *block, __u32 id)
{
	struct wmi_logger_information info;
	__u32 size = query_block(w, id, block);

	if (!size)
		return 0;
	memcpy(&info, block, sizeof(info));
	if (one_in(w, 4))
		info.flush_timer = one_in(w, 2) ? 0 : 30 + below(w, 1000);
	if (one_in(w, 8))	/* no change where an item gives the timer */
		info.log_file_mode ^= EVENT_TRACE_USE_MS_FLUSH_TIMER;
	if (one_in(w, 8))	/* what it is; only so a maximum can be below it */
		info.minimum_buffers = 0;
	if (one_in(w, 4))
		info.maximum_buffers = one_in(w, 4) ? 0 : info.minimum_buffers + below(w, 16);
	if (one_in(w, 4) && info.enable_flags & EVENT_TRACE_FLAG_EXTENSION) {
		size = info.enable_flags & 0xFFFF;
		info.enable_flags = 0;
		info.wnode.buffer_size = size;
	}
	if (is_kernel(&info) && !(info.enable_flags & EVENT_TRACE_FLAG_EXTENSION) && one_in(w, 2))
		info.enable_flags = mask_value(w, 0);
	memcpy(block, &info, sizeof(info));
	if (info.enable_flags & EVENT_TRACE_FLAG_EXTENSION)
		return one_in(w, 2) ? put_changes(w, block, size) : size;
	return one_in(w, 2) ? put_extension(w, block, size) : size;
}

static inline void compose_update(struct worker *w, struct request *r, struct etw_control *c)
{
	__u8 block[MAX_BLOCK];
	__u32 size, i, n = one_in(w, 2) ? 0 : 1 + below(w, 2);

	size = put_change(w, block, c->logger_id);
	if (!size)
		size = put_block(w, block);
	for (i = 0; i < n; i++)
		spoil_block(w, block, size);
	/* probes come and go in milliseconds, and grace periods */
	if (!w->events || !one_in(w, RARE_START / 4))
		take_events(block, size);
	tame_counters(block, size);
	c->information_size = one_in(w, 16) ? size + below(w, 17) - 8 : size;
	c->information = place(w, &w->blocks, size);
	put_information(w, r, c, block, size);
}

#endif /* ETW_TEST_FUZZ_START_H */
