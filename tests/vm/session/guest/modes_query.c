// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* QUERY returns all that START got, and what it returns can be given back. */
#define _GNU_SOURCE
#include "tests/lib/guest/requests.h"

#define ROOM	16384

static const __u32 masks[8] = {
	EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_THREAD | EVENT_TRACE_FLAG_CSWITCH,
	PERF_MASK_BITS(PERF_DISPATCHER),
};
static const __u32 pids[] = { 1, 4, 77777 };
static const __u32 stackwalk[] = { 0x0524, 0x0532 };
static const __u32 pool_tags[] = { 0x20777445, 0x21777445 };
static const __u32 caching[] = { 0x100000, 512 };
static const __u32 hooks[] = { 0x0524, 0x0301, 0x0501 };
static const __u32 consumer[] = { 1000, 1001, 0440 };
static const __u32 uids[] = { 0, 1000, 65534 };
static const __u32 gids[] = { 27 };
static const __u32 provider[] = { ETW_PROVIDER_KERNEL_SESSION, 500 };
static const __u32 options[] = { ETW_FILTER_CHILDREN | ETW_FILTER_EXCLUDE_SELF };

static const struct {
	__u16 type;
	const __u32 *data;
	__u32 dwords;
	const char *name;
} items[] = {
	{ ETW_EXT_PIDS, pids, 3, "PIDS" },
	{ ETW_EXT_STACKWALK_FILTER, stackwalk, 2, "STACKWALK_FILTER" },
	{ ETW_EXT_POOLTAG_FILTER, pool_tags, 2, "POOLTAG_FILTER" },
	{ ETW_EXT_STACK_CACHING, caching, 2, "STACK_CACHING" },
	{ ETW_EXT_VND_FILTER_OPTIONS, options, 1, "FILTER_OPTIONS" },
	{ ETW_EXT_VND_HOOK_FILTER, hooks, 3, "HOOK_FILTER" },
	{ ETW_EXT_VND_CONSUMER, consumer, 3, "CONSUMER" },
	{ ETW_EXT_VND_PROVIDER_UIDS, uids, 3, "PROVIDER_UIDS" },
	{ ETW_EXT_VND_PROVIDER_GIDS, gids, 1, "PROVIDER_GIDS" },
	{ ETW_EXT_VND_PROVIDER_OPTIONS, provider, 2, "PROVIDER_OPTIONS" },
};

static const struct wish wish = {
	.name = "query", .kb = 8, .buffers = 16, .flags = EVENT_TRACE_FLAG_CSWITCH,
};
static __u8 before[ROOM], after[ROOM];
static int control;

/* Data of an item of a block in any order, or NULL */
static const __u32 *find_item(const __u8 *block, __u16 type, __u32 *dwords)
{
	const struct wmi_logger_information *info = (const void *)block;
	struct trace_enable_flag_ext_header header;
	struct trace_enable_flag_extension overlay;
	struct trace_enable_flag_ext_item item;
	__u32 at, n;

	memcpy(&overlay, &info->enable_flags, 4);
	if (overlay.flag != ETW_EXT_FLAG || overlay.length != ETW_EXT_ITEMS)
		return NULL;
	memcpy(&header, block + overlay.offset, 4);
	at = overlay.offset + 4;
	for (n = 0; n < header.items; n++, at += 4 * item.offset) {
		memcpy(&item, block + at, 4);
		if (item.type == type) {
			*dwords = item.offset - 1;
			return (const void *)(block + at + 4);
		}
	}
	return NULL;
}

static void expect_item(const __u8 *block, __u16 type, const __u32 *data, __u32 dwords,
			const char *name)
{
	__u32 n = 0;
	const __u32 *found = find_item(block, type, &n);

	result(found && n == dwords && !memcmp(found, data, 4 * dwords), "QUERY: %s as given",
	       name);
}

