// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* EnableFlags: masks, or items, which override a block's fields; declared in config.h, too. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "config_flags.h"
#include "refuse.h"

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

/**
 * etw_config_parse_flags() - parse EnableFlags and clock of a block, and its extension
 * @block: the block, any bytes
 * @size: bytes of @block
 * @info: its fixed part
 * @settings: in and out; mode and sizes are already parsed
 * @error: out, with an error
 *
 * Return: 0; an errno of etw_config_parse().
 */
int etw_config_parse_flags(const __u8 *block, __u32 size,
			   const struct wmi_logger_information *info,
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

/**
 * etw_config_check_overlap() - check that names and extension don't overlap
 * @block: the block; its extension is checked to be inside, its names not yet
 * @info: its fixed part
 * @error: out, with an error
 *
 * Return: 0; -EINVAL.
 */
int etw_config_check_overlap(const __u8 *block, const struct wmi_logger_information *info,
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
