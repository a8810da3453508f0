// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A circular file: a ring of buffers behind the header buffer. */
#ifndef _GNU_SOURCE	/* as libetw is compiled */
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "etw_abi.h"
#include "fileio.h"
#include "first_buffer.h"
#include "reader.h"
#include "ring_file.h"

#define SEQUENCE	offsetof(struct wmi_buffer_header, sequence_number)

/**
 * struct ring - a file that is being put in order; slots count from 0
 * @fd: the file
 * @size: bytes of a buffer
 * @slots: whole ones behind the header buffer
 * @empty: of them, those that hold no whole buffer
 * @spare: behind them all
 * @sequence: by slot: its number; 0: not a buffer, or one that is elsewhere too
 * @count: buffers that stay
 * @source: by slot in the ordered file: where its buffer is
 * @needed: by slot: its buffer has not been moved
 * @buffer: one buffer
 */
struct ring {
	int fd;
	uint32_t size;
	uint64_t slots;
	uint64_t empty;
	uint64_t spare;
	uint64_t *sequence;
	uint64_t count;
	uint64_t *source;
	uint8_t *needed;
	uint8_t *buffer;
};

static uint64_t place_of(uint32_t size, uint64_t slot)
{
	return (slot + 1) * size;
}

/*
 * While a buffer is half written its number is 0, so that it counts for
 * nothing: the number is the last that is written. At the end of the file its
 * size says the same.
 */
static int write_slot(int fd, uint32_t size, uint64_t slot, const uint8_t *buffer)
{
	uint64_t at = place_of(size, slot), none = 0;
	const size_t head = SEQUENCE + sizeof(none);
	struct stat stat;
	int err;

	if (fstat(fd, &stat))
		return -errno;
	if ((uint64_t)stat.st_size < at + size)
		return file_write_at(fd, buffer, size, at);
	err = file_write_at(fd, &none, sizeof(none), at + SEQUENCE);
	if (!err)
		err = file_write_at(fd, buffer + head, size - head, at + head);
	if (!err)
		err = file_write_at(fd, buffer, head, at);
	return err;
}

int ring_put(int fd, uint32_t size, uint64_t slots, const uint8_t *buffer)
{
	return write_slot(fd, size, (get64(buffer + SEQUENCE) - 1) % slots, buffer);
}

static int move(struct ring *ring, uint64_t from, uint64_t to)
{
	int err = file_read_at(ring->fd, ring->buffer, ring->size, place_of(ring->size, from));

	return err ? err : write_slot(ring->fd, ring->size, to, ring->buffer);
}

static int read_numbers(struct ring *ring)
{
	struct wmi_buffer_header header;
	uint64_t slot;
	int err;

	for (slot = 0; slot < ring->slots; slot++) {
		err = file_read_at(ring->fd, &header, sizeof(header),
				   place_of(ring->size, slot));
		if (err)
			return err;
		if (header.buffer_size != ring->size || header.offset > ring->size ||
		    header.offset <= sizeof(header))
			header.sequence_number = 0;
		ring->sequence[slot] = header.sequence_number;
		ring->empty += !header.sequence_number;
	}
	return 0;
}

static int by_number(const void *left, const void *right, void *numbers)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
	const uint64_t *number = numbers;

	if (number[a] != number[b])
		return number[a] < number[b] ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* A number that is there twice was being moved: either will do. */
static void find_sources(struct ring *ring)
{
	uint64_t slot, n = 0, kept = 0;

	for (slot = 0; slot < ring->slots; slot++)
		if (ring->sequence[slot])
			ring->source[n++] = slot;
	qsort_r(ring->source, n, sizeof(*ring->source), by_number, ring->sequence);
	for (slot = 0; slot < n; slot++) {
		if (kept && ring->sequence[ring->source[slot]] ==
			    ring->sequence[ring->source[kept - 1]])
			continue;
		ring->source[kept++] = ring->source[slot];
		ring->needed[ring->source[slot]] = 1;
	}
	ring->count = kept;
}