static __u32 start(struct request *r)
{
	struct etw_control c = { };
	int err = request_send(control, ETW_IOC_START, r, &c);

	if (!err)
		return c.logger_id;
	errno = err;
	printf("# offset %x reason %u item %u\n", c.error_offset, c.error_reason, c.error_item);
	die("START");
	return 0;
}

/* A block as QUERY gave it, given back */
static void give_back(__u32 id, const char *what)
{
	struct etw_control c = { .logger_id = id };
	__u32 size = query_block(control, id, before, ROOM);
	int err = send_block(control, ETW_IOC_UPDATE, before, size, &c);

	result(!err, "%s: UPDATE takes the block of QUERY # %s, offset %x, reason %u", what,
	       error_name(err), c.error_offset, c.error_reason);
	query_block(control, id, before, ROOM);
	send_block(control, ETW_IOC_UPDATE, before, size, &c);
	query_block(control, id, after, ROOM);
	forget_counts((void *)before);
	forget_counts((void *)after);
	result(!memcmp(before, after, ROOM), "%s: it changes nothing", what);
}

/* A second session started with what QUERY says of the first: the same again */
static void start_again(__u32 id)
{
	struct wmi_logger_information *first = (void *)before, *second = (void *)after;
	struct etw_control c = { };
	__u32 size = query_block(control, id, before, ROOM);
	int err;

	memcpy(after, before, ROOM);
	after[second->logger_name.buffer]++;
	err = send_block(control, ETW_IOC_START, after, size, &c);
	result(!err, "START takes the block of QUERY # %s, offset %x, reason %u",
	       error_name(err), c.error_offset, c.error_reason);
	query_block(control, c.logger_id, after, ROOM);
	after[second->logger_name.buffer]--;
	forget_counts(first);
	forget_counts(second);
	second->wnode.time_stamp = first->wnode.time_stamp;
	second->wnode.historical_context = first->wnode.historical_context;
	result(!memcmp(before, after, ROOM), "and QUERY says the same of it");
	discard_session(control, c.logger_id);
}

static void test_items(void)
{
	struct etw_ext_buffers buffers = {
		.buffer_size = 16, .minimum_buffers = 8, .maximum_buffers = 32,
		.flush_timer = 1234,
	};
	const struct wmi_logger_information *info = (const void *)before;
	struct request r;
	__u32 id, i, dwords;

	request_begin(&r, &wish);
	r.info.wnode.client_context = 0;
	for (i = 0; i < sizeof(items) / sizeof(items[0]); i++)
		request_add(&r, items[i].type, items[i].data, items[i].dwords);
	request_add(&r, ETW_EXT_VND_BUFFER_SETTINGS, &buffers, 5);
	request_add_dword(&r, ETW_EXT_VND_CLOCK, ETW_CLOCK_SYSTEM);
	r.info.enable_flags = masks[0];
	id = start(&r);
	query_block(control, id, before, ROOM);
	for (i = 0; i < sizeof(items) / sizeof(items[0]); i++)
		expect_item(before, items[i].type, items[i].data, items[i].dwords, items[i].name);
	expect_item(before, ETW_EXT_ENABLE_FLAGS, masks, 1, "ENABLE_FLAGS");
	result(info->buffer_size == 16 && info->minimum_buffers == 8 &&
	       info->maximum_buffers == 32 && info->flush_timer == 1234,
	       "QUERY: BUFFER_SETTINGS in the fields # %u KB, %u to %u, %u ms", info->buffer_size,
	       info->minimum_buffers, info->maximum_buffers, info->flush_timer);
	result(info->wnode.client_context == ETW_CLOCK_SYSTEM, "QUERY: CLOCK in its field");
	result(!find_item(before, ETW_EXT_VND_CLOCK, &dwords) &&
	       !find_item(before, ETW_EXT_VND_BUFFER_SETTINGS, &dwords), "and only there");
	give_back(id, "all items");
	start_again(id);
	discard_session(control, id);
}

