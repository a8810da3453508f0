// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Storm: the ioctls; each returns 0, a positive id, or a negative errno. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include "storm.h"

struct block {
	struct wmi_logger_information info;
	__u16 name[64];
	__u32 array[48];	/* of an extension: see fill_array() */
};

int open_control(void)
{
	int fd = open("/dev/etw/control", O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* An item's header, and how many dwords the array has with it */
static __u32 *add_item(__u32 *array, __u32 type, __u32 dwords)
{
	__u32 *item = array + (array[0] & 0xFFFF);

	array[0] += (1 + dwords) | 1 << 16;
	*item = (1 + dwords) | type << 16;
	return item + 1;
}

/* Behind context swaps and samples, whole or by key */
static void add_stacks(__u32 *array, const struct wish *wish)
{
	__u32 *item = add_item(array, ETW_EXT_STACKWALK_FILTER, 2);

	item[0] = PERFINFO_LOG_TYPE_CONTEXTSWAP;
	item[1] = PERFINFO_LOG_TYPE_SAMPLED_PROFILE;
	if (!wish->cache)
		return;
	item = add_item(array, ETW_EXT_STACK_CACHING, 2);
	item[0] = wish->cache;
	item[1] = 1 + wish->cache / 1024;
}

/* EnableFlags, a filter, counters, the profile, stacks, programs. Returns its dwords. */
static __u32 fill_array(__u32 *array, const struct wish *wish)
{
	__u32 i, *item;

	array[0] = 1;
	item = add_item(array, ETW_EXT_ENABLE_FLAGS, 2);
	item[0] = wish->flags;
	item[1] = wish->interval ? PERF_MASK_BITS(PERF_PROFILE) : 0;
	if (wish->nr_hooks) {
		item = add_item(array, ETW_EXT_VND_HOOK_FILTER, wish->nr_hooks);
		for (i = 0; i < wish->nr_hooks; i++)
			item[i] = wish->hooks[i];
	}
	if (wish->clocks) {
		item = add_item(array, ETW_EXT_VND_PMC_COUNTERS, 4 * wish->clocks);
		for (i = 0; i < wish->clocks; i++) {
			item[4 * i] = ETW_PROFILE_SOURCE_OWN + i;
			item[4 * i + 1] = PERF_TYPE_SOFTWARE;
			item[4 * i + 2] = PERF_COUNT_SW_CPU_CLOCK;
			item[4 * i + 3] = 0;
		}
		*add_item(array, ETW_EXT_VND_PMC_HOOKS, 1) = PERFINFO_LOG_TYPE_CONTEXTSWAP;
	}
	if (wish->interval) {
		item = add_item(array, ETW_EXT_VND_SAMPLE_INTERVAL, 2);
		item[0] = ETW_PROFILE_SOURCE_TIME;
		item[1] = wish->interval;
	}
	if (wish->stacks)
		add_stacks(array, wish);
	item = add_item(array, ETW_EXT_VND_PROVIDER_OPTIONS, 2);
	item[0] = ETW_PROVIDER_KERNEL_SESSION;
	item[1] = wish->rate;
	return array[0] & 0xFFFF;
}

/* Returns its size. */
static __u32 fill_block(struct block *block, const struct wish *wish)
{
	__u32 i, size = offsetof(struct block, array);

	*block = (struct block){
		.info = {
			.wnode.flags = WNODE_FLAG_TRACED_GUID,
			.buffer_size = wish->kb,
			.minimum_buffers = wish->minimum,
			.maximum_buffers = wish->maximum,
			.log_file_mode = wish->mode | EVENT_TRACE_USE_MS_FLUSH_TIMER,
			.flush_timer = wish->flush_ms,
			.enable_flags = wish->flags,
			.logger_name.buffer = offsetof(struct block, name),
		},
	};
	for (i = 0; i < 63 && wish->name[i]; i++)
		block->name[i] = wish->name[i];
	block->info.logger_name.length = 2 * i;
	block->info.enable_flags = 0x80FF0000 | size;
	size += 4 * fill_array(block->array, wish);
	block->info.wnode.buffer_size = size;
	return size;
}

int start_session(int fd, const struct wish *wish, __u32 start_flags)
{
	struct block block;
	struct etw_control c = {
		.size = sizeof(c), .flags = start_flags,
		.information_size = fill_block(&block, wish),
		.information = (unsigned long)&block,
	};

	return ioctl(fd, ETW_IOC_START, &c) ? -errno : (int)c.logger_id;
}

int update_session(__u32 id, const struct wish *wish)
{
	struct block block;
	struct etw_control c = {
		.size = sizeof(c), .logger_id = id,
		.information_size = fill_block(&block, wish),
		.information = (unsigned long)&block,
	};

	if (!ioctl(control, ETW_IOC_UPDATE, &c))
		return 0;
	if (errno == EINVAL)
		storm_fail("%s: UPDATE: field 0x%x, reason %u, item %u", wish->name,
			   c.error_offset, c.error_reason, c.error_item);
	return -errno;
}

/* Returns a descriptor. */
int snapshot_session(__u32 id)
{
	struct etw_control c = { .size = sizeof(c), .logger_id = id };
	int fd = ioctl(control, ETW_IOC_SNAPSHOT, &c);

	return fd < 0 ? -errno : fd;
}

static int on_logger(unsigned long request, __u32 flags, __u32 id)
{
	struct etw_control c = { .size = sizeof(c), .flags = flags, .logger_id = id };

	return ioctl(control, request, &c) ? -errno : 0;
}

int stop_session(__u32 id, __u32 flags)
{
	return on_logger(ETW_IOC_STOP, flags, id);
}

int flush_session(__u32 id)
{
	return on_logger(ETW_IOC_FLUSH, 0, id);
}

int rundown_session(__u32 id)
{
	return on_logger(ETW_IOC_RUNDOWN, 0, id);
}

int log_record(__u32 id, struct random *random)
{
	char payload[4096] = { 0 };
	struct etw_log_record r = {
		.size = sizeof(r), .logger_id = id, .hook_id = WMI_LOG_TYPE_CONFIG_PHYSICALDISK,
		.version = 1, .payload_size = 1 + any(random, 600),
		.payload = (unsigned long)payload,
	};

	return ioctl(control, ETW_IOC_LOG_RECORD, &r) ? -errno : 0;
}

int session_start_time(__u32 id, unsigned long long *time)
{
	struct block block = { };
	struct etw_control c = {
		.size = sizeof(c), .logger_id = id, .information_size = sizeof(block),
		.information = (unsigned long)&block,
	};

	if (ioctl(control, ETW_IOC_QUERY, &c))
		return -errno;
	*time = block.info.wnode.time_stamp;
	return 0;
}

int statistics_of(__u32 id, __u32 cpu, struct etw_statistics *statistics)
{
	*statistics = (struct etw_statistics){
		.size = sizeof(*statistics), .logger_id = id, .processor = cpu,
	};
	return ioctl(control, ETW_IOC_STATISTICS, statistics) ? -errno : 0;
}

int list_sessions(__u64 *loggers)
{
	struct etw_list list = { .size = sizeof(list) };

	if (ioctl(control, ETW_IOC_LIST, &list))
		return -errno;
	*loggers = list.loggers;
	return 0;
}
