// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Half of the machine's memory is what all sessions together may come to take: counted
 * by what they were promised, back to nothing when they are gone.
 */
#define _GNU_SOURCE
/* room for all Linux events that a session may have, of ENTRY_DWORDS each */
#define REQUEST_DWORDS	(1024 + 512 * 12)
#include "etw_hooks.h"
#include "etw_linux_events.h"
#include "tests/lib/guest/machine_memory.h"
#include "tests/lib/guest/requests.h"
#include "tests/lib/guest/sessions.h"

#define KB		1024	/* of a buffer */
#define CACHE		64	/* of stacks, as many buffers: ETW_MAX_STACK_CACHE */
#define UPDATE_TRIES	3
#define NO_SOURCE	0x00040000	/* EVENT_TRACE_FLAG_DBGPRINT */
#define ENTRY_DWORDS	(sizeof(struct etw_ext_linux_event) / 4 + 1)
#define NO_EVENT	0xFFFF0000	/* no Linux event has such an id */

static int control;

static __u32 half_buffers(void)
{
	return meminfo("MemTotal") / 2 / KB;
}

/* What is needed at once is little, what it may grow to is not */
static struct session_block growing(const char *name, __u32 maximum)
{
	struct session_block block;

	fill_block(&block, &(struct wish){
		.name = name, .kb = KB, .buffers = maximum, .minimum = 1,
		.flags = EVENT_TRACE_FLAG_CSWITCH,
	});
	return block;
}

/* An error must be reported as one of memory. Return: errno */
static int start_growing(const char *name, __u32 maximum, __u32 *id)
{
	struct session_block block = growing(name, maximum);
	struct etw_control c = { };
	int err = send_block(control, ETW_IOC_START, &block, sizeof(block), &c);

	*id = c.logger_id;
	if (err && (c.error_reason != ETW_REASON_NO_MEMORY ||
		    c.error_offset != offsetof(struct wmi_logger_information, maximum_buffers)))
		result(0, "%s # reason %u at %u", name, c.error_reason, c.error_offset);
	return err;
}

static int update_maximum(const char *name, __u32 id, __u32 maximum, __u32 flags)
{
	struct session_block block = growing(name, maximum);
	struct etw_control c = { .logger_id = id };

	block.info.minimum_buffers = 0;
	block.info.enable_flags |= flags;
	return send_block(control, ETW_IOC_UPDATE, &block, sizeof(block), &c);
}

static __u32 maximum_of(__u32 id)
{
	struct session_block block = { };
	struct etw_control c = { .logger_id = id };
	int err = send_block(control, ETW_IOC_QUERY, &block, sizeof(block), &c);

	return err ? 0 : block.info.maximum_buffers;
}

static void discard(__u32 id)
{
	if (discard_session(control, id))
		die("STOP");
}

/* Whether so much more is to be had */
static int try_start(__u32 maximum)
{
	__u32 id;
	int err = start_growing("try", maximum, &id);

	if (!err)
		discard(id);
	return err;
}

static void starts(__u32 half)
{
	__u32 first, second;

	result(!start_growing("first", half * 6 / 10, &first), "a session may get most of half");
	result(try_start(half * 6 / 10) == ENOMEM, "and another one as much no more");
	result(!start_growing("second", half * 3 / 10, &second), "but what is left");
	result(try_start(half * 2 / 10) == ENOMEM, "and then no more than that");
	discard(first);
	result(!try_start(half * 6 / 10), "what one was promised comes back with its end");
	discard(second);
}

/* Each UPDATE leaves the promise as what the session then has. */
static void updates(__u32 half)
{
	__u32 id, other, most = half * 4 / 10, before;
	int i, err;

	if (start_growing("grows", half * 2 / 10, &id) ||
	    start_growing("other", half * 4 / 10, &other))
		die("START");
	result(!update_maximum("grows", id, most, 0), "UPDATE may raise a maximum");
	result(try_start(half * 3 / 10) == ENOMEM, "to what others then can't have");
	before = maximum_of(id);
	result(update_maximum("grows", id, half * 7 / 10, 0) == ENOMEM, "not beyond what is left");
	result(maximum_of(id) == before, "and the maximum stays");
	for (i = err = 0; i < UPDATE_TRIES && !err; i++) {
		/* fails after what it asks for was promised */
		err = update_maximum("grows", id, half * 5 / 10, NO_SOURCE) ? 0 : EINVAL;
		err = err ? err : update_maximum("grows", id, half * 1 / 10, 0);
		err = err ? err : update_maximum("grows", id, most, 0);
	}
	result(!err, "up, down, and refused, each time # %d times", UPDATE_TRIES);
	result(!update_maximum("grows", id, half * 2 / 10, 0), "UPDATE may lower a maximum");
	result(!try_start(half * 3 / 10), "what was given up is there for others");
	discard(id);
	discard(other);
	result(!try_start(half * 95 / 100), "all of it, when all are gone");
}

/* Copies count, too. */
static void snapshots(__u32 half)
{
	const struct wish wish = { .name = "ring", .kb = KB, .buffers = half / 8 };
	struct session_block block;
	struct etw_control c = { };
	__u32 id;
	int fd;

	fill_block(&block, &wish);
	block.info.log_file_mode = EVENT_TRACE_BUFFERING_MODE;
	errno = send_block(control, ETW_IOC_START, &block, sizeof(block), &c);
	if (errno)
		die("START of a flight recorder");
	id = c.logger_id;
	fd = snapshot_session(control, id);
	result(fd >= 0, "a snapshot");
	result(try_start(half * 8 / 10) == ENOMEM, "its memory counts with the session's");
	close(fd);
	result(!try_start(half * 8 / 10), "until it is closed");
	discard(id);
}

