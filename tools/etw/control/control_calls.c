// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The ioctls of /dev/etw/control, with errors in words. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "config/config.h"
#include "libetl/first_providers.h"
#include "libetl/text.h"
#include "etw.h"
#include "common/failure_note.h"
#include "control_calls.h"
#include "group_masks.h"

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

static int send_block(int fd, unsigned long request, struct etw_control *control,
		      const struct block *block)
{
	control->size = sizeof(*control);
	control->information = (uintptr_t)block->bytes;
	control->information_size = block->size;
	return ioctl(fd, request, control) < 0 ?
	       explain_block_error(control, block, errno) : 0;
}

int control_start(int fd, const struct start_request *request, uint32_t *id)
{
	struct etw_control control = { .flags = request->flags };
	static struct block block;
	int err;

	request_block(request, &block);
	err = send_block(fd, ETW_IOC_START, &control, &block);
	*id = control.logger_id;
	if (!err)
		filter_check("start", &request->items);
	return err;
}

int control_update(int fd, uint32_t id, const struct block *block)
{
	struct etw_control control = { .logger_id = id };

	return send_block(fd, ETW_IOC_UPDATE, &control, block);
}

static int on_logger(int fd, unsigned long request, uint32_t id, uint32_t flags)
{
	struct etw_control control = {
		.size = sizeof(control), .flags = flags, .logger_id = id,
	};

	return ioctl(fd, request, &control) < 0 ? explain_error(id, errno) : 0;
}

int control_stop(int fd, uint32_t id, bool discard)
{
	return on_logger(fd, ETW_IOC_STOP, id, discard ? ETW_STOP_DISCARD : 0);
}

int control_flush(int fd, uint32_t id)
{
	return on_logger(fd, ETW_IOC_FLUSH, id, 0);
}

/* Return: a descriptor that reads as a finished stream */
int control_snapshot(int fd, uint32_t id)
{
	struct etw_control control = { .size = sizeof(control), .logger_id = id };
	int stream = ioctl(fd, ETW_IOC_SNAPSHOT, &control);
	int err = errno;

	if (stream >= 0)
		return stream;
	if (err != EINVAL)
		return explain_error(id, err);
	failed("snapshot: session %u is not in mode buffering: its stream is read, not kept", id);
	return -err;
}

int control_try_rundown(int fd, uint32_t id)
{
	struct etw_control control = { .size = sizeof(control), .logger_id = id };

	return ioctl(fd, ETW_IOC_RUNDOWN, &control) < 0 ? -errno : 0;
}

int control_enable(int fd, const struct etw_enable *enable)
{
	struct etw_enable argument = *enable;
	int err;

	argument.size = sizeof(argument);
	if (!ioctl(fd, ETW_IOC_ENABLE, &argument))
		return 0;
	err = errno;
	/* the session was there a moment ago */
	if (err == ENOENT && !enable->enabled)
		failed("disable: the session has not enabled that provider ('etw providers')");
	else if (err == ENOSPC)
		failed("enable: the session has %u providers enabled, or %u sessions have this one: "
		       "more can't be", ETW_MAX_ENABLED, ETW_MAX_LISTENERS);
	else if (err == E2BIG || err == EOPNOTSUPP)
		failed("enable: the module that is loaded has no such filters; it is older than the "
		       "tool");
	else
		return explain_error(enable->logger_id, err);
	return -err;
}

/* Return: 0 or a negative errno. @first: the module fills in entries of the first version only */
static int ask_providers(int fd, struct etw_providers *providers, bool *first)
{
	if (!*first && !ioctl(fd, ETW_IOC_PROVIDERS, providers))
		return 0;
	if (!*first && errno != E2BIG)
		return -errno;
	*first = true;
	*providers = first_providers(providers);
	return ioctl(fd, ETW_IOC_PROVIDERS, providers) ? -errno : 0;
}

/* There may be more of them at the second call: then once more. */
int control_try_providers(int fd, struct etw_provider_info **info, uint32_t *count, bool *first)
{
	struct etw_providers providers = { };
	uint32_t room;
	int err;

	*info = NULL;
	*first = false;
	do {
		room = providers.count + 16;
		free(*info);
		*info = calloc(room, sizeof(**info));
		if (!*info)
			return -ENOMEM;
		providers = (struct etw_providers){
			.size = sizeof(providers), .entry_size = sizeof(**info), .count = room,
			.providers = (uintptr_t)*info,
		};
		err = ask_providers(fd, &providers, first);
		if (err) {
			free(*info);
			return err;
		}
	} while (providers.count > room);
	*count = providers.count;
	if (*first)
		first_providers_widen(*info, *count);
	return 0;
}

