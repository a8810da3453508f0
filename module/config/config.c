// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Parser of the START block: any bytes give settings, or an errno and a field. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "config.h"
#include "linux_events.h"
#include "refuse.h"

#define FILE_MODES	(EVENT_TRACE_FILE_MODE_SEQUENTIAL | EVENT_TRACE_FILE_MODE_CIRCULAR | \
			 EVENT_TRACE_FILE_MODE_NEWFILE)
/* Where buffers go: at least one of these is required */
#define TARGET_MODES	(FILE_MODES | EVENT_TRACE_REAL_TIME_MODE | EVENT_TRACE_BUFFERING_MODE)
/* Which counter numbers messages; at most one */
#define SEQUENCE_MODES	(EVENT_TRACE_USE_GLOBAL_SEQUENCE | EVENT_TRACE_USE_LOCAL_SEQUENCE)
#define SUPPORTED_MODES	(TARGET_MODES | EVENT_TRACE_USE_MS_FLUSH_TIMER | \
			 EVENT_TRACE_SYSTEM_LOGGER_MODE | SEQUENCE_MODES)

static int parse_name(const __u8 *block, __u32 size, __u32 field, __u32 limit, __u16 *name,
		      struct etw_config_error *error)
{
	struct etw_unicode_string string;
	__u32 i, units;

	memcpy(&string, block + field, sizeof(string));
	units = string.length / 2;
	if (string.pad)
		return etw_refuse(error, field + 4, ETW_REASON_RESERVED, -EINVAL);
	if (string.length % 2 || units > limit)
		return etw_refuse(error, field, ETW_REASON_NAME, -EINVAL);
	if (units && (string.buffer < sizeof(struct wmi_logger_information) ||
		      string.buffer > size || string.length > size - string.buffer))
		return etw_refuse(error, field + 8, ETW_REASON_RANGE, -EINVAL);
	if (units)
		memcpy(name, block + string.buffer, string.length);
	name[units] = 0;
	for (i = 0; i < units; i++)
		if (name[i] < ' ')
			return etw_refuse(error, string.buffer + 2 * i, ETW_REASON_NAME, -EINVAL);
	return 0;
}

/*
 * The rules of Windows (format.rst 6.4), except that kernel sessions may use
 * NEWFILE, because a tool writes the files.
 */
static int is_contradictory(__u32 mode)
{
	__u32 files = mode & FILE_MODES;

	if ((mode & SEQUENCE_MODES) == SEQUENCE_MODES)
		return 1;
	if (mode & EVENT_TRACE_BUFFERING_MODE)
		return files != 0;
	return (files & EVENT_TRACE_FILE_MODE_CIRCULAR) &&
	       files != EVENT_TRACE_FILE_MODE_CIRCULAR;
}

static int parse_mode(const struct wmi_logger_information *info, struct etw_settings *settings,
		      struct etw_config_error *error)
{
	static const struct etw_guid kernel_guid = ETW_SYSTEM_TRACE_CONTROL_GUID;
	__u32 mode = info->log_file_mode;

	if (mode & ~SUPPORTED_MODES)
		return etw_refuse(error, ETW_FIELD(log_file_mode), ETW_REASON_UNSUPPORTED,
				  -EOPNOTSUPP);
	if (!(mode & TARGET_MODES) || is_contradictory(mode))
		return etw_refuse(error, ETW_FIELD(log_file_mode), ETW_REASON_CONFLICT, -EINVAL);
	if ((mode & (EVENT_TRACE_FILE_MODE_CIRCULAR | EVENT_TRACE_FILE_MODE_NEWFILE)) &&
	    !info->maximum_file_size)
		return etw_refuse(error, ETW_FIELD(maximum_file_size), ETW_REASON_MISSING, -EINVAL);
	settings->mode = mode;
	settings->kernel = mode & EVENT_TRACE_SYSTEM_LOGGER_MODE ||
			   !memcmp(&info->wnode.guid, &kernel_guid, sizeof(kernel_guid));
	settings->guid = info->wnode.guid;
	return 0;
}