/* From a slot that holds nothing of use: fill it, then the one that this empties. */
static int move_chain(struct ring *ring, uint64_t slot)
{
	uint64_t from;
	int err;

	for (; slot < ring->count; slot = from) {
		from = ring->source[slot];
		err = move(ring, from, slot);
		if (err)
			return err;
		ring->needed[from] = 0;
		ring->needed[slot] = 2;
	}
	return 0;
}

/* All slots hold buffers that belong elsewhere among them: one goes to the spare. */
static int move_cycle(struct ring *ring, uint64_t first)
{
	uint64_t slot = first, from;
	int err = move(ring, first, ring->spare);

	while (!err) {
		from = ring->source[slot];
		err = move(ring, from == first ? ring->spare : from, slot);
		ring->needed[slot] = 2;
		if (from == first)
			break;
		slot = from;
	}
	return err;
}

static int move_all(struct ring *ring)
{
	uint64_t slot;
	int err = 0;

	for (slot = 0; slot < ring->count && !err; slot++)
		if (!ring->needed[slot])
			err = move_chain(ring, slot);
	for (slot = 0; slot < ring->count && !err; slot++)
		if (ring->needed[slot] != 2 && ring->source[slot] != slot)
			err = move_cycle(ring, slot);
	return err;
}

/* Upwards: what has its new number is below all that have not. */
static int renumber(struct ring *ring)
{
	uint64_t slot, number;
	int err = 0;

	for (slot = 0; slot < ring->count && !err; slot++) {
		number = slot + 1;
		if (ring->sequence[ring->source[slot]] != number)
			err = file_write_at(ring->fd, &number, sizeof(number),
					    place_of(ring->size, slot) + SEQUENCE);
	}
	return err;
}

static int order(struct ring *ring)
{
	int err = read_numbers(ring);

	if (err)
		return err;
	find_sources(ring);
	err = move_all(ring);
	/* copies that stand behind the end would outlive their numbers */
	if (!err && ftruncate(ring->fd, place_of(ring->size, ring->count)))
		err = -errno;
	if (!err)
		err = renumber(ring);
	if (!err && fdatasync(ring->fd) && errno != EINVAL)
		err = -errno;
	return err;
}

static int put_in_order(int fd, uint32_t size, uint64_t *buffers, uint64_t *empty)
{
	struct ring ring = { .fd = fd, .size = size };
	struct stat stat;
	int err = -ENOMEM;

	if (fstat(fd, &stat))
		return -errno;
	if (stat.st_size < size)
		return -EBADMSG;
	ring.slots = stat.st_size / size - 1;
	ring.spare = ring.slots;
	ring.sequence = calloc(ring.slots + 1, sizeof(*ring.sequence));
	ring.source = calloc(ring.slots + 1, sizeof(*ring.source));
	ring.needed = calloc(ring.slots + 1, 1);
	ring.buffer = malloc(size);
	if (ring.sequence && ring.source && ring.needed && ring.buffer)
		err = order(&ring);
	*buffers = ring.count + 1;
	*empty = ring.empty;
	free(ring.sequence);
	free(ring.source);
	free(ring.needed);
	free(ring.buffer);
	return err;
}

int ring_order(int fd, uint32_t size, uint64_t *buffers)
{
	uint64_t empty;

	return put_in_order(fd, size, buffers, &empty);
}

int ring_recover(int fd, uint64_t *dropped)
{
	struct etl_logfile log;
	uint64_t buffers;
	uint8_t *bytes;
	uint32_t size;
	int err = first_buffer_read(fd, &bytes, &size);
	bool open;

	if (err)	/* the caller reports a file that is shorter than its first buffer */
		return err == -EIO ? 0 : err;
	open = !etl_logfile_of(bytes, size, &log) &&
	       (log.log_file_mode & EVENT_TRACE_FILE_MODE_CIRCULAR) && !log.buffers_written;
	free(bytes);
	/* with a wrong size no place would hold a buffer, and all would go */
	if (open && log.buffer_size != size)
		return -EBADMSG;
	return open ? put_in_order(fd, size, &buffers, dropped) : 0;
}