/* Masks of several elements, in the form of 5.1: QUERY makes an item of them */
static void test_masks(void)
{
	struct etw_control c = { };
	struct trace_enable_flag_extension old = { .length = 2, .flag = ETW_EXT_FLAG };
	struct request r;
	__u32 size;

	request_begin(&r, &wish);
	size = offsetof(struct request, extension) + 8;
	old.offset = offsetof(struct request, extension);
	memcpy(&r.info.enable_flags, &old, 4);
	memcpy(r.extension, masks, 8);
	r.info.wnode.buffer_size = size;
	errno = send_block(control, ETW_IOC_START, &r, size, &c);
	if (errno)
		die("START with masks");
	query_block(control, c.logger_id, before, ROOM);
	expect_item(before, ETW_EXT_ENABLE_FLAGS, masks, 2, "masks of the old form");
	give_back(c.logger_id, "masks");
	start_again(c.logger_id);
	discard_session(control, c.logger_id);
}

/* Every mode, with what it needs */
static void test_modes(void)
{
	static const struct {
		__u32 mode, megabytes;
		const char *file, *name;
	} modes[] = {
		{ EVENT_TRACE_REAL_TIME_MODE, 0, "", "real time" },
		{ EVENT_TRACE_BUFFERING_MODE, 0, "", "buffering" },
		{ EVENT_TRACE_FILE_MODE_SEQUENTIAL, 7, "x.etl", "sequential" },
		{ EVENT_TRACE_FILE_MODE_CIRCULAR, 64, "y.etl", "circular" },
		{ EVENT_TRACE_FILE_MODE_NEWFILE, 3, "z%d.etl", "newfile" },
	};
	const struct wmi_logger_information *info = (const void *)before;
	struct request r;
	__u32 id, i, n, mode, length;

	for (i = 0; i < 5; i++) {
		mode = modes[i].mode | EVENT_TRACE_SYSTEM_LOGGER_MODE;
		length = 2 * strlen(modes[i].file);
		request_begin(&r, &wish);
		r.info.log_file_mode = mode;
		r.info.maximum_file_size = modes[i].megabytes;
		r.info.flush_timer = 2;
		/* behind the name of the session, which is short */
		r.info.log_file_name.buffer = offsetof(struct request, name) + 16;
		r.info.log_file_name.length = length;
		for (n = 0; modes[i].file[n]; n++)
			r.name[8 + n] = modes[i].file[n];
		id = start(&r);
		query_block(control, id, before, ROOM);
		result(info->log_file_mode == mode && info->flush_timer == 2 &&
		       info->maximum_file_size == modes[i].megabytes &&
		       info->log_file_name.length == length &&
		       !memcmp(before + info->log_file_name.buffer, &r.name[8], length) &&
		       info->enable_flags == wish.flags,
		       "QUERY: mode %s, its file and size", modes[i].name);
		give_back(id, modes[i].name);
		discard_session(control, id);
	}
}

/* Too little room: how much is needed */
static void test_room(void)
{
	struct etw_control c = { };
	struct request r;
	__u32 id, size;
	int err;

	request_begin(&r, &wish);
	request_add(&r, ETW_EXT_PIDS, pids, 3);
	id = start(&r);
	size = query_block(control, id, before, ROOM);
	memset(after, 0x5A, ROOM);
	c.logger_id = id;
	err = send_block(control, ETW_IOC_QUERY, after, size - 1, &c);
	result(err == ENOSPC &&
	       ((struct wmi_logger_information *)after)->wnode.buffer_size == size &&
	       after[size - 1] == 0x5A, "QUERY: a byte too few # %s", error_name(err));
	err = send_block(control, ETW_IOC_QUERY, after, size, &c);
	result(!err && after[size] == 0x5A, "QUERY: as much as is needed");
	discard_session(control, id);
}

int main(void)
{
	control = open(CONTROL, O_RDWR | O_CLOEXEC);
	if (control < 0)
		die(CONTROL);
	test_items();
	test_masks();
	test_modes();
	test_room();
	return failures != 0;
}