static int parse_sizes(const struct wmi_logger_information *info, struct etw_settings *settings,
		       struct etw_config_error *error)
{
	__u32 kb = info->buffer_size ? info->buffer_size : ETW_DEFAULT_BUFFER_KB;
	__u32 unit = info->log_file_mode & EVENT_TRACE_USE_MS_FLUSH_TIMER ? 1 : 1000;

	if (kb < ETW_MIN_BUFFER_KB || kb > ETW_MAX_BUFFER_KB || kb % ETW_MIN_BUFFER_KB)
		return etw_refuse(error, ETW_FIELD(buffer_size), ETW_REASON_RANGE, -EINVAL);
	if (info->maximum_buffers && info->minimum_buffers > info->maximum_buffers)
		return etw_refuse(error, ETW_FIELD(minimum_buffers), ETW_REASON_CONFLICT, -EINVAL);
	if (info->maximum_buffers > ETW_MAX_BUFFERS)
		return etw_refuse(error, ETW_FIELD(maximum_buffers), ETW_REASON_RANGE, -EINVAL);
	if (info->minimum_buffers > ETW_MAX_BUFFERS)
		return etw_refuse(error, ETW_FIELD(minimum_buffers), ETW_REASON_RANGE, -EINVAL);
	if (info->flush_timer > ETW_MAX_FLUSH_MS / unit)
		return etw_refuse(error, ETW_FIELD(flush_timer), ETW_REASON_RANGE, -EINVAL);
	settings->buffer_size = kb * 1024;
	settings->minimum_buffers = info->minimum_buffers;
	settings->maximum_buffers = info->maximum_buffers;
	settings->maximum_file_size = info->maximum_file_size;
	settings->flush_ms = info->flush_timer * unit;
	return 0;
}

static int parse_names(const __u8 *block, __u32 size, struct etw_settings *settings,
		       struct etw_config_error *error)
{
	int err = parse_name(block, size, ETW_FIELD(logger_name), ETW_MAX_LOGGER_NAME,
			     settings->logger_name, error);

	if (!err)
		err = parse_name(block, size, ETW_FIELD(log_file_name), ETW_MAX_LOG_FILE_NAME,
				 settings->log_file_name, error);
	if (!err && !settings->logger_name[0])
		err = etw_refuse(error, ETW_FIELD(logger_name), ETW_REASON_NAME, -EINVAL);
	return err;
}

/* Exactly one %d, which stands for the file's number, and no other % */
static int is_pattern(const __u16 *name)
{
	int found = 0;

	for (; *name; name++) {
		if (*name != '%')
			continue;
		if (name[1] != 'd')
			return 0;
		found++;
	}
	return found == 1;
}

static int check_file_name(const struct etw_settings *settings, struct etw_config_error *error)
{
	const __u16 *name = settings->log_file_name;

	if ((settings->mode & EVENT_TRACE_BUFFERING_MODE) && *name)
		return etw_refuse(error, ETW_FIELD(log_file_name), ETW_REASON_CONFLICT, -EINVAL);
	if ((settings->mode & EVENT_TRACE_FILE_MODE_NEWFILE) && !is_pattern(name))
		return etw_refuse(error, ETW_FIELD(log_file_name), ETW_REASON_NAME, -EINVAL);
	return 0;
}

static int check_reserved(const struct wmi_logger_information *info,
			  struct etw_config_error *error)
{
	if (info->wnode.flags != WNODE_FLAG_TRACED_GUID)
		return etw_refuse(error, ETW_FIELD(wnode.flags), ETW_REASON_RANGE, -EINVAL);
	if (info->wnode.provider_id)
		return etw_refuse(error, ETW_FIELD(wnode.provider_id), ETW_REASON_RESERVED,
				  -EINVAL);
	if (info->flush_threshold)
		return etw_refuse(error, ETW_FIELD(flush_threshold), ETW_REASON_RESERVED, -EINVAL);
	if (info->v2_options)
		return etw_refuse(error, ETW_FIELD(v2_options), ETW_REASON_RESERVED, -EINVAL);
	if (info->log_file_handle)
		return etw_refuse(error, ETW_FIELD(log_file_handle), ETW_REASON_RESERVED, -EINVAL);
	if (info->logger_extension)
		return etw_refuse(error, ETW_FIELD(logger_extension), ETW_REASON_RESERVED, -EINVAL);
	return 0;
}

