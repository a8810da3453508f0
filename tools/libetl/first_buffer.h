/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The beginning of a file: its header buffer, and whether the module recorded the file. */
#ifndef ETW_FIRST_BUFFER_H
#define ETW_FIRST_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes; a session's buffers have 16 MB at most */
#define LARGEST_BUFFER	(64u << 20)

struct etl_logfile;

/*
 * @bytes: out: the header buffer, to be freed
 * @size: out: bytes of it
 * Return: 0 or -errno; -EBADMSG: the file does not begin with a buffer, or the buffer has more than
 * LARGEST_BUFFER bytes
 */
int first_buffer_read(int fd, uint8_t **bytes, uint32_t *size);
/* The header event; its strings are not to be read. Return: as above */
int first_buffer_logfile(int fd, struct etl_logfile *log);
/*
 * Whether the module recorded the file: an event of its own is in one of the first 256 buffers or
 * in the last one
 */
bool first_buffer_is_ours(int fd);

#endif /* ETW_FIRST_BUFFER_H */
