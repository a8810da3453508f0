/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Reads and writes of whole pieces of a file. */
#ifndef ETW_FILEIO_H
#define ETW_FILEIO_H

#include <stddef.h>
#include <stdint.h>

/* Return: 0 or -errno; -EIO when the file ends before */
int file_read_at(int fd, void *to, size_t bytes, uint64_t at);
int file_write_at(int fd, const void *from, size_t bytes, uint64_t at);
/* To the end, also of what can't seek */
int file_write(int fd, const void *from, size_t bytes);

#endif /* ETW_FILEIO_H */
