// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The file: header, buffers as they are delivered, records of our own, the end. */
#include <errno.h>
#include <linux/mm.h>
#include <stdlib.h>
#include <unistd.h>
#include "libetl/fileio.h"
#include "libetl/reader.h"
#include "libetl/text.h"
#include "private.h"

#define ALIGN8(n)	(((n) + 7) & ~7U)
#define HEAD		((u32)sizeof(struct wmi_buffer_header))
#define HEADER_EVENT	(HEAD + (u32)sizeof(struct system_trace_header))
#define FIELD(member)	(HEADER_EVENT + offsetof(struct trace_logfile_header, member))

static void fill_logfile_header(struct private_memory *memory, struct trace_logfile_header *header)
{
	const struct private_session *session = &memory->session;
	bool large = session->buffer_size > 1024 * 1024 || session->processors > 256;

	*header = (struct trace_logfile_header){
		.buffer_size = session->buffer_size,
		.major_version = ETW_OS_MAJOR,
		.minor_version = ETW_OS_MINOR,
		.sub_version = large ? 2 : 1,
		.sub_minor_version = large ? 0 : 5,
		.provider_version = ETW_OS_BUILD,
		.number_of_processors = session->processors,
		.timer_resolution = 10000000 / sysconf(_SC_CLK_TCK),
		.maximum_file_size = session->maximum_file_size,
		.log_file_mode = session->mode,
		.start_buffers = 1,
		.pointer_size = sizeof(void *) == 4 ? 8 : sizeof(void *),
		.cpu_speed_mhz = private_mhz(),
		.boot_time = session->start.filetime - session->start.boottime / 100,
		.perf_freq = private_frequency(),
		.start_time = session->start.filetime,
		.reserved_flags = session->clock_type,
	};
}

/*
 * The header event and the first anchor; as module/session/header_buffer.c.
 * Return: end of the records
 */
static u32 build_header(struct private_memory *memory, u8 *buffer)
{
	struct private_session *session = &memory->session;
	struct system_trace_header event = {
		.version = 2,
		.header_type = TRACE_HEADER_TYPE_SYSTEM64,
		.flags = TRACE_HEADER_FLAGS,
		.hook_id = 0,
		.thread_id = session->tid,
		.process_id = getpid(),
		.system_time = session->start_tick,
	};
	struct etw_anchor anchor = private_anchor(&session->start, ETW_ANCHOR_START);
	u16 names[ETW_MAX_LOGGER_NAME + 1 + ETW_MAX_LOG_FILE_NAME + 1];
	struct trace_logfile_header header;
	u32 size, n;

	n = text_to_utf16(session->name, names, ETW_MAX_LOGGER_NAME);
	names[n++] = 0;
	n += text_to_utf16(session->file, names + n, ETW_MAX_LOG_FILE_NAME);
	names[n++] = 0;
	fill_logfile_header(memory, &header);
	event.size = size = sizeof(event) + sizeof(header) + 2 * n;
	memcpy(buffer + HEAD, &event, sizeof(event));
	memcpy(buffer + HEADER_EVENT, &header, sizeof(header));
	memcpy(buffer + HEADER_EVENT + sizeof(header), names, 2 * n);
	memset(buffer + HEAD + size, 0, ALIGN8(size) - size);
	size = HEAD + ALIGN8(size);
	return size + private_put_record(buffer + size, ETW_LINUX_EVENT_ANCHOR, session->tid,
				 session->start_tick, &anchor, sizeof(anchor));
}

static void totals(void *context, struct final_header *final)
{
	struct private_memory *memory = context;
	u64 lost = private_events_lost(memory) - memory->session.writer.unwritten.events;

	/* the writer adds what it could not write */
	final->events_lost = lost > UINT32_MAX ? UINT32_MAX : lost;
}

/* What the child of a fork() closes: the lock on the file is the parent's */
static int file_fd = -1;
static struct descriptor file_of_fd;

static void in_child(void)
{
	if (descriptor_is(file_fd, &file_of_fd))
		close(file_fd);
	file_fd = -1;
}

static void watch_forks(void)
{
	pthread_atfork(NULL, NULL, in_child);
}

