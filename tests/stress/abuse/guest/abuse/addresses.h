/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Abuse: look for kernel addresses in everything that a reader can see. */
#ifndef ETW_TEST_ABUSE_ADDRESSES_H
#define ETW_TEST_ABUSE_ADDRESSES_H

#include "flood.h"
#include "tests/lib/guest/count_stream.h"

#define MOST_PLACES	64
#define FILL		0xFFFFFFFFU	/* a place: what follows the last record */

/*
 * Fields that may hold one: the addresses of a thread, and of the kernel's images,
 * for a session that was started with CAP_SYSLOG. Others that may look like one: hashes.
 */
#define STACK_BASE	offsetof(struct wmi_thread_information, stack_base)
#define STACK_LIMIT	offsetof(struct wmi_thread_information, stack_limit)
#define START_ADDRESS	offsetof(struct wmi_thread_information, win32_start_addr)
#define PROCESS_KEY	offsetof(struct wmi_process_information, unique_process_key)
#define DIRECTORY	offsetof(struct wmi_process_information, directory_table_base)
#define HIGHEST		offsetof(struct wmi_cpu_record, highest_user_address)

/**
 * struct place - where something like an address was seen
 * @hook_id: of the record; 0 for what is no record
 * @offset: in its payload
 * @count: how often
 * @example: one of them
 */
struct place {
	__u16 hook_id;
	__u32 offset;
	__u32 count;
	__u64 example;
};

static struct place places[MOST_PLACES];
static int nr_places;

/* x86-64, four levels of pages: the maps of all memory and of vmalloc; the kernel and its modules */
static int is_address(__u64 value)
{
	return (value >= 0xffff800000000000ULL && value < 0xffffff0000000000ULL) ||
	       (value >= 0xffffffff80000000ULL && value < 0xffffffffff000000ULL);
}

static void note(__u16 hook_id, __u32 offset, __u64 value)
{
	int i;

	for (i = 0; i < nr_places; i++)
		if (places[i].hook_id == hook_id && places[i].offset == offset)
			break;
	if (i == MOST_PLACES)
		return;
	if (i == nr_places)
		places[nr_places++] = (struct place){ hook_id, offset, 0, value };
	places[i].count++;
}

/* Payloads are packed and hold text: every byte may begin something. */
static void scan_by(const void *from, size_t size, __u16 hook_id, size_t step)
{
	__u64 value;
	size_t i;

	for (i = 0; i + sizeof(value) <= size; i += step) {
		memcpy(&value, (const char *)from + i, sizeof(value));
		if (is_address(value))
			note(hook_id, i, value);
	}
}

static void scan(const void *from, size_t size, __u16 hook_id)
{
	scan_by(from, size, hook_id, 1);
}

/* Headers have their 64-bit fields at multiples of 8. */
static void scan_header(const void *from, size_t size)
{
	scan_by(from, size, 0, sizeof(__u64));
}

static __u32 payload_of(const __u8 *record)
{
	switch (record[2]) {
	case TRACE_HEADER_TYPE_PERFINFO64:
		return sizeof(struct perfinfo_trace_header);
	case TRACE_HEADER_TYPE_SYSTEM64:
		return sizeof(struct system_trace_header);
	}
	return 0;
}

/* Headers and fill as what is no record, each record by itself */
static void scan_buffer(const __u8 *buffer, __u32 size)
{
	struct wmi_buffer_header header;
	__u32 at, step, skip, i;
	__u16 hook_id;

	memcpy(&header, buffer, sizeof(header));
	scan_header(buffer, sizeof(header));
	for (at = sizeof(header); at < header.offset; at += step) {
		step = record_size(buffer + at, &hook_id);
		if (!step || at + step > header.offset)
			step = header.offset - at;
		skip = payload_of(buffer + at);
		scan_header(buffer + at, skip);
		scan(buffer + at + skip, step - skip, hook_id);
	}
	for (i = header.offset; i < size; i++)
		if (buffer[i] != 0xFF)
			note(0, FILL, buffer[i]);
}

/* A place is where a scan by single bytes met a field, or a part of it. */
static int is_at(const struct place *place, size_t field)
{
	return place->offset + 7 >= field && place->offset <= field + 7;
}

static int is_known_place(const struct place *place)
{
	switch (place->hook_id) {
	case WMI_LOG_TYPE_THREAD_CREATE:
	case WMI_LOG_TYPE_THREAD_DELETE:
	case WMI_LOG_TYPE_THREAD_DC_START:
	case WMI_LOG_TYPE_THREAD_DC_END:
		return is_at(place, STACK_BASE) || is_at(place, STACK_LIMIT) ||
		       is_at(place, START_ADDRESS);
	case WMI_LOG_TYPE_PROCESS_LOAD_IMAGE:
	case WMI_LOG_TYPE_IMAGE_UNLOAD:
	case WMI_LOG_TYPE_IMAGE_DC_START:
	case WMI_LOG_TYPE_IMAGE_DC_END:
	case WMI_LOG_TYPE_IMAGE_KERNEL_BASE:
		return is_at(place, 0);
	}
	return 0;
}

