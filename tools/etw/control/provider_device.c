// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events and messages through /dev/etw/provider, with errors in words. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include "etw.h"
#include "provider_device.h"

int provider_open(void)
{
	int fd = open(ETW_PROVIDER_NODE, O_RDWR | O_CLOEXEC);
	int err = errno;

	if (fd >= 0)
		return fd;
	if (err == ENOENT || err == ENXIO || err == ENODEV)
		failed("%s is not there: is the module loaded? (modprobe etw; 'etw doctor')",
		       ETW_PROVIDER_NODE);
	else
		failed("%s: %s", ETW_PROVIDER_NODE, strerror(err));
	return -err;
}

int provider_event(int fd, uint32_t id, const struct event_trace_header *event)
{
	struct etw_trace_event trace = {
		.size = sizeof(trace), .session_handle = id, .event = (uintptr_t)event,
	};

	return ioctl(fd, ETW_PROVIDER_TRACE_EVENT, &trace) < 0 ? -errno : 0;
}

int provider_message(int fd, uint32_t id, uint16_t number, const struct etw_guid *guid,
		     const void *data, size_t size)
{
	struct etw_message_argument argument = { .data = (uintptr_t)data, .length = size };
	struct etw_trace_message trace = {
		.size = sizeof(trace), .session_handle = id,
		.message_flags = TRACE_MESSAGE_SEQUENCE | TRACE_MESSAGE_GUID |
				 TRACE_MESSAGE_TIMESTAMP | TRACE_MESSAGE_SYSTEMINFO,
		.message_guid = (uintptr_t)guid, .arguments = (uintptr_t)&argument,
		.nr_arguments = 1, .message_number = number,
	};

	return ioctl(fd, ETW_PROVIDER_TRACE_MESSAGE, &trace) < 0 ? -errno : 0;
}

bool provider_lost(int err)
{
	return err == -EDQUOT || err == -ENOBUFS;
}

int provider_failed(uint32_t id, int err)
{
	static const struct {
		int err;
		const char *name;
		const char *text;
	} known[] = {
		{ EBADF, "ERROR_INVALID_HANDLE", "there is no such session, or it is stopped" },
		{ EACCES, "ERROR_ACCESS_DENIED",
		  "it does not take such events of this user ('etw status'; its options "
		  "--providers, --provider-kernel)" },
		{ EPERM, "ERROR_ACCESS_DENIED",
		  "the credentials are not those that opened " ETW_PROVIDER_NODE },
		{ EDQUOT, "ERROR_NOT_ENOUGH_QUOTA",
		  "lost: more than this user may write in a second" },
		{ EMSGSIZE, "ERROR_MORE_DATA", "larger than a buffer of the session" },
		{ ENOBUFS, "ERROR_NOT_ENOUGH_MEMORY", "lost: no buffer was free" },
		{ ENOMEM, "ERROR_NOT_ENOUGH_MEMORY", "no memory" },
		{ EINVAL, "ERROR_INVALID_PARAMETER", "the module does not take this" },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].err == -err)
			return failed("log: session %u: %s (%s)", id, known[i].text,
				      known[i].name);
	return failed("log: session %u: %s", id, strerror(-err));
}
