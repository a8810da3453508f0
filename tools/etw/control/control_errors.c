// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Errors of ioctls in words. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "etw.h"
#include "control_calls.h"
#include "counter.h"
#include "linux_events/linux_events.h"

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
		[ETW_REASON_SOURCE] = "this kernel lacks a tracepoint or function for "
				      "them, named in its log",
		[ETW_REASON_LENGTH] = "its length does not fit",
		[ETW_REASON_COUNT] = "too few or too many entries",
		[ETW_REASON_UNKNOWN] = "no such kind of item",
		[ETW_REASON_DUPLICATE] = "given twice",
		[ETW_REASON_BITS] = "bits without a meaning",
		[ETW_REASON_OVERLAP] = "overlaps the names",
		[ETW_REASON_FIXED] = "can't be changed while the session runs",
		[ETW_REASON_MISSING] = "needs another setting that is not there",
		[ETW_REASON_NO_MEMORY] = "the machine has not so much memory to give",
		[ETW_REASON_NO_EVENT] = "no PMU here counts that; 'etw list counters'",
		[ETW_REASON_BUSY] = "no counter is free for it: perf and the NMI watchdog have some",
		[ETW_REASON_SHARED] = "it counts for several CPUs at once, not for each",
		[ETW_REASON_NO_PEBS] = "the processor has no PEBS, or a hypervisor hides it",
		[ETW_REASON_PROCESSORS] = "the machine has more than the 2048 processors that "
					  "the format can name",
		[ETW_REASON_MANNER] = "its PMU has it, but can't sample it, be precise or leave "
				      "parts out as asked",
	};

	/* Both kinds of errors share the numbers; errno distinguishes them. */
	if (reason && reason < sizeof(text) / sizeof(text[0]))
		return text[reason];
	return NULL;
}

static const char *count_text(int err)
{
	return err == E2BIG ? "too many entries" : "too few entries";
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
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (fields[i].offset == offset)
			return fields[i].text;
	return NULL;
}

/*
 * "counter cycles on CPU 1", where the offset is that of an entry; it is the
 * first dword of one that names the counter, or the source
 */
static bool counter_text(const struct etw_control *control, const struct block *block, char *to,
			 size_t room)
{
	static struct etw_items items;
	struct etw_config_error error;
	char name[COUNTER_NAME], cpu[32] = "";
	struct counter counter;
	uint32_t i;

	if (etw_items_parse(block->bytes, block->size, sizeof(block->info),
			    block->info.enable_flags, &items, &error))
		return false;
	if (control->error_reason == ETW_REASON_NO_EVENT ||
	    control->error_reason == ETW_REASON_BUSY ||
	    control->error_reason == ETW_REASON_MANNER)
		snprintf(cpu, sizeof(cpu), " on CPU %u", control->error_processor);
	i = control->error_offset - 4;
	if (control->error_item == items.index[ETW_ITEM_PMC_COUNTERS]) {
		i = (i - items.offset[ETW_ITEM_PMC_COUNTERS]) / sizeof(items.counters[0]);
		if (i >= items.nr_counters)
			return false;
		items_counter(&items, i, &counter);
		snprintf(to, room, "counter %s%s", counter.name, cpu);
		return true;
	}
	i = (i - items.offset[ETW_ITEM_SAMPLE_SOURCES]) / sizeof(items.sample_sources[0]);
	if (control->error_item != items.index[ETW_ITEM_SAMPLE_SOURCES] ||
	    i >= items.nr_sample_sources)
		return false;
	items_source_name(&items, items.sample_sources[i], name, sizeof(name));
	snprintf(to, room, "source %s%s", name, cpu);
	return true;
}

/* "event block:block_rq_issue (item 3 at 0xf0)", where the place is in its entry */
static bool linux_event_text(const struct etw_control *control, const struct block *block,
			     char *to, size_t room)
{
	uint32_t size, offset = control->error_offset;
	const uint8_t *item = block_item_data(block, ETW_EXT_VND_LINUX_EVENTS, &size);
	char name[LINUX_EVENT_NAME];

	if (!item || offset < item - block->bytes ||
	    !linux_events_name_at(item, size, offset - (item - block->bytes), name, sizeof(name)))
		return false;
	snprintf(to, room, "event %s (item %u at 0x%x)", name, control->error_item, offset);
	return true;
}

static bool is_of_counter(uint32_t reason)
{
	return (reason >= ETW_REASON_NO_EVENT && reason <= ETW_REASON_SHARED) ||
	       reason == ETW_REASON_MANNER;
}

/* "item 2 (process ids) at 0xc6", "buffer size" or "field at 0x58" */
static void place_text(const struct etw_control *control, const struct block *block, char *to,
		       size_t room)
{
	const char *title = item_type_title(block_item_type(block, control->error_item));
	const char *field = field_text(control->error_offset);

	if (is_of_counter(control->error_reason) && control->error_item &&
	    counter_text(control, block, to, room))
		return;
	if (control->error_item && linux_event_text(control, block, to, room))
		return;
	if (control->error_item && title)
		snprintf(to, room, "item %u (%s) at 0x%x", control->error_item, title,
			 control->error_offset);
	else if (control->error_item)
		snprintf(to, room, "item %u at 0x%x", control->error_item, control->error_offset);
	else if (field)
		snprintf(to, room, "%s", field);
	else
		snprintf(to, room, "field at 0x%x", control->error_offset);
}

int explain_block_error(const struct etw_control *control, const struct block *block, int err)
{
	const char *reason = reason_text(control->error_reason), *verb = verb_word();
	char place[COUNTER_NAME + LINUX_EVENT_NAME + 64];

	place_text(control, block, place, sizeof(place));
	if (control->error_reason == ETW_REASON_COUNT)
		reason = count_text(err);
	if (control->error_reason == ETW_REASON_PROCESSORS)
		failed("%s: %s (%s)", verb, reason, strerror(err));
	/* said of the name, since nothing else of the block has to do with it */
	else if (control->error_reason == ETW_REASON_IN_USE && err == ENOSPC)
		failed("%s: there are %u sessions, or %u with kernel events: no more can be "
		       "('etw list')", verb, ETW_MAX_LOGGERS, ETW_MAX_KERNEL_LOGGERS);
	else if (reason)
		failed("%s: %s: %s (%s)", verb, place, reason, strerror(err));
	else if (control->error_reason)
		failed("%s: %s: reason %u (%s)", verb, place, control->error_reason,
		       strerror(err));
	else if (err == EEXIST)
		failed("%s: a session of that name exists ('etw list')", verb);
	else if (err == ENOTTY)
		failed("%s: the module that is loaded can't do it; it is older than the tool",
		       verb);
	else if (err == EPERM || err == EACCES)
		failed("%s: %s; it takes root or CAP_PERFMON, and no kernel lockdown", verb,
		       strerror(err));
	else
		failed("%s: %s", verb, strerror(err));
	return -err;
}

int explain_error(uint32_t id, int err)
{
	const char *verb = verb_word();

	if (err == ENOENT)
		failed("%s: there is no session %u", verb, id);
	else if (err == EALREADY)
		failed("%s: session %u has stopped", verb, id);
	else if (err == ENOTTY)
		failed("%s: the module that is loaded can't do it; it is older than the tool",
		       verb);
	else
		failed("%s: session %u: %s", verb, id, strerror(err));
	return -err;
}