/* What can't be parsed came from a newer module: it is not shown then. */
static void read_extension(struct session_information *session)
{
	uint32_t flags = session->info.enable_flags;
	struct etw_config_error error;

	if (!(flags & EVENT_TRACE_FLAG_EXTENSION) ||
	    etw_items_parse(session->block.bytes, session->block.size, sizeof(session->info),
			    flags, &session->items, &error)) {
		memset(&session->items, 0, sizeof(session->items));
		etw_config_masks(flags & (EVENT_TRACE_FLAG_ENABLE_RESERVE - 1), &session->masks);
		return;
	}
	etw_config_masks(session->items.masks.masks[0], &session->masks);
	masks_add(&session->masks, &session->items.masks, 1);
}

int control_try_query(int fd, uint32_t id, struct session_information *session)
{
	struct block *block = &session->block;
	struct etw_control control = {
		.size = sizeof(control), .logger_id = id,
		.information = (uintptr_t)block->bytes, .information_size = sizeof(block->bytes),
	};

	memset(block, 0, sizeof(*block));
	if (ioctl(fd, ETW_IOC_QUERY, &control) < 0)
		return -errno;
	block->size = block->info.wnode.buffer_size;
	if (block->size < sizeof(block->info) || block->size > sizeof(block->bytes))
		block->size = sizeof(block->bytes);
	session->info = block->info;
	block_text(block, &block->info.logger_name, session->name, sizeof(session->name));
	block_text(block, &block->info.log_file_name, session->file, sizeof(session->file));
	read_extension(session);
	return 0;
}

int control_query(int fd, uint32_t id, struct session_information *session)
{
	int err = control_try_query(fd, id, session);

	return err ? explain_error(id, -err) : 0;
}

int control_try_statistics(int fd, uint32_t id, uint32_t cpu, struct etw_statistics *statistics)
{
	*statistics = (struct etw_statistics){
		.size = sizeof(*statistics), .logger_id = id, .processor = cpu,
	};
	return ioctl(fd, ETW_IOC_STATISTICS, statistics) < 0 ? -errno : 0;
}

int control_statistics(int fd, uint32_t id, uint32_t cpu, struct etw_statistics *statistics)
{
	int err = control_try_statistics(fd, id, cpu, statistics);

	return err ? explain_error(id, -err) : 0;
}

int control_try_counting(int fd, uint32_t id, uint32_t cpu, struct etw_counting *counting)
{
	*counting = (struct etw_counting){
		.size = sizeof(*counting), .logger_id = id, .processor = cpu,
	};
	return ioctl(fd, ETW_IOC_COUNTING, counting) < 0 ? -errno : 0;
}

int control_list(int fd, uint64_t *loggers)
{
	struct etw_list list = { .size = sizeof(list) };
	int err;

	if (ioctl(fd, ETW_IOC_LIST, &list) < 0) {
		err = errno;
		failed("%s: %s", verb_word(), strerror(err));
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

int control_find(int fd, const char *verb, const char *text, uint32_t *id)
{
	static struct session_information session;
	char note[4096 + 256];
	uint64_t loggers;
	uint32_t i;
	int err = control_list(fd, &loggers);

	if (err)
		return err;
	for (i = 1; i <= ETW_MAX_LOGGERS; i++) {
		if (!(loggers >> (i - 1) & 1) || control_try_query(fd, i, &session) ||
		    !text_is_same_name(session.name, text))
			continue;
		*id = i;
		return 0;
	}
	if (parse_number(text, 1, ETW_MAX_LOGGERS, id) && (loggers >> (*id - 1) & 1))
		return 0;
	if (failure_note_read(text, note, sizeof(note)))
		failed("%s: %s", verb, note);
	else
		failed("%s: there is no session '%s' ('etw list' shows all)", verb, text);
	return -ENOENT;
}

bool session_is_kernel(const struct session_information *session)
{
	static const struct etw_guid kernel = ETW_SYSTEM_TRACE_CONTROL_GUID;

	return session->info.log_file_mode & EVENT_TRACE_SYSTEM_LOGGER_MODE ||
	       !memcmp(&session->info.wnode.guid, &kernel, sizeof(kernel));
}

uint64_t statistics_lost(const struct etw_statistics *statistics)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < sizeof(statistics->lost) / sizeof(statistics->lost[0]); i++)
		sum += statistics->lost[i];
	return sum;
}
