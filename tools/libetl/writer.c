// SPDX-License-Identifier: GPL-2.0
/* A stream into files: one, one of limited size, a circular one, one after another. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "etw_abi.h"
#include "fileio.h"
#include "messages.h"
#include "reader.h"
#include "ring_file.h"
#include "writer.h"

static int give_up(struct writer *writer, int err)
{
	writer->error = err;
	return failed("%s: %s", writer->name, strerror(err));
}

/* path%d.etl to path7.etl */
static char *numbered(const char *path, uint32_t number)
{
	const char *percent = strstr(path, "%d");
	size_t room = strlen(path) + 16;
	char *name = malloc(room);

	if (name && percent)
		snprintf(name, room, "%.*s%u%s", (int)(percent - path), path, number, percent + 2);
	else if (name)
		snprintf(name, room, "%s", path);
	return name;
}

/* From here on the number alone doesn't make it the file: writer_has_file() */
static int know_file(struct writer *writer)
{
	int err;

	if (writer->shared)
		writer->fd = descriptor_raise(writer->fd);
	err = descriptor_know(writer->fd, &writer->file);
	return err ? give_up(writer, err) : 0;
}

bool writer_has_file(struct writer *writer)
{
	if (descriptor_is(writer->fd, &writer->file))
		return true;
	if (writer->fd >= 0 && !writer->error)
		give_up(writer, EBADF);
	writer->fd = -1;
	return false;
}