/**
 * etw_config_masks() - convert EnableFlags to group masks
 * @enable_flags: EVENT_TRACE_FLAG_*
 * @masks: out
 *
 * Some flags are aliases of bits in other elements; these flags don't appear in
 * element 0. (kernel-events.rst 1.5)
 *
 * Return: 0; -EINVAL for flags that enable no events.
 */
int etw_config_masks(__u32 enable_flags, struct perfinfo_groupmask *masks)
{
	static const struct {
		__u32 flag, group;
	} aliases[] = {
		{ EVENT_TRACE_FLAG_CSWITCH, PERF_CONTEXT_SWITCH },
		{ EVENT_TRACE_FLAG_DPC, PERF_DPC },
		{ EVENT_TRACE_FLAG_INTERRUPT, PERF_INTERRUPT },
		{ EVENT_TRACE_FLAG_SYSTEMCALL, PERF_SYSCALL },
		{ EVENT_TRACE_FLAG_DISPATCHER, PERF_DISPATCHER },
		{ EVENT_TRACE_FLAG_VIRTUAL_ALLOC, PERF_VIRTUAL_ALLOC },
		{ EVENT_TRACE_FLAG_DRIVER, 0x20000010 },	/* nothing writes it */
		{ EVENT_TRACE_FLAG_PROFILE, PERF_PROFILE },
	};
	unsigned int i;

	memset(masks, 0, sizeof(*masks));
	if (enable_flags & (EVENT_TRACE_FLAG_ENABLE_RESERVE | EVENT_TRACE_FLAG_FORWARD_WMI))
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(aliases); i++) {
		if (!(enable_flags & aliases[i].flag))
			continue;
		enable_flags &= ~aliases[i].flag;
		masks->masks[PERF_MASK_INDEX(aliases[i].group)] |=
			PERF_MASK_BITS(aliases[i].group);
	}
	masks->masks[0] |= enable_flags;
	return 0;
}

/* BUFFER_SETTINGS override the block's fields; 0 keeps a field. */
static int apply_buffers(struct etw_settings *settings, struct etw_config_error *error)
{
	const struct etw_ext_buffers *buffers = &settings->items.buffers;

	if (!etw_items_have(&settings->items, ETW_ITEM_BUFFER_SETTINGS))
		return 0;
	if (buffers->buffer_size)
		settings->buffer_size = buffers->buffer_size * 1024;
	if (buffers->minimum_buffers)
		settings->minimum_buffers = buffers->minimum_buffers;
	if (buffers->maximum_buffers)
		settings->maximum_buffers = buffers->maximum_buffers;
	if (buffers->flush_timer)
		settings->flush_ms = buffers->flush_timer;
	if (settings->maximum_buffers && settings->minimum_buffers > settings->maximum_buffers)
		return etw_refuse_dword(error, &settings->items, ETW_ITEM_BUFFER_SETTINGS,
					buffers->minimum_buffers ? 2 : 3, ETW_REASON_CONFLICT,
					-EINVAL);
	return 0;
}

/* Items for any session; the other items are about kernel events. */
static int is_plain(enum etw_item_kind kind)
{
	switch (kind) {
	case ETW_ITEM_ENABLE_FLAGS:
	case ETW_ITEM_BUFFER_SETTINGS:
	case ETW_ITEM_CLOCK:
	case ETW_ITEM_CONSUMER:
	case ETW_ITEM_PROVIDER_UIDS:
	case ETW_ITEM_PROVIDER_GIDS:
	case ETW_ITEM_PROVIDER_OPTIONS:
		return 1;
	default:
		return 0;
	}
}

