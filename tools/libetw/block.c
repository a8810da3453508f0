// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The module's block of a session: converted from and to a caller's properties. */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include "libetl/text.h"
#include "session.h"

/* What the module has no use for, and a session is no other without */
#define WITHOUT_EFFECT	(EVENT_TRACE_FILE_MODE_PREALLOCATE | EVENT_TRACE_SECURE_MODE |	\
			 EVENT_TRACE_DELAY_OPEN_FILE_MODE | EVENT_TRACE_ADD_HEADER_MODE | \
			 EVENT_TRACE_USE_KBYTES_FOR_SIZE | EVENT_TRACE_STOP_ON_HYBRID_SHUTDOWN | \
			 EVENT_TRACE_PERSIST_ON_HYBRID_SHUTDOWN | EVENT_TRACE_USE_PAGED_MEMORY | \
			 EVENT_TRACE_INDEPENDENT_SESSION_MODE |				\
			 EVENT_TRACE_NO_PER_PROCESSOR_BUFFERING)
#define FILE_MODES	(EVENT_TRACE_FILE_MODE_SEQUENTIAL | EVENT_TRACE_FILE_MODE_CIRCULAR | \
			 EVENT_TRACE_FILE_MODE_NEWFILE | EVENT_TRACE_FILE_MODE_APPEND)
#define MAX_BUFFER_KB	16384u

static const GUID kernel_guid = {
	0x9e814aad, 0x3204, 0x11d2, { 0x9a, 0x82, 0x00, 0x60, 0x08, 0xa8, 0x69, 0x39 }
};

bool is_kernel_session(const EVENT_TRACE_PROPERTIES *fixed)
{
	return (fixed->LogFileMode & EVENT_TRACE_SYSTEM_LOGGER_MODE) ||
	       IsEqualGUID(&fixed->Wnode.Guid, &kernel_guid);
}

/* Return: whether it fits */
static bool put_name(struct block *block, struct etw_unicode_string *string, const char *text,
		     uint32_t limit)
{
	uint16_t units[ETW_MAX_LOG_FILE_NAME + 2];
	uint32_t count = text_to_utf16(text, units, limit + 1);

	if (count > limit)
		return false;
	units[count] = 0;
	string->length = 2 * count;
	string->maximum_length = 2 * count + 2;
	string->buffer = block->size;
	memcpy(block->bytes + block->size, units, 2 * count + 2);
	block->size += 2 * count + 2;
	return true;
}

/* The older form is masks and nothing else: what it says, where others can stand beside it */
static uint32_t make_items(uint32_t *dwords, uint32_t count)
{
	static const struct trace_enable_flag_ext_header empty = { .length = 1 };
	uint32_t masks[ETW_EXT_ITEMS];

	memcpy(masks, dwords, 4 * count);
	memcpy(dwords, &empty, sizeof(empty));
	return count ? extension_add(dwords, 1, ETW_EXT_ENABLE_FLAGS, masks, count) : 1;
}

/* Programs' sessions keep the time stamps that programs give, as on Windows. */
static uint32_t add_options(uint32_t *dwords, uint32_t count)
{
	static const uint32_t options[] = { ETW_PROVIDER_TIMESTAMPS, 0 };
	uint32_t more;

	if (extension_find(dwords, count, ETW_EXT_VND_PROVIDER_OPTIONS))
		return count;
	more = extension_add(dwords, count, ETW_EXT_VND_PROVIDER_OPTIONS, options, 2);
	return more ? more : count;
}

/* What the program has set for the sampled profile, where the properties have none of it */
static uint32_t add_profile(struct properties *properties)
{
	const struct trace_enable_flag_extension *extension =
		(const void *)&properties->fixed.EnableFlags;
	uint32_t count = properties->nr_dwords;

	if (!count)
		count = extension_of_flags(properties->fixed.EnableFlags, properties->dwords);
	else if (extension->length != ETW_EXT_ITEMS)
		count = make_items(properties->dwords, count);
	return profile_add(properties->dwords, count);
}

static ULONG put_events(struct properties *properties, struct block *block)
{
	bool kernel = is_kernel_session(&properties->fixed);
	struct trace_enable_flag_extension extension;
	uint32_t count = properties->nr_dwords;

	memcpy(&extension, &properties->fixed.EnableFlags, sizeof(extension));
	if (kernel && profile_is_set()) {
		count = add_profile(properties);
		if (!count)
			return ERROR_INVALID_PARAMETER;
		extension.length = ETW_EXT_ITEMS;
	}
	if (!count && kernel) {
		block->info.enable_flags = properties->fixed.EnableFlags;
		return ERROR_SUCCESS;
	}
	if (!kernel) {
		/* plain flags are about kernel events: no others look at them */
		if (!count || extension.length != ETW_EXT_ITEMS)
			count = make_items(properties->dwords, count);
		extension.length = ETW_EXT_ITEMS;
		count = add_options(properties->dwords, count);
	}
	return extension_put(block, properties->dwords, count, extension.length);
}

