/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/*
 * What this kernel has no source for: asked before all else, and printed, for a test that knows the
 * kernel.
 */
#ifndef ETW_TEST_FUZZ_LACKS_H
#define ETW_TEST_FUZZ_LACKS_H

#include "fuzz.h"

/* A kernel session of this name with one item, of one mask or one hook */
struct asked {
	struct wmi_logger_information info;
	__u16 name[2];
	__u32 head, item, values[ETW_MASKS];
};

/* errno of START, or 0; @c has the rest */
static inline int start_asked(int fd, struct etw_control *c, __u16 type, const __u32 *values,
			      __u32 count)
{
	struct asked a = {
		.info = {
			.wnode.flags = WNODE_FLAG_TRACED_GUID,
			.buffer_size = 4,
			.log_file_mode = EVENT_TRACE_REAL_TIME_MODE |
					 EVENT_TRACE_SYSTEM_LOGGER_MODE,
			.logger_name = { .length = 4, .buffer = offsetof(struct asked, name) },
		},
		.name = { '?', '?' },
		.head = (2 + count) | 1 << 16,
		.item = (1 + count) | (__u32)type << 16,
	};

	if (count) {
		a.info.enable_flags = 0x80FF0000 | offsetof(struct asked, head);
		memcpy(a.values, values, count * sizeof(*values));
	}
	a.info.wnode.buffer_size = count ? offsetof(struct asked, values) +
				   count * sizeof(*values) : offsetof(struct asked, head);
	*c = (struct etw_control){
		.size = sizeof(*c), .flags = ETW_START_NO_RUNDOWN,
		.information = (unsigned long)&a, .information_size = a.info.wnode.buffer_size,
	};
	return ioctl(fd, ETW_IOC_START, c) ? errno : 0;
}

/* The name is taken: so it fails, but for want of a source before that, and changes nothing. */
static inline int is_lacking(int fd, __u16 type, const __u32 *values, __u32 count)
{
	struct etw_control c;
	int err = start_asked(fd, &c, type, values, count);

	if (err == EEXIST && c.error_reason == ETW_REASON_IN_USE)
		return 0;
	if (err != EOPNOTSUPP || c.error_reason != ETW_REASON_UNSUPPORTED) {
		errno = err;
		die("START that asks for sources");
	}
	return 1;
}

static inline void lack_groups(int fd, __u32 mask)
{
	/* the source for tests is in another module; overflows need more, and what samples has */
	__u32 apart = mask ? SAMPLES & ~PERF_MASK_BITS(PERF_PROFILE) : EVENT_TRACE_FLAG_TEST;
	__u32 values[ETW_MASKS] = { 0 }, asked = known_groups[mask] & ~apart, lacking = 0, bit;

	for (bit = 1; bit < 1U << 29; bit <<= 1) {
		values[mask] = bit;
		if (asked & bit && is_lacking(fd, ETW_EXT_ENABLE_FLAGS, values, mask + 1))
			lacking |= bit;
	}
	if (mask == 1 && lacking & SAMPLES)
		lacking |= SAMPLES;
	known_groups[mask] &= ~lacking;
	if (lacking)
		printf("fuzz: LACKS groups 0x%08x of mask %u\n", lacking, mask);
}

static inline void lack_hooks(int fd)
{
	__u32 i, hook, lacking = 0;

	for (i = 0; i < KNOWN_HOOKS; i++) {
		hook = known_hooks[i];
		lacks_hook[i] = is_lacking(fd, ETW_EXT_VND_HOOK_FILTER, &hook, 1);
		lacking += lacks_hook[i];
	}
	if (lacking)
		printf("fuzz: LACKS %u hooks of %zu\n", lacking, KNOWN_HOOKS);
}

/* Of all that is known; the model and the grammar go by what is left. */
static inline void learn_lacks(void)
{
	struct etw_control c, stop = { .size = sizeof(stop), .flags = ETW_STOP_DISCARD };
	int fd = open(CONTROL_NODE, O_RDWR | O_CLOEXEC);
	__u32 mask;

	if (fd < 0 || (errno = start_asked(fd, &c, 0, NULL, 0)))
		die("START before all");
	for (mask = 0; mask < ETW_MASKS; mask++)
		lack_groups(fd, mask);
	lack_hooks(fd);
	stop.logger_id = c.logger_id;
	if (ioctl(fd, ETW_IOC_STOP, &stop))
		die("STOP before all");
	close(fd);
}

#endif /* ETW_TEST_FUZZ_LACKS_H */
