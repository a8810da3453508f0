// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Loads a trace file and indexes its buffers. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "etw_abi.h"
#include "event_info.h"
#include "buffer_alignment.h"
#include "messages.h"
#include "trace.h"

/* How much of a file is in memory while it is indexed */
#define RELEASE_STEP	(8u << 20)
/* How much of it was read and is released at a time */
#define RELEASE_BATCH	0x100000

/* All that are mapped */
static struct trace *mapped_traces;

/* From its first whole buffer on; what never ends need not be read to the end to see it. */
static bool is_no_trace(const uint8_t *bytes, size_t size)
{
	struct etl_buffer buffer;
	struct etl_logfile log;

	switch (etl_buffer_at(bytes, size, 0, &buffer)) {
	case ETL_BUFFER_NONE:
	case ETL_BUFFER_TORN:
		return false;
	default:
		return etl_logfile_of(bytes, size, &log) != NULL;
	}
}

/* Pipes and devices: all of it into memory, or as much as shows that it is no trace */
static int read_all(struct trace *trace, int fd)
{
	size_t room = 0, used = 0;
	uint8_t *bytes = NULL, *more;
	ssize_t n;
	int err;

	for (;;) {
		if (used == room) {
			room = room ? 2 * room : 1 << 20;
			more = realloc(bytes, room);
			if (!more) {
				free(bytes);
				return -ENOMEM;
			}
			bytes = more;
		}
		n = read(fd, bytes + used, room - used);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			err = -errno;
			free(bytes);
			return err;
		}
		used += n;
		if (!n || is_no_trace(bytes, used))
			break;
	}
	trace->bytes = bytes;
	trace->size = used;
	return 0;
}

