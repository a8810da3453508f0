// SPDX-License-Identifier: GPL-2.0
/* The ioctls of /dev/etw/control, with errors in words. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "control.h"
#include "etw.h"
#include "text.h"

int control_open(void)
{
	int fd = open(ETW_CONTROL_NODE, O_RDWR | O_CLOEXEC);
	int err = errno;

	if (fd >= 0)
		return fd;
	if (err == ENOENT || err == ENXIO || err == ENODEV)
		failed("%s is not there: is the module loaded? (modprobe etw; 'etw doctor')",
		       ETW_CONTROL_NODE);
	else if (err == EACCES || err == EPERM)
		failed("%s: %s; it takes root or CAP_PERFMON ('etw doctor')",
		       ETW_CONTROL_NODE, strerror(err));
	else
		failed("%s: %s", ETW_CONTROL_NODE, strerror(err));
	return -err;
}

static const char *reason_text(uint32_t reason)
{
	static const char *const text[] = {
		[ETW_REASON_SIZE] = "wrong size",
		[ETW_REASON_RANGE] = "value out of range",
		[ETW_REASON_UNSUPPORTED] = "known, but not supported here",
		[ETW_REASON_CONFLICT] = "in conflict with another setting",
		[ETW_REASON_IN_USE] = "already in use",
		[ETW_REASON_RESERVED] = "must be zero",
		[ETW_REASON_NAME] = "no valid name",
		[ETW_REASON_SOURCE] = "this kernel lacks the tracepoint",
	};

	return reason && reason < sizeof(text) / sizeof(text[0]) ? text[reason] : NULL;
}

#define FIELD(member, text) { offsetof(struct wmi_logger_information, member), text }

/* The field at an offset, in the words of the options; names by what they hold */
static const char *field_text(uint32_t offset)
{
	static const struct {
		uint32_t offset;
		const char *text;
	} fields[] = {
		FIELD(wnode.buffer_size, "block size"),
		FIELD(wnode.guid, "session GUID"),
		FIELD(wnode.client_context, "clock"),
		FIELD(wnode.flags, "Wnode.Flags"),
		FIELD(buffer_size, "buffer size"),
		FIELD(minimum_buffers, "minimum of buffers"),
		FIELD(maximum_buffers, "number of buffers"),
		FIELD(maximum_file_size, "maximum file size"),
		FIELD(log_file_mode, "mode"),
		FIELD(flush_timer, "flush timer"),
		FIELD(enable_flags, "events"),
		FIELD(log_file_name, "file name"),
		FIELD(logger_name, "session name"),
	};
	static char other[32];
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (fields[i].offset == offset)
			return fields[i].text;
	snprintf(other, sizeof(other), "field at 0x%x", offset);
	return other;
}

static int explain_start(const struct etw_control *control, int err)
{
	const char *reason = reason_text(control->error_reason);

	if (reason)
		failed("start: %s: %s (%s)", field_text(control->error_offset), reason,
		       strerror(err));
	else if (err == EEXIST)
		failed("start: a session of that name exists ('etw list')");
	else if (err == EPERM || err == EACCES)
		failed("start: %s; it takes root or CAP_PERFMON, and no kernel lockdown",
		       strerror(err));
	else
		failed("start: %s", strerror(err));
	return -err;
}

struct information_block {
	struct wmi_logger_information info;
	uint16_t names[ETW_MAX_LOGGER_NAME + 1 + ETW_MAX_LOG_FILE_NAME + 1];
};

static void put_name(struct information_block *block, struct etw_unicode_string *string,
		     uint32_t *used, const char *text, uint32_t limit)
{
	uint32_t units = text ? text_to_utf16(text, block->names + *used, limit) : 0;

	string->length = 2 * units;
	string->maximum_length = 2 * units + 2;
	string->buffer = offsetof(struct information_block, names) + 2 * *used;
	*used += units + 1;
}

static void fill_block(const struct start_request *request, struct information_block *block)
{
	static const struct etw_guid kernel_guid = ETW_SYSTEM_TRACE_CONTROL_GUID;
	struct wmi_logger_information *info = &block->info;
	uint32_t used = 0;

	memset(block, 0, sizeof(*block));
	info->wnode.guid = kernel_guid;
	info->wnode.client_context = request->clock;
	info->wnode.flags = WNODE_FLAG_TRACED_GUID;
	info->buffer_size = request->buffer_kb;
	info->maximum_buffers = request->buffers;
	info->log_file_mode = request->mode;
	info->flush_timer = request->flush_seconds;
	info->enable_flags = request->enable_flags;
	put_name(block, &info->logger_name, &used, request->name, ETW_MAX_LOGGER_NAME);
	put_name(block, &info->log_file_name, &used, request->file, ETW_MAX_LOG_FILE_NAME);
	info->wnode.buffer_size = offsetof(struct information_block, names) + 2 * used;
}