static int open_file(struct writer *writer)
{
	bool newfile = writer->mode & EVENT_TRACE_FILE_MODE_NEWFILE;
	struct stat stat;

	free(writer->name);
	writer->name = newfile ? numbered(writer->path, ++writer->number) : strdup(writer->path);
	if (!writer->name)
		return failed("%s", strerror(ENOMEM));
	writer->fd = open(writer->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	writer->created = writer->fd >= 0;
	if (!writer->created && errno == EEXIST)
		writer->fd = open(writer->name, O_RDWR | O_CLOEXEC);
	if (writer->fd < 0)
		return give_up(writer, errno);
	if (know_file(writer))
		return -1;
	if (fstat(writer->fd, &stat))
		return give_up(writer, errno);
	writer->regular = S_ISREG(stat.st_mode);
	/* not two writers, nor one and 'etw close' */
	if (writer->regular && flock(writer->fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return give_up(writer, ETXTBSY);
	if (writer->regular || !(writer->limit || newfile))
		return 0;
	close(writer->fd);
	writer->fd = -1;
	return failed("%s: a size or a mode is for files only", writer->name);
}

int writer_open(struct writer *writer)
{
	writer->fd = -1;
	if (writer->mode & (EVENT_TRACE_FILE_MODE_CIRCULAR | EVENT_TRACE_FILE_MODE_NEWFILE) &&
	    !writer->limit)
		return failed("%s: it needs a size", writer->path);
	if (strcmp(writer->path, "-"))
		return open_file(writer) ? -1 : 0;
	writer->fd = dup(STDOUT_FILENO);
	writer->name = strdup("standard output");
	return writer->fd < 0 || !writer->name || know_file(writer) ? -1 : 0;
}

void writer_abandon(struct writer *writer)
{
	if (writer_has_file(writer))
		close(writer->fd);
	if (writer->created)
		unlink(writer->name);
	writer->fd = -1;
}

int writer_begin(struct writer *writer)
{
	if (!writer->regular || !ftruncate(writer->fd, 0))
		return 0;
	give_up(writer, errno);
	return -1;
}

static int append(struct writer *writer, const uint8_t *bytes, size_t count)
{
	int err = file_write(writer->fd, bytes, count);

	if (err)
		return give_up(writer, -err);
	writer->written += count;
	return 0;
}

static int close_file(struct writer *writer)
{
	struct final_header final = { .buffers_written = writer->in_file };
	int err = 0;

	if (writer->totals)
		writer->totals(writer->context, &final);
	final.buffers_lost += writer->dropped;
	if (writer->slots) {
		err = ring_order(writer->fd, writer->size, &writer->in_file);
		final.buffers_written = writer->in_file;
	}
	final.last_buffer = (writer->in_file - 1) * writer->size;
	if (!err && !final.end_time)
		err = final_header_end_of(writer->fd, final.last_buffer, &final.end_time);
	if (!err)
		err = final_header_write(writer->fd, &final);
	if (close(writer->fd) && !err)
		err = -errno;
	writer->fd = -1;
	writer->buffers += writer->in_file;
	writer->bytes += writer->in_file * writer->size;
	return err ? failed("%s: closing it: %s", writer->name, strerror(-err)) : 0;
}

/* The header buffer is the stream's, and so says where its clocks began. */
static int begin_next_file(struct writer *writer)
{
	if (close_file(writer) || open_file(writer) || writer_begin(writer) ||
	    append(writer, writer->header, writer->size)) {
		writer->error = writer->error ? writer->error : EIO;
		return -1;
	}
	writer->in_file = 1;
	writer->sequence = 0;
	if (writer->next_file)
		writer->next_file(writer->context);
	return 0;
}

static int first_buffer(struct writer *writer)
{
	writer->header = malloc(writer->size);
	if (!writer->header)
		return give_up(writer, ENOMEM);
	memcpy(writer->header, writer->pending, writer->size);
	if (writer->limit && writer->limit / writer->size < 2) {
		writer->error = EFBIG;
		return failed("%s: its size has no room for two buffers of %u KB", writer->name,
			      writer->size / 1024);
	}
	if (writer->mode & EVENT_TRACE_FILE_MODE_CIRCULAR)
		writer->slots = writer->limit / writer->size - 1;
	writer->in_file = 1;
	return append(writer, writer->pending, writer->size);
}

static void put_in_ring(struct writer *writer)
{
	int err = ring_put(writer->fd, writer->size, writer->slots, writer->pending);

	if (err)
		give_up(writer, -err);
	writer->written += writer->size;
	if (writer->in_file <= writer->slots)
		writer->in_file++;
}

/*
 * There is always room for the last buffer of a stream, which tells the losses:
 * it alone has the marker.
 */
static bool has_room(const struct writer *writer)
{
	uint64_t most = writer->limit / writer->size;
	uint16_t flags = get16(writer->pending + offsetof(struct wmi_buffer_header, buffer_flag));

	if (most > 2 && !(flags & ETW_BUFFER_FLAG_FLUSH_MARKER))
		most--;
	return writer->in_file < most;
}

/* The numbers are dense, whatever was dropped: the last buffer's flag tells it. */
static void tell_dropped(struct writer *writer)
{
	uint8_t *at = writer->pending + offsetof(struct wmi_buffer_header, buffer_flag);
	uint16_t flags = get16(at) | ETW_BUFFER_FLAG_BUFFER_LOST;

	if (writer->dropped)
		memcpy(at, &flags, sizeof(flags));
}

/* A whole buffer is in writer->pending. */
static void put_buffer(struct writer *writer)
{
	if (!writer->in_file) {
		first_buffer(writer);
		return;
	}
	if (!writer->slots && writer->limit && !has_room(writer)) {
		if (!(writer->mode & EVENT_TRACE_FILE_MODE_NEWFILE)) {
			writer->full = true;
			writer->dropped++;
			return;
		}
		if (begin_next_file(writer))
			return;
	}
	tell_dropped(writer);
	writer->sequence++;
	memcpy(writer->pending + offsetof(struct wmi_buffer_header, sequence_number),
	       &writer->sequence, sizeof(writer->sequence));
	if (writer->slots)
		put_in_ring(writer);
	else if (!append(writer, writer->pending, writer->size))
		writer->in_file++;
}

#define HEAD	sizeof(struct wmi_buffer_header)
#define LARGEST	(64u << 20)

/* All buffers of a stream have one size, and it begins with that. */
static void learn_size(struct writer *writer)
{
	uint32_t size = get32(writer->pending);
	uint8_t *pending = NULL;

	if (size > HEAD && size <= LARGEST)
		pending = realloc(writer->pending, size);
	if (!pending) {
		give_up(writer, size > HEAD && size <= LARGEST ? ENOMEM : EBADMSG);
		return;
	}
	writer->pending = pending;
	writer->size = size;
}

static void assemble(struct writer *writer, const uint8_t *bytes, size_t count)
{
	uint32_t whole, part;

	if (!writer->pending)
		writer->pending = malloc(HEAD);
	if (!writer->pending)
		give_up(writer, ENOMEM);
	while (count && !writer->error) {
		whole = writer->size ? writer->size : HEAD;
		part = count < whole - writer->filled ? count : whole - writer->filled;
		memcpy(writer->pending + writer->filled, bytes, part);
		writer->filled += part;
		bytes += part;
		count -= part;
		if (writer->filled < whole)
			continue;
		if (!writer->size) {
			learn_size(writer);
			continue;
		}
		put_buffer(writer);
		writer->filled = 0;
	}
}

void writer_put(struct writer *writer, const uint8_t *bytes, size_t count)
{
	if (writer->error || !writer_has_file(writer))
		return;
	if (writer->limit) {
		assemble(writer, bytes, count);
		return;
	}
	/* a reader gets whole buffers, so the first bytes have the header */
	if (!writer->written && count > HEAD)
		writer->size = get32(bytes);
	append(writer, bytes, count);
}

/* What went through as it came: the file itself tells what is in it. */
static void measure(struct writer *writer)
{
	struct wmi_buffer_header header;
	struct stat stat;

	if (!file_read_at(writer->fd, &header, sizeof(header), 0) && header.buffer_size > HEAD &&
	    !fstat(writer->fd, &stat)) {
		writer->size = header.buffer_size;
		writer->in_file = stat.st_size / writer->size;
	}
}

static void forget(struct writer *writer)
{
	if (writer->fd >= 0 && close(writer->fd) && !writer->error)
		give_up(writer, errno);
	writer->fd = -1;
	free(writer->header);
	free(writer->pending);
	writer->header = NULL;
	writer->pending = NULL;
}

int writer_finish(struct writer *writer)
{
	int err = 0;

	/* a pipe: an unclosed stream is all that it can get */
	if (!writer->regular) {
		writer->bytes = writer->written;
		writer->buffers = writer->size ? writer->written / writer->size : 0;
	}
	if (writer_has_file(writer) && writer->regular) {
		if (!writer->limit)
			measure(writer);
		if (!writer->in_file)
			err = failed("%s: nothing was recorded", writer->name);
		else if (!writer->slots &&
			 ftruncate(writer->fd, writer->in_file * writer->size))
			err = give_up(writer, errno);
		else
			err = close_file(writer);
	}
	forget(writer);
	return err || writer->error ? -1 : 0;
}
