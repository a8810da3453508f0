/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What Documentation says must come of a block of START or UPDATE, but for what UPDATE fixes. */
#ifndef ETW_TEST_FUZZ_BLOCK_H
#define ETW_TEST_FUZZ_BLOCK_H

#include "items.h"

#define FILES		(EVENT_TRACE_FILE_MODE_CIRCULAR | EVENT_TRACE_FILE_MODE_NEWFILE)
#define MODES		(EVENT_TRACE_FILE_MODE_SEQUENTIAL | FILES | \
			 EVENT_TRACE_USE_MS_FLUSH_TIMER | \
			 EVENT_TRACE_REAL_TIME_MODE | EVENT_TRACE_BUFFERING_MODE | \
			 EVENT_TRACE_SYSTEM_LOGGER_MODE | EVENT_TRACE_USE_GLOBAL_SEQUENCE | \
			 EVENT_TRACE_USE_LOCAL_SEQUENCE)
#define MAX_BUFFERS	65536U

static inline void model_name(struct verdict *v, const __u8 *block, __u32 size, __u32 field,
			      __u32 limit)
{
	struct etw_unicode_string string;
	__u32 i, units;
	__u16 unit;

	memcpy(&string, block + field, sizeof(string));
	units = string.length / 2;
	refuse_if(v, string.pad, EINVAL, field + 4, ETW_REASON_RESERVED);
	if (string.length % 2 || units > limit) {
		refuse_if(v, 1, EINVAL, field, ETW_REASON_NAME);
		return;
	}
	if (!units)
		return;
	if (string.buffer < sizeof(struct wmi_logger_information) || string.buffer > size ||
	    string.length > size - string.buffer) {
		refuse_if(v, 1, EINVAL, field + 8, ETW_REASON_RANGE);
		return;
	}
	for (i = 0; i < units; i++) {
		memcpy(&unit, block + string.buffer + 2 * i, 2);
		if (unit < ' ') {
			refuse_if(v, 1, EINVAL, string.buffer + 2 * i, ETW_REASON_NAME);
			return;
		}
	}
}

static inline int is_kernel(const struct wmi_logger_information *info)
{
	static const struct etw_guid kernel = ETW_SYSTEM_TRACE_CONTROL_GUID;

	return info->log_file_mode & EVENT_TRACE_SYSTEM_LOGGER_MODE ||
	       !memcmp(&info->wnode.guid, &kernel, sizeof(kernel));
}

static inline void model_reserved(struct verdict *v, const struct wmi_logger_information *info,
				  __u32 size)
{
	refuse_if(v, info->wnode.buffer_size != size, EINVAL, AT(wnode.buffer_size),
		  ETW_REASON_SIZE);
	refuse_if(v, info->wnode.flags != WNODE_FLAG_TRACED_GUID, EINVAL, AT(wnode.flags),
		  ETW_REASON_RANGE);
	refuse_if(v, info->wnode.provider_id, EINVAL, AT(wnode.provider_id),
		  ETW_REASON_RESERVED);
	refuse_if(v, info->flush_threshold, EINVAL, AT(flush_threshold), ETW_REASON_RESERVED);
	refuse_if(v, !!info->v2_options, EINVAL, AT(v2_options), ETW_REASON_RESERVED);
	refuse_if(v, !!info->log_file_handle, EINVAL, AT(log_file_handle), ETW_REASON_RESERVED);
	refuse_if(v, !!info->logger_extension, EINVAL, AT(logger_extension),
		  ETW_REASON_RESERVED);
}

static inline void model_ranges(struct verdict *v, const struct wmi_logger_information *info)
{
	__u32 mode = info->log_file_mode, kb = info->buffer_size ? info->buffer_size : 64;
	__u32 unit = mode & EVENT_TRACE_USE_MS_FLUSH_TIMER ? 1 : 1000;

	refuse_if(v, mode & ~MODES, EOPNOTSUPP, AT(log_file_mode), ETW_REASON_UNSUPPORTED);
	/* no target; buffering and files; circular files and others; two counts */
	refuse_if(v, !(mode & 0x50B) || (mode & 0x400 && mode & 0xB) ||
		  (mode & 2 && mode & 9) || (mode & 0xC000) == 0xC000, EINVAL,
		  AT(log_file_mode), ETW_REASON_CONFLICT);
	refuse_if(v, mode & FILES && !info->maximum_file_size, EINVAL, AT(maximum_file_size),
		  ETW_REASON_MISSING);
	refuse_if(v, kb < 4 || kb > 16384 || kb % 4, EINVAL, AT(buffer_size), ETW_REASON_RANGE);
	refuse_if(v, info->maximum_buffers && info->minimum_buffers > info->maximum_buffers,
		  EINVAL, AT(minimum_buffers), ETW_REASON_CONFLICT);
	refuse_if(v, info->maximum_buffers > MAX_BUFFERS, EINVAL, AT(maximum_buffers),
		  ETW_REASON_RANGE);
	refuse_if(v, info->minimum_buffers > MAX_BUFFERS, EINVAL, AT(minimum_buffers),
		  ETW_REASON_RANGE);
	refuse_if(v, (__u64)info->flush_timer * unit > 86400000, EINVAL, AT(flush_timer),
		  ETW_REASON_RANGE);
	refuse_if(v, info->wnode.client_context > ETW_CLOCK_CYCLE, EINVAL,
		  AT(wnode.client_context), ETW_REASON_RANGE);
}