/* Hashes are a few among many; the end of user space has many bits set. */
static int is_chance(const struct place *place)
{
	if (place->hook_id == WMI_LOG_TYPE_CONFIG_CPU)
		return is_at(place, HIGHEST) && place->offset != HIGHEST;
	return place->hook_id >> 8 == 0x03 && place->count < 4 &&
	       (is_at(place, PROCESS_KEY) || is_at(place, DIRECTORY));
}

/* Return: places that should hold no address; those that may are counted. */
static int judge_places(int with_addresses, int *intended, const char *what)
{
	int i, bad = 0;

	*intended = 0;
	for (i = 0; i < nr_places; i++) {
		const struct place *place = &places[i];
		int fine = is_chance(place) || (with_addresses && is_known_place(place));

		*intended += with_addresses && is_known_place(place);
		printf("# %s: hook 0x%04x, payload offset 0x%x: 0x%016llx and the like, %u times%s\n",
		       what, place->hook_id, place->offset, (unsigned long long)place->example,
		       place->count, fine ? "" : " <- not expected");
		bad += !fine;
	}
	nr_places = 0;
	return bad;
}

/* In a child without CAP_SYSLOG, or in one that has all */
static __u32 start_with(const struct wish *wish, int with_syslog)
{
	int answer[2];
	__u32 id = 0;

	if (pipe(answer))
		die("pipe");
	if (!fork()) {
		if (!with_syslog)
			keep_capabilities(~0U, (~(1U << (CAP_SYSLOG - 32))) & 0x1FF);
		if (start_session(control, wish, &id))
			id = 0;
		_exit(write(answer[1], &id, sizeof(id)) != sizeof(id));
	}
	if (read(answer[0], &id, sizeof(id)) != sizeof(id) || !id)
		die("START in a child");
	close(answer[0]);
	close(answer[1]);
	wait(NULL);
	return id;
}

static void scan_stream(int with_syslog, const char *what)
{
	const struct wish wish = { .name = "addresses", .kb = 64, .buffers = 256,
				   .flags = PROCESSES | EVENT_TRACE_FLAG_IMAGE_LOAD };
	__u32 id = start_with(&wish, with_syslog), buffers = 0;
	static __u8 buffer[64 << 10];
	int fd = open_node(id, 0), bad, intended;
	struct load load;
	ssize_t n;

	watch(flood(3), &load);
	on_session(control, ETW_IOC_STOP, id, 0);
	while ((n = read(fd, buffer, sizeof(buffer))) == sizeof(buffer)) {
		scan_buffer(buffer, sizeof(buffer));
		buffers++;
	}
	close(fd);
	bad = judge_places(with_syslog, &intended, what);
	result(!n && buffers > 3 && !bad && !list_sessions(control),
	       "%s: kernel addresses are only where they belong # %u buffers", what, buffers);
	result(!!intended == with_syslog, "%s: stacks, start addresses and images are %s", what,
	       with_syslog ? "shown" : "hidden");
}

/* What ioctls give back, with more room than they need */
static void test_answers(void)
{
	static __u8 room[8192];
	const struct wish wish = { .name = "answers", .kb = 64, .buffers = 8, .flags = PROCESSES };
	struct etw_control *c = (void *)room;
	struct session_block *block = (void *)(room + 4096);
	__u32 id, i;
	int bad;

	memset(room, 0, sizeof(room));
	fill_block(block, &wish);
	*c = (struct etw_control){ .size = 4096, .information_size = sizeof(*block),
				   .information = (unsigned long)block };
	if (ioctl(control, ETW_IOC_START, c))
		die("START");
	id = c->logger_id;
	scan(room, sizeof(room), 0);
	for (i = 0; i < COUNT(all_ioctls); i++) {
		memset(room, 0, 4096);
		memset(room + 4096, 0xA5, 4096);
		*c = (struct etw_control){ .size = 4096, .logger_id = id, .information_size = 4096,
					   .information = (unsigned long)room + 4096 };
		if (all_ioctls[i] == ETW_IOC_START)
			c->information = (unsigned long)block;	/* refused: error fields */
		if (all_ioctls[i] == ETW_IOC_STOP)
			continue;
		if (all_ioctls[i] == ETW_IOC_LIST || all_ioctls[i] == ETW_IOC_STATISTICS ||
		    all_ioctls[i] == ETW_IOC_LOG_RECORD)
			memset((__u32 *)room + 2, 0, 64);
		ioctl(control, all_ioctls[i], room);
		scan(room, sizeof(room), 0);
	}
	discard_session(control, id);
	bad = nr_places;
	judge_places(0, &(int){ 0 }, "answers of ioctls");
	result(!bad, "the answers of all ioctls: no kernel address");
}

static void test_addresses(void)
{
	if (!system("grep -q ' la57' /proc/cpuinfo")) {
		result(0, "the CPU has four levels of pages: run it with -c max,la57=off");
		return;
	}
	scan_stream(0, "a session of a starter without CAP_SYSLOG");
	scan_stream(1, "a session of a starter with CAP_SYSLOG");
	test_answers();
}

#endif /* ETW_TEST_ABUSE_ADDRESSES_H */