static int load(struct trace *trace, int fd)
{
	struct stat stat;
	void *bytes;

	if (fstat(fd, &stat))
		return -errno;
	if (S_ISDIR(stat.st_mode))
		return -EISDIR;
	if (!S_ISREG(stat.st_mode) || !stat.st_size)
		return read_all(trace, fd);
	bytes = mmap(NULL, stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return read_all(trace, fd);
	trace->bytes = bytes;
	trace->size = stat.st_size;
	trace->mapped = true;
	trace->next = mapped_traces;
	mapped_traces = trace;
	return 0;
}

static void unmap(struct trace *trace)
{
	struct trace **at = &mapped_traces;

	while (*at && *at != trace)
		at = &(*at)->next;
	if (*at)
		*at = trace->next;
	munmap((void *)trace->bytes, trace->size);
}

const struct trace *trace_of_address(const void *address)
{
	const uint8_t *byte = address;
	const struct trace *trace;

	for (trace = mapped_traces; trace; trace = trace->next)
		if (byte >= trace->bytes && byte < trace->bytes + trace->size)
			return trace;
	return NULL;
}

int trace_load(struct trace *trace, const char *name)
{
	bool standard = !strcmp(name, "-");
	int fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
	int err;

	memset(trace, 0, sizeof(*trace));
	trace->name = standard ? "standard input" : name;
	if (fd < 0) {
		failed("%s: %s", name, strerror(errno));
		return -1;
	}
	err = load(trace, fd);
	if (!standard)
		close(fd);
	if (!err)
		return 0;
	failed("%s: %s%s", trace->name, strerror(-err),
	       err == -EISDIR ? " ('etw import' reads folders of LTTng and perf)" : "");
	return -1;
}

static enum etl_buffer_result look(void *source, uint64_t at, struct etl_buffer *buffer)
{
	const struct trace *trace = source;

	return etl_buffer_at(trace->bytes, trace->size, at, buffer);
}

static int add_buffer(struct trace *trace, size_t *room, const struct etl_buffer *buffer)
{
	struct etl_buffer *more;

	if (trace->count == *room) {
		*room = *room ? 2 * *room : 64;
		more = reallocarray(trace->buffers, *room, sizeof(*more));
		if (!more) {
			failed("%s: %s", trace->name, strerror(ENOMEM));
			return -1;
		}
		trace->buffers = more;
	}
	trace->compressed += buffer->compressed;
	trace->buffers[trace->count++] = *buffer;
	trace->end = buffer->at + buffer->header.buffer_size;
	return 0;
}

/* Whole pages only: what stands beside them stays. */
static void release(const struct trace *trace, uint64_t from, uint64_t to)
{
	uint64_t page = sysconf(_SC_PAGESIZE);

	from = (from + page - 1) & -page;
	to &= -page;
	if (trace->mapped && from < to)
		madvise((uint8_t *)trace->bytes + from, to - from, MADV_DONTNEED);
}

void trace_release(const struct trace *trace, const struct etl_buffer *buffer)
{
	release(trace, buffer->at, buffer->at + buffer->header.buffer_size);
}

void trace_release_later(const struct trace *trace, struct trace_passed *passed,
			 const struct etl_buffer *buffer)
{
	uint64_t end = buffer->at + buffer->header.buffer_size;

	if (!passed->bytes || buffer->at < passed->from)
		passed->from = buffer->at;
	if (!passed->bytes || end > passed->to)
		passed->to = end;
	passed->bytes += buffer->header.buffer_size;
	if (passed->bytes < RELEASE_BATCH)
		return;
	release(trace, passed->from, passed->to);
	*passed = (struct trace_passed){ };
}

static void note_gap(struct trace *trace, uint64_t at, uint64_t to)
{
	if (!trace->gaps++)
		trace->gap_at = at;
	trace->gap_bytes += to - at;
}

/* The header buffer, which stays whatever its size should be. Return: 0 or -1 */
static int index_first(struct trace *trace, struct buffer_alignment *alignment, size_t *room)
{
	struct etl_buffer buffer;

	if (look(trace, 0, &buffer) != ETL_BUFFER_OK)
		return 0;
	if (add_buffer(trace, room, &buffer))
		return -1;
	trace->end = alignment_begin(alignment, &trace->log, buffer.header.buffer_size);
	if (trace->end > buffer.header.buffer_size)
		note_gap(trace, buffer.header.buffer_size, trace->end);
	return 0;
}

int trace_index(struct trace *trace)
{
	struct buffer_alignment alignment = { .look = look, .source = trace, .end = trace->size };
	enum etl_buffer_result result;
	struct etl_buffer buffer;
	uint64_t at, kept = 0;
	size_t room = 0;

	if (index_first(trace, &alignment, &room))
		return -1;
	for (;;) {
		/* The kernel maps what stands around a header too. */
		if (trace->end - kept >= RELEASE_STEP) {
			release(trace, kept, trace->end);
			kept = trace->end;
		}
		at = trace->end;
		result = look(trace, at, &buffer);
		if (result == ETL_BUFFER_NONE)
			return 0;
		if (result != ETL_BUFFER_OK || !alignment_fits(&alignment, &buffer)) {
			at = alignment_find(&alignment, at);
			trace->torn = at == trace->size;
			if (trace->torn)
				return 0;
			note_gap(trace, trace->end, at);
			look(trace, at, &buffer);
		}
		if (add_buffer(trace, &room, &buffer))
			return -1;
	}
}

/*
 * An interrupted stream ends with a partial buffer; a preallocated file ends with zeros. If the
 * first buffer and the header event contain different buffer sizes, the smaller one is used,
 * because less is cut off then.
 */
bool trace_breaks_off(const struct trace *trace)
{
	static const struct wmi_buffer_header none;
	uint32_t size = trace->buffers[0].header.buffer_size;
	uint64_t at;

	if (trace->log.buffer_size > sizeof(none) && trace->log.buffer_size < size)
		size = trace->log.buffer_size;
	for (at = trace->end; trace->torn && trace->size - at >= size; at += size)
		if (memcmp(trace->bytes + at, &none, sizeof(none)))
			return false;
	return trace->torn;
}

/*
 * A file that was closed has the number of its buffers; a copy may have fewer. Windows' number for
 * a circular file also contains the buffers that were overwritten.
 */
static bool lacks_buffers(const struct trace *trace)
{
	return trace->log.end_time && trace->log.buffers_written > trace->count &&
	       !(trace->log.log_file_mode & EVENT_TRACE_FILE_MODE_CIRCULAR);
}

void trace_warn(const struct trace *trace)
{
	if (lacks_buffers(trace))
		warn("%s: %zu of %u buffers are in the file: events are missing (copy the file "
		     "again)", trace->name, trace->count, trace->log.buffers_written);
	if (trace->gaps)
		warn("%s: %" PRIu64 " bytes in %zu places, the first at 0x%" PRIx64
		     ", are no buffers: skipped", trace->name, trace->gap_bytes, trace->gaps,
		     trace->gap_at);
	if (trace->torn)
		warn("%s: the last %" PRIu64 " bytes are no whole buffer%s", trace->name,
		     trace->size - trace->end,
		     trace_breaks_off(trace) ? " ('etw close' cuts them)" : "");
}

/* Return: what recorded a file that 'etw import' reads; NULL: none that is known */
static const char *other_recorder(const struct trace *trace)
{
	static const struct {
		const char *magic, *recorder;
	} files[] = {
		{ "PERFILE2", "perf" }, { "\x17\x08\x44tracing", "trace-cmd" },
		{ "Nettrace", ".NET" },
	};
	size_t i, length;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		length = strlen(files[i].magic);
		if (trace->size >= length && !memcmp(trace->bytes, files[i].magic, length))
			return files[i].recorder;
	}
	return NULL;
}

static void refuse(const struct trace *trace, const char *wrong)
{
	const char *recorder = other_recorder(trace);

	if (recorder)
		failed("%s: this is a recording of %s ('etw import %s -o OUT.etl' makes a trace "
		       "of it)", trace->name, recorder, trace->name);
	else
		failed("%s: this is no ETL file: %s", trace->name, wrong);
}

int trace_open(struct trace *trace, const char *name)
{
	const char *wrong;

	if (trace_load(trace, name))
		return -1;
	wrong = etl_logfile_of(trace->bytes, trace->size, &trace->log);
	if (wrong) {
		refuse(trace, wrong);
		trace_close(trace);
		return -1;
	}
	if (trace_index(trace)) {
		trace_close(trace);
		return -1;
	}
	return 0;
}

void trace_close(struct trace *trace)
{
	if (trace->mapped)
		unmap(trace);
	else
		free((void *)trace->bytes);
	free(trace->buffers);
	event_infos_free(trace->infos);
	memset(trace, 0, sizeof(*trace));
}