bool block_has_kernel_events(const struct block *block)
{
	const struct wmi_logger_information *info = &block->info;

	return (info->log_file_mode & EVENT_TRACE_SYSTEM_LOGGER_MODE) ||
	       !memcmp(&info->wnode.guid, &kernel_guid, sizeof(kernel_guid));
}

/* All masks of the item at @at: plain flags are the first one alone. */
static void replace_masks(uint32_t *dwords, uint32_t at, uint32_t flags)
{
	struct trace_enable_flag_ext_item item;

	memcpy(&item, &dwords[at], sizeof(item));
	memset(&dwords[at + 1], 0, (item.offset - 1) * sizeof(*dwords));
	dwords[at + 1] = flags;
}

/*
 * An extension is taken as it is; plain flags take the place of all that are there, and
 * leave the filters alone. Where there are no kernel events they mean nothing, as at START.
 */
ULONG block_set_events(struct block *block, const struct properties *properties)
{
	uint32_t flags = properties->fixed.EnableFlags, count, at;
	struct trace_enable_flag_extension extension;
	uint32_t *dwords;
	ULONG error;

	memcpy(&extension, &flags, sizeof(extension));
	if (properties->nr_dwords)
		return extension_put(block, properties->dwords, properties->nr_dwords,
				     extension.length);
	if (!block_has_kernel_events(block))
		return ERROR_SUCCESS;
	if (!(block->info.enable_flags & EVENT_TRACE_FLAG_EXTENSION)) {
		block->info.enable_flags = flags;
		return ERROR_SUCCESS;
	}
	dwords = malloc(sizeof(properties->dwords));
	if (!dwords)
		return ERROR_NOT_ENOUGH_MEMORY;
	count = extension_of(block, dwords);
	at = extension_find(dwords, count, ETW_EXT_ENABLE_FLAGS);
	if (at)
		replace_masks(dwords, at, flags);
	else
		count = extension_add(dwords, count, ETW_EXT_ENABLE_FLAGS, &flags, 1);
	error = count ? extension_put(block, dwords, count, ETW_EXT_ITEMS) :
			ERROR_INVALID_PARAMETER;
	free(dwords);
	return error;
}

/* A name alone means a plain file; real time is what a session has that says nothing. */
static uint32_t mode_of(const struct properties *properties)
{
	uint32_t mode = properties->fixed.LogFileMode & ~WITHOUT_EFFECT;

	/* for the session a file like any other: only the writer sees what is in it already */
	if (mode & EVENT_TRACE_FILE_MODE_APPEND)
		mode = (mode & ~EVENT_TRACE_FILE_MODE_APPEND) | EVENT_TRACE_FILE_MODE_SEQUENTIAL;
	if (properties->file[0] && !(mode & (FILE_MODES | EVENT_TRACE_BUFFERING_MODE)))
		mode |= EVENT_TRACE_FILE_MODE_SEQUENTIAL;
	return mode;
}

static uint32_t megabytes(const EVENT_TRACE_PROPERTIES *fixed)
{
	if (fixed->LogFileMode & EVENT_TRACE_USE_KBYTES_FOR_SIZE)
		return (fixed->MaximumFileSize + 1023ULL) / 1024;
	return fixed->MaximumFileSize;
}

/* Sizes that Windows would correct are corrected, not refused. */
static void put_sizes(const EVENT_TRACE_PROPERTIES *fixed, struct wmi_logger_information *info)
{
	uint32_t kb = fixed->BufferSize;

	info->buffer_size = kb >= MAX_BUFFER_KB ? MAX_BUFFER_KB : (kb + 3) & ~3u;
	info->minimum_buffers = fixed->MinimumBuffers;
	info->maximum_buffers = fixed->MaximumBuffers;
	if (info->maximum_buffers && info->minimum_buffers > info->maximum_buffers)
		info->maximum_buffers = info->minimum_buffers;
	info->flush_timer = fixed->FlushTimer;
	/* limits the delay for consumers in real time */
	if (!info->flush_timer && (fixed->LogFileMode & EVENT_TRACE_REAL_TIME_MODE))
		info->flush_timer = fixed->LogFileMode & EVENT_TRACE_USE_MS_FLUSH_TIMER ? 1000 : 1;
}