static int check_plain(const struct etw_items *items, struct etw_config_error *error)
{
	__u32 i;

	for (i = 0; i < ETW_ITEM_KINDS; i++)
		if (etw_items_have(items, i) && !is_plain(i))
			return etw_refuse_dword(error, items, i, 0, ETW_REASON_CONFLICT, -EINVAL);
	for (i = 0; i < items->nr_masks; i++)
		if (items->masks.masks[i] & ~(i ? 0 : EVENT_TRACE_FLAG_TEST))
			return etw_refuse_dword(error, items, ETW_ITEM_ENABLE_FLAGS, 1 + i,
						ETW_REASON_CONFLICT, -EINVAL);
	return 0;
}

static int parse_extension(const __u8 *block, __u32 size, __u32 enable_flags,
			   __u32 client_context, struct etw_settings *settings,
			   struct etw_config_error *error)
{
	struct etw_items *items = &settings->items;
	__u32 i;
	int err;

	err = etw_items_parse(block, size, sizeof(struct wmi_logger_information), enable_flags,
			      items, error);
	if (!err && !settings->kernel)
		err = check_plain(items, error);
	if (!err)
		err = apply_buffers(settings, error);
	if (!err)
		err = etw_linux_events_check_buffer(items, settings->buffer_size, error);
	if (err)
		return err;
	if (etw_items_have(items, ETW_ITEM_CLOCK)) {
		if (client_context && client_context != items->clock)
			return etw_refuse_dword(error, items, ETW_ITEM_CLOCK, 1,
						ETW_REASON_CONFLICT, -EINVAL);
		settings->clock_type = items->clock;
	}
	settings->enable_flags = items->masks.masks[0];
	etw_config_masks(settings->enable_flags, &settings->masks);
	for (i = 1; i < ETW_MASKS; i++)
		settings->masks.masks[i] |= items->masks.masks[i];
	return 0;
}

/*
 * Parses EnableFlags and clock of a block, and its extension. Mode and sizes are already
 * parsed.
 */
static int parse_flags(const __u8 *block, __u32 size, const struct wmi_logger_information *info,
		       struct etw_settings *settings, struct etw_config_error *error)
{
	__u32 clock = info->wnode.client_context;

	if (clock > ETW_CLOCK_CYCLE)
		return etw_refuse(error, ETW_FIELD(wnode.client_context), ETW_REASON_RANGE,
				  -EINVAL);
	settings->clock_type = clock ? clock : ETW_CLOCK_QPC;
	if (info->enable_flags & EVENT_TRACE_FLAG_EXTENSION)
		return parse_extension(block, size, info->enable_flags, clock, settings, error);
	/* test modules may write to any session, as programs do */
	if ((info->enable_flags & ~EVENT_TRACE_FLAG_TEST) && !settings->kernel)
		return etw_refuse(error, ETW_FIELD(enable_flags), ETW_REASON_CONFLICT, -EINVAL);
	if (etw_config_masks(info->enable_flags, &settings->masks))
		return etw_refuse(error, ETW_FIELD(enable_flags), ETW_REASON_RANGE, -EINVAL);
	settings->enable_flags = info->enable_flags;
	return 0;
}

static int overlaps(const struct etw_unicode_string *name, __u32 from, __u32 to)
{
	return name->length && name->buffer < to && name->buffer + name->length > from;
}

/*
 * Names and extension must not overlap. The extension is checked to be inside the block, the
 * names not yet.
 */
static int check_overlap(const __u8 *block, const struct wmi_logger_information *info,
			 struct etw_config_error *error)
{
	struct trace_enable_flag_extension overlay;
	struct trace_enable_flag_ext_header header;
	__u32 dwords, end;

	if (!(info->enable_flags & EVENT_TRACE_FLAG_EXTENSION))
		return 0;
	memcpy(&overlay, &info->enable_flags, sizeof(overlay));
	memcpy(&header, block + overlay.offset, sizeof(header));
	dwords = overlay.length == ETW_EXT_ITEMS ? header.length : overlay.length;
	end = overlay.offset + 4 * dwords;
	if (overlaps(&info->logger_name, overlay.offset, end) ||
	    overlaps(&info->log_file_name, overlay.offset, end))
		return etw_refuse(error, ETW_FIELD(enable_flags), ETW_REASON_OVERLAP, -EINVAL);
	return 0;
}

