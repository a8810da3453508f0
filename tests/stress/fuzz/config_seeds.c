// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Seeds of the fuzzer: a file for every case of the suite's table, good and bad. */
#include <stdio.h>
#include <string.h>
#include "tests/unit/kunit/config_cases.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static const __u16 logger[] = { 'l', 'o', 'g' };
static const __u16 file[] = { 'f', '%', 'd' };

static int write_block(const char *directory, unsigned int number, const void *block,
		       size_t size)
{
	char path[4096];
	FILE *out;

	snprintf(path, sizeof(path), "%s/seed-%03u", directory, number);
	out = fopen(path, "wb");
	if (!out || fwrite(block, 1, size, out) != size || fclose(out)) {
		perror(path);
		return 1;
	}
	return 0;
}

/* In sessions of several kinds, with the array behind the names or before them */
static int write_case(const char *directory, unsigned int number, const struct item_case *c)
{
	static const __u32 modes[] = {
		EVENT_TRACE_REAL_TIME_MODE | EVENT_TRACE_SYSTEM_LOGGER_MODE,
		EVENT_TRACE_FILE_MODE_NEWFILE | EVENT_TRACE_SYSTEM_LOGGER_MODE,
		EVENT_TRACE_FILE_MODE_SEQUENTIAL, EVENT_TRACE_FILE_MODE_CIRCULAR,
		EVENT_TRACE_BUFFERING_MODE | EVENT_TRACE_USE_MS_FLUSH_TIMER,
	};
	__u32 at = sizeof(struct wmi_logger_information), array = 4 * c->nr - c->cut;
	__u32 mode = modes[number % 8 < COUNT(modes) ? number % 8 : 0];
	struct wmi_logger_information info;
	__u8 block[2048] = { 0 };

	memset(&info, 0, sizeof(info));
	info.logger_name.length = sizeof(logger);
	info.logger_name.buffer = at;
	memcpy(block + at, logger, sizeof(logger));
	at += sizeof(logger);
	if (!(mode & EVENT_TRACE_BUFFERING_MODE)) {
		info.log_file_name.length = sizeof(file);
		info.log_file_name.buffer = at;
		memcpy(block + at, file, sizeof(file));
		at += sizeof(file);
	}
	at += number % 3;
	memcpy(block + at, c->array, array);
	info.wnode.buffer_size = at + array;
	info.wnode.flags = WNODE_FLAG_TRACED_GUID;
	info.wnode.client_context = number % 4;
	info.log_file_mode = mode;
	info.maximum_file_size = mode & 0xA;
	info.maximum_buffers = number % 32;
	info.flush_timer = number % 7;
	info.enable_flags = (c->flags ? c->flags : ITEMS) | ((c->offset ? c->offset : at) & 0xFFFF);
	memcpy(block, &info, sizeof(info));
	return write_block(directory, number, block, at + array);
}

int main(int argc, char **argv)
{
	unsigned int i;

	if (argc != 2) {
		fprintf(stderr, "usage: config_seeds DIRECTORY\n");
		return 2;
	}
	for (i = 0; i < COUNT(item_cases); i++)
		if (write_case(argv[1], i, &item_cases[i]))
			return 1;
	return 0;
}