int control_start(int fd, const struct start_request *request, uint32_t *id)
{
	struct etw_control control = { .size = sizeof(control) };
	struct information_block block;

	fill_block(request, &block);
	control.flags = request->tied ? ETW_START_TIED : 0;
	control.information = (uintptr_t)&block;
	control.information_size = block.info.wnode.buffer_size;
	if (ioctl(fd, ETW_IOC_START, &control) < 0)
		return explain_start(&control, errno);
	*id = control.logger_id;
	return 0;
}

static int explain(const char *verb, uint32_t id, int err)
{
	if (err == ENOENT)
		failed("%s: there is no session %u", verb, id);
	else if (err == EALREADY)
		failed("%s: session %u has stopped", verb, id);
	else
		failed("%s: session %u: %s", verb, id, strerror(err));
	return -err;
}

static int simple(int fd, unsigned long request, const char *verb, uint32_t id, uint32_t flags)
{
	struct etw_control control = {
		.size = sizeof(control), .flags = flags, .logger_id = id,
	};

	return ioctl(fd, request, &control) < 0 ? explain(verb, id, errno) : 0;
}

int control_stop(int fd, uint32_t id, bool discard)
{
	return simple(fd, ETW_IOC_STOP, "stop", id, discard ? ETW_STOP_DISCARD : 0);
}

int control_flush(int fd, uint32_t id)
{
	return simple(fd, ETW_IOC_FLUSH, "flush", id, 0);
}

/* A name out of the block, which is not trusted to be in order */
static void get_name(const uint8_t *block, uint32_t size, const struct etw_unicode_string *string,
		     char *to, size_t room)
{
	to[0] = 0;
	if (string->buffer <= size && string->length <= size - string->buffer)
		text_from_utf16(block + string->buffer, string->length, to, room);
}

int control_try_query(int fd, uint32_t id, struct session_information *session)
{
	struct information_block block;
	struct etw_control control = {
		.size = sizeof(control), .logger_id = id,
		.information = (uintptr_t)&block, .information_size = sizeof(block),
	};

	memset(&block, 0, sizeof(block));
	if (ioctl(fd, ETW_IOC_QUERY, &control) < 0)
		return -errno;
	session->info = block.info;
	get_name((uint8_t *)&block, sizeof(block), &block.info.logger_name, session->name,
		 sizeof(session->name));
	get_name((uint8_t *)&block, sizeof(block), &block.info.log_file_name, session->file,
		 sizeof(session->file));
	return 0;
}

int control_query(int fd, uint32_t id, struct session_information *session)
{
	int err = control_try_query(fd, id, session);

	return err ? explain("query", id, -err) : 0;
}

int control_try_statistics(int fd, uint32_t id, uint32_t cpu, struct etw_statistics *statistics)
{
	memset(statistics, 0, sizeof(*statistics));
	statistics->size = sizeof(*statistics);
	statistics->logger_id = id;
	statistics->processor = cpu;
	return ioctl(fd, ETW_IOC_STATISTICS, statistics) < 0 ? -errno : 0;
}

int control_statistics(int fd, uint32_t id, uint32_t cpu, struct etw_statistics *statistics)
{
	int err = control_try_statistics(fd, id, cpu, statistics);

	return err ? explain("statistics", id, -err) : 0;
}

int control_list(int fd, uint64_t *loggers)
{
	struct etw_list list = { .size = sizeof(list) };
	int err;

	if (ioctl(fd, ETW_IOC_LIST, &list) < 0) {
		err = errno;
		failed("list: %s", strerror(err));
		return -err;
	}
	*loggers = list.loggers;
	return 0;
}

int control_try_log_record(int fd, uint32_t id, uint16_t hook_id, uint16_t version,
			   const void *payload, uint32_t size)
{
	struct etw_log_record record = {
		.size = sizeof(record), .logger_id = id, .hook_id = hook_id,
		.version = version, .payload_size = size, .payload = (uintptr_t)payload,
	};

	return ioctl(fd, ETW_IOC_LOG_RECORD, &record) < 0 ? -errno : 0;
}

int control_find(int fd, const char *text, uint32_t *id)
{
	static struct session_information session;
	uint64_t loggers;
	uint32_t i;
	int err = control_list(fd, &loggers);

	if (err)
		return err;
	for (i = 1; i <= ETW_MAX_LOGGERS; i++) {
		if (!(loggers >> (i - 1) & 1) || control_try_query(fd, i, &session) ||
		    strcmp(session.name, text))
			continue;
		*id = i;
		return 0;
	}
	if (parse_number(text, 1, ETW_MAX_LOGGERS, id) && (loggers >> (*id - 1) & 1))
		return 0;
	failed("there is no session '%s' ('etw list' shows all)", text);
	return -ENOENT;
}

uint64_t statistics_lost(const struct etw_statistics *statistics)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < sizeof(statistics->lost) / sizeof(statistics->lost[0]); i++)
		sum += statistics->lost[i];
	return sum;
}