/* How many names of files with a number in it; -1: with another % */
static inline int patterns(const __u8 *block, const struct etw_unicode_string *string)
{
	__u16 unit, next;
	int i, found = 0;

	for (i = 0; i < string->length / 2; i++) {
		memcpy(&unit, block + string->buffer + 2 * i, 2);
		next = 0;
		if (i + 1 < string->length / 2)
			memcpy(&next, block + string->buffer + 2 * i + 2, 2);
		if (unit == '%' && next != 'd')
			return -1;
		found += unit == '%';
	}
	return found;
}

/* Of a name that is good */
static inline void model_file_name(struct verdict *v, const __u8 *block,
				   const struct wmi_logger_information *info)
{
	__u32 mode = info->log_file_mode;

	refuse_if(v, mode & EVENT_TRACE_BUFFERING_MODE && info->log_file_name.length, EINVAL,
		  AT(log_file_name), ETW_REASON_CONFLICT);
	refuse_if(v, mode & EVENT_TRACE_FILE_MODE_NEWFILE &&
		  patterns(block, &info->log_file_name) != 1, EINVAL, AT(log_file_name),
		  ETW_REASON_NAME);
}

static inline void model_events(struct extension *x, const __u8 *block, __u32 size,
				const struct wmi_logger_information *info)
{
	__u32 flags = info->enable_flags;
	struct verdict *v = x->v;

	if (flags & EVENT_TRACE_FLAG_EXTENSION) {
		model_extension(x, v, block, size, info, is_kernel(info));
		return;
	}
	refuse_if(v, flags & ~EVENT_TRACE_FLAG_TEST && !is_kernel(info), EINVAL,
		  AT(enable_flags), ETW_REASON_CONFLICT);
	refuse_if(v, flags & NEVER, EINVAL, AT(enable_flags), ETW_REASON_RANGE);
}

/* How many buffers there may be: an item says it, or the field */
static inline void may_refuse_maximum(struct extension *x, int err, __u32 reason)
{
	if (x->at[BUFFERS] && item_dword(x, BUFFERS, 3))
		may_refuse_in(x, BUFFERS, 3, err, reason);
	else
		may_refuse(x->v, err, AT(maximum_buffers), reason);
}

/* A lack of memory is reported where the memory was asked for, and all else at EnableFlags. */
static inline void model_memory(struct extension *x)
{
	may_refuse_maximum(x, ENOMEM, ETW_REASON_NO_MEMORY);
	may_refuse(x->v, ENOMEM, AT(enable_flags), ETW_REASON_NO_MEMORY);
	if (x->at[MASKS])
		may_refuse_in(x, MASKS, 1, ENOMEM, ETW_REASON_NO_MEMORY);
	if (x->at[STACKWALK])
		may_refuse_in(x, STACKWALK, 0, ENOMEM, ETW_REASON_NO_MEMORY);
}

/* Not every kernel has every tracepoint. */
static inline void model_tracepoints(struct extension *x, __u32 enable_flags)
{
	if (x->at[MASKS])
		may_refuse_in(x, MASKS, 1, ENOENT, ETW_REASON_SOURCE);
	else if (enable_flags)
		may_refuse(x->v, ENOENT, AT(enable_flags), ETW_REASON_SOURCE);
	model_linux_sources(x);
}

/* What hangs on the machine, and on which sessions there are */
static inline void model_means(struct extension *x, const struct wmi_logger_information *info)
{
	model_new_counters(x);
	model_samplers(x, info->enable_flags, 0);
	may_refuse(x->v, EEXIST, AT(logger_name), ETW_REASON_IN_USE);
	may_refuse(x->v, ENOSPC, AT(logger_name), ETW_REASON_IN_USE);
	model_memory(x);
	model_tracepoints(x, info->enable_flags);
	if (x->at[CLOCK] && item_dword(x, CLOCK, 1) == ETW_CLOCK_CYCLE)
		may_refuse_in(x, CLOCK, 1, EOPNOTSUPP, ETW_REASON_UNSUPPORTED);
	else if (info->wnode.client_context == ETW_CLOCK_CYCLE)
		may_refuse(x->v, EOPNOTSUPP, AT(wnode.client_context), ETW_REASON_UNSUPPORTED);
}

/*
 * The block in itself, for the results in @x, too. Return: it is right, though
 * no sources were asked for yet.
 */
static inline int model_fields(struct extension *x, const __u8 *block, __u32 size,
			       const struct wmi_logger_information *info)
{
	struct verdict *v = x->v;
	int before;

	model_reserved(v, info, size);
	model_ranges(v, info);
	model_events(x, block, size, info);
	before = v->must;
	model_name(v, block, size, AT(logger_name), ETW_MAX_LOGGER_NAME);
	model_name(v, block, size, AT(log_file_name), ETW_MAX_LOG_FILE_NAME);
	refuse_if(v, !info->logger_name.length, EINVAL, AT(logger_name), ETW_REASON_NAME);
	if (v->must == before)
		model_file_name(v, block, info);
	return !v->must;
}

/* For counts of what was asked for */
static inline void note_wishes(struct extension *x, const struct wmi_logger_information *info)
{
	__u32 i;

	for (i = 0; i < TYPES; i++)
		x->v->number[i] = x->number[i];
	for (i = 0; i < ETW_MASKS; i++)
		x->v->masks[i] = x->bad ? 0 : mask_of(x, info->enable_flags, i);
	x->v->mode = info->log_file_mode;
}

#endif /* ETW_TEST_FUZZ_BLOCK_H */
