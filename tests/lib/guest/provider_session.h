/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Sessions of programs' events, for tests: started, enabled, counted, stopped. */
#ifndef ETW_PROVIDER_SESSION_H
#define ETW_PROVIDER_SESSION_H

#include <stddef.h>
#include <string.h>
#include "calls.h"
#include "etw_provider.h"

#define SESSION_ITEMS	64	/* dwords */

/**
 * struct wanted - a session to start
 * @name: its name
 * @mode: EVENT_TRACE_*, REAL_TIME is added unless it overwrites
 * @buffer_kb: BufferSize
 * @buffers: of all CPUs
 * @provider: item 800F
 * @uid: item 800C, or -1
 */
struct wanted {
	const char *name;
	__u32 mode, buffer_kb, buffers;
	struct etw_ext_provider_options provider;
	int uid;
};

struct session_block {
	struct wmi_logger_information info;
	__u16 name[32];
	__u32 items[SESSION_ITEMS];
};

static inline __u32 put_item(__u32 *to, __u16 type, __u32 n, const void *data)
{
	struct trace_enable_flag_ext_item head = { .offset = n + 1, .type = type };

	memcpy(to, &head, 4);
	memcpy(to + 1, data, 4 * n);
	return n + 1;
}

static inline __u32 put_items(struct session_block *block, const struct wanted *w)
{
	struct trace_enable_flag_extension overlay = {
		.offset = offsetof(struct session_block, items),
		.length = ETW_EXT_ITEMS, .flag = ETW_EXT_FLAG,
	};
	struct trace_enable_flag_ext_header header = { .items = 1 };
	__u32 n = 1;

	n += put_item(block->items + n, ETW_EXT_VND_PROVIDER_OPTIONS, 2, &w->provider);
	if (w->uid >= 0) {
		n += put_item(block->items + n, ETW_EXT_VND_PROVIDER_UIDS, 1, &w->uid);
		header.items++;
	}
	header.length = n;
	memcpy(block->items, &header, 4);
	memcpy(&block->info.enable_flags, &overlay, 4);
	return n;
}

/* Returns the logger id, or -1 and errno */
static inline int session_start(int control, const struct wanted *w)
{
	struct session_block block = {
		.info = {
			.wnode.flags = WNODE_FLAG_TRACED_GUID, .wnode.client_context = 1,
			.log_file_mode = w->mode | EVENT_TRACE_USE_MS_FLUSH_TIMER,
			.buffer_size = w->buffer_kb, .maximum_buffers = w->buffers,
			.flush_timer = 100,
			.logger_name.buffer = offsetof(struct session_block, name),
		},
	};
	struct etw_control c = {
		.size = sizeof(c), .flags = ETW_START_NO_RUNDOWN | ETW_START_TIED,
		.information = (unsigned long)&block,
	};
	__u32 i;

	if (!(w->mode & EVENT_TRACE_BUFFERING_MODE))
		block.info.log_file_mode |= EVENT_TRACE_REAL_TIME_MODE;
	for (i = 0; i < 32 && w->name[i]; i++)
		block.name[i] = w->name[i];
	block.info.logger_name.length = 2 * i;
	c.information_size = offsetof(struct session_block, items) + 4 * put_items(&block, w);
	block.info.wnode.buffer_size = c.information_size;
	if (!ioctl(control, ETW_IOC_START, &c))
		return c.logger_id;
	i = errno;
	printf("START of %s: %s, field %x, reason %u, item %u\n", w->name, strerror(i),
	       c.error_offset, c.error_reason, c.error_item);
	errno = i;
	return -1;
}

static inline int session_enable(int control, __u32 id, const struct etw_guid *guid,
				 __u32 enabled, __u32 level, __u32 flags)
{
	struct etw_enable e = {
		.size = sizeof(e), .logger_id = id, .guid = *guid, .enabled = enabled,
		.level = level, .enable_flags = flags,
	};

	return ioctl(control, ETW_IOC_ENABLE, &e) ? errno : 0;
}

/* Of all events that were tried, those of programs */
static inline unsigned long long session_attempted(const struct etw_statistics *s)
{
	return s->read + s->overwritten + s->discarded + s->buffered + all_lost(s) -
	       s->internal;
}

/* An entry of a provider's page, as a program has to read it. Return: whether it is whole */
static inline int read_entry(const volatile struct etw_provider_state *from,
			     struct etw_provider_state *state)
{
	state->sequence = __atomic_load_n(&from->sequence, __ATOMIC_ACQUIRE);
	state->enabled = from->enabled;
	state->level = from->level;
	state->logger_id = from->logger_id;
	state->flags = from->flags;
	state->registered = from->registered;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return state->sequence % 2 == 0 && state->sequence == from->sequence;
}

#endif /* ETW_PROVIDER_SESSION_H */
