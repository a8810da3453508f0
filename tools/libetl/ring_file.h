/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A circular file: a ring of buffers behind the header buffer. */
#ifndef ETW_RING_FILE_H
#define ETW_RING_FILE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * SequenceNumber is the age of a buffer; 0 means that the buffer is being overwritten. So
 * the file can be put in order wherever the writer ended, even while it put the file in order.
 */

/* Puts a buffer that carries its number over the oldest. Return: 0 or -errno */
int ring_put(int fd, uint32_t size, uint64_t slots, const uint8_t *buffer);

/*
 * The oldest first, numbered from 1, nothing behind the newest.
 * @buffers: out: of the file, the header buffer included
 * Return: 0 or -errno
 */
int ring_order(int fd, uint32_t size, uint64_t *buffers);

/*
 * Puts a circular file of ours in order if it was not closed. Any other file stays as it is.
 * @dropped: out: places that held no whole buffer
 * Return: 0 or -errno; -EBADMSG: BufferSize of the first buffer is not that of the header event, or
 * more than LARGEST_BUFFER
 */
int ring_recover(int fd, uint64_t *dropped);

#endif /* ETW_RING_FILE_H */