/**
 * etw_config_parse() - convert a START block to settings
 * @block: struct wmi_logger_information, names and extension; any bytes
 * @size: bytes of @block
 * @settings: out, complete with a success
 * @error: out, with an error: the field or the dword of an item, the reason
 *
 * Return: 0; -EINVAL; -EOPNOTSUPP for known settings that are not supported here;
 * for items also -E2BIG, -EEXIST and -ERANGE.
 */
int etw_config_parse(const void *block, __u32 size, struct etw_settings *settings,
		     struct etw_config_error *error)
{
	struct wmi_logger_information info;
	int err;

	memset(settings, 0, sizeof(*settings));
	memset(error, 0, sizeof(*error));
	if (size < sizeof(info) || size > ETW_MAX_INFORMATION)
		return etw_refuse(error, 0, ETW_REASON_SIZE, -EINVAL);
	memcpy(&info, block, sizeof(info));
	if (info.wnode.buffer_size != size)
		return etw_refuse(error, ETW_FIELD(wnode.buffer_size), ETW_REASON_SIZE, -EINVAL);

	err = check_reserved(&info, error);
	if (!err)
		err = parse_mode(&info, settings, error);
	if (!err)
		err = parse_sizes(&info, settings, error);
	if (!err)
		err = parse_flags(block, size, &info, settings, error);
	if (!err)
		err = check_overlap(block, &info, error);
	if (!err)
		err = parse_names(block, size, settings, error);
	if (!err)
		err = check_file_name(settings, error);
	/* after the items, which may set a minimum, too */
	if (!settings->maximum_buffers)
		settings->maximum_buffers = settings->minimum_buffers;
	return err;
}

/**
 * etw_config_check_sources() - check that an enabled PMC profile has sources
 * @settings: valid, out of etw_config_parse()
 * @kept: for UPDATE: items of the session, which the update may leave out; NULL for
 *	START
 * @error: out, with an error: the dword of the masks
 *
 * Return: 0; -EINVAL.
 */
int etw_config_check_sources(const struct etw_settings *settings, const struct etw_items *kept,
			     struct etw_config_error *error)
{
	const __u32 index = PERF_MASK_INDEX(PERF_PMC_PROFILE);

	if (!(settings->masks.masks[index] & PERF_MASK_BITS(PERF_PMC_PROFILE)) ||
	    etw_items_have(&settings->items, ETW_ITEM_SAMPLE_SOURCES) ||
	    (kept && etw_items_have(kept, ETW_ITEM_SAMPLE_SOURCES)))
		return 0;
	/* only EnableFlags of an extension can set that bit */
	return etw_refuse_dword(error, &settings->items, ETW_ITEM_ENABLE_FLAGS, 1 + index,
				ETW_REASON_MISSING, -EINVAL);
}

/**
 * etw_config_check_processors() - whether the format can number so many CPUs
 * @cpus: highest number of a CPU, plus 1
 *
 * (format.rst 1.4)
 * Return: 0; -EOPNOTSUPP.
 */
int etw_config_check_processors(__u32 cpus)
{
	return cpus > ETW_MAX_PROCESSORS ? -EOPNOTSUPP : 0;
}

/**
 * etw_config_buffers_per_cpu() - divide a number of buffers by the CPUs
 * @maximum_buffers: of all CPUs; 0: the default
 * @cpus: number of CPUs, not 0 and at most ETW_MAX_PROCESSORS
 *
 * Rounded up, but the sum never exceeds ETW_MAX_BUFFERS, because UPDATE must accept
 * the number that QUERY returns.
 */
__u32 etw_config_buffers_per_cpu(__u32 maximum_buffers, __u32 cpus)
{
	__u32 n = maximum_buffers ? (maximum_buffers + cpus - 1) / cpus : ETW_DEFAULT_BUFFERS;

	if (n > ETW_MAX_BUFFERS / cpus)
		n = ETW_MAX_BUFFERS / cpus;
	return n < ETW_MIN_BUFFERS ? ETW_MIN_BUFFERS : n;
}
