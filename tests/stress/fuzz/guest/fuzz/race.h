/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Ioctls with bytes that change while the kernel reads them. */
#ifndef ETW_TEST_FUZZ_RACE_H
#define ETW_TEST_FUZZ_RACE_H

#include "check.h"

#define RACES	8	/* ioctls while one racer runs */

/* Reads a stream, if there is one to read */
static void read_beside(struct racer *racer, int side)
{
	struct pollfd p = { .fd = racer->fd, .events = POLLIN };
	char bytes[512];

	if (p.fd >= 0 && poll(&p, 1, 0) > 0 && !side && read(p.fd, bytes, 512) < 0)
		sched_yield();
}

/* Both values of a field: what it is, and something close to a limit */
static inline void add_flip(struct worker *w, __u8 *at, __u32 size)
{
	struct flip *flip = &w->racer.flip[w->racer.count];

	if (w->racer.count == MAX_FLIPS)
		return;
	flip->at = at;
	flip->size = size;
	memcpy(&flip->value[0], at, size);
	flip->value[1] = flip->value[0];
	set_field(w, (__u8 *)&flip->value[1], size);
	w->racer.count++;
}

static inline int has_intervals(const __u8 *block, __u32 size)
{
	struct wmi_logger_information info;
	struct verdict unused = { 0 };
	struct extension x;

	memcpy(&info, block, sizeof(info));
	model_extension(&x, &unused, block, size, &info, 1);
	return !!x.at[INTERVALS];
}

/* A dword of an extension, but no events that were not asked for */
static inline void flip_item(struct worker *w, __u8 *block, __u32 size)
{
	__u32 dwords, at = array_in(block, size < MAX_BLOCK ? size : MAX_BLOCK, &dwords);
	struct flip *flip = &w->racer.flip[w->racer.count];

	if (w->racer.count == MAX_FLIPS)
		return;
	at += 4 * below(w, dwords);
	/* a timer that is too fast leaves time for nothing */
	if (dword_at(block, AT(enable_flags)) >> 16 == 0x80FF && has_intervals(block, size))
		return;
	add_flip(w, block + at, 4);
	if (!w->events)
		flip->value[1] &= ~(__u64)PROBES;
}

/* Where a second look at user memory would do the most harm */
static inline void choose_flips(struct worker *w, struct request *r)
{
	static const __u16 fields[] = {
		AT(wnode.buffer_size), AT(wnode.flags), AT(buffer_size), AT(log_file_mode),
		AT(flush_timer), AT(wnode.client_context), AT(enable_flags), AT(logger_extension),
		AT(minimum_buffers), AT(log_file_name.pad),
	};
	static const __u16 names[] = { AT(logger_name), AT(log_file_name) };
	__u8 *p = peek(w, r->arg, r->known), *block;
	__u32 i, dwords, size;
	struct etw_control c;

	w->racer.count = 0;
	if (!p)
		return;
	if (one_in(w, 2))
		add_flip(w, p, 4);
	if (r->kind == LOG_RECORD)
		add_flip(w, p + offsetof(struct etw_log_record, payload_size), 4);
	if (r->kind == QUERY || r->kind == START || r->kind == UPDATE)
		add_flip(w, p + offsetof(struct etw_control, information_size), 4);
	if (r->kind != START && r->kind != UPDATE) {
		i = 4 * below(w, 4);
		if (i)
			add_flip(w, p + i, 4);
		return;
	}
	memcpy(&c, p, sizeof(c));
	block = peek(w, c.information, sizeof(struct wmi_logger_information));
	if (!block)
		return;
	i = below(w, 16);
	size = block ? room_at(w, c.information) : 0;
	if (i < 4 && array_in(block, size < MAX_BLOCK ? size : MAX_BLOCK, &dwords))
		flip_item(w, block, size);
	else if (i < 10 && (fields[i] != AT(enable_flags) || w->events || r->kind == START))
		add_flip(w, block + fields[i], 4);
	else
		add_flip(w, block + names[i % 2], 2);
	if (one_in(w, 2))
		add_flip(w, block + names[i % 2] + 8, 8);
}

/*
 * Code that reads the size of a block twice believes a block with
 * a name behind what was copied: all else is right in it, at both sizes.
 */
static inline void choose_sizes(struct worker *w, struct request *r)
{
	struct wmi_logger_information info;
	struct etw_control c = { .flags = ETW_START_NO_RUNDOWN };
	__u8 *p = peek(w, r->arg, r->known), *block = w->blocks.rw + PLACE;
	__u32 size, more;

	w->racer.count = 0;
	if (!p)
		return;
	wipe_at(w, r->block, r->block_size);
	size = put_block(w, block);
	more = size + 64 + below(w, 2048);
	tame(w, &c, block, size);
	memcpy(&info, block, sizeof(info));
	memcpy(block + more - info.logger_name.length, block + info.logger_name.buffer,
	       info.logger_name.length);
	info.logger_name.buffer = more - info.logger_name.length;
	info.wnode.buffer_size = more;
	memcpy(block, &info, sizeof(info));
	c.size = sizeof(c);
	c.information = (unsigned long)block;
	c.information_size = size;
	memcpy(p, &c, sizeof(c));
	r->block = c.information;
	r->block_size = more;
	add_flip(w, p + offsetof(struct etw_control, information_size), 4);
	add_flip(w, block + AT(wnode.buffer_size), 4);
	w->racer.flip[0].value[1] = more;
	w->racer.flip[1].value[1] = size;
}

/* The bytes change meanwhile: any documented result will do. */
static inline void race(struct worker *w, struct request *r)
{
	struct watch watches[2];
	struct verdict v;
	int i, err;

	if (r->kind == START && one_in(w, 2))
		choose_sizes(w, r);
	else
		choose_flips(w, r);
	model(w, r, &v);
	watch(w, &watches[0], r->arg, PAGE);
	watch(w, &watches[1], v.information, PAGE);
	w->racer.fd = -1;
	begin_race(&w->racer);
	for (i = 0; i < RACES; i++) {
		err = call(w, r);
		count(w, r->kind, err);
		if (r->fd_error ? err != r->fd_error : !(documented[r->kind] & E(err)))
			finding(w, "%s: %s, which is not to be, in a race", kind_name[r->kind],
				error_name(err));
		if (!err && r->kind == START) {
			/* its configuration is unknown; its id is in LIST */
			memset(shared->trait, TRAIT_KERNEL, sizeof(shared->trait));
			break;
		}
	}
	end_race(&w->racer);
	/*
	 * All but the margins is unknown. The model knows of no block when
	 * the argument's size was wrong before the race; we change it all the same.
	 */
	for (i = 0; i < 2; i++) {
		allow(&watches[i], (unsigned long)peek(w, r->arg, 1), PAGE);
		allow(&watches[i], (unsigned long)peek(w, v.information, 1), PAGE);
		allow(&watches[i], (unsigned long)peek(w, r->block, 1),
		      r->kind == PROVIDERS ? r->block_size : PAGE);
		check_watch(w, r, &watches[i], 0);
	}
	wipe(w, r, watches);
}

#endif /* ETW_TEST_FUZZ_RACE_H */
