/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The payload of a record, and its reservation in a ring. */
#ifndef ETW_PAYLOAD_H
#define ETW_PAYLOAD_H

#include <linux/align.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/string.h>
#include "ring/reserve.h"

/**
 * struct etw_payload - a payload in at most two pieces
 * @data: first piece
 * @size: bytes of it
 * @more: second piece, or NULL
 * @more_size: bytes of it
 */
struct etw_payload {
	const void *data;
	u32 size;
	const void *more;
	u32 more_size;
};

static inline u32 etw_payload_size(const struct etw_payload *payload)
{
	return payload->size + payload->more_size;
}

/* Larger pieces, such as paths, are worth a call of memcpy(). */
#define ETW_PIECE_BY_WORDS	64U

/* memcpy() of few bytes, of a size that varies, takes longer: on x86 it is a string instruction. */
static __always_inline void etw_put_piece(u8 *to, const u8 *from, u32 size)
{
	if (unlikely(size > ETW_PIECE_BY_WORDS)) {
		memcpy(to, from, size);
		return;
	}
	for (; size >= sizeof(u64); size -= sizeof(u64)) {
		memcpy(to, from, sizeof(u64));
		to += sizeof(u64);
		from += sizeof(u64);
		barrier();	/* otherwise the compiler may call memcpy() for the loop */
	}
	if (size & sizeof(u32)) {
		memcpy(to, from, sizeof(u32));
		to += sizeof(u32);
		from += sizeof(u32);
	}
	for (size %= sizeof(u32); size; size--)
		*to++ = *from++;
}

/*
 * Zeroes the bytes up to the next multiple of 8, so that no stale data gets out. @header is a
 * multiple of 8, so the last word of the record has no bytes of the header.
 */
static __always_inline void etw_put_payload(u8 *to, u32 header, const struct etw_payload *payload)
{
	u32 size = header + etw_payload_size(payload);
	u32 aligned = ALIGN(size, ETW_RECORD_ALIGN);

	if (size != aligned)
		memset(to + aligned - ETW_RECORD_ALIGN, 0, ETW_RECORD_ALIGN);
	etw_put_piece(to + header, payload->data, payload->size);
	if (payload->more_size)
		etw_put_piece(to + header + payload->size, payload->more, payload->more_size);
}

/**
 * etw_reserve_record_reading() - reserve a header and a payload, and read counters
 * @ring: this CPU's
 * @header: bytes of the header and of items behind it
 * @payload: payload
 * @at: out: the reservation
 * @size: out: bytes of the record
 * @mode: whether a failure is a loss
 * @read: see etw_reserve_reading()
 * @arg: argument of @read
 * @moment: see etw_reserve_reading()
 *
 * Context: any; preemption off. Return: 0; -EMSGSIZE: larger than a buffer or than a 16-bit
 * Size allows; -ENOBUFS, also if @read returned false.
 */
static __always_inline int
etw_reserve_record_reading(struct etw_ring *ring, u32 header, const struct etw_payload *payload,
			   struct etw_reservation *at, u32 *size, enum etw_reserve_mode mode,
			   bool (*read)(void *arg), void *arg, struct etw_moment *moment)
{
	*size = header + etw_payload_size(payload);
	if (*size > ETW_MAX_RECORD) {
		if (mode == ETW_RESERVE_COUNT)
			etw_ring_count_loss(ring, ETW_LOSS_TOO_LARGE);
		return -EMSGSIZE;
	}
	if (etw_reserve_reading(ring, *size, at, mode, read, arg, moment))
		return 0;
	return ring->nr_slots && etw_units(*size) > ring->capacity ? -EMSGSIZE : -ENOBUFS;
}

/**
 * etw_reserve_record() - reserve a header and a payload
 * @ring: this CPU's
 * @header: bytes of the header and of items behind it
 * @payload: payload
 * @at: out: the reservation
 * @size: out: bytes of the record
 * @mode: whether a failure is a loss
 * @moment: NULL, or the event's reading of the clocks
 *
 * Context and return: see etw_reserve_record_reading().
 */
static inline int etw_reserve_record(struct etw_ring *ring, u32 header,
				     const struct etw_payload *payload, struct etw_reservation *at,
				     u32 *size, enum etw_reserve_mode mode,
				     struct etw_moment *moment)
{
	return etw_reserve_record_reading(ring, header, payload, at, size, mode, NULL, NULL,
					  moment);
}

#endif /* ETW_PAYLOAD_H */
