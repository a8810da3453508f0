// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The header buffer: TRACE_LOGFILE_HEADER, names, header extension. */
#include <linux/cpumask.h>
#include <linux/string.h>
#include "record/system.h"
#include "record/utf16.h"
#include "header_buffer.h"
#include "session.h"
#include "statistics.h"

/* The header buffer fits the smallest buffer: names take what is left. */
#define HEADER_RECORDS	(sizeof(struct system_trace_header) + \
			 sizeof(struct trace_logfile_header) + \
			 sizeof(struct system_trace_header) + \
			 sizeof(struct etw_kernel_header_extension) + 16)
static_assert(sizeof(struct wmi_buffer_header) + HEADER_RECORDS +
	      2 * (ETW_MAX_LOGGER_NAME + 1 + ETW_MAX_LOG_FILE_NAME + 1) <= 4096);

/* Bits that describe the session and not the file (format.rst 2.2) */
static u32 mode_of_file(u32 mode)
{
	return mode & ~EVENT_TRACE_REAL_TIME_MODE;
}

static void fill_logfile_header(struct etw_session *session, u32 buffers_written,
				struct trace_logfile_header *header)
{
	bool final = buffers_written;

	*header = (struct trace_logfile_header){
		.buffer_size = session->sink.buffer_size,
		.major_version = ETW_OS_MAJOR,
		.minor_version = ETW_OS_MINOR,
		/* 2.0 stands for large buffers or many CPUs (format.rst 2.4) */
		.sub_version = 1,
		.sub_minor_version = 5,
		.provider_version = ETW_OS_BUILD,
		.number_of_processors = nr_cpu_ids,
		.end_time = final ? session->end_filetime : 0,
		.timer_resolution = ETW_TIMER_RESOLUTION,
		.maximum_file_size = session->settings.maximum_file_size,
		.log_file_mode = mode_of_file(READ_ONCE(session->settings.mode)),
		.buffers_written = buffers_written,
		.start_buffers = 1,
		.pointer_size = 8,
		.events_lost = etw_count_32(etw_session_lost(session)),
		.cpu_speed_mhz = etw_clock_mhz(),
		.boot_time = session->start.filetime - session->start.boottime / 100,
		.perf_freq = etw_clock_frequency(session->sink.clocks.qpc),
		.start_time = session->start.filetime,
		.reserved_flags = session->settings.clock_type,
	};
	if (session->sink.buffer_size > 1024 * 1024 || nr_cpu_ids > 256) {
		header->sub_version = 2;
		header->sub_minor_version = 0;
	}
}

static u32 put_logfile_record(struct etw_session *session, u8 *to, u32 buffers_written,
			      const struct etw_system_ids *ids)
{
	struct {
		struct trace_logfile_header header;
		u16 names[ETW_MAX_LOGGER_NAME + 1 + ETW_MAX_LOG_FILE_NAME + 1];
	} *payload = (void *)(to + sizeof(struct system_trace_header));
	u32 name = 2 * (etw_utf16_length(session->settings.logger_name) + 1);
	struct etw_payload nothing = { };
	u32 size, file;

	size = etw_encode_system(to, WMI_LOG_TYPE_HEADER, 2, ids, session->start_tick, &nothing);
	fill_logfile_header(session, buffers_written, &payload->header);
	memcpy(payload->names, session->settings.logger_name, name);
	mutex_lock(&session->settings_lock);
	file = 2 * (etw_utf16_length(session->settings.log_file_name) + 1);
	memcpy((u8 *)payload->names + name, session->settings.log_file_name, file);
	mutex_unlock(&session->settings_lock);
	size += sizeof(payload->header) + name + file;
	((struct system_trace_header *)to)->size = size;
	memset(to + size, 0, ALIGN(size, ETW_RECORD_ALIGN) - size);
	return ALIGN(size, ETW_RECORD_ALIGN);
}

static u32 put_extension(struct etw_session *session, u8 *to, const struct etw_system_ids *ids)
{
	struct etw_kernel_header_extension extension = {
		.kernel_event_version = ETW_KERNEL_EVENT_VERSION,
	};
	struct etw_payload payload = { .data = &extension, .size = sizeof(extension) };

	mutex_lock(&session->settings_lock);
	memcpy(extension.masks, session->settings.masks.masks, sizeof(extension.masks));
	mutex_unlock(&session->settings_lock);
	return ALIGN(etw_encode_system(to, WMI_LOG_TYPE_HEADER_EXTENSION, 2, ids,
				       session->start_tick, &payload), ETW_RECORD_ALIGN);
}

/**
 * etw_fill_header_buffer() - make a stream's first buffer
 * @session: a session
 * @buffer: session->sink.buffer_size bytes
 * @buffers_written: buffers of the stream, this one included; 0 while the
 *	session runs: the stream is then an unclosed file
 *
 * The time stamp of the first record and StartTime are one reading of both clocks,
 * because all time conversion depends on them. (format.rst 2.1, 2.6)
 *
 * Context: process.
 */
void etw_fill_header_buffer(struct etw_session *session, void *buffer, u32 buffers_written)
{
	struct etw_system_ids ids = {
		.thread_id = session->creator_tid,
		.process_id = ETW_SYSTEM_PROCESS_ID,
	};
	struct wmi_buffer_header *header = buffer;
	u32 end = sizeof(*header);

	memset(buffer, ETW_BUFFER_FILL, session->sink.buffer_size);
	end += put_logfile_record(session, buffer + end, buffers_written, &ids);
	if (session->settings.kernel)
		end += put_extension(session, buffer + end, &ids);
	*header = (struct wmi_buffer_header){
		.buffer_size = session->sink.buffer_size,
		.saved_offset = end,
		.current_offset = end,
		.logger_id = session->sink.id,
		.state = ETW_BUFFER_STATE_FLUSH,
		.offset = end,
		.buffer_flag = ETW_BUFFER_FLAG_PROC_INDEX | ETW_BUFFER_FLAG_FLUSH_MARKER,
		.buffer_type = ETW_BUFFER_TYPE_HEADER,
	};
}
