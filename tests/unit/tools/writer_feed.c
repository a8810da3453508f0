// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Feeds standard input to the writer of files, in pieces; dies in the middle of a write. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "etw_abi.h"
#include "fileio.h"
#include "messages.h"
#include "ring_file.h"
#include "tool_messages.h"
#include "writer.h"

static const char usage[] =
	"writer_feed FILE MODE BYTES CHUNK [WRITE] < STREAM\n"
	"writer_feed FILE recover WRITE\n"
	"MODE is EVENT_TRACE_FILE_MODE_*, BYTES the largest file, CHUNK the bytes of a piece.\n"
	"The write of that number is done by half, and then everything ends (status 9).\n"
	"In the environment: FEED_ROOM, bytes of a file that the disk has room for, and FEED_FILES,\n"
	"how many files; FEED_OLD: a file that is there is kept; FEED_INSTEAD: before the end, another\n"
	"program puts a file with this text in the place of ours; FEED_SWITCH: bytes of the stream\n"
	"after which it goes on in another file, FEED_NEXT; FEED_SESSION: size of its buffers,\n"
	"processors and clock, which are compared with those of a file that is appended to.\n";

static unsigned long writes, last_write = -1UL;

/* A disk that is full takes a part. Return: bytes that it takes */
static size_t room_for(int fd, size_t bytes, int64_t at)
{
	const char *text = getenv("FEED_ROOM"), *files = getenv("FEED_FILES");
	uint64_t room = text ? strtoull(text, NULL, 0) : UINT64_MAX;
	uint64_t from = at < 0 ? (uint64_t)lseek(fd, 0, SEEK_CUR) : (uint64_t)at;
	static long begun;

	begun += at < 0 && !from;
	if (files && begun > strtol(files, NULL, 0) && at < 0)
		return 0;
	if (from + bytes <= room)
		return bytes;
	return from < room ? room - from : 0;
}

/* In place of fileio.c: all that the writer writes comes by here. */
static int write_counted(int fd, const void *from, size_t bytes, int64_t at)
{
	size_t room = room_for(fd, bytes, at);
	int dies = ++writes == last_write;
	ssize_t n;

	if (dies)
		bytes /= 2;
	if (room < bytes) {
		n = at < 0 ? write(fd, from, room) : pwrite(fd, from, room, at);
		return n < 0 ? -errno : -ENOSPC;
	}
	n = at < 0 ? write(fd, from, bytes) : pwrite(fd, from, bytes, at);
	if (dies)
		_exit(9);
	return n == (ssize_t)bytes ? 0 : -errno;
}

int file_write_at(int fd, const void *from, size_t bytes, uint64_t at)
{
	return write_counted(fd, from, bytes, at);
}

int file_write(int fd, const void *from, size_t bytes)
{
	return write_counted(fd, from, bytes, -1);
}

int file_read_at(int fd, void *to, size_t bytes, uint64_t at)
{
	return pread(fd, to, bytes, at) == (ssize_t)bytes ? 0 : -EIO;
}

static void totals(void *context, struct final_header *final)
{
	(void)context;
	final->events_lost = 17;
	final->buffers_lost = 2;
}

static void next_file(void *context)
{
	++*(unsigned int *)context;
}

static void replace_file(const struct writer *writer)
{
	const char *text = getenv("FEED_INSTEAD");
	FILE *file;

	if (!text)
		return;
	unlink(writer->name);
	file = fopen(writer->name, "w");
	if (!file || fputs(text, file) < 0 || fclose(file))
		abort();
}

/* UpdateTrace() with another file */
static int go_on(struct writer *writer)
{
	struct writer next = {
		.path = getenv("FEED_NEXT"), .mode = writer->mode, .limit = writer->limit,
		.totals = totals, .next_file = next_file, .context = writer->context,
	};

	if (writer_open(&next) || writer_switch(writer, &next))
		return 1;
	free(writer->name);
	*writer = next;
	return 0;
}

static int feed_pieces(struct writer *writer, size_t size)
{
	const char *text = getenv("FEED_SWITCH");
	uint64_t left = text ? strtoull(text, NULL, 0) : UINT64_MAX;
	static char chunk[1 << 16];
	size_t n;

	if (size > sizeof(chunk))
		size = sizeof(chunk);
	while ((n = fread(chunk, 1, left < size ? left : size, stdin))) {
		writer_put(writer, (uint8_t *)chunk, n);
		left -= n;
		if (left)
			continue;
		if (go_on(writer))
			return 1;
		left = UINT64_MAX;
	}
	return 0;
}

static int check_session(struct writer *writer)
{
	const char *text = getenv("FEED_SESSION");
	unsigned int size, processors, clock;

	if (!text || sscanf(text, "%u %u %u", &size, &processors, &clock) != 3)
		return 0;
	return writer_check_append(writer, size, processors, clock);
}

/* As the process that writes a session's file does */
static int begin(struct writer *writer)
{
	if (writer_open(writer)) {
		if (writer->fd >= 0)
			writer_abandon(writer);
		return -1;
	}
	if (!check_session(writer) && !writer_begin(writer))
		return 0;
	writer_abandon(writer);
	return -1;
}

static int feed(struct writer *writer, size_t size)
{
	unsigned int files = 1;

	writer->context = &files;
	if (begin(writer) || feed_pieces(writer, size))
		return 1;
	/* what is lost from here on was whole */
	printf("end after %lu\n", writes);
	fflush(stdout);
	replace_file(writer);
	if (writer_finish(writer))
		return 1;
	printf("files %u buffers %llu dropped %llu full %d writes %lu\n", files,
	       (unsigned long long)writer->buffers, (unsigned long long)writer->dropped,
	       writer->full, writes);
	return 0;
}

static int recover(const char *path)
{
	uint64_t dropped;
	int fd = open(path, O_RDWR), err = fd < 0 ? -errno : ring_recover(fd, &dropped);

	printf("writes %lu\n", writes);
	return err != 0;
}

int main(int argc, char **argv)
{
	struct writer writer = { .totals = totals, .next_file = next_file };
	int status;

	if (argc == 4 && !strcmp(argv[2], "recover")) {
		last_write = strtoul(argv[3], NULL, 0);
		return recover(argv[1]);
	}
	if (argc < 5) {
		fputs(usage, stderr);
		return 2;
	}
	writer.keep_old = getenv("FEED_OLD");
	writer.path = argv[1];
	writer.mode = strtoul(argv[2], NULL, 0);
	writer.limit = strtoull(argv[3], NULL, 0);
	if (argc > 5)
		last_write = strtoul(argv[5], NULL, 0);
	status = feed(&writer, strtoul(argv[4], NULL, 0));
	free(writer.name);
	return status;
}
