/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A stream into files: one, one of limited size, a circular one, one after another. */
#ifndef ETW_WRITER_H
#define ETW_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "descriptor.h"
#include "final_header.h"
#include "reader.h"
#include "unwritten.h"

/**
 * struct writer - a stream on its way into files
 * @path: the file; with %d in it for EVENT_TRACE_FILE_MODE_NEWFILE
 * @mode: EVENT_TRACE_FILE_MODE_*; others are as none
 * @limit: bytes of a file; 0: none
 * @totals: asked for losses when a file is closed; may be NULL
 * @next_file: called when another file has begun; may be NULL
 * @context: for both
 * @shared: the program that we are part of may close descriptors of ours
 * @renumber: the stream's numbers are not the file's: it began in another file
 * @appends: the file was not empty with EVENT_TRACE_FILE_MODE_APPEND: the stream goes behind it
 * @appended: the file has been changed for that
 * @before: what its header event said
 * @logger: of its buffers, which have one logger id
 * @session: what marks the loss records of the stream
 * @keep_old: a file of that name becomes FILE.old, see output_keep(), and is not overwritten
 * @fd: the file
 * @file: which one that is
 * @created: it was not there before
 * @replaces: @fd is the file that writer_begin() keeps under another name
 * @kept: that name, if writer_begin() has done so
 * @regular: it can be closed
 * @name: of the file; differs from @path with NEWFILE
 * @number: of the file with NEWFILE, from 1
 * @size: bytes of a buffer; 0: not known yet
 * @header: copy of the stream's header buffer
 * @pending: a buffer that comes in pieces
 * @filled: bytes of @pending
 * @in_file: buffers in the file, the header buffer included
 * @sequence: of the last buffer in the file
 * @slots: of a circular file
 * @written: bytes, so far
 * @bytes: in all closed files
 * @buffers: likewise
 * @dropped: buffers that came after the file was full
 * @full: it is
 * @reserved: bytes of the file for which writer_reserve() has found room
 * @error: errno of what failed; the rest of the stream is only counted then
 * @unwritten: what the file could not take for that reason
 */
struct writer {
	const char *path;
	uint32_t mode;
	uint64_t limit;
	void (*totals)(void *context, struct final_header *final);
	void (*next_file)(void *context);
	void *context;
	bool shared;
	bool renumber;
	bool appends;
	bool appended;
	struct etl_logfile before;
	uint16_t logger;
	struct etw_guid session;
	bool keep_old;
	int fd;
	struct descriptor file;
	bool created;
	bool replaces;
	char *kept;
	bool regular;
	char *name;
	uint32_t number;
	uint32_t size;
	uint8_t *header;
	uint8_t *pending;
	uint32_t filled;
	uint64_t in_file;
	uint64_t sequence;
	uint64_t slots;
	uint64_t written;
	uint64_t bytes;
	uint64_t buffers;
	uint64_t dropped;
	bool full;
	uint64_t reserved;
	int error;
	struct unwritten unwritten;
};

/* All of these print what went wrong. */
/* The file can be written; what it held is still there. Return: 0 or -1 */
int writer_open(struct writer *writer);
/*
 * Between writer_open() and writer_begin(): whether the stream can be appended. It has buffers of
 * @size bytes, so many processors, and this clock (ETW_CLOCK_*).
 * Return: 0, also if nothing is to be appended, or -1
 */
int writer_check_append(struct writer *writer, uint32_t size, uint32_t processors, uint32_t clock);
/*
 * Leaves things as they were before writer_open(): removes a new file, renames the old one back.
 * Return: whether the old one was renamed
 */
bool writer_abandon(struct writer *writer);
/* Empties the file, or begins a new one in its place (@keep_old). Return: 0 or -1 */
int writer_begin(struct writer *writer);
/*
 * Whether the number is still the file's; all that write here look themselves. If not,
 * writer->error is EBADF from then on, and whatever has the number is left alone.
 */
bool writer_has_file(struct writer *writer);
/* The stream in any pieces; an error is in writer->error, what is lost by it in @unwritten */
void writer_put(struct writer *writer, const uint8_t *bytes, size_t count);
/*
 * Finds room for one more buffer and for the loss record, so that a caller reads only what it
 * can write. File systems that cannot reserve room find none missing. Return: 0 or -1
 */
int writer_reserve(struct writer *writer);
/*
 * The stream goes on in @next, which writer_open() has opened: with a copy of the header buffer.
 * @writer is finished then. With an error @writer goes on, and @next is as writer_abandon() leaves
 * it. Between two buffers only. Return: 0, and next->error if @writer could not be closed; or -1
 */
int writer_switch(struct writer *writer, struct writer *next);
/*
 * Closes the file; reports what it could not take. With @keep_old, a file without any event, which
 * a full disk leaves, is given up as by writer_abandon(). Return: 0 or -1
 */
int writer_finish(struct writer *writer);

#endif /* ETW_WRITER_H */