static void know_fd(struct private_session *session)
{
	if (file_fd == session->writer.fd &&
	    !memcmp(&file_of_fd, &session->writer.file, sizeof(file_of_fd)))
		return;
	WRITE_ONCE(file_fd, -1);
	barrier();
	file_of_fd = session->writer.file;
	barrier();
	WRITE_ONCE(file_fd, session->writer.fd);
}

/* Win32 code of what opening or writing the file failed with */
ULONG private_file_error(int err)
{
	switch (err) {
	case ENOENT:
	case ENOTDIR:
		return ERROR_PATH_NOT_FOUND;
	case EISDIR:
	case ENAMETOOLONG:
		return ERROR_BAD_PATHNAME;
	case ETXTBSY:
		return ERROR_SHARING_VIOLATION;
	case EROFS:
		return ERROR_ACCESS_DENIED;
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
		return ERROR_DISK_FULL;
	}
	return etw_error(err);
}

/* Return: 0 or an errno */
int private_file_begin(struct private_memory *memory)
{
	struct private_session *session = &memory->session;
	struct wmi_buffer_header *header = (void *)session->internal;
	u64 unit = session->mode & EVENT_TRACE_USE_KBYTES_FOR_SIZE ? 1 << 10 : 1 << 20;
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	u32 end;

	pthread_once(&once, watch_forks);
	session->writer = (struct writer){
		.path = session->file, .mode = session->mode, .totals = totals, .context = memory,
		.limit = session->maximum_file_size * unit, .shared = true, .fd = -1,
	};
	if (writer_open(&session->writer))
		return session->writer.error ? session->writer.error : EINVAL;
	session->processors = 1;
	session->internal_used = 0;
	memset(session->internal, ETW_BUFFER_FILL, session->buffer_size);
	end = build_header(memory, session->internal);
	*header = (struct wmi_buffer_header){
		.buffer_size = session->buffer_size,
		.saved_offset = end,
		.current_offset = end,
		.logger_id = PRIVATE_LOGGER_ID,
		.state = ETW_BUFFER_STATE_FLUSH,
		.offset = end,
		.buffer_flag = ETW_BUFFER_FLAG_PROC_INDEX | ETW_BUFFER_FLAG_FLUSH_MARKER,
		.buffer_type = ETW_BUFFER_TYPE_HEADER,
	};
	if (writer_begin(&session->writer))
		return session->writer.error;
	know_fd(session);
	writer_put(&session->writer, session->internal, session->buffer_size);
	return session->writer.error;
}

/* After private_file_begin(), whatever it returned */
void private_file_abandon(struct private_memory *memory)
{
	struct writer *writer = &memory->session.writer;

	writer_abandon(writer);
	know_fd(&memory->session);
	free(writer->header);
	free(writer->pending);
	free(writer->name);
}

/*
 * NumberOfProcessors is above every index in the file at any time: it is raised
 * before the buffer is written.
 */
static void set_processors(struct private_memory *memory, u32 processors)
{
	struct private_session *session = &memory->session;
	struct trace_logfile_header header;
	struct writer *writer = &session->writer;

	if (processors <= session->processors)
		return;
	session->processors = processors;
	fill_logfile_header(memory, &header);
	if (writer->header) {
		memcpy(writer->header + FIELD(buffer_size), &header, 0x10);
		memcpy(writer->header + FIELD(perf_freq), &header.perf_freq, 8);
	}
	if (!writer->error && writer_has_file(writer))
		writer->error = -file_write_at(writer->fd, &header, 0x10, HEADER_EVENT);
}