ULONG block_of(struct properties *properties, struct block *block)
{
	const EVENT_TRACE_PROPERTIES *fixed = &properties->fixed;
	struct wmi_logger_information *info = &block->info;
	static const GUID none;

	memset(info, 0, sizeof(*info));
	block->size = sizeof(*info);
	memcpy(&info->wnode.guid, &fixed->Wnode.Guid, sizeof(GUID));
	if (IsEqualGUID(&fixed->Wnode.Guid, &none) &&
	    getrandom(&info->wnode.guid, sizeof(GUID), 0) != sizeof(GUID))
		return ERROR_NO_SYSTEM_RESOURCES;
	info->wnode.client_context = fixed->Wnode.ClientContext;
	info->wnode.flags = WNODE_FLAG_TRACED_GUID;
	put_sizes(fixed, info);
	info->maximum_file_size = megabytes(fixed);
	info->log_file_mode = mode_of(properties);
	if (!put_name(block, &info->logger_name, properties->name, ETW_MAX_LOGGER_NAME) ||
	    !put_name(block, &info->log_file_name, properties->file, ETW_MAX_LOG_FILE_NAME))
		return ERROR_INVALID_PARAMETER;
	info->wnode.buffer_size = block->size;
	return put_events(properties, block);
}

ULONG block_set_file(struct block *block, const char *file)
{
	/* room for the longest name, which ends at an even offset */
	if (block->size > sizeof(block->bytes) - 2 * (ETW_MAX_LOG_FILE_NAME + 2))
		return ERROR_INVALID_PARAMETER;
	block->size = (block->size + 3) & ~3u;
	if (!put_name(block, &block->info.log_file_name, file, ETW_MAX_LOG_FILE_NAME))
		return ERROR_INVALID_PARAMETER;
	block->info.wnode.buffer_size = block->size;
	return ERROR_SUCCESS;
}

void block_text(const struct block *block, const struct etw_unicode_string *string, char *to,
		uint32_t room)
{
	to[0] = 0;
	if (string->buffer <= block->size && string->length <= block->size - string->buffer)
		text_from_utf16(block->bytes + string->buffer, string->length, to, room);
}

/* The caller's properties have no place for an extension: returns the flags in it. */
static uint32_t decompressed_flags(const struct block *block)
{
	uint32_t flags = block->info.enable_flags, count, at;
	uint32_t *dwords;

	if (!(flags & EVENT_TRACE_FLAG_EXTENSION))
		return flags;
	dwords = malloc(BLOCK_BYTES);
	if (!dwords)
		return 0;
	count = extension_of(block, dwords);
	at = extension_find(dwords, count, ETW_EXT_ENABLE_FLAGS);
	flags = at ? dwords[at + 1] : 0;
	free(dwords);
	return flags;
}

void block_to_properties(const struct block *block, struct properties *properties)
{
	const struct wmi_logger_information *info = &block->info;
	EVENT_TRACE_PROPERTIES *fixed = &properties->fixed;

	fixed->Wnode.HistoricalContext = info->wnode.historical_context;
	fixed->Wnode.TimeStamp.QuadPart = info->wnode.time_stamp;
	memcpy(&fixed->Wnode.Guid, &info->wnode.guid, sizeof(GUID));
	fixed->Wnode.ClientContext = info->wnode.client_context;
	fixed->Wnode.Flags = info->wnode.flags;
	fixed->BufferSize = info->buffer_size;
	fixed->MinimumBuffers = info->minimum_buffers;
	fixed->MaximumBuffers = info->maximum_buffers;
	fixed->MaximumFileSize = info->maximum_file_size;
	fixed->LogFileMode = info->log_file_mode;
	fixed->FlushTimer = info->flush_timer;
	fixed->EnableFlags = decompressed_flags(block);
	fixed->NumberOfBuffers = info->number_of_buffers;
	fixed->FreeBuffers = info->free_buffers;
	fixed->EventsLost = info->events_lost;
	fixed->BuffersWritten = info->buffers_written;
	fixed->LogBuffersLost = info->log_buffers_lost;
	fixed->RealTimeBuffersLost = info->real_time_buffers_lost;
	fixed->LoggerThreadId = NULL;
	block_text(block, &info->logger_name, properties->name, sizeof(properties->name));
	block_text(block, &info->log_file_name, properties->file, sizeof(properties->file));
}