/* START, or UPDATE of @id: one buffer for each CPU, and stacks, with a cache of @mb or none */
static int send_cache(unsigned long cmd, __u32 *id, __u32 mb)
{
	const __u32 hook = PERFINFO_LOG_TYPE_CONTEXTSWAP, caching[] = { mb << 20, 1024 };
	const struct wish wish = {
		.name = "cache", .kb = KB, .buffers = 2, .minimum = cmd == ETW_IOC_START,
		.flags = EVENT_TRACE_FLAG_CSWITCH,
	};
	struct etw_control c = { .logger_id = *id };
	struct request request;
	int err;

	request_begin(&request, &wish);
	request_add(&request, ETW_EXT_STACKWALK_FILTER, &hook, 1);
	if (mb)
		request_add(&request, ETW_EXT_STACK_CACHING, caching, 2);
	err = request_send(control, cmd, &request, &c);
	*id = c.logger_id;
	if (err && (c.error_reason != ETW_REASON_NO_MEMORY || c.error_item != 1))
		result(0, "cache # reason %u at item %u", c.error_reason, c.error_item);
	return err;
}

/* So do caches of stacks, and while UPDATE puts one in another's place both. */
static void caches(__u32 half)
{
	__u32 first, id = 0;

	if (start_growing("first", half - CACHE / 2, &first))
		die("START");
	result(send_cache(ETW_IOC_START, &id, CACHE) == ENOMEM, "no cache of stacks beyond half");
	discard(first);
	result(!send_cache(ETW_IOC_START, &id, CACHE), "a cache of stacks");
	result(try_start(half - CACHE / 2) == ENOMEM, "its memory counts");
	result(!send_cache(ETW_IOC_UPDATE, &id, 0), "UPDATE may take it away");
	result(!try_start(half - CACHE / 2), "and its memory is there for others");
	if (start_growing("first", half - CACHE * 3 / 2, &first))
		die("START");
	result(!send_cache(ETW_IOC_UPDATE, &id, CACHE), "UPDATE may bring one");
	result(send_cache(ETW_IOC_UPDATE, &id, CACHE - 1) == ENOMEM, "not another beside it");
	result(!send_cache(ETW_IOC_UPDATE, &id, CACHE), "but the same stays");
	result(try_start(CACHE / 4) == 0, "what was refused is not kept");
	discard(first);
	discard(id);
	result(!try_start(half * 95 / 100), "all of it, when all are gone");
}

/* A session with the largest maximum that is accepted, less @spare buffers. Return: its id */
static __u32 fill(const char *name, __u32 kb, __u32 most, __u32 spare)
{
	struct wish wish = { .name = name, .kb = kb, .buffers = most, .minimum = 1 };
	struct etw_control c = { };
	struct session_block block;

	for (;; wish.buffers -= 2) {
		fill_block(&block, &wish);
		c = (struct etw_control){ };
		if (!send_block(control, ETW_IOC_START, &block, sizeof(block), &c))
			break;
		if (wish.buffers <= spare + 2)
			die("START with the memory that is left");
	}
	discard(c.logger_id);
	wish.buffers -= spare;
	fill_block(&block, &wish);
	c = (struct etw_control){ };
	errno = send_block(control, ETW_IOC_START, &block, sizeof(block), &c);
	if (errno)
		die("START with less");
	return c.logger_id;
}

/* START of as many Linux events as there may be, none of which exists. Return: errno */
static int start_events(struct etw_control *c)
{
	static __u32 entries[ETW_MAX_LINUX_EVENTS * ENTRY_DWORDS];
	static struct request request;
	const struct wish wish = { .name = "events", .kb = 4, .buffers = 2, .minimum = 1,
				   .flags = EVENT_TRACE_FLAG_CSWITCH };
	struct etw_ext_linux_event entry = { .size = 4 * ENTRY_DWORDS, .traits_size = 2,
					     .schema_size = 2 };
	const __u32 blobs = 2 | 2 << 16;
	__u32 i;

	for (i = 0; i < ETW_MAX_LINUX_EVENTS; i++) {
		entry.id = NO_EVENT + i;
		memcpy(&entries[i * ENTRY_DWORDS], &entry, sizeof(entry));
		memcpy(&entries[(i + 1) * ENTRY_DWORDS - 1], &blobs, sizeof(blobs));
	}
	request_begin(&request, &wish);
	request_add(&request, ETW_EXT_VND_LINUX_EVENTS, entries, sizeof(entries) / 4);
	*c = (struct etw_control){ };
	return request_send(control, ETW_IOC_START, &request, c);
}

/* Linux events have perf events on each CPU: here more than a megabyte */
static void linux_events(__u32 half)
{
	__u32 first = fill("first", KB, half, 2), second = fill("second", 64, 96, 8);
	struct etw_control c;
	int err = start_events(&c);

	result(err == ENOMEM && c.error_reason == ETW_REASON_NO_MEMORY && c.error_item == 1 &&
	       c.error_offset == offsetof(struct request, extension) + 4 * 2,
	       "memory for Linux events is refused at the first of them # %s, reason %u at 0x%x",
	       strerror(err), c.error_reason, c.error_offset);
	discard(first);
	discard(second);
	err = start_events(&c);
	result(err == ENOENT && c.error_reason == ETW_REASON_SOURCE,
	       "with memory it is not # %s, reason %u", strerror(err), c.error_reason);
	result(!try_start(half * 95 / 100), "all of it, when all are gone");
}

int main(void)
{
	__u32 half = half_buffers();

	control = open_control();
	printf("# half of the memory: %u buffers of %u KB\n", half, KB);
	starts(half);
	updates(half);
	snapshots(half);
	caches(half);
	linux_events(half);
	return failures != 0;
}