/* Under memory->lock. @events are lost when the file has its full size */
void private_file_put(struct private_memory *memory, u8 *buffer, u32 used, u32 events, u16 index,
		      u16 flags)
{
	struct private_session *session = &memory->session;
	u32 end = HEAD + used;
	u64 now = private_tick(session), dropped = session->writer.dropped;
	struct wmi_buffer_header header = {
		.buffer_size = session->buffer_size,
		.saved_offset = end,
		.current_offset = end,
		.sequence_number = session->delivered + 1,
		.processor_index = index,
		.logger_id = PRIVATE_LOGGER_ID,
		.state = ETW_BUFFER_STATE_FLUSH,
		.offset = end,
		.buffer_flag = ETW_BUFFER_FLAG_PROC_INDEX | flags,
		.buffer_type = ETW_BUFFER_TYPE_GENERIC,
	};

	session->stamp = max(session->stamp, now);
	header.time_stamp = session->stamp;
	memcpy(buffer, &header, sizeof(header));
	memset(buffer + end, ETW_BUFFER_FILL, session->buffer_size - end);
	set_processors(memory, index + 1U);
	writer_put(&session->writer, buffer, session->buffer_size);
	know_fd(session);
	/* the writer counts what it can't write */
	if (session->writer.error)
		return;
	if (session->writer.dropped == dropped) {
		session->delivered++;
		session->delivered_events += events;
		return;
	}
	__atomic_add_fetch(&session->lost[ETW_LOSS_NO_BUFFER], events, __ATOMIC_RELAXED);
}

static u16 loss_flags(struct etw_ring *ring)
{
	u64 lost = etw_ring_lost(ring), overwritten = local_read(&ring->overwritten_buffers);
	u16 flags = 0;

	if (lost != ring->flagged_lost)
		flags |= ETW_BUFFER_FLAG_EVENTS_LOST;
	if (overwritten != ring->flagged_overwritten)
		flags |= ETW_BUFFER_FLAG_BUFFER_LOST;
	ring->flagged_lost = lost;
	ring->flagged_overwritten = overwritten;
	return flags;
}

/* One buffer of each stream that has one. Return: how many */
static u32 deliver_round(struct private_memory *memory)
{
	u32 i, done = 0, n = smp_load_acquire(&memory->nr_streams);
	struct etw_reader_buffer held;
	struct etw_ring *ring;

	for (i = 0; i < n; i++) {
		ring = smp_load_acquire(&memory->stream[i].ring);
		if (!ring || !etw_ring_take(ring, &held))
			continue;
		private_file_put(memory, (u8 *)etw_slot_header(held.slot), etw_w_used(held.w),
				 etw_w_events(held.w), ring->cpu, loss_flags(ring));
		private_release(&memory->stream[i], ring, &held);
		done++;
	}
	return done;
}

/* The most buffers that a stream may have ready by now */
static u32 most_ready(struct private_memory *memory)
{
	u32 i, most = 0, n = smp_load_acquire(&memory->nr_streams);
	struct etw_ring *ring;

	for (i = 0; i < n; i++) {
		ring = smp_load_acquire(&memory->stream[i].ring);
		if (ring)
			most = max(most, (u32)(READ_ONCE(ring->head) + 1 - ring->tail));
	}
	return most;
}

/*
 * Streams take turns, so that none fills up while another is read. What becomes
 * ready meanwhile is for the next time: writers may be faster than the disk for
 * ever. Under memory->lock. Return: how many buffers
 */
u32 private_deliver(struct private_memory *memory)
{
	u32 n = 1, done = 0, rounds = most_ready(memory);

	for (; n && rounds; rounds--) {
		private_grow(memory);
		n = deliver_round(memory);
		done += n;
	}
	if (memory->session.writer.full && memory->handle)
		private_file_is_full(memory);
	return done;
}

/* The last buffers, then the header says that it is the end. Under memory->lock */
ULONG private_file_end(struct private_memory *memory)
{
	struct private_session *session = &memory->session;
	u64 frequency = private_frequency_refined(&session->start);
	struct writer *writer = &session->writer;
	int failed;

	private_report(memory, ETW_ANCHOR_STOP);
	private_internal_flush(memory, ETW_BUFFER_FLAG_FLUSH_MARKER);
	if (!writer->error && writer_has_file(writer))
		writer->error = -file_write_at(writer->fd, &frequency, sizeof(frequency),
					       FIELD(perf_freq));
	failed = writer_finish(writer);
	know_fd(session);
	free(writer->name);
	if (!failed)
		return ERROR_SUCCESS;
	return writer->error ? private_file_error(writer->error) : ERROR_WRITE_FAULT;
}
