/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Closes a file: the header fields that are only known at the end. */
#ifndef ETW_FINAL_HEADER_H
#define ETW_FINAL_HEADER_H

#include <stdint.h>

/**
 * struct final_header - what a file's header gets
 * @end_time: FILETIME
 * @buffers_written: the header buffer included
 * @events_lost: total
 * @buffers_lost: total
 * @last_buffer: offset of the last buffer, which gets the FLUSH_MARKER
 */
struct final_header {
	uint64_t end_time;
	uint32_t buffers_written;
	uint32_t events_lost;
	uint32_t buffers_lost;
	uint64_t last_buffer;
};

/* What the header says now; BuffersWritten 0: the file is not closed */
int final_header_read(int fd, struct final_header *final);
struct etl_logfile;

/*
 * The last buffer was handed over when the session ended: its time stamp,
 * through the stream's own formula, is the end, whatever the wall clock did.
 */
uint64_t final_header_end_time(const struct etl_logfile *log, uint64_t last_stamp);
/* For a file that a stream of buffers of one size was written to. */
int final_header_end_of(int fd, uint64_t last_buffer, uint64_t *end_time);
/* Patches and syncs. Return: 0 or -errno */
int final_header_write(int fd, const struct final_header *final);

/* Offset in the file of the header event's LogFileMode */
#define ETW_FILE_LOG_FILE_MODE	0x88

/* The file is unclosed again, and has another LogFileMode. Return: 0 or -errno */
int final_header_reopen(int fd, uint64_t last_buffer, uint32_t mode);

#endif /* ETW_FINAL_HEADER_H */
